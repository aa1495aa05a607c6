#include "report/report.h"

#include "command/mode.h"
#include "engine/work.h"
#include "judge/trust.h"
#include "model/model.h"

#include "krn/interval.h"
#include "krn/stats.h"

#include <math.h>
#include <stdio.h>

enum { WORK_METRICS = 4, RATE_METRICS = 3 };

void app_report_workload(struct app_workload *workload, const struct app_engine *engine,
                         const struct app_state *state, enum krn_view_kind view)
{
    const struct krn_scene *scene = app_engine_scene(engine);
    char text[APP_WORKLOAD_SCENE];
    app_workload_scene(view, scene, text);
    app_workload_describe(workload, state, view, text, scene->count);
}

/* Writes the work of a frame, its intensity and the rate; leaves them out where it is unknown. */
static size_t work_of(struct app_pair pairs[WORK_METRICS], struct krn_work work, double median_ms)
{
    const bool known = work.flops > 0.0 && work.bytes > 0.0 && median_ms > 0.0;
    pairs[0] = (struct app_pair){"flops", known ? work.flops : NAN, NULL};
    pairs[1] = (struct app_pair){"bytes", known ? work.bytes : NAN, NULL};
    pairs[2] = (struct app_pair){"intensity", known ? work.flops / work.bytes : NAN, NULL};
    pairs[3] = (struct app_pair){"gflops", known ? work.flops / median_ms / 1e6 : NAN, NULL};
    return WORK_METRICS;
}

/* Writes the rate of a mode's view: nominal tests, or rays and their rate. */
static size_t rates_of(struct app_pair pairs[RATE_METRICS], struct krn_mode mode, double tests,
                       double rays, double median_ms)
{
    const bool book = krn_mode_view(mode) == KRN_VIEW_BOOK, counted = !book && rays > 0.0;
    const double per_s = app_rays_per_s(rays, median_ms);
    pairs[0] = (struct app_pair){"nominal_tests_per_s",
                                 !book             ? NAN
                                 : median_ms > 0.0 ? tests / median_ms * 1e3
                                                   : 0.0,
                                 NULL};
    pairs[1] = (struct app_pair){"rays", counted ? rays : NAN, NULL};
    pairs[2] = (struct app_pair){"rays_per_s", counted && per_s > 0.0 ? per_s : NAN, NULL};
    return RATE_METRICS;
}

void app_report_add_mode(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_mode_samples *samples)
{
    const size_t n = samples->count;
    const struct krn_summary s = krn_summarise(samples->samples_ms, n);
    const int spheres = app_engine_scene(engine)->count;
    const double tests = (double)state->width * state->height * spheres;
    const struct app_pair parameters[] = {
        {"pixels_per_thread", samples->mode.pixels_per_thread, NULL},
    };
    struct app_pair metrics[APP_REPORT_TIMES + APP_REPORT_FLOOR + 2 + RATE_METRICS + WORK_METRICS];
    size_t count = app_report_times(metrics, &s, samples->interval);
    count += app_report_floor(metrics + count, s.median, samples->overhead_ms, samples->tick_ms,
                              samples->gate_drops);
    metrics[count++] = (struct app_pair){
        "batched_ms", samples->batched_ms > 0.0 ? samples->batched_ms : NAN, NULL};
    count += rates_of(metrics + count, samples->mode, tests, samples->rays, s.median);
    metrics[count++] = (struct app_pair){
        APP_METRIC_BINNING, samples->binning_ms > 0.0 ? samples->binning_ms : NAN, NULL};
    count += work_of(metrics + count, samples->work, s.median);
    const struct krn_view view = app_engine_view(state);
    struct krn_device *device = app_engine_connected(engine, samples->backend);
    struct krn_kernels kernels = {.count = 0};
    struct app_pair outcome[APP_KERNEL_PAIRS];
    if (device != NULL)
        (void)krn_device_kernels(device, samples->mode, &view, &kernels, NULL);
    char variant[64];
    krn_mode_name(samples->mode, variant, sizeof variant);
    const struct app_result_process measured = {
        .metrics = {metrics, count},
        .samples_ms = samples->samples_ms,
        .n = n,
        .stop = samples->stop,
    };
    const struct app_result result = {
        .benchmark = "raytrace",
        .variant = variant,
        .backend = samples->backend,
        .regime = app_regime_name(samples->regime),
        .workload = {samples->workload->pairs, samples->workload->count},
        .parameters = APP_PAIRS(parameters),
        .outcome = {outcome, app_kernel_pairs(krn_kernels_main(&kernels), outcome)},
        .scope = samples->scope,
        .verified = samples->verified,
        .verified_reason = samples->verified_reason,
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    app_report_add(report, &result, samples->trust);
}

void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement)
{
    struct app_workload workloads[KRN_VIEW_COUNT];
    struct krn_works works;
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        app_report_workload(&workloads[view], engine, state, (enum krn_view_kind)view);
    app_work_count(engine, state, state->backend, &works);
    if (measurement->telemetry.valid)
        report->results.telemetry = measurement->telemetry;
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        if (result->n == 0)
            continue;
        const struct app_mode_samples samples = {
            .backend = state->backend,
            .mode = result->mode,
            .workload = &workloads[krn_mode_view(result->mode)],
            .regime = result->regime,
            .samples_ms = result->samples_ms,
            .count = result->n,
            .interval = result->interval,
            .tick_ms = measurement->overheads.tick_ms,
            .overhead_ms = result->overhead_ms,
            .gate_drops = result->gate_drops,
            .batched_ms = result->batched_ms,
            .binning_ms = result->binning_ms,
            .work = works.modes[krn_mode_index(result->mode)],
            .rays = measurement->rays,
            .stop = app_report_stop(result->stop),
            .scope = result->scope,
            .verified = result->verified,
            .verified_reason = result->verified_text,
            .trust = result->trust,
        };
        app_report_add_mode(report, engine, state, &samples);
    }
}

