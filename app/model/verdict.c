/* app/model/verdict.c - verdicts from intervals, every rule a list of ranges; their words. */
#include "model/verdict.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct app_verdict_entry entries[APP_VERDICTS] = {
    [APP_VERDICT_NONE] = {"", "", APP_SENSE_QUIET, "", ""},
    [APP_VERDICT_FASTER] = {"FASTER", "↑", APP_SENSE_GOOD,
                            "the whole interval beyond the band of indifference, above 1",
                            "faster"},
    [APP_VERDICT_SLOWER] = {"SLOWER", "↓", APP_SENSE_BAD,
                            "the whole interval beyond the band of indifference, below 1",
                            "slower"},
    [APP_VERDICT_SAME] = {"SAME", "=", APP_SENSE_NEUTRAL,
                          "the whole interval within the band of indifference", "the same"},
    [APP_VERDICT_WANDERING] = {"WANDERING", "?", APP_SENSE_QUIET,
                               "a side drifts too slowly for the run to average it out",
                               "drifting"},
    [APP_VERDICT_NOT_TRUSTED] = {"NOT TRUSTED", "?", APP_SENSE_WARNING,
                                 "one side against itself shows a difference, too", "not decided"},
    [APP_VERDICT_SAME_CACHES] = {"SAME CACHES", "=", APP_SENSE_NEUTRAL,
                                 "the sides differ by the storage alone, and the device is a CPU",
                                 "the same caches here: no difference to expect"},
    [APP_VERDICT_NOT_APPLICABLE] = {"not applicable", "–", APP_SENSE_QUIET,
                                    "a claim about GPUs, on a CPU", "not applicable"},
    [APP_VERDICT_NOT_MEASURED] = {"not measured", "…", APP_SENSE_QUIET,
                                  "no number yet, too few samples, or none on this device; the row "
                                  "says which",
                                  "not measured"},
    [APP_VERDICT_HOLDS] = {"HOLDS", "✓", APP_SENSE_GOOD,
                           "the whole interval agrees: within 10 % of a claimed size, or 5 points "
                           "of a level",
                           "holds"},
    [APP_VERDICT_SMALLER] = {"SMALLER", "↓", APP_SENSE_NEUTRAL,
                             "the claimed direction, and the whole interval shows less effect",
                             "less than said"},
    [APP_VERDICT_LARGER] = {"LARGER", "↑", APP_SENSE_GOOD,
                            "the claimed direction, and the whole interval shows more effect",
                            "more than said"},
    [APP_VERDICT_INVERTED] = {"INVERTED", "↔", APP_SENSE_BAD,
                              "the whole interval beyond the band of indifference, on the other "
                              "side of 1",
                              "the reverse is true"},
    [APP_VERDICT_CANT_TELL] = {"CAN'T TELL", "?", APP_SENSE_QUIET,
                               "the interval allows more than one verdict, or there is none",
                               "not decided"},
    [APP_VERDICT_ABOVE] = {"ABOVE", "↑", APP_SENSE_GOOD,
                           "the whole interval more than 5 points above the claimed level",
                           "more than said"},
    [APP_VERDICT_BELOW] = {"BELOW", "↓", APP_SENSE_NEUTRAL,
                           "the whole interval more than 5 points below the claimed level",
                           "less than said"},
    [APP_VERDICT_DEPENDS] = {"DEPENDS", "◐", APP_SENSE_NEUTRAL,
                             "the claim holds in some of several cases and fails in others",
                             "it depends"},
    [APP_VERDICT_FAILS] = {"FAILS", "✗", APP_SENSE_BAD,
                           "a condition of the claim is surely not met", "does not hold"},
    [APP_VERDICT_WRONG] = {"WRONG", "✗", APP_SENSE_BAD, "a result behind the number is wrong",
                           "wrong result"},
    [APP_VERDICT_DO_NOT_QUOTE] = {"DO NOT QUOTE", "✗", APP_SENSE_WARNING,
                                  "a grave reason speaks against the number, such as throttling",
                                  "do not quote"},
};

