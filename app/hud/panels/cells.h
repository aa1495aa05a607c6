/* app/hud/panels/cells.h - places any number of panels and the claims board. */
#ifndef APP_PANEL_CELLS_H
#define APP_PANEL_CELLS_H

#include "ren/geometry.h"

#include <stdbool.h>

enum { APP_CELLS_MAX = 16 };

struct app_cells {
    struct ren_rect panels[APP_CELLS_MAX], board;
    bool narrow; /* the board has half the width, and the last panel is beside it */
};

/* Divides an area, in pixels, into pairs of panels above the board; an odd last panel goes beside
 * the board. unit: pixels per unit; 1 <= count <= APP_CELLS_MAX. */
void app_cells_make(struct ren_rect area, float unit, int count, struct app_cells *cells);

/* Return the least height, in units, of a grid with `count` panels, and of a column with `count`
 * numbers. */
float app_cells_height(int count);
float app_cells_column_height(int count);

#endif
