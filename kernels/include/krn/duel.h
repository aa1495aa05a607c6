/* krn/duel.h - a sequential test that tells which of two modes is faster.
 *
 * A duel renders A and B on every frame and passes the pair of times (t_A, t_B) on. The test
 * estimates a mean of log(t_B / t_A); a ratio r = t_B / t_A > 1 means that A is faster. The
 * audience watches the result on every frame and may stop at any time. An ordinary interval does
 * not allow that: at 95 % it is wrong once in 20 checks. The intervals here are confidence
 * sequences, which hold at all times at once.
 *
 * Estimand
 * Huber's location of the values of step 1: the theta at which the mean of the deviations
 * value - theta, each clipped to -k..k, is 0. k is the root of (2 %)^2 + (2.6 W)^2, where W is the
 * width of the values' middle, from their 30th to their 70th percentile. It depends on the
 * distribution of single values only, and everything after the clipping is linear. So it does not
 * depend on the number of pairs per second, on the length of blocks or on the length of the run; a
 * median of block means would slide from the median to the mean as blocks grow. Two equal sides
 * have theta = 0 for any noise, because exchanging them only changes the sign of a value. The
 * clipping keeps a few frames that wait for another process from hiding a difference. Unlike a
 * median, theta is not bound to a clock's steps.
 *
 * Method
 * 1. Order. The order of A and B alternates. A pair with A first and a pair with B first make one
 *    value, the mean of their log-ratios. The cost of the position in the frame cancels, and so
 *    does drift that affects both sides of a frame.
 * 2. Clipping. A value v becomes c + clip(v - c, -k, k) / p. c is the mean of what earlier values
 *    became; k, and the fraction p of values that are not clipped, come from a random sample of
 *    1024 values so far. This is one Newton step from c to theta, so errors of c cancel to first
 *    order.
 * 3. Blocks. The values of 30 ms or more make a block, whose value is their mean. There is no
 *    interval before there are 32 blocks.
 * 4. Models. The sides may wander apart. Each of 31 models explains the blocks as theta, plus white
 *    noise, plus a wandering with a spread of 0 or of 0.3 to 35 times that of the noise and with a
 *    time constant of 0.06 to 16 s (an Ornstein-Uhlenbeck process). A Kalman filter computes the
 *    likelihood of each model, block by block, as a function of theta. The model without wandering
 *    has a prior weight of at least 0.95; a wandering of much more than 1 % has less weight than a
 *    smaller one.
 * 5. Interval. The confidence sequence contains each theta for which the likelihood ratio
 *        sum_h w_h L_h(theta; effect) / sum_h w_h L_h(theta)
 *    does not exceed 1 / alpha. The numerator averages over an effect with a normal prior around
 *    theta; both average over the models h and over the unknown scale of the noise. For the true
 *    theta, the ratio is a martingale, so it ever exceeds 1 / alpha with probability at most alpha
 *    (Ville's inequality): for models drawn by their weights, and at most alpha / w_h for model h.
 *    The interval is then widened by half a step of the clock per side (krn_duel_set_tick).
 * 6. Verdict. Compares the 99 % interval with the band of indifference (b percent): FASTER when it
 *    lies above 1 + b/100, SLOWER when it lies below 1 / (1 + b/100), SAME when it lies between the
 *    two, else CAN'T TELL. The screen shows the 95 % interval, which lies inside the 99 % interval.
 *    WANDERING replaces CAN'T TELL, and there is no interval, when models whose time constant is
 *    longer than a 20th of the run have a weight of 90 %: the run cannot average the wandering out.
 *    The verdict comes back when the run is long enough.
 * 7. So far and firm. When one side is 2 % slower for 2 s at a time, a run of 1 s looks in every
 *    respect like one with a true difference of 2 %: no test can claim the one and not the other.
 *    So there are two verdicts. `so_far` is what the run supports if its state lasts. `verdict`
 *    follows it when the run has lasted 11 s, or when the interval lies 4 % beyond the band; until
 *    then it is CAN'T TELL instead of FASTER or SLOWER. When the sides wander (the models with
 *    wandering have a weight of 15 %), the interval must also lie 1 % beyond the band.
 *
 * 8. Far apart. From 6 pairs on, while every time of one side lies below every time of the other
 * and the mean of log(t_B / t_A) is a factor of 2 at least, FASTER or SLOWER is firm without
 * blocks. Of 12 times of equal sides in any order, the six of one side come first or last once in
 * 462 runs; later pairs can only end the state, so all looks together claim no more often. The
 *    interval then is the range of the pairs' ratios, which contains their median in 97 % of runs.
 *
 * Source: P. J. Huber, Robust estimation of a location parameter (1964); J. S. Vitter, Random
 * sampling with a reservoir (1985); A. C. Harvey, Forecasting, structural time series models and
 * the Kalman filter (1989), 3.4, for the likelihood as a function of a regression coefficient;
 * H. Robbins, Statistical methods related to the law of the iterated logarithm (1970) and T. L.
 * Lai, On confidence sequences (1976), for the mixture over the effect with an unknown scale.
 *
 * Simulations with drift, outliers, an advantage of the second position and quantised readings,
 * checked on every frame: 2000 runs of 12 s per row and frame rate, seeds 1 to 2000 (the test
 * duel_rates with TEST_DUEL_RUNS=2000; docs/measuring.md has more rows), band 1 %.
 *   Equal sides: runs that                                    claim a difference  see one so far
 *     independent readings: 40 to 1000 frames/s, coarse clocks        0 %               0 %
 *     each side wanders by 1 % (AR(1)) for 0.05 or 0.25 s             0 %           0 to 0.7 %
 *     for 1 s                                                         0 %           1 to 8 %
 *     for 5 s; 89 to 99 % end as WANDERING                       0 to 0.05 %        8 to 20 %
 *     one side is 2 % slower for 2 s at a time                  0.2 to 1.25 %      32 to 34 %
 *       (of 10000 runs at 60 frames/s, 0.92 %)
 *   A difference of 2 %, scatter 0.5 to 1 %, 200 and 1000 frames/s: seen within 3 s in 99.8 to
 *   100 %, after 1.0 s on average; firm after 12 s in 99.7 %.
 *
 * On a CPU with 2 cores, shared with other processes, a frame then takes two slices of the
 * scheduler, 8.00 ms on either side whatever it contains, while other processes use half of the CPU
 * all the time: SAME is what the clock says. A difference that comes from neither mode (another
 * address, another clock domain) is a difference too; the band of indifference is there to absorb
 * it.
 *
 * Memory is fixed: about 20 KiB. A pair costs at most about 17 us of CPU time, at the 99th
 * percentile 5 to 6 us, and usually about 1 us. A pair that ends a block advances the filters and
 * finds two of the four ends of the intervals; the next pair finds the other two.
 *
 * Thread safety: one thread at a time per struct krn_duel.
 */
