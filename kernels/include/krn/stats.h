/* krn/stats.h - quantiles of samples.
 *
 * Quantiles are of type 7 (linear interpolation between order statistics), by the numbering of
 * R. J. Hyndman, Y. Fan, Sample Quantiles in Statistical Packages (1996). The median of an even
 * number of samples is therefore the mean of the two middle ones.
 *
 * Thread safety: functions on different series may run at the same time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_SERIES_CAPACITY = 240 };

/* A ring buffer of the latest KRN_SERIES_CAPACITY samples. A zeroed series is empty. */
struct krn_series {
    double samples[KRN_SERIES_CAPACITY];
    double sorted[KRN_SERIES_CAPACITY]; /* the stored samples in ascending order */
    size_t next;                        /* index of the next sample */
    size_t count;                       /* stored samples, at most the capacity */
    unsigned long long total;           /* samples since the last clear */
};

/* Appends a sample. Returns false, and ignores the sample, when it is negative or not finite. Costs
 * less than a microsecond, as do krn_series_summary and krn_series_at. */
bool krn_series_push(struct krn_series *series, double sample);
void krn_series_clear(struct krn_series *series);

/* Returns stored sample i, 0 for the oldest; i < count. */
double krn_series_at(const struct krn_series *series, size_t i);

/* Quantiles of n samples. All are 0 when n is 0. */
struct krn_summary {
    size_t n;
    double min, p5, p25, median, p75, p95, max;
};

struct krn_summary krn_series_summary(const struct krn_series *series);

/* Summarises n samples in any order and leaves the array unchanged. Returns n = 0 when memory is
 * full. */
struct krn_summary krn_summarise(const double *samples, size_t n);

/* Sorts in ascending order, in place. */
void krn_sort(double *samples, size_t n);

/* Returns a sorted copy, which the caller frees. */
double *krn_sorted_copy(const double *samples, size_t n);

/* Returns how many of n sorted values are smaller than value. */
size_t krn_sorted_below(const double *sorted, size_t n, double value);

/* Insert a value into n sorted values, with room for n + 1; remove a value from n sorted values,
 * one of which is equal to it. */
void krn_sorted_insert(double *sorted, size_t n, double value);
void krn_sorted_remove(double *sorted, size_t n, double value);

/* Returns the quantile q in 0..1 of n >= 1 sorted samples. */
double krn_quantile_sorted(const double *sorted, size_t n, double q);

/* --- intervals --- */

/* Every function is deterministic: the same samples give the same interval on every machine. The
 * intervals assume independent samples of one distribution. With drift or correlated samples, the
 * true uncertainty is larger than the interval.
 *
 * Thread safety: every function may be called from any thread. */

enum {
    KRN_INTERVAL_SAMPLES_MIN = 6, /* fewer samples have no 95 % interval */
    KRN_SETTLED_SAMPLES = 60,
    KRN_WANDER_BLOCKS = 12
};

#define KRN_INTERVAL_LEVEL 0.95
#define KRN_SETTLED_WITHIN 0.02
#define KRN_WANDER_OVER 0.01
#define KRN_WANDER_RATIO 0.75

struct krn_interval {
    bool valid; /* false: too few samples; low and high are then 0 */
    double low, high;
};

/* Returns the distribution-free interval of the median: from the r-th smallest to the r-th largest
 * sample, with the largest r for which 2 P(Binomial(n, 1/2) < r) <= 1 - level. It contains the
 * median of the distribution with a probability of at least `level`; for few samples, with clearly
 * more. Costs O(sqrt n). sorted is in ascending order; 0 < level < 1. Invalid when no r reaches the
 * level. Source: H. A. David, H. N. Nagaraja, Order Statistics (2003), 7.1. */
struct krn_interval krn_interval_order(const double *sorted, size_t n, double level);

/* Returns the rank r of krn_interval_order, 1 for the smallest sample; 0 when there is none. */
size_t krn_interval_rank(size_t n, double level);

/* Returns the percentile interval of the bootstrapped median, in closed form. The median of n draws
 * with replacement is at most the sample of rank j with probability I(j/n; (n+1)/2, (n+1)/2), where
 * I is the regularised incomplete beta function (exact for odd n). The interval's ends are the two
 * quantiles of that distribution in the sorted sample, with linear interpolation between ranks and
 * rank j at (j - 1/2) / n. This is the limit of infinitely many resamples, interpolated, so its
 * coverage is closer to the level than that of an interval of whole ranks: simulated coverage of
 * the 95 % interval for lognormal, exponential and outlier-ridden noise is 94.1 to 95.4 % at n = 50
 * and 94.5 to 96.0 % at n = 500 (tests/kernels/stats/test_interval.c).
 * Source: B. Efron, Bootstrap methods (1979), section 3; J. S. Maritz, R. G. Jarrett, A note on
 * estimating the variance of the sample median (1978). */
