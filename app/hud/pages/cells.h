/* app/hud/pages/cells.h - places the heading, the panels and the claims of a page. */
#ifndef APP_PAGE_CELLS_H
#define APP_PAGE_CELLS_H

#include "ren/geometry.h"

#include <stdbool.h>

enum { APP_CELLS_MAX = 16 };

/* In units: the width of a full page, and that of a compact one. */
enum { APP_PANELS_WIDTH = 624, APP_COMPACT_WIDTH = 312 };

/* What a page shows. */
struct app_page_needs {
    int panels;
    float weights[APP_CELLS_MAX]; /* a panel's share of the height; 1 is an ordinary one */
    int rows, groups;             /* of the claims; groups have headings */
    bool pairs; /* a panel is two cards side by side: one column has the width of two */
};

/* Rectangles in pixels. */
struct app_cells {
    float unit; /* pixels per unit, for everything on the page */
    struct ren_rect heading, panels[APP_CELLS_MAX];
    struct ren_rect board; /* no height: there are no rows */
    int lines;             /* per row of the board: 1 or 2 */
};

/* Return pixels per unit, for a full and for a compact page: as many as let the page fit into an
 * area of width x height pixels, up to a limit beyond which larger text reads no better. */
float app_cells_unit(const struct app_page_needs *needs, float width, float height);
float app_cells_column_unit(const struct app_page_needs *needs, float width, float height);

/* Returns true when everything fits into width x height pixels with that number of pixels per
 * unit. */
bool app_cells_fit(const struct app_page_needs *needs, float unit, float width, float height);

/* Divides an area in pixels, with `unit` pixels per unit: the heading, then the panels in one or
 * two columns, which they fill in reading order, then the board. */
void app_cells_make(const struct app_page_needs *needs, struct ren_rect area, float unit,
                    struct app_cells *cells);

/* Divides an area in pixels for a compact page: the heading, one box for each panel, and the
 * board. */
void app_cells_make_column(const struct app_page_needs *needs, struct ren_rect area,
                           struct app_cells *cells);

/* Returns true when a board of this width, in units, has its numbers in columns. */
bool app_cells_wide(float width);

/* The heights of parts of a board, in units: of a row's one or two lines, of the heading of a
 * group, and of the board's own title, which it has when there are no groups. */
extern const float app_row_height[3], app_group_height, app_board_title_height;

#endif
