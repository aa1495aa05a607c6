#include "hud/help/pages.h"

#include "command/help.h"

#include <math.h>

static const float step = 24.0f, heading = APP_HELP_HEADING, key_width = 130.0f,
                   column_width = 520.0f;

/* Returns the height of the lines first..end-1 in units, headings included. */
static float height_of(const struct app_help_line *lines, size_t first, size_t end)
{
    float height = 0.0f;
    for (size_t i = first; i < end; i++)
        height += step + (i == first || lines[i].section != lines[i - 1].section ? heading : 0.0f);
    return height;
}

/* Returns the first line of the second column: that of a section, so that both columns are about
 * equally high. */
static size_t split(const struct app_help_line *lines, size_t count)
{
    size_t best = count;
    float lowest = height_of(lines, 0, count);
    for (size_t i = 1; i < count; i++) {
        if (lines[i].section == lines[i - 1].section)
            continue;
        const float height = fmaxf(height_of(lines, 0, i), height_of(lines, i, count));
        if (height < lowest) {
            lowest = height;
            best = i;
        }
    }
    return best;
}

static void draw_column(const struct app_brush *brush, const struct app_help_line *lines,
                        size_t first, size_t end, float x, float y)
{
    const float u = brush->unit;
    for (size_t i = first; i < end; i++) {
        if (i == first || lines[i].section != lines[i - 1].section) {
            y += heading * u;
            app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y - 4.0f * u, REN_ALIGN_LEFT,
                          brush->colours->quiet, app_section_title(lines[i].section));
        }
        y += step * u;
        app_help_draw(brush, REN_FACE_SANS_BOLD, x, y, key_width - 8.0f, lines[i].keys);
        app_help_draw(brush, REN_FACE_SANS, x + key_width * u, y, column_width - key_width,
                      lines[i].text);
    }
}

void app_help_draw_keys(const struct app_brush *given, const struct app_layout *layout)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t count = app_help_keys(lines);
    const size_t second = split(lines, count);
    const float high = fmaxf(height_of(lines, 0, second), height_of(lines, second, count));
    const struct app_help_area page =
        app_help_open(given, layout, 2.0f * column_width + APP_PAD * 5.0f, high + 116.0f, "Keys",
                      "{help} words · {leave} closes", APP_HELP_KEYS);
    const struct app_brush *brush = &page.brush;
    draw_column(brush, lines, 0, second, page.x, page.y);
    draw_column(brush, lines, second, count, page.x + (column_width + APP_PAD) * brush->unit,
                page.y);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, page.x, page.bottom, REN_ALIGN_LEFT,
                  brush->colours->quiet, app_help_formula());
}
