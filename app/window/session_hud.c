/* app/window/session_hud.c - collects what the HUD shows: live or recorded numbers, notices. */
#include "window/session.h"

#include <math.h>

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
    const bool host = session->state.spec.backend == APP_FALLBACK_BACKEND;
    return session->play || host ? session->played.recorded : NULL;
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

bool app_session_display_waits(const struct app_session *session)
{
    const struct app_state *state = &session->good;
    const struct krn_device *device = app_engine_device(session->engine, state);
    const struct krn_summary frame = krn_series_summary(&session->frames),
                             kernel = krn_series_summary(app_engine_series(
                                 session->engine, state->spec.backend, state->spec.mode));
    return krn_device_describe(device)->can.asynchronous && state->look.vsync &&
           session->refresh_hz > 0.0 && frame.n > 0 && kernel.n > 0 &&
           fabs(frame.median * session->refresh_hz / 1e3 - 1.0) < 0.1 &&
           kernel.median < 0.5 * frame.median;
}

static bool plays(const struct app_session *session)
{
    return session->play && session->played.recorded;
}

/* Returns what the table has of a mode; NULL: there is none, or a duel has times of its own. */
static const struct app_mode_time *find_measured(const struct app_session *session,
                                                 struct krn_mode mode)
{
    return session->state.spec.duel.on
               ? NULL
               : app_measurement_find(session->measured, session->state.spec.backend, mode);
}

/* Returns the time of a mode: of the recorded run that plays, else of the table, else by these
 * samples of this machine, with the reasons to doubt them. waits: the device waits for the display.
 */
static struct app_mode_time find_time(struct app_session *session, struct app_duel_side side,
                                      const struct krn_series *series, bool waits, double now_s)
{
    const enum krn_backend_id backend = side.backend;
    const struct krn_mode mode = side.mode;
    if (plays(session))
        return app_recorded_find(session->played.recorded, &session->played.state, mode);
    if (find_measured(session, mode))
        return *find_measured(session, mode);
    const struct ren_blit_status blit = ren_picture_status(session->renderer);
    const struct app_conditions now = {
        .on_battery = app_battery_at(&session->battery, now_s),
        .display_waits = waits,
        .heat_map = app_state_shows_heat(&session->state),
        .gl = ren_describe(session->renderer),
        .blit = &blit,
    };
    struct app_verify_status status;
    app_verify_status(session->verify[backend != session->state.spec.backend], backend, mode, now_s,
                      &status);
    return app_evidence_time(session->engine, backend, mode, series, &now, &status);
}

static bool shows_nothing(const struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    return !state->talk.on && !state->look.hud && !state->look.help && !state->look.details &&
           !state->look.code && !state->spec.duel.on && state->look.panels == APP_PANELS_OFF &&
           !state->look.qr && !state->look.page_url[0] && !app_state_shows_heat(state) &&
           now_s >= session->notice_until_s;
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

/* Compares the mode that was left with the one on screen, both measured by this machine. */
static void compare_toggle(const struct app_session *session, struct app_hud *hud, double now_s)
{
    const struct app_engine *engine = session->engine;
    const struct app_state *state = &session->state;
    const enum krn_backend_id backend = session->before.backend;
    const struct krn_mode mode = session->before.mode;
    const struct krn_device *other = app_engine_connected(engine, backend);
    const struct app_toggle_side left = {app_engine_series(engine, backend, mode),
                                         other ? krn_device_overheads(other).tick_ms : 0.0},
                                 now = {app_engine_series(engine, state->spec.backend,
                                                          state->spec.mode),
                                        hud->now[0].tick_ms};
    struct app_verify_status status; /* may have found more since the mode was left */
    app_verify_status(session->verify[0], backend, mode, now_s, &status);
    unsigned trust = session->before.trust;
    if (status.verified == APP_VERIFIED_FALSE)
        trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    else if (status.verified == APP_VERIFIED_TRUE)
        trust &= ~APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED);
    hud->before = (struct app_mode_time){.valid = true,
                                         .backend = backend,
                                         .mode = mode,
                                         .ms = krn_series_summary(left.series),
                                         .median.trust = trust};
    hud->comparison = app_toggle_compare(left, now, hud->band_percent);
    hud->comparison.ratio.trust = hud->trust | hud->before.median.trust;
}

