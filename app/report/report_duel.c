#include "report/report_duel.h"

#include "command/mode.h"
#include "engine/work.h"
#include "judge/trust.h"
#include "report/report_modes.h"

#include <math.h>
#include <stdio.h>

enum { METRICS = 29, OUTCOME = 9 };

/* The reasons to doubt each side, as ids separated by blanks. */
struct doubts {
    char of[2][512];
};

/* Both modes in words. */
struct names {
    char a[APP_MODE_TEXT_MAX], b[APP_MODE_TEXT_MAX], both[2 * APP_MODE_TEXT_MAX];
};

static void name_modes(const struct app_duel_result *duel, struct names *names)
{
    app_mode_text(duel->sides.modes[0].mode, names->a, sizeof names->a);
    app_mode_text(duel->sides.modes[1].mode, names->b, sizeof names->b);
    snprintf(names->both, sizeof names->both, "%s,%s", names->a, names->b);
}

static double when(bool known, double value)
{
    return known ? value : NAN;
}

/* Returns a side's rays per second; NAN: not known. */
static double rate(double rays, const struct app_mode_result *side)
{
    const double per_s = side->n > 0 ? app_rays_per_s(rays, side->summary.median) : -1.0;
    return when(per_s > 0.0, per_s);
}

static size_t list_metrics(const struct app_duel_result *duel, struct app_pair pairs[METRICS])
{
    const struct krn_duel_result *r = &duel->result;
    const struct app_mode_result *a = &duel->sides.modes[0], *b = &duel->sides.modes[1];
    const struct app_duel_aa *aa = &duel->aa;
    const bool claimed = duel->claims > 0;
    const double tick_ms = duel->sides.overheads.tick_ms, rays = duel->sides.rays;
    const struct app_pair all[METRICS] = {
        {"ratio", when(r->blocks > 0, r->ratio), NULL},
        {"ratio_low", when(r->valid, r->low), NULL},
        {"ratio_high", when(r->valid, r->high), NULL},
        {"n", (double)r->pairs, NULL},
        {"blocks", (double)r->blocks, NULL},
        {"block_pairs", (double)r->block_pairs, NULL},
        {"a_median_ms", when(a->n > 0, a->summary.median), NULL},
        {"a_median_ms_low", when(a->interval.valid, a->interval.low), NULL},
        {"a_median_ms_high", when(a->interval.valid, a->interval.high), NULL},
        {"b_median_ms", when(b->n > 0, b->summary.median), NULL},
        {"b_median_ms_low", when(b->interval.valid, b->interval.low), NULL},
        {"b_median_ms_high", when(b->interval.valid, b->interval.high), NULL},
        {"seconds", duel->seconds, NULL},
        {"claims", (double)duel->claims, NULL},
        {"first_claim_s", when(claimed, duel->claimed_s), NULL},
        {"first_claim_n", when(claimed, (double)duel->claimed_pairs), NULL},
        {"a_overhead_ms", when(a->overhead_ms > 0.0, a->overhead_ms), NULL},
        {"a_net_ms", when(a->net_ms > 0.0, a->net_ms), NULL},
        {"b_overhead_ms", when(b->overhead_ms > 0.0, b->overhead_ms), NULL},
        {"b_net_ms", when(b->net_ms > 0.0, b->net_ms), NULL},
        {"rays", when(rays > 0.0, rays), NULL},
        {"a_rays_per_s", rate(rays, a), NULL},
        {"b_rays_per_s", rate(rays, b), NULL},
        {"tick_ms", when(tick_ms > 0.0, tick_ms), NULL},
        {"aa_ratio", when(aa->valid && aa->result.blocks > 0, aa->result.ratio), NULL},
        {"aa_ratio_low", when(aa->valid && aa->result.valid, aa->result.low), NULL},
        {"aa_ratio_high", when(aa->valid && aa->result.valid, aa->result.high), NULL},
        {"aa_n", when(aa->valid, (double)aa->result.pairs), NULL},
        {"aa_claims", when(aa->valid, (double)aa->claims), NULL},
    };
    for (size_t i = 0; i < METRICS; i++)
        pairs[i] = all[i];
    return METRICS;
}

