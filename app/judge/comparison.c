#include "judge/comparison.h"

#include "judge/trust.h"

#include <math.h>

/* Compares groups of two processes or more. */
static void compare_groups(const struct app_estimate *first, const struct app_estimate *other,
                           double band_percent, struct app_comparison *comparison)
{
    const double widen = first->widen + other->widen;
    const struct krn_across printed = krn_across_ratio(first->each, first->processes, other->each,
                                                       other->processes, KRN_INTERVAL_LEVEL, widen);
    const struct krn_across decides = krn_across_ratio(first->each, first->processes, other->each,
                                                       other->processes, KRN_VERDICT_LEVEL, widen);
    const struct krn_interval interval = {decides.valid, decides.low, decides.high};
    comparison->ratio = printed.value;
    comparison->valid = printed.valid;
    comparison->low = printed.low;
    comparison->high = printed.high;
    comparison->verdict = krn_ratio_judge(interval, 1.0 + band_percent / 100.0);
}

/* Compares where one side is a single process. */
static void compare_runs(struct app_estimate first, struct app_estimate other, double band_percent,
                         struct app_comparison *comparison)
{
    const struct app_estimate ratio = app_estimate_ratio(first, other);
    const struct krn_interval interval = {ratio.has_interval, ratio.low, ratio.high};
    comparison->ratio = ratio.value;
    comparison->valid = ratio.has_interval;
    comparison->low = ratio.low;
    comparison->high = ratio.high;
    if (krn_ratio_judge(interval, 1.0 + band_percent / 100.0) == KRN_RATIO_SAME)
        comparison->verdict = KRN_RATIO_SAME;
}

/* Returns how many processes measured a number; 0: unknown. */
static size_t measured_by(const struct app_estimate *estimate)
{
    return estimate->copied ? estimate->recorded : estimate->processes;
}

/* A single process that was measured here has an interval of this run alone. */
static bool is_of_this_run(const struct app_estimate *estimate)
{
    return !estimate->copied && estimate->processes < 2;
}

struct app_comparison app_compare_times(struct app_estimate first, struct app_estimate other,
                                        double band_percent)
{
    struct app_comparison comparison = {.verdict = KRN_RATIO_CANNOT_TELL};
    if (first.valid && other.valid) {
        comparison.processes[0] = first.processes;
        comparison.processes[1] = other.processes;
        comparison.measured_by[0] = measured_by(&first);
        comparison.measured_by[1] = measured_by(&other);
        comparison.this_run = is_of_this_run(&first) || is_of_this_run(&other);
        /* A copied result counts as one process: the values of its processes are not known. */
        if (first.processes > 1 && other.processes > 1)
            compare_groups(&first, &other, band_percent, &comparison);
        else
            compare_runs(first, other, band_percent, &comparison);
    }
    comparison.instead = app_trust_no_verdict(first.trust | other.trust);
    if (comparison.instead != NULL)
        comparison.verdict = KRN_RATIO_CANNOT_TELL;
    return comparison;
}

const char *app_comparison_scope(const struct app_comparison *comparison)
{
    const bool one = comparison->measured_by[0] == 1 || comparison->measured_by[1] == 1;
    return comparison->this_run ? " this run" : one ? " one process" : "";
}

const char *app_comparison_word(const struct app_comparison *comparison)
{
    return comparison->instead ? comparison->instead : krn_ratio_verdict_name(comparison->verdict);
}

/* --- two modes of this run --- */

enum { BLOCKS = 8 };

/* Quantiles of Student's t with BLOCKS - 1 degrees of freedom, for both ends at 95 and at 99 %. */
static const double t_shown = 2.3646, t_verdict = 3.4995;

/* Samples are clipped to these quantiles, so this share of them is not. */
static const double clip_from = 0.1, clip_to = 0.9, kept = 0.8;

/* The logarithm of a side's centre, and the square of its standard error. */
struct centre {
    double log_ms, squared_error;
};

static struct centre centre_of(const struct krn_series *series)
{
    const size_t n = series->count;
    const double low = krn_quantile_sorted(series->sorted, n, clip_from),
                 high = krn_quantile_sorted(series->sorted, n, clip_to),
                 median = krn_quantile_sorted(series->sorted, n, 0.5);
    double means[BLOCKS], squares = 0.0;
    struct centre centre = {0.0, 0.0};
    for (size_t block = 0; block < BLOCKS; block++) {
        const size_t begin = block * n / BLOCKS, end = (block + 1) * n / BLOCKS;
        double sum = 0.0;
        for (size_t i = begin; i < end; i++)
            sum += fmin(fmax(krn_series_at(series, i), low), high);
        /* One Newton step from the median: the clipped samples' mean follows a shift of the
         * samples by only the share that is not clipped. */
        const double mean = sum / (double)(end - begin);
        means[block] = log(fmax(median + (mean - median) / kept, 0.5 * low));
        centre.log_ms += means[block] / BLOCKS;
    }
    for (int block = 0; block < BLOCKS; block++)
        squares += (means[block] - centre.log_ms) * (means[block] - centre.log_ms);
    centre.squared_error = squares / (BLOCKS - 1) / BLOCKS;
    return centre;
}

struct app_comparison app_toggle_compare(struct app_toggle_side left, struct app_toggle_side now,
                                         double band_percent)
{
    struct app_comparison toggle = {.this_run = true};
    if (left.series->count < APP_TOGGLE_SAMPLES || now.series->count < APP_TOGGLE_SAMPLES ||
        !(left.series->sorted[0] > 0.0) || !(now.series->sorted[0] > 0.0))
        return toggle;
    const struct centre was = centre_of(left.series), is = centre_of(now.series);
    const double widen = log1p(krn_tick_fraction(left.tick_ms, exp(was.log_ms)) +
                               krn_tick_fraction(now.tick_ms, exp(is.log_ms)));
    const double ratio = was.log_ms - is.log_ms;
    const double error = sqrt(was.squared_error + is.squared_error);
    const double shown = t_shown * error + widen, verdict = t_verdict * error + widen;
    toggle.valid = true;
    toggle.ratio = exp(ratio);
    toggle.low = exp(ratio - shown);
    toggle.high = exp(ratio + shown);
    toggle.verdict =
        krn_ratio_judge((struct krn_interval){true, exp(ratio - verdict), exp(ratio + verdict)},
                        1.0 + band_percent / 100.0);
    if (toggle.verdict == KRN_RATIO_CANNOT_TELL &&
        (krn_series_wanders(left.series) || krn_series_wanders(now.series)))
        toggle.verdict = KRN_RATIO_WANDERING;
    return toggle;
}
