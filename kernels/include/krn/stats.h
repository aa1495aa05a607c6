/* krn/stats.h - statistics of samples; knows nothing of what was measured.
 *
 * Source of the definitions: R. J. Hyndman, Y. Fan, Sample Quantiles in Statistical Packages
 * (1996); the median of an even count is the mean of elements n/2-1 and n/2 of the sorted sample,
 * and quantiles are their type 7 (linear between order statistics), so the two agree.
 */
#ifndef KRN_STATS_H
#define KRN_STATS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_SERIES_CAPACITY = 240 };

/* The last KRN_SERIES_CAPACITY samples, oldest overwritten first. Zeroed is empty. */
struct krn_series {
    double samples[KRN_SERIES_CAPACITY];
    double sorted[KRN_SERIES_CAPACITY]; /* the held ones in ascending order */
    size_t next;                        /* where the next sample goes */
    size_t count;                       /* samples held, at most the capacity */
    unsigned long long total;           /* samples ever taken */
};

/* A sample that is not finite or is negative is refused (false): no NaN ever reaches a number.
 * Costs less than a microsecond, and so do the statistics of a series. */
bool krn_series_push(struct krn_series *series, double sample);
void krn_series_clear(struct krn_series *series);

/* Sample i of the held ones, 0 the oldest; i < count. */
double krn_series_at(const struct krn_series *series, size_t i);

/* What is said of a set of samples; n = 0: all numbers are 0 and mean nothing. */
struct krn_summary {
    size_t n;
    double min, p5, median, p95, max;
};

struct krn_summary krn_series_summary(const struct krn_series *series);

/* The same for n samples in any order; the array is not changed. n beyond what memory can sort
 * gives n = 0. */
struct krn_summary krn_summarise(const double *samples, size_t n);

/* Ascending order, in place. */
void krn_sort(double *samples, size_t n);

/* Puts a value into n sorted ones (the array has room for n + 1); takes one that is there out of n
 * sorted ones. */
void krn_sorted_insert(double *sorted, size_t n, double value);
void krn_sorted_remove(double *sorted, size_t n, double value);

/* Quantile q in 0..1 of n >= 1 samples sorted in ascending order. */
double krn_quantile_sorted(const double *sorted, size_t n, double q);

#ifdef __cplusplus
}
#endif
#endif
