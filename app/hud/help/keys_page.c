#include "hud/help/pages.h"

#include "command/help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In units; `more` is the height of each further line of a text. */
static const float step = 24.0f, more = APP_HELP_MORE, heading = APP_HELP_HEADING,
                   key_width = 130.0f, column_width = 450.0f, around = 116.0f;

enum { COLUMNS_MAX = 3, TEXT_LINES = 3 };

/* The lines of the page in columns: column i has those from first[i] to first[i + 1] - 1. Heights
 * are in units. Those of the lines are measured once: columns are filled a few hundred times. */
struct columns {
    const struct app_help_line *lines;
    float heights[APP_HELP_LINES_MAX];
    size_t count, first[COLUMNS_MAX + 1];
    int columns;
    float height; /* of the highest column */
};

/* Returns the second of two keys that stand below each other, because they are too wide side by
 * side: of "Ctrl PageUp Ctrl PageDown", "Ctrl PageDown"; NULL: there is room. */
static const char *second_key(const struct app_brush *brush, const struct app_help_line *line)
{
    const char *second = strstr(line->keys, " Ctrl ");
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT * brush->unit, line->keys);
    return second && width > (key_width - 8.0f) * brush->unit ? second + 1 : NULL;
}

static void draw_keys(const struct app_brush *brush, const struct app_help_line *line, float x,
                      float y)
{
    const char *second = second_key(brush, line);
    char first[sizeof line->keys];
    const size_t length = second ? (size_t)(second - line->keys) - 1 : strlen(line->keys);
    snprintf(first, sizeof first, "%.*s", (int)length, line->keys);
    app_help_draw(brush, REN_FACE_SANS_BOLD, x, y, key_width - 8.0f, first);
    if (second)
        app_help_draw(brush, REN_FACE_SANS_BOLD, x, y + more * brush->unit, key_width - 8.0f,
                      second);
}

static float height_of_line(const struct app_brush *brush, const struct app_help_line *line)
{
    const int texts = app_help_lines(brush, column_width - key_width, TEXT_LINES, line->text);
    const int lines = texts < 2 && second_key(brush, line) ? 2 : texts;
    return step + more * (float)(lines - 1);
}

/* Fills columns of at most `height` units from the left; returns how many there are, at most one
 * too many. */
static int fill(struct columns *all, float height, int most)
{
    int columns = 0;
    float used = INFINITY;
    all->height = 0.0f;
    for (size_t i = 0; i < all->count; i++) {
        const bool begins = i == 0 || all->lines[i].section != all->lines[i - 1].section;
        const float high = all->heights[i];
        if (used + high + (begins ? heading : 0.0f) > height) {
            if (columns == most)
                return most + 1;
            all->first[columns++] = i;
            used = heading; /* a section that goes on in a new column repeats its heading */
        } else if (begins) {
            used += heading;
        }
        used += high;
        all->height = fmaxf(all->height, used);
    }
    all->first[columns] = all->count;
    return columns;
}

/* Divides the lines into a number of columns, none of them higher than need be. */
static void divide(struct columns *all, int columns)
{
    float height = heading + step;
    while (fill(all, height, columns) > columns)
        height += 0.5f * step;
    all->columns = columns;
}

static void draw_column(const struct app_brush *brush, const struct columns *all, int column,
                        float x, float y)
{
    const float u = brush->unit;
    for (size_t i = all->first[column]; i < all->first[column + 1]; i++) {
        const struct app_help_line *line = &all->lines[i];
        if (i == all->first[column] || line->section != all->lines[i - 1].section) {
            y += heading * u;
            app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y - 4.0f * u, REN_ALIGN_LEFT,
                          brush->colours->quiet, app_section_title(line->section));
        }
        draw_keys(brush, line, x, y + step * u);
        app_help_draw_lines(brush, x + key_width * u, y + step * u, column_width - key_width,
                            TEXT_LINES, brush->colours->text, line->text);
        y += height_of_line(brush, line) * u;
    }
}

static float width_of(int columns)
{
    return (float)columns * (column_width + APP_PAD) + APP_PAD * 3.0f;
}

void app_help_draw_keys(const struct app_brush *given, const struct app_layout *layout)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    struct columns all = {.lines = lines, .count = app_help_keys(lines)};
    float largest = 0.0f;
    int best = 1;
    for (size_t i = 0; i < all.count; i++)
        all.heights[i] = height_of_line(given, &lines[i]);
    for (int columns = 1; columns <= COLUMNS_MAX; columns++) {
        divide(&all, columns);
        const float unit = app_help_unit(layout, width_of(columns), all.height + around);
        if (unit > largest) {
            largest = unit;
            best = columns;
        }
    }
    divide(&all, best);
    const struct app_help_area page =
        app_help_open(given, layout, width_of(best), all.height + around, "Keys",
                      "{help} words · {leave} closes", APP_HELP_KEYS);
    const struct app_brush *brush = &page.brush;
    for (int column = 0; column < best; column++)
        draw_column(brush, &all, column,
                    page.x + (float)column * (column_width + APP_PAD) * brush->unit, page.y);
    app_help_draw_in(brush, REN_FACE_SANS, page.x, page.bottom, width_of(best) - 4.0f * APP_PAD,
                     brush->colours->quiet, app_help_formula());
}
