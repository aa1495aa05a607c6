/* app/hud/theme.h - every colour of the screen, and the sizes of text and cards.
 *
 * Colours are ren_colour, 0xRRGGBBAA. A colour means one thing: a storage, the sense of a verdict,
 * or a place in a panel's own set of curves. The colours of storages are Okabe and Ito's (Color
 * Universal Design, 2008), which stay apart for colour-blind eyes; the light theme darkens them.
 * Those of curves differ in lightness.
 */
#ifndef APP_THEME_H
#define APP_THEME_H

#include "model/verdict.h"
#include "spec/state.h"

#include "krn/duel.h"
#include "ren/geometry.h"

/* Colours of curves, bars and marks that are no storage's, from the strongest to the weakest. */
enum { APP_CURVE_COLOURS = 5 };

struct app_colours {
    unsigned background; /* 0xRRGGBB, outside the picture */
    ren_colour card;     /* behind text; dense enough for any picture below it */
    ren_colour panel;    /* behind a panel, which has no picture below it */
    ren_colour edge;     /* round a card */
    ren_colour text, quiet;
    ren_colour faint;           /* of lines; too weak for text */
    ren_colour good, warn, bad; /* of verdicts, marks and warnings */
    ren_colour storages[KRN_STORAGE_COUNT];
    ren_colour curves[APP_CURVE_COLOURS];
};

const struct app_colours *app_theme_colours(enum app_theme theme);

/* Returns the colour of what a verdict means, the same wherever it is drawn. */
ren_colour app_sense_colour(const struct app_colours *colours, enum app_sense sense);

/* A QR code, in every theme. */
#define APP_QR_DARK 0x000000ffu
#define APP_QR_LIGHT 0xffffffffu

/* The size of text and cards in a theme, relative to the dark one. */
float app_theme_scale(enum app_theme theme);

/* Returns the colour of a share 0..1 of a heat map's scale, the same in every theme: it is that of
 * the picture. */
ren_colour app_theme_heat(double share);

/* Sizes in units, of which a frame is 720 high, or 960 wide where that is less. The five sizes of
 * type have capitals of 1.4, 2.2, 2.9, 4.4 and 8.7 % of the height; the smallest is for details and
 * help alone. */
#define APP_TYPE_DETAIL 14.0f
#define APP_TYPE_BODY 22.0f
#define APP_TYPE_LARGE 29.0f
#define APP_TYPE_TITLE 44.0f
#define APP_TYPE_HERO 87.0f
enum { APP_MARGIN = 29, APP_GAP = 12, APP_PAD = 22, APP_RADIUS = 8 };

#endif
