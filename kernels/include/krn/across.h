/* krn/across.h - what several processes of one program say together.
 *
 * The samples of one process share its memory layout, its clocks and its moment, so an interval
 * from them says nothing about the next process: on an H200, medians of the same kernel from three
 * processes differ by 0.5 to 5 %, while the intervals of each are narrower than 0.1 %. The
 * functions below therefore take one value per process, for example its median time. Times and
 * rates vary by factors, so all of them compute with logarithms: the centre is the geometric mean.
 *
 * Student's t and Welch's t assume that the logarithms of the values are independent and nearly
 * normal. Simulated coverage for lognormal, skewed and heavy-tailed processes:
 * tests/kernels/stats/test_across.c.
 *
 * A clock that ticks hides differences smaller than its tick, and several processes may read the
 * same tick. So every interval is widened on both sides by `widen`, a fraction of the value: half
 * the tick over the time (krn_interval_widen says why half), and for a ratio the sum of both sides'
 * fractions. Processes that scatter over several ticks average the rounding out: from 12 values on,
 * `widen` counts only with the largest share of them that read the same tick, which bounds the
 * error of values with one peak.
 *
 * Thread safety: every function may be called from any thread.
 */
#pragma once

#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>

enum { KRN_PROCESSES_MAX = 128 };

/* The level of the interval that decides a verdict; the one that is printed has
 * KRN_INTERVAL_LEVEL. */
#define KRN_VERDICT_LEVEL 0.99

/* Returns the quantile p, 0 < p < 1, of Student's t distribution with `freedom` > 0 degrees of
 * freedom, which need not be whole. Source: DLMF 8.17.2, solved by bisection. */
double krn_student_quantile(double p, double freedom);

/* Returns the fraction by which half a tick widens the interval of `value`; 0 when either is not
 * positive. Both have the same unit. */
double krn_tick_fraction(double tick, double value);

/* A value that several processes have measured. */
struct krn_across {
    size_t processes;
    double value;     /* geometric mean; 0 when processes == 0 */
    bool valid;       /* low and high are known: there are two processes at least */
    double low, high; /* low <= value <= high */
    double deviation; /* standard deviation of the logarithms; 0 unless valid */
};

/* Sums up n values, one per process, each > 0 (otherwise `processes` is 0). The interval is
 * Student's t of their logarithms at `level`. */
struct krn_across krn_across(const double *values, size_t n, double level, double widen);

/* Returns the ratio a / b of the values of two independent groups of processes: Welch's t of the
 * logarithms, with the degrees of freedom of Satterthwaite. Valid from two processes per side on.
 * `processes` is the number of the smaller side. Source: B. L. Welch, The generalization of
 * "Student's" problem when several different population variances are involved (1947). */
struct krn_across krn_across_ratio(const double *a, size_t a_count, const double *b, size_t b_count,
                                   double level, double widen);
