/* app/measure/report.c - measurements as results of a record: of modes, probes, duels, claims and
 * frames. */
#include "measure/report.h"

#include "base/process.h"
#include "krn/memory.h"
#include "records/recorded.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds the reasons that OpenGL adds: none to a kernel's time, many to a frame's. */
static unsigned find_screen(const struct krn_device_info *device, const struct app_screen *screen)
{
    struct app_trust_facts facts = {0};
    if (screen && screen->gl && screen->blit)
        app_trust_screen(&facts, &device->can, screen->gl, screen->blit);
    return app_trust_find(&facts);
}

static void keep_screen(struct app_results *results, const struct app_screen *from)
{
    struct app_results_screen *screen = &results->screen;
    screen->vendor = app_results_keep(results, from->gl->vendor);
    screen->renderer = app_results_keep(results, from->gl->renderer);
    screen->version = app_results_keep(results, from->gl->version);
    screen->context = app_results_keep(results, from->context);
    screen->software = from->gl->software;
    if (from->blit == NULL)
        return;
    screen->blit_asked = app_blit_names[from->blit->asked];
    screen->blit_used = app_blit_names[from->blit->used];
    if (from->blit->reason[0] != 0)
        screen->blit_reason = app_results_keep(results, from->blit->reason);
}

void app_report_begin(struct app_results *results, struct app_environment *environment,
                      const struct app_engine *engine, const struct app_state *state,
                      const struct app_screen *screen)
{
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_telemetry_reading telemetry;
    app_environment_stamp(environment);
    app_engine_telemetry(engine, state->spec.backend, &telemetry);
    if (krn_device_describe(device)->can.telemetry && telemetry.samples == 0) {
        /* The first query has only just been sent. */
        krn_telemetry_wait(app_engine_monitor(engine, state->spec.backend), 1.0);
        app_engine_telemetry(engine, state->spec.backend, &telemetry);
    }
    app_results_begin(results, environment);
    results->has_device = true;
    results->device = *krn_device_describe(device);
    if (results->device.can.host_processors) /* affinity and OMP_NUM_THREADS count */
        results->cpu_threads = results->device.processors;
    results->overheads = krn_device_overheads(device);
    results->ceilings = krn_ceilings_of(&results->device);
    results->telemetry = telemetry;
    struct krn_property *properties =
        app_results_take(results, KRN_PROPERTIES_MAX, sizeof *properties);
    int count;
    if (krn_properties_read(results->device.backend, results->device.ordinal, properties, &count,
                            NULL) == KRN_OK) {
        results->properties = properties;
        results->property_count = (size_t)count;
    }
    if (screen && screen->gl)
        keep_screen(results, screen);
    app_results_set_state(results, state, app_engine_scene(engine), app_engine_scene_note(engine));
    if (app_engine_scene_note(engine)[0] != 0)
        app_results_note(results, app_engine_scene_note(engine));
    results->trust.reasons = find_screen(&results->device, screen);
}

void app_report_add(struct app_results *results, const struct app_result *result, unsigned trust)
{
    struct app_result judged = *result;
    results->trust.reasons |= trust;
    judged.trust.reasons = trust;
    judged.complete = result->complete && !app_interrupted();
    app_results_add(results, &judged);
}

void app_report_count(struct app_report_few *few, size_t n, enum krn_stop stop, const char *name)
{
    few->all++;
    /* A run's time that is up within the very first frame leaves no rule. */
    const bool cut = n == 0 && app_must_stop() && !app_interrupted();
    if ((stop != KRN_STOP_TIME && !cut) || n >= APP_FIRST_SAMPLES)
        return;
    few->none += n == 0;
    if (few->few++ == 0)
        snprintf(few->first, sizeof few->first, "%s", name);
}

void app_report_note_few(struct app_results *results, const char *benchmark,
                         const struct app_report_few *few)
{
    char note[256];
    if (few->few == 0)
        return;
    snprintf(note, sizeof note,
             "%s: %d of %d have fewer than %d samples because the time was up, %s among them; "
             "--seconds gives more.",
             benchmark, few->few, few->all, APP_FIRST_SAMPLES, few->first);
    app_results_note(results, note);
    if (few->none > 0)
        results->complete = false;
}

enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_view(state);
    struct krn_image image;
    enum krn_code code = krn_device_alloc_image(device, view.width, view.height, &image, error);
    if (code != KRN_OK)
        return code;
    code = krn_device_set_pose(device, krn_pose_at(state->spec.motion_s), error);
    KRN_THEN(code, krn_device_render(device, state->spec.mode, &view, &image, KRN_UNTIMED, error));
    KRN_THEN(code, krn_device_hash(device, &image, hash, error));
    krn_device_free_image(device, &image);
    return code;
}

void app_report_picture(struct app_results *results, const struct app_engine *engine,
                        const struct app_state *state)
{
    struct app_results_picture *picture = &results->picture;
    struct krn_error error;
    picture->has_hash = app_picture_hash(engine, state, &picture->hash, &error) == KRN_OK;
}

/* --- what several results have --- */

static void put_estimate(struct app_draft *draft, enum app_member member,
                         const struct app_estimate *e)
{
    app_put_interval(draft, member, e->value,
                     (struct krn_interval){e->has_interval, e->low, e->high});
}

/* Adds what every time has: the median and its interval, percentiles, extremes, count. */
static void put_times(struct app_draft *draft, const struct krn_summary *ms,
                      struct krn_interval interval)
{
    app_put_interval(draft, APP_M_MEDIAN_MS, ms->median, interval);
    app_put_fields(draft, &app_fields_of_times, ms);
}

/* Adds what a time contains besides the kernel. */
static void put_floor(struct app_draft *draft, double overhead_ms, struct app_estimate net,
                      double tick_ms, unsigned long gate_drops)
{
    app_put_known(draft, APP_M_OVERHEAD_MS, overhead_ms);
    if (net.valid)
        put_estimate(draft, APP_M_NET_MS, &net);
    app_put_known(draft, APP_M_TICK_MS, tick_ms);
    app_put(draft, APP_M_GATE_DROPS, (double)gate_drops);
}

static void put_kernel(struct app_draft *draft, const struct krn_kernel_attributes *kernel)
{
    if (krn_kernel_known(kernel))
        app_put_fields(draft, &app_fields_of_kernel, kernel);
}

/* Returns the name of the rule that ended a measurement; NULL: it was interrupted. */
static const char *stop_name(enum krn_stop stop)
{
    return stop == KRN_STOP_NOT ? NULL : krn_stop_name(stop);
}

/* --- modes --- */

/* Adds which version of the user's kernel a mode is. */
static void put_mine(struct app_draft *draft, const struct app_mine_status *mine,
                     struct krn_mode mode)
{
    if (mode.kernel != KRN_KERNEL_MINE || mine == NULL)
        return;
    app_put_text(draft, APP_P_KERNEL_FILE, mine->file);
    app_put_text(draft, APP_P_KERNEL_HASH, mine->hash);
}

/* Adds the limit, and how many times as long the kernel takes. */
static void put_limit(struct app_draft *draft, double net_ms, const struct krn_limit *limit)
{
    const struct app_of_limit of = app_of_limit(net_ms, limit);
    if (!(limit->net_ms > 0.0))
        return;
    app_put_interval(draft, APP_M_LIMIT_MS, limit->net_ms, limit->interval);
    app_put(draft, APP_M_LIMIT_RAW_MS, limit->raw_ms);
    app_put_known(draft, of.least ? APP_M_OF_LIMIT_LEAST : APP_M_OF_LIMIT, of.times);
}

/* Adds the samples of a mode, and what follows from them. */
static void put_time(struct app_draft *draft, const struct app_mode_time *mode,
                     const struct krn_limit *limit)
{
    put_estimate(draft, APP_M_MEDIAN_MS, &mode->median);
    app_put_fields(draft, &app_fields_of_times, &mode->ms);
    put_floor(draft, mode->overhead_ms, mode->net, mode->tick_ms, mode->gate_drops);
    put_limit(draft, mode->net.value, limit);
    draft->measured.samples_ms = mode->samples_ms;
    draft->measured.n = mode->ms.n;
    draft->result.regime = app_regime_name(mode->regime);
    draft->result.scope = mode->scope;
    draft->result.verified = mode->verified;
    draft->result.verified_reason = mode->verified_text;
}