#pragma once

#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KRN_DUEL_SAMPLE = 1024, /* values that are kept for the clipping */
    KRN_DUEL_FAR_PAIRS = 6, /* before sides that are far apart have a verdict */
    KRN_DUEL_QUEUE = 16,    /* values before the clipping begins */
    KRN_DUEL_TIMES = 5,     /* time constants of the models */
    KRN_DUEL_SPREADS = 6,   /* spreads of the models */
    KRN_DUEL_MODELS = 1 + KRN_DUEL_TIMES * KRN_DUEL_SPREADS
};

#define KRN_DUEL_BAND_PERCENT 1.0
#define KRN_DUEL_BAND_PERCENT_MAX 50.0

/* A difference is firm after this many seconds. The 99 % interval must lie this many percent beyond
 * the band before that, and this many after it while the sides wander. */
#define KRN_DUEL_FIRM_S 11.0
#define KRN_DUEL_EARLY_PERCENT 4.0
#define KRN_DUEL_UNSTEADY_PERCENT 1.0

/* The current result of a duel. */
struct krn_duel_result {
    size_t pairs;       /* pairs added */
    size_t blocks;      /* so far; unless the sides are far apart, they give ratio and intervals */
    size_t block_pairs; /* pairs per block, on average */
    bool valid;         /* the intervals exist */
    bool firm;        /* the run has lasted KRN_DUEL_FIRM_S; before that, the intervals, too, speak
                       * about the state in which the machine is */
    double ratio;     /* t_B / t_A; 1 when blocks == 0 and it is not valid */
    double low, high; /* 95 % confidence sequence */
    double verdict_low, verdict_high; /* 99 % confidence sequence, which decides the verdict */
    enum krn_ratio_verdict verdict;   /* firm; FASTER: A is */
    enum krn_ratio_verdict so_far;    /* not necessarily firm; equal to verdict when that is not
                                       * CAN'T TELL */
};

