#include "krn/duel.h"

#include "krn/stats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    INTERVAL_BLOCKS = 32,    /* blocks of the shortest length before there is an interval */
    CORRELATION_BLOCKS = 12, /* blocks needed to estimate the correlation of neighbours */
    TRIM = 4                 /* a block's mean leaves out 1 / TRIM of its values at each end */
};

/* Log-ratios that differ by less are equal up to rounding. */
static const double tie = 1e-12;

/* The shortest block. Other processes and clock changes disturb several neighbouring frames. */
static const double block_min_s = 0.03;

/* Error rates of the verdict (an A/A duel claims a difference in 1 of 100 runs) and of the
 * interval on screen. */
static const double verdict_alpha = 0.01, shown_alpha = 0.05;
static const double prior = 4.0, effect_prior = 3.0;

/* Neighbours count as uncorrelated when the estimate is below correlation_max plus
 * correlation_errors standard errors. The correlation that remains is taken as the estimate plus
 * correlation_doubt standard errors. */
static const double correlation_max = 0.1, correlation_errors = 1.3, correlation_doubt = 0.4;

/* When a larger share of the blocks has one value, the clock is too coarse for the level. */
static const double ties_max = 0.25;

const char *krn_duel_verdict_name(enum krn_duel_verdict verdict)
{
    static const char *const names[KRN_DUEL_VERDICTS] = {"CAN'T TELL", "SAME", "FASTER", "SLOWER",
                                                         "WANDERING"};
    return (int)verdict >= 0 && verdict < KRN_DUEL_VERDICTS ? names[verdict] : "n/a";
}

void krn_duel_start(struct krn_duel *duel, double band_percent)
{
    /* The buffers are large, and setting their counts to 0 is enough. */
    memset(duel, 0, offsetof(struct krn_duel, buffers));
    duel->buffers[0].count = duel->buffers[1].count = 0;
    duel->band = log1p(fmin(fmax(band_percent, 0.0), KRN_DUEL_BAND_PERCENT_MAX) / 100.0);
    duel->next_check = INTERVAL_BLOCKS;
    duel->result.ratio = duel->result.low = duel->result.high = 1.0;
    duel->result.verdict_low = duel->result.verdict_high = 1.0;
}

/* Returns the index in `sorted` of the first block of 2^level values. */
static size_t level_offset(int level)
{
    return 2 * (size_t)KRN_DUEL_CAPACITY - (2 * (size_t)KRN_DUEL_CAPACITY >> level);
}

/* The blocks of the current level. */
struct sample {
    const double *sorted;
    size_t n;
};

static struct sample sample_of(const struct krn_duel *duel)
{
    const struct krn_duel_blocks *buffer = &duel->buffers[duel->active];
    return (struct sample){buffer->sorted + level_offset(duel->level),
                           buffer->count >> duel->level};
}

/* Merges two adjacent sorted runs of n values each. */
static void merge(double *runs, size_t n)
{
    double left[KRN_DUEL_CAPACITY / 2];
    memcpy(left, runs, n * sizeof *left);
    /* Selects without a branch: on random values, half of the branches would be mispredicted. */
    size_t l = 0, r = n, out = 0;
    while (l < n && r < 2 * n) {
        const bool from_left = left[l] <= runs[r];
        runs[out++] = from_left ? left[l] : runs[r];
        l += from_left;
        r += !from_left;
    }
    memcpy(runs + out, left + l, (n - l) * sizeof *left);
}

/* Returns the mean of n sorted values without the outer 1 / TRIM at each end. */
static double trimmed_mean(const double *sorted, size_t n)
{
    double sum = 0.0;
    const size_t out = n / TRIM;
    for (size_t i = out; i < n - out; i++)
        sum += sorted[i];
    return sum / (double)(n - 2 * out);
}

/* Appends a value and the blocks that it completes. */
static void append(struct krn_duel_blocks *buffer, double value)
{
    buffer->values[buffer->count] = buffer->runs[buffer->count] = value;
    buffer->count++;
    krn_sorted_insert(buffer->sorted, buffer->count - 1, value);
    for (int level = 1; (buffer->count & (((size_t)1 << level) - 1)) == 0; level++) {
        const size_t size = (size_t)1 << level, blocks = buffer->count >> level;
        double *const run = buffer->runs + buffer->count - size;
        merge(run, size / 2);
        krn_sorted_insert(buffer->sorted + level_offset(level), blocks - 1,
                          trimmed_mean(run, size));
    }
}

