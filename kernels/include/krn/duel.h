/* krn/duel.h - which of two is faster, from pairs of times, judged while they come in.
 *
 * A duel renders A and B on every frame and hands the pair (t_A, t_B) over. What is estimated is
 * the median of log(t_B / t_A); r = t_B / t_A > 1 says that A is the faster one. One looks at it on
 * every frame and stops when one likes what one sees, which an ordinary interval does not survive:
 * it is wrong once in 20 looks. The intervals here hold at all looks at once.
 *
 * Method
 * 1. Order. Which of the two runs first alternates. A pair with A first and a pair with B first
 *    make one value, the mean of their log-ratios: what the place in the frame costs cancels, and
 *    so does drift that meets both sides of a frame.
 * 2. Blocks. Neighbouring frames resemble each other (clocks, other processes), and clocks tick
 *    (CUDA events in steps of 32 ns to 0.5 us): values are then neither independent nor fine
 *    enough. Runs of 2^level values become one by their mean without the outer quarters. The level
 *    is the least one whose blocks last 30 ms, whose neighbours are uncorrelated, there and at
 *    every coarser level that has blocks enough to tell, and few of which tie. What correlation may
 *    be left (its estimate, freed of bias, and 0.4 errors of it) makes n blocks count as
 *    n (1 - rho) / (1 + rho). Nothing is said before there are 32 blocks of the shortest length.
 * 3. Interval. What two tests leave over, each at half of alpha.
 *    Signs: for a median m of n independent blocks, the number S of blocks above m is no more than
 *    a fair coin's, ties or not. The likelihood ratio of the coin, averaged over a Beta(4, 4)
 *    prior, is a martingale and exceeds 1 / alpha at any time with probability alpha at most
 *    (Ville). The m for which neither side exceeds 2 / alpha lie between the (n - S + 1)-th and the
 *    S-th least block.
 *    Sizes: the same for the t test of normal blocks of unknown spread, its effect averaged over a
 *    normal prior of variance 9. It needs few blocks, where signs say nothing yet.
 *    Every level of step 2 spends its own part of alpha, 6 / (pi k)^2 for the k-th from the
 *    shortest, so that changing the level costs nothing either. Where correlation asks for blocks
 *    of which there are too few, the last interval stays while the median lies in it.
 * 4. Verdict, from the interval at 99 % against the band of indifference (b per cent): FASTER when
 *    all of it lies above 1 + b/100, SLOWER when below 1 / (1 + b/100), SAME when inside, else
 *    CAN'T TELL. What is shown as the interval is the one at 95 %, which lies within.
 *
 * Source: H. Robbins, Statistical methods related to the law of the iterated logarithm (1970);
 * S. R. Howard, A. Ramdas, Sequential estimation of quantiles with applications to A/B testing and
 * best-arm identification (2022), for the median by the sign test; T. L. Lai, On confidence
 * sequences (1976), for the mean by the t test; block means as in simulation
 * output analysis: G. S. Fishman, Grouping observations in digital simulation (1978).
 *
 * Assumes that blocks at the chosen level are independent and that the median does not wander.
 * A difference that belongs to neither side (another address, another clock domain) is a
 * difference: that is what the band is for.
 *
 * Simulated, with drift, outliers, an advantage of the second place and quantised readings, every
 * frame a look (tests/test_duel.c prints it all; 300 runs of 10 s each, band 1 % / band 0):
 *   A/A runs that claim a difference    independent readings, 200 and 1000 frames/s, 20 us in
 *                                       steps of 32 ns and 0.5 us, 40 frames/s of 9 ms, loaded:
 *                                       0 / 0 %
 *                                       sides that wander apart, as much as the readings scatter,
 *                                       for 0.05 s: 0 / 2 %; for 0.25 s: 0 / 2 to 8 %; for 1 s, by
 *                                       0.4 %: 0 / 33 %
 *   A difference of 2 % found in 3 s    100 % of runs at 200 and 1000 frames/s, readings
 *                                       scattering by 0.5 to 1 %; after 1.3 s in the mean
 *   One of 5 % found in 5 s             99 % of runs at 30 and 40 frames/s scattering by 3 %;
 *                                       91 % at 40 frames/s and 5 %; half of them at 7 %
 * On a real CPU (2 cores shared with others, frames of 4 ms one after the other, 200 spheres and 10
 * more, a ratio of 1.043): found in 23 of 25 runs of 5 s, half of them after 1.4 s; the other two
 * met a process that took a core. Where others take half of the CPU all the time it is never found:
 * a frame then lasts two of the scheduler's slices, 8.00 ms on either side, whatever is in it, and
 * SAME is what the clock says. A/A there, 100 runs of 10 s: no claim.
 * What wanders as slowly as the run is long is a difference while it lasts; on an H200 two equal
 * kernels of 20 us wander apart by up to half a per cent.
 *
 * Memory is fixed. No pair costs more than some 25 us of CPU time, and most about one, since
 * nothing is ever made anew: the blocks of every length are kept sorted from the start, so that
 * changing the length is choosing another set, and when the room for values is full, what each two
 * of them make one has been built, value by value, beside it.
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
    KRN_DUEL_FASTER, /* A is the faster one */
    KRN_DUEL_SLOWER,
    KRN_DUEL_VERDICTS
};

