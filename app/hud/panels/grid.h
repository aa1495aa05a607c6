/* app/hud/panels/grid.h - the side panels on screen: one drawing function per topic, and the
 * grid that they stand in. */
#ifndef APP_HUD_PANELS_H
#define APP_HUD_PANELS_H

#include "hud/draw.h"
#include "measure/panels.h"

/* Draws the panels into `area` (pixels), compact or full. */
void app_hud_panels(const struct app_brush *brush, const struct ren_rect *area,
                    enum app_panels size, const struct app_panels_view *view);

#endif
