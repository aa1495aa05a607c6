/* app/judge/toggle.h - compares the mode on screen with the one that was left.
 *
 * The two were measured one after the other, in this run: drift between the two visits looks like a
 * difference of the modes, and only a duel cancels it. What the samples themselves show of drift
 * widens the interval: each side's samples, in the order of measurement, make 8 blocks, and the
 * blocks' means vary as the drift within a visit makes them vary.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_TOGGLE_H
#define APP_TOGGLE_H

#include "krn/duel.h"
#include "krn/stats.h"

#include <stdbool.h>

/* Samples of each side that a comparison needs. */
enum { APP_TOGGLE_SAMPLES = 20 };

/* One side: its samples, ms, and the step of its clock. */
struct app_toggle_side {
    const struct krn_series *series;
    double tick_ms; /* 0: unknown */
};

struct app_toggle {
    bool valid;       /* both sides have enough samples */
    double ratio;     /* speed of the mode on screen over that of the one that was left */
    double low, high; /* 95 % interval, this run */
    enum krn_ratio_verdict verdict; /* FASTER: the mode on screen is; from the 99 % interval */
};

/* Compares the sides' Huber locations, samples being clipped to their 10th and 90th percentile. The
 * interval is Welch's t over 8 block means per side, with 7 degrees of freedom, the least that it
 * can have, and is widened by half a tick per side. WANDERING, with a ratio and an interval, when
 * krn_series_wanders says so of a side and nothing else can be told. band_percent: as a duel's.
 * Costs about 5 us. */
struct app_toggle app_toggle_compare(struct app_toggle_side left, struct app_toggle_side now,
                                     double band_percent);

#endif