struct krn_interval krn_interval_bootstrap(const double *sorted, size_t n, double level);

/* Returns P(X <= x) of the Beta(a, b) distribution, a and b > 0. Source: DLMF 8.17.22. */
double krn_beta_cdf(double x, double a, double b);

/* Return true when the last KRN_SETTLED_SAMPLES samples, in the order of measurement, have settled:
 * the medians of their two halves differ by at most KRN_SETTLED_WITHIN of the smaller one. */
bool krn_settled(const double *samples, size_t n);
/* The same with another fraction. */
bool krn_settled_within(const double *samples, size_t n, double within);
bool krn_series_settled(const struct krn_series *series);

/* Return true when samples, in the order of measurement, wander: they drift so slowly that the next
 * run would find another median. The samples are cut into KRN_WANDER_BLOCKS blocks; outliers,
 * outside of the 10th to the 80th percentile, count as these percentiles. The means of the blocks
 * then span more than KRN_WANDER_OVER of their mean, and neighbouring ones resemble each other: the
 * sum of their squared differences over the sum of their squared deviations is below
 * KRN_WANDER_RATIO, as it is for independent samples in 1 of 100 runs at most. False below
 * KRN_SETTLED_SAMPLES samples. krn_series_wanders costs about a microsecond. Source: J. von
 * Neumann, Distribution of the ratio of the mean square successive difference to the variance
 * (1941). */
bool krn_wanders(const double *samples, size_t n);
bool krn_series_wanders(const struct krn_series *series);

/* Returns krn_interval_order of a series at KRN_INTERVAL_LEVEL. */
struct krn_interval krn_series_interval(const struct krn_series *series);

/* Returns krn_interval_bootstrap of samples in any order at KRN_INTERVAL_LEVEL. Invalid also when
 * memory is full. */
struct krn_interval krn_interval_of(const double *samples, size_t n);

/* Widens an interval by half of the clock's tick on both sides, so that none is narrower than the
 * tick: readings are whole ticks, and their median is the one nearest to the true median, at most
 * half a tick away. low stays >= 0. An invalid interval stays invalid. */
struct krn_interval krn_interval_widen(struct krn_interval interval, double tick);

/* What the interval of a ratio of speeds says, beyond a band of indifference around 1. */
enum krn_ratio_verdict {
    KRN_RATIO_CANNOT_TELL,
    KRN_RATIO_SAME,
    KRN_RATIO_FASTER,
    KRN_RATIO_SLOWER,
    KRN_RATIO_WANDERING, /* the sides wander apart too slowly for the run to average it out */
    KRN_RATIO_VERDICTS
};

/* Returns the verdict of an interval; CANNOT_TELL for an invalid one, WANDERING never. band: the
 * ratio where the band ends, 1.01 for one of 1 %; it begins at the reciprocal. */
enum krn_ratio_verdict krn_ratio_judge(struct krn_interval ratio, double band);

/* True for FASTER and SLOWER. */
bool krn_ratio_claims(enum krn_ratio_verdict verdict);

/* The reason why a headless measurement stopped. */
enum krn_stop {
    KRN_STOP_NOT,    /* it has not stopped */
    KRN_STOP_NARROW, /* the interval is narrow enough */
    KRN_STOP_TIME,   /* the time budget is spent */
    KRN_STOP_FULL,   /* the requested number of samples, or the buffer's capacity, is reached */
    KRN_STOP_KINDS
};

struct krn_stop_rule {
    double width;    /* stop when (high - low) / median is at most this; 0: never */
    double seconds;  /* time budget, > 0 */
    size_t at_least; /* samples before the width counts */
    size_t at_most;  /* samples */
};

/* Checks the rule after n samples and the given seconds. Each check is another chance to find the
 * interval narrow by luck, so check at growing values of n rather than after every sample. */
enum krn_stop krn_stop_check(const struct krn_stop_rule *rule, size_t n, double median,
                             struct krn_interval interval, double seconds);

/* Returns "narrow", "time" or "count"; "not" for KRN_STOP_NOT. */
const char *krn_stop_name(enum krn_stop stop);

#ifdef __cplusplus
}
#endif
