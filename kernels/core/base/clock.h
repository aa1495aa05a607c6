/* kernels/core/base/clock.h - clocks of the host, in milliseconds (private to kernels/). */
#pragma once

#include <math.h>
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

/* Returns the smallest difference between two of n readings that is larger than `rounding`, in
 * their unit; 0 when there is none. Readings that differ by less are the same number of ticks, and
 * rounded differently on their way. The result is a multiple of the tick, and the tick itself when
 * the readings are so close together that two of them are neighbours. */
static inline double krn_tick_of(const double *readings, int n, double rounding)
{
    double least = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double step = fabs(readings[i] - readings[j]);
            if (step > rounding && !(least > 0.0 && least <= step))
                least = step;
        }
    return least;
}