/* Compares the modes on screen, or the one on screen with the one that was left. */
static void compare(struct app_session *session, struct app_hud *hud, const struct app_duel *duel,
                    double now_s)
{
    const unsigned sides[2] = {hud->now[0].median.trust, hud->now[1].median.trust};
    if (duel) {
        hud->duel = krn_duel_result_of(&duel->statistic);
        hud->comparison =
            app_comparison_of_duel(hud->duel, hud->now[0].median.value, hud->now[1].median.value);
        hud->trust = app_duel_joined(sides, hud->duel->verdict == KRN_RATIO_WANDERING);
        hud->comparison.ratio.trust = hud->trust;
    } else if (plays(session)) {
        hud->trust = APP_TRUST_BIT(APP_TRUST_RECORDED) | sides[0] | sides[1];
        if (session->before.valid)
            hud->before = find_time(
                session, (struct app_duel_side){session->state.spec.backend, session->before.mode},
                NULL, false, now_s);
        hud->comparison = app_compare_times((hud->sides == 2 ? hud->now[1] : hud->before).median,
                                            hud->now[0].median, hud->band_percent);
    } else {
        hud->trust = sides[0];
        if (session->before.valid)
            compare_toggle(session, hud, now_s);
    }
    const struct app_mode_time *now = &hud->now[0],
                               *other = hud->sides == 2 ? &hud->now[1] : &hud->before;
    if (other->valid && app_same_caches((struct app_duel_side){now->backend, now->mode},
                                        (struct app_duel_side){other->backend, other->mode})) {
        hud->comparison.verdict = APP_VERDICT_SAME_CACHES;
        hud->comparison.ratio.valid = false;
    }
}

/* Fills in the numbers: those of the recorded run that plays, else this machine's. */
static void collect_times(struct app_session *session, struct app_hud *hud, double now_s)
{
    const bool play = plays(session);
    const struct app_state *state = play ? &session->played.state : &session->state;
    const struct app_engine *engine = session->engine;
    const enum krn_backend_id backend = session->state.spec.backend;
    const struct krn_device *device = app_engine_device(engine, state);
    const struct app_duel *duel = state->spec.duel.on && !play ? app_engine_duel(engine) : NULL;
    const bool waits = !play && app_session_display_waits(session);
    hud->sides = duel || (play && state->spec.duel.on) ? 2 : 1;
    for (int side = 0; side < hud->sides; side++) {
        const struct app_duel_side of = duel ? duel->sides[side] : app_state_side(state, side);
        const struct krn_series *series =
            duel ? &duel->ms[side] : app_engine_series(engine, backend, of.mode);
        hud->now[side] = find_time(session, of, series, waits, now_s);
    }
    compare(session, hud, duel, now_s);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        const struct krn_mode mode = {
            state->spec.mode.kernel == KRN_KERNEL_MINE ? KRN_KERNEL_BOOK : state->spec.mode.kernel,
            (enum krn_storage)s, state->spec.mode.pixels_per_thread};
        const struct krn_series *times =
            krn_mode_index(mode) >= 0 ? app_engine_series(engine, backend, mode) : NULL;
        if (s != (int)state->spec.mode.storage &&
            !krn_backend_get(hud->now[0].backend)->can->distinct_storages)
            continue; /* no bars of one memory side by side */
        if (play && session->visited >> s & 1)
            hud->storages[s] =
                find_time(session, (struct app_duel_side){backend, mode}, times, waits, now_s)
                    .median;
        else if (!play && times && times->count > 0 &&
                 (!session->measured || session->visited >> s & 1))
            hud->storages[s] = app_estimate_plain(find_measured(session, mode)
                                                      ? find_measured(session, mode)->median.value
                                                      : krn_series_summary(times).median);
    }
    hud->empty_kernel_ms =
        play ? hud->now[0].overhead_ms : krn_device_overheads(device).empty_kernel_ms;
    hud->gate_drops = play ? 0 : krn_device_gate_drops(device);
    hud->trace = play ? &session->played.trace : app_engine_trace(engine);
    hud->story = play ? &session->played.story : app_story_current(session->story, backend);
    if (!play)
        session->trust = hud->trust;
}

/* Gathers what the talk's step shows, and after a question the number that answers it. */
static void collect_talk(struct app_session *session, struct app_hud *hud, double now_s)
{
    const struct app_state *state = &session->state;
    const struct app_talk_source *source = app_session_talk_source(session);
    struct app_talk_evidence evidence = {.recorded = app_session_recorded(session),
                                         .tick_ms = hud->now[0].tick_ms,
                                         .band_percent = hud->band_percent};
    if (source && source->kind == APP_SOURCE_CLAIM) {
        const struct app_panels_view *view =
            hud->panels ? hud->panels
                        : app_panels_current(session->panels, session->engine, state, now_s);
        evidence.claims = view->claims;
    }
    const int modes = !source || source->kind == APP_SOURCE_CLAIM ? 0
                      : source->kind == APP_SOURCE_TIME           ? 1
                                                                  : 2;
    for (int m = 0; m < modes; m++) {
        const struct krn_series *series =
            app_engine_series(session->engine, state->spec.backend, source->modes[m]);
        evidence.trust |=
            find_time(session, (struct app_duel_side){state->spec.backend, source->modes[m]},
                      series, false, now_s)
                .median.trust;
    }
    hud->talk = app_session_talk_show(
        session, &evidence, hud->now[0].recorded ? hud->recorded->name : hud->device->name);
}

