/* app/hud/anatomy/panel.h - the frame anatomy's card: two lanes on one axis, and a table. */
#ifndef APP_ANATOMY_PANEL_H
#define APP_ANATOMY_PANEL_H

#include "anatomy/anatomy.h"
#include "hud/draw.h"

/* Draws the card into `area`, in pixels, of at least 300 x 200 of the brush's units; in a larger
 * one its text is larger. view NULL: the frames are not collected yet. In a small area, the phases
 * that take the least time and the notes are left out. */
void app_anatomy_panel(const struct app_brush *brush, struct ren_rect area,
                       const struct app_anatomy_view *view);

#endif
