/* app/results/compare.h - the comparison of results records.
 *
 * Compares every other side with the first. A side is one record, or several records of the same
 * kind joined by commas; only several show the variation between processes. The result is the ratio
 * of medians of the raw samples, first over other: 1.10 means "1.10 times as fast as the first".
 * Its 95 % interval is a two-stage percentile bootstrap (A. C. Davison, D. V. Hinkley, Bootstrap
 * Methods and their Application, 1997, 3.8): it resamples the records of each side, then the
 * samples of each record. The seed is fixed, so the same files give the same result.
 */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

enum app_comparison_verdict {
    APP_COMPARED_CANT_TELL,
    APP_COMPARED_SAME,
    APP_COMPARED_FASTER,
    APP_COMPARED_SLOWER,
    APP_COMPARED_WRONG /* one of the two failed verification, so its time means nothing */
};

/* The samples of one side, one run per record. */
struct app_side {
    const double *const *runs; /* ms */
    const size_t *n;           /* samples per run */
    size_t count;              /* runs */
};

struct app_ratio {
    double ratio;     /* median of first / median of other; 0: unknown */
    bool valid;       /* low and high are known */
    double low, high; /* 95 % interval */
};

/* Estimates the ratio of the medians. The interval needs two samples per side. Errors:
 * KRN_NO_MEMORY. */
enum krn_code app_ratio_of(const struct app_side *first, const struct app_side *other,
                           struct app_ratio *ratio, struct krn_error *error);

/* Returns the verdict for a band of indifference in percent. */
enum app_comparison_verdict app_ratio_verdict(const struct app_ratio *ratio, double band_percent);

/* Returns "FASTER", "SLOWER", "SAME", "CAN'T TELL" or "WRONG". */
const char *app_comparison_word(enum app_comparison_verdict verdict);

/* Compares the files and prints a table to out. Sets *slower when any result is slower than the
 * first side's by more than the band. Errors: KRN_REFUSED or KRN_FAILED (a file cannot be read, or
 * the records have no result in common), KRN_NO_MEMORY. */
enum krn_code app_compare(const struct app_paths *paths, double band_percent, bool markdown,
                          FILE *out, bool *slower, struct krn_error *error);

#endif
