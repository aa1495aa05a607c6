/* Keeps samples sorted beside their order in time; quantiles. */
#include "krn/stats.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t krn_sorted_below(const double *sorted, size_t n, double value)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void krn_sorted_insert(double *sorted, size_t n, double value)
{
    const size_t at = krn_sorted_below(sorted, n, value);
    memmove(sorted + at + 1, sorted + at, (n - at) * sizeof *sorted);
    sorted[at] = value;
}

void krn_sorted_remove(double *sorted, size_t n, double value)
{
    const size_t at = krn_sorted_below(sorted, n, value);
    if (at < n)
        memmove(sorted + at, sorted + at + 1, (n - at - 1) * sizeof *sorted);
}

bool krn_series_push(struct krn_series *series, double sample)
{
    if (!(isfinite(sample) && sample >= 0.0))
        return false;
    if (series->count == KRN_SERIES_CAPACITY)
        krn_sorted_remove(series->sorted, series->count--, series->samples[series->next]);
    krn_sorted_insert(series->sorted, series->count++, sample);
    series->samples[series->next] = sample;
    series->next = (series->next + 1) % KRN_SERIES_CAPACITY;
    series->total++;
    return true;
}

void krn_series_clear(struct krn_series *series)
{
    memset(series, 0, sizeof *series);
}

double krn_series_at(const struct krn_series *series, size_t i)
{
    const size_t oldest =
        (series->next + KRN_SERIES_CAPACITY - series->count) % KRN_SERIES_CAPACITY;
    return series->samples[(oldest + i) % KRN_SERIES_CAPACITY];
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void krn_sort(double *samples, size_t n)
{
    if (n > 1)
        qsort(samples, n, sizeof *samples, ascending);
}

double *krn_sorted_copy(const double *samples, size_t n)
{
    double *sorted = krn_alloc(n, sizeof *sorted);
    if (n > 0)
        memcpy(sorted, samples, n * sizeof *sorted);
    krn_sort(sorted, n);
    return sorted;
}

double krn_quantile_sorted(const double *sorted, size_t n, double q)
{
    const double position = q * (double)(n - 1);
    const size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    const double fraction = position - (double)below;
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

static struct krn_summary summary_of(const double *sorted, size_t n)
{
    struct krn_summary summary = {0};
    if (n == 0)
        return summary;
    summary.n = n;
    summary.min = sorted[0];
    summary.p5 = krn_quantile_sorted(sorted, n, 0.05);
    summary.p25 = krn_quantile_sorted(sorted, n, 0.25);
    summary.median = krn_quantile_sorted(sorted, n, 0.5);
    summary.p75 = krn_quantile_sorted(sorted, n, 0.75);
    summary.p95 = krn_quantile_sorted(sorted, n, 0.95);
    summary.max = sorted[n - 1];
    return summary;
}

struct krn_summary krn_series_summary(const struct krn_series *series)
{
    return summary_of(series->sorted, series->count);
}

struct krn_summary krn_summarise(const double *samples, size_t n)
{
    double *sorted = krn_sorted_copy(samples, n);
    const struct krn_summary summary = summary_of(sorted, n);
    free(sorted);
    return summary;
}
