/* app/hud/layout.h - divides a frame into the picture and a page. */
#ifndef APP_LAYOUT_H
#define APP_LAYOUT_H

#include "spec/state.h"

#include "ren/geometry.h"

/* Rectangles in framebuffer pixels. */
struct app_layout {
    float unit;              /* pixels per unit: all text grows with it (hud/theme.h) */
    struct ren_rect screen;  /* the frame without the strip */
    struct ren_rect strip;   /* below it, for a talk's caption; no height: there is none */
    struct ren_rect pane;    /* the part for the picture and the cards on it */
    struct ren_rect page;    /* right of the pane, below it, or over it; no width: there is none */
    enum app_panels shown;   /* of the page: the whole screen where a side has no room */
    struct ren_rect picture; /* in the pane, aspect kept */
};

/* Divides a frame of width x height pixels. content_scale is the display's. The unit follows the
 * frame's size, the HUD's size and the theme, up to where the narrowest card still fits. */
struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale);

/* Does the same above a strip of that height, which takes all of the width. */
struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale);

#endif
