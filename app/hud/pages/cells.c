#include "hud/pages/cells.h"

#include "hud/theme.h"

#include <math.h>

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

bool app_cells_fit(const struct app_page_needs *needs, float unit, float width, float height)
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

float app_cells_column_unit(const struct app_page_needs *needs, float width, float height)
{
    const float boxes = (float)needs->panels * box_height + (needs->panels > 0 ? gap : 0.0f);
    const float high =
        heading_height + gap + boxes + height_of_rows(needs, column_row_height) + 2.0f * inset;
    return fminf(fminf(width / APP_COMPACT_WIDTH, height / high), height / least_height);
}

void app_cells_make_column(const struct app_page_needs *needs, struct ren_rect area,
                           struct app_cells *cells)
{
    cells->unit = app_cells_column_unit(needs, area.w, area.h);
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
