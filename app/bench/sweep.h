/* app/bench/sweep.h - measures every mode's kernel time over a range of sphere counts. */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "engine/engine.h"
#include "measure/sampler.h"
#include "report/report.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* enough for 1, 2, 5, 10 ... 1000000 and two ends between them */
enum { APP_SWEEP_COUNTS = 24 };

/* Seconds per count when the run sets no limit. */
#define APP_SWEEP_SECONDS 1.0

/* One mode at one count. */
struct app_sweep_cell {
    bool valid; /* false: the mode was refused or not measured */
    double median_ms;
    enum app_verified verified;
    unsigned trust; /* enum app_trust_reason bits */
    char verified_text[192];
};

struct app_sweep {
    int counts[APP_SWEEP_COUNTS];
    int count;
    bool chosen[KRN_MODES];                                   /* the modes that the plan names */
    struct app_sweep_cell cells[KRN_MODES][APP_SWEEP_COUNTS]; /* by krn_mode_at's number */
};

/* Fills counts with low, the numbers 1, 2 and 5 times a power of ten between, and high. Requires 1
 * <= low <= high <= KRN_SPHERES_MAX. Returns the number of counts. */
int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS]);

/* Measures the plan's modes at each count (app_measure_modes), each with a new scene from the
 * state's recipe, and adds them to the report. plan->seconds limits the whole sweep; 0 allows
 * APP_SWEEP_SECONDS per count. After an error or an interrupt *sweep holds what was measured before
 * it, and the report is incomplete. */
enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state, int low,
                            int high, const struct app_plan *plan, struct app_report *report,
                            struct app_sweep *sweep, struct krn_error *error);

/* Returns false when a picture was wrong. */
bool app_sweep_all_right(const struct app_sweep *sweep);

/* Returns the index (krn_mode_at) of the fastest mode at counts[at], among the modes of one
 * kernel and storage, or among all with kernel -1. Ignores modes without a verdict
 * (app_trust_no_verdict): wrong pictures, throttled times; -1: none is left. */
int app_sweep_fastest(const struct app_sweep *sweep, int at, int kernel, int storage);

/* Prints the sweep as a table, in plain text or in Markdown. */
void app_sweep_print(const struct app_sweep *sweep, const struct app_engine *engine,
                     const struct app_state *state, bool markdown, FILE *out);

#endif
