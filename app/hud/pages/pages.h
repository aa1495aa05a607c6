/* app/hud/pages/pages.h - derives the contents of each page of panels from the lists of topics and
 * claims. */
#ifndef APP_PAGES_H
#define APP_PAGES_H

#include "command/state.h"
#include "hud/draw.h"
#include "hud/pages/panel.h"
#include "topics/topic.h"

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

/* Whose numbers a panel shows: this device's, those of a recorded run, or both side by side. */
enum app_panel_side { APP_SIDE_OWN, APP_SIDE_BOTH, APP_SIDE_RECORDED };

/* Everything on a page, or on one part of it. */
struct app_page_contents {
    enum app_panels_page page;
    int part, parts;                   /* from 1; a whole page is part 1 of 1 */
    float unit;                        /* pixels per unit; 0: the whole page, whose area decides */
    const struct app_text_entry *text; /* NULL: the page of all claims */
    enum krn_topic panels[APP_CELLS_MAX];
    enum app_panel_side sides[APP_CELLS_MAX]; /* of the panels */
    int panel_count;
    bool story;                /* a cell for the story's plot follows the panels */
    int rows[APP_CLAIM_COUNT]; /* enum app_claim_id, in the order of the list */
    int row_count;
    struct app_page_needs needs;
};

/* Fills the contents of a page. story: there is a plot to show on the page of the book. */
void app_page_contents(enum app_panels_page page, bool story, struct app_page_contents *contents);

/* How large the type of a full page is. */
struct app_page_type {
    float least; /* pixels per unit that a page has at least; the area may allow more */
    float scale; /* by which it is larger than normal; at least 1 */
    bool pairs;  /* a recorded run stands beside the panels of this machine */
};

/* Fills the contents of part `part` (from 1) of a full page in an area of width x height pixels;
 * greater numbers mean the last part. Type keeps its size: what does not fit moves to further
 * parts. A part has whole panels or whole rows of the board, in the order of the page. */
void app_page_part(enum app_panels_page page, bool story, float width, float height,
                   const struct app_page_type *type, int part, struct app_page_contents *contents);

/* Return pixels per unit with which every page fits into width x height pixels: in full, and
 * compact. */
float app_pages_unit(float width, float height);
float app_pages_column_unit(float width, float height);

/* Draws the rows of a page on a card. lines: per row, 1 or 2; a narrow card has two. */
void app_board_draw(const struct app_brush *brush, struct ren_rect card,
                    const struct app_page_contents *contents, int lines,
                    const struct app_panels_view *view);

/* Draws the device whose numbers the board shows, "on NVIDIA H200, this run", or "measuring again
 * 40 %". */
void app_board_device(const struct app_brush *brush, float x, float y, float width,
                      const struct app_panels_view *view);

/* Draws the progress of a round as a line along a card's upper edge, if one is running. */
void app_board_progress(const struct app_brush *brush, struct ren_rect card,
                        const struct app_panels_view *view);

/* Writes "M. Harris, How to Implement Performance Metrics in CUDA C/C++, 2012"; without the title:
 * "M. Harris, 2012". */
void app_board_source(const struct app_text_entry *text, bool title, char *out, size_t size);

#endif
