/* krn/duel.h - a sequential test that tells which of two modes is faster.
 *
 * A duel renders A and B on every frame and passes the pair of times (t_A, t_B) on. The test
 * estimates the median of log(t_B / t_A); a ratio r = t_B / t_A > 1 means that A is faster. The
 * audience watches the result on every frame and may stop at any time. An ordinary interval does
 * not allow that: at 95 % it is wrong once in 20 checks. The intervals here are confidence
 * sequences, which hold at all times at once.
 *
 * Method
 * 1. Order. The order of A and B alternates. A pair with A first and a pair with B first make one
 *    value, the mean of their log-ratios. The cost of the position in the frame cancels, and so
 *    does drift that affects both sides of a frame.
 * 2. Blocks. Values are neither independent nor finely resolved: neighbouring frames are
 *    correlated (clock changes, other processes), and clocks tick (CUDA events in steps of 32 ns
 *    to 0.5 us). Therefore 2^level consecutive values make a block, whose value is their
 *    interquartile mean. The level is the smallest one whose blocks last 30 ms, rarely tie, and
 *    are uncorrelated with their neighbours, at this level and at every coarser level that has
 *    enough blocks to tell. Some correlation rho may remain: its estimate, corrected for bias, plus
 *    0.4 standard errors. To allow for it, n blocks count as n (1 - rho) / (1 + rho). There is no
 *    interval before there are 32 blocks of the shortest length.
 * 3. Interval. The intersection of two confidence sequences, each with half of alpha.
 *    Sign test: for a median m of n independent blocks, the number S of blocks above m is
 *    stochastically no larger than the number of heads of n fair coins, with or without ties. The
 *    likelihood ratio of the coin, averaged over a Beta(4, 4) prior, is a martingale, which ever
 *    exceeds 1 / alpha with probability at most alpha (Ville's inequality). The m for which neither
 *    side exceeds 2 / alpha lie between the (n - S + 1)-th and the S-th smallest block.
 *    t test: the same construction for normal blocks of unknown variance, with the effect size
 *    averaged over a normal prior of variance 9. It needs few blocks, with which the sign test
 *    cannot exclude anything yet.
 *    Each level of step 2 has its own share of alpha, 6 / (pi k)^2 for the k-th from the shortest,
 *    so that a change of level does not raise the error rate. While there are too few of the longer
 *    blocks that the correlation requires, the last interval stays as long as it contains the
 *    median.
 * 4. Verdict. Compares the 99 % interval with the band of indifference (b percent): FASTER when it
 *    lies above 1 + b/100, SLOWER when it lies below 1 / (1 + b/100), SAME when it lies between the
 *    two, else CAN'T TELL. The screen shows the 95 % interval, which lies inside the 99 % interval.
 *
 * Source: H. Robbins, Statistical methods related to the law of the iterated logarithm (1970);
 * S. R. Howard, A. Ramdas, Sequential estimation of quantiles with applications to A/B testing and
 * best-arm identification (2022), for the median by the sign test; T. L. Lai, On confidence
 * sequences (1976), for the mean by the t test; block means as in simulation output analysis:
 * G. S. Fishman, Grouping observations in digital simulation (1978).
 *
 * The test assumes that blocks at the chosen level are independent and that the median is constant.
 * A difference that comes from neither mode (another address, another clock domain) is a difference
 * too; the band of indifference is there to absorb it. Drift as slow as the run is long cannot be
 * told from a difference: on an H200, two identical kernels of 20 us drift apart by up to 0.5 %.
 *
 * Simulations, with drift, outliers, an advantage of the second position and quantised readings,
 * checked on every frame (tests/kernels/stats/test_duel.c prints them; 300 runs of 10 s each, with
 * a band of 1 % / of 0):
 *   A/A runs that claim a difference
 *     independent readings, 200 and 1000 frames/s; 20 us in steps
 *     of 32 ns and 0.5 us; 40 frames/s of 9 ms under load              0 / 0 %
 *     sides that drift apart by as much as the readings scatter,
 *     for 0.05 s at a time                                             0 / 2 %
 *     for 0.25 s at a time                                             0 / 2 to 8 %
 *     for 1 s at a time, by 0.4 %                                      0 / 33 %
 *   A/B runs that find a difference
 *     of 2 % in 3 s, 200 and 1000 frames/s, scatter 0.5 to 1 %         100 %, after 1.3 s on
 * average of 5 % in 5 s, 30 and 40 frames/s, scatter 3 %                   99 % of 5 % in 5 s, 40
 * frames/s, scatter 5 %                          91 % of 5 % in 5 s, 40 frames/s, scatter 7 % 50 %
 * On a CPU with 2 cores, shared with other processes, with back-to-back frames of 4 ms (200 against
 * 210 spheres, a ratio of 1.043), 23 of 25 runs of 5 s find the difference, half of them after
 * 1.4 s; in the other two, another process took a core. A/A there, 100 runs of 10 s: no claim.
 * While other processes use half of the CPU all the time, the difference is never found: a frame
 * then takes two slices of the scheduler, 8.00 ms on either side whatever it contains, so SAME is
 * what the clock says.
 *
 * Memory is fixed. A pair costs at most about 25 us of CPU time and usually about 1 us, because
 * nothing is computed twice. Blocks of every length are kept sorted from the start, so a change of
 * level selects another sorted array. Before the buffer of values is full, a second buffer that
 * holds one value for every two of the first is built alongside it, value by value.
 *
 * Thread safety: one thread at a time per struct krn_duel.
 */
