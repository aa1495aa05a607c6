/* app/scenes/table_scene.c - scenes as tables: x, y, z, r, red, green, blue and perhaps mirror. */
#include "base/complain.h"
#include "base/value.h"
#include "scenes/scenes.h"

#include <string.h>
#include <strings.h>

/* The short names of the colours are weaker than the long ones, and r is red beside a radius. */
enum column { X, Y, Z, R, RED, GREEN, BLUE, MIRROR, COLUMNS, SHORT = COLUMNS, PLACES = SHORT + 3 };

enum { SHOWN = 3 }; /* names of columns in a note */

static const struct {
    const char *name;
    double low, high;
} columns[COLUMNS] = {
    [X] = {"x", -APP_LENGTH_MAX, APP_LENGTH_MAX}, [Y] = {"y", -APP_LENGTH_MAX, APP_LENGTH_MAX},
    [Z] = {"z", -APP_LENGTH_MAX, APP_LENGTH_MAX}, [R] = {"r", APP_LENGTH_MIN, APP_LENGTH_MAX},
    [RED] = {"red", 0, APP_COLOUR_MAX},           [GREEN] = {"green", 0, APP_COLOUR_MAX},
    [BLUE] = {"blue", 0, APP_COLOUR_MAX},         [MIRROR] = {"mirror", 0, 1},
};

/* What a table may call its columns, in any case; pandas counts those that nobody named. */
static const struct {
    const char *name;
    int column;
} names[] = {
    {"r", SHORT},       {"g", SHORT + 1}, {"b", SHORT + 2}, {"x", X},         {"y", Y},
    {"z", Z},           {"radius", R},    {"red", RED},     {"green", GREEN}, {"blue", BLUE},
    {"mirror", MIRROR}, {"0", X},         {"1", Y},         {"2", Z},         {"3", R},
    {"4", RED},         {"5", GREEN},     {"6", BLUE},      {"7", MIRROR},
};

struct table {
    char separator;    /* of cells; ' ': any blanks */
    int place[PLACES]; /* of the columns among the cells of a row; -1: there is no such column */
    int width;         /* cells of a row */
    int shift;         /* 1: the rows begin with a cell that the names lack, as R writes them */
    char decimal;      /* what numbers have had before their decimals; 0: nothing yet */
    int extra;         /* columns that are not read; `extras` has the first names */
    char extras[100];
};

