#include "window/session_state.h"

#include "base/numbers.h"
#include "engine/evidence.h"
#include "hud/contents.h"
#include "hud/parts.h"
#include "hud/qr/card.h"
#include "judge/trust.h"
#include "measure/duel_run.h"
#include "places/folders.h"
#include "window/talk/session_talk.h"

#include <math.h>
#include <stdio.h>

/* The time that a notice stays: long enough to be read aloud. */
static const double said_s = 2.5, warned_s = 7.0;

void app_session_say(struct app_session *session, enum app_tone tone, double now_s,
                     const char *text)
{
    snprintf(session->notice, sizeof session->notice, "%s", text);
    session->tone = tone;
    session->notice_of_file = false;
    session->notice_until_s = now_s + (tone == APP_TONE_WARNED ? warned_s : said_s);
}

const struct app_recorded *app_session_recorded(const struct app_session *session)
{
    const bool host = session->state.backend == APP_FALLBACK_BACKEND;
    return session->play || host ? app_recorded_loader_poll(session->recorded) : NULL;
}

void app_session_say_saved(struct app_session *session, double now_s, const char *path)
{
    char place[APP_NOTICE_MAX - 16], text[APP_NOTICE_MAX];
    app_describe_place(path, place, sizeof place);
    snprintf(text, sizeof text, "Saved %s", place);
    app_session_say(session, APP_TONE_SAID, now_s, text);
    session->notice_of_file = true;
}

/* Returns the notice of this frame: none that tells of a file, when the frame is saved itself. */
static const char *notice_at(const struct app_session *session, double now_s)
{
    const bool saved = session->state.requests & APP_REQUEST_SCREENSHOT;
    return now_s < session->notice_until_s && !(saved && session->notice_of_file) ? session->notice
                                                                                  : "";
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

/* Finds what speaks against a mode's samples; waits: the device waits for the display. */
static unsigned judge(struct app_session *session, const struct app_hud *hud, struct krn_mode mode,
                      const struct krn_series *series, bool waits, double now_s)
{
    const enum krn_backend_id backend = session->state.backend;
    const struct app_conditions now = {.telemetry = &hud->telemetry,
                                       .on_battery = app_battery_at(&session->battery, now_s)};
    struct app_verify_status status;
    app_verify_status(session->verify, backend, mode, now_s, &status);
    struct app_trust_facts facts =
        app_evidence_of_mode(session->engine, backend, mode, &now, status.verified);
    facts.display_waits = waits;
    facts.heat_map = app_state_shows_heat(&session->state);
    app_trust_series(&facts, series);
    app_trust_screen(&facts, &hud->device->can, hud->gl, &hud->blit);
    return app_trust_find(&facts);
}

/* Finds the verification of the picture on screen: of the mode's, or of both that a duel shows. */
static void find_verified(const struct app_session *session, double now_s,
                          struct app_verify_status *status)
{
    const struct app_state *state = &session->state;
    const struct app_duel *duel = state->duel.on ? app_engine_duel(session->engine) : NULL;
    struct app_verify_status sides[2];
    if (!duel) {
        app_verify_status(session->verify, state->backend, state->mode, now_s, status);
        return;
    }
    for (int side = 0; side < 2; side++)
        app_verify_status(session->verify, state->backend, duel->modes[side], now_s, &sides[side]);
    *status = sides[app_verified_worse(sides[0].verified, sides[1].verified)];
}

/* Judges the numbers on screen: those of the mode, or of both sides of the duel. */
static void judge_all(struct app_session *session, struct app_hud *hud, double now_s)
{
    const struct app_state *state = &session->state;
    const struct app_duel *duel = state->duel.on ? app_engine_duel(session->engine) : NULL;
    const bool waits = app_session_display_waits(session, &hud->kernel, &hud->frame);
    if (!duel) {
        const struct krn_series *series =
            app_engine_series(session->engine, state->backend, state->mode);
        hud->trust = judge(session, hud, state->mode, series, waits, now_s);
        return;
    }
    for (int side = 0; side < 2; side++)
        hud->side_trust[side] =
            judge(session, hud, duel->modes[side], &duel->sides[side], waits, now_s);
    hud->trust = app_duel_joined(hud->side_trust, krn_duel_result_of(&duel->statistic)->verdict ==
                                                      KRN_RATIO_WANDERING);
}

/* Takes over what the verification has found since the mode was left. */
static unsigned trust_before(const struct app_session *session, double now_s)
{
    const struct app_hud_before *before = &session->before;
    struct app_verify_status status;
    app_verify_status(session->verify, before->backend, before->mode, now_s, &status);
    return status.verified == APP_VERIFIED_FALSE
               ? before->trust | APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)
               : before->trust;
}

