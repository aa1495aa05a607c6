#include "hud/help/area.h"

#include "command/keys.h"

#include <math.h>
#include <stdio.h>

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

struct app_help_area app_help_open(const struct app_brush *given, const struct app_layout *layout,
                                   float width, float height, const char *title, const char *keys,
                                   enum app_help_page number)
{
    struct app_help_area page = {.brush = *given};
    const float fit = fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                            layout->screen.h / (height + 2.0f * APP_MARGIN));
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
