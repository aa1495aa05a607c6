/* app/judge/comparison.h - compares the times of two groups of processes, or of two modes.
 *
 * From two processes per side on, the ratio's interval is Welch's t of the processes' logarithms
 * (krn_across_ratio), and the verdict rests on its 99 % interval. With fewer, the interval combines
 * those of the two sides, and the verdict is SAME or CAN'T TELL: the interval of one process says
 * nothing about other runs, and a copied result has only its interval.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_COMPARISON_H
#define APP_COMPARISON_H

#include "judge/estimate.h"

#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>

struct app_comparison {
    double ratio;     /* first / other: 1.10 means "1.10 times as fast as the first"; 0: unknown */
    bool valid;       /* low and high are known */
    bool this_run;    /* a side is one process that was measured here: they are of its run only */
    double low, high; /* 95 % interval */
    size_t processes[2];   /* of the first and of the other; a copied result counts as one */
    size_t measured_by[2]; /* the same, but for a copied result those of its run; 0: unknown */
    enum krn_ratio_verdict verdict; /* FASTER: the other side is; CANNOT_TELL with `instead` */
    const char *instead;            /* "WRONG" or "DO NOT QUOTE"; NULL: there is a verdict */
};

/* Compares two times, whose reasons to doubt them count. band_percent: half-width of the band of
 * indifference. */
struct app_comparison app_compare_times(struct app_estimate first, struct app_estimate other,
                                        double band_percent);

/* Returns what limits the interval, to be written behind it: " this run", " one process" for a copy
 * of one, or "". */
const char *app_comparison_scope(const struct app_comparison *comparison);

/* Returns "FASTER", "SLOWER", "SAME" or "CAN'T TELL", or what takes its place. */
const char *app_comparison_word(const struct app_comparison *comparison);

/* --- two modes of this run ---
 *
 * The mode on screen and the one that was left were measured one after the other: drift between the
 * two visits looks like a difference of the modes, and only a duel cancels it. What the samples
 * themselves show of drift widens the interval: each side's samples, in the order of measurement,
 * make 8 blocks, and the blocks' means vary as the drift within a visit makes them vary.
 */

/* Samples of each side that a comparison needs. */
enum { APP_TOGGLE_SAMPLES = 20 };

/* One side: its samples, ms, and the step of its clock. */
struct app_toggle_side {
    const struct krn_series *series;
    double tick_ms; /* 0: unknown */
};

/* Compares two modes, of which the first one was left: valid when both have enough samples. The
 * ratio is that of the sides' Huber locations, samples being clipped to their 10th and 90th
 * percentile. The interval is Welch's t over 8 block means per side, with 7 degrees of freedom, the
 * least that it can have, and is widened by half a tick per side. WANDERING, with a ratio and an
 * interval, when krn_series_wanders says so of a side and nothing else can be told. band_percent:
 * as a duel's. Costs about 5 us. */
struct app_comparison app_toggle_compare(struct app_toggle_side left, struct app_toggle_side now,
                                         double band_percent);

#endif
