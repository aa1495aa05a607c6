/* The sequential test: clips values, gathers blocks, and weighs models by Kalman filters. */
#include "krn/duel.h"

#include <math.h>
#include <string.h>

/* --- the clipping of single values --- */

/* The clip is the root of the sum of two squares: of the least clip, log-ratio, and of a multiple
 * of the width of the sample's middle, which is that between its 30th and its 70th percentile.
 * One-sided outliers that make up nearly a quarter of the values would push the upper quartile
 * about in small samples. */
static const double clip_least = 0.02, clip_middles = 2.6, middle_from = 0.3, middle_to = 0.7;

/* The width of the middle of a normal distribution, in standard deviations. */
static const double normal_middle = 1.0488;

/* Adds a value to the uniform sample of all values. */
static void sample_add(struct krn_duel_sample *sample, double value)
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

/* Returns the clipped value: one Newton step towards Huber's location from `estimate`, or from the
 * nearer end of the sample's middle when that lies outside. The sample must not be empty. */
static double clip_value(const struct krn_duel_sample *sample, double value, double estimate)
{
    const double low = krn_quantile_sorted(sample->sorted, sample->count, middle_from),
                 high = krn_quantile_sorted(sample->sorted, sample->count, middle_to);
    const double centre = fmin(fmax(estimate, low), high);
    const double middles = clip_middles * (high - low),
                 clip = sqrt(clip_least * clip_least + middles * middles);
    const double *sorted = sample->sorted;
    const size_t kept =
        krn_sorted_below(sorted, sample->count, nextafter(centre + clip, INFINITY)) -
        krn_sorted_below(sorted, sample->count, centre - clip);
    const double share = (double)kept / (double)sample->count;
    return centre + fmin(fmax(value - centre, -clip), clip) / share;
}

/* Returns the standard deviation of normal values whose middle is as wide as the sample's. */
static double sample_spread(const struct krn_duel_sample *sample)
{
    return (krn_quantile_sorted(sample->sorted, sample->count, middle_to) -
            krn_quantile_sorted(sample->sorted, sample->count, middle_from)) /
           normal_middle;
}

/* --- the models of how the sides wander apart --- */

/* Time constants of the wandering, s, and its spreads in units of that of the first block's noise.
 * Model 0 does not wander. */
static const double times_s[KRN_DUEL_TIMES] = {0.06, 0.25, 1.0, 4.0, 16.0};
static const double spreads[KRN_DUEL_SPREADS] = {0.3, 0.8, 2.0, 5.0, 13.0, 35.0};

/* The weight of all wandering models before the first block, and the log-ratio by which sides may
 * well wander apart: a model with a larger spread has less weight. */
static const double wandering_weight = 0.05, wandering_spread = 0.01;

/* Standard deviation of the effect, in units of the spread of a block. */
static const double effect_prior = 3.0;

/* Models that are less likely than the likeliest one by this factor, exp(16), do not matter. */
static const double negligible = 16.0;

/* Blocks without noise count as blocks with this one, log-ratio. */
static const double noise_min = 1e-9;

/* The search for an end of the interval stops when the evidence is too large by at most this. */
static const double evidence_tolerance = 0.08;
enum { SEARCH_STEPS = 14 };

/* Returns the variance of the wandering, in units of that of the first block's noise. */
static double wandering_of(int model)
{
    const double spread = model > 0 ? spreads[(model - 1) % KRN_DUEL_SPREADS] : 0.0;
    return spread * spread;
}

static void begin(struct krn_duel_models *models, double block, double values, double spread)
{
    models->origin = block;
    models->weighted = values;
    const double block_spread = spread / sqrt(values);
    double total = 0.0;
    for (int h = 1; h < KRN_DUEL_MODELS; h++) {
        const double apart = block_spread / wandering_spread;
        const double unlikely = 1.0 + wandering_of(h) * apart * apart;
        const double weight = wandering_weight / (KRN_DUEL_MODELS - 1) / (unlikely * unlikely);
        models->prior[h] = log(weight);
        total += weight;
        models->variance[h] = wandering_of(h);
    }
    models->prior[0] = log1p(-total);
}

/* Advances the filter of one model, whose wandering keeps `kept` of itself from block to block. The
 * noise of this block has `noise` times the variance of the first one's. */
