/* kernels/core/base/clock.h - clocks of the host, in milliseconds (private to kernels/). */
#ifndef KRN_CLOCK_H
#define KRN_CLOCK_H

#include <time.h>

/* Returns milliseconds on any clock: CLOCK_PROCESS_CPUTIME_ID gives the CPU time of all threads. */
static inline double krn_clock_ms_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Returns milliseconds on CLOCK_MONOTONIC. */
static inline double krn_clock_ms(void)
{
    return krn_clock_ms_of(CLOCK_MONOTONIC);
}

#endif
