/* tests/support/noise.h - random numbers for simulated measurements, the same on every machine. */
#pragma once

#include <math.h>
#include <stdint.h>

/* xorshift64* (S. Vigna, An experimental exploration of Marsaglia's xorshift generators). */
struct test_noise {
    uint64_t state; /* not 0 */
    double spare;   /* a normal number for the next call */
    int has_spare;
};

static inline struct test_noise test_noise_seed(uint64_t seed)
{
    struct test_noise noise = {seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u, 0.0, 0};
    noise.state = noise.state ? noise.state : 1;
    return noise;
}

static inline double test_uniform(struct test_noise *noise)
{
    noise->state ^= noise->state >> 12;
    noise->state ^= noise->state << 25;
    noise->state ^= noise->state >> 27;
    return ((double)((noise->state * 0x2545f4914f6cdd1du) >> 11) + 0.5) / 9007199254740992.0;
}

/* Polar method (G. Marsaglia, T. A. Bray, 1964). */
static inline double test_normal(struct test_noise *noise)
{
    if (noise->has_spare) {
        noise->has_spare = 0;
        return noise->spare;
    }
    double u, v, s;
    do {
        u = 2.0 * test_uniform(noise) - 1.0;
        v = 2.0 * test_uniform(noise) - 1.0;
        s = u * u + v * v;
    } while (s >= 1.0 || s == 0.0);
    const double scale = sqrt(-2.0 * log(s) / s);
    noise->spare = v * scale;
    noise->has_spare = 1;
    return u * scale;
}

static inline double test_exponential(struct test_noise *noise)
{
    return -log(test_uniform(noise));
}