/* Adds one mode's samples. */
static void add_mode(struct app_results *results, const struct app_state *state,
                     const struct app_measurement *measurement, const struct app_mode_time *mode)
{
    const struct app_work work = measurement->works[mode - measurement->modes];
    const enum krn_view_kind view = krn_mode_view(mode->mode);
    const double median_ms = mode->ms.median;
    struct app_draft draft;
    char variant[64];
    krn_mode_name(mode->mode, variant, sizeof variant);
    app_draft_begin(&draft, results, "raytrace", variant, mode->backend);
    app_put_workload(&draft, state, view, measurement->scene[view], measurement->spheres);
    app_put(&draft, APP_P_PIXELS_PER_THREAD, mode->mode.pixels_per_thread);
    put_mine(&draft, measurement->mine, mode->mode);
    put_time(&draft, mode, &measurement->limit);
    app_put_known(&draft, APP_M_BATCHED_MS, mode->batched_ms);
    if (view == KRN_VIEW_LIGHT) {
        app_put_known(&draft, APP_M_RAYS, measurement->rays);
        app_put_known(&draft, APP_M_RAYS_PER_S, app_rays_per_s(measurement->rays, median_ms));
    }
    app_put_known(&draft, APP_M_LISTS_MEDIAN_MS, mode->binning_ms);
    if (work.flops > 0.0 && work.bytes > 0.0 && median_ms > 0.0) {
        app_put(&draft, APP_M_FLOPS, work.flops);
        app_put(&draft, APP_M_BYTES, work.bytes);
        app_put(&draft, APP_M_INTENSITY, work.flops / work.bytes);
        app_put(&draft, APP_M_GFLOPS, work.flops / median_ms / 1e6);
    }
    put_kernel(&draft, &mode->kernel);
    draft.measured.stop = stop_name(mode->stop);
    /* A point of the story plot may be the picture on screen, which is in the record already. */
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *other = &results->results[i];
        if (strcmp(other->benchmark, "raytrace") == 0 && strcmp(other->variant, variant) == 0 &&
            other->backend == mode->backend &&
            app_pairs_equal(other->workload, draft.result.workload))
            return;
    }
    app_report_add(results, &draft.result, mode->median.trust);
}

void app_report_add_measurement(struct app_results *results, const struct app_state *state,
                                const struct app_measurement *measurement)
{
    if (measurement->telemetry.valid)
        results->telemetry = measurement->telemetry;
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].valid)
            add_mode(results, state, measurement, &measurement->modes[m]);
}

void app_report_add_class(struct app_results *results, const struct app_class_view *view)
{
    for (int i = view->timed > 0 ? 0 : 1; i <= view->count; i++) {
        const struct app_class_row *row = view->rows[i];
        struct app_draft draft;
        app_draft_begin(&draft, results, "class", row->file, view->state->spec.backend);
        app_put_workload(&draft, view->state, KRN_VIEW_BOOK, view->scene, view->spheres);
        app_put_text(&draft, APP_P_KERNEL_FILE, i > 0 ? row->file : NULL);
        app_put_text(&draft, APP_O_NOTE, row->why[0] ? row->why : NULL);
        draft.result.scope = "nothing was timed";
        draft.result.verified_reason = row->why;
        if (row->speed.valid) {
            put_time(&draft, &row->time, &view->limit);
            put_estimate(&draft, APP_M_RATIO, &row->speed);
        }
        if (row->rank > 0) {
            app_put_text(&draft, APP_P_KERNEL_HASH, row->hash);
            app_put(&draft, APP_O_RANK, row->rank);
            app_put_known(&draft, APP_O_VALUE_LOW, row->speed.low);
            app_put_known(&draft, APP_O_VALUE_HIGH, row->speed.high);
        }
        app_report_add(results, &draft.result, row->speed.valid ? row->time.median.trust : 0);
    }
}

void app_report_count_modes(struct app_report_few *few, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_time *result = &measurement->modes[m];
        char name[64];
        krn_mode_name(result->mode, name, sizeof name);
        if (result->missing[0] == 0)
            app_report_count(few, result->ms.n, result->stop, name);
    }
}

