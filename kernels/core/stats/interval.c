/* Order statistics, bootstrap, and tests for drift and wandering. */
#include "krn/stats.h"

#include <math.h>
#include <stdlib.h>

size_t krn_interval_rank(size_t n, double level)
{
    if (n == 0 || !(level > 0.0 && level < 1.0))
        return 0;
    /* The binomial tail beyond ten standard deviations is negligible at any level. */
    const double size = (double)n, middle = size / 2.0;
    const double first = floor(middle - 5.0 * sqrt(size));
    double k = first > 0.0 ? first : 0.0;
    double term =
        exp(lgamma(size + 1.0) - lgamma(k + 1.0) - lgamma(size - k + 1.0) - size * log(2.0));
    double below = 0.0;
    while (k < middle && 2.0 * (below + term) <= 1.0 - level) {
        below += term;
        term *= (size - k) / (k + 1.0);
        k += 1.0;
    }
    return (size_t)k;
}

struct krn_interval krn_interval_order(const double *sorted, size_t n, double level)
{
    struct krn_interval interval = {false, 0.0, 0.0};
    const size_t rank = n >= KRN_INTERVAL_SAMPLES_MIN ? krn_interval_rank(n, level) : 0;
    if (rank == 0)
        return interval;
    interval.valid = true;
    interval.low = sorted[rank - 1];
    interval.high = sorted[n - rank];
    return interval;
}

/* Evaluates the continued fraction of the incomplete beta function by the modified Lentz method. */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 10000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double steps[2] = {even, odd};
        double change = 1.0;
        for (int i = 0; i < 2; i++) {
            d = 1.0 + steps[i] * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + steps[i] / c;
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            value *= change;
        }
        if (fabs(change - 1.0) < 1e-14)
            break;
    }
    return value;
}

double krn_beta_cdf(double x, double a, double b)
{
    if (!(x > 0.0))
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    /* The fraction converges fast below the mean; above it, use the symmetry of the function. */
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * beta_fraction(x, a, b) / a;
    return 1.0 - front * beta_fraction(1.0 - x, b, a) / b;
}

struct krn_interval krn_interval_bootstrap(const double *sorted, size_t n, double level)
{
    struct krn_interval interval = {false, 0.0, 0.0};
    if (n < KRN_INTERVAL_SAMPLES_MIN || !(level > 0.0 && level < 1.0))
        return interval;
    /* Find the lower quantile of the resampled median as a fraction of the sorted sample. */
    const double shape = ((double)n + 1.0) / 2.0, tail = (1.0 - level) / 2.0;
    double low = 0.0, high = 0.5;
    for (int step = 0; step < 50; step++) {
        const double middle = 0.5 * (low + high);
        if (krn_beta_cdf(middle, shape, shape) < tail)
            low = middle;
        else
            high = middle;
    }
    /* `position` counts from 0; the upper end of the interval is its mirror image. */
    const double last = (double)(n - 1);
    const double position = fmin(fmax(low * (double)n - 0.5, 0.0), last / 2.0);
    const size_t below = (size_t)position;
    const double fraction = position - (double)below;
    const double *const top = sorted + (n - 1 - below);
    interval.valid = true;
    interval.low = sorted[below];
    interval.high = *top;
    if (fraction > 0.0) {
        interval.low += fraction * (sorted[below + 1] - sorted[below]);
        interval.high -= fraction * (top[0] - top[-1]);
    }
    return interval;
}

bool krn_settled_within(const double *samples, size_t n, double within)
{
    enum { HALF = KRN_SETTLED_SAMPLES / 2 };
    if (n < KRN_SETTLED_SAMPLES)
        return false;
    const double *const last = samples + n - KRN_SETTLED_SAMPLES;
    const double first = krn_summarise(last, HALF).median,
                 second = krn_summarise(last + HALF, HALF).median;
    return fabs(second - first) <= within * fmin(first, second);
}

bool krn_settled(const double *samples, size_t n)
{
    return krn_settled_within(samples, n, KRN_SETTLED_WITHIN);
}

bool krn_series_settled(const struct krn_series *series)
{
    double last[KRN_SETTLED_SAMPLES];
    if (series->count < KRN_SETTLED_SAMPLES)
        return false;
    for (size_t i = 0; i < KRN_SETTLED_SAMPLES; i++)
        last[i] = krn_series_at(series, series->count - KRN_SETTLED_SAMPLES + i);
    return krn_settled(last, KRN_SETTLED_SAMPLES);
}

