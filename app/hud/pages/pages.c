#include "hud/pages/pages.h"

#include <math.h>
#include <string.h>

_Static_assert((int)APP_PAGE_COUNT == 1 + (int)APP_TEXT_COUNT,
               "a page of claims, and one per text");

#define DECLARE(id, name, what) extern const struct app_panel app_panel_##name;
KRN_TOPICS(DECLARE)

#define ENTRY(id, name, what) &app_panel_##name,
static const struct app_panel *const topic_panels[] = {KRN_TOPICS(ENTRY)};

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
    contents->part = contents->parts = 1;
    const bool all = page == APP_PAGE_CLAIMS;
    const enum app_text text = (enum app_text)(all ? 0 : (int)page - 1);
    contents->text = all ? NULL : app_text_of(text);
    for (size_t i = 0; i < sizeof topic_panels / sizeof *topic_panels && !all; i++) {
        if (app_topic_of(topic_panels[i]->topic)->text != text ||
            contents->panel_count == APP_CELLS_MAX)
            continue;
        contents->panels[contents->panel_count++] = topic_panels[i];
        add_cell(&contents->needs, weight_of(topic_panels[i]->topic));
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

const struct app_panel *app_page_panel_of(enum krn_topic topic)
{
    return topic_panels[topic];
}

/* Cells and rows of one part. */
struct slice {
    int first, panels, first_row, rows;
};

/* Returns what a part of a page needs. */
static struct app_page_needs needs_of(const struct app_page_contents *whole,
                                      const struct slice *slice)
{
    struct app_page_needs needs = {
        .panels = slice->panels, .rows = slice->rows, .pairs = whole->needs.pairs};
    /* NOLINTNEXTLINE(clang-analyzer-core.*): as in app_page_part(). */
    for (int i = 0; i < slice->panels; i++)
        needs.weights[i] = whole->needs.weights[slice->first + i];
    for (int i = 0; i < slice->rows && whole->needs.groups > 0; i++) {
        const int *row = &whole->rows[slice->first_row + i];
        const enum app_text text = app_claim_entry_of((enum app_claim_id) * row)->text;
        needs.groups += i == 0 || text != app_claim_entry_of((enum app_claim_id)row[-1])->text;
    }
    return needs;
}

/* Returns the greatest unit with which every single panel and row fits into the area. */
static float most_unit(const struct app_page_contents *whole, float width, float height)
{
    float most = fminf(width / 200.0f, height / 100.0f); /* no panel is as small as that */
    while (most > 0.1f) {
        bool fit = true;
        for (int i = 0; i < whole->needs.panels + whole->row_count && fit; i++) {
            const bool panel = i < whole->needs.panels;
            const struct slice one = {panel ? i : 0, panel, panel ? 0 : i - whole->needs.panels,
                                      !panel};
            const struct app_page_needs needs = needs_of(whole, &one);
            fit = app_cells_fit(&needs, most, width, height);
        }
        if (fit)
            break;
        most *= 0.98f;
    }
    return most;
}

/* The area and the size of type on it. */
struct room {
    float unit, width, height;
};

static bool fits(const struct app_page_contents *whole, const struct slice *slice,
                 const struct room *room)
{
    const struct app_page_needs needs = needs_of(whole, slice);
    return app_cells_fit(&needs, room->unit, room->width, room->height);
}

/* Divides a page into parts that fit, with no more than so many panels and rows on each; returns
 * their number. All rows follow the last panels where there is room for them, or have parts of
 * their own. */
static int divide(const struct app_page_contents *whole, const struct room *room, int panels,
                  int rows, struct slice slices[APP_PARTS_MAX])
{
    const int cells = whole->needs.panels;
    int count = 0, cell = 0, row = 0;
    while ((cell < cells || row < whole->row_count) && count < APP_PARTS_MAX) {
        struct slice *slice = &slices[count++];
        *slice = (struct slice){cell, 0, row, 0};
        struct slice more = *slice;
        const int left = cells - cell, most = left > 0 ? panels : rows;
        int *grows = left > 0 ? &more.panels : &more.rows;
        const int end = left > 0 ? left : whole->row_count - row;
        do {
            *slice = more;
            ++*grows;
        } while (*grows <= end && *grows <= most && (*grows == 1 || fits(whole, &more, room)));
        more = *slice;
        more.rows = whole->row_count - row;
        if (left > 0 && slice->panels == left && fits(whole, &more, room))
            *slice = more;
        cell += slice->panels;
        row += slice->rows;
    }
    return count;
}

/* Divides a page into as few parts as possible, all about as full. */
static int divide_evenly(const struct app_page_contents *whole, const struct room *room,
                         struct slice slices[APP_PARTS_MAX])
{
    int panels = whole->needs.panels, rows = whole->row_count;
    const int count = divide(whole, room, panels, rows, slices);
    while (panels > 1 && divide(whole, room, panels - 1, rows, slices) == count)
        panels--;
    while (rows > 1 && divide(whole, room, panels, rows - 1, slices) == count)
        rows--;
    return divide(whole, room, panels, rows, slices);
}

/* Puts a recorded run beside the panels of a page or, with `apart`, before each of them. */
static void add_recorded(struct app_page_contents *whole, bool apart)
{
    struct app_page_contents pairs = *whole;
    pairs.needs.pairs = !apart;
    pairs.needs.panels = pairs.panel_count = 0;
    for (int i = 0; i < whole->panel_count; i++)
        for (int side = apart ? APP_SIDE_RECORDED : APP_SIDE_BOTH; side >= 0; side -= 2) {
            pairs.sides[pairs.panel_count] = (enum app_panel_side)side;
            pairs.panels[pairs.panel_count++] = whole->panels[i];
            add_cell(&pairs.needs, whole->needs.weights[i]);
        }
    if (whole->story)
        add_cell(&pairs.needs, story_weight);
    *whole = pairs;
}

void app_page_part(enum app_panels_page page, bool story, float width, float height,
                   const struct app_page_type *type, int part, struct app_page_contents *contents)
{
    struct app_page_contents whole;
    struct slice slices[APP_PARTS_MAX];
    app_page_contents(page, story, &whole);
    const float normal = fmaxf(app_cells_unit(&whole.needs, width, height), type->least);
    const float wanted = normal * fmaxf(type->scale, 1.0f);
    /* A recorded run takes more parts, not smaller type. */
    if (type->pairs) {
        const struct app_page_contents alone = whole;
        add_recorded(&whole, false);
        if (most_unit(&whole, width, height) < 0.999f * wanted) {
            whole = alone;
            add_recorded(&whole, true);
        }
    }
    const struct room room = {fminf(wanted, most_unit(&whole, width, height)), width, height};
    const int parts = divide_evenly(&whole, &room, slices);
    part = part < 1 ? 1 : part > parts ? parts : part;
    const struct slice *slice = &slices[part - 1];
    *contents = whole;
    contents->part = part;
    contents->parts = parts;
    contents->unit = room.unit;
    contents->needs = needs_of(&whole, slice);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): divide_evenly() has filled `parts` slices. */
    const int end = slice->first + slice->panels;
    contents->story = whole.story && end == whole.needs.panels && slice->panels > 0;
    contents->panel_count = slice->panels - contents->story;
    for (int i = 0; i < contents->panel_count; i++) {
        contents->panels[i] = whole.panels[slice->first + i];
        contents->sides[i] = whole.sides[slice->first + i];
    }
    contents->row_count = slice->rows;
    for (int i = 0; i < slice->rows; i++)
        contents->rows[i] = whole.rows[slice->first_row + i];
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
