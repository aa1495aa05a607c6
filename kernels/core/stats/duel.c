#include "krn/duel.h"

#include "core/stats/duel_parts.h"

#include <math.h>
#include <string.h>

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
    duel->next = duel->result;
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
        half_width[end] = krn_duel_models_reach(models, alpha, end == 0 ? -1 : 1, guess);
    }
    return (struct bounds){fmin(models->centre - half_width[0], mean) - tick,
                           fmax(models->centre + half_width[1], mean) + tick};
}

/* Returns how far beyond the band the interval must lie for a firm verdict, in percent. */
static double firm_percent(const struct krn_duel *duel)
{
    if (!duel->next.firm)
        return KRN_DUEL_EARLY_PERCENT;
    return krn_duel_models_slower(&duel->models, 0.0) < steady_share ? 0.0
                                                                     : KRN_DUEL_UNSTEADY_PERCENT;
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
        krn_duel_models_slower(&duel->models, run_s / wandering_times) >= wandering_share) {
        next->verdict = next->so_far = KRN_RATIO_WANDERING;
        next->valid = false;
    }
}

/* Completes the result with the 95 % interval, and shows it. The work falls on the pair after the
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
    duel->result = *next;
}

/* Adds a value at a time to the block that is under way, and ends it when it is long enough. */
static void add_to_block(struct krn_duel *duel, double value, double at_s)
{
    /* The values are clipped around the estimate that they make themselves. */
    const size_t taken = duel->total_count + duel->sum_count;
    const double estimate = taken < KRN_DUEL_QUEUE ? krn_duel_sample_median(&duel->sample)
                                                   : (duel->total + duel->sum) / (double)taken;
    duel->sum += krn_duel_clip(&duel->sample, value, estimate);
    duel->sum_count++;
    const double seconds = at_s - duel->block_s;
    if (!(seconds >= block_min_s))
        return;
    const double n = (double)duel->sum_count;
    krn_duel_models_add(&duel->models, duel->sum / n, n, seconds,
                        krn_duel_sample_spread(&duel->sample));
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
    krn_duel_sample_add(&duel->sample, value);
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
    duel->result.pairs = duel->next.pairs = duel->pairs;
    duel->waiting[a_first] = log(b_ms / a_ms);
    duel->is_waiting[a_first] = true;
    if (duel->is_waiting[0] && duel->is_waiting[1]) {
        duel->is_waiting[0] = duel->is_waiting[1] = false;
        add_value(duel, 0.5 * (duel->waiting[0] + duel->waiting[1]));
    }
    take_value(duel);
    return true;
}

const struct krn_duel_result *krn_duel_result_of(const struct krn_duel *duel)
{
    return &duel->result;
}
