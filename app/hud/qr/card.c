#include "hud/qr/card.h"

#include <math.h>

enum { MODULE_LEAST = 3 }; /* pixels */

/* A part of the frame that no card covers, and the corner of it that a code takes. */
struct room {
    float left, top, right, bottom;
    bool at_right, at_bottom;
};

/* Lists the parts of the picture's pane that are free. Returns how many there are. */
static int find_rooms(const struct app_layout *layout, const struct app_state *state,
                      struct room rooms[2])
{
    const float margin = APP_MARGIN * layout->unit, gap = APP_GAP * layout->unit;
    const struct ren_rect pane = layout->pane, main = layout->main;
    const struct room whole = {pane.x + margin,
                               pane.y + margin,
                               pane.x + pane.w - margin,
                               pane.y + pane.h - margin,
                               true,
                               true};
    rooms[0] = rooms[1] = whole;
    const struct app_spotlight_place *spotlight = &layout->spotlight;
    if (spotlight->shown == APP_SPOTLIGHT_WHOLE) {
        const struct ren_rect code = spotlight->code;
        rooms[0] = (struct room){code.x, code.y, code.x + code.w, code.y + code.h, true, true};
        return 1;
    }
    if (layout->legend.w > 0.0f) /* of a heat map, at the bottom of the picture */
        rooms[0].bottom = rooms[1].bottom = layout->legend.y - gap;
    if (!state->hud)
        return 1;
    if (layout->column) {
        rooms[0].left = main.x + main.w + gap;
        return 1;
    }
    /* Cards lie over the picture: there is room below the main card, and right of it where the
     * details have no place. */
    rooms[0].top = main.y + main.h + gap;
    if (layout->plot.w > 0.0f)
        rooms[0].bottom = rooms[1].bottom = fminf(rooms[0].bottom, layout->plot.y - gap);
    rooms[0].at_right = rooms[1].at_bottom = false;
    rooms[0].at_bottom = true;
    rooms[1].left = main.x + main.w + gap;
    return layout->details.w > 0.0f ? 1 : 2;
}

int app_qr_place(const struct app_layout *layout, const struct app_state *state, int side,
                 struct ren_rect *rect)
{
    /* Pixels of a module in a frame of 1280 x 720, where 61 of them take a quarter of the height.
     */
    const float usual = 3.4f;
    const float wanted =
        usual * (float)state->hud_scale * fminf(layout->screen.w, layout->screen.h) / 720.0f;
    const int modules = side + 2 * APP_QR_QUIET;
    struct room rooms[2];
    const int count = find_rooms(layout, state, rooms);
    int best = 0;
    for (int i = 0; i < count; i++) {
        const struct room *room = &rooms[i];
        const float fits =
            fminf(room->right - room->left, room->bottom - room->top) / (float)modules;
        const int module = (int)fminf(fmaxf(wanted, MODULE_LEAST), fits);
        if (module < MODULE_LEAST || module <= best)
            continue;
        const float size = (float)(modules * module);
        best = module;
        *rect = (struct ren_rect){floorf(room->at_right ? room->right - size : room->left),
                                  floorf(room->at_bottom ? room->bottom - size : room->top), size,
                                  size};
    }
    return best;
}

void app_hud_qr(const struct app_brush *brush, const struct app_layout *layout,
                const struct app_state *state, const struct app_qr_code *code)
{
    struct ren_rect rect;
    const int module = code->side > 0 ? app_qr_place(layout, state, code->side, &rect) : 0;
    if (module == 0)
        return;
    app_draw_shape(brush, rect, 0.0f, APP_QR_LIGHT);
    const float size = (float)module, quiet = (float)(APP_QR_QUIET * module);
    for (int y = 0; y < code->side; y++) {
        for (int x = 0; x < code->side; x++) {
            int run = 0;
            while (x + run < code->side && code->dark[y][x + run])
                run++;
            if (run > 0)
                ren_list_fill(brush->list,
                              (struct ren_rect){rect.x + quiet + (float)x * size,
                                                rect.y + quiet + (float)y * size, (float)run * size,
                                                size},
                              0.0f, APP_QR_DARK);
            x += run;
        }
    }
}
