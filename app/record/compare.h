/* app/record/compare.h - records against each other: is it faster than it was?
 *
 * The first side is what the others are held against. A side is one record or several of the same
 * kind, joined by commas: what differs from process to process shows only then. From the raw
 * samples: the ratio of medians, first over other, so that 1.10 means "1.10 times as fast as the
 * first". Its 95 % interval is a bootstrap of both sides, of the records first and then of the
 * samples in them, from a fixed seed: the same files give the same answer.
 */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

enum app_compared {
    APP_COMPARED_CANT_TELL,
    APP_COMPARED_SAME,
    APP_COMPARED_FASTER,
    APP_COMPARED_SLOWER,
    APP_COMPARED_WRONG /* one of the two was found wrong: its time says nothing */
};

/* Samples of one side: runs of them, one a record. */
struct app_side {
    const double *const *runs;
    const size_t *n;
    size_t count;
};

struct app_ratio {
    double ratio; /* median of first / median of other; 0: none */
    bool valid;   /* low and high are known */
    double low, high;
};

/* Needs two samples a side for an interval. Errors: KRN_NO_MEMORY. */
enum krn_code app_ratio_of(const struct app_side *first, const struct app_side *other,
                           struct app_ratio *ratio, struct krn_error *error);

/* The verdict with a band of indifference, in per cent. */
enum app_compared app_ratio_verdict(const struct app_ratio *ratio, double band_percent);

/* "FASTER", "SLOWER", "SAME", "CAN'T TELL", "WRONG". */
const char *app_compared_word(enum app_compared verdict);

/* Compares the files and prints a table to out. *slower: a result is slower beyond the band.
 * Errors: KRN_REFUSED or KRN_FAILED (a file cannot be read, nothing in common), KRN_NO_MEMORY. */
enum krn_code app_compare(const struct app_paths *paths, double band_percent, bool markdown,
                          FILE *out, bool *slower, struct krn_error *error);

#endif