/* Returns the pages without numbers of this machine or the recorded run, as bits. */
static unsigned find_empty(const struct app_hud *hud)
{
    const struct app_panels_view *const views[] = {hud->panels,
                                                   hud->recorded ? &hud->recorded->panels : NULL};
    unsigned empty = hud->class_board ? ~(1u << APP_SUBJECT_CLASS) : ~0u;
    for (int v = 0; v < 2; v++)
        for (int i = 0; views[v] && i < views[v]->probes.count; i++)
            empty &=
                ~(1u << (APP_SUBJECT_TOPIC_TIMER + (int)views[v]->probes.results[i].probe->topic));
    return empty;
}

static struct app_hud collect(struct app_session *session, double now_s)
{
    const struct app_state *state = &session->state;
    const struct app_recorded *recorded = app_session_recorded(session);
    struct krn_device *device = app_engine_device(session->engine, state);
    const struct krn_view view = app_engine_current_view(session->engine);
    struct app_hud hud = {
        .state = state,
        .device = krn_device_describe(device),
        .gl = ren_describe(session->renderer),
        .blit = ren_picture_status(session->renderer),
        .refresh_hz = session->refresh_hz,
        .still = !session->facts.live,
        .fallback_reason = session->fallback_reason,
        .scene_note = app_engine_scene_note(session->engine),
        .rays = session->rays.sum,
        .rays_sampled = session->rays.sampled,
        .rays_awaited = !session->rays.failed,
        .frame = krn_series_summary(&session->frames),
        .heat = app_state_shows_heat(state) && session->heat.valid ? &session->heat : NULL,
        .band_percent = app_engine_band_percent(session->engine),
        .panels = state->look.panels != APP_PANELS_OFF
                      ? app_panels_current(session->panels, session->engine, state, now_s)
                      : NULL,
        .notice = notice_at(session, now_s),
        .tone = session->tone,
        .witness = session->witness,
        .mine = app_engine_mine(session->engine),
        .class_board =
            session->class_run != NULL ? app_class_current(session->class_run, now_s) : NULL,
    };
    app_engine_telemetry(session->engine, state->spec.backend, &hud.telemetry);
    (void)krn_device_kernels(device, state->spec.mode, &view, &hud.kernels, NULL);
    if (state->look.details) {
        read_properties(session, device);
        hud.properties = session->properties.list;
        hud.property_count = session->properties.count;
    }
    if (recorded)
        hud.recorded = app_recorded_view(recorded);
    collect_times(session, &hud, now_s);
    struct app_verify_status sides[2];
    for (int side = 0; side < hud.sides; side++)
        app_verify_status(session->verify[hud.now[side].backend != state->spec.backend],
                          hud.now[side].backend, hud.now[side].mode, now_s, &sides[side]);
    hud.verified =
        sides[hud.sides == 2 ? app_verified_worse(sides[0].verified, sides[1].verified) : 0];
    session->time_like_ms = app_number_keep_unit(session->time_like_ms, hud.now[0].ms.median);
    hud.time_like_ms = session->time_like_ms;
    if (hud.panels)
        session->facts.empty_subjects = find_empty(&hud);
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
    const bool misses = !session->state.look.page_url[0] && session->qr.code.side > 0 &&
                        app_qr_place(layout, session->qr.code.side, &place) == 0;
    if (misses && !session->qr_misses)
        app_session_say(session, APP_TONE_WARNED, now_s,
                        "The QR code has no room here: enlarge the window, or close the page");
    session->qr_misses = misses;
}

void app_session_draw_hud(struct app_session *session, const struct app_layout *layout,
                          double now_s, struct ren_list *list)
{
    /* Statistics cost time: a HUD that shows nothing does without them. */
    if (shows_nothing(session, now_s))
        return;
    struct app_hud hud = collect(session, now_s);
    if (session->state.look.qr || session->state.look.page_url[0])
        follow_qr(session, layout, &hud, now_s);
    if (session->anatomy) {
        if (!session->state.look.hold)
            (void)app_anatomy_show(session->anatomy, 1e3 * now_s, &session->anatomy_view);
        session->anatomy_view.limit = app_hud_limit(&hud);
        hud.anatomy = &session->anatomy_view;
    }
    app_hud_draw(session->renderer, list, layout, &hud);
}
