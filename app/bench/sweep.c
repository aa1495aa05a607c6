#include "bench/sweep.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "command/mode.h"
#include "measure/mode_run.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS])
{
    static const int steps[] = {1, 2, 5};
    int n = 0;
    counts[n++] = low;
    for (int power = 1; power <= KRN_SPHERES_MAX; power *= 10)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            if (power * steps[s] > low && power * steps[s] < high)
                counts[n++] = power * steps[s];
    if (high > low)
        counts[n++] = high;
    return n;
}

int app_sweep_points(const struct app_span axes[APP_SWEEP_AXES],
                     struct app_sweep_point points[APP_SWEEP_POINTS])
{
    const struct app_span *spheres = &axes[APP_SWEEP_SPHERES], *bounces = &axes[APP_SWEEP_BOUNCES];
    int counts[APP_SWEEP_COUNTS] = {APP_SWEEP_KEPT}, n = 0;
    const int count = spheres->on ? app_sweep_counts(spheres->low, spheres->high, counts) : 1;
    const int low = bounces->on ? bounces->low : APP_SWEEP_KEPT,
              high = bounces->on ? bounces->high : APP_SWEEP_KEPT;
    for (int i = 0; i < count; i++)
        for (int b = low; b <= high; b++)
            points[n++] = (struct app_sweep_point){counts[i], b};
    return n;
}

const struct app_span *app_sweep_record_axes(void)
{
    static const struct app_span axes[APP_SWEEP_AXES] = {
        [APP_SWEEP_SPHERES] = {.on = true, .low = 10, .high = 5000}};
    return axes;
}

double app_sweep_expected_s(const struct app_span axes[APP_SWEEP_AXES], double around_s)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    return (APP_SWEEP_SECONDS + around_s) * app_sweep_points(axes, points);
}

/* Returns the seconds for the next of the `left` points. */
static double share_of(const struct app_plan *plan, double passed_s, int left)
{
    const double least_s = 0.001;
    return plan->seconds > 0.0 ? fmax((plan->seconds - passed_s) / left, least_s)
                               : APP_SWEEP_SECONDS;
}

/* Sets what the point varies. */
static void move_to(const struct app_sweep_point *point, struct app_state *state)
{
    if (point->spheres != APP_SWEEP_KEPT)
        state->recipe.count = point->spheres;
    if (point->bounces != APP_SWEEP_KEPT)
        state->light.bounces = point->bounces;
}

enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state,
                            const struct app_span axes[APP_SWEEP_AXES], int skip,
                            const struct app_plan *plan, struct app_report *report,
                            struct krn_error *error)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    int count = 0;
    const int all = app_sweep_points(axes, points);
    for (int at = 0; at < all; at++)
        if (skip == 0 || points[at].spheres != skip)
            points[count++] = points[at];
    struct app_measurement *measurement = app_alloc(1, sizeof *measurement);
    struct app_report_few few = {.few = 0};
    struct app_plan of_point = *plan;
    const double start_s = app_clock_s();
    struct app_state now = *state;
    now.mode = app_mode_first(krn_mode_view(state->mode)); /* it takes any number of spheres */
    now.duel.on = false;
    enum krn_code code = KRN_OK;
    int i = 0;
    for (; i < count && code == KRN_OK && !app_must_stop(); i++) {
        move_to(&points[i], &now);
        of_point.seconds = share_of(plan, app_clock_s() - start_s, count - i);
        code = app_measure_modes(engine, &now, &of_point, measurement, error);
        if (code == KRN_OK) {
            app_report_add_measurement(report, engine, &now, measurement);
            app_report_count_modes(&few, measurement);
        }
    }
    free(measurement);
    app_report_note_chosen(report, plan->modes);
    app_report_note_few(report, "sweep", &few);
    /* An interrupt between two points leaves every result complete, but some are missing. */
    if (i < count || code != KRN_OK || app_must_stop())
        report->results.complete = false;
    return code;
}
