/* app/measure/session_record.c - the record of a session: what it has measured so far, and what of
 * a recorded run it shows. */
#include "measure/panels.h"
#include "measure/report.h"

#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

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
    struct app_probes_view shown;
    struct app_result *probes = app_results_probes(records, files, &shown);
    for (int i = 0; i < shown.count; i++)
        add_recorded(results, &probes[i], NULL, 0);
    free(probes);
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

/* --- what was measured --- */

/* Adds the modes that were timed on screen. */
static void add_live_modes(struct app_results *results, const struct app_session_record *session,
                           bool battery)
{
    const struct app_engine *engine = session->engine;
    struct app_state state = *session->state;
    struct app_measurement *measurement = krn_alloc(1, sizeof *measurement);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const enum krn_backend_id backend = state.spec.backend = (enum krn_backend_id)id;
        const struct app_conditions now = {.on_battery = battery,
                                           .display_waits = session->display_waits &&
                                                            backend == session->state->spec.backend,
                                           .heat_map = app_state_shows_heat(&state)};
        if (app_engine_connected(engine, backend) == NULL)
            continue;
        app_measurement_begin(measurement, engine, &state);
        measurement->limit = session->measured != NULL ? session->measured->limit
                                                       : app_engine_limit(engine, backend);
        for (int m = 0; m < KRN_MODES_MAX; m++) {
            const struct krn_mode mode = krn_mode_at(m);
            const struct krn_series *series = app_engine_series(engine, backend, mode);
            struct app_verify_status verified;
            const bool shown = krn_mode_equal(mode, state.spec.mode) ||
                               (state.spec.duel.on && krn_mode_equal(mode, state.spec.duel.other));
            if (series->count == 0 || (session->measured != NULL && !shown))
                continue;
            if (krn_mode_view(mode) == KRN_VIEW_LIGHT && !(measurement->rays > 0.0))
                measurement->rays = app_rays_count(engine, session->state);
            app_verify_status(session->verify[0], backend, mode, 0, &verified);
            const int at = measurement->count++;
            const struct app_mode_time *measured =
                app_measurement_find(session->measured, backend, mode);
            if (measured != NULL) {
                measurement->modes[at] = *measured;
                continue;
            }
            measurement->modes[at] =
                app_evidence_time(engine, backend, mode, series, &now, &verified);
            (void)app_report_samples(series, measurement->samples_ms[at]);
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
    struct app_duel_result *result = krn_alloc(1, sizeof *result);
    const struct app_conditions now = {.on_battery = battery};
    app_duel_sum_up(session->engine, session->state, KRN_SERIES_CAPACITY, result);
    if (krn_mode_view(session->state->spec.mode) == KRN_VIEW_LIGHT)
        result->sides.rays = app_rays_count(session->engine, session->state);
    for (int side = 0; side < 2; side++) {
        struct app_mode_time *of = &result->sides.modes[side];
        struct app_verify_status status;
        app_verify_status(session->verify[of->backend != session->state->spec.backend], of->backend,
                          of->mode, 0, &status);
        of->verified = status.verified;
        memcpy(of->verified_text, status.text, sizeof of->verified_text);
    }
    app_duel_judge(session->engine, &now, result);
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
    for (int i = 0; i < view->probes.count; i++)
        app_report_add_probe(results, &view->probes, &view->probes.results[i]);
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
    app_report_add_frames(&results, session->engine, session->state, &session->screen,
                          session->frames);
    app_report_picture(&results, session->engine, session->state);
    if (session->anatomy)
        app_report_add_anatomy(&results, session->state, session->anatomy);
    if (session->cut_short)
        results.complete = false;
    app_results_sort(&results);
    return results;
}
