#include "krn/duel.h"

#include "krn/stats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_BLOCKS = 32, /* of the shortest length, before anything is claimed */
    LEAST_BLOCKS = 12, /* fewer cannot tell whether neighbours are correlated */
    TRIM = 4           /* a block leaves 1 in so many values out at each end */
};

/* Log-ratios that differ by less differ by rounding. */
static const double tie = 1e-12;

/* Blocks are no shorter: what other processes and clocks do to a frame, they do to its neighbours.
 */
static const double block_least_s = 0.03;

/* Between the claims that an A/A duel may make (1 in 100 runs) and the interval shown. */
static const double sure_alpha = 0.01, shown_alpha = 0.05;
static const double prior = 4.0, effect_prior = 3.0;

/* Neighbours count as uncorrelated below this, plus so many errors of the estimate; what they may
 * still have in common is taken as the estimate and so many errors of it. */
static const double correlation_most = 0.1, correlation_errors = 1.3, correlation_doubt = 0.4;

/* More blocks than this at one same value: the clock's steps are too coarse for this level. */
static const double ties_most = 0.25;

const char *krn_duel_verdict_name(enum krn_duel_verdict verdict)
{
    static const char *const names[KRN_DUEL_VERDICTS] = {"CAN'T TELL", "SAME", "FASTER", "SLOWER"};
    return (int)verdict >= 0 && verdict < KRN_DUEL_VERDICTS ? names[verdict] : "n/a";
}

void krn_duel_start(struct krn_duel *duel, double band_percent)
{
    /* What is kept needs no more than a count of 0: it is large. */
    memset(duel, 0, offsetof(struct krn_duel, kept));
    duel->kept[0].count = duel->kept[1].count = 0;
    duel->band = log1p(fmin(fmax(band_percent, 0.0), KRN_DUEL_BAND_PERCENT_MAX) / 100.0);
    duel->next_check = FIRST_BLOCKS;
    duel->result.ratio = duel->result.low = duel->result.high = 1.0;
    duel->result.sure_low = duel->result.sure_high = 1.0;
}

/* Where in `sorted` the blocks of 2^level values begin. */
static size_t first_of_level(int level)
{
    return 2 * (size_t)KRN_DUEL_CAPACITY - (2 * (size_t)KRN_DUEL_CAPACITY >> level);
}

/* The blocks in use. */
struct sample {
    const double *sorted;
    size_t n;
};

static struct sample sample_of(const struct krn_duel *duel)
{
    const struct krn_duel_blocks *kept = &duel->kept[duel->now];
    return (struct sample){kept->sorted + first_of_level(duel->level), kept->count >> duel->level};
}

/* Two sorted runs of n, one behind the other, become one. */
static void merge(double *runs, size_t n)
{
    double left[KRN_DUEL_CAPACITY / 2];
    memcpy(left, runs, n * sizeof *left);
    /* No branch on values: half of those would be foretold wrong. */
    size_t l = 0, r = n, out = 0;
    while (l < n && r < 2 * n) {
        const bool from_left = left[l] <= runs[r];
        runs[out++] = from_left ? left[l] : runs[r];
        l += from_left;
        r += !from_left;
    }
    memcpy(runs + out, left + l, (n - l) * sizeof *left);
}

/* A block: the mean of n sorted values without the outer ones. */
static double block_of(const double *sorted, size_t n)
{
    double sum = 0.0;
    const size_t out = n / TRIM;
    for (size_t i = out; i < n - out; i++)
        sum += sorted[i];
    return sum / (double)(n - 2 * out);
}

/* One value more, and the blocks that it completes. */
static void keep(struct krn_duel_blocks *kept, double value)
{
    kept->values[kept->count] = kept->runs[kept->count] = value;
    kept->count++;
    krn_sorted_insert(kept->sorted, kept->count - 1, value);
    for (int level = 1; (kept->count & (((size_t)1 << level) - 1)) == 0; level++) {
        const size_t size = (size_t)1 << level, blocks = kept->count >> level;
        double *const run = kept->runs + kept->count - size;
        merge(run, size / 2);
        krn_sorted_insert(kept->sorted + first_of_level(level), blocks - 1, block_of(run, size));
    }
}

/* In the second half of the room the other set is made, a value for every one that comes, so that
 * it is there when the room is full: each two values become one, and there is room for as many
 * again. This is done by the pair that comes next, which has less to do. */
static void keep_halved(struct krn_duel *duel)
{
    const struct krn_duel_blocks *kept = &duel->kept[duel->now];
    struct krn_duel_blocks *halved = &duel->kept[1 - duel->now];
    if (kept->count <= KRN_DUEL_CAPACITY / 2 + halved->count)
        return;
    const double *two = kept->values + 2 * halved->count;
    keep(halved, 0.5 * (two[0] + two[1]));
    if (halved->count < KRN_DUEL_CAPACITY / 2)
        return;
    duel->kept[duel->now].count = 0;
    duel->now = 1 - duel->now;
    duel->halvings++;
    duel->level -= duel->level > 0;
    duel->least -= duel->least > 0;
    duel->next_check = halved->count;
}

