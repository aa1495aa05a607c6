/* app/bench/sweep.h - every mode's kernel time against the sphere count. */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "engine/engine.h"
#include "report/report.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* 1, 2, 5, 10 ... 1000000, and two ends that need not be among them. */
enum { APP_SWEEP_COUNTS = 24 };

/* Of each count, unless the run's time is limited. */
#define APP_SWEEP_SECONDS 1.0

/* One mode at one count. */
struct app_sweep_cell {
    bool valid; /* false: refused, or not measured */
    double median_ms;
    enum app_verified verified;
    char verified_text[192];
};

struct app_sweep {
    int counts[APP_SWEEP_COUNTS];
    int count;
    struct app_sweep_cell cells[KRN_MODES][APP_SWEEP_COUNTS]; /* as krn_mode_at numbers modes */
};

/* low, the numbers 1, 2 and 5 times a power of ten between, and high; 1 <= low <= high <=
 * KRN_SPHERES_MAX. Returns how many there are. */
int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS]);

/* Measures all modes at each count (app_measure_modes) with the state's scene drawn anew, and adds
 * them to the report. seconds: of the whole sweep; 0: APP_SWEEP_SECONDS a count. After an error or
 * an interrupt *sweep has what was measured until then, and the report is incomplete. *state is
 * left alone. */
enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state, int low,
                            int high, int frames, double seconds, FILE *progress,
                            struct app_report *report, struct app_sweep *sweep,
                            struct krn_error *error);

/* False when a picture was wrong. */
bool app_sweep_all_right(const struct app_sweep *sweep);

/* The mode (krn_mode_at) that is fastest at counts[at], of those of one kernel and storage, or of
 * all with kernel -1; -1: none was measured. A wrong picture is not fast. */
int app_sweep_fastest(const struct app_sweep *sweep, int at, int kernel, int storage);

/* The table, for people; or as Markdown. */
void app_sweep_print(const struct app_sweep *sweep, const struct app_engine *engine,
                     const struct app_state *state, bool markdown, FILE *out);

#endif
