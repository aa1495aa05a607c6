/* app/hud/pages/grid.h - draws a page of panels. */
#ifndef APP_HUD_PANELS_H
#define APP_HUD_PANELS_H

#include "command/state.h"
#include "hud/draw.h"
#include "hud/pages/pages.h"
#include "measure/panels.h"

/* A card that is not a topic's panel, and the function that draws it. */
struct app_cell {
    void (*draw)(const struct app_brush *brush, struct ren_rect card, const void *data,
                 const struct app_panels_view *view);
    const void *data;
};

/* The one number that stands for a topic. */
struct app_page_headline {
    struct app_described said;
    const char *caption;
    double age_s; /* of the oldest reading behind it */
};
struct app_page_headline app_page_headline(const struct app_panels_view *view,
                                           enum krn_topic topic);

/* Draws a topic's panel with its title into `card` (pixels). stamp: of a recorded view; NULL: the
 * view is live. */
void app_page_panel(const struct app_brush *brush, struct ren_rect card, enum krn_topic topic,
                    const struct app_panels_view *view, const struct app_recorded_view *stamp);

/* What to draw. */
struct app_page_choice {
    enum app_panels size;
    enum app_panels_page page;
    int part;                  /* from 1 */
    struct app_page_type type; /* of a full page */
};

/* Draws a part of a page of panels into `area` (pixels): plots and claims (full), or a column of
 * numbers and claims (compact), which has one part. story: for the full page of the book; NULL:
 * none. */
void app_hud_panels(const struct app_brush *brush, const struct ren_rect *area,
                    const struct app_page_choice *choice, const struct app_panels_view *view,
                    const struct app_cell *story);

#endif
