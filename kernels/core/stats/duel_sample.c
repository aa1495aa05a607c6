#include "core/stats/duel_parts.h"

#include "krn/stats.h"

#include <math.h>

/* The clip is the root of the sum of two squares: of the least clip, log-ratio, and of a multiple
 * of the width of the sample's middle, which is that between its 30th and its 70th percentile.
 * One-sided outliers that make up nearly a quarter of the values would push the upper quartile
 * about in small samples. */
static const double clip_least = 0.02, clip_middles = 2.6, middle_from = 0.3, middle_to = 0.7;

/* The width of the middle of a normal distribution, in standard deviations. */
static const double normal_middle = 1.0488;

void krn_duel_sample_add(struct krn_duel_sample *sample, double value)
{
    size_t slot = sample->seen++;
    if (sample->count == KRN_DUEL_SAMPLE) {
        /* Vitter's algorithm R: each value stays with the same probability. xorshift64. */
        sample->random = sample->random ? sample->random : 0x632be59bd9b4e019u;
        sample->random ^= sample->random << 13;
        sample->random ^= sample->random >> 7;
        sample->random ^= sample->random << 17;
        slot = (size_t)(sample->random % sample->seen);
        if (slot >= KRN_DUEL_SAMPLE)
            return;
        krn_sorted_remove(sample->sorted, sample->count--, sample->slots[slot]);
    }
    krn_sorted_insert(sample->sorted, sample->count++, value);
    sample->slots[slot] = value;
}

/* Returns how many values of the sample are smaller than `value`. */
static size_t count_below(const struct krn_duel_sample *sample, double value)
{
    size_t low = 0, high = sample->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sample->sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double krn_duel_clip(const struct krn_duel_sample *sample, double value, double estimate)
{
    const double low = krn_quantile_sorted(sample->sorted, sample->count, middle_from),
                 high = krn_quantile_sorted(sample->sorted, sample->count, middle_to);
    const double centre = fmin(fmax(estimate, low), high);
    const double clip = hypot(clip_least, clip_middles * (high - low));
    const size_t kept = count_below(sample, nextafter(centre + clip, INFINITY)) -
                        count_below(sample, centre - clip);
    const double share = (double)kept / (double)sample->count;
    return centre + fmin(fmax(value - centre, -clip), clip) / share;
}

double krn_duel_sample_median(const struct krn_duel_sample *sample)
{
    return krn_quantile_sorted(sample->sorted, sample->count, 0.5);
}

double krn_duel_sample_spread(const struct krn_duel_sample *sample)
{
    return (krn_quantile_sorted(sample->sorted, sample->count, middle_to) -
            krn_quantile_sorted(sample->sorted, sample->count, middle_from)) /
           normal_middle;
}
