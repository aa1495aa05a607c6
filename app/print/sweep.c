#include "print/sweep.h"

#include "command/mode.h"

#include <stdio.h>
#include <string.h>

static bool is_mode(const struct app_result *result)
{
    return strcmp(result->benchmark, "raytrace") == 0;
}

/* Returns the view of the result's mode. */
static enum krn_view_kind view_of(const struct app_result *result)
{
    struct krn_mode mode;
    return app_mode_parse(result->variant, strlen(result->variant), &mode) ? krn_mode_view(mode)
                                                                           : KRN_VIEW_BOOK;
}

static int spheres_of(const struct app_result *result)
{
    return app_result_integer(result, APP_W_SPHERES);
}

/* Returns the bounces of a result; 0 in the book view, whatever its record says. */
static int bounces_of(const struct app_result *result)
{
    return view_of(result) == KRN_VIEW_LIGHT ? app_result_integer(result, APP_W_BOUNCES) : 0;
}

/* Returns true when the view, its samples and the backend are the same, so that only scene and
 * bounces differ. */
static bool same_view(const struct app_result *a, const struct app_result *b)
{
    static const enum app_member same[] = {APP_W_WIDTH, APP_W_HEIGHT, APP_W_SAMPLES};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (app_result_integer(a, same[i]) != app_result_integer(b, same[i]))
            return false;
    return a->backend == b->backend && view_of(a) == view_of(b);
}

/* Inserts a value; returns false when there is no room. */
static bool add_value(struct app_sweep_values *values, int most, int value)
{
    int at = 0;
    while (at < values->count && values->at[at] < value)
        at++;
    if (at < values->count && values->at[at] == value)
        return true;
    if (values->count == most)
        return false;
    memmove(&values->at[at + 1], &values->at[at],
            (size_t)(values->count - at) * sizeof *values->at);
    values->at[at] = value;
    values->count++;
    return true;
}

static int index_of(const struct app_sweep_values *values, int value)
{
    int at = 0;
    while (values->at[at] != value)
        at++;
    return at;
}

/* Finds the values of both axes; returns false when there are none, or the views differ. */
static bool find_points(const struct app_results *results, struct app_sweep *sweep)
{
    const struct app_result *first = app_results_find(results, 0, "raytrace", NULL);
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        if (is_mode(result) &&
            (spheres_of(result) <= 0 || !same_view(first, result) ||
             !add_value(&sweep->spheres, APP_SWEEP_COUNTS, spheres_of(result)) ||
             !add_value(&sweep->bounces, APP_SWEEP_BOUNCE_COUNTS, bounces_of(result))))
            return false;
    }
    sweep->points = sweep->spheres.count * sweep->bounces.count;
    return sweep->points > 0;
}

bool app_sweep_read(const struct app_results *results, struct app_sweep *sweep)
{
    memset(sweep, 0, sizeof *sweep);
    if (!find_points(results, sweep))
        return false;
    sweep->view = view_of(app_results_find(results, 0, "raytrace", NULL));
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        struct krn_mode mode;
        if (!is_mode(result) || !app_mode_parse(result->variant, strlen(result->variant), &mode))
            continue;
        const int at = index_of(&sweep->spheres, spheres_of(result)) * sweep->bounces.count +
                       index_of(&sweep->bounces, bounces_of(result));
        const int m = krn_mode_index(mode);
        sweep->measured[m] = true;
        sweep->cells[m][at] = (struct app_sweep_cell){
            .result = result, .median = app_result_metric(result, APP_M_MEDIAN_MS)};
    }
    return true;
}

int app_sweep_spheres(const struct app_sweep *sweep, int point)
{
    return sweep->spheres.at[point / sweep->bounces.count];
}

int app_sweep_bounces(const struct app_sweep *sweep, int point)
{
    return sweep->bounces.at[point % sweep->bounces.count];
}

bool app_sweep_has_both(const struct app_sweep *sweep)
{
    return sweep->spheres.count > 1 && sweep->bounces.count > 1;
}

void app_sweep_point_text(const struct app_sweep *sweep, int point, char *text, size_t size)
{
    if (app_sweep_has_both(sweep))
        snprintf(text, size, "%d, %d", app_sweep_spheres(sweep, point),
                 app_sweep_bounces(sweep, point));
    else
        snprintf(text, size, "%d",
                 sweep->bounces.count > 1 ? app_sweep_bounces(sweep, point)
                                          : app_sweep_spheres(sweep, point));
}

struct app_estimate app_sweep_rate(const struct app_sweep_cell *cell)
{
    const double per_ms = 1e3,
                 rays = cell->result ? app_result_number(cell->result, APP_M_RAYS, 0.0) : 0.0;
    return rays > 0.0 && cell->median.valid && cell->median.value > 0.0
               ? app_estimate_into(per_ms * rays, cell->median)
               : (struct app_estimate){.valid = false};
}

bool app_sweep_has_verdict(const struct app_sweep_cell *cell)
{
    return cell->median.valid && !app_trust_no_verdict(cell->result->trust.reasons);
}

int app_sweep_fastest(const struct app_sweep *sweep, int point, int kernel, int storage)
{
    int fastest = -1;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct app_sweep_cell *cell = &sweep->cells[m][point];
        if (!app_sweep_has_verdict(cell) ||
            (kernel >= 0 &&
             ((int)mode.kernel != kernel || (storage >= 0 && (int)mode.storage != storage))))
            continue;
        if (fastest < 0 || cell->median.value < sweep->cells[fastest][point].median.value)
            fastest = m;
    }
    return fastest;
}
