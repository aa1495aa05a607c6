#include "recorded/replay.h"
#include "report/report.h"

#include "base/environment.h"
#include "base/memory.h"
#include "engine/work.h"
#include "measure/probe_run.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* Copies a series, oldest sample first; returns how many there are. */
static size_t copy_series(const struct krn_series *series, double samples[KRN_SERIES_CAPACITY])
{
    for (size_t i = 0; i < series->count; i++)
        samples[i] = krn_series_at(series, i);
    return series->count;
}

static void add_mode(struct app_report *report, const struct app_session_record *session,
                     const struct app_workload *workload, enum krn_backend_id backend,
                     struct krn_mode mode, const struct krn_works *works, double *rays,
                     bool battery)
{
    const struct app_engine *engine = session->engine;
    const struct krn_series *series = app_engine_series(engine, backend, mode);
    if (series->count == 0)
        return;
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT && !(*rays > 0.0))
        *rays = app_rays_count(engine, session->state);
    double samples_ms[KRN_SERIES_CAPACITY];
    struct app_verify_status verified;
    const struct app_conditions now = {.on_battery = battery};
    app_verify_status(session->verify, backend, mode, 0, &verified);
    const struct app_state *state = session->state;
    const double overhead_ms = app_engine_overhead(engine, backend, mode);
    struct app_trust_facts facts =
        app_evidence_of_mode(engine, backend, mode, &now, verified.verified);
    facts.display_waits = session->display_waits && backend == state->backend;
    facts.heat_map = app_state_shows_heat(state);
    app_trust_series(&facts, series);
    const double tick_ms = krn_device_overheads(app_engine_connected(engine, backend)).tick_ms;
    const struct app_mode_samples samples = {
        .backend = backend,
        .mode = mode,
        .workload = workload,
        .regime = app_engine_regime(engine, backend, mode),
        .samples_ms = samples_ms,
        .count = copy_series(series, samples_ms),
        .interval = krn_interval_widen(krn_series_interval(series), tick_ms),
        .tick_ms = tick_ms,
        .overhead_ms = overhead_ms,
        .binning_ms = krn_kernel_describe(mode.kernel)->bins
                          ? krn_series_summary(app_engine_binning(engine, backend, mode)).median
                          : 0.0,
        .work = works->modes[krn_mode_index(mode)],
        .rays = *rays,
        .scope = app_engine_scope(engine, backend, mode.kernel),
        .verified = verified.verified,
        .verified_reason = verified.text,
        .trust = app_trust_find(&facts),
    };
    app_report_add_mode(report, engine, state, &samples);
}

static void add_modes(struct app_report *report, const struct app_session_record *session,
                      bool battery)
{
    struct app_workload workloads[KRN_VIEW_COUNT];
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        app_report_workload(&workloads[view], session->engine, session->state,
                            (enum krn_view_kind)view);
    double rays = 0.0;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const enum krn_backend_id backend = (enum krn_backend_id)id;
        struct krn_works works;
        if (app_engine_connected(session->engine, backend) == NULL)
            continue;
        app_work_count(session->engine, session->state, backend, &works);
        for (int m = 0; m < KRN_MODES; m++)
            add_mode(report, session, &workloads[krn_mode_view(krn_mode_at(m))], backend,
                     krn_mode_at(m), &works, &rays, battery);
    }
}

/* Adds the running duel, if it has pairs. */
static void add_duel(struct app_report *report, const struct app_session_record *session,
                     bool battery)
{
    const struct app_duel *running = app_engine_duel(session->engine);
    if (!running || running->kept == 0)
        return;
    struct app_duel_result *result = app_alloc(1, sizeof *result);
    const struct app_conditions now = {.on_battery = battery};
    app_duel_sum_up(session->engine, session->state, result);
    if (krn_mode_view(session->state->mode) == KRN_VIEW_LIGHT)
        result->sides.rays = app_rays_count(session->engine, session->state);
    for (int side = 0; side < 2; side++) {
        struct app_mode_result *of = &result->sides.modes[side];
        struct app_verify_status status;
        app_verify_status(session->verify, running->backend, of->mode, 0, &status);
        of->verified = status.verified;
        memcpy(of->verified_text, status.text, sizeof of->verified_text);
    }
    app_duel_judge(session->engine, session->state, &now, result);
    app_report_add_duel(report, session->engine, session->state, result, APP_REGIME_BUSY);
    free(result);
}

