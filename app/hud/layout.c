#include "hud/layout.h"

#include "hud/theme.h"

#include <math.h>

/* Gives a part of the frame to the panels or the plot, and the rest to the picture: `width` pixels
 * on the right, or all of the width and `height` pixels below. */
static void divide(struct app_layout *layout, float width, float height)
{
    const struct ren_rect screen = layout->screen;
    layout->pane = layout->panels = screen;
    if (height > 0.0f) {
        layout->panels.h = height;
        layout->pane.h = layout->panels.y = screen.h - height;
        return;
    }
    layout->panels.w = width;
    layout->pane.w = layout->panels.x = screen.w - width;
}

/* Returns the height of a part below the picture; 0: the frame is not high enough for one. */
static float height_below(const struct app_layout *layout)
{
    const float w = layout->screen.w, h = layout->screen.h;
    /* The picture is square as a rule: what it leaves beside it has room for the cards. */
    return w < 0.8f * h ? floorf(fmaxf(fminf(0.63f * h, 1.15f * w), h - w)) : 0.0f;
}

/* Returns the width of a part on the right: no wider than lines are good to read. */
static float width_beside(const struct app_layout *layout)
{
    return floorf(fminf(0.62f * layout->screen.w, 1.1f * layout->screen.h));
}

/* Divides the frame: the picture and its HUD left, the panels right. A full page takes up to 62 %
 * of the width, so that its text can be read from afar; its least size is three quarters of the
 * normal one. Where it does not fit, or leaves no room for the main card, a compact page takes its
 * place; where that does not fit either, there are no panels. A full page takes
 * its normal size from its room: it fills the window's height. HUD size and theme enlarge its type,
 * and what then has no room moves to further parts. A compact page follows the HUD's size and theme
 * as far as it fits. */
static void place_panels(struct app_layout *layout, enum app_panels wanted, float unit, float least)
{
    const float w = layout->screen.w, h = layout->screen.h, below = height_below(layout);
    const float pane = APP_HUD_WIDTH + 2.0f * APP_MARGIN;
    const float enough = least * (1.0f - 1e-3f); /* rounding */
    layout->shown = APP_PANELS_OFF;
    divide(layout, 0.0f, 0.0f);
    if (wanted == APP_PANELS_FULL && below > 0.0f && app_pages_unit(w, below) >= enough) {
        layout->shown = APP_PANELS_FULL;
        divide(layout, w, below);
    } else if (wanted == APP_PANELS_FULL) {
        const float width = width_beside(layout);
        if (fminf(app_pages_unit(width, h), (w - width) / pane) >= enough) {
            layout->shown = APP_PANELS_FULL;
            divide(layout, width, 0.0f);
        }
    }
    if (wanted == APP_PANELS_OFF || layout->shown != APP_PANELS_OFF)
        return;
    /* Text of a compact page is as large as that of a full one. */
    const float fits = fminf(w / (APP_COMPACT_WIDTH + pane), app_pages_column_unit(w, h));
    if (fits < enough)
        return;
    layout->shown = APP_PANELS_COMPACT;
    divide(layout, floorf(APP_COMPACT_WIDTH * fminf(1.27f * unit, fits)), 0.0f);
}

/* Gives the place of a full page to the story plot, if its text can be read there and the main card
 * fits beside it. */
static void place_story(struct app_layout *layout, float least)
{
    const float below = height_below(layout), enough = least * (1.0f - 1e-3f);
    const float width = below > 0.0f ? layout->screen.w : width_beside(layout);
    const float height = below > 0.0f ? below : layout->screen.h;
    layout->shown = APP_PANELS_OFF;
    layout->story = fminf(width / APP_STORY_WIDTH, height / APP_STORY_HEIGHT) >= enough;
    divide(layout, layout->story ? width : 0.0f, layout->story ? below : 0.0f);
}

/* Places the cards in a column left of the picture. */
static void place_column(struct app_layout *layout, float beside)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u, gap = APP_GAP * u;
    layout->picture.x = w - layout->picture.w;
    /* All room beside the picture, up to where lines get too long to read. */
    layout->main.w = fminf(beside, 1.4f * APP_HUD_WIDTH * u);
    /* The main card grows with its width, as long as the others keep their room. */
    layout->main.h = fminf(layout->main.w * APP_HUD_HEIGHT / APP_HUD_WIDTH,
                           fmaxf(h - 500.0f * u, APP_HUD_HEIGHT * u));
    const float top = layout->main.y + layout->main.h + gap;
    layout->plot = (struct ren_rect){margin, top, layout->main.w, h - top - margin};
    layout->details = layout->plot;
    layout->details.h -= (APP_PLOT_HEIGHT - 20.0f) * u + gap;
    layout->details.y = h - margin - layout->details.h;
}