/* Appends one halved value to the other buffer per value in the second half of the active one. When
 * the active buffer is full, the other one is complete and replaces it, half empty. The work falls
 * on the pair after the one that completes a value, because that pair has less to do. */
static void build_halved(struct krn_duel *duel)
{
    const struct krn_duel_blocks *buffer = &duel->buffers[duel->active];
    struct krn_duel_blocks *halved = &duel->buffers[1 - duel->active];
    if (buffer->count <= KRN_DUEL_CAPACITY / 2 + halved->count)
        return;
    const double *two = buffer->values + 2 * halved->count;
    append(halved, 0.5 * (two[0] + two[1]));
    if (halved->count < KRN_DUEL_CAPACITY / 2)
        return;
    duel->buffers[duel->active].count = 0;
    duel->active = 1 - duel->active;
    duel->halvings++;
    duel->level -= duel->level > 0;
    duel->min_level -= duel->min_level > 0;
    duel->next_check = halved->count;
}

/* Clamps x to -1..1. fmin and fmax would be function calls. */
static double clip(double x)
{
    const double above = x < -1.0 ? -1.0 : x;
    return above > 1.0 ? 1.0 : above;
}

/* Returns the correlation of neighbouring values. Clips each deviation from `middle` to `scale`, so
 * that outliers do not dominate. */
static double correlation_of(const double *values, size_t n, double middle, double scale)
{
    double squares = 0.0, products = 0.0, before = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double exact = values[i] - middle, deviation = fabs(exact) < tie ? 0.0 : exact;
        const double clipped =
            scale > 0.0 ? clip(deviation / scale) : (double)((deviation > 0.0) - (deviation < 0.0));
        squares += clipped * clipped;
        products += clipped * before;
        before = clipped;
    }
    return squares > 0.0 ? products / squares : 0.0;
}

/* Returns the share of the blocks that are equal to the middle one. */
static double ties_of(struct sample blocks)
{
    const double middle = blocks.sorted[blocks.n / 2];
    size_t ties = 0;
    for (size_t i = 0; i < blocks.n; i++)
        ties += fabs(blocks.sorted[i] - middle) < tie;
    return (double)ties / (double)blocks.n;
}

/* Returns the smallest level whose blocks last block_min_s at the frame rate so far. */
static int min_level_of(const struct krn_duel *duel)
{
    const size_t count = duel->buffers[duel->active].count;
    const double value_s = (duel->last_s - duel->first_s) / (double)count;
    int level = 0;
    while (level < KRN_DUEL_LEVELS && (count >> level) > 1 && ldexp(value_s, level) < block_min_s)
        level++;
    return level;
}

/* Chooses the level: one above the coarsest level whose neighbouring blocks are correlated. */
static void choose_level(struct krn_duel *duel)
{
    double means[KRN_DUEL_CAPACITY];
    size_t n = duel->buffers[duel->active].count;
    const struct sample blocks = sample_of(duel);
    const size_t quarter = blocks.n / 4;
    const double middle = krn_quantile_sorted(blocks.sorted, blocks.n, 0.5);
    /* The spread at other levels is scaled as for independent values. */
    double scale = (blocks.sorted[blocks.n - 1 - quarter] - blocks.sorted[quarter]) *
                   sqrt(ldexp(1.0, duel->level));
    double remaining[KRN_DUEL_LEVELS] = {0.0};
    const int min_level = min_level_of(duel);
    int level = min_level, coarsest = min_level;
    memcpy(means, duel->buffers[duel->active].values, n * sizeof *means);
    for (int j = 0; j < KRN_DUEL_LEVELS && n >= CORRELATION_BLOCKS; j++) {
        /* The estimate from n values is biased by about -(1 + 3 rho) / n (M. G. Kendall, Note on
         * bias in the estimation of autocorrelation, 1954). */
        const double raw = correlation_of(means, n, middle, scale);
        const double found = raw + (1.0 + 3.0 * fmax(0.0, raw)) / (double)n;
        remaining[j] = fmax(0.0, found + correlation_doubt / sqrt((double)n));
        /* Several levels are tested, so coarser levels need stronger evidence. */
        const double errors = correlation_errors + 0.25 * fmin(j - min_level, 4.0);
        if (j >= min_level && found > correlation_max + errors / sqrt((double)n))
            level = j + 1;
        coarsest = j > coarsest ? j : coarsest;
        for (size_t i = 0; i < n / 2; i++)
            means[i] = 0.5 * (means[2 * i] + means[2 * i + 1]);
        n /= 2;
        scale *= sqrt(0.5);
    }
    duel->min_level = min_level;
    /* When the coarsest level tested is correlated, use the next one. */
    level = level > coarsest + 1 ? coarsest + 1 : level;
    duel->level = level;
    for (struct sample now = sample_of(duel);
         now.n / 2 >= INTERVAL_BLOCKS && ties_of(now) > ties_max; now = sample_of(duel))
        duel->level++;
    duel->correlation = remaining[duel->level];
}