const struct app_verdict_entry *app_verdict_entry(enum app_verdict verdict)
{
    return &entries[verdict];
}

const char *app_verdict_word(enum app_verdict verdict)
{
    return entries[verdict].word;
}

enum app_verdict app_verdict_of_word(const char *word)
{
    int verdict = word != NULL ? APP_VERDICTS - 1 : APP_VERDICT_NONE;
    while (verdict > APP_VERDICT_NONE && strcmp(entries[verdict].word, word) != 0)
        verdict--;
    return (enum app_verdict)verdict;
}

enum app_verdict app_verdict_of_duel(enum krn_ratio_verdict verdict)
{
    static const enum app_verdict of[KRN_RATIO_VERDICTS] = {
        [KRN_RATIO_CANNOT_TELL] = APP_VERDICT_CANT_TELL,
        [KRN_RATIO_SAME] = APP_VERDICT_SAME,
        [KRN_RATIO_FASTER] = APP_VERDICT_FASTER,
        [KRN_RATIO_SLOWER] = APP_VERDICT_SLOWER,
        [KRN_RATIO_WANDERING] = APP_VERDICT_WANDERING};
    return of[verdict];
}

enum app_verdict app_trust_no_verdict(unsigned reasons)
{
    return reasons & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) ? APP_VERDICT_WRONG
           : app_trust_level(reasons) == APP_TRUST_RED      ? APP_VERDICT_DO_NOT_QUOTE
                                                            : APP_VERDICT_NONE;
}

/* --- from an interval to a verdict --- */

/* A level HOLDS within this many percentage points of the claim, the size of a ratio or of anything
 * else within this factor of it. */
static const double level_points = 5.0, size_factor = 1.1;

/* A kernel is bound by one roof when it is this many times as near to it as to the other. */
static const double bound_factor = 2.0;

/* Returns the ratio where the band of indifference ends; it begins at the reciprocal. */
static double end_of(double band_percent)
{
    return 1.0 + band_percent / 100.0;
}

enum app_verdict app_verdict_ratio(struct krn_interval ratio, double band_percent)
{
    return app_verdict_of_duel(krn_ratio_judge(ratio, end_of(band_percent)));
}

/* Returns the verdict on n numbers that takes the place of what their intervals say; NONE: nothing
 * does. */
static enum app_verdict barred(const struct app_estimate *numbers, size_t n)
{
    bool valid = true, decides = true;
    unsigned trust = 0;
    for (size_t i = 0; i < n; i++) {
        valid = valid && numbers[i].valid;
        decides = decides && numbers[i].has_interval;
        trust |= numbers[i].trust;
    }
    const enum app_verdict none = app_trust_no_verdict(trust);
    return !valid                     ? APP_VERDICT_NOT_MEASURED
           : none != APP_VERDICT_NONE ? none
           : decides                  ? APP_VERDICT_NONE
                                      : APP_VERDICT_CANT_TELL;
}

/* The numbers next to x. */
static double above(double x)
{
    return nextafter(x, INFINITY);
}

static double below(double x)
{
    return nextafter(x, -INFINITY);
}