/* "CAN'T TELL", "SAME", "FASTER", "SLOWER". */
const char *krn_duel_verdict_name(enum krn_duel_verdict verdict);

/* What a duel says now. */
struct krn_duel_result {
    size_t pairs;       /* pairs taken */
    size_t blocks;      /* blocks that the interval rests on */
    size_t block_pairs; /* pairs in each of them */
    bool valid;         /* there is an interval; without one the ratio rests on blocks alone */
    double ratio;       /* median of t_B / t_A; 1 when blocks == 0 */
    double low, high;   /* at 95 %, at all looks at once */
    double sure_low, sure_high; /* at 99 %: what the verdict rests on */
    enum krn_duel_verdict verdict;
};

/* Values in order of time, and their blocks of every length. */
struct krn_duel_blocks {
    size_t count; /* of values */
    double values[KRN_DUEL_CAPACITY];
    /* The same, but every whole run of 2^j values, the longest there is, in ascending order. */
    double runs[KRN_DUEL_CAPACITY];
    /* The blocks of 2^j values in ascending order: KRN_DUEL_CAPACITY >> j of them, after those of
     * the shorter ones. */
    double sorted[2 * KRN_DUEL_CAPACITY];
};

/* A duel; only the calls below look inside. */
struct krn_duel {
    double band; /* of indifference, as a logarithm */
    size_t pairs;
    double first_s, last_s; /* when the first and the newest pair were rendered */
    double waiting[2]; /* log-ratio of a pair that waits for one of the other order, by order */
    bool waits[2];

    double part; /* sum of the values that the next kept one is made of */
    size_t parts;
    int halvings;       /* a value holds 2^(halvings + 1) pairs */
    int level;          /* a block holds 2^level values */
    int least;          /* the level that the frame rate alone asks for */
    size_t next_check;  /* count of values at which the level is looked at again */
    double correlation; /* of neighbouring blocks, an upper estimate, >= 0 */
    struct krn_duel_result result;
    int now; /* which of the two is in use; in the other, each two values of it become one */
    struct krn_duel_blocks kept[2];
};

/* Starts anew. band_percent in 0..KRN_DUEL_BAND_PERCENT_MAX. */
void krn_duel_start(struct krn_duel *duel, double band_percent);

/* Takes one frame's pair; a_first says which ran first, at_s when, in seconds of any clock that
 * goes forward. Orders should alternate: of pairs that wait for the other order only the newest is
 * kept. A pair with a time that is not finite and positive is refused (false). */
bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s);

/* Kept up to date by krn_duel_add. */
const struct krn_duel_result *krn_duel_look(const struct krn_duel *duel);

#ifdef __cplusplus
}
#endif
#endif