void app_report_note_chosen(struct app_results *results, const char *modes)
{
    char note[APP_MODES_MAX + 64];
    if (modes == NULL || modes[0] == 0)
        return;
    snprintf(note, sizeof note, "Only the modes %s were measured.", modes);
    app_results_note(results, note);
}

void app_report_note_refused(struct app_results *results, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        char note[APP_NOTICE_MAX + 32];
        if (measurement->modes[m].missing[0] == 0)
            continue;
        snprintf(note, sizeof note, "Not measured: %s", measurement->modes[m].missing);
        app_results_note(results, note);
    }
}

/* --- probes --- */

void app_probe_sum_up(struct app_result *result, struct app_probe_sum *sum,
                      const struct krn_summary summaries[2], const struct krn_interval intervals[2],
                      unsigned long gate_drops)
{
    struct app_draft draft;
    app_draft_begin(&draft, NULL, result->benchmark, result->variant, result->backend);
    put_times(&draft, &summaries[0], krn_interval_widen(intervals[0], sum->tick_ms));
    put_floor(&draft, sum->overhead.ms,
              app_estimate_net(app_estimate_of_run(summaries[0].median, intervals[0], sum->tick_ms),
                               sum->overhead),
              sum->tick_ms, gate_drops);
    if (sum->check.compared > 0.0)
        app_put(&draft, APP_M_MAX_ERROR, sum->check.max_error);
    /* The last ones: app_report_add_probe adds them among the derived metrics. */
    if (result->probe->has_cycles)
        app_put_interval(&draft, APP_M_CYCLES, summaries[1].median, intervals[1]);
    result->metrics = (struct app_pairs){sum->metrics, draft.measured.metrics.count};
    memcpy(sum->metrics, draft.pairs[APP_LIST_M], result->metrics.count * sizeof *sum->metrics);
    sum->process.metrics = result->metrics;
    sum->process.n = summaries[0].n;
}

void app_report_add_probe(struct app_results *results, const struct app_probes_view *view,
                          const struct app_result *measured)
{
    const struct krn_probe *probe = measured->probe;
    const struct app_pair *pairs = measured->metrics.pairs;
    struct app_draft draft;
    size_t count = 0;
    if (app_result_samples(measured) == 0)
        return;
    app_draft_begin(&draft, results, measured->benchmark, measured->variant, measured->backend);
    app_put_text(&draft, APP_P_AXIS, probe->axis);
    app_put_key(&draft, APP_LIST_P, probe->axis, probe->x);
    app_put_fields(&draft, &app_fields_of_probe, probe);
    put_kernel(&draft, &probe->kernel);
    draft.measured = measured->processes[0];
    while (count < measured->metrics.count && pairs[count].key != app_members[APP_M_CYCLES].key)
        count++;
    memcpy(draft.pairs[APP_LIST_M], pairs, count * sizeof *pairs);
    draft.measured.metrics = (struct app_pairs){draft.pairs[APP_LIST_M], count};
    for (int m = 1; m < APP_PROBE_METRICS; m++) {
        const struct app_estimate e = app_metric_of(view, measured, app_probe_metric(m));
        /* The net time is among the times. */
        if (app_probe_metric(m) != APP_M_NET_MS && e.valid)
            put_estimate(&draft, app_probe_metric(m), &e);
    }
    draft.result.regime = measured->regime;
    draft.result.scope = measured->scope;
    draft.result.verified = measured->verified;
    draft.result.verified_reason = measured->verified_reason;
    app_report_add(results, &draft.result, measured->trust.reasons);
}

/* --- duels --- */

/* Adds a metric of one side. */
static void put_side(struct app_draft *draft, enum app_member a, int side, double number)
{
    app_put_known(draft, (enum app_member)((int)a + side), number);
}

