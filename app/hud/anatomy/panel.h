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

/* Returns the colour of a phase; phases that follow each other differ. */
ren_colour app_anatomy_colour(const struct app_brush *brush, enum app_phase phase);

/* Returns the colour of text on a phase. */
ren_colour app_anatomy_ink(const struct app_brush *brush, enum app_phase phase);

/* Draws both lanes and their axis at the top of `area`, each lane `high` pixels high. Returns the
 * height that they take, in pixels; without `draw`, only that. A long wait at the end of the frame
 * is cut off, with a mark. */
float app_anatomy_lanes(const struct app_brush *brush, struct ren_rect area, float high,
                        const struct app_anatomy_view *view, bool draw);

/* Draws the table of phases into `area`: the rows that fit, those of the longest phases. */
void app_anatomy_table(const struct app_brush *brush, struct ren_rect area,
                       const struct app_anatomy_view *view);

/* Returns the number of rows that the whole table has, with its header. */
int app_anatomy_rows(const struct app_anatomy_view *view);

#endif
