/* app/measure/report.c - measurements as results of a record: of modes, probes, duels, claims and
 * frames, and what a session has of them. */
#include "measure/report.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "measure/probe_run.h"
#include "model/estimate.h"
#include "model/trust.h"
#include "spec/mode.h"

#include "krn/stats.h"

#include <math.h>
#include <stdio.h>
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
    if (code == KRN_OK)
        code = krn_device_render(device, state->spec.mode, &view, &image, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_hash(device, &image, hash, error);
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
static void put_floor(struct app_draft *draft, double median_ms, double overhead_ms, double tick_ms,
                      unsigned long gate_drops)
{
    app_put_known(draft, APP_M_OVERHEAD_MS, overhead_ms);
    app_put_known(draft, APP_M_NET_MS, app_net_ms(median_ms, overhead_ms));
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
    put_estimate(&draft, APP_M_MEDIAN_MS, &mode->median);
    app_put_fields(&draft, &app_fields_of_times, &mode->ms);
    put_floor(&draft, median_ms, mode->overhead_ms, mode->tick_ms, mode->gate_drops);
    app_put_known(&draft, APP_M_BATCHED_MS, mode->batched_ms);
    put_limit(&draft, app_net_ms(median_ms, mode->overhead_ms), &measurement->limit);
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
    draft.measured.samples_ms = mode->samples_ms;
    draft.measured.n = mode->ms.n;
    draft.measured.stop = stop_name(mode->stop);
    draft.result.regime = app_regime_name(mode->regime);
    draft.result.scope = mode->scope;
    draft.result.verified = mode->verified;
    draft.result.verified_reason = mode->verified_text;
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

/* Adds all metrics that apply, each with its interval. */
static void put_metrics(struct app_draft *draft, const struct app_probes_view *view,
                        const struct app_probe_result *result)
{
    for (int m = APP_METRIC_TIME + 1; m < APP_METRIC_COUNT; m++) {
        const struct app_estimate e = app_metric_of(view, result, (enum app_metric)m);
        /* The net time is among the times. */
        if (m != APP_METRIC_NET_TIME && e.valid)
            put_estimate(draft, app_member_of((enum app_metric)m), &e);
    }
}

void app_report_add_probe_result(struct app_results *results, const struct app_probes_view *view,
                                 const struct app_probe_result *probe_result)
{
    const struct krn_probe *probe = probe_result->probe;
    struct app_draft draft;
    if (probe_result->n == 0)
        return;
    app_draft_begin(&draft, results, krn_topic_name(probe->topic), probe->series,
                    view->device->backend);
    app_put_text(&draft, APP_P_AXIS, probe->axis);
    app_put_key(&draft, APP_LIST_P, probe->axis, probe->x);
    app_put_fields(&draft, &app_fields_of_probe, probe);
    put_kernel(&draft, &probe->kernel);
    put_times(&draft, &probe_result->ms,
              krn_interval_widen(probe_result->ms_interval, probe_result->tick_ms));
    put_floor(&draft, probe_result->ms.median, probe_result->overhead_ms, probe_result->tick_ms,
              probe_result->gate_drops);
    if (probe_result->check.compared > 0.0)
        app_put(&draft, APP_M_MAX_ERROR, probe_result->check.max_error);
    put_metrics(&draft, view, probe_result);
    draft.measured.samples_ms = probe_result->samples_ms;
    draft.measured.cycles = probe_result->samples_cycles;
    draft.measured.n = probe_result->n;
    draft.measured.stop = stop_name(probe_result->stop);
    draft.result.regime = app_regime_name(probe_result->regime);
    draft.result.scope = probe->scope;
    draft.result.verified = probe_result->verified;
    draft.result.verified_reason = probe_result->verified_text;
    app_report_add(results, &draft.result, probe_result->trust);
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
    if (r->blocks > 0 || r->valid)
        app_put_interval(draft, APP_M_RATIO, r->ratio,
                         (struct krn_interval){r->valid, r->low, r->high});
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
        put_side(draft, APP_M_A_NET_MS, side,
                 app_net_ms(sides[side].ms.median, sides[side].overhead_ms));
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
        const char *ids[APP_TRUST_COUNT];
        char doubts[512] = "";
        const size_t count = app_trust_ids(mode->median.trust, ids);
        for (size_t i = 0, used = 0; i < count; i++)
            used += (size_t)snprintf(doubts + used, sizeof doubts - used, "%s%s", i > 0 ? " " : "",
                                     ids[i]);
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
    char names[2][APP_MODE_TEXT_MAX], both[2 * APP_MODE_TEXT_MAX];
    for (int side = 0; side < 2; side++)
        app_mode_text(sides[side].mode, names[side], sizeof names[side]);
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
    draft.result.scope = sides[0].scope ? sides[0].scope : "nothing was timed";
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
    app_results_judge(results, band_percent, claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        add_claim(results, results->device.backend, &claims[i]);
    app_results_sort(results);
}

/* --- recorded runs --- */

/* Adds a result as one process's, with the number of the processes whose intervals it has, if that
 * is known. */
static void add_recorded(struct app_results *results, const struct app_result *from,
                         const double *samples_ms, size_t sample_count)
{
    const struct app_result_process measured = {
        .metrics = from->metrics, .samples_ms = samples_ms, .n = sample_count, .stop = from->stop};
    struct app_result result = *from;
    struct app_pair outcome[APP_PAIRS_MAX];
    /* A copy has the number already, or its one entry in `processes` is not the number. */
    if (!app_result_copied(from) && from->outcome.count < APP_PAIRS_MAX) {
        if (from->outcome.count > 0)
            memcpy(outcome, from->outcome.pairs, from->outcome.count * sizeof *outcome);
        outcome[result.outcome.count++] = (struct app_pair){
            app_members[APP_O_RECORDED_PROCESSES].key, (double)from->process_count, NULL};
        result.outcome.pairs = outcome;
    }
    result.processes = &measured;
    result.process_count = 1;
    app_report_add(results, &result, from->trust.reasons | APP_TRUST_BIT(APP_TRUST_RECORDED));
}

static void add_recorded_mode(struct app_results *results, const struct app_mode_time *mode)
{
    if (mode->valid)
        add_recorded(results, mode->result, mode->samples_ms, mode->ms.n);
}

void app_report_recorded_modes(struct app_results *results, const struct app_recorded *recorded,
                               const struct app_state *state)
{
    int count = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct app_mode_time mode = app_recorded_find(recorded, state, krn_mode_at(m));
        add_recorded_mode(results, &mode);
        count += mode.valid;
    }
    if (count == 0) {
        const struct app_mode_time mode = app_recorded_find(recorded, state, state->spec.mode);
        char text[sizeof mode.missing + 16];
        snprintf(text, sizeof text, "raytrace: %s", mode.missing);
        app_results_note(results, text);
    }
}

static void add_recorded_panels(struct app_results *results, const struct app_recorded *recorded)
{
    const struct app_recorded_view *view = app_recorded_view(recorded);
    size_t files;
    const struct app_results *records = app_recorded_records(recorded, &files);
    bool probes = false;
    for (size_t f = 0; f < files && !probes; f++)
        for (size_t i = 0; i < records[f].count; i++) {
            enum krn_topic topic;
            if (!app_result_is_probe(&records[f].results[i], &topic))
                continue;
            add_recorded(results, &records[f].results[i], NULL, 0);
            probes = true;
        }
    app_report_add_claims(results, records[0].device.backend, view->panels.claims);
}

void app_report_recorded_origin(struct app_results *results, const struct app_recorded *recorded)
{
    const struct app_recorded_view *view = app_recorded_view(recorded);
    size_t files;
    const struct app_results *first = app_recorded_records(recorded, &files);
    char text[256];
    app_origin_sentence(view->name, view->date, text, sizeof text);
    app_results_note(results, text);
    results->origin = (struct app_results_origin){
        .valid = true,
        .time_utc = app_results_keep(results, first->time_utc),
        .device = first->device,
        .overheads = first->overheads,
        .telemetry = first->telemetry,
    };
}

/* --- frames --- */

/* Copies a series, oldest sample first; returns how many there are. */
static size_t copy_series(const struct krn_series *series, double samples[KRN_SERIES_CAPACITY])
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
    draft->measured.n = copy_series(series, samples);
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

static void add_frames(struct app_results *results, const struct app_session_record *session)
{
    const struct app_state *state = session->state;
    const struct app_screen *screen = &session->screen;
    const struct krn_summary s = krn_series_summary(session->frames);
    const struct krn_device *device = app_engine_device(session->engine, state);
    struct app_trust_facts facts = {.has_picture = false};
    struct app_draft draft;
    if (s.n == 0)
        return;
    app_draft_begin(&draft, results, "frame", app_blit_names[screen->blit->used],
                    state->spec.backend);
    app_put(&draft, APP_P_HUD, state->look.hud);
    app_put(&draft, APP_P_VSYNC, state->look.vsync);
    put_times(&draft, &s, krn_series_interval(session->frames));
    draft.result.scope =
        "a whole frame, from its beginning to the next one's, by the monotonic clock: kernel, "
        "blit, picture, HUD and, in a window, the swap";
    app_trust_screen(&facts, &krn_device_describe(device)->can, screen->gl, screen->blit);
    add_times(results, &draft, session->frames, facts);
}

/* --- sessions --- */

/* Adds the modes that were timed on screen. */
static void add_live_modes(struct app_results *results, const struct app_session_record *session,
                           bool battery)
{
    const struct app_engine *engine = session->engine;
    struct app_state state = *session->state;
    struct app_measurement *measurement = app_alloc(1, sizeof *measurement);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const enum krn_backend_id backend = state.spec.backend = (enum krn_backend_id)id;
        const struct app_conditions now = {.on_battery = battery,
                                           .display_waits = session->display_waits &&
                                                            backend == session->state->spec.backend,
                                           .heat_map = app_state_shows_heat(&state)};
        if (app_engine_connected(engine, backend) == NULL)
            continue;
        app_measurement_begin(measurement, engine, &state);
        measurement->limit = app_engine_limit(engine, backend);
        for (int m = 0; m < KRN_MODES_MAX; m++) {
            const struct krn_mode mode = krn_mode_at(m);
            const struct krn_series *series = app_engine_series(engine, backend, mode);
            struct app_verify_status verified;
            if (series->count == 0)
                continue;
            if (krn_mode_view(mode) == KRN_VIEW_LIGHT && !(measurement->rays > 0.0))
                measurement->rays = app_rays_count(engine, session->state);
            app_verify_status(session->verify, backend, mode, 0, &verified);
            const int at = measurement->count++;
            measurement->modes[at] =
                app_evidence_time(engine, backend, mode, series, &now, &verified);
            copy_series(series, measurement->samples_ms[at]);
            measurement->modes[at].samples_ms = measurement->samples_ms[at];
        }
        for (int view = 0; view < KRN_VIEW_COUNT; view++)
            app_workload_scene((enum krn_view_kind)view, app_engine_scene(engine),
                               measurement->scene[view]);
        app_measurement_describe(measurement, engine, &state);
        app_report_add_measurement(results, &state, measurement);
    }
    free(measurement);
}

/* Adds the points of the story plot, each as --sweep adds its own. */
static void add_story(struct app_results *results, const struct app_session_record *session)
{
    struct app_state state;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const enum krn_backend_id backend = (enum krn_backend_id)id;
        const struct app_measurement *point;
        for (int at = 0; (point = app_story_point(session->story, backend, at, &state)); at++)
            app_report_add_measurement(results, &state, point);
    }
}

