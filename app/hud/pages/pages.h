/* app/hud/pages/pages.h - derives the contents of each page of panels from the lists of topics and
 * claims. */
#ifndef APP_PAGES_H
#define APP_PAGES_H

#include "command/state.h"
#include "hud/pages/cells.h"
#include "hud/panels/parts.h"
#include "topics/texts.h"

/* Whose numbers a panel shows: this device's, those of a recorded run, or both side by side. */
enum app_panel_side { APP_SIDE_OWN, APP_SIDE_BOTH, APP_SIDE_RECORDED };

/* Everything on a page, or on one part of it. */
struct app_page_contents {
    enum app_panels_page page;
    int part, parts;                   /* from 1; a whole page is part 1 of 1 */
    float unit;                        /* pixels per unit; 0: the whole page, whose area decides */
    const struct app_text_entry *text; /* NULL: the page of all claims */
    const struct app_panel *panels[APP_CELLS_MAX];
    enum app_panel_side sides[APP_CELLS_MAX]; /* of the panels */
    int panel_count;
    bool story;                /* a cell for the story's plot follows the panels */
    int rows[APP_CLAIM_COUNT]; /* enum app_claim_id, in the order of the list */
    int row_count;
    struct app_page_needs needs;
};

/* Fills the contents of a page. story: there is a plot to show on the page of the book. */
void app_page_contents(enum app_panels_page page, bool story, struct app_page_contents *contents);

/* Returns the panel of a topic. */
const struct app_panel *app_page_panel_of(enum krn_topic topic);

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

#endif
