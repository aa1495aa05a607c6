/* app/hud/theme.h - every colour of the screen, and the sizes of text and cards.
 *
 * Colours are ren_colour, 0xRRGGBBAA. The colours of series are Okabe and Ito's (Color Universal
 * Design, 2008), which stay apart for colour-blind eyes; the light theme darkens them.
 */
#ifndef APP_THEME_H
#define APP_THEME_H

#include "command/state.h"

#include "ren/geometry.h"

/* The colours of series, by name. The n-th storage has the n-th colour, wherever it is drawn. */
enum app_series_colour {
    APP_BLUE,
    APP_PURPLE,
    APP_ORANGE,
    APP_GREEN,
    APP_YELLOW,
    APP_VERMILLION,
    APP_SERIES_COLOURS
};
_Static_assert((int)KRN_STORAGE_COUNT <= (int)APP_SERIES_COLOURS, "every storage has a colour");

struct app_colours {
    unsigned background; /* 0xRRGGBB, outside the picture */
    ren_colour card;     /* behind text; dense enough for any picture below it */
    ren_colour panel;    /* behind a panel, which has no picture below it */
    ren_colour edge;     /* round a card */
    ren_colour text, quiet, faint;
    ren_colour good, warn, bad;
    ren_colour series[APP_SERIES_COLOURS];
};

const struct app_colours *app_theme_colours(enum app_theme theme);

/* The size of text and cards in a theme, relative to the dark one. */
float app_theme_scale(enum app_theme theme);

/* Sizes in units; a unit is 1 pixel of a 1280 x 720 window at HUD scale 1. */
enum {
    APP_MARGIN = 16,
    APP_GAP = 12,
    APP_PAD = 16,
    APP_RADIUS = 8,
    APP_TEXT_SMALL = 15,
    APP_TEXT = 16,
    APP_TEXT_LARGE = 20,
    APP_TEXT_TITLE = 38,
    APP_TEXT_NUMBER = 64
};

#endif