static bool shows_nothing(const struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    return !state->talk.on && !state->hud && !state->help && !state->device_card &&
           !state->duel.on && state->panels == APP_PANELS_OFF && !state->story && !state->qr &&
           !app_state_shows_heat(state) && state->anatomy != APP_ANATOMY_ON &&
           state->spotlight == APP_SPOTLIGHT_OFF && now_s >= session->notice_until_s;
}

/* Reads the properties of the device that renders, unless they were read already: it takes a while.
 */
static void read_properties(struct app_session *session, const struct krn_device *device)
{
    const struct krn_device_info *info = krn_device_describe(device);
    if (session->properties.read && session->properties.backend == info->backend)
        return;
    session->properties.read = true;
    session->properties.backend = info->backend;
    (void)krn_properties_read(info->backend, info->ordinal, session->properties.list,
                              &session->properties.count, NULL);
}

/* Puts the numbers of the recorded run in the place of this machine's. */
static void play(struct app_session *session, struct app_hud *hud)
{
    const struct app_recorded_mode *mode = &hud->shown.modes[0];
    hud->play = true;
    hud->kernel = mode->valid ? mode->ms : (struct krn_summary){.n = 0};
    hud->overhead_ms = mode->overhead_ms;
    hud->tick_ms = mode->tick_ms;
    hud->empty_kernel_ms = mode->overhead_ms;
    hud->regime = APP_REGIME_UNKNOWN;
    hud->gate_drops = 0;
    hud->story = &session->recorded_story;
    hud->trace = &session->replay.trace;
    hud->trust = mode->median.trust | APP_TRUST_BIT(APP_TRUST_RECORDED);
    for (int side = 0; side < 2 && hud->shown.duel; side++) {
        hud->side_trust[side] = hud->shown.modes[side].median.trust;
        hud->trust |= hud->side_trust[side];
    }
    if (!hud->before.valid)
        return;
    hud->recorded_before = hud->shown.before;
    hud->before.trust = hud->recorded_before.median.trust;
    hud->before.valid = hud->recorded_before.valid && mode->valid;
}

/* Adds the recorded run that is on screen, and the ghost of another device's. */
static void add_recorded(struct app_session *session, struct app_hud *hud)
{
    const struct app_recorded *recorded = app_recorded_loader_poll(session->recorded);
    if (!recorded)
        return;
    app_recorded_view_of(recorded, &session->state, &session->recorded_view);
    hud->recorded = &session->recorded_view;
    hud->shown = session->recorded_modes;
    if (session->play)
        play(session, hud);
    if (hud->panels && app_session_recorded(session)) {
        session->panels_view = *hud->panels;
        session->panels_view.recorded = hud->recorded;
        hud->panels = &session->panels_view;
    }
}

/* Returns what speaks against a mode's samples. */
static unsigned judge_mode(struct app_session *session, const struct app_hud *hud,
                           struct krn_mode mode, double now_s)
{
    const struct krn_series *series =
        app_engine_series(session->engine, session->state.backend, mode);
    return judge(session, hud, mode, series, false, now_s);
}

