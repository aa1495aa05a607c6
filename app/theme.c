#include "theme.h"

#include <math.h>

/* Order of storage colours: global, readonly, constant, shared. */
static const struct app_colours colours[APP_THEME_COUNT] = {
    [APP_THEME_DARK] =
        {
            .background = 0x0b0d12,
            .card = 0x0b0d12e0,
            .edge = 0xffffff1a,
            .text = 0xf2f4f8ff,
            .quiet = 0xb4bac6ff,
            .faint = 0x5a6170ff,
            .good = 0x2fbf8fff,
            .warn = 0xf0e442ff,
            .bad = 0xff7a45ff,
            .storage = {0x56b4e9ff, 0xe49ac4ff, 0xe69f00ff, 0x1fc795ff},
        },
    [APP_THEME_LIGHT] =
        {
            .background = 0xe9ebef,
            .card = 0xfcfcfdf0,
            .edge = 0x00000022,
            .text = 0x12151bff,
            .quiet = 0x464d5aff,
            .faint = 0xa3a9b5ff,
            .good = 0x00664aff,
            .warn = 0x7a5b00ff,
            .bad = 0xb03a00ff,
            .storage = {0x00619cff, 0x9c3f78ff, 0x9a5f00ff, 0x00694dff},
        },
    [APP_THEME_PROJECTOR] =
        {
            .background = 0x000000,
            .card = 0x000000ff,
            .edge = 0xffffff80,
            .text = 0xffffffff,
            .quiet = 0xe6e6e6ff,
            .faint = 0x8c8c8cff,
            .good = 0x4df0baff,
            .warn = 0xfff04dff,
            .bad = 0xff8a5cff,
            .storage = {0x7cccffff, 0xffb3ddff, 0xffb31aff, 0x3df2b8ff},
        },
};

/* Projectors wash out and the last row sits far away: larger still. */
static const float theme_scale[APP_THEME_COUNT] = {1.0f, 1.0f, 1.2f};

const struct app_colours *app_theme_colours(enum app_theme theme)
{
    return &colours[(int)theme >= 0 && theme < APP_THEME_COUNT ? theme : APP_THEME_DARK];
}

static void place_cards(struct app_layout *layout, bool hud)
{
    const float u = layout->unit, w = layout->screen.w, h = layout->screen.h;
    const float margin = APP_MARGIN * u, gap = APP_GAP * u;
    const float beside = w - layout->picture.w - 2.0f * margin;
    layout->column = hud && beside >= 0.95f * APP_HUD_WIDTH * u;
    layout->main = (struct ren_rect){margin, margin, APP_HUD_WIDTH * u, APP_HUD_HEIGHT * u};
    if (layout->column) {
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
        return;
    }
    layout->plot = (struct ren_rect){margin, h - margin - APP_PLOT_HEIGHT * u, w - 2.0f * margin,
                                     APP_PLOT_HEIGHT * u};
    const float details = APP_DETAILS_WIDTH * u;
    const bool fits = w >= layout->main.w + details + 2.0f * margin + gap;
    layout->details = (struct ren_rect){w - margin - details, margin, fits ? details : 0.0f,
                                        layout->plot.y - gap - margin};
}

struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale)
{
    const float w = (float)width, h = (float)height;
    float unit = fminf(w / 1280.0f, h / 720.0f);
    unit = fmaxf(unit, 0.75f * content_scale);
    unit *= (float)state->hud_scale * theme_scale[state->theme];
    /* Whatever was asked for: the first card and the plot must fit. */
    unit = fminf(unit, fminf(w / (APP_HUD_WIDTH + 2.0f * APP_MARGIN), h / 440.0f));

    struct app_layout layout;
    layout.unit = fmaxf(unit, 0.1f);
    layout.screen = (struct ren_rect){0.0f, 0.0f, w, h};
    layout.pane = layout.screen;
    const float scale = fminf(w / (float)state->width, h / (float)state->height);
    /* Whole pixels, so that a picture at its own size is not smeared. */
    layout.picture.w = roundf((float)state->width * scale);
    layout.picture.h = roundf((float)state->height * scale);
    layout.picture.x = floorf((w - layout.picture.w) / 2.0f);
    layout.picture.y = floorf((h - layout.picture.h) / 2.0f);
    place_cards(&layout, state->hud);
    return layout;
}
