#include "claims/rows.h"

#include "base/value.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- rules --- */

/* A level HOLDS within this many percentage points of the claim, the size of a ratio or of anything
 * else within this factor of it. */
static const double level_points = 5.0, size_factor = 1.1;

/* A kernel is bound by one roof when it is this many times as near to it as to the other. */
static const double bound_factor = 2.0;

/* Returns the word that takes the place of a verdict; APP_CLAIM_VERDICTS: *interval decides. */
static enum app_claim_verdict barred(const struct app_estimate *estimate,
                                     struct krn_interval *interval)
{
    *interval = app_estimate_verdict_interval(*estimate);
    if (!estimate->valid)
        return APP_CLAIM_NOT_MEASURED;
    if (estimate->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        return APP_CLAIM_WRONG;
    if (app_trust_level(estimate->trust) == APP_TRUST_RED)
        return APP_CLAIM_DO_NOT_QUOTE;
    return interval->valid ? APP_CLAIM_VERDICTS : APP_CLAIM_CANT_TELL;
}

/* HOLDS: the interval lies between the limits; `below`, `above`: it lies beyond one of them. */
static enum app_claim_verdict between(struct krn_interval interval, double least, double most,
                                      enum app_claim_verdict below, enum app_claim_verdict above)
{
    return interval.low >= least && interval.high <= most ? APP_CLAIM_HOLDS
           : interval.high < least                        ? below
           : interval.low > most                          ? above
                                                          : APP_CLAIM_CANT_TELL;
}

/* Returns the ratio where the band of indifference ends. */
static double end_of(double band_percent)
{
    return 1.0 + band_percent / 100.0;
}

enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&ratio, &interval);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    /* A claim below 1 is the claim of its inverse about the inverse ratio. */
    const double size = claimed < 1.0 ? 1.0 / claimed : claimed;
    if (claimed < 1.0)
        interval = (struct krn_interval){true, 1.0 / interval.high, 1.0 / interval.low};
    const enum krn_ratio_verdict found = krn_ratio_judge(interval, end_of(band_percent));
    return found == KRN_RATIO_FASTER   ? between(interval, size / size_factor, size * size_factor,
                                                 APP_CLAIM_SMALLER, APP_CLAIM_LARGER)
           : found == KRN_RATIO_SLOWER ? APP_CLAIM_INVERTED
                                       : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_greater(struct app_estimate ratio, double band_percent)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&ratio, &interval);
    const enum krn_ratio_verdict found = krn_ratio_judge(interval, end_of(band_percent));
    return bar != APP_CLAIM_VERDICTS   ? bar
           : found == KRN_RATIO_FASTER ? APP_CLAIM_HOLDS
           : found == KRN_RATIO_SLOWER ? APP_CLAIM_INVERTED
                                       : APP_CLAIM_CANT_TELL;
}

/* Returns true when the direction of a claimed ratio is found, whatever its size. */
static bool claim_same_direction(struct app_estimate ratio, double claimed, double band_percent)
{
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    return krn_ratio_judge(interval, end_of(band_percent)) ==
           (claimed < 1.0 ? KRN_RATIO_SLOWER : KRN_RATIO_FASTER);
}

enum app_claim_verdict app_claim_faster(struct app_estimate ratio, double band_percent)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&ratio, &interval);
    return bar != APP_CLAIM_VERDICTS              ? bar
           : interval.low > end_of(band_percent)  ? APP_CLAIM_HOLDS
           : interval.high < end_of(band_percent) ? APP_CLAIM_FAILS
                                                  : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_size(struct app_estimate size, double claimed)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&size, &interval);
    return bar != APP_CLAIM_VERDICTS
               ? bar
               : between(interval, claimed / size_factor, claimed * size_factor, APP_CLAIM_SMALLER,
                         APP_CLAIM_LARGER);
}

enum app_claim_verdict app_claim_less(struct app_estimate number, double limit)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&number, &interval);
    return bar != APP_CLAIM_VERDICTS ? bar
           : interval.high < limit   ? APP_CLAIM_HOLDS
           : interval.low > limit    ? APP_CLAIM_FAILS
                                     : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&percent, &interval);
    return bar != APP_CLAIM_VERDICTS
               ? bar
               : between(interval, claimed - level_points, claimed + level_points, APP_CLAIM_BELOW,
                         APP_CLAIM_ABOVE);
}