/* Returns the smallest share of heads among n coins, >= 1/2, at which the averaged likelihood ratio
 * exceeds 1 / alpha; a number above 1 when even n heads do not suffice. */
static double share_needed(double n, double alpha)
{
    const double constant =
        n * log(2.0) - lgamma(n + 2.0 * prior) - 2.0 * lgamma(prior) + lgamma(2.0 * prior);
    const double needed = -log(alpha);
    if (constant + lgamma(n + prior) + lgamma(prior) < needed)
        return 2.0;
    double low = 0.5 * n, high = n;
    while (high - low > 1e-3) {
        const double heads = 0.5 * (low + high);
        if (constant + lgamma(heads + prior) + lgamma(n - heads + prior) < needed)
            low = heads;
        else
            high = heads;
    }
    return high / n;
}

/* Returns the t statistic of n normal blocks at which the likelihood ratio of the t test, averaged
 * over a normal prior of the effect size, exceeds 1 / alpha; INFINITY when no t does. */
static double t_needed(double n, double alpha)
{
    const double freedom = n - 1.0, variance = 1.0 + n * effect_prior * effect_prior;
    if (!(freedom > 0.5))
        return INFINITY;
    /* ((1 + t^2/f) / (1 + t^2/(f v)))^(n/2) / sqrt(v) = 1 / alpha, solved for t, with f degrees of
     * freedom and v the variance of the mean under the prior, in units of its variance under 0. */
    const double ratio = exp(2.0 / n * (0.5 * log(variance) - log(alpha)));
    const double slope = (1.0 - ratio / variance) / freedom;
    return slope > 0.0 ? sqrt((ratio - 1.0) / slope) : INFINITY;
}

struct bounds {
    double low, high; /* log-ratios */
};

static struct bounds sign_bounds(struct sample blocks, double effective_n, double alpha)
{
    const double heads = ceil(share_needed(effective_n, alpha) * (double)blocks.n);
    if (!(heads <= (double)blocks.n))
        return (struct bounds){-INFINITY, INFINITY};
    return (struct bounds){blocks.sorted[blocks.n - (size_t)heads],
                           blocks.sorted[(size_t)heads - 1]};
}

struct moments {
    double mean, squares; /* sum of the squared deviations */
};

static struct moments moments_of(struct sample blocks)
{
    struct moments moments = {0.0, 0.0};
    for (size_t i = 0; i < blocks.n; i++)
        moments.mean += blocks.sorted[i] / (double)blocks.n;
    for (size_t i = 0; i < blocks.n; i++)
        moments.squares += (blocks.sorted[i] - moments.mean) * (blocks.sorted[i] - moments.mean);
    return moments;
}

static struct bounds t_bounds(struct moments moments, double n, double effective_n, double alpha)
{
    const double t = t_needed(effective_n, alpha);
    if (!isfinite(t))
        return (struct bounds){-INFINITY, INFINITY};
    const double half_width = t * sqrt(moments.squares / (n - 1.0) / effective_n);
    return (struct bounds){moments.mean - half_width, moments.mean + half_width};
}

/* Computes the confidence sequence of the ratio: the intersection of both tests' intervals, with
 * half of alpha each. Returns false when it is unbounded. */
