/* tests/support/machine.h - simulated machines under load, and duels on them. */
#pragma once

#include "noise.h"

#include "krn/duel.h"

#include <stdbool.h>
#include <stddef.h>

enum test_regimes {
    TEST_REGIMES_NONE,
    TEST_REGIMES_ONE,    /* side B is now and then slower by `regime` */
    TEST_REGIMES_BOTH,   /* so is side A, independently */
    TEST_REGIMES_NORMAL, /* side B's level is drawn anew each time, with that standard deviation */
};

/* A simulated machine and its load. */
struct test_machine {
    const char *name;
    double fps;
    double a_ms;        /* kernel time of A */
    double spread;      /* relative standard deviation of a reading */
    double wander;      /* relative standard deviation of what each side wanders, AR(1) */
    double wander_s;    /* its time constant */
    double outliers;    /* share of readings that another process disturbs */
    double outlier_ms;  /* mean of the disturbance, exponentially distributed */
    double drift;       /* relative change of both sides within ten seconds */
    double second_cost; /* relative slowdown of the side that runs second */
    double quantum_ms;  /* resolution of the clock */
    enum test_regimes regimes;
    double regime, regime_s; /* relative change, and how long a regime lasts on average */
    double b_slow_share;     /* share of B's readings that are slower by b_slow */
    double b_slow;
    double b_pareto; /* B's readings are slower by 5 % of a Pareto variable with this exponent */
};

static const struct test_machine test_gpu = {.name = "GPU, 1 ms",
                                             .fps = 200,
                                             .a_ms = 1.0,
                                             .spread = 0.0075,
                                             .outliers = 0.01,
                                             .outlier_ms = 0.3,
                                             .drift = 0.05,
                                             .second_cost = 0.01,
                                             .quantum_ms = 0.0005};

static const struct test_machine test_cpu = {.name = "CPU, 9 ms",
                                             .fps = 40,
                                             .a_ms = 9.0,
                                             .spread = 0.03,
                                             .outliers = 0.03,
                                             .outlier_ms = 5.0,
                                             .drift = 0.1,
                                             .second_cost = 0.02};

/* What lasts from frame to frame on one side. */
struct test_side {
    double wandered; /* in units of the machine's wander */
    double next_s;   /* when the next regime begins */
    double level;    /* of this regime, in units of the machine's regime */
};

static inline void test_begin_regime(struct test_noise *noise, const struct test_machine *m,
                                     struct test_side *side, double now_s)
{
    side->next_s = now_s + m->regime_s * test_exponential(noise);
    side->level = m->regimes == TEST_REGIMES_NORMAL ? test_normal(noise)
                  : side->level > 0.0               ? 0.0
                                                    : 1.0;
}

static inline struct test_side test_side_begin(struct test_noise *noise,
                                               const struct test_machine *m)
{
    struct test_side side = {.wandered = test_normal(noise)};
    side.level = test_uniform(noise) < 0.5 ? 0.0 : 1.0;
    test_begin_regime(noise, m, &side, 0.0);
    return side;
}

/* Returns the reading for a true time: both time stamps are multiples of the clock's step. */
static inline double test_reading(struct test_noise *noise, const struct test_machine *m,
                                  double true_ms)
{
    if (m->outliers > 0.0 && test_uniform(noise) < m->outliers)
        true_ms += m->outlier_ms * test_exponential(noise);
    if (!(m->quantum_ms > 0.0))
        return true_ms;
    const double start = test_uniform(noise) * m->quantum_ms;
    return fmax(floor((start + true_ms) / m->quantum_ms), 1.0) * m->quantum_ms;
}

/* Returns the time of one side (0: A, 1: B) of the frame at now_s. */
static inline double test_side_ms(struct test_noise *noise, const struct test_machine *m,
                                  struct test_side *side, int which, double now_s, double factor)
{
    if (m->wander > 0.0) {
        const double kept = exp(-1.0 / (m->fps * m->wander_s));
        side->wandered = kept * side->wandered + sqrt(1.0 - kept * kept) * test_normal(noise);
        factor *= exp(m->wander * side->wandered);
    }
    if (m->regimes != TEST_REGIMES_NONE) {
        if (now_s >= side->next_s)
            test_begin_regime(noise, m, side, now_s);
        if (which == 1 || m->regimes == TEST_REGIMES_BOTH)
            factor *= exp(m->regime * side->level);
    }
    if (which == 1 && m->b_slow_share > 0.0 && test_uniform(noise) < m->b_slow_share)
        factor *= 1.0 + m->b_slow;
    if (which == 1 && m->b_pareto > 0.0)
        factor *= 1.0 + 0.05 * (pow(test_uniform(noise), -1.0 / m->b_pareto) - 1.0);
    return test_reading(noise, m, m->a_ms * factor * exp(m->spread * test_normal(noise)));
}

struct test_run {
    double seen_s, claimed_s; /* when a difference was seen so far, and claimed; < 0: never */
    enum krn_ratio_verdict seen;
    struct krn_duel_result result; /* at the end */
    bool held, held_firm; /* the 95 % interval always, or when firm, contained the true ratio */
};

/* Simulates a duel of `seconds`, checked on every frame, in which B takes `ratio` times as long as
 * A. */
static inline struct test_run test_duel_run(struct krn_duel *duel, const struct test_machine *m,
                                            double ratio, double seconds, double band,
                                            uint64_t seed)
{
    struct test_noise noise = test_noise_seed(seed);
    struct test_run run = {.seen_s = -1.0, .claimed_s = -1.0, .held = true, .held_firm = true};
    struct test_side sides[2] = {test_side_begin(&noise, m), test_side_begin(&noise, m)};
    const double phase = 6.283185307179586 * test_uniform(&noise);
    krn_duel_start(duel, band);
    for (int frame = 0; frame < (int)(seconds * m->fps); frame++) {
        const double now_s = frame / m->fps;
        const bool a_first = frame % 2 == 0;
        const double clocks = 1.0 + m->drift * sin(phase + 0.6 * now_s);
        double ms[2];
        for (int side = 0; side < 2; side++) {
            const double place = (side == 0) != a_first ? 1.0 + m->second_cost : 1.0;
            ms[side] = test_side_ms(&noise, m, &sides[side], side, now_s,
                                    clocks * place * (side == 1 ? ratio : 1.0));
        }
        krn_duel_add(duel, ms[0], ms[1], a_first, 1e4 + now_s);
        const struct krn_duel_result *now = krn_duel_result_of(duel);
        const bool misses = now->valid && (ratio < now->low || ratio > now->high);
        run.held = run.held && !misses;
        run.held_firm = run.held_firm && !(misses && now->firm);
        if (run.seen_s < 0.0 && krn_ratio_claims(now->so_far)) {
            run.seen_s = (frame + 1) / m->fps;
            run.seen = now->so_far;
        }
        if (run.claimed_s < 0.0 && krn_ratio_claims(now->verdict))
            run.claimed_s = (frame + 1) / m->fps;
    }
    run.result = *krn_duel_result_of(duel);
    return run;
}

/* Returns the probability that at least `count` of n independent trials succeed, each with
 * probability p. */
static inline double test_tail(int count, int n, double p)
{
    double below = 0.0;
    for (int k = 0; k < count; k++)
        below += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) +
                     (n - k) * log1p(-p));
    return fmax(0.0, 1.0 - below);
}
