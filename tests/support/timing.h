/* Assertions on times and on ratios of speeds hold only on a quiet machine. They count where
 * TEST_TIMING is set, as in the tests with the label timing; the other assertions always count. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static inline bool test_timing(void)
{
    return getenv("TEST_TIMING") != NULL;
}

static inline double test_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define assert_timing(holds) assert_true((holds) || !test_timing())

/* Ends a test that judges nothing but times. */
#define test_needs_timing()                                                                        \
    do {                                                                                           \
        if (!test_timing())                                                                        \
            skip();                                                                                \
    } while (0)
