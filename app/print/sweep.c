#include "print/sweep.h"

#include "command/mode.h"

#include <string.h>

static bool is_mode(const struct app_result_read *result)
{
    return strcmp(result->benchmark, "raytrace") == 0;
}

/* Returns the view of the result's mode. */
static enum krn_view_kind view_of(const struct app_result_read *result)
{
    struct krn_mode mode;
    return app_mode_parse(result->variant, strlen(result->variant), &mode) ? krn_mode_view(mode)
                                                                           : KRN_VIEW_BOOK;
}

static int spheres_of(const struct app_result_read *result)
{
    return app_pairs_integer(result->workload, "spheres");
}

/* Returns true when the view and the backend are the same, so only the scene differs. */
static bool same_view(const struct app_result_read *a, const struct app_result_read *b)
{
    static const char *const keys[] = {"width", "height"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (app_pairs_number(a->workload, keys[i], 0.0) !=
            app_pairs_number(b->workload, keys[i], 0.0))
            return false;
    return a->backend == b->backend && view_of(a) == view_of(b);
}

/* Inserts a count; returns false when there is no room. */
static bool add_count(struct app_sweep *sweep, int spheres)
{
    int at = 0;
    while (at < sweep->count && sweep->counts[at] < spheres)
        at++;
    if (at < sweep->count && sweep->counts[at] == spheres)
        return true;
    if (sweep->count == APP_SWEEP_COUNTS)
        return false;
    memmove(&sweep->counts[at + 1], &sweep->counts[at],
            (size_t)(sweep->count - at) * sizeof *sweep->counts);
    sweep->counts[at] = spheres;
    sweep->count++;
    return true;
}

/* Finds the counts; returns false when there are none, or the views differ. */
static bool find_counts(const struct app_results *results, struct app_sweep *sweep)
{
    const struct app_result_read *first = app_results_find(results, 0, "raytrace", NULL);
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result_read *result = &results->results[i];
        if (is_mode(result) && (spheres_of(result) <= 0 || !same_view(first, result) ||
                                !add_count(sweep, spheres_of(result))))
            return false;
    }
    return sweep->count > 0;
}

bool app_sweep_read(const struct app_results *results, struct app_sweep *sweep)
{
    memset(sweep, 0, sizeof *sweep);
    if (!find_counts(results, sweep))
        return false;
    sweep->view = view_of(app_results_find(results, 0, "raytrace", NULL));
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result_read *result = &results->results[i];
        struct krn_mode mode;
        int at = 0;
        if (!is_mode(result) || !app_mode_parse(result->variant, strlen(result->variant), &mode))
            continue;
        while (sweep->counts[at] != spheres_of(result))
            at++;
        const int m = krn_mode_index(mode);
        sweep->measured[m] = true;
        sweep->cells[m][at] = (struct app_sweep_cell){
            .result = result, .median = app_result_estimate(result, "median_ms")};
    }
    return true;
}

bool app_sweep_has_verdict(const struct app_sweep_cell *cell)
{
    return cell->median.valid && !app_trust_no_verdict(cell->result->trust.reasons);
}

int app_sweep_fastest(const struct app_sweep *sweep, int at, int kernel, int storage)
{
    int fastest = -1;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct app_sweep_cell *cell = &sweep->cells[m][at];
        if (!app_sweep_has_verdict(cell) ||
            (kernel >= 0 && ((int)mode.kernel != kernel || (int)mode.storage != storage)))
            continue;
        if (fastest < 0 || cell->median.value < sweep->cells[fastest][at].median.value)
            fastest = m;
    }
    return fastest;
}