#ifndef KRN_DUEL_H
#define KRN_DUEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_DUEL_CAPACITY = 2048, KRN_DUEL_LEVELS = 32 };

#define KRN_DUEL_BAND_PERCENT 1.0
#define KRN_DUEL_BAND_PERCENT_MAX 50.0

enum krn_duel_verdict {
    KRN_DUEL_CANNOT_TELL,
    KRN_DUEL_SAME,
    KRN_DUEL_FASTER, /* A is faster than B */
    KRN_DUEL_SLOWER,
    KRN_DUEL_WANDERING, /* the sides wander apart too slowly for the run to average it out */
    KRN_DUEL_VERDICTS
};

/* Returns "CAN'T TELL", "SAME", "FASTER", "SLOWER" or "WANDERING". */
const char *krn_duel_verdict_name(enum krn_duel_verdict verdict);

/* The current result of a duel. */
struct krn_duel_result {
    size_t pairs;       /* pairs added */
    size_t blocks;      /* blocks from which the ratio and the intervals are computed */
    size_t block_pairs; /* pairs per block */
    bool valid;         /* the intervals exist */
    double ratio;       /* median of t_B / t_A; 1 when blocks == 0 */
    double low, high;   /* 95 % confidence sequence */
    double verdict_low, verdict_high; /* 99 % confidence sequence, which decides the verdict */
    enum krn_duel_verdict verdict;
};

/* Values in order of time, and their blocks of every length. */
struct krn_duel_blocks {
    size_t count; /* values */
    double values[KRN_DUEL_CAPACITY];
    /* The values again, with every complete run of 2^j values, as long as possible, sorted. */
    double runs[KRN_DUEL_CAPACITY];
    /* For each j in turn, the blocks of 2^j values in ascending order: room for
     * KRN_DUEL_CAPACITY >> j of them. */
    double sorted[2 * KRN_DUEL_CAPACITY];
};

/* The state of a duel; its fields are private. */
struct krn_duel {
    double band; /* log(1 + band of indifference) */
    size_t pairs;
    double first_s, last_s; /* when the first and the latest pair were rendered */
    double waiting[2]; /* [a_first]: log-ratio of a pair that waits for one of the other order */
    bool is_waiting[2];

    double partial_sum; /* of the values that will be averaged into the next stored one */
    size_t partial_count;
    int halvings;       /* a stored value averages 2^(halvings + 1) pairs */
    int level;          /* a block has 2^level values */
    int min_level;      /* the level at which blocks last long enough at this frame rate */
    size_t next_check;  /* number of values at which the level is chosen again */
    double correlation; /* upper estimate of the correlation of neighbouring blocks, >= 0 */
    struct krn_duel_result result;
    int active; /* index of the buffer in use; the other one receives its halved values */
    struct krn_duel_blocks buffers[2];
};

/* Starts a new duel. band_percent is clamped to 0..KRN_DUEL_BAND_PERCENT_MAX. */
void krn_duel_start(struct krn_duel *duel, double band_percent);

/* Adds the pair of one frame. a_first tells whether A ran first; at_s is the time of the frame in
 * seconds of any monotonic clock. The two orders should alternate: of several pairs that wait for
 * one of the other order, only the latest is used. Returns false, and ignores the pair, when a time
 * is not finite and positive. */
bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s);

/* Returns the result, which krn_duel_add updates. It lives as long as *duel. */
const struct krn_duel_result *krn_duel_result_of(const struct krn_duel *duel);

#ifdef __cplusplus
}
#endif
#endif
