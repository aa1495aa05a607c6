#include "hud/contents.h"

#include "hud/anatomy/panel.h"
#include "hud/pages/grid.h"
#include "hud/parts.h"
#include "hud/qr/card.h"
#include "hud/spotlight/spoken.h"
#include "hud/story/plot.h"
#include "hud/talk/talk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the size at which the longest word of a text, a file's name perhaps, is no wider than
 * `width`. */
static float size_for(const struct app_brush *brush, const char *text, float width)
{
    float widest = 0.0f;
    while (*text) {
        char word[256];
        const size_t length = app_draw_word(text);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        widest = fmaxf(widest, ren_text_width(brush->renderer, REN_FACE_SANS_BOLD,
                                              APP_TEXT_LARGE * brush->unit, word));
        text += length + strspn(text + length, " ");
    }
    const float fit = widest > width ? 0.98f * APP_TEXT_LARGE * width / widest : APP_TEXT_LARGE;
    return fmaxf(fit, 10.0f);
}

/* Draws the notice in the middle, above `bottom`, and below the main card where it would cover it.
 */
static void draw_notice(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud, float bottom)
{
    if (!hud->notice || !hud->notice[0])
        return;
    const float u = brush->unit;
    /* A notice lies over the picture, beside the cards where they leave room there. */
    const bool beside = layout->column || layout->cards_left;
    const float left = layout->column       ? layout->picture.x
                       : layout->cards_left ? layout->main.x + layout->main.w
                                            : 0.0f;
    const float room = layout->pane.w - left;
    const float most = fminf(room - 2.0f * APP_MARGIN * u, 760.0f * u);
    const float wanted =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_LARGE * u, hud->notice) +
        (2.0f * APP_PAD + 14.0f) * u;
    const float width = fminf(most, wanted);
    const float inner = width - (2.0f * APP_PAD + 12.0f) * u;
    const float size = size_for(brush, hud->notice, inner);
    const float line = 1.35f * size * u, edges = 22.0f * u;
    const float top = beside || !hud->state->hud ? APP_MARGIN * u
                                                 : fmaxf(layout->main.y + layout->main.h,
                                                         layout->held.y + layout->held.h) +
                                                       0.5f * APP_GAP * u;
    const int room_lines = (int)((bottom - top - edges) / line), most_lines = room_lines < 1 ? 1
                                                                              : room_lines > 4
                                                                                  ? 4
                                                                                  : room_lines;
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, size, 0, 0, inner, most_lines, 0,
                                     hud->notice, false);
    const float height = (float)lines * line + edges;
    const struct ren_rect card = {floorf(left + (room - width) / 2.0f), bottom - height, width,
                                  height};
    const ren_colour colour =
        hud->tone == APP_TONE_WARNED ? brush->colours->warn : brush->colours->good;
    app_draw_card(brush, card);
    ren_list_fill(
        brush->list,
        (struct ren_rect){card.x + 8.0f * u, card.y + 8.0f * u, 4.0f * u, card.h - 16.0f * u},
        2.0f * u, colour);
    app_draw_lines(brush, REN_FACE_SANS_BOLD, size, card.x + (APP_PAD + 8.0f) * u,
                   card.y + (11.0f + size) * u, inner, most_lines, brush->colours->text,
                   hud->notice, true);
}

/* Draws the story plot, into a cell of the book's page perhaps; data: the HUD, view: of this
 * machine. */
static void draw_story(const struct app_brush *brush, struct ren_rect card, const void *data,
                       const struct app_panels_view *view)
{
    const struct app_hud *hud = data;
    const struct app_recorded_view *from = hud->story ? hud->story->recorded : NULL;
    app_story_panel(brush, card, hud->story, from ? from->name : hud->device->name,
                    from ? &from->panels : view);
}

/* Draws what the right part of the frame has in place of a spotlight: the story plot or the frame
 * anatomy, which have no picture behind them, or panels. */