/* A place in a line of cells. */
struct cursor {
    const struct app_lines *lines;
    char separator;
    size_t at;
    bool quoted; /* the cell that was read last is in quotation marks */
    bool open;   /* the closing one is missing */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool next_cell(struct cursor *cursor, struct app_field *cell)
{
    const char *line = cursor->lines->line, separator = cursor->separator;
    const size_t length = cursor->lines->length;
    const bool blanks = separator == ' ';
    size_t begin = cursor->at, end;
    while (begin < length && is_blank(line[begin]) && (blanks || line[begin] != separator))
        begin++;
    if (begin >= length + !blanks)
        return false;
    for (end = begin; end < length; end++) {
        if (!cursor->open && (blanks ? is_blank(line[end]) : line[end] == separator))
            break;
        cursor->open ^= line[end] == '"';
    }
    cursor->at = end + 1;
    while (end > begin && is_blank(line[end - 1]))
        end--;
    cursor->quoted = end - begin >= 2 && line[begin] == '"' && line[end - 1] == '"';
    *cell = app_lines_field(cursor->lines, begin + cursor->quoted, end - cursor->quoted);
    return true;
}

/* Finds what separates the cells of a line: the first of these signs that stands often enough for a
 * row, since numbers may have commas, else the one that stands most often, else blanks. */
static char find_separator(const struct app_lines *lines, size_t at)
{
    static const char signs[] = {';', '\t', ','};
    char found = ' ';
    for (int s = 0, most = 1; s < (int)sizeof signs; s++) {
        struct cursor cursor = {.lines = lines, .separator = signs[s], .at = at};
        struct app_field cell;
        int count = 0;
        while (count < MIRROR && next_cell(&cursor, &cell))
            count++;
        found = count > most ? signs[s] : found;
        most = count > most ? count : most;
    }
    return found;
}

/* Returns true when a line names columns: no cell is a number, but for those that count the cells.
 * *width: the cells, up to the last one that has a text. */
static bool is_heading(struct cursor cursor, int *width)
{
    struct app_field cell;
    double number;
    bool heading = true;
    *width = 0;
    for (int i = 0, unnamed = 0; next_cell(&cursor, &cell); i++) {
        *width = cell.text[0] != 0 ? i + 1 : *width;
        unnamed += i == 0 && cell.text[0] == 0; /* the index of pandas */
        if (app_field_number(&cell, &number))
            heading &= number >= i - unnamed && number <= i - unnamed;
    }
    return heading;
}

static void add_extra(struct table *table, const char *name)
{
    if (table->extra++ < SHOWN)
        app_append(table->extras, sizeof table->extras, ", ", "%s", name);
}

/* Reads the names of the columns into *table, which changes on success alone. */
static enum krn_code read_heading(struct cursor cursor, struct table *table)
{
    enum { NAMES = sizeof names / sizeof *names };
    struct table read = {.separator = cursor.separator};
    struct app_field cell;
    int *const place = read.place;
    memset(read.place, -1, sizeof read.place);
    for (; next_cell(&cursor, &cell); read.width++) {
        const size_t length = strcspn(cell.text, " (["); /* a unit may follow */
        int n = 0;
        while (n < NAMES &&
               (strncasecmp(names[n].name, cell.text, length) != 0 || names[n].name[length] != 0))
            n++;
        if (n < NAMES && place[names[n].column] >= 0)
            return app_lines_fail(cursor.lines, "column %s appears twice", names[n].name);
        if (n < NAMES)
            place[names[n].column] = read.width;
        else if (length > 0)
            add_extra(&read, cell.text);
    }
    for (int s = 0; s < PLACES - SHORT; s++) {
        const int column = s == 0 && place[R] < 0 ? R : RED + s;
        if (place[column] < 0)
            place[column] = place[SHORT + s];
        else if (place[SHORT + s] >= 0)
            add_extra(&read, names[s].name);
    }
    for (int c = 0; c < MIRROR; c++)
        if (place[c] < 0)
            return app_lines_fail(cursor.lines,
                                  "column %s is missing; commas, semicolons, tabs or blanks "
                                  "separate x, y, z, r, red, green, blue and perhaps mirror",
                                  columns[c].name);
    *table = read;
    return KRN_OK;
}

static enum krn_code read_row(struct app_lines *lines, struct table *table,
                              struct app_sphere_list *list)
{
    static const char *const words[] = {
        [' '] = "blanks", [','] = "commas", [';'] = "semicolons", ['\t'] = "tabs"};
    struct cursor cursor = {.lines = lines, .separator = table->separator};
    struct app_field cells[COLUMNS] = {{""}}, cell;
    const bool commas = table->separator == ';' || table->separator == '\t';
    double numbers[COLUMNS] = {0}, row;
    int width = 0, wanted = table->width;
    for (int i = 0; next_cell(&cursor, &cell); i++) {
        width = cell.text[0] != 0 ? i + 1 : width;
        if (i == 0 && table->shift > 0) /* a name, or the row's number */
            wanted += cursor.quoted || !app_field_number(&cell, &row) ||
                      (row > list->count && row <= list->count + 1);
        for (int c = 0; c < COLUMNS; c++)
            if (table->place[c] >= 0 && table->place[c] + table->shift == i)
                cells[c] = cell;
    }
    if (width == 0)
        return KRN_OK;
    if (cursor.open)
        return app_lines_fail(lines, "a quotation mark is not closed");
    const char own = width != wanted ? find_separator(lines, 0) : table->separator;
    if (own != table->separator)
        return app_lines_fail(lines, "%s separate its cells, and %s those of the first line",
                              words[(int)own], words[(int)table->separator]);
    if (width > wanted)
        return app_lines_fail(lines, "it has %d cells in place of %d", width, wanted);
    for (int c = 0; c < COLUMNS; c++) {
        char *const comma = strchr(cells[c].text, ','), *const point = strchr(cells[c].text, '.');
        const char decimal = point != NULL ? '.' : ',';
        if (commas && (comma != NULL) != (point != NULL)) {
            if (table->decimal != 0 && table->decimal != decimal)
                return app_lines_fail(lines,
                                      "\"%s\" has a '%c' before its decimals, and earlier "
                                      "numbers have a '%c'",
                                      cells[c].text, decimal, table->decimal);
            table->decimal = decimal;
        }
        if (commas && comma != NULL && point == NULL && strchr(comma + 1, ',') == NULL)
            *comma = '.';
        if (c == MIRROR && cells[c].text[0] == 0)
            continue;
        const enum krn_code code = app_lines_number(lines, &cells[c], columns[c].name,
                                                    columns[c].low, columns[c].high, &numbers[c]);
        if (code != KRN_OK)
            return code;
    }
    const struct app_ball ball = {
        .x = numbers[X],
        .y = numbers[Y],
        .z = numbers[Z],
        .radius = numbers[R],
        .red = (float)numbers[RED],
        .green = (float)numbers[GREEN],
        .blue = (float)numbers[BLUE],
        .mirror = (float)numbers[MIRROR],
    };
    return app_sphere_list_add(list, lines, &ball);
}

/* Reads all rows. The first line may name the columns, or a comment before it, as NumPy writes it.
 */
static enum krn_code read_rows(struct app_lines *lines, struct app_sphere_list *list,
                               struct table *table)
{
    bool begun = false, named = false, shaped = false;
    enum krn_code code = KRN_OK;
    while (code == KRN_OK && app_lines_next(lines)) {
        struct krn_error ignored;
        struct app_lines quiet = *lines;
        struct cursor cursor = {.lines = lines, .separator = table->separator};
        const size_t at = app_lines_blanks(lines, 0);
        const bool comment = at < lines->length && lines->line[at] == '#';
        if (at == lines->length || (comment && begun))
            continue;
        if (!begun)
            cursor.separator = table->separator = find_separator(lines, at + comment);
        if (comment) {
            quiet.error = &ignored;
            cursor.lines = &quiet;
            cursor.at = at + 1;
            named |= read_heading(cursor, table) == KRN_OK;
            continue;
        }
        if (!shaped) {
            int width;
            const bool heading = is_heading(cursor, &width) && !begun;
            if (width == 0 || (!begun && strncasecmp(lines->line, "sep=", 4) == 0))
                continue; /* Excel learns the separator so */
            shaped = !heading;
            begun = true;
            if (heading) {
                named = true;
                code = read_heading(cursor, table);
                continue;
            }
            table->shift = named && width == table->width + 1;
            for (int c = 0; c < COLUMNS && !named; c++)
                table->place[c] = c;
            if (!named)
                table->width = width < COLUMNS ? width : COLUMNS;
        }
        code = read_row(lines, table, list);
    }
    return code;
}

enum krn_code app_scene_read_table(const char *text, size_t length, const char *source,
                                   struct krn_scene *scene, struct app_scene_note *note,
                                   struct krn_error *error)
{
    struct app_lines lines = app_lines_begin(text, length, source, error);
    struct app_sphere_list list = {.balls = NULL};
    struct table table = {.separator = ','};
    enum krn_code code = read_rows(&lines, &list, &table);
    bool scaled = false;
    if (code == KRN_OK && list.count == 0)
        code = app_lines_fail(&lines, "the table has no spheres");
    KRN_THEN(code, app_sphere_list_scale_colours(&list, &lines, &scaled));
    KRN_THEN(code, app_sphere_list_frame(&list, &lines, scene));
    if (scaled)
        app_append(note->text, sizeof note->text, "", "Colours are read as 0 to 255.");
    if (table.extra > 0)
        app_append(note->text, sizeof note->text, " ",
                   "%d column%s of the table %s not read: %s%s.", table.extra,
                   table.extra == 1 ? "" : "s", table.extra == 1 ? "is" : "are", table.extras,
                   table.extra > SHOWN ? ", and others" : "");
    app_make_printable(note->text);
    app_sphere_list_free(&list);
    return code;
}
