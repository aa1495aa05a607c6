#include "claims/rules.h"

#include "judge/trust.h"

#include <math.h>

/* A level HOLDS within this many percentage points of the claim, the size of a ratio or of anything
 * else within this factor of it. */
static const double level_points = 5.0, size_factor = 1.1;

/* A kernel is bound by one roof when it is this many times as near to it as to the other. */
static const double bound_factor = 2.0;

/* Returns the word that takes the place of a verdict; APP_CLAIM_VERDICTS: a verdict may be given.
 */
static enum app_claim_verdict barred(const struct app_estimate *estimate)
{
    if (!estimate->valid)
        return APP_CLAIM_NOT_MEASURED;
    if (estimate->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        return APP_CLAIM_WRONG;
    return app_trust_level(estimate->trust) == APP_TRUST_RED ? APP_CLAIM_DO_NOT_QUOTE
                                                             : APP_CLAIM_VERDICTS;
}

enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent)
{
    const enum app_claim_verdict bar = barred(&ratio);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    /* A claim below 1 is the claim of its inverse about the inverse ratio. */
    const bool below = claimed < 1.0;
    const struct krn_interval given = app_estimate_verdict_interval(ratio);
    const double low = below ? 1.0 / given.high : given.low,
                 high = below ? 1.0 / given.low : given.high,
                 size = below ? 1.0 / claimed : claimed, over = 1.0 + band_percent / 100.0;
    if (!given.valid)
        return APP_CLAIM_CANT_TELL;
    if (high < 1.0 / over)
        return APP_CLAIM_INVERTED;
    if (!(low > over))
        return APP_CLAIM_CANT_TELL;
    if (low >= size / size_factor && high <= size * size_factor)
        return APP_CLAIM_HOLDS;
    return high < size / size_factor  ? APP_CLAIM_SMALLER
           : low > size * size_factor ? APP_CLAIM_LARGER
                                      : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_greater(struct app_estimate ratio, double band_percent)
{
    const enum app_claim_verdict bar = barred(&ratio);
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    const double over = 1.0 + band_percent / 100.0;
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    return interval.low > over          ? APP_CLAIM_HOLDS
           : interval.high < 1.0 / over ? APP_CLAIM_INVERTED
                                        : APP_CLAIM_CANT_TELL;
}

/* Returns true when the direction of a claimed ratio is found, whatever its size. */
bool app_claim_same_direction(struct app_estimate ratio, double claimed, double band_percent)
{
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    const double over = 1.0 + band_percent / 100.0;
    return interval.valid && (claimed < 1.0 ? interval.high < 1.0 / over : interval.low > over);
}

enum app_claim_verdict app_claim_faster(struct app_estimate ratio, double band_percent)
{
    const enum app_claim_verdict bar = barred(&ratio);
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    const double over = 1.0 + band_percent / 100.0;
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    return !interval.valid        ? APP_CLAIM_CANT_TELL
           : interval.low > over  ? APP_CLAIM_HOLDS
           : interval.high < over ? APP_CLAIM_FAILS
                                  : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_size(struct app_estimate size, double claimed)
{
    const enum app_claim_verdict bar = barred(&size);
    const struct krn_interval interval = app_estimate_verdict_interval(size);
    const double least = claimed / size_factor, most = claimed * size_factor;
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    if (interval.low >= least && interval.high <= most)
        return APP_CLAIM_HOLDS;
    return interval.high < least ? APP_CLAIM_SMALLER
           : interval.low > most ? APP_CLAIM_LARGER
                                 : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_less(struct app_estimate number, double limit)
{
    const enum app_claim_verdict bar = barred(&number);
    const struct krn_interval interval = app_estimate_verdict_interval(number);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    return interval.high < limit  ? APP_CLAIM_HOLDS
           : interval.low > limit ? APP_CLAIM_FAILS
                                  : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed)
{
    const enum app_claim_verdict bar = barred(&percent);
    const struct krn_interval interval = app_estimate_verdict_interval(percent);
    const double least = claimed - level_points, most = claimed + level_points;
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    if (interval.low >= least && interval.high <= most)
        return APP_CLAIM_HOLDS;
    return interval.low > most     ? APP_CLAIM_ABOVE
           : interval.high < least ? APP_CLAIM_BELOW
                                   : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_bound(struct app_estimate ratio)
{
    const enum app_claim_verdict bar = barred(&ratio);
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    return interval.low >= bound_factor          ? APP_CLAIM_HOLDS
           : interval.high <= 1.0 / bound_factor ? APP_CLAIM_FAILS
                                                 : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_ilp(const struct app_estimate threads[APP_CLAIM_ILPS])
{
    const struct app_estimate *first = &threads[0], *last = &threads[APP_CLAIM_ILPS - 1];
    struct app_estimate all = {.valid = true};
    bool known = true;
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        all.valid = all.valid && threads[i].valid;
        known = known && threads[i].has_interval;
        all.trust |= threads[i].trust;
    }
    const enum app_claim_verdict bar = barred(&all);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!known)
        return APP_CLAIM_CANT_TELL;
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
    const enum app_claim_verdict bar = barred(&value);
    const struct krn_interval interval = app_estimate_verdict_interval(value);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    return interval.low >= claimed   ? APP_CLAIM_HOLDS
           : interval.high < claimed ? APP_CLAIM_FAILS
                                     : APP_CLAIM_CANT_TELL;
}

/* Returns the word that takes the place of a verdict about two numbers. */
static enum app_claim_verdict barred_pair(const struct app_estimate *a,
                                          const struct app_estimate *b)
{
    const struct app_estimate both = {.valid = a->valid && b->valid, .trust = a->trust | b->trust};
    const enum app_claim_verdict bar = barred(&both);
    return bar == APP_CLAIM_VERDICTS && !(a->has_interval && b->has_interval) ? APP_CLAIM_CANT_TELL
                                                                              : bar;
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