static void draw_panels(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud)
{
    const float inset = APP_GAP * layout->panels.w / APP_STORY_WIDTH;
    const struct ren_rect area = {layout->panels.x + inset, layout->panels.y + inset,
                                  layout->panels.w - 2.0f * inset, layout->panels.h - 2.0f * inset};
    const struct app_cell story = {draw_story, hud};
    const struct app_page_choice choice = {layout->shown, hud->state->page, hud->state->part,
                                           layout->type};
    ren_list_layer_begin(brush->list, layout->panels, brush->colours->background);
    if (layout->anatomy)
        app_anatomy_panel(brush, area, hud->anatomy);
    else if (layout->story)
        draw_story(brush, area, hud, hud->panels);
    else if (hud->panels)
        app_hud_panels(brush, &layout->panels, &choice, hud->panels, &story);
    ren_list_layer_end(brush->list);
}

/* Draws the cards; returns what a notice must stay above. */
static float draw_cards(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud)
{
    const float gap = APP_GAP * brush->unit;
    struct ren_rect plot = layout->plot;
    if (hud->state->duel.on)
        app_hud_duel(brush, layout, hud);
    else
        app_hud_main(brush, layout, hud);
    app_hud_held(brush, layout);
    const float details = app_hud_details(brush, layout, hud);
    if (layout->column)
        plot.h = details - gap - plot.y;
    if (plot.w > 0.0f)
        app_hud_plot(brush, &plot, hud);
    app_hud_footer(brush, layout, hud);
    return layout->column ? layout->pane.h - APP_MARGIN * brush->unit : plot.y - gap;
}

void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud)
{
    const struct app_spotlight_place *place = &layout->spotlight;
    const struct app_brush brush = {renderer, list, app_theme_colours(hud->state->theme),
                                    layout->unit, hud->witness};
    const bool whole = place->shown == APP_SPOTLIGHT_WHOLE;
    const float gap = APP_GAP * brush.unit;
    float bottom = layout->pane.h - APP_MARGIN * brush.unit;
    struct app_layout over = *layout; /* of a notice */
    struct app_brush large = brush;
    if (whole) { /* covers the picture and its cards */
        ren_list_fill(list, layout->screen, 0.0f, brush.colours->background << 8 | 0xffu);
        app_spotlight_draw(&brush, place, hud);
        over.pane = layout->screen;
        over.column = false;
        large.unit = fmaxf(brush.unit, 0.6f * place->unit); /* its 20 units are 3 %, too */
        bottom = (place->edge.h > 0.0f ? place->edge.y : layout->screen.h) - APP_GAP * large.unit;
    } else {
        if (hud->state->duel.on)
            app_hud_divider(&brush, layout, hud);
        if (place->shown != APP_SPOTLIGHT_OFF)
            app_spotlight_draw(&brush, place, hud);
        else if (layout->panels.w > 0.0f)
            draw_panels(&brush, layout, hud);
        if (hud->state->hud)
            bottom = draw_cards(&brush, layout, hud);
    }
    if (hud->qr)
        app_hud_qr(&brush, layout, hud->state, hud->qr);
    if (!whole && hud->heat && layout->legend.w > 0.0f) {
        app_hud_heat(&brush, layout, hud->heat);
        bottom =
            (hud->heat->at.valid ? app_hud_heat_pointed(layout->legend) : layout->legend).y - gap;
    }
    if (!whole && hud->state->duel.on && hud->state->hud)
        bottom = app_hud_chips(layout).y - gap;
    if (hud->talk && layout->strip.h > 0.0f)
        app_hud_talk(&brush, layout->strip, layout->screen.h + layout->strip.h, hud->talk);
    draw_notice(&large, &over, hud, bottom);
    if (hud->state->device_card && hud->properties)
        app_hud_device(&brush, layout, hud);
    if (hud->state->help)
        app_hud_help(&brush, layout, hud->state->help_page);
}
