#include "judge/comparison.h"

#include "judge/trust.h"

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