/* Places the cards in the picture's corners. */
static void place_corners(struct app_layout *layout)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u, gap = APP_GAP * u;
    const float details = APP_DETAILS_WIDTH * u;
    const bool fits = w >= layout->main.w + details + 2.0f * margin + gap;
    if (!fits && layout->panels.w > 0.0f)
        layout->footer = (struct ren_rect){margin, h - margin - APP_FOOTER_HEIGHT * u,
                                           w - 2.0f * margin, APP_FOOTER_HEIGHT * u};
    const float below = layout->footer.w > 0.0f ? layout->footer.y - gap : h - margin;
    /* The picture keeps clear of the footer where it can. */
    if (layout->footer.w > 0.0f)
        layout->picture.y = floorf(fmaxf((below - layout->picture.h) / 2.0f, 0.0f));
    layout->plot = (struct ren_rect){margin, below - APP_PLOT_HEIGHT * u, w - 2.0f * margin,
                                     APP_PLOT_HEIGHT * u};
    layout->details = (struct ren_rect){w - margin - details, margin, fits ? details : 0.0f,
                                        layout->plot.y - gap - margin};
}

static void place_cards(struct app_layout *layout, bool hud)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u;
    const float beside = w - layout->picture.w - 2.0f * margin;
    layout->column = hud && beside >= 0.95f * APP_HUD_WIDTH * u;
    layout->main = (struct ren_rect){margin, margin, APP_HUD_WIDTH * u, APP_HUD_HEIGHT * u};
    layout->footer = (struct ren_rect){margin, h - margin, 0.0f, 0.0f};
    if (layout->column)
        place_column(layout, beside);
    else
        place_corners(layout);
}

/* The least height of a frame for which text of 12 units keeps 1.7 % of it. */
static const float least_height = 705.0f;

/* Counts the parts of the page that the state shows. */
static void count_parts(struct app_layout *layout, const struct app_state *state)
{
    const float scale = (float)state->hud_scale * app_theme_scale(state->theme);
    layout->type = (struct app_page_type){(layout->screen.h + layout->strip.h) / least_height,
                                          fmaxf(scale, 1.0f)};
    layout->parts = layout->shown != APP_PANELS_OFF;
    if (layout->shown != APP_PANELS_FULL)
        return;
    struct app_page_contents contents;
    app_page_part(state->page, true, layout->panels.w, layout->panels.h, &layout->type, state->part,
                  &contents);
    layout->parts = contents.parts;
}

struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale)
{
    return app_layout_make_above(state, 0.0f, width, height, content_scale);
}

struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale)
{
    const float w = (float)width, h = (float)height;
    float unit = fminf(w / 1280.0f, h / 720.0f);
    unit = fmaxf(unit, 0.75f * content_scale);
    unit *= (float)state->hud_scale * app_theme_scale(state->theme);

    struct app_layout layout;
    layout.screen = (struct ren_rect){0.0f, 0.0f, w, h - strip};
    layout.strip = (struct ren_rect){0.0f, h - strip, w, strip};
    layout.story = false;
    if (state->story)
        place_story(&layout, 0.6f * content_scale);
    else
        place_panels(&layout, state->panels, unit, 0.75f * content_scale);
    /* The main card and the plot must fit, whatever size was asked for. */
    const float high = layout.panels.w > 0.0f ? 440.0f + APP_FOOTER_HEIGHT : 440.0f;
    unit = fminf(unit,
                 fminf(layout.pane.w / (APP_HUD_WIDTH + 2.0f * APP_MARGIN), layout.pane.h / high));
    const float scale =
        fminf(layout.pane.w / (float)state->width, layout.pane.h / (float)state->height);
    /* Whole pixels, so that a picture at its own size is not smeared. */
    layout.picture.w = roundf((float)state->width * scale);
    layout.picture.h = roundf((float)state->height * scale);
    layout.picture.x = floorf((layout.pane.w - layout.picture.w) / 2.0f);
    layout.picture.y = floorf((layout.pane.h - layout.picture.h) / 2.0f);
    /* Above the panels, the cards rather stay small beside the picture than cover it. */
    const float beside = layout.pane.w - layout.picture.w;
    if (layout.panels.y > 0.0f && beside >= 0.3f * layout.pane.w)
        unit = fminf(unit, beside / (0.96f * APP_HUD_WIDTH + 2.0f * APP_MARGIN));
    layout.unit = fmaxf(unit, 0.1f);
    place_cards(&layout, state->hud);
    count_parts(&layout, state);
    return layout;
}
