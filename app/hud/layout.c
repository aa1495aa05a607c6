/* Gives picture and page their parts of the frame, and text its size. */
#include "hud/draw.h"

#include <math.h>

/* In units: the least screen, the least pane beside a page, and the least page. */
static const float least_width = 620.0f, least_height = 420.0f, least_pane = 400.0f,
                   least_page = 480.0f;

/* The part of the screen that a page beside the picture takes. */
static const float page_part = 0.56f;

/* Text of a small window on a dense display keeps this part of its size there. */
static const float least_unit = 0.5f;

struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale)
{
    return app_layout_make_above(state, 0.0f, width, height, content_scale);
}

/* Divides the screen between pane and page: side by side, or one above the other in a frame that is
 * higher than wide. Where a side has no room, the page has the whole screen. */
static void divide(struct app_layout *layout, enum app_panels wanted)
{
    const struct ren_rect screen = layout->screen;
    const float u = layout->unit;
    const bool above = screen.w < 0.8f * screen.h;
    const float length = above ? screen.h : screen.w, page = floorf(page_part * length),
                least = above ? least_height : least_page;
    layout->shown = wanted;
    layout->pane = layout->page = screen;
    if (wanted == APP_PANELS_OFF)
        layout->page.w = 0.0f;
    if (wanted != APP_PANELS_COMPACT)
        return;
    if (page < least * u || length - page < least_pane * u) {
        layout->shown = APP_PANELS_FULL;
    } else if (above) {
        layout->page.h = page;
        layout->pane.h = layout->page.y = screen.h - page;
    } else {
        layout->page.w = page;
        layout->pane.w = layout->page.x = screen.w - page;
    }
}

struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale)
{
    const float w = (float)width, h = (float)height, screen_h = fmaxf(h - strip, 1.0f);
    const float usual = fmaxf(fminf(h / 720.0f, w / 960.0f), least_unit * content_scale);
    struct app_layout layout = {.screen = {0.0f, 0.0f, w, screen_h},
                                .strip = {0.0f, h - strip, w, strip}};
    layout.unit = usual * (float)state->look.hud_scale * app_theme_scale(state->look.theme);
    layout.unit = fmaxf(fminf(layout.unit, fminf(w / least_width, screen_h / least_height)), 0.1f);
    divide(&layout, state->look.panels);
    const struct ren_rect pane = layout.pane;
    const float scale =
        fminf(pane.w / (float)state->spec.width, pane.h / (float)state->spec.height);
    /* Whole pixels, so that a picture at its own size is not smeared. */
    layout.picture.w = fmaxf(roundf((float)state->spec.width * scale), 1.0f);
    layout.picture.h = fmaxf(roundf((float)state->spec.height * scale), 1.0f);
    layout.picture.x = floorf(pane.x + (pane.w - layout.picture.w) / 2.0f);
    layout.picture.y = floorf(pane.y + (pane.h - layout.picture.h) / 2.0f);
    return layout;
}
