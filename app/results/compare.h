/* app/results/compare.h - the comparison of results records.
 *
 * Compares every other side with the first. A side is one record, or several records of one device
 * joined by commas, whose processes are taken together. Two results are compared when they have the
 * same key: benchmark, variant, backend, regime, whole workload and parameters. What differs is
 * named. The ratio is that of the geometric means of the processes' medians, first over other
 * (judge/comparison.h).
 */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "command/state.h"
#include "model/model.h"
#include "table/table.h"

#include "krn/error.h"

#include <stddef.h>
#include <stdio.h>

enum { APP_COMPARE_PROCESSES_MIN = 3 }; /* on each side, for --fail-on-slower */

/* Numbers of results compared with the first side. */
struct app_compare_counts {
    size_t compared;
    size_t faster, slower; /* by more than the band, with enough processes on each side */
    size_t too_few;        /* with fewer than APP_COMPARE_PROCESSES_MIN processes on a side */
    size_t unjudged;       /* WRONG or DO NOT QUOTE */
    size_t missing;        /* times of the first side that another side lacks; not in `compared` */
};

/* Compares the files and prints one table for each side but the first and, of three sides or more,
 * one that compares each with all others (fleet.h). Errors: KRN_REFUSED or
 * KRN_FAILED (a file cannot be read, a side counts a process twice, or the sides have no result in
 * common), KRN_NO_MEMORY. */
enum krn_code app_compare(const struct app_paths *paths, double band_percent, enum app_style style,
                          FILE *out, struct app_compare_counts *counts, struct krn_error *error);

#endif
