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
