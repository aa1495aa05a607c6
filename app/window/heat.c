/* app/window/heat.c - renews a picture's costs when they are due, and scales them. */
#include "window/session.h"

#include "krn/memory.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>

/* The shortest time between two maps, and the time from one to the next as a multiple of what
 * finding it takes. */
static const double interval_s = 0.1, rest = 5.0;

/* Returns true when the kept costs belong to the picture, but for its pose. */
static bool belongs(const struct app_heat *heat, const struct app_engine *engine,
                    const struct app_state *state)
{
    return heat->valid && heat->quantity == state->look.heat &&
           heat->backend == state->spec.backend && krn_mode_equal(heat->mode, state->spec.mode) &&
           heat->epoch == app_engine_epoch(engine);
}

static bool is_due(const struct app_heat *heat, const struct app_state *state, double now_s)
{
    if (heat->motion_s == state->spec.motion_s)
        return false;
    return !state->spec.motion ||
           now_s - heat->found_s >= fmax(interval_s, rest * heat->duration_s) ||
           now_s < heat->found_s;
}

/* Finds the costs. The first run of a kernel loads its code, which would count as cycles. */
static enum krn_code find(struct app_heat *heat, const struct app_engine *engine,
                          const struct app_state *state, const struct krn_image *image, bool first,
                          struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_current_view(engine);
    const int runs = first && state->look.heat == KRN_HEAT_CYCLES ? 2 : 1;
    enum krn_code code = KRN_OK;
    for (int run = 0; code == KRN_OK && run < runs; run++) {
        const double start_s = app_clock_s();
        code = krn_device_heat(device, state->spec.mode, &view, state->look.heat, image,
                               &heat->costs, error);
        heat->duration_s = app_clock_s() - start_s;
    }
    return code;
}

static int by_cost(const void *a, const void *b)
{
    const uint32_t *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Returns the 99th percentile of the costs, of every fourth pixel of rows all over the picture: a
 * few pixels that cost far more must not leave all others in the darkest colour. */
static uint32_t high_cost(const struct app_heat *heat, const struct app_engine *engine,
                          const struct app_state *state)
{
    enum { ROWS = 32, STEP = 4 };
    struct krn_device *device = app_engine_device(engine, state);
    const size_t width = (size_t)state->spec.width;
    const int rows = state->spec.height < ROWS ? state->spec.height : ROWS;
    uint32_t *costs = krn_alloc((size_t)rows * width, sizeof *costs), found = heat->costs.most;
    struct krn_error error;
    bool read = true;
    for (int i = 0; i < rows && read; i++) {
        const size_t row = ((size_t)i * 2 + 1) * (size_t)state->spec.height / ((size_t)rows * 2);
        read = krn_device_heat_read(device, row * width, width, costs + (size_t)i * width,
                                    &error) == KRN_OK;
    }
    if (read) {
        const size_t count = ((size_t)rows * width + STEP - 1) / STEP;
        for (size_t i = 0; i < count; i++)
            costs[i] = costs[STEP * i];
        qsort(costs, count, sizeof *costs, by_cost);
        found = costs[(count - 1) * 99 / 100];
    }
    free(costs);
    return found > 0 ? found : heat->costs.most;
}

enum krn_code app_heat_frame(struct app_heat *heat, const struct app_engine *engine,
                             const struct app_state *state, const struct krn_image *image,
                             double now_s, struct krn_error *error)
{
    const bool first = !belongs(heat, engine, state);
    if (first || is_due(heat, state, now_s)) {
        const uint32_t before = heat->valid && heat->quantity == state->look.heat ? heat->scale : 0;
        heat->valid = false;
        const enum krn_code code = find(heat, engine, state, image, first, error);
        if (code != KRN_OK)
            return code;
        heat->valid = true;
        heat->quantity = state->look.heat;
        heat->backend = state->spec.backend;
        heat->mode = state->spec.mode;
        heat->epoch = app_engine_epoch(engine);
        heat->motion_s = state->spec.motion_s;
        heat->scale = krn_heat_scale(before, high_cost(heat, engine, state));
        heat->found_s = now_s;
    }
    return krn_device_heat_paint(app_engine_device(engine, state), heat->scale, image, error);
}

void app_heat_point(struct app_heat *heat, const struct app_engine *engine,
                    const struct app_state *state, int column, int row)
{
    const bool inside = heat->valid && app_state_shows_heat(state) && column >= 0 && row >= 0 &&
                        column < state->spec.width && row < state->spec.height;
    if (inside && heat->at.valid && heat->at.column == column && heat->at.row == row &&
        heat->at.found_s == heat->found_s)
        return;
    heat->at.valid = false;
    if (!inside)
        return;
    /* Images have their first row at the bottom. */
    const size_t pixel =
        (size_t)(state->spec.height - 1 - row) * (size_t)state->spec.width + (size_t)column;
    struct krn_error error;
    if (krn_device_heat_read(app_engine_device(engine, state), pixel, 1, &heat->at.cost, &error) !=
        KRN_OK)
        return;
    heat->at.valid = true;
    heat->at.column = column;
    heat->at.row = row;
    heat->at.found_s = heat->found_s;
}
