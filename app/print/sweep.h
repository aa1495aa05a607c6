/* app/print/sweep.h - the ray tracer's results of a record, by mode and number of spheres.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "results/results.h"

/* enough for 1, 2, 5, 10 ... 1000000 and two ends between them */
enum { APP_SWEEP_COUNTS = 24 };

/* One mode at one count. */
struct app_sweep_cell {
    const struct app_result_read *result; /* NULL: the mode was refused or not measured */
    struct app_estimate median;           /* ms */
};

struct app_sweep {
    int counts[APP_SWEEP_COUNTS]; /* ascending */
    int count;
    enum krn_view_kind view;                                  /* of all modes */
    bool measured[KRN_MODES];                                 /* at some count */
    struct app_sweep_cell cells[KRN_MODES][APP_SWEEP_COUNTS]; /* by krn_mode_at's number */
};

/* Collects the results of the ray tracer, which stay in *results. Returns false when there are
 * none, or when the workloads differ in more than the number of spheres, or the modes in their
 * view.
 */
bool app_sweep_read(const struct app_results *results, struct app_sweep *sweep);

/* Returns true when the cell's time may be compared with others: it was measured, the picture is
 * right, and no red reason speaks against it (app_trust_no_verdict). */
bool app_sweep_has_verdict(const struct app_sweep_cell *cell);

/* Returns the index (krn_mode_at) of the fastest mode at counts[at], among the modes of one kernel
 * and storage, or among all with kernel -1. Ignores modes with a wrong picture; -1: none is left.
 */
int app_sweep_fastest(const struct app_sweep *sweep, int at, int kernel, int storage);

#endif