static void advance(struct krn_duel_models *models, int h, double block, double noise, double kept)
{
    const double wandering = wandering_of(h);
    const double before = wandering + kept * kept * (models->variance[h] - wandering);
    const double x = kept * models->x[h], u = kept * models->u[h];
    const double variance = before + noise, gain = before / variance;
    const double surprise = block - x, slope = 1.0 - u;
    models->x[h] = x + gain * surprise;
    models->u[h] = u + gain * slope;
    models->variance[h] = before * (1.0 - gain);
    models->uu[h] += slope * slope / variance;
    models->ux[h] += slope * surprise / variance;
    models->xx[h] += surprise * surprise / variance;
    models->logs[h] += log(variance);
}

/* Returns the sum of the squared innovations at the theta at which it is smallest. */
static double least_squares(const struct krn_duel_models *models, int h)
{
    const double least = models->xx[h] - models->ux[h] * models->ux[h] / models->uu[h];
    return fmax(least, 0.0) + (double)models->blocks * noise_min * noise_min;
}

/* Returns the logarithm of the likelihood ratio against theta; at the true theta, it ever exceeds
 * log(1 / alpha) with probability at most alpha. */
static double models_evidence(const struct krn_duel_models *models, double theta)
{
    const double n = (double)models->blocks, from_origin = theta - models->origin;
    double without[KRN_DUEL_MODELS], with[KRN_DUEL_MODELS];
    double most_without = -INFINITY, most_with = -INFINITY;
    for (int i = 0; i < models->likely_count; i++) {
        const int h = models->likely[i];
        const double uu = models->uu[h], off = models->ux[h] / uu - from_origin;
        const double effect = effect_prior * effect_prior * (1.0 + wandering_of(h));
        const double least = least_squares(models, h);
        /* The effect explains all but 1 / (1 + effect uu) of the squares that theta adds. */
        const double added = off * off * uu, left = added / (1.0 + effect * uu);
        const double base = models->prior[h] - 0.5 * models->logs[h];
        without[i] = base - 0.5 * n * log(least + added);
        with[i] = base - 0.5 * n * log(least + left) - 0.5 * log1p(effect * uu);
        most_without = fmax(most_without, without[i]);
        most_with = fmax(most_with, with[i]);
    }
    double sum_without = 0.0, sum_with = 0.0;
    for (int i = 0; i < models->likely_count; i++) {
        sum_without += exp(without[i] - most_without);
        sum_with += exp(with[i] - most_with);
    }
    return most_with - most_without + log(sum_with / sum_without);
}

/* Computes the weight of each model given the blocks, and what follows from it. */
static void weigh(struct krn_duel_models *models)
{
    const double n = (double)models->blocks;
    double peak[KRN_DUEL_MODELS], marginal[KRN_DUEL_MODELS];
    double highest = -INFINITY, largest = -INFINITY, total = 0.0;
    for (int h = 0; h < KRN_DUEL_MODELS; h++) {
        const double squares = log(least_squares(models, h));
        peak[h] = models->prior[h] - 0.5 * models->logs[h] - 0.5 * n * squares;
        marginal[h] = peak[h] - 0.5 * log(models->uu[h]) + 0.5 * squares;
        highest = fmax(highest, peak[h]);
        largest = fmax(largest, marginal[h]);
    }
    models->centre = 0.0;
    models->likely_count = 0;
    for (int i = 0; i < KRN_DUEL_TIMES; i++)
        models->share[i] = 0.0;
    for (int h = 0; h < KRN_DUEL_MODELS; h++) {
        if (peak[h] < highest - negligible)
            continue;
        models->likely[models->likely_count++] = h;
        const double weight = exp(marginal[h] - largest);
        total += weight;
        models->centre += weight * models->ux[h] / models->uu[h];
        if (h > 0)
            models->share[(h - 1) / KRN_DUEL_SPREADS] += weight;
    }
    models->centre = models->origin + models->centre / total;
    for (int i = 0; i < KRN_DUEL_TIMES; i++)
        models->share[i] /= total;
    models->evidence = models_evidence(models, models->centre);
}

/* Adds a block: the mean of `values` values, `seconds` after the block before. spread: the standard
 * deviation of single values, roughly; only the first block's matters. */