/* To -1..1; fmin and fmax are calls. */
static double clip(double x)
{
    const double above = x < -1.0 ? -1.0 : x;
    return above > 1.0 ? 1.0 : above;
}

/* Correlation of neighbours, each clipped to `scale` about the middle, so that no outlier decides.
 */
static double correlation_of(const double *values, size_t n, double middle, double scale)
{
    double squares = 0.0, products = 0.0, before = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double exact = values[i] - middle, away = fabs(exact) < tie ? 0.0 : exact;
        const double clipped =
            scale > 0.0 ? clip(away / scale) : (double)((away > 0.0) - (away < 0.0));
        squares += clipped * clipped;
        products += clipped * before;
        before = clipped;
    }
    return squares > 0.0 ? products / squares : 0.0;
}

/* Share of the blocks that equal the middle one. */
static double ties_of(struct sample blocks)
{
    const double middle = blocks.sorted[blocks.n / 2];
    size_t ties = 0;
    for (size_t i = 0; i < blocks.n; i++)
        ties += fabs(blocks.sorted[i] - middle) < tie;
    return (double)ties / (double)blocks.n;
}

/* The level at which blocks are long enough, from the frame rate so far. */
static int level_of_rate(const struct krn_duel *duel)
{
    const size_t count = duel->kept[duel->now].count;
    const double value_s = (duel->last_s - duel->first_s) / (double)count;
    int level = 0;
    while (level < KRN_DUEL_LEVELS && (count >> level) > 1 && ldexp(value_s, level) < block_least_s)
        level++;
    return level;
}

/* Chooses the level: one above the highest at which neighbours still resemble each other. */
static void check_level(struct krn_duel *duel)
{
    double means[KRN_DUEL_CAPACITY];
    size_t n = duel->kept[duel->now].count;
    const struct sample blocks = sample_of(duel);
    const size_t quarter = blocks.n / 4;
    const double middle = krn_quantile_sorted(blocks.sorted, blocks.n, 0.5);
    /* At other levels the spread is as that of independent values would be. */
    double scale = (blocks.sorted[blocks.n - 1 - quarter] - blocks.sorted[quarter]) *
                   sqrt(ldexp(1.0, duel->level));
    double left[KRN_DUEL_LEVELS] = {0.0};
    const int least = level_of_rate(duel);
    int level = least, coarsest = least;
    memcpy(means, duel->kept[duel->now].values, n * sizeof *means);
    for (int j = 0; j < KRN_DUEL_LEVELS && n >= LEAST_BLOCKS; j++) {
        /* An estimate from n values is too small by about (1 + 3 rho) / n (Kendall, 1954). */
        const double raw = correlation_of(means, n, middle, scale);
        const double found = raw + (1.0 + 3.0 * fmax(0.0, raw)) / (double)n;
        left[j] = fmax(0.0, found + correlation_doubt / sqrt((double)n));
        /* Many levels are asked: the coarser ones need more to be believed. */
        const double errors = correlation_errors + 0.25 * fmin(j - least, 4.0);
        if (j >= least && found > correlation_most + errors / sqrt((double)n))
            level = j + 1;
        coarsest = j > coarsest ? j : coarsest;
        for (size_t i = 0; i < n / 2; i++)
            means[i] = 0.5 * (means[2 * i] + means[2 * i + 1]);
        n /= 2;
        scale *= sqrt(0.5);
    }
    duel->least = least;
    /* Correlated up to the coarsest: wait for more. */
    level = level > coarsest + 1 ? coarsest + 1 : level;
    duel->level = level;
    for (struct sample now = sample_of(duel); now.n / 2 >= FIRST_BLOCKS && ties_of(now) > ties_most;
         now = sample_of(duel))
        duel->level++;
    duel->correlation = left[duel->level];
}

/* The least share of n coins showing heads, >= 1/2, at which the averaged likelihood ratio exceeds
 * 1 / alpha; above 1 when not even all of them are enough. */
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

/* The t statistic at which n normal blocks of unknown spread exceed 1 / alpha: the likelihood ratio
 * of the t test, averaged over a normal prior of the effect's size. INFINITY: none does. */
static double t_needed(double n, double alpha)
{
    const double freedom = n - 1.0, wide = 1.0 + n * effect_prior * effect_prior;
    if (!(freedom > 0.5))
        return INFINITY;
    /* ((1 + t^2/f) / (1 + t^2/(f wide)))^(n/2) / sqrt(wide) = 1 / alpha, solved for t. */
    const double ratio = exp(2.0 / n * (0.5 * log(wide) - log(alpha)));
    const double slope = (1.0 - ratio / wide) / freedom;
    return slope > 0.0 ? sqrt((ratio - 1.0) / slope) : INFINITY;
}

