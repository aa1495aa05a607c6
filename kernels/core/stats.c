#include "krn/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool krn_series_push(struct krn_series *series, double sample)
{
    if (!(isfinite(sample) && sample >= 0.0))
        return false;
    series->samples[series->next] = sample;
    series->next = (series->next + 1) % KRN_SERIES_CAPACITY;
    if (series->count < KRN_SERIES_CAPACITY)
        series->count++;
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

double krn_quantile_sorted(const double *sorted, size_t n, double q)
{
    const double position = q * (double)(n - 1);
    const size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    const double fraction = position - (double)below;
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

/* Sorts in place. */
static struct krn_summary summary_of(double *samples, size_t n)
{
    struct krn_summary summary = {0};
    if (n == 0)
        return summary;
    qsort(samples, n, sizeof *samples, ascending);
    summary.n = n;
    summary.min = samples[0];
    summary.p5 = krn_quantile_sorted(samples, n, 0.05);
    summary.median = krn_quantile_sorted(samples, n, 0.5);
    summary.p95 = krn_quantile_sorted(samples, n, 0.95);
    summary.max = samples[n - 1];
    return summary;
}

struct krn_summary krn_series_summary(const struct krn_series *series)
{
    double sorted[KRN_SERIES_CAPACITY];
    memcpy(sorted, series->samples, series->count * sizeof *sorted);
    return summary_of(sorted, series->count);
}

struct krn_summary krn_summarise(const double *samples, size_t n)
{
    struct krn_summary summary = {0};
    double *sorted = n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return summary;
    memcpy(sorted, samples, n * sizeof *sorted);
    summary = summary_of(sorted, n);
    free(sorted);
    return summary;
}
