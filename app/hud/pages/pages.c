#include "hud/pages/pages.h"

#include <math.h>
#include <string.h>

/* In units. */
static const float inset = 8.0f, gap = 8.0f, heading_height = 42.0f, cell_width = 300.0f,
                   cell_height = 138.0f, box_height = 48.0f, board_pad = 7.0f;
const float app_row_height[3] = {0.0f, 22.0f, 31.0f}, app_group_height = 20.0f,
            app_board_title_height = 24.0f;
/* Two lines per row of a column, so that all claims fit a window of 640x480. */
static const float column_row_height = 29.0f;

/* The page's least height decides how large its type gets: 2.2 % of the height at most, for text
 * of 12 units. */
static const float least_height = 545.0f;

bool app_cells_wide(float width)
{
    return width >= 560.0f;
}

/* Panels in one or two columns: the column of each, and the sum of the weights in a column. */
struct columns {
    int count, of[APP_CELLS_MAX], panels[2];
    float weights[2];
};

/* Puts each panel into the column that is lower so far. */
static struct columns fill_columns(const struct app_page_needs *needs, int count)
{
    struct columns columns = {.count = count};
    for (int i = 0; i < needs->panels; i++) {
        const int column = count > 1 && columns.weights[1] < columns.weights[0];
        columns.of[i] = column;
        columns.panels[column]++;
        columns.weights[column] += needs->weights[i];
    }
    return columns;
}

/* The least height of the panels, in units, with the gap below them. */
static float panels_height(const struct columns *columns)
{
    float most = 0.0f;
    for (int c = 0; c < columns->count; c++)
        if (columns->panels[c] > 0)
            most = fmaxf(most, cell_height * columns->weights[c] + gap * (float)columns->panels[c]);
    return most;
}

/* The height of a board with rows that are `row` units high. */
static float height_of_rows(const struct app_page_needs *needs, float row)
{
    if (needs->rows == 0)
        return 0.0f;
    const float title = needs->groups > 0 ? 0.0f : app_board_title_height;
    return title + board_pad + (float)needs->groups * app_group_height + (float)needs->rows * row;
}

static float board_height(const struct app_page_needs *needs, int lines)
{
    return height_of_rows(needs, app_row_height[lines]);
}

/* Returns the greatest unit with that number of lines per row. A board alone takes the width of
 * `across` columns. */
static float unit_with(const struct app_page_needs *needs, const struct columns *columns, int lines,
                       float across, float width, float height)
{
    const float wide = across * cell_width + (across - 1.0f) * gap + 2.0f * inset;
    const float high =
        heading_height + gap + panels_height(columns) + board_height(needs, lines) + 2.0f * inset;
    return fminf(width / wide, height / high);
}

/* Rows need two lines where there are no panels above, or where one is too narrow for all
 * numbers. */
static float unit_of(const struct app_page_needs *needs, int count, float width, float height)
{
    const struct columns columns = fill_columns(needs, count);
    const float across = (float)(needs->panels == 0 || needs->pairs ? 2 : columns.count);
    const float most = height / least_height;
    const float unit = fminf(unit_with(needs, &columns, 1, across, width, height), most);
    if (needs->panels > 0 && app_cells_wide(width / unit - 2.0f * inset))
        return unit;
    return fminf(unit_with(needs, &columns, 2, across, width, height), most);
}

/* Returns the number of columns that allows the larger type: rather one for a panel or two, which
 * are better wide than high, else two. */
static int columns_of(const struct app_page_needs *needs, float width, float height)
{
    const float one = unit_of(needs, 1, width, height), two = unit_of(needs, 2, width, height);
    if (needs->panels < 2 || needs->pairs)
        return 1;
    return needs->panels < 3 ? (one >= 0.97f * two ? 1 : 2) : (two >= 0.85f * one ? 2 : 1);
}

float app_cells_unit(const struct app_page_needs *needs, float width, float height)
{
    return unit_of(needs, columns_of(needs, width, height), width, height);
}

static bool fits_columns(const struct app_page_needs *needs, int count, float unit, float width,
                         float height)
{
    const struct columns columns = fill_columns(needs, count);
    const int lines = needs->panels > 0 && app_cells_wide(width / unit - 2.0f * inset) ? 1 : 2;
    const float across = (float)(needs->pairs && needs->panels > 0 ? 2 : count);
    return unit_with(needs, &columns, lines, across, width, height) >= unit * (1.0f - 1e-4f);
}

/* Returns true when everything fits into width x height pixels with that number of pixels per
 * unit. */
static bool cells_fit(const struct app_page_needs *needs, float unit, float width, float height)
{
    return fits_columns(needs, 1, unit, width, height) ||
           (!needs->pairs && fits_columns(needs, 2, unit, width, height));
}

/* Returns the number of columns at a given unit: one for a panel or two, if they fit, else two. */
static int columns_at(const struct app_page_needs *needs, float unit, float width, float height)
{
    if (needs->panels < 2 || needs->pairs)
        return 1;
    const int wanted = needs->panels < 3 ? 1 : 2;
    return fits_columns(needs, wanted, unit, width, height) ? wanted : 3 - wanted;
}