static bool interval_of(const struct krn_duel *duel, struct sample blocks, struct moments moments,
                        double alpha, double *low, double *high)
{
    const double n = (double)blocks.n, rho = fmin(duel->correlation, 0.9);
    /* The k-th level has the share 6 / (pi k)^2 of alpha; the shares add up to 1. */
    const double k = 1.0 + abs(duel->level - duel->min_level);
    const double share = 0.5 * alpha * 6.0 / (9.8696044010893586 * k * k);
    const double effective_n = n * (1.0 - rho) / (1.0 + rho);
    const struct bounds sign = sign_bounds(blocks, effective_n, share),
                        t = t_bounds(moments, n, effective_n, share);
    struct bounds both = {fmax(sign.low, t.low), fmin(sign.high, t.high)};
    /* When the intervals are disjoint, return the shortest one that contains both. */
    if (both.low > both.high)
        both = (struct bounds){fmin(sign.low, t.low), fmax(sign.high, t.high)};
    *low = exp(both.low);
    *high = exp(both.high);
    return isfinite(both.low) && isfinite(both.high);
}

static void update_result(struct krn_duel *duel)
{
    struct krn_duel_result *result = &duel->result;
    const struct sample blocks = sample_of(duel);
    result->blocks = blocks.n;
    result->block_pairs = (size_t)2 << (duel->halvings + duel->level);
    result->ratio = blocks.n ? exp(krn_quantile_sorted(blocks.sorted, blocks.n, 0.5)) : 1.0;
    double low, high, verdict_low, verdict_high;
    const bool enough = duel->buffers[duel->active].count >> duel->min_level >= INTERVAL_BLOCKS;
    const struct moments moments = enough ? moments_of(blocks) : (struct moments){0.0, 0.0};
    if (!enough || !interval_of(duel, blocks, moments, shown_alpha, &low, &high) ||
        !interval_of(duel, blocks, moments, verdict_alpha, &verdict_low, &verdict_high)) {
        /* There are too few of the longer blocks. The last interval stays while it contains the
         * median. */
        if (result->valid && result->ratio >= result->low && result->ratio <= result->high)
            return;
        result->valid = false;
        result->verdict = KRN_DUEL_CANNOT_TELL;
        return;
    }
    result->valid = true;
    result->low = low;
    result->high = high;
    result->verdict_low = verdict_low;
    result->verdict_high = verdict_high;
    if (log(verdict_low) > duel->band)
        result->verdict = KRN_DUEL_FASTER;
    else if (log(verdict_high) < -duel->band)
        result->verdict = KRN_DUEL_SLOWER;
    else if (log(verdict_low) >= -duel->band && log(verdict_high) <= duel->band)
        result->verdict = KRN_DUEL_SAME;
    else
        result->verdict = KRN_DUEL_CANNOT_TELL;
}

/* Adds the value of two pairs. After `halvings` halvings, 2^halvings values are averaged into one
 * stored value. */
static void add_value(struct krn_duel *duel, double value)
{
    duel->partial_sum += value;
    if (++duel->partial_count < (size_t)1 << duel->halvings)
        return;
    struct krn_duel_blocks *buffer = &duel->buffers[duel->active];
    append(buffer, duel->partial_sum / (double)duel->partial_count);
    duel->partial_sum = 0.0;
    duel->partial_count = 0;
    const bool whole = (buffer->count & (((size_t)1 << duel->level) - 1)) == 0,
               check = buffer->count >= duel->next_check;
    if (check) {
        choose_level(duel);
        duel->next_check = buffer->count + (buffer->count > 64 ? buffer->count / 8 : 8);
    }
    if (whole || check)
        update_result(duel);
}

bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s)
{
    if (!(isfinite(a_ms) && a_ms > 0.0 && isfinite(b_ms) && b_ms > 0.0))
        return false;
    if (duel->pairs == 0)
        duel->first_s = at_s;
    duel->last_s = fmax(at_s, duel->first_s);
    duel->result.pairs = ++duel->pairs;
    build_halved(duel);
    duel->waiting[a_first] = log(b_ms / a_ms);
    duel->is_waiting[a_first] = true;
    if (duel->is_waiting[0] && duel->is_waiting[1]) {
        duel->is_waiting[0] = duel->is_waiting[1] = false;
        add_value(duel, 0.5 * (duel->waiting[0] + duel->waiting[1]));
    }
    return true;
}

const struct krn_duel_result *krn_duel_result_of(const struct krn_duel *duel)
{
    return &duel->result;
}
