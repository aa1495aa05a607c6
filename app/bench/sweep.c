/* app/bench/sweep.c - --sweep: all modes, point by point, each for its share of the time. */
#include "bench/program.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "spec/mode.h"

#include <math.h>
#include <stdlib.h>

double app_sweep_expected_s(const struct app_span axes[APP_SWEEP_AXES], double around_s)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    return (APP_SWEEP_SECONDS + around_s) * app_sweep_points(axes, points);
}

enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state,
                            const struct app_span axes[APP_SWEEP_AXES], int skip,
                            const struct app_plan *plan, struct app_results *results,
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
    const double start_s = app_clock_s(), least_s = 0.001;
    struct app_state now = *state;
    now.spec.mode =
        app_mode_first(krn_mode_view(state->spec.mode)); /* it takes any number of spheres */
    now.spec.duel.on = false;
    enum krn_code code = KRN_OK;
    int i = 0;
    for (; i < count && code == KRN_OK && !app_must_stop(); i++) {
        const double left_s = plan->seconds - (app_clock_s() - start_s);
        if (points[i].spheres != APP_SWEEP_KEPT)
            now.spec.recipe.count = points[i].spheres;
        if (points[i].bounces != APP_SWEEP_KEPT)
            now.spec.light.bounces = points[i].bounces;
        of_point.seconds =
            plan->seconds > 0.0 ? fmax(left_s / (count - i), least_s) : APP_SWEEP_SECONDS;
        code = app_measure_modes(engine, &now, &of_point, measurement, error);
        if (code == KRN_OK) {
            app_report_add_measurement(results, &now, measurement);
            app_report_count_modes(&few, measurement);
        }
    }
    free(measurement);
    app_report_note_chosen(results, plan->modes);
    app_report_note_few(results, "sweep", &few);
    /* An interrupt between two points leaves every result complete, but some are missing. */
    if (i < count || code != KRN_OK || app_must_stop())
        results->complete = false;
    return code;
}