/* A uniform sample of the values so far. */
struct krn_duel_sample {
    double slots[KRN_DUEL_SAMPLE], sorted[KRN_DUEL_SAMPLE];
    size_t count; /* values in the sample */
    size_t seen;  /* values from which it was drawn */
    uint64_t random;
};

/* The models, and their likelihood given all blocks. Log-ratios are relative to `origin`. */
struct krn_duel_models {
    size_t blocks;
    double origin;   /* the first block */
    double weighted; /* values in the first block, which the variance of the noise refers to */
    double centre;   /* the estimate of theta, averaged over the models */
    double evidence; /* against the centre; see models_evidence */
    double share[KRN_DUEL_TIMES];  /* weight of the models with each time constant, 0..1 */
    double prior[KRN_DUEL_MODELS]; /* logarithms of the weights before the first block */
    /* State of the filters, for the blocks (x) and for the constant 1 (u), and its variance. */
    double x[KRN_DUEL_MODELS], u[KRN_DUEL_MODELS], variance[KRN_DUEL_MODELS];
    /* Sums over the innovations: of u^2, u x, x^2 over the variance, and of log variance. */
    double uu[KRN_DUEL_MODELS], ux[KRN_DUEL_MODELS], xx[KRN_DUEL_MODELS], logs[KRN_DUEL_MODELS];
    int likely[KRN_DUEL_MODELS], likely_count; /* models that are not negligible */
};

/* The state of a duel; its fields are private. */
struct krn_duel {
    double band; /* 1 + band of indifference */
    double tick_ms;
    size_t pairs;
    double first_s, last_s; /* when the first and the latest pair were rendered */
    double waiting[2]; /* [a_first]: log-ratio of a pair that waits for one of the other order */
    bool is_waiting[2];
    double log_ms[2];               /* sums of the logarithms of the times of A and of B */
    double least_ms[2], most_ms[2]; /* of the times of A and of B */
    double least_ratio, most_ratio; /* of the pairs */

    struct krn_duel_sample sample;
    /* The oldest values that are in no block: the first ones wait for a large enough sample. */
    struct {
        double value, at_s;
    } queue[KRN_DUEL_QUEUE];
    size_t queue_first, queue_count;

    double sum;       /* of the values that will make the next block */
    size_t sum_count; /* their number */
    double block_s;   /* when the latest block ended */
    double total;     /* sum of the values of all blocks */
    size_t total_count;
    struct krn_duel_models models;
    double half_width[4];         /* of the latest intervals: 95 % low, high, 99 % low, high */
    bool stale;                   /* the 95 % interval is that of the block before */
    struct krn_duel_result next;  /* of the blocks, until its intervals are complete */
    struct krn_duel_result whole; /* of the blocks */
    struct krn_duel_result result;
};

/* Starts a new duel. band_percent is clamped to 0..KRN_DUEL_BAND_PERCENT_MAX. */
void krn_duel_start(struct krn_duel *duel, double band_percent);

/* Sets the step of the clock behind the times, ms, for this duel; 0, as after the start: unknown.
 * Widens both ends of every interval by half a step of A's times and half a step of B's. */
void krn_duel_set_tick(struct krn_duel *duel, double tick_ms);

/* Adds the pair of one frame. a_first tells whether A ran first; at_s is the time of the frame in
 * seconds of any monotonic clock. The two orders should alternate: of several pairs that wait for
 * one of the other order, only the latest is used. Returns false, and ignores the pair, when a time
 * is not finite and positive. */
bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s);

/* Returns the result, which krn_duel_add updates. It lives as long as *duel. */
const struct krn_duel_result *krn_duel_result_of(const struct krn_duel *duel);
