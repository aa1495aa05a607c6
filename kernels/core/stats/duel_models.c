#include "core/stats/duel_parts.h"

#include <math.h>

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
    models->evidence = krn_duel_models_evidence(models, models->centre);
}

void krn_duel_models_add(struct krn_duel_models *models, double block, double values,
                         double seconds, double spread)
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

double krn_duel_models_evidence(const struct krn_duel_models *models, double theta)
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

double krn_duel_models_reach(const struct krn_duel_models *models, double alpha, int sign,
                             double guess)
{
    const double needed = -log(alpha), aim = needed + 0.5 * evidence_tolerance;
    const double spread = sqrt(least_squares(models, 0) / (double)models->blocks / models->uu[0]);
    double inside = 0.0, outside = INFINITY, x = guess > 0.0 ? guess : 4.0 * spread;
    double found_inside = models->evidence, found_outside = INFINITY;
    for (int step = 0; step < SEARCH_STEPS; step++) {
        const double found = krn_duel_models_evidence(models, models->centre + sign * x);
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

double krn_duel_models_slower(const struct krn_duel_models *models, double seconds)
{
    double share = 0.0;
    for (int i = 0; i < KRN_DUEL_TIMES; i++)
        share += times_s[i] > seconds ? models->share[i] : 0.0;
    return share;
}
