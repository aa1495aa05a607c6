/* app/scenes/table_scene.c - scenes as tables: x, y, z, r, red, green, blue and perhaps mirror. */
#include "base/value.h"
#include "scenes/sphere_list.h"

#include <string.h>
#include <strings.h>

enum column { X, Y, Z, R, RED, GREEN, BLUE, MIRROR, COLUMNS };

static const struct {
    const char *name;
    double low, high;
} columns[COLUMNS] = {
    [X] = {"x", -APP_LENGTH_MAX, APP_LENGTH_MAX},
    [Y] = {"y", -APP_LENGTH_MAX, APP_LENGTH_MAX},
    [Z] = {"z", -APP_LENGTH_MAX, APP_LENGTH_MAX},
    [R] = {"r", APP_LENGTH_MIN, APP_LENGTH_MAX},
    [RED] = {"red", 0, 1},
    [GREEN] = {"green", 0, 1},
    [BLUE] = {"blue", 0, 1},
    [MIRROR] = {"mirror", 0, 1},
};

/* The cells of a line. */
struct row {
    struct app_field cells[COLUMNS];
    int count;
};

/* Removes the quotation marks around a cell: some programs quote every cell. */
static void unquote(struct app_field *cell)
{
    const size_t length = strlen(cell->text);
    if (length < 2 || cell->text[0] != '"' || cell->text[length - 1] != '"')
        return;
    memmove(cell->text, cell->text + 1, length - 2);
    cell->text[length - 2] = 0;
}

static enum krn_code split(const struct app_lines *lines, struct row *row)
{
    row->count = 0;
    for (size_t begin = 0; begin <= lines->length;) {
        const char *rest = lines->line + begin;
        const char *comma = memchr(rest, ',', lines->length - begin);
        const size_t end = comma != NULL ? (size_t)(comma - lines->line) : lines->length;
        if (row->count == COLUMNS)
            return app_lines_fail(lines, "it has more than %d columns", COLUMNS);
        row->cells[row->count] = app_lines_field(lines, begin, end);
        unquote(&row->cells[row->count++]);
        begin = end + 1;
    }
    return KRN_OK;
}

/* Reads the names of the columns, which may come in any order. place[C]: the cell of column C, -1:
 * there is none. */
static enum krn_code read_names(const struct app_lines *lines, const struct row *row,
                                int place[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++)
        place[c] = -1;
    for (int i = 0; i < row->count; i++) {
        int c = 0;
        while (c < COLUMNS && strcasecmp(row->cells[i].text, columns[c].name) != 0)
            c++;
        if (c == COLUMNS)
            return app_lines_fail(lines,
                                  "\"%s\" is no column; they are x, y, z, r, red, green, blue and "
                                  "perhaps mirror",
                                  row->cells[i].text);
        if (place[c] >= 0)
            return app_lines_fail(lines, "column %s appears twice", columns[c].name);
        place[c] = i;
    }
    for (int c = 0; c < MIRROR; c++)
        if (place[c] < 0)
            return app_lines_fail(lines, "column %s is missing", columns[c].name);
    return KRN_OK;
}

static enum krn_code read_ball(const struct app_lines *lines, const struct row *row,
                               const int place[COLUMNS], struct app_ball *ball)
{
    double numbers[COLUMNS] = {0};
    enum krn_code code = KRN_OK;
    for (int c = 0; c < COLUMNS && code == KRN_OK; c++) {
        static const struct app_field none = {""};
        const bool optional = c == MIRROR && (place[c] < 0 || place[c] >= row->count);
        if (!optional)
            code = app_lines_number(lines, place[c] < row->count ? &row->cells[place[c]] : &none,
                                    columns[c].name, columns[c].low, columns[c].high, &numbers[c]);
    }
    *ball = (struct app_ball){
        .x = numbers[X],
        .y = numbers[Y],
        .z = numbers[Z],
        .radius = numbers[R],
        .red = (float)numbers[RED],
        .green = (float)numbers[GREEN],
        .blue = (float)numbers[BLUE],
        .mirror = (float)numbers[MIRROR],
    };
    return code;
}

/* Reads all rows. The first one may have the names of the columns. */
static enum krn_code read_rows(struct app_lines *lines, struct app_sphere_list *list)
{
    int place[COLUMNS];
    bool first = true;
    enum krn_code code = KRN_OK;
    for (int c = 0; c < COLUMNS; c++)
        place[c] = c;
    while (code == KRN_OK && app_lines_next(lines)) {
        struct row row;
        struct app_ball ball;
        double ignored;
        if (app_lines_field(lines, 0, lines->length).text[0] == 0)
            continue;
        code = split(lines, &row);
        if (code == KRN_OK && first && !app_parse_real(row.cells[0].text, &ignored)) {
            code = read_names(lines, &row, place);
        } else if (code == KRN_OK) {
            code = read_ball(lines, &row, place, &ball);
            if (code == KRN_OK)
                code = app_sphere_list_add(list, lines, &ball);
        }
        first = false;
    }
    return code;
}

enum krn_code app_scene_read_table(const char *text, size_t length, const char *source,
                                   struct krn_scene *scene, struct app_scene_note *note,
                                   struct krn_error *error)
{
    (void)note;
    struct app_lines lines = app_lines_begin(text, length, source, error);
    struct app_sphere_list list = {.balls = NULL};
    enum krn_code code = read_rows(&lines, &list);
    if (code == KRN_OK && list.count == 0)
        code = app_lines_fail(&lines, "the table has no spheres");
    if (code == KRN_OK)
        code = app_sphere_list_frame(&list, &lines, scene);
    app_sphere_list_free(&list);
    return code;
}
