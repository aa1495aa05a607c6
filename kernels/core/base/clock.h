/* kernels/core/base/clock.h - the host's clocks, in milliseconds (inside kernels/ only). */
#ifndef KRN_CLOCK_H
#define KRN_CLOCK_H

#include <time.h>

/* Of any clock: CLOCK_PROCESS_CPUTIME_ID for what all threads computed. */
static inline double krn_clock_ms_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Of the clock that nobody sets. */
static inline double krn_clock_ms(void)
{
    return krn_clock_ms_of(CLOCK_MONOTONIC);
}

#endif
