/* krn/stats.h - quantiles of samples.
 *
 * Quantiles are of type 7 (linear interpolation between order statistics), by the numbering of
 * R. J. Hyndman, Y. Fan, Sample Quantiles in Statistical Packages (1996). The median of an even
 * number of samples is therefore the mean of the two middle ones.
 *
 * Thread safety: functions on different series may run at the same time.
 */
#ifndef KRN_STATS_H
#define KRN_STATS_H

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

/* Returns a sorted copy, which the caller frees; NULL without samples or memory. */
double *krn_sorted_copy(const double *samples, size_t n);

/* Returns how many of n sorted values are smaller than value. */
size_t krn_sorted_below(const double *sorted, size_t n, double value);

/* Insert a value into n sorted values, with room for n + 1; remove a value from n sorted values,
 * one of which is equal to it. */
void krn_sorted_insert(double *sorted, size_t n, double value);
void krn_sorted_remove(double *sorted, size_t n, double value);

/* Returns the quantile q in 0..1 of n >= 1 sorted samples. */
double krn_quantile_sorted(const double *sorted, size_t n, double q);

#ifdef __cplusplus
}
#endif
#endif
