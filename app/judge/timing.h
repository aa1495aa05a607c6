/* app/judge/timing.h - what a kernel time contains besides the kernel, and under which conditions
 * it was taken. */
#ifndef APP_TIMING_H
#define APP_TIMING_H

#include <stddef.h>

/* Returns the raw time without the overhead of an empty kernel of the same grid, ms; 0 (unknown)
 * when the overhead is unknown (0) or the raw time is not longer. */
double app_net_ms(double raw_ms, double overhead_ms);

/* The state of the device when frames were queued. */
enum app_regime {
    APP_REGIME_UNKNOWN, /* nothing was measured */
    APP_REGIME_IDLE,    /* no earlier work was queued or running, as in runs without a window */
    APP_REGIME_BUSY,    /* earlier work was, as in a window whose frames queue up */
    APP_REGIME_MIXED    /* more than 5 % of the frames were of either kind */
};

/* Returns the regime of `busy` of n frames. */
enum app_regime app_regime_of(size_t busy, size_t n);

/* Returns the name in records: "idle", "busy", "mixed", "n/a"; never NULL. */
const char *app_regime_name(enum app_regime regime);

#endif