static void models_add(struct krn_duel_models *models, double block, double values, double seconds,
                       double spread)
{
    if (models->blocks == 0)
        begin(models, block, values, spread);
    models->blocks++;
    double kept[KRN_DUEL_TIMES];
    for (int i = 0; i < KRN_DUEL_TIMES; i++)
        kept[i] = exp(-seconds / times_s[i]);
    const double noise = models->weighted / values;
    for (int h = 0; h < KRN_DUEL_MODELS; h++)
        advance(models, h, block - models->origin, noise,
                h > 0 ? kept[(h - 1) / KRN_DUEL_SPREADS] : 0.0);
    weigh(models);
}

/* Returns the distance from the centre to the upper (sign 1) or lower (-1) end of the confidence
 * sequence; INFINITY when it has no end. guess: the distance found last time; 0: none. */
static double models_reach(const struct krn_duel_models *models, double alpha, int sign,
                           double guess)
{
    const double needed = -log(alpha), aim = needed + 0.5 * evidence_tolerance;
    const double spread = sqrt(least_squares(models, 0) / (double)models->blocks / models->uu[0]);
    double inside = 0.0, outside = INFINITY, x = guess > 0.0 ? guess : 4.0 * spread;
    double found_inside = models->evidence, found_outside = INFINITY;
    for (int step = 0; step < SEARCH_STEPS; step++) {
        const double found = models_evidence(models, models->centre + sign * x);
        if (found < needed) {
            inside = x;
            found_inside = found;
        } else {
            outside = x;
            found_outside = found;
            if (found <= needed + evidence_tolerance)
                break;
        }
        /* Near the centre the evidence grows with the square of the distance, far away slowly. */
        const double squared = x * sqrt((aim - models->evidence) / (found - models->evidence));
        const double linear = (aim - found_inside) / (found_outside - found_inside);
        if (step == 0 && squared > inside && squared < outside)
            x = fmin(squared, 3.0 * x);
        else if (isfinite(outside))
            x = inside + fmin(fmax(linear, 0.1), 0.9) * (outside - inside);
        else
            x = 1.6 * inside;
    }
    return outside;
}

/* Returns the weight, 0..1, of the models whose time constant is longer than `seconds`. */
static double models_slower(const struct krn_duel_models *models, double seconds)
{
    double share = 0.0;
    for (int i = 0; i < KRN_DUEL_TIMES; i++)
        share += times_s[i] > seconds ? models->share[i] : 0.0;
    return share;
}

/* --- the duel --- */

/* Blocks before there is an interval. */
enum { INTERVAL_BLOCKS = 32 };

/* The shortest block. Other processes and clock changes disturb several neighbouring frames. A
 * block of one value of a display at 33 Hz counts. */
static const double block_min_s = 0.0299;

/* Error rates of the verdict (an A/A duel claims a difference in 1 of 100 runs) and of the
 * interval on screen. */
static const double verdict_alpha = 0.01, shown_alpha = 0.05;

/* The verdict is WANDERING when models whose time constant exceeds a 20th of the run have this
 * weight. The sides are steady when all wandering models together have less than the other one. */
static const double wandering_times = 20.0, wandering_share = 0.9, steady_share = 0.15;

void krn_duel_start(struct krn_duel *duel, double band_percent)
{
    memset(duel, 0, sizeof *duel);
    duel->band = 1.0 + fmin(fmax(band_percent, 0.0), KRN_DUEL_BAND_PERCENT_MAX) / 100.0;
    duel->result.ratio = duel->result.low = duel->result.high = 1.0;
    duel->result.verdict_low = duel->result.verdict_high = 1.0;
    duel->next = duel->whole = duel->result;
}

void krn_duel_set_tick(struct krn_duel *duel, double tick_ms)
{
    duel->tick_ms = tick_ms > 0.0 && isfinite(tick_ms) ? tick_ms : 0.0;
}

/* Returns half a step of the clock for each side, as a log-ratio. */
static double tick_of(const struct krn_duel *duel)
{
    const double n = (double)duel->pairs, half = 0.5 * duel->tick_ms;
    return log1p(half / exp(duel->log_ms[0] / n)) + log1p(half / exp(duel->log_ms[1] / n));
}