/* Adds the running duel, if it has pairs. */
static void add_duel(struct app_results *results, const struct app_session_record *session,
                     bool battery)
{
    const struct app_duel *running = app_engine_duel(session->engine);
    if (!running || running->kept == 0)
        return;
    struct app_duel_result *result = app_alloc(1, sizeof *result);
    const struct app_conditions now = {.on_battery = battery};
    app_duel_sum_up(session->engine, session->state, result);
    if (krn_mode_view(session->state->spec.mode) == KRN_VIEW_LIGHT)
        result->sides.rays = app_rays_count(session->engine, session->state);
    for (int side = 0; side < 2; side++) {
        struct app_mode_time *of = &result->sides.modes[side];
        struct app_verify_status status;
        app_verify_status(session->verify, running->backend, of->mode, 0, &status);
        of->verified = status.verified;
        memcpy(of->verified_text, status.text, sizeof of->verified_text);
    }
    app_duel_judge(session->engine, session->state, &now, result);
    app_report_add_duel(results, session->state, result, APP_REGIME_BUSY);
    free(result);
}

/* Adds what the side panels have measured so far, and the claims. */
static void add_panels(struct app_results *results, const struct app_session_record *session)
{
    const struct app_engine *engine = session->engine;
    const struct app_state *state = session->state;
    const struct app_panels_view *view =
        app_panels_current(session->panels, engine, state, session->now_s);
    for (int i = 0; i < view->probes.count; i++) {
        struct app_probe_result result = view->probes.results[i];
        double samples[KRN_SERIES_CAPACITY];
        copy_series(result.series, samples);
        result.samples_ms = samples;
        app_check_text(&result.check, result.verified_text, sizeof result.verified_text);
        app_report_add_probe_result(results, &view->probes, &result);
    }
    app_report_add_claims(results, state->spec.backend, view->claims);
}

