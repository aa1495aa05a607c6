#include "hud/pages/pages.h"

#include <math.h>
#include <string.h>

_Static_assert((int)APP_PAGE_COUNT == 1 + (int)APP_TEXT_COUNT,
               "a page of claims, and one per text");

#define DECLARE(id, name, what) extern const struct app_panel app_panel_##name;
KRN_TOPICS(DECLARE)

#define ENTRY(id, name, what) &app_panel_##name,
static const struct app_panel *const panels[] = {KRN_TOPICS(ENTRY)};

/* The roofline needs room for the names of its points, the clocks for a histogram below their bars,
 * the access patterns for a row each, and the story's plot for its curves. */
static const float story_weight = 1.6f;
static float weight_of(enum krn_topic topic)
{
    switch (topic) {
    case KRN_TOPIC_PEAK:
        return 1.6f;
    case KRN_TOPIC_TIMER:
        return 1.5f;
    case KRN_TOPIC_SAXPY:
        return 1.3f;
    case KRN_TOPIC_ACCESS:
        return 1.25f;
    case KRN_TOPIC_CONSTANT:
        return 1.15f;
    default:
        return 1.0f;
    }
}

static void add_cell(struct app_page_needs *needs, float weight)
{
    if (needs->panels < APP_CELLS_MAX)
        needs->weights[needs->panels++] = weight;
}

void app_page_contents(enum app_panels_page page, bool story, struct app_page_contents *contents)
{
    memset(contents, 0, sizeof *contents);
    contents->page = page;
    const bool all = page == APP_PAGE_CLAIMS;
    const enum app_text text = (enum app_text)(all ? 0 : (int)page - 1);
    contents->text = all ? NULL : app_text_of(text);
    for (size_t i = 0; i < sizeof panels / sizeof *panels && !all; i++) {
        if (app_topic_of(panels[i]->topic)->text != text || contents->panel_count == APP_CELLS_MAX)
            continue;
        contents->panels[contents->panel_count++] = panels[i];
        add_cell(&contents->needs, weight_of(panels[i]->topic));
    }
    contents->story = story && page == APP_PAGE_BOOK && contents->panel_count < APP_CELLS_MAX;
    if (contents->story)
        add_cell(&contents->needs, story_weight);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const enum app_text of = app_claim_entry_of((enum app_claim_id)i)->text;
        if (!all && of != text)
            continue;
        contents->rows[contents->row_count++] = i;
    }
    contents->needs.rows = contents->row_count;
    contents->needs.groups = all ? APP_TEXT_COUNT : 0;
}

float app_pages_unit(float width, float height)
{
    float least = INFINITY;
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        struct app_page_contents contents;
        app_page_contents((enum app_panels_page)page, true, &contents);
        least = fminf(least, app_cells_unit(&contents.needs, width, height));
    }
    return least;
}

float app_pages_column_unit(float width, float height)
{
    float least = INFINITY;
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        struct app_page_contents contents;
        app_page_contents((enum app_panels_page)page, false, &contents);
        least = fminf(least, app_cells_column_unit(&contents.needs, width, height));
    }
    return least;
}