void app_report_count_modes(struct app_report_few *few, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        char name[64];
        krn_mode_name(result->mode, name, sizeof name);
        if (result->refused[0] == 0)
            app_report_count(few, result->n, result->stop, name);
    }
}

void app_report_note_chosen(struct app_report *report, const char *modes)
{
    char note[APP_MODES_MAX + 64];
    if (modes == NULL || modes[0] == 0)
        return;
    snprintf(note, sizeof note, "Only the modes %s were measured.", modes);
    app_results_note(&report->results, note);
}

void app_report_note_refused(struct app_report *report, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        char note[APP_NOTICE_MAX + 32];
        if (measurement->modes[m].refused[0] == 0)
            continue;
        snprintf(note, sizeof note, "Not measured: %s", measurement->modes[m].refused);
        app_results_note(&report->results, note);
    }
}

enum { PHASE_KEY = 32, PHASE_METRICS = APP_REPORT_TIMES + APP_LANES * (APP_PHASE_COUNT + 3) + 5 };

struct metrics {
    struct app_pair pairs[PHASE_METRICS];
    char keys[PHASE_METRICS][PHASE_KEY];
    size_t count;
};

/* Adds a number; a time that no frame has, and one that is not finite, are left out. */
static void add(struct metrics *metrics, double value, const char *lane, const char *name,
                const char *unit)
{
    char *key = metrics->keys[metrics->count];
    snprintf(key, PHASE_KEY, "%s%s%s%s", lane, lane[0] ? "_" : "", name, unit);
    metrics->pairs[metrics->count++] = (struct app_pair){key, value, NULL};
}

static void add_lanes(struct metrics *metrics, const struct app_anatomy_view *view)
{
    static const char *const lanes[APP_LANES] = {"cpu", "gpu"};
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++) {
            const double ms = view->phases_ms[lane][phase];
            add(metrics, ms > 0.0 ? ms : NAN, lanes[lane], app_phase_name((enum app_phase)phase),
                "_ms");
        }
        add(metrics, view->gaps_ms[lane], lanes[lane], lane == APP_LANE_CPU ? "other" : "gaps",
            "_ms");
        add(metrics, view->spans_ms[lane], lanes[lane], "span", "_ms");
        add(metrics, 100.0 * view->mismatch[lane], lanes[lane], "mismatch", "_percent");
    }
}

static void add_overlay(struct metrics *metrics, const struct app_anatomy_view *view)
{
    const double *cpu = view->phases_ms[APP_LANE_CPU];
    const double gpu_ms = view->phases_ms[APP_LANE_GPU][APP_PHASE_OVERLAY];
    add(metrics, cpu[APP_PHASE_LAYOUT] + cpu[APP_PHASE_OVERLAY], "", "overlay_cpu", "_ms");
    add(metrics, gpu_ms > 0.0 ? gpu_ms : NAN, "", "overlay_gpu", "_ms");
    add(metrics, view->draws, "", "overlay_draw_calls", "");
    add(metrics, view->gl_tie_ms > 0.0 ? view->gl_tie_ms : NAN, "", "gl_clock_uncertainty", "_ms");
    add(metrics, view->device_tie_ms > 0.0 ? view->device_tie_ms : NAN, "",
        "device_clock_uncertainty", "_ms");
}