struct bounds {
    double low, high; /* of the log-ratio */
};

static struct bounds sign_bounds(struct sample blocks, double counted, double alpha)
{
    const double heads = ceil(share_needed(counted, alpha) * (double)blocks.n);
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

static struct bounds t_bounds(struct moments moments, double n, double counted, double alpha)
{
    const double t = t_needed(counted, alpha);
    if (!isfinite(t))
        return (struct bounds){-INFINITY, INFINITY};
    const double wide = t * sqrt(moments.squares / (n - 1.0) / counted);
    return (struct bounds){moments.mean - wide, moments.mean + wide};
}

/* The interval of the blocks' middle as ratios: what both tests leave over, half of alpha for each.
 * False when they do not bound it. */
static bool interval_of(const struct krn_duel *duel, struct sample blocks, struct moments moments,
                        double alpha, double *low, double *high)
{
    const double n = (double)blocks.n, rho = fmin(duel->correlation, 0.9);
    const double spent = 1.0 + abs(duel->level - duel->least);
    const double own = 0.5 * alpha * 6.0 / (9.8696044010893586 * spent * spent);
    const double counted = n * (1.0 - rho) / (1.0 + rho);
    const struct bounds sign = sign_bounds(blocks, counted, own),
                        t = t_bounds(moments, n, counted, own);
    struct bounds both = {fmax(sign.low, t.low), fmin(sign.high, t.high)};
    /* Contradictions are settled by believing neither. */
    if (both.low > both.high)
        both = (struct bounds){fmin(sign.low, t.low), fmax(sign.high, t.high)};
    *low = exp(both.low);
    *high = exp(both.high);
    return isfinite(both.low) && isfinite(both.high);
}

static void judge(struct krn_duel *duel)
{
    struct krn_duel_result *result = &duel->result;
    const struct sample blocks = sample_of(duel);
    result->blocks = blocks.n;
    result->block_pairs = (size_t)2 << (duel->halvings + duel->level);
    result->ratio = blocks.n ? exp(krn_quantile_sorted(blocks.sorted, blocks.n, 0.5)) : 1.0;
    double low, high, sure_low, sure_high;
    const bool enough = duel->kept[duel->now].count >> duel->least >= FIRST_BLOCKS;
    const struct moments moments = enough ? moments_of(blocks) : (struct moments){0.0, 0.0};
    if (!enough || !interval_of(duel, blocks, moments, shown_alpha, &low, &high) ||
        !interval_of(duel, blocks, moments, sure_alpha, &sure_low, &sure_high)) {
        /* Longer blocks were needed, and there are not enough of them yet. What was said stays said
         * while the median does not speak against it. */
        if (result->valid && result->ratio >= result->low && result->ratio <= result->high)
            return;
        result->valid = false;
        result->verdict = KRN_DUEL_CANNOT_TELL;
        return;
    }
    result->valid = true;
    result->low = low;
    result->high = high;
    result->sure_low = sure_low;
    result->sure_high = sure_high;
    if (log(sure_low) > duel->band)
        result->verdict = KRN_DUEL_FASTER;
    else if (log(sure_high) < -duel->band)
        result->verdict = KRN_DUEL_SLOWER;
    else if (log(sure_low) >= -duel->band && log(sure_high) <= duel->band)
        result->verdict = KRN_DUEL_SAME;
    else
        result->verdict = KRN_DUEL_CANNOT_TELL;
}

/* Takes one value of two pairs; after halvings several make one that is kept. */
static void add_value(struct krn_duel *duel, double value)
{
    duel->part += value;
    if (++duel->parts < (size_t)1 << duel->halvings)
        return;
    struct krn_duel_blocks *kept = &duel->kept[duel->now];
    keep(kept, duel->part / (double)duel->parts);
    duel->part = 0.0;
    duel->parts = 0;
    const bool whole = (kept->count & (((size_t)1 << duel->level) - 1)) == 0,
               check = kept->count >= duel->next_check;
    if (check) {
        check_level(duel);
        duel->next_check = kept->count + (kept->count > 64 ? kept->count / 8 : 8);
    }
    if (whole || check)
        judge(duel);
}

bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s)
{
    if (!(isfinite(a_ms) && a_ms > 0.0 && isfinite(b_ms) && b_ms > 0.0))
        return false;
    if (duel->pairs == 0)
        duel->first_s = at_s;
    duel->last_s = fmax(at_s, duel->first_s);
    duel->result.pairs = ++duel->pairs;
    keep_halved(duel);
    duel->waiting[a_first] = log(b_ms / a_ms);
    duel->waits[a_first] = true;
    if (duel->waits[0] && duel->waits[1]) {
        duel->waits[0] = duel->waits[1] = false;
        add_value(duel, 0.5 * (duel->waiting[0] + duel->waiting[1]));
    }
    return true;
}

const struct krn_duel_result *krn_duel_look(const struct krn_duel *duel)
{
    return &duel->result;
}
