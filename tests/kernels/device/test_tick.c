/* The tick of a clock, from simulated readings. */
#include "expect.h"

#include "core/base/clock.h"

#include <math.h>

enum { READINGS = 300 };

static uint64_t state_of_noise = 1;

static double uniform(void)
{
    state_of_noise = state_of_noise * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_noise >> 11) / 9007199254740992.0;
}

/* Event pairs: whole ticks, in ms, rounded to float like the result of cudaEventElapsedTime. */
TEST(ticks_are_found_behind_the_rounding)
{
    static const double ticks_ms[] = {8e-6, 32e-6, 500e-6, 1.024e-3};
    const double rounding_ms = 1e-7;
    for (size_t t = 0; t < sizeof ticks_ms / sizeof *ticks_ms; t++) {
        double readings[READINGS];
        for (int i = 0; i < READINGS; i++) {
            const double ms = 1e-3 + 3e-3 * uniform();
            readings[i] = (double)(float)(ticks_ms[t] * floor(ms / ticks_ms[t]));
        }
        const double tick = krn_tick_of(readings, READINGS, rounding_ms);
        assert_true(fabs(tick - ticks_ms[t]) < 1e-8);
    }
}

TEST(equal_readings_have_no_tick)
{
    double readings[READINGS];
    for (int i = 0; i < READINGS; i++)
        readings[i] =
            2.752e-3 + (i % 2 == 0 ? 0.0 : 2e-10); /* the same ticks, rounded up and down */
    assert_true(krn_tick_of(readings, READINGS, 1e-7) == 0.0);
    assert_true(krn_tick_of(readings, 1, 1e-7) == 0.0);
    assert_true(krn_tick_of(readings, 0, 1e-7) == 0.0);
}

/* Without neighbours, the result is a multiple of the tick. */
TEST(rare_readings_give_a_multiple)
{
    const double readings[] = {64.0, 160.0, 640.0, 160.0};
    assert_true(krn_tick_of(readings, 4, 0.5) == 96.0);
}