void app_report_add_anatomy(struct app_report *report, const struct app_state *state,
                            const struct app_anatomy_view *view)
{
    if (view->frames == 0)
        return;
    struct krn_series series = {.count = 0};
    for (int i = 0; i < view->frames; i++)
        krn_series_push(&series, view->lengths_ms[i]);
    const struct krn_summary summary = krn_series_summary(&series);
    const struct app_pair parameters[] = {{"hud", state->hud, NULL},
                                          {"panels", 0.0, app_panels_name(state->panels)},
                                          {"vsync", state->vsync, NULL},
                                          {"window_width", view->width, NULL},
                                          {"window_height", view->height, NULL}};
    const struct app_pair outcome[] = {
        {"limit", 0.0, view->limit ? view->limit : "not known"},
        {"opengl", 0.0, view->missing[0] ? view->missing : "timer queries"},
    };
    struct metrics metrics;
    metrics.count = app_report_times(metrics.pairs, &summary, krn_series_interval(&series));
    add_lanes(&metrics, view);
    add_overlay(&metrics, view);
    const struct app_result_process measured = {
        .metrics = {metrics.pairs, metrics.count},
        .samples_ms = view->lengths_ms,
        .n = (size_t)view->frames,
    };
    const struct app_result result = {
        .benchmark = "anatomy",
        .variant = "frame",
        .backend = state->backend,
        .parameters = APP_PAIRS(parameters),
        .outcome = APP_PAIRS(outcome),
        .scope = "a whole frame, from its beginning to the next one's, by the monotonic clock; the "
                 "metrics have the median of each phase on CPU and GPU",
        .verified_reason = "a time has no picture to compare",
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    struct app_trust_facts facts = {.has_picture = false};
    app_trust_series(&facts, &series);
    app_report_add(report, &result, app_trust_find(&facts));
}

static void put(struct app_pair *pairs, size_t *n, const char *key, double value)
{
    pairs[(*n)++] = (struct app_pair){key, value, NULL};
}

/* Lists the launch configuration and the work of one run; values that do not apply are left out. */
static size_t parameters_of(const struct krn_probe *probe, struct app_pair *pairs)
{
    const struct {
        const char *key;
        double value;
    } known[] = {
        {"block_threads", probe->threads},           {"blocks", probe->blocks},
        {"useful_bytes", probe->useful_bytes},       {"moved_bytes", probe->moved_bytes},
        {"footprint_bytes", probe->footprint_bytes}, {"in_flight_bytes", probe->in_flight_bytes},
        {"sectors_per_request", probe->sectors},     {"uniform_share", probe->uniform},
        {"addresses_per_read", probe->addresses},    {"flops", probe->flops},
        {"operations", probe->operations},           {"steps", probe->steps},
    };
    size_t n = 0;
    pairs[n++] = (struct app_pair){"axis", 0, probe->axis};
    put(pairs, &n, probe->axis, probe->x);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].value > 0.0)
            put(pairs, &n, known[i].key, known[i].value);
    if (probe->double_precision)
        put(pairs, &n, "double_precision", 1.0);
    if (probe->cold)
        put(pairs, &n, "cold", 1.0);
    if (probe->beside_memory)
        put(pairs, &n, "beside_memory", 1.0);
    return n;
}

enum {
    PARAMETERS_MAX = 18,
    BOUND_KEY = 48,
    METRICS_MAX = APP_REPORT_TIMES + APP_REPORT_FLOOR + 1 + 3 * APP_METRIC_COUNT
};

