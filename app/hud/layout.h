/* app/hud/layout.h - divides a frame into the picture, its cards and the panels. */
#ifndef APP_LAYOUT_H
#define APP_LAYOUT_H

#include "command/state.h"
#include "hud/pages/pages.h"
#include "hud/spotlight/place.h"

#include "ren/geometry.h"

/* Sizes in units, as in hud/theme.h. */
enum {
    APP_HUD_WIDTH = 420, /* the main card */
    APP_HUD_HEIGHT = 208,
    APP_HELD_HEIGHT = 46,
    APP_DETAILS_WIDTH = 380,
    APP_PLOT_HEIGHT = 132,
    APP_PLOT_LEAST = 96, /* beside panels, where it would cover too much of the picture */
    APP_FOOTER_HEIGHT = 60,
    APP_LEGEND_WIDTH = 560, /* of the heat map */
    APP_LEGEND_HEIGHT = 134,
    /* The story plot is drawn for these. */
    APP_STORY_WIDTH = 700,
    APP_STORY_HEIGHT = 560
};

/* Rectangles in framebuffer pixels. */
struct app_layout {
    float unit;                /* pixels per unit */
    struct ren_rect screen;    /* the frame without the strip */
    struct ren_rect strip;     /* below it, for a talk's caption; no height: there is none */
    struct ren_rect pane;      /* the part for the picture and the cards on it */
    struct ren_rect panels;    /* right of the pane, or below it; no width: there are none */
    enum app_panels shown;     /* the panels that fit: compact in place of full, or none */
    struct app_page_type type; /* of a full page */
    float page_unit;           /* pixels per unit on a page of panels; 0: none is shown */
    int parts;                 /* of the state's page, as it is shown; 0: no panels are shown */
    bool anatomy;              /* or the frame anatomy does */
    /* The spotlight takes the place of both, or covers everything; `shown` and `story` are then
     * off. */
    struct app_spotlight_place spotlight;
    bool measures_panels, measures_story; /* something on screen needs their numbers */
    bool story;              /* the story plot takes their place; `shown` is then off */
    struct ren_rect picture; /* the picture itself: in the pane, aspect kept */
    /* Cards stand beside the picture, in one column, where the picture leaves room for it; else
     * over it, in the corners. */
    bool column;
    bool cards_left; /* not a column, but main card and plot are left of most of the picture */
    struct ren_rect
        held; /* the banner of held numbers, below the main card or beside it; no width: none */
    struct ren_rect main;
    /* The most that each may take. In a column they share one room: the details take what they
     * need from below, the plot the rest. details has no width where there is no room for it. */
    struct ren_rect plot, details;
    /* Two lines in place of the details, beside panels; no width: there are none. */
    struct ren_rect footer;
    /* The heat map's legend, over the lower end of the picture; no width: there is none. Where
     * cards cover the corners it stands on the plot, or takes its place when the room is short, as
     * beside panels. */
    struct ren_rect legend;
};

/* Divides a frame of width x height pixels. content_scale is the display's; text never gets
 * smaller than three quarters of its normal size on it, unless the window is too small for that. */
struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale);

/* Does the same above a strip of that height, which takes all of the width. */
struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale);

/* Returns true when some text is larger in one layout of a frame than in another one. */
bool app_layout_is_larger(const struct app_layout *layout, const struct app_layout *than);

/* Makes room for a recorded run beside the panels, and counts the parts of the page again. */
void app_layout_pair(struct app_layout *layout, const struct app_state *state);

#endif