enum app_verdict app_verdict_by(enum app_rule rule, struct app_estimate number, double claimed,
                                double band_percent)
{
    const double end = end_of(band_percent), least = claimed / size_factor,
                 most = claimed * size_factor;
    enum { RANGES = 4 };
    const struct {
        double from, to; /* both belong to the range */
        enum app_verdict verdict;
    } rules[][RANGES] = {
        [APP_RULE_RATIO] = {{fmax(least, above(end)), most, APP_VERDICT_HOLDS},
                            {above(end), below(least), APP_VERDICT_SMALLER},
                            {above(fmax(most, end)), INFINITY, APP_VERDICT_LARGER},
                            {-INFINITY, below(1.0 / end), APP_VERDICT_INVERTED}},
        [APP_RULE_GREATER] = {{above(end), INFINITY, APP_VERDICT_HOLDS},
                              {-INFINITY, below(1.0 / end), APP_VERDICT_INVERTED}},
        [APP_RULE_FASTER] = {{above(end), INFINITY, APP_VERDICT_HOLDS},
                             {-INFINITY, below(end), APP_VERDICT_FAILS}},
        [APP_RULE_LEVEL] = {{claimed - level_points, claimed + level_points, APP_VERDICT_HOLDS},
                            {-INFINITY, below(claimed - level_points), APP_VERDICT_BELOW},
                            {above(claimed + level_points), INFINITY, APP_VERDICT_ABOVE}},
        [APP_RULE_SIZE] = {{least, most, APP_VERDICT_HOLDS},
                           {-INFINITY, below(least), APP_VERDICT_SMALLER},
                           {above(most), INFINITY, APP_VERDICT_LARGER}},
        [APP_RULE_LESS] = {{-INFINITY, below(claimed), APP_VERDICT_HOLDS},
                           {above(claimed), INFINITY, APP_VERDICT_FAILS}},
        [APP_RULE_LEAST] = {{claimed, INFINITY, APP_VERDICT_HOLDS},
                            {-INFINITY, below(claimed), APP_VERDICT_FAILS}},
        [APP_RULE_BOUND] = {{bound_factor, INFINITY, APP_VERDICT_HOLDS},
                            {-INFINITY, 1.0 / bound_factor, APP_VERDICT_FAILS}},
    };
    const enum app_verdict bar = barred(&number, 1);
    if (bar != APP_VERDICT_NONE)
        return bar;
    const struct krn_interval interval = app_estimate_verdict_interval(number);
    for (int i = 0; interval.valid && i < RANGES && rules[rule][i].verdict; i++)
        if (interval.low >= rules[rule][i].from && interval.high <= rules[rule][i].to)
            return rules[rule][i].verdict;
    return APP_VERDICT_CANT_TELL;
}

bool app_verdict_is_judged(enum app_verdict verdict)
{
    return verdict > APP_VERDICT_NOT_MEASURED;
}

bool app_verdict_agrees(enum app_verdict verdict, enum app_rule rule)
{
    return verdict == APP_VERDICT_HOLDS || verdict == APP_VERDICT_ABOVE ||
           (verdict == APP_VERDICT_LARGER && rule == APP_RULE_RATIO);
}

/* Returns the verdict on n numbers whose intervals tell whether a condition surely holds, or surely
 * fails. */
static enum app_verdict decide(const struct app_estimate *numbers, size_t n, bool holds, bool fails)
{
    const enum app_verdict bar = barred(numbers, n);
    return bar != APP_VERDICT_NONE ? bar
           : holds                 ? APP_VERDICT_HOLDS
           : fails                 ? APP_VERDICT_FAILS
                                   : APP_VERDICT_CANT_TELL;
}

enum app_verdict app_verdict_half(struct app_estimate many, struct app_estimate few)
{
    const struct app_estimate both[] = {many, few};
    return decide(both, 2, isfinite(few.high) && few.high <= many.low / 2.0,
                  isinf(few.low) || few.low > many.high / 2.0);
}

enum app_verdict app_verdict_no_fewer(struct app_estimate more, struct app_estimate less)
{
    const struct app_estimate both[] = {more, less};
    return decide(both, 2, isfinite(less.high) && more.low >= less.high, more.high < less.low);
}

enum app_verdict app_verdict_never_rises(const struct app_estimate *numbers, size_t n)
{
    const struct app_estimate *first = &numbers[0], *last = &numbers[n - 1];
    bool holds = isfinite(first->high) && last->high <= first->low / 2.0,
         fails = isinf(first->low) || last->low > first->high / 2.0;
    for (size_t i = 1; i < n; i++) {
        holds = holds && numbers[i].high <= numbers[i - 1].low;
        fails = fails || isinf(numbers[i].low) || numbers[i].low > numbers[i - 1].high;
    }
    return decide(numbers, n, holds, fails);
}