static void put_duel(struct app_draft *draft, const struct app_duel_result *duel)
{
    const struct krn_duel_result *r = &duel->result, *aa = &duel->aa.result;
    const struct app_mode_time *sides = duel->sides.modes;
    if (duel->comparison.ratio.valid)
        put_estimate(draft, APP_M_RATIO, &duel->comparison.ratio);
    app_put(draft, APP_M_N, (double)r->pairs);
    app_put(draft, APP_M_BLOCKS, (double)r->blocks);
    app_put(draft, APP_M_BLOCK_PAIRS, (double)r->block_pairs);
    for (int side = 0; side < 2; side++)
        if (sides[side].valid)
            put_estimate(draft, (enum app_member)(APP_M_A_MEDIAN_MS + side), &sides[side].median);
    app_put(draft, APP_M_SECONDS, duel->seconds);
    app_put(draft, APP_M_CLAIMS, (double)duel->claims);
    if (duel->claims > 0) {
        app_put(draft, APP_M_FIRST_CLAIM_S, duel->claimed_s);
        app_put(draft, APP_M_FIRST_CLAIM_N, (double)duel->claimed_pairs);
    }
    for (int side = 0; side < 2; side++) {
        put_side(draft, APP_M_A_OVERHEAD_MS, side, sides[side].overhead_ms);
        if (sides[side].net.valid)
            put_estimate(draft, (enum app_member)(APP_M_A_NET_MS + side), &sides[side].net);
    }
    app_put_known(draft, APP_M_RAYS, duel->sides.rays);
    for (int side = 0; side < 2; side++)
        if (sides[side].valid)
            put_side(draft, APP_M_A_RAYS_PER_S, side,
                     app_rays_per_s(duel->sides.rays, sides[side].ms.median));
    app_put_known(draft, APP_M_TICK_MS, duel->sides.overheads.tick_ms);
    if (!duel->aa.valid)
        return;
    if (aa->blocks > 0 || aa->valid)
        app_put_interval(draft, APP_M_AA_RATIO, aa->ratio,
                         (struct krn_interval){aa->valid, aa->low, aa->high});
    app_put(draft, APP_M_AA_N, (double)aa->pairs);
    app_put(draft, APP_M_AA_CLAIMS, (double)duel->aa.claims);
}

/* Adds the verdicts on the duel, on both sides and on its A/A duel. */
static void put_verdicts(struct app_draft *draft, const struct app_duel_result *duel)
{
    static const char *const verified[] = {"no", "yes", "WRONG"};
    for (int side = 0; side < 2; side++) {
        const struct app_mode_time *mode = &duel->sides.modes[side];
        char doubts[512];
        app_trust_list(mode->median.trust, doubts, sizeof doubts);
        app_put_text(draft, (enum app_member)(APP_O_A_VERIFIED + side), verified[mode->verified]);
        app_put_text(draft, (enum app_member)(APP_O_A_TRUST + side), doubts[0] ? doubts : NULL);
    }
    app_put_text(draft, APP_O_VERDICT, app_verdict_word(app_duel_verdict(duel)));
    if (duel->result.so_far != duel->result.verdict)
        app_put_text(draft, APP_O_SO_FAR,
                     app_verdict_word(app_verdict_of_duel(duel->result.so_far)));
    if (duel->aa.valid) {
        app_put_text(draft, APP_O_AA_SIDE, duel->aa.side != 0 ? "B" : "A");
        app_put_text(draft, APP_O_AA_VERDICT,
                     app_verdict_word(app_verdict_of_duel(duel->aa.result.verdict)));
    }
    app_put_known(draft, APP_O_DISTRUSTED, duel->distrusted);
}

