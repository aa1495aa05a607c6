#include "hud/help/area.h"

#include "command/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void app_help_draw_in(const struct app_brush *brush, enum ren_face face, float x, float y,
                      float room, ren_colour colour, const char *text)
{
    const float pixels = APP_TEXT * brush->unit;
    const float wanted = ren_text_width(brush->renderer, face, pixels, text) / brush->unit;
    app_draw_text(brush, face, wanted > room ? APP_TEXT * room / wanted : APP_TEXT, x, y,
                  REN_ALIGN_LEFT, colour, text);
}

void app_help_draw(const struct app_brush *brush, enum ren_face face, float x, float y, float room,
                   const char *text)
{
    app_help_draw_in(brush, face, x, y, room, brush->colours->text, text);
}

int app_help_lines(const struct app_brush *brush, float room, int most, const char *text)
{
    const int lines = app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, 0.0f, 0.0f, room * brush->unit,
                                     most, 0, text, false);
    return lines < 1 ? 1 : lines;
}

void app_help_draw_lines(const struct app_brush *brush, float x, float y, float room, int most,
                         ren_colour colour, const char *text)
{
    const float u = brush->unit;
    const char *rest = text;
    for (int line = 0; *rest && line < most; line++) {
        /* The words that fit; the last line has all the others. */
        size_t taken = line + 1 == most ? strlen(rest) : 0;
        while (rest[taken]) {
            char words[256];
            const size_t next = taken + strspn(rest + taken, " "),
                         end = next + app_draw_word(rest + next); /* as app_help_lines() counts */
            snprintf(words, sizeof words, "%.*s", (int)end, rest);
            if (taken > 0 &&
                ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT * u, words) > room * u)
                break;
            taken = end;
        }
        char words[256];
        snprintf(words, sizeof words, "%.*s", (int)taken, rest);
        app_help_draw_in(brush, REN_FACE_SANS, x, y + (float)line * APP_HELP_MORE * u, room, colour,
                         words);
        rest += taken + strspn(rest + taken, " ");
    }
}

float app_help_unit(const struct app_layout *layout, float width, float height)
{
    return fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                 layout->screen.h / (height + 2.0f * APP_MARGIN));
}

struct app_help_area app_help_open(const struct app_brush *given, const struct app_layout *layout,
                                   float width, float height, const char *title, const char *keys,
                                   enum app_help_page number)
{
    struct app_help_area page = {.brush = *given};
    const float fit = app_help_unit(layout, width, height);
    page.brush.unit = fminf(fmaxf(given->unit, 0.97f * fit), fit);
    const struct app_brush *brush = &page.brush;
    const float u = brush->unit;
    const struct ren_rect card = {floorf((layout->screen.w - width * u) / 2.0f),
                                  floorf((layout->screen.h - height * u) / 2.0f), width * u,
                                  height * u};
    /* The rest of the screen is dimmed, and nothing shines through the text. */
    const ren_colour ground = brush->colours->background << 8;
    ren_list_fill(brush->list, layout->screen, 0.0f, ground | 0xa0);
    ren_list_fill(brush->list, card, APP_RADIUS * u, ground | 0xff);
    app_draw_card(brush, card);
    page.x = card.x + 2.0f * APP_PAD * u;
    page.y = card.y + 44.0f * u;
    page.bottom = card.y + card.h - 20.0f * u;
    char hints[96], text[128];
    app_key_hints(keys, hints, sizeof hints);
    snprintf(text, sizeof text, "%s · %d/%d", hints, (int)number + 1, (int)APP_HELP_PAGES);
    app_draw_text(brush, REN_FACE_SANS_BOLD, 26.0f, page.x, page.y, REN_ALIGN_LEFT,
                  brush->colours->text, title);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT, card.x + card.w - 2.0f * APP_PAD * u, page.y,
                  REN_ALIGN_RIGHT, brush->colours->quiet, text);
    return page;
}
