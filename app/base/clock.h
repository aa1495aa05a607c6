/* app/base/clock.h - the monotonic clock of the application. */
#pragma once

#include <time.h>

/* Returns seconds on CLOCK_MONOTONIC. */
static inline double app_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns milliseconds on CLOCK_MONOTONIC. */
static inline double app_clock_ms(void)
{
    return 1e3 * app_clock_s();
}