struct bounds {
    double low, high; /* log-ratios */
};

/* Finds one confidence sequence. half_width: the distances of its ends from the centre last time,
 * and now. It contains the mean, which is the estimate that is shown. */
static struct bounds bounds_of(const struct krn_duel *duel, double alpha, double half_width[2])
{
    const struct krn_duel_models *models = &duel->models;
    const double mean = duel->total / (double)duel->total_count, tick = tick_of(duel);
    for (int end = 0; end < 2; end++) {
        const double guess = isfinite(half_width[end]) ? half_width[end] : 0.0;
        half_width[end] = models_reach(models, alpha, end == 0 ? -1 : 1, guess);
    }
    return (struct bounds){fmin(models->centre - half_width[0], mean) - tick,
                           fmax(models->centre + half_width[1], mean) + tick};
}

/* Returns how far beyond the band the interval must lie for a firm verdict, in percent. */
static double firm_percent(const struct krn_duel *duel)
{
    if (!duel->next.firm)
        return KRN_DUEL_EARLY_PERCENT;
    return models_slower(&duel->models, 0.0) < steady_share ? 0.0 : KRN_DUEL_UNSTEADY_PERCENT;
}

/* Begins the result of a block that has just ended: the ratio and the 99 % interval. */
static void begin_result(struct krn_duel *duel)
{
    struct krn_duel_result *next = &duel->next;
    next->blocks = duel->models.blocks;
    next->block_pairs = 2 * duel->total_count / duel->models.blocks;
    next->ratio = exp(duel->total / (double)duel->total_count);
    next->valid = false;
    next->firm = duel->last_s - duel->first_s >= KRN_DUEL_FIRM_S;
    next->verdict = next->so_far = KRN_RATIO_CANNOT_TELL;
    duel->stale = true;
    if (next->blocks < INTERVAL_BLOCKS)
        return;
    const struct bounds bounds = bounds_of(duel, verdict_alpha, duel->half_width + 2);
    next->valid = isfinite(bounds.low) && isfinite(bounds.high);
    next->verdict_low = exp(bounds.low);
    next->verdict_high = exp(bounds.high);
    const struct krn_interval ratio = {next->valid, next->verdict_low, next->verdict_high};
    next->verdict = next->so_far = krn_ratio_judge(ratio, duel->band);
    const double firm_band = duel->band * (1.0 + firm_percent(duel) / 100.0);
    if (krn_ratio_claims(next->so_far) && krn_ratio_judge(ratio, firm_band) != next->so_far)
        next->verdict = KRN_RATIO_CANNOT_TELL;
    const double run_s = duel->last_s - duel->first_s;
    if (next->so_far == KRN_RATIO_CANNOT_TELL &&
        models_slower(&duel->models, run_s / wandering_times) >= wandering_share) {
        next->verdict = next->so_far = KRN_RATIO_WANDERING;
        next->valid = false;
    }
}

/* Completes the result with the 95 % interval. The work falls on the pair after the
 * one that ends a block, because that pair has less to do. */
static void complete_result(struct krn_duel *duel)
{
    struct krn_duel_result *next = &duel->next;
    duel->stale = false;
    if (next->valid) {
        const struct bounds bounds = bounds_of(duel, shown_alpha, duel->half_width);
        next->low = fmax(exp(bounds.low), next->verdict_low);
        next->high = fmin(exp(bounds.high), next->verdict_high);
    }
    duel->whole = *next;
}

/* Sides are far apart from this factor on. */
static const double far_factor = 2.0;

/* Keeps the extremes of a pair's times and ratio. */
static void widen_ranges(struct krn_duel *duel, const double ms[2])
{
    const double ratio = ms[1] / ms[0];
    const bool first = duel->pairs == 1;
    for (int side = 0; side < 2; side++) {
        duel->least_ms[side] = first ? ms[side] : fmin(duel->least_ms[side], ms[side]);
        duel->most_ms[side] = first ? ms[side] : fmax(duel->most_ms[side], ms[side]);
    }
    duel->least_ratio = first ? ratio : fmin(duel->least_ratio, ratio);
    duel->most_ratio = first ? ratio : fmax(duel->most_ratio, ratio);
}