void app_report_add_duel(struct app_results *results, const struct app_state *state,
                         const struct app_duel_result *duel, enum app_regime regime)
{
    const struct app_measurement *measurement = &duel->sides;
    const struct app_mode_time *sides = duel->sides.modes,
                               *worse =
                                   &sides[app_verified_worse(sides[0].verified, sides[1].verified)];
    struct app_draft draft;
    double samples[2 * APP_MEASURE_SAMPLES];
    char names[2][APP_MODE_TEXT_MAX], both[2 * APP_MODE_TEXT_MAX], scope[512];
    const bool crosses = sides[0].backend != sides[1].backend;
    for (int side = 0; side < 2; side++)
        app_duel_side_text((struct app_duel_side){sides[side].backend, sides[side].mode}, crosses,
                           names[side], sizeof names[side]);
    snprintf(both, sizeof both, "%s,%s", names[0], names[1]);
    app_draft_begin(&draft, results, "duel", both, state->spec.backend);
    const enum krn_view_kind view = krn_mode_view(sides[0].mode);
    app_put_workload(&draft, state, view, measurement->scene[view], measurement->spheres);
    app_put_text(&draft, APP_P_A, names[0]);
    app_put_text(&draft, APP_P_B, names[1]);
    put_mine(&draft, measurement->mine,
             sides[0].mode.kernel == KRN_KERNEL_MINE ? sides[0].mode : sides[1].mode);
    app_put(&draft, APP_P_BAND_PERCENT, duel->band_percent);
    put_verdicts(&draft, duel);
    put_duel(&draft, duel);
    for (size_t i = 0; i < 2 * sides[0].ms.n; i++)
        samples[i] = sides[i % 2].samples_ms[i / 2];
    draft.measured.samples_ms = samples;
    draft.measured.n = 2 * sides[0].ms.n;
    draft.measured.stop = stop_name(duel->stop);
    draft.result.regime = app_regime_name(regime);
    snprintf(scope, sizeof scope, "%s", sides[0].scope ? sides[0].scope : "nothing was timed");
    if (crosses && sides[0].scope && sides[1].scope)
        snprintf(scope, sizeof scope,
                 "A: %s; B: %s; each after a switch and an untimed launch, the ratio net of empty "
                 "launches",
                 sides[0].scope, sides[1].scope);
    draft.result.scope = scope;
    draft.result.verified = worse->verified;
    draft.result.verified_reason = worse->verified_text;
    app_report_add(results, &draft.result, duel->trust);
}

/* --- claims --- */

/* Adds a claim as a result. The ends of its interval belong to the outcome, because a claim is
 * judged once for all processes. */
static void add_claim(struct app_results *results, enum krn_backend_id backend,
                      const struct app_claim *claim)
{
    const struct app_estimate *e = &claim->now.estimate;
    struct app_draft draft;
    app_draft_begin(&draft, results, "claims", claim->of->id, backend);
    app_put_text(&draft, APP_O_CLAIM, claim->of->claim);
    app_put_text(&draft, APP_O_TEXT_DEVICE, claim->of->device);
    app_put_text(&draft, APP_O_TEXT_NUMBER, claim->of->then);
    app_put_text(&draft, APP_O_NUMBER, claim->now.text);
    app_put_text(&draft, APP_O_INTERVAL, claim->now.interval);
    app_put_text(&draft, APP_O_BESIDE, claim->beside);
    app_put_text(&draft, APP_O_NOTE, claim->note);
    app_put_text(&draft, APP_O_METHOD, claim->method);
    app_put_text(&draft, APP_O_VERDICT, app_verdict_word(claim->now.verdict));
    if (e->valid && e->has_interval) {
        app_put(&draft, APP_O_VALUE_LOW, e->low);
        app_put(&draft, APP_O_VALUE_HIGH, e->high);
    }
    if (e->valid) {
        app_put_known(&draft, APP_O_PROCESSES, (double)e->processes);
        app_put(&draft, APP_M_VALUE, e->value);
    }
    draft.result.scope = claim->scope;
    draft.result.verified_reason = "a verdict has nothing of its own to compare";
    draft.result.trust.reasons = e->trust;
    app_results_add(results, &draft.result);
}

void app_report_add_claims(struct app_results *results, enum krn_backend_id backend,
                           const struct app_claim claims[APP_CLAIM_COUNT])
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        add_claim(results, backend, &claims[i]);
        results->trust.reasons |= claims[i].now.estimate.trust;
    }
}

void app_report_judge_claims(struct app_results *results, double band_percent)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    app_results_judge(results, NULL, band_percent, claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        add_claim(results, results->device.backend, &claims[i]);
    app_results_sort(results);
}

/* --- frames --- */

size_t app_report_samples(const struct krn_series *series, double samples[KRN_SERIES_CAPACITY])
{
    for (size_t i = 0; i < series->count; i++)
        samples[i] = krn_series_at(series, i);
    return series->count;
}

