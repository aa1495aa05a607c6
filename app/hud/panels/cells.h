/* app/hud/panels/cells.h - where the panels and the claims board stand, for any number of panels.
 */
#ifndef APP_PANEL_CELLS_H
#define APP_PANEL_CELLS_H

#include "ren/geometry.h"

#include <stdbool.h>

enum { APP_CELLS_MAX = 16 };

struct app_cells {
    struct ren_rect panels[APP_CELLS_MAX], board;
    bool narrow; /* the board has half of the width: the last panel stands beside it */
};

/* Divides an area, in pixels, into pairs of panels above the board; an odd one out stands beside
 * the board. unit: pixels per unit; 1 <= count <= APP_CELLS_MAX. */
void app_cells_make(struct ren_rect area, float unit, int count, struct app_cells *cells);

/* The least height that a grid of so many panels is drawn for, in units; and a column of so many
 * numbers. */
float app_cells_height(int count);
float app_cells_column_height(int count);

#endif
