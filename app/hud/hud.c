#include "hud/hud.h"

#include "hud/pages/grid.h"
#include "hud/parts.h"
#include "hud/story/panel.h"
#include "hud/talk/talk.h"

#include <math.h>

/* Draws the notice in the middle, above `bottom`. */
static void draw_notice(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud, float bottom)
{
    if (!hud->notice || !hud->notice[0])
        return;
    const float u = brush->unit;
    /* A notice lies over the picture, beside the column of cards. */
    const float left = layout->column ? layout->picture.x : 0.0f;
    const float room = layout->pane.w - left;
    const float most = fminf(room - 2.0f * APP_MARGIN * u, 760.0f * u);
    const float wanted =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_LARGE * u, hud->notice) +
        (2.0f * APP_PAD + 14.0f) * u;
    const float width = fminf(most, wanted);
    const float inner = width - (2.0f * APP_PAD + 12.0f) * u;
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, 0, 0, inner, 4, 0,
                                     hud->notice, false);
    const float height = ((float)lines * 1.35f * APP_TEXT_LARGE + 22.0f) * u;
    const struct ren_rect card = {floorf(left + (room - width) / 2.0f), bottom - height, width,
                                  height};
    const ren_colour colour =
        hud->tone == APP_TONE_WARNED ? brush->colours->warn : brush->colours->good;
    app_draw_card(brush, card);
    ren_list_fill(
        brush->list,
        (struct ren_rect){card.x + 8.0f * u, card.y + 8.0f * u, 4.0f * u, card.h - 16.0f * u},
        2.0f * u, colour);
    app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, card.x + (APP_PAD + 8.0f) * u,
                   card.y + 31.0f * u, inner, 4, brush->colours->text, hud->notice, true);
}

/* Draws the story plot into the right part of the frame, which has no picture behind it. */
static void draw_story(const struct app_brush *brush, const struct app_layout *layout,
                       const struct app_hud *hud)
{
    const float inset = APP_GAP * layout->panels.w / APP_STORY_WIDTH;
    const struct ren_rect area = {layout->panels.x + inset, layout->panels.y + inset,
                                  layout->panels.w - 2.0f * inset, layout->panels.h - 2.0f * inset};
    app_story_panel(brush, area, hud->story, hud->device->name, hud->panels);
}

/* Draws the same into a cell of the book's page. */
static void draw_cell(const struct app_brush *brush, struct ren_rect card, const void *data,
                      const struct app_panels_view *view)
{
    const struct app_hud *hud = data;
    app_story_panel(brush, card, hud->story, hud->device->name, view);
}

void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud)
{
    const struct app_brush brush = {renderer, list, app_theme_colours(hud->state->theme),
                                    layout->unit, NULL};
    float bottom = layout->pane.h - APP_MARGIN * brush.unit;
    if (hud->state->duel.on)
        app_hud_divider(&brush, layout, hud);
    const struct app_cell story = {draw_cell, hud};
    if (layout->story)
        draw_story(&brush, layout, hud);
    else if (layout->panels.w > 0.0f && hud->panels)
        app_hud_panels(&brush, &layout->panels,
                       &(struct app_page_choice){layout->shown, hud->state->page, hud->state->part,
                                                 layout->type},
                       hud->panels, &story);
    if (hud->state->hud) {
        if (hud->state->duel.on)
            app_hud_duel(&brush, layout, hud);
        else
            app_hud_main(&brush, layout, hud);
        struct ren_rect plot = layout->plot;
        const float details = app_hud_details(&brush, layout, hud);
        if (layout->column)
            plot.h = details - APP_GAP * brush.unit - plot.y;
        else
            bottom = plot.y - APP_GAP * brush.unit;
        app_hud_plot(&brush, &plot, hud);
        app_hud_footer(&brush, layout, hud);
    }
    if (hud->talk && layout->strip.h > 0.0f)
        app_hud_talk(&brush, layout->strip, layout->screen.h + layout->strip.h, hud->talk);
    draw_notice(&brush, layout, hud, bottom);
    if (hud->state->device_card && hud->properties)
        app_hud_device(&brush, layout, hud);
    if (hud->state->help)
        app_hud_help(&brush, layout, hud->state->help_page);
}