/* Adds whole frames. */
static void add_times(struct app_results *results, struct app_draft *draft,
                      const struct krn_series *series, struct app_trust_facts facts)
{
    double samples[KRN_SERIES_CAPACITY];
    draft->measured.samples_ms = samples;
    draft->measured.n = app_report_samples(series, samples);
    draft->result.verified_reason = "a time has no picture to compare";
    app_trust_series(&facts, series);
    app_report_add(results, &draft->result, app_trust_find(&facts));
}

/* Adds a time of a lane, which has a name of its own. */
static void put_phase(struct app_draft *draft, int lane, const char *name, double ms)
{
    char key[48];
    snprintf(key, sizeof key, "%s_%s_ms", lane == APP_LANE_CPU ? "cpu" : "gpu", name);
    app_put_key(draft, APP_LIST_M, key, ms);
}

void app_report_add_anatomy(struct app_results *results, const struct app_state *state,
                            const struct app_anatomy_view *view)
{
    const double *cpu = view->phases_ms[APP_LANE_CPU];
    struct krn_series series = {.count = 0};
    struct app_draft draft;
    if (view->frames == 0)
        return;
    for (int i = 0; i < view->frames; i++)
        krn_series_push(&series, view->lengths_ms[i]);
    const struct krn_summary summary = krn_series_summary(&series);
    app_draft_begin(&draft, results, "anatomy", "frame", state->spec.backend);
    app_put(&draft, APP_P_HUD, state->look.hud);
    app_put_text(&draft, APP_P_PANELS, app_panels_names[state->look.panels]);
    app_put(&draft, APP_P_VSYNC, state->look.vsync);
    app_put(&draft, APP_P_WINDOW_WIDTH, view->width);
    app_put(&draft, APP_P_WINDOW_HEIGHT, view->height);
    app_put_text(&draft, APP_O_LIMIT, view->limit ? view->limit : "not known");
    app_put_text(&draft, APP_O_OPENGL, view->missing[0] ? view->missing : "timer queries");
    put_times(&draft, &summary, krn_series_interval(&series));
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++)
            if (view->phases_ms[lane][phase] > 0.0)
                put_phase(&draft, lane, app_phase_name((enum app_phase)phase),
                          view->phases_ms[lane][phase]);
        put_phase(&draft, lane, lane == APP_LANE_CPU ? "other" : "gaps", view->gaps_ms[lane]);
    }
    put_phase(&draft, APP_LANE_CPU, "span", view->span_ms);
    app_put(&draft, APP_M_OVERLAY_CPU_MS, cpu[APP_PHASE_LAYOUT] + cpu[APP_PHASE_OVERLAY]);
    app_put_known(&draft, APP_M_OVERLAY_GPU_MS, view->phases_ms[APP_LANE_GPU][APP_PHASE_OVERLAY]);
    app_put(&draft, APP_M_OVERLAY_DRAW_CALLS, view->draws);
    draft.result.scope =
        "a whole frame, from its beginning to the next one's, by the monotonic clock; the metrics "
        "have the median of each phase on CPU and GPU";
    add_times(results, &draft, &series, (struct app_trust_facts){.has_picture = false});
}

void app_report_add_frames(struct app_results *results, const struct app_engine *engine,
                           const struct app_state *state, const struct app_screen *screen,
                           const struct krn_series *frames)
{
    const struct krn_summary s = krn_series_summary(frames);
    struct app_trust_facts facts = {.has_picture = false};
    struct app_draft draft;
    if (s.n == 0)
        return;
    app_draft_begin(&draft, results, "frame", app_blit_names[screen->blit->used],
                    state->spec.backend);
    app_put(&draft, APP_P_HUD, state->look.hud);
    app_put(&draft, APP_P_VSYNC, state->look.vsync);
    put_times(&draft, &s, krn_series_interval(frames));
    draft.result.scope =
        "a whole frame, from its beginning to the next one's, by the monotonic clock: kernel, "
        "blit, picture, HUD and, in a window, the swap";
    app_trust_screen(&facts, &krn_device_describe(app_engine_device(engine, state))->can,
                     screen->gl, screen->blit);
    add_times(results, &draft, frames, facts);
}
