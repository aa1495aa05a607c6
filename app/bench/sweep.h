/* app/bench/sweep.h - measures every mode's kernel time over a range of sphere counts, of bounces,
 * or both. */
#ifndef APP_SWEEP_RUN_H
#define APP_SWEEP_RUN_H

#include "engine/engine.h"
#include "measure/sampler.h"
#include "print/sweep.h"
#include "report/report.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Seconds per point when the run sets no limit. */
#define APP_SWEEP_SECONDS 1.0

/* Returns the axes of --record, whose sphere counts stand beside that of its scene. */
const struct app_span *app_sweep_record_axes(void);

/* Returns the seconds that a sweep takes when the run sets no limit, with around_s per point for
 * what is not sampling. */
double app_sweep_expected_s(const struct app_span axes[APP_SWEEP_AXES], double around_s);

/* Fills counts with low, the numbers 1, 2 and 5 times a power of ten between, and high. Requires 1
 * <= low <= high <= KRN_SPHERES_MAX. Returns the number of counts. */
int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS]);

/* What a point leaves as it is. */
enum { APP_SWEEP_KEPT = -1 };

/* One workload of a sweep. */
struct app_sweep_point {
    int spheres; /* of a new random scene; APP_SWEEP_KEPT: the state's scene */
    int bounces; /* APP_SWEEP_KEPT: the state's */
};

/* Fills points with every combination of the axes that are on, in ascending order, bounces fastest:
 * the counts of app_sweep_counts, and every number of bounces. Returns the number of points. */
int app_sweep_points(const struct app_span axes[APP_SWEEP_AXES],
                     struct app_sweep_point points[APP_SWEEP_POINTS]);

/* Measures the plan's modes at each point of the axes (app_measure_modes), with the state's recipe,
 * scene and light but for what the axes vary, and adds them to the report. plan->seconds limits the
 * whole sweep; 0 allows APP_SWEEP_SECONDS per point. skip: a number of spheres that is left out; 0:
 * none. After an error or an interrupt the report has what was measured before it, and is
 * incomplete. */
enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state,
                            const struct app_span axes[APP_SWEEP_AXES], int skip,
                            const struct app_plan *plan, struct app_report *report,
                            struct krn_error *error);

#endif