static void list_doubts(const struct app_duel_result *duel, struct doubts *doubts)
{
    for (int side = 0; side < 2; side++) {
        const char *ids[APP_TRUST_COUNT];
        const size_t count = app_trust_ids(duel->sides.modes[side].trust, ids);
        char *text = doubts->of[side];
        text[0] = 0;
        for (size_t i = 0, used = 0; i < count; i++)
            used += (size_t)snprintf(text + used, sizeof doubts->of[0] - used, "%s%s",
                                     i > 0 ? " " : "", ids[i]);
    }
}

/* Lists the verdicts on the duel, on both sides and on its A/A duel. */
static size_t list_outcome(const struct app_duel_result *duel, const struct doubts *doubts,
                           struct app_pair pairs[OUTCOME])
{
    static const char *const sides[] = {"A", "B"}, *const verified[] = {"no", "yes", "WRONG"};
    static const char *const verified_keys[] = {"a_verified", "b_verified"}, *const trust_keys[] = {
                                                                                 "a_trust",
                                                                                 "b_trust"};
    size_t n = 0;
    for (int side = 0; side < 2; side++) {
        const enum app_verified found = duel->sides.modes[side].verified;
        pairs[n++] = (struct app_pair){verified_keys[side], 0, verified[found]};
        if (doubts->of[side][0])
            pairs[n++] = (struct app_pair){trust_keys[side], 0, doubts->of[side]};
    }
    pairs[n++] = (struct app_pair){"verdict", 0, app_duel_verdict(duel)};
    if (duel->result.so_far != duel->result.verdict)
        pairs[n++] = (struct app_pair){"so_far", 0, krn_ratio_verdict_name(duel->result.so_far)};
    if (duel->aa.valid) {
        pairs[n++] = (struct app_pair){"aa_side", 0, sides[duel->aa.side != 0]};
        pairs[n++] =
            (struct app_pair){"aa_verdict", 0, krn_ratio_verdict_name(duel->aa.result.verdict)};
    }
    if (duel->distrusted)
        pairs[n++] = (struct app_pair){"distrusted", 1, NULL};
    return n;
}

/* Writes the samples of A and B in turn; returns how many there are. */
static size_t interleave(const struct app_measurement *sides,
                         double samples[2 * APP_MEASURE_SAMPLES])
{
    const size_t pairs = sides->modes[0].n;
    for (size_t i = 0; i < pairs; i++) {
        samples[2 * i] = sides->modes[0].samples_ms[i];
        samples[2 * i + 1] = sides->modes[1].samples_ms[i];
    }
    return 2 * pairs;
}

/* Returns the side whose picture decides for the duel. */
static const struct app_mode_result *worse_picture(const struct app_measurement *sides)
{
    return &sides->modes[app_verified_worse(sides->modes[0].verified, sides->modes[1].verified)];
}

void app_report_add_duel(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_duel_result *duel_result,
                         enum app_regime regime)
{
    const struct app_measurement *sides = &duel_result->sides;
    const char *scope = sides->modes[0].scope;
    struct names names;
    struct app_pair metrics[METRICS], outcome[OUTCOME];
    struct doubts doubts;
    struct app_workload workload;
    double samples[2 * APP_MEASURE_SAMPLES];
    name_modes(duel_result, &names);
    list_doubts(duel_result, &doubts);
    app_report_workload(&workload, engine, state, krn_mode_view(duel_result->sides.modes[0].mode));
    const struct app_pair parameters[] = {
        {"a", 0, names.a}, {"b", 0, names.b}, {"band_percent", duel_result->band_percent, NULL}};
    const struct app_result result = {
        .benchmark = "duel",
        .variant = names.both,
        .backend = state->backend,
        .regime = app_regime_name(regime),
        .workload = workload.pairs,
        .workload_count = workload.count,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .outcome = outcome,
        .outcome_count = list_outcome(duel_result, &doubts, outcome),
        .metrics = metrics,
        .metric_count = list_metrics(duel_result, metrics),
        .scope = scope ? scope : "nothing was timed",
        .samples_ms = samples,
        .sample_count = interleave(sides, samples),
        .verified = worse_picture(sides)->verified,
        .verified_reason = worse_picture(sides)->verified_text,
        .stop = app_report_stop(duel_result->stop),
        .complete = true,
    };
    app_report_add(report, &result, duel_result->trust);
}
