/* app/bench/sweep.h - measures every mode's kernel time over a range of sphere counts. */
#ifndef APP_SWEEP_RUN_H
#define APP_SWEEP_RUN_H

#include "engine/engine.h"
#include "measure/sampler.h"
#include "print/sweep.h"
#include "report/report.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Seconds per count when the run sets no limit. */
#define APP_SWEEP_SECONDS 1.0

/* The sphere counts of --record, beside that of its scene. */
enum { APP_RECORD_SPHERES_LEAST = 10, APP_RECORD_SPHERES_MOST = 5000 };

/* Fills counts with low, the numbers 1, 2 and 5 times a power of ten between, and high. Requires 1
 * <= low <= high <= KRN_SPHERES_MAX. Returns the number of counts. */
int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS]);

/* Measures the plan's modes at each count (app_measure_modes), each with a new scene from the
 * state's recipe, and adds them to the report. plan->seconds limits the whole sweep; 0 allows
 * APP_SWEEP_SECONDS per count. skip: a number of spheres that is left out; 0: none. After an error
 * or an interrupt the report has what was measured before it, and is incomplete. */
enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state, int low,
                            int high, int skip, const struct app_plan *plan,
                            struct app_report *report, struct krn_error *error);

#endif