/* Adds what the side panels have measured so far, and the claims. */
static void add_panels(struct app_report *report, const struct app_session_record *session)
{
    const struct app_engine *engine = session->engine;
    const struct app_state *state = session->state;
    const struct app_panels_view *view =
        app_panels_current(session->panels, engine, state, session->now_s);
    for (int i = 0; i < view->probes.count; i++) {
        const struct krn_series *series = app_panels_series(session->panels, state->backend, i);
        double samples[KRN_SERIES_CAPACITY];
        char text[160];
        copy_series(series, samples);
        app_check_text(&view->probes.results[i].check, text, sizeof text);
        const struct app_probe_origin origin = {
            .samples_ms = samples,
            .regime = app_panels_regime(session->panels, state->backend, i),
            .gate_drops = app_panels_gate_drops(session->panels, state->backend, i),
            .verified_text = text,
        };
        app_report_add_probe_result(report, &view->probes, &view->probes.results[i], &origin);
    }
    app_report_add_claims(report, state->backend, view->claims);
}

/* Adds what is on screen of a recorded run: with play its modes, and beside panels its probes and
 * claims. */
static void add_recorded(struct app_report *report, const struct app_session_record *session)
{
    const struct app_recorded *recorded = session->recorded;
    if (!recorded)
        return;
    for (int side = 0; session->play && side < (session->shown->duel ? 2 : 1); side++)
        if (side == 0 ||
            !krn_mode_equal(session->shown->modes[0].mode, session->shown->modes[1].mode))
            app_report_recorded_mode(report, &session->shown->modes[side]);
    if (session->panels)
        app_report_recorded_panels(report, recorded);
    if (session->play || session->panels)
        app_report_recorded_origin(report, recorded);
}

/* Returns true when results of the recorded run would stand beside others of this machine with the
 * same names. */
static bool hides_own(const struct app_session_record *session)
{
    size_t count;
    return session->recorded && app_recorded_records(session->recorded, &count)->device.backend ==
                                    session->state->backend;
}

/* Adds whole frames, from the beginning of one to the beginning of the next. */
static void add_frames(struct app_report *report, const struct app_session_record *session)
{
    const struct app_state *state = session->state;
    const struct app_screen *screen = &session->screen;
    const struct krn_summary s = krn_series_summary(session->frames);
    if (s.n == 0)
        return;
    double samples[KRN_SERIES_CAPACITY];
    const struct app_pair parameters[] = {{"hud", state->hud, NULL}, {"vsync", state->vsync, NULL}};
    struct app_pair metrics[APP_REPORT_TIMES];
    const struct app_result_process measured = {
        .metrics = {metrics, app_report_times(metrics, &s, krn_series_interval(session->frames))},
        .samples_ms = samples,
        .n = copy_series(session->frames, samples),
    };
    const struct app_result result = {
        .benchmark = "frame",
        .variant = app_blit_name(screen->blit->used),
        .backend = state->backend,
        .parameters = APP_PAIRS(parameters),
        .scope = "a whole frame, from its beginning to the next one's, by the monotonic clock: "
                 "kernel, blit, picture, HUD and, in a window, the swap",
        .verified_reason = "a time has no picture to compare",
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    struct app_trust_facts facts = {.has_picture = false};
    app_trust_series(&facts, session->frames);
    const struct krn_device *device = app_engine_device(session->engine, state);
    app_trust_screen(&facts, &krn_device_describe(device)->can, screen->gl, screen->blit);
    app_report_add(report, &result, app_trust_find(&facts));
}

struct app_results app_report_session(const struct app_session_record *session)
{
    struct app_report report;
    const bool battery = app_on_battery();
    app_report_begin(&report, session->environment, session->engine, session->state,
                     &session->screen);
    if (!session->play) {
        add_modes(&report, session, battery);
        add_duel(&report, session, battery);
    }
    if (session->panels && !hides_own(session))
        add_panels(&report, session);
    add_recorded(&report, session);
    add_frames(&report, session);
    app_report_picture(&report, session->engine, session->state);
    if (session->anatomy)
        app_report_add_anatomy(&report, session->state, session->anatomy);
    if (session->cut_short)
        report.results.complete = false;
    return app_report_end(&report);
}
