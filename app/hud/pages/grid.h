/* app/hud/pages/grid.h - draws a page of panels. */
#ifndef APP_HUD_PANELS_H
#define APP_HUD_PANELS_H

#include "command/state.h"
#include "hud/draw.h"
#include "measure/panels.h"

/* A card that is not a topic's panel, and the function that draws it. */
struct app_cell {
    void (*draw)(const struct app_brush *brush, struct ren_rect card, const void *data,
                 const struct app_panels_view *view);
    const void *data;
};

/* Draws a page of panels into `area` (pixels): plots and claims (full), or a column of numbers and
 * claims (compact). story: for the full page of the book; NULL: none. */
void app_hud_panels(const struct app_brush *brush, const struct ren_rect *area,
                    enum app_panels size, enum app_panels_page page,
                    const struct app_panels_view *view, const struct app_cell *story);

#endif
