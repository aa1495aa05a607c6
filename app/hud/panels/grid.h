/* app/hud/panels/grid.h - draws the side panels. */
#ifndef APP_HUD_PANELS_H
#define APP_HUD_PANELS_H

#include "hud/draw.h"
#include "measure/panels.h"

/* Draws the panels into `area` (pixels): a column of numbers (compact) or a grid of plots
 * (full). */
void app_hud_panels(const struct app_brush *brush, const struct ren_rect *area,
                    enum app_panels size, const struct app_panels_view *view);

#endif