/* --- the description of a number --- */

struct app_described app_describe(struct app_estimate estimate, struct app_form form)
{
    const enum app_verdict none = app_trust_no_verdict(estimate.trust);
    struct app_described described = {.estimate = estimate,
                                      .verdict = none ? none : form.verdict,
                                      .number.value = "–",
                                      .text = "–"};
    if (!estimate.valid)
        return described;
    const double scale = form.scale > 0.0 ? form.scale : 1.0,
                 like = form.like > 0.0 ? form.like : estimate.value;
    const struct app_unit unit =
        app_unit_of(form.quantity, form.unit ? form.unit : "", like * scale);
    const double value = app_unit_value(&unit, estimate.value * scale),
                 low = app_unit_value(&unit, estimate.low * scale),
                 high = app_unit_value(&unit, estimate.high * scale);
    const bool differs = form.verdict == APP_VERDICT_FASTER || form.verdict == APP_VERDICT_SLOWER;
    const int plain = app_number_decimals(value, 0.0),
              within = estimate.has_interval ? app_number_decimals(value, high - low) : plain,
              ratio = app_number_ratio_decimals(value, differs);
    const struct {
        int value, ends;
    } decimals[] = {[APP_DIGITS_PLAIN] = {plain, APP_DECIMALS_PLAIN},
                    [APP_DIGITS_ENDS] = {plain, within},
                    [APP_DIGITS_WIDTH] = {within, within},
                    [APP_DIGITS_RATIO] = {ratio, ratio}};
    described.number = app_number_fixed(value, decimals[form.digits].value, unit.name);
    snprintf(described.text, sizeof described.text, "%s%s%s", described.number.value,
             unit.name[0] == 0 || strcmp(unit.name, "×") == 0 ? "" : " ", unit.name);
    if (estimate.has_interval)
        snprintf(described.interval, sizeof described.interval, "%s",
                 app_number_interval(low, high, value, decimals[form.digits].ends).text);
    return described;
}

/* --- comparisons of times --- */

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

/* Compares groups of two processes or more. */
static void compare_groups(const struct app_estimate *first, const struct app_estimate *other,
                           double band_percent, struct app_comparison *comparison)
{
    const double widen = first->widen + other->widen;
    const struct krn_across printed = krn_across_ratio(first->each, first->processes, other->each,
                                                       other->processes, KRN_INTERVAL_LEVEL, widen);
    const struct krn_across decides = krn_across_ratio(first->each, first->processes, other->each,
                                                       other->processes, KRN_VERDICT_LEVEL, widen);
    comparison->ratio = (struct app_estimate){.valid = printed.value > 0.0,
                                              .has_interval = printed.valid,
                                              .value = printed.value,
                                              .low = printed.low,
                                              .high = printed.high};
    comparison->verdict = app_verdict_ratio(
        (struct krn_interval){decides.valid, decides.low, decides.high}, band_percent);
}

/* Compares where one side is a single process. */
static void compare_runs(struct app_estimate first, struct app_estimate other, double band_percent,
                         struct app_comparison *comparison)
{
    const struct app_estimate ratio = app_estimate_ratio(first, other);
    const struct krn_interval interval = {ratio.has_interval, ratio.low, ratio.high};
    comparison->ratio = ratio;
    if (app_verdict_ratio(interval, band_percent) == APP_VERDICT_SAME)
        comparison->verdict = APP_VERDICT_SAME;
}

bool app_same_caches(struct app_duel_side a, struct app_duel_side b)
{
    return a.backend == b.backend && !krn_backend_get(a.backend)->can->distinct_storages &&
           a.mode.kernel == b.mode.kernel && a.mode.pixels_per_thread == b.mode.pixels_per_thread &&
           a.mode.storage != b.mode.storage;
}