/* Checks for wandering. Values outside of low..high count as these: outliers would hide it. */
static bool wanders(const double *samples, size_t n, double low, double high)
{
    double means[KRN_WANDER_BLOCKS], all = 0.0, least = HUGE_VAL, most = 0.0;
    const size_t block = n / KRN_WANDER_BLOCKS;
    const double *sample = samples + n - block * KRN_WANDER_BLOCKS;
    for (size_t i = 0; i < KRN_WANDER_BLOCKS; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < block; k++)
            sum += fmin(fmax(*sample++, low), high);
        means[i] = sum / (double)block;
        all += means[i] / KRN_WANDER_BLOCKS;
        least = fmin(least, means[i]);
        most = fmax(most, means[i]);
    }
    if (!(most - least > KRN_WANDER_OVER * all))
        return false;
    double steps = 0.0, deviations = 0.0;
    for (size_t i = 0; i < KRN_WANDER_BLOCKS; i++) {
        const double step = i > 0 ? means[i] - means[i - 1] : 0.0;
        steps += step * step;
        deviations += (means[i] - all) * (means[i] - all);
    }
    return steps < KRN_WANDER_RATIO * deviations;
}

/* The quantiles outside of which samples count as outliers: most outliers are long. */
static const double wander_low = 0.1, wander_high = 0.8;

bool krn_wanders(const double *samples, size_t n)
{
    if (n < KRN_SETTLED_SAMPLES)
        return false;
    double *sorted = krn_sorted_copy(samples, n);
    const bool found = wanders(samples, n, krn_quantile_sorted(sorted, n, wander_low),
                               krn_quantile_sorted(sorted, n, wander_high));
    free(sorted);
    return found;
}

bool krn_series_wanders(const struct krn_series *series)
{
    double samples[KRN_SERIES_CAPACITY];
    const size_t n = series->count;
    if (n < KRN_SETTLED_SAMPLES)
        return false;
    for (size_t i = 0; i < n; i++)
        samples[i] = krn_series_at(series, i);
    return wanders(samples, n, krn_quantile_sorted(series->sorted, n, wander_low),
                   krn_quantile_sorted(series->sorted, n, wander_high));
}

struct krn_interval krn_series_interval(const struct krn_series *series)
{
    return krn_interval_order(series->sorted, series->count, KRN_INTERVAL_LEVEL);
}

struct krn_interval krn_interval_of(const double *samples, size_t n)
{
    double *sorted = krn_sorted_copy(samples, n);
    const struct krn_interval interval = krn_interval_bootstrap(sorted, n, KRN_INTERVAL_LEVEL);
    free(sorted);
    return interval;
}

struct krn_interval krn_interval_widen(struct krn_interval interval, double tick)
{
    if (!interval.valid || !(tick > 0.0))
        return interval;
    return (struct krn_interval){true, fmax(0.0, interval.low - 0.5 * tick),
                                 interval.high + 0.5 * tick};
}

enum krn_ratio_verdict krn_ratio_judge(struct krn_interval ratio, double band)
{
    if (!ratio.valid)
        return KRN_RATIO_CANNOT_TELL;
    return ratio.low > band                                ? KRN_RATIO_FASTER
           : ratio.high < 1.0 / band                       ? KRN_RATIO_SLOWER
           : ratio.low >= 1.0 / band && ratio.high <= band ? KRN_RATIO_SAME
                                                           : KRN_RATIO_CANNOT_TELL;
}

bool krn_ratio_claims(enum krn_ratio_verdict verdict)
{
    return verdict == KRN_RATIO_FASTER || verdict == KRN_RATIO_SLOWER;
}

enum krn_stop krn_stop_check(const struct krn_stop_rule *rule, size_t n, double median,
                             struct krn_interval interval, double seconds)
{
    if (n >= rule->at_most)
        return KRN_STOP_FULL;
    if (rule->width > 0.0 && n >= rule->at_least && interval.valid &&
        interval.high - interval.low <= rule->width * median)
        return KRN_STOP_NARROW;
    return seconds >= rule->seconds ? KRN_STOP_TIME : KRN_STOP_NOT;
}

const char *krn_stop_name(enum krn_stop stop)
{
    static const char *const names[KRN_STOP_KINDS] = {"not", "narrow", "time", "count"};
    return (int)stop >= 0 && stop < KRN_STOP_KINDS ? names[stop] : "n/a";
}