/* Lists the times, then every other metric that applies, each with its interval. */
static size_t metrics_of(const struct app_probes_view *view,
                         const struct app_probe_result *probe_result, unsigned long gate_drops,
                         struct app_pair *pairs, char keys[2 * APP_METRIC_COUNT][BOUND_KEY])
{
    size_t n = app_report_times(
               pairs, &probe_result->ms,
               krn_interval_widen(probe_result->ms_interval, probe_result->tick_ms)),
           k = 0;
    n += app_report_floor(pairs + n, probe_result->ms.median, probe_result->overhead_ms,
                          probe_result->tick_ms, gate_drops);
    put(pairs, &n, "max_error",
        probe_result->check.compared > 0.0 ? probe_result->check.max_error : NAN);
    for (int m = APP_METRIC_TIME + 1; m < APP_METRIC_COUNT; m++) {
        if (m == APP_METRIC_NET_TIME) /* among the times above */
            continue;
        const struct app_estimate e = app_metric_of(view, probe_result, (enum app_metric)m);
        const char *key = app_metric_key((enum app_metric)m);
        if (!e.valid)
            continue;
        put(pairs, &n, key, e.value);
        if (!e.has_interval)
            continue;
        snprintf(keys[k], BOUND_KEY, "%s_low", key);
        put(pairs, &n, keys[k++], e.low);
        snprintf(keys[k], BOUND_KEY, "%s_high", key);
        put(pairs, &n, keys[k++], e.high);
    }
    return n;
}

void app_report_add_probe_result(struct app_report *report, const struct app_probes_view *view,
                                 const struct app_probe_result *probe_result,
                                 const struct app_probe_origin *origin)
{
    const struct krn_probe *probe = probe_result->probe;
    if (probe_result->n == 0)
        return;
    struct app_pair parameters[PARAMETERS_MAX], metrics[METRICS_MAX];
    struct app_pair outcome[APP_KERNEL_PAIRS];
    char keys[2 * APP_METRIC_COUNT][BOUND_KEY];
    const struct app_result_process measured = {
        .metrics = {metrics, metrics_of(view, probe_result, origin->gate_drops, metrics, keys)},
        .samples_ms = origin->samples_ms,
        .cycles = probe->has_cycles ? origin->cycles : NULL,
        .n = probe_result->n,
        .stop = origin->stop,
    };
    const struct app_result result = {
        .benchmark = krn_topic_name(probe->topic),
        .variant = probe->series,
        .backend = view->device->backend,
        .regime = app_regime_name(origin->regime),
        .parameters = {parameters, parameters_of(probe, parameters)},
        .outcome = {outcome, app_kernel_pairs(&probe->kernel, outcome)},
        .scope = probe->scope,
        .verified = probe_result->verified,
        .verified_reason = origin->verified_text,
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    app_report_add(report, &result, probe_result->trust);
}

enum { DUEL_METRICS = 29, OUTCOME = 9 };

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

static size_t list_metrics(const struct app_duel_result *duel, struct app_pair pairs[DUEL_METRICS])
{
    const struct krn_duel_result *r = &duel->result;
    const struct app_mode_result *a = &duel->sides.modes[0], *b = &duel->sides.modes[1];
    const struct app_duel_aa *aa = &duel->aa;
    const bool claimed = duel->claims > 0;
    const double tick_ms = duel->sides.overheads.tick_ms, rays = duel->sides.rays;
    const struct app_pair all[DUEL_METRICS] = {
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
    for (size_t i = 0; i < DUEL_METRICS; i++)
        pairs[i] = all[i];
    return DUEL_METRICS;
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
    struct app_pair metrics[DUEL_METRICS], outcome[OUTCOME];
    struct doubts doubts;
    struct app_workload workload;
    double samples[2 * APP_MEASURE_SAMPLES];
    name_modes(duel_result, &names);
    list_doubts(duel_result, &doubts);
    app_report_workload(&workload, engine, state, krn_mode_view(duel_result->sides.modes[0].mode));
    const struct app_pair parameters[] = {
        {"a", 0, names.a}, {"b", 0, names.b}, {"band_percent", duel_result->band_percent, NULL}};
    const struct app_result_process measured = {
        .metrics = {metrics, list_metrics(duel_result, metrics)},
        .samples_ms = samples,
        .n = interleave(sides, samples),
        .stop = app_report_stop(duel_result->stop),
    };
    const struct app_result result = {
        .benchmark = "duel",
        .variant = names.both,
        .backend = state->backend,
        .regime = app_regime_name(regime),
        .workload = {workload.pairs, workload.count},
        .parameters = APP_PAIRS(parameters),
        .outcome = {outcome, list_outcome(duel_result, &doubts, outcome)},
        .scope = scope ? scope : "nothing was timed",
        .verified = worse_picture(sides)->verified,
        .verified_reason = worse_picture(sides)->verified_text,
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    app_report_add(report, &result, duel_result->trust);
}