/* Gathers what the talk's step shows, and after a question the number that answers it. */
static void collect_talk(struct app_session *session, struct app_hud *hud, double now_s)
{
    const struct app_state *state = &session->state;
    const struct app_talk_source *source = app_session_talk_source(session);
    struct app_talk_evidence evidence = {.tick_ms = hud->tick_ms,
                                         .band_percent = app_engine_band_percent(session->engine)};
    const char *device = hud->device->name;
    evidence.recorded = app_session_recorded(session);
    if (session->play && evidence.recorded)
        device = app_recorded_view(evidence.recorded)->name;
    if (source && source->kind == APP_SOURCE_CLAIM) {
        const struct app_panels_view *view =
            hud->panels ? hud->panels
                        : app_panels_current(session->panels, session->engine, state, now_s);
        evidence.claims = view->claims;
    } else if (source) {
        for (int side = 0; side < 2; side++)
            evidence.trust |= judge_mode(session, hud, source->modes[side], now_s);
        if (source->kind == APP_SOURCE_TIME)
            evidence.trust = judge_mode(session, hud, source->modes[0], now_s);
    }
    hud->talk = app_session_talk_show(session, &evidence, device);
}

static struct app_hud collect(struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    struct krn_device *device = app_engine_device(session->engine, state);
    const struct krn_view view = app_engine_current_view(session->engine);
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
        .rays = &session->rays,
        .tick_ms = krn_device_overheads(device).tick_ms,
        .empty_kernel_ms = krn_device_overheads(device).empty_kernel_ms,
        .refresh_hz = session->refresh_hz,
        .notice = notice_at(session, now_s),
        .tone = session->tone,
        .witness = session->witness,
        .panels = state->panels != APP_PANELS_OFF || state->spotlight != APP_SPOTLIGHT_OFF
                      ? app_panels_current(session->panels, session->engine, state, now_s)
                      : NULL,
        .story = app_story_current(session->story, state->backend),
        .heat = app_state_shows_heat(state) && session->heat.valid ? &session->heat : NULL,
        .fallback_reason = session->fallback_reason[0] ? session->fallback_reason
                                                       : ren_font_notice(session->renderer),
    };
    (void)krn_device_kernels(device, state->mode, &view, &hud.kernels, NULL);
    if (state->device_card) {
        read_properties(session, device);
        hud.properties = session->properties.list;
        hud.property_count = session->properties.count;
    }
    session->time_like_ms = app_number_keep_unit(session->time_like_ms, hud.kernel.median);
    hud.time_like_ms = session->time_like_ms;
    app_engine_telemetry(session->engine, state->backend, &hud.telemetry);
    find_verified(session, now_s, &hud.verified);
    judge_all(session, &hud, now_s);
    session->trust = hud.trust;
    if (hud.before.valid)
        hud.before.trust = trust_before(session, now_s);
    add_recorded(session, &hud);
    if (session->talk && state->talk.on) {
        collect_talk(session, &hud, now_s);
        app_session_talk_hide(session, &hud);
    }
    return hud;
}

/* Brings the QR code up to date. Where it has no room, says so once. */
static void follow_qr(struct app_session *session, const struct app_layout *layout,
                      struct app_hud *hud, double now_s)
{
    struct ren_rect place;
    app_qr_follow(&session->qr, hud, now_s);
    hud->qr = &session->qr.code;
    const bool misses = session->qr.code.side > 0 &&
                        app_qr_place(layout, &session->state, session->qr.code.side, &place) == 0;
    if (misses && !session->qr_misses)
        app_session_say(session, APP_TONE_WARNED, now_s,
                        "The QR code has no room here: enlarge the window, or switch panels off");
    session->qr_misses = misses;
}

void app_session_draw_hud(struct app_session *session, const struct app_layout *layout,
                          double now_s, struct ren_list *list)
{
    /* Statistics cost time: a HUD that shows nothing does without them. */
    if (shows_nothing(session, now_s))
        return;
    struct app_hud hud = collect(session, now_s);
    if (session->state.qr)
        follow_qr(session, layout, &hud, now_s);
    if (session->anatomy) {
        if (!session->state.hold)
            (void)app_anatomy_show(session->anatomy, 1e3 * now_s, &session->anatomy_view);
        session->anatomy_view.limit = app_hud_limit(&hud);
        hud.anatomy = &session->anatomy_view;
    }
    app_hud_draw(session->renderer, list, layout, &hud);
}