/* Shows what the blocks say or, before they claim a difference, that the sides are far apart. */
static void show(struct krn_duel *duel)
{
    struct krn_duel_result *result = &duel->result;
    const double ratio = exp((duel->log_ms[1] - duel->log_ms[0]) / (double)duel->pairs),
                 factor = fmax(far_factor, duel->band), tick = exp(tick_of(duel));
    const bool a_first = duel->most_ms[0] + duel->tick_ms < duel->least_ms[1] && ratio >= factor,
               b_first =
                   duel->most_ms[1] + duel->tick_ms < duel->least_ms[0] && ratio <= 1.0 / factor;
    *result = duel->whole;
    result->pairs = duel->pairs;
    if (duel->pairs < KRN_DUEL_FAR_PAIRS || !(a_first || b_first) ||
        krn_ratio_claims(result->verdict))
        return;
    result->valid = true;
    result->ratio = ratio;
    result->low = result->verdict_low = duel->least_ratio / tick;
    result->high = result->verdict_high = duel->most_ratio * tick;
    result->verdict = result->so_far = a_first ? KRN_RATIO_FASTER : KRN_RATIO_SLOWER;
}

/* Adds a value at a time to the block that is under way, and ends it when it is long enough. */
static void add_to_block(struct krn_duel *duel, double value, double at_s)
{
    /* The values are clipped around the estimate that they make themselves. */
    const size_t taken = duel->total_count + duel->sum_count;
    const double estimate = taken < KRN_DUEL_QUEUE
                                ? krn_quantile_sorted(duel->sample.sorted, duel->sample.count, 0.5)
                                : (duel->total + duel->sum) / (double)taken;
    duel->sum += clip_value(&duel->sample, value, estimate);
    duel->sum_count++;
    const double seconds = at_s - duel->block_s;
    if (!(seconds >= block_min_s))
        return;
    const double n = (double)duel->sum_count;
    models_add(&duel->models, duel->sum / n, n, seconds, sample_spread(&duel->sample));
    duel->total += duel->sum;
    duel->total_count += duel->sum_count;
    duel->sum = 0.0;
    duel->sum_count = 0;
    duel->block_s = at_s;
    begin_result(duel);
}

/* Queues the value of two pairs. */
static void add_value(struct krn_duel *duel, double value)
{
    const size_t last = (duel->queue_first + duel->queue_count++) % KRN_DUEL_QUEUE;
    duel->queue[last].value = value;
    duel->queue[last].at_s = duel->last_s;
    sample_add(&duel->sample, value);
}

/* Takes the oldest value in the queue, if the sample is large enough for clipping. Each pair does
 * so, and only every other pair adds a value, so the queue soon is empty. */
static void take_value(struct krn_duel *duel)
{
    if (duel->queue_count == 0 || duel->sample.seen < KRN_DUEL_QUEUE)
        return;
    const size_t first = duel->queue_first;
    duel->queue_first = (first + 1) % KRN_DUEL_QUEUE;
    duel->queue_count--;
    add_to_block(duel, duel->queue[first].value, duel->queue[first].at_s);
}

bool krn_duel_add(struct krn_duel *duel, double a_ms, double b_ms, bool a_first, double at_s)
{
    if (!(isfinite(a_ms) && a_ms > 0.0 && isfinite(b_ms) && b_ms > 0.0))
        return false;
    if (duel->pairs == 0)
        duel->first_s = duel->last_s = duel->block_s = at_s;
    duel->last_s = fmax(at_s, duel->last_s);
    duel->pairs++;
    duel->log_ms[0] += log(a_ms);
    duel->log_ms[1] += log(b_ms);
    if (duel->stale)
        complete_result(duel);
    duel->next.pairs = duel->pairs;
    widen_ranges(duel, (double[]){a_ms, b_ms});
    duel->waiting[a_first] = log(b_ms / a_ms);
    duel->is_waiting[a_first] = true;
    if (duel->is_waiting[0] && duel->is_waiting[1]) {
        duel->is_waiting[0] = duel->is_waiting[1] = false;
        add_value(duel, 0.5 * (duel->waiting[0] + duel->waiting[1]));
    }
    take_value(duel);
    show(duel);
    return true;
}

const struct krn_duel_result *krn_duel_result_of(const struct krn_duel *duel)
{
    return &duel->result;
}