enum app_claim_verdict app_claim_bound(struct app_estimate ratio)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&ratio, &interval);
    return bar != APP_CLAIM_VERDICTS             ? bar
           : interval.low >= bound_factor        ? APP_CLAIM_HOLDS
           : interval.high <= 1.0 / bound_factor ? APP_CLAIM_FAILS
                                                 : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_ilp(const struct app_estimate threads[APP_CLAIM_ILPS])
{
    const struct app_estimate *first = &threads[0], *last = &threads[APP_CLAIM_ILPS - 1];
    struct app_estimate all = {.valid = true, .has_interval = true};
    struct krn_interval interval;
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        all.valid = all.valid && threads[i].valid;
        all.has_interval = all.has_interval && threads[i].has_interval;
        all.trust |= threads[i].trust;
    }
    const enum app_claim_verdict bar = barred(&all, &interval);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    /* Infinite threads: the level is not reached. */
    bool holds = isfinite(first->high) && last->high <= first->low / 2.0,
         fails = isinf(first->low) || last->low > first->high / 2.0;
    for (int i = 1; i < APP_CLAIM_ILPS; i++) {
        holds = holds && threads[i].high < threads[i - 1].low;
        fails = fails || isinf(threads[i].low) || threads[i].low >= threads[i - 1].high;
    }
    return holds ? APP_CLAIM_HOLDS : fails ? APP_CLAIM_FAILS : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_at_least(struct app_estimate value, double claimed)
{
    struct krn_interval interval;
    const enum app_claim_verdict bar = barred(&value, &interval);
    return bar != APP_CLAIM_VERDICTS
               ? bar
               : between(interval, claimed, INFINITY, APP_CLAIM_FAILS, APP_CLAIM_CANT_TELL);
}

/* Returns the word that takes the place of a verdict about two numbers. */
static enum app_claim_verdict barred_pair(const struct app_estimate *a,
                                          const struct app_estimate *b)
{
    struct krn_interval interval;
    return barred(&(struct app_estimate){.valid = a->valid && b->valid,
                                         .has_interval = a->has_interval && b->has_interval,
                                         .trust = a->trust | b->trust},
                  &interval);
}

enum app_claim_verdict app_claim_half(struct app_estimate many, struct app_estimate few)
{
    const enum app_claim_verdict bar = barred_pair(&many, &few);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (isfinite(few.high) && few.high <= many.low / 2.0)
        return APP_CLAIM_HOLDS;
    return isinf(few.low) || few.low > many.high / 2.0 ? APP_CLAIM_FAILS : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_no_fewer(struct app_estimate more, struct app_estimate less)
{
    const enum app_claim_verdict bar = barred_pair(&more, &less);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (isfinite(less.high) && more.low >= less.high)
        return APP_CLAIM_HOLDS;
    return more.high < less.low ? APP_CLAIM_FAILS : APP_CLAIM_CANT_TELL;
}

/* --- rows --- */

void app_row_interval(struct app_claim *row)
{
    const struct app_estimate *e = &row->estimate;
    if (e->valid && e->has_interval)
        app_format(row->interval, sizeof row->interval, "%s",
                   app_number_interval(e->low, e->high, e->value, APP_DECIMALS_PLAIN).text);
}

void app_row_ratio(struct app_claim *row, struct app_estimate ratio, double claimed,
                   double band_percent, const char *why)
{
    row->estimate = ratio;
    row->verdict = app_claim_ratio(ratio, claimed, band_percent);
    if (ratio.valid)
        snprintf(row->now, sizeof row->now, "%s×", app_number_plain(ratio.value, "").value);
    else if (why != NULL)
        app_format(row->note, sizeof row->note, "%s", why);
    if (row->verdict == APP_CLAIM_CANT_TELL && claim_same_direction(ratio, claimed, band_percent))
        app_format(row->note, sizeof row->note, "faster, but by how much is open");
    app_row_interval(row);
}

/* Adds to a row's note, after what it says already. */
void app_row_note(struct app_claim *row, const char *text)
{
    const size_t used = strlen(row->note);
    app_format(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", text);
}

/* Takes the number off a row that rests on a probe with too few samples. Returns true when it did.
 */
bool app_row_lacks_samples(struct app_claim *row, size_t least)
{
    if (least >= APP_CLAIM_SAMPLES)
        return false;
    row->estimate = (struct app_estimate){.valid = false};
    row->verdict = APP_CLAIM_NOT_MEASURED;
    app_format(row->note, sizeof row->note, "not enough samples: %zu of %d", least,
               APP_CLAIM_SAMPLES);
    return true;
}

/* Returns the least number of samples among a topic's probes of a series; 0: it has none. */
size_t app_row_least_samples(const struct app_probes_view *view, enum krn_topic topic,
                             const char *series)
{
    size_t least = 0;
    bool any = false;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (result->probe->topic != topic || strcmp(result->probe->series, series) != 0)
            continue;
        least = !any || result->n < least ? result->n : least;
        any = true;
    }
    return least;
}

size_t app_row_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}
