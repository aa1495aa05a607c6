/* app/hud/theme.h - every colour and measure of the screen, in one place.
 *
 * Colours are ren_colour, 0xRRGGBBAA. The storages' colours are Okabe and Ito's (Color Universal
 * Design, 2008), which stay apart for colour-blind eyes; the light theme darkens them.
 */
#ifndef APP_THEME_H
#define APP_THEME_H

#include "command/state.h"

#include "ren/list.h"

struct app_colours {
    unsigned background; /* 0xRRGGBB, where no picture is */
    ren_colour card;     /* under text, dense enough for any picture behind it */
    ren_colour panel;    /* a panel's ground: nothing lies behind it */
    ren_colour edge;     /* round a card */
    ren_colour text, quiet, faint;
    ren_colour good, warn, bad;
    ren_colour storage[KRN_STORAGE_COUNT];
};

const struct app_colours *app_theme_colours(enum app_theme theme);

/* Measures in units; a unit is 1 pixel of a 1280 x 720 window at HUD scale 1. */
enum {
    APP_MARGIN = 16,
    APP_GAP = 12,
    APP_PAD = 16,
    APP_RADIUS = 8,
    APP_TEXT_SMALL = 15,
    APP_TEXT = 16,
    APP_TEXT_LARGE = 20,
    APP_TEXT_TITLE = 38,
    APP_TEXT_NUMBER = 64,
    APP_HUD_WIDTH = 420,
    APP_HUD_HEIGHT = 208,
    APP_DETAILS_WIDTH = 380,
    APP_PLOT_HEIGHT = 132,
    APP_FOOTER_HEIGHT = 60,
    /* What the panels are drawn for: all of them in a grid, or one column of numbers. */
    APP_PANELS_WIDTH = 627,
    APP_PANELS_HEIGHT = 720,
    APP_COMPACT_WIDTH = 312,
    APP_COMPACT_HEIGHT = 570
};

/* Where everything is, in framebuffer pixels. */
struct app_layout {
    float unit;              /* pixels a unit */
    struct ren_rect screen;  /* all of it */
    struct ren_rect pane;    /* what the picture and the cards on it may take */
    struct ren_rect panels;  /* right of the pane; no width: there are none */
    enum app_panels shown;   /* that fit: compact in place of full, or none */
    struct ren_rect picture; /* the picture itself: in the pane, aspect kept */
    /* Cards: beside the picture, in one column, where the picture leaves room for it; else over
     * it, in the corners. */
    bool column;
    struct ren_rect main;
    /* The most that each may take. In a column they share one room: the details take what they
     * need from below, the plot the rest. details has no width where there is no room for it. */
    struct ren_rect plot, details;
    /* Two quiet lines in place of the details, beside panels; no width: there are none. */
    struct ren_rect footer;
};

/* Lays out a frame of width x height pixels. content_scale is the display's; text never gets
 * smaller than three quarters of its normal size on it, unless the window is too small for that. */
struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale);

#endif