/* Places the heading; returns what is left of the area below it. */
static struct ren_rect place_heading(struct ren_rect area, struct app_cells *cells)
{
    const float u = cells->unit;
    struct ren_rect rest = {area.x + inset * u, area.y + inset * u, area.w - 2.0f * inset * u,
                            area.h - 2.0f * inset * u};
    cells->heading = rest;
    cells->heading.h = heading_height * u;
    rest.y += cells->heading.h + gap * u;
    rest.h -= cells->heading.h + gap * u;
    return rest;
}

/* Places the panels in `area`; each column fills its height. */
static void place_panels(const struct app_page_needs *needs, const struct columns *columns,
                         struct ren_rect area, struct app_cells *cells)
{
    const float u = cells->unit, count = (float)columns->count;
    const float width = (area.w - (count - 1.0f) * gap * u) / count;
    float y[2] = {area.y, area.y};
    for (int i = 0; i < needs->panels; i++) {
        const int c = columns->of[i];
        const float room = area.h - gap * u * (float)(columns->panels[c] - 1);
        const float height = room * needs->weights[i] / columns->weights[c];
        cells->panels[i] =
            (struct ren_rect){area.x + (float)c * (width + gap * u), y[c], width, height};
        y[c] += height + gap * u;
    }
}

void app_cells_make(const struct app_page_needs *needs, struct ren_rect area, float unit,
                    struct app_cells *cells)
{
    const int count = columns_at(needs, unit, area.w, area.h);
    const struct columns columns = fill_columns(needs, count);
    cells->unit = unit;
    const float u = cells->unit;
    const struct ren_rect rest = place_heading(area, cells);
    cells->board = rest;
    cells->lines = 2;
    if (needs->panels == 0) {
        /* Rows that are far apart are hard to follow. */
        cells->board.h = fminf(rest.h, 1.8f * board_height(needs, 2) * u);
        return;
    }
    /* Two lines per row where the panels still have more than they need. */
    const float panels = panels_height(&columns), high = rest.h / u;
    if (app_cells_wide(rest.w / u) && 1.15f * panels + board_height(needs, 2) > high)
        cells->lines = 1;
    float board = board_height(needs, cells->lines);
    /* A part of what is left over makes the rows easier to read. */
    const float spare = fmaxf(high - panels - board, 0.0f);
    board += needs->rows > 0 ? fminf(0.2f * spare, 5.0f * (float)needs->rows) : 0.0f;
    cells->board.h = board * u;
    cells->board.y = rest.y + rest.h - cells->board.h;
    struct ren_rect above = rest;
    above.h = rest.h - (needs->rows > 0 ? cells->board.h + gap * u : 0.0f);
    place_panels(needs, &columns, above, cells);
}

static float cells_column_unit(const struct app_page_needs *needs, float width, float height)
{
    const float boxes = (float)needs->panels * box_height + (needs->panels > 0 ? gap : 0.0f);
    const float high =
        heading_height + gap + boxes + height_of_rows(needs, column_row_height) + 2.0f * inset;
    return fminf(fminf(width / APP_COMPACT_WIDTH, height / high), height / least_height);
}

void app_cells_make_column(const struct app_page_needs *needs, struct ren_rect area,
                           struct app_cells *cells)
{
    cells->unit = cells_column_unit(needs, area.w, area.h);
    const float u = cells->unit;
    const struct ren_rect rest = place_heading(area, cells);
    cells->board = rest;
    cells->lines = 2;
    if (needs->panels == 0)
        return;
    const float least_boxes = (float)needs->panels * box_height, rows = board_height(needs, 2);
    const float space = rest.h / u - gap;
    /* Boxes and rows share what is left over. */
    const float scale = fminf(space / (least_boxes + rows), 1.8f);
    const float boxes = needs->rows > 0 ? least_boxes * scale * u : rest.h;
    for (int i = 0; i < needs->panels; i++)
        cells->panels[i] =
            (struct ren_rect){rest.x, rest.y + boxes * (float)i / (float)needs->panels, rest.w,
                              boxes / (float)needs->panels};
    cells->board.y = rest.y + boxes + gap * u;
    cells->board.h =
        needs->rows > 0 ? fminf(rest.y + rest.h - cells->board.y, rows * 1.8f * u) : 0.0f;
}

_Static_assert((int)APP_PAGE_COUNT == 1 + (int)APP_TEXT_COUNT,
               "a page of claims, and one per text");

/* A page's story plot needs room for its curves, and the roofline for the names of its points. */
static const float story_weight = 1.6f;
static float weight_of(enum krn_topic topic)
{
    return topic == KRN_TOPIC_PEAK ? 1.4f : 1.0f;
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
    for (int topic = 0; topic < KRN_TOPIC_COUNT && !all; topic++) {
        if (app_topic_of((enum krn_topic)topic)->text != text ||
            contents->panel_count == APP_CELLS_MAX)
            continue;
        contents->panels[contents->panel_count++] = (enum krn_topic)topic;
        add_cell(&contents->needs, weight_of((enum krn_topic)topic));
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
            fit = cells_fit(&needs, most, width, height);
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
    return cells_fit(&needs, room->unit, room->width, room->height);
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
        least = fminf(least, cells_column_unit(&contents.needs, width, height));
    }
    return least;
}