/* Adds what is on screen of a recorded run: its modes, if they are played, and beside panels its
 * probes and claims. */
static void add_shown(struct app_results *results, const struct app_session_record *session)
{
    const struct app_recorded *recorded = session->recorded;
    const struct app_state *played = session->played;
    if (!recorded)
        return;
    for (int side = 0; played && side <= played->spec.duel.on; side++) {
        const struct app_mode_time mode =
            app_recorded_find(recorded, played, side ? played->spec.duel.other : played->spec.mode);
        if (side == 0 || !krn_mode_equal(played->spec.mode, mode.mode))
            add_recorded_mode(results, &mode);
    }
    if (session->panels)
        add_recorded_panels(results, recorded);
    if (played || session->panels)
        app_report_recorded_origin(results, recorded);
}

/* Returns true when results of the recorded run would stand beside others of this machine with the
 * same names. */
static bool hides_own(const struct app_session_record *session)
{
    size_t count;
    return session->recorded && app_recorded_records(session->recorded, &count)->device.backend ==
                                    session->state->spec.backend;
}

struct app_results app_report_session(const struct app_session_record *session)
{
    struct app_results results;
    const bool battery = app_on_battery();
    app_report_begin(&results, session->environment, session->engine, session->state,
                     &session->screen);
    if (!session->played) {
        add_live_modes(&results, session, battery);
        add_story(&results, session);
        add_duel(&results, session, battery);
    }
    if (session->panels && !hides_own(session))
        add_panels(&results, session);
    add_shown(&results, session);
    add_frames(&results, session);
    app_report_picture(&results, session->engine, session->state);
    if (session->anatomy)
        app_report_add_anatomy(&results, session->state, session->anatomy);
    if (session->cut_short)
        results.complete = false;
    app_results_sort(&results);
    return results;
}