struct app_comparison app_compare_times(struct app_estimate first, struct app_estimate other,
                                        double band_percent)
{
    const unsigned trust = first.trust | other.trust;
    const enum app_verdict none = app_trust_no_verdict(trust);
    struct app_comparison comparison = {.verdict = APP_VERDICT_CANT_TELL};
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
    comparison.ratio.trust = trust;
    if (none != APP_VERDICT_NONE)
        comparison.verdict = none;
    return comparison;
}

const char *app_comparison_scope(const struct app_comparison *comparison)
{
    const bool one = comparison->measured_by[0] == 1 || comparison->measured_by[1] == 1;
    return comparison->this_run ? " this run" : one ? " one process" : "";
}

/* Writes a factor of 1 or more: "20 %", from 2 on "12×". fine: with one digit more. */
static void write_factor(double factor, bool fine, char *text, size_t size)
{
    const double percent = 100.0 * (factor - 1.0);
    const bool times = factor >= 2.0;
    const double shown = times ? factor : percent;
    const int digits = (shown >= 10.0 ? 0 : 1) + (fine ? 1 : 0);
    app_format(text, size, "%.*f%s", digits, shown, times ? "×" : " %");
}

struct app_said app_comparison_say(const struct app_comparison *comparison,
                                   const char *const names[2], bool settles)
{
    const struct app_estimate *ratio = &comparison->ratio;
    const enum app_verdict verdict = comparison->verdict, none = app_trust_no_verdict(ratio->trust);
    struct app_said said = {.faster = -1};
    if (none != APP_VERDICT_NONE) {
        snprintf(said.text, sizeof said.text, "%s", app_verdict_entry(none)->says);
        return said;
    }
    if (verdict == APP_VERDICT_SAME_CACHES) {
        const char *words = entries[verdict].says;
        const int first = (int)strcspn(words, ":");
        said.firm = true;
        snprintf(said.text, sizeof said.text, "%.*s", first, words);
        snprintf(said.sure, sizeof said.sure, "%s", words + first + 2);
        return said;
    }
    if (!ratio->valid || ratio->value <= 0.0)
        return said;
    if (settles && ratio->trust & APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED)) {
        snprintf(said.text, sizeof said.text, "not verified");
        return said;
    }
    const bool other = ratio->value >= 1.0, ends = ratio->has_interval && ratio->low > 0.0;
    const double factor = other ? ratio->value : 1.0 / ratio->value,
                 low = other ? ratio->low : 1.0 / ratio->high,
                 high = other ? ratio->high : 1.0 / ratio->low;
    char number[32], least[32], most[32];
    said.firm = verdict == APP_VERDICT_FASTER || verdict == APP_VERDICT_SLOWER;
    if (verdict == APP_VERDICT_SAME) {
        said.firm = true;
        snprintf(said.text, sizeof said.text, "%s and %s: the same", names[0], names[1]);
        if (ends)
            app_format(said.sure, sizeof said.sure, "within %.1f %%",
                       100.0 * fmax(high - 1.0, 1.0 - low));
        return said;
    }
    if (verdict == APP_VERDICT_WANDERING || (!said.firm && !settles)) {
        snprintf(said.text, sizeof said.text, "%s", app_verdict_entry(verdict)->says);
        return said;
    }
    write_factor(factor, false, number, sizeof number);
    if (!said.firm) { /* which side is the faster one may change, too */
        snprintf(said.text, sizeof said.text, "%s apart", number);
        snprintf(said.sure, sizeof said.sure, "settling");
        return said;
    }
    said.faster = other;
    snprintf(said.text, sizeof said.text, "is %s faster", number);
    if (ends && low < 2.0 && high >= 2.0)
        app_format(said.sure, sizeof said.sure, "%.2f to %.2f×", low, high);
    else if (ends) {
        write_factor(low, true, least, sizeof least);
        write_factor(high, true, most, sizeof most);
        least[strcspn(least, " ×")] = 0;
        snprintf(said.sure, sizeof said.sure, "%s to %s", least, most);
    }
    return said;
}

