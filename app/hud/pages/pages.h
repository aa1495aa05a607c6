/* app/hud/pages/pages.h - derives the contents of each page of panels from the lists of topics and
 * claims. */
#ifndef APP_PAGES_H
#define APP_PAGES_H

#include "command/state.h"
#include "hud/pages/cells.h"
#include "hud/panels/parts.h"
#include "topics/texts.h"

struct app_page_contents {
    enum app_panels_page page;
    const struct app_text_entry *text; /* NULL: the page of all claims */
    const struct app_panel *panels[APP_CELLS_MAX];
    int panel_count;
    bool story;                /* a cell for the story's plot follows the panels */
    int rows[APP_CLAIM_COUNT]; /* enum app_claim_id, in the order of the list */
    int row_count;
    struct app_page_needs needs;
};

/* Fills the contents of a page. story: there is a plot to show on the page of the book. */
void app_page_contents(enum app_panels_page page, bool story, struct app_page_contents *contents);

/* Return pixels per unit with which every page fits into width x height pixels: in full, and
 * compact. */
float app_pages_unit(float width, float height);
float app_pages_column_unit(float width, float height);

#endif
