#include "window/session_hud.h"

#include "engine/evidence.h"
#include "hud/hud.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>

/* The time that a notice stays: long enough to be read aloud. */
static const double said_s = 2.5, warned_s = 7.0;

void app_session_say(struct app_session *session, enum app_tone tone, double now_s,
                     const char *text)
{
    snprintf(session->notice, sizeof session->notice, "%s", text);
    session->tone = tone;
    session->notice_until_s = now_s + (tone == APP_TONE_WARNED ? warned_s : said_s);
}

bool app_session_display_waits(const struct app_session *session, const struct krn_summary *kernel,
                               const struct krn_summary *frame)
{
    const struct krn_device *device = app_engine_device(session->engine, &session->state);
    return krn_device_describe(device)->can.asynchronous && session->state.vsync &&
           session->refresh_hz > 0.0 && frame->n > 0 && kernel->n > 0 &&
           fabs(frame->median * session->refresh_hz / 1e3 - 1.0) < 0.1 &&
           kernel->median < 0.5 * frame->median;
}

/* Finds what speaks against the numbers in *hud. */
static unsigned judge(struct app_session *session, const struct app_hud *hud, double now_s)
{
    const struct app_state *state = &session->state;
    const struct app_conditions now = {.telemetry = &hud->telemetry,
                                       .on_battery = app_battery_at(&session->battery, now_s)};
    struct app_trust_facts facts = app_evidence_of_mode(session->engine, state->backend, &now,
                                                        hud->verified.verified, hud->overhead_ms);
    facts.display_waits = app_session_display_waits(session, &hud->kernel, &hud->frame);
    app_trust_series(&facts, app_engine_series(session->engine, state->backend, state->mode));
    app_trust_screen(&facts, &hud->device->can, hud->gl, &hud->blit);
    return app_trust_find(&facts);
}

static bool shows_nothing(const struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    return !state->hud && !state->help && !state->duel.on && state->panels == APP_PANELS_OFF &&
           now_s >= session->notice_until_s;
}

static struct app_hud collect(struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    const struct krn_device *device = app_engine_device(session->engine, state);
    struct app_hud hud = {
        .state = state,
        .engine = session->engine,
        .device = krn_device_describe(device),
        .gl = ren_describe(session->renderer),
        .blit = ren_picture_status(session->renderer),
        .before = session->before,
        .kernel =
            krn_series_summary(app_engine_series(session->engine, state->backend, state->mode)),
        .frame = krn_series_summary(&session->frames),
        .overhead_ms = app_engine_overhead(session->engine, state->backend, state->mode),
        .regime = app_engine_regime(session->engine, state->backend, state->mode),
        .gate_drops = krn_device_gate_drops(device),
        .tick_ms = krn_device_overheads(device).tick_ms,
        .empty_kernel_ms = krn_device_overheads(device).empty_kernel_ms,
        .refresh_hz = session->refresh_hz,
        .notice = now_s < session->notice_until_s ? session->notice : "",
        .tone = session->tone,
        .panels = session->panels && state->panels != APP_PANELS_OFF
                      ? app_panels_current(session->panels, session->engine, state, now_s)
                      : NULL,
        .fallback_reason = session->fallback_reason[0] ? session->fallback_reason
                                                       : ren_font_notice(session->renderer),
    };
    app_engine_telemetry(session->engine, state->backend, &hud.telemetry);
    app_verify_status(session->verify, state->backend, state->mode, now_s, &hud.verified);
    hud.trust = session->trust = judge(session, &hud, now_s);
    return hud;
}

void app_session_draw_hud(struct app_session *session, const struct app_layout *layout,
                          double now_s, struct ren_list *list)
{
    /* Statistics cost time: a HUD that shows nothing does without them. */
    if (shows_nothing(session, now_s))
        return;
    const struct app_hud hud = collect(session, now_s);
    app_hud_draw(session->renderer, list, layout, &hud);
}