struct app_comparison app_comparison_of_duel(const struct krn_duel_result *result, double a_ms,
                                             double b_ms)
{
    const double ratio = a_ms > 0.0 ? b_ms / a_ms : 0.0;
    const enum krn_ratio_verdict so_far = result->so_far;
    const bool other =
        (so_far == KRN_RATIO_FASTER && ratio < 1.0) || (so_far == KRN_RATIO_SLOWER && ratio > 1.0);
    return (struct app_comparison){
        .verdict = other ? APP_VERDICT_CANT_TELL : app_verdict_of_duel(so_far),
        .this_run = true,
        .ratio = {.valid = (result->blocks > 0 || result->valid) && ratio > 0.0,
                  .has_interval = result->valid,
                  .value = ratio,
                  .low = fmin(result->low, ratio),
                  .high = fmax(result->high, ratio)}};
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

/* Judges sides that are far apart by the ranges of their samples, as a duel does (krn/duel.h, 8);
 * leaves *toggle as it is where they are not. */
static void compare_ranges(const struct app_toggle_side *left, const struct app_toggle_side *now,
                           struct app_comparison *toggle)
{
    const struct krn_series *const was = left->series, *const is = now->series;
    const double tick_ms = fmax(left->tick_ms, now->tick_ms),
                 low = (was->sorted[0] - tick_ms) / (is->sorted[is->count - 1] + tick_ms),
                 high = (was->sorted[was->count - 1] + tick_ms) / (is->sorted[0] - tick_ms),
                 ratio = krn_quantile_sorted(was->sorted, was->count, 0.5) /
                         krn_quantile_sorted(is->sorted, is->count, 0.5);
    if (was->count < APP_TOGGLE_FAR || is->count < APP_TOGGLE_FAR ||
        !(low > 1.0 || (high > 0.0 && high < 1.0)) || fmax(ratio, 1.0 / ratio) < 2.0)
        return;
    toggle->ratio = (struct app_estimate){
        .valid = true, .has_interval = true, .value = ratio, .low = low, .high = high};
    toggle->verdict = low > 1.0 ? APP_VERDICT_FASTER : APP_VERDICT_SLOWER;
}

struct app_comparison app_toggle_compare(struct app_toggle_side left, struct app_toggle_side now,
                                         double band_percent)
{
    struct app_comparison toggle = {.this_run = true, .verdict = APP_VERDICT_CANT_TELL};
    if (!(left.series->count > 0 && left.series->sorted[0] > 0.0 && now.series->count > 0 &&
          now.series->sorted[0] > 0.0))
        return toggle;
    if (left.series->count < APP_TOGGLE_SAMPLES || now.series->count < APP_TOGGLE_SAMPLES) {
        compare_ranges(&left, &now, &toggle);
        return toggle;
    }
    const struct centre was = centre_of(left.series), is = centre_of(now.series);
    const double widen = log1p(krn_tick_fraction(left.tick_ms, exp(was.log_ms)) +
                               krn_tick_fraction(now.tick_ms, exp(is.log_ms)));
    const double ratio = was.log_ms - is.log_ms;
    const double error = sqrt(was.squared_error + is.squared_error);
    const double shown = t_shown * error + widen, verdict = t_verdict * error + widen;
    toggle.ratio = (struct app_estimate){.valid = true,
                                         .has_interval = true,
                                         .value = exp(ratio),
                                         .low = exp(ratio - shown),
                                         .high = exp(ratio + shown)};
    toggle.verdict = app_verdict_ratio(
        (struct krn_interval){true, exp(ratio - verdict), exp(ratio + verdict)}, band_percent);
    if (toggle.verdict == APP_VERDICT_CANT_TELL &&
        (krn_series_wanders(left.series) || krn_series_wanders(now.series)))
        toggle.verdict = APP_VERDICT_WANDERING;
    return toggle;
}
