#include "hud/parts.h"

#include "command/help.h"
#include "command/keys.h"

#include <math.h>

static const float size = APP_TEXT, step = 24.0f, heading = 34.0f, key_width = 130.0f,
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

/* Draws a whole text, in smaller letters where `room` units are too narrow for it. */
static void draw_whole(const struct app_brush *brush, enum ren_face face, float x, float y,
                       float room, const char *text)
{
    const float pixels = size * brush->unit;
    const float wanted = ren_text_width(brush->renderer, face, pixels, text) / brush->unit;
    app_draw_text(brush, face, wanted > room ? size * room / wanted : size, x, y, REN_ALIGN_LEFT,
                  brush->colours->text, text);
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
        draw_whole(brush, REN_FACE_SANS_BOLD, x, y, key_width - 8.0f, lines[i].keys);
        draw_whole(brush, REN_FACE_SANS, x + key_width * u, y, column_width - key_width,
                   lines[i].text);
    }
}

struct app_key_hint app_hud_help_hint(void)
{
    struct app_key_hint hint;
    app_key_hints("{help} help", hint.text, sizeof hint.text);
    return hint;
}

void app_hud_help(const struct app_brush *given, const struct app_layout *layout)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t count = app_help_keys(lines);
    const size_t second = split(lines, count);
    const float high = fmaxf(height_of(lines, 0, second), height_of(lines, second, count));
    const float width = 2.0f * column_width + APP_PAD * 5.0f, height = high + 116.0f;

    /* All keys must fit: the help shrinks to the window, whatever the HUD's size. */
    struct app_brush brush = *given;
    const float fit = fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                            layout->screen.h / (height + 2.0f * APP_MARGIN));
    brush.unit = fminf(fmaxf(brush.unit, 0.9f * fit), fit);
    const float u = brush.unit;
    const struct ren_rect card = {floorf((layout->screen.w - width * u) / 2.0f),
                                  floorf((layout->screen.h - height * u) / 2.0f), width * u,
                                  height * u};
    /* The rest of the screen is dimmed, and nothing shines through the text. */
    const ren_colour ground = brush.colours->background << 8;
    ren_list_fill(brush.list, layout->screen, 0.0f, ground | 0xa0);
    ren_list_fill(brush.list, card, APP_RADIUS * u, ground | 0xff);
    app_draw_card(&brush, card);
    const float x = card.x + 2.0f * APP_PAD * u, y = card.y + 44.0f * u;
    char closing[64];
    app_key_hints("{help} or {leave} closes this", closing, sizeof closing);
    app_draw_text(&brush, REN_FACE_SANS_BOLD, 26.0f, x, y, REN_ALIGN_LEFT, brush.colours->text,
                  "Keys");
    app_draw_text(&brush, REN_FACE_SANS, APP_TEXT, card.x + card.w - 2.0f * APP_PAD * u, y,
                  REN_ALIGN_RIGHT, brush.colours->quiet, closing);
    draw_column(&brush, lines, 0, second, x, y);
    draw_column(&brush, lines, second, count, x + (column_width + APP_PAD) * u, y);
    app_draw_text(&brush, REN_FACE_SANS, APP_TEXT_SMALL, x, card.y + card.h - 20.0f * u,
                  REN_ALIGN_LEFT, brush.colours->quiet, app_help_formula());
}
