#include "hud/panels/cells.h"

#include "hud/theme.h"

#include <math.h>

enum { GAP = 8, PAIRS = 3, NUMBERS = 7 };

/* The height of a grid of up to PAIRS pairs and the board, that of a column of up to NUMBERS
 * numbers, and that of the board. */
static const float grid_height = 720.0f, column_height = 570.0f, board_height = 200.0f;
/* The height that each further pair adds, and each further number. */
static const float pair_height = 140.0f, number_height = 77.0f;

/* Returns a pair's share of the height; the first pair draws most. */
static float share_of(int pair)
{
    static const float shares[PAIRS] = {1.26f, 0.98f, 0.92f};
    return shares[pair < PAIRS ? pair : PAIRS - 1];
}

float app_cells_height(int count)
{
    return grid_height + pair_height * (float)(count / 2 > PAIRS ? count / 2 - PAIRS : 0);
}

float app_cells_column_height(int count)
{
    return column_height + number_height * (float)(count > NUMBERS ? count - NUMBERS : 0);
}

void app_cells_make(struct ren_rect area, float unit, int count, struct app_cells *cells)
{
    const int pairs = count / 2;
    const float gap = GAP * unit, width = (area.w - gap) / 2.0f;
    float shares = 0.0f, y = area.y;
    for (int pair = 0; pair < pairs; pair++)
        shares += share_of(pair);
    /* The board takes a part of the spare height as well. */
    const float spare = area.h / unit - (app_cells_height(count) - 2.0f * APP_GAP);
    const float board = pairs > 0 ? (board_height + 0.2f * fmaxf(spare, 0.0f)) * unit : area.h;
    const float rooms = area.h - board - (float)pairs * gap;
    for (int pair = 0; pair < pairs; pair++) {
        const float height = rooms * share_of(pair) / shares;
        cells->panels[2 * pair] = (struct ren_rect){area.x, y, width, height};
        cells->panels[2 * pair + 1] = (struct ren_rect){area.x + width + gap, y, width, height};
        y += height + gap;
    }
    cells->narrow = count % 2 != 0;
    cells->board = (struct ren_rect){area.x, y, area.w, area.y + area.h - y};
    if (!cells->narrow)
        return;
    cells->panels[count - 1] = cells->board;
    cells->panels[count - 1].w = width;
    cells->board.x += width + gap;
    cells->board.w = width;
}
