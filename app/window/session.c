#include "window/session.h"

#include "base/battery.h"
#include "base/files.h"
#include "hud/theme.h"
#include "judge/trust.h"
#include "report/output_name.h"
#include "report/report_session.h"

#include "ren/png.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a notice stays: long enough to be read aloud. */
static const double said_s = 2.5, warned_s = 7.0;

/* A frame held up (a dragged window, a breakpoint) must not make the motion jump. */
static const double longest_step_s = 0.1;

/* The drawing of the last frame, where the same GPU does both. */
static void settle(void *who)
{
    const struct app_session *session = who;
    if (session->state.backend == KRN_BACKEND_CUDA)
        ren_frame_settle(session->renderer);
}

static bool verify_computes(void *who)
{
    const struct app_session *session = who;
    return app_verify_computes(session->verify);
}

void app_session_open(struct app_session *session, struct app_engine *engine,
                      struct ren_renderer *renderer, struct app_environment *environment,
                      const struct app_state *state, const struct app_run *run, const char *context,
                      const char *fallback_reason, bool live)
{
    memset(session, 0, sizeof *session);
    session->state = session->good = session->home = *state;
    session->engine = engine;
    session->renderer = renderer;
    session->environment = environment;
    session->context = context;
    session->last_s = session->battery_s = -1.0;
    session->verify = app_verify_open();
    session->panels = app_panels_open(run->panel_share, app_engine_band_percent(engine));
    if (session->panels) {
        app_panels_set_idle_hook(session->panels, settle, session);
        app_panels_set_busy_hook(session->panels, verify_computes, session);
    }
    session->facts.live = live;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        session->facts.has_backend[id] = app_engine_connected(engine, (enum krn_backend_id)id) ||
                                         id == KRN_BACKEND_CPU ||
                                         run->backend >= 0; /* not tried yet: a key may */
    if (!session->facts.has_backend[KRN_BACKEND_CUDA])
        snprintf(session->facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "%s",
                 fallback_reason);
    snprintf(session->fallback_reason, sizeof session->fallback_reason, "%s", fallback_reason);
}

void app_session_close(struct app_session *session)
{
    app_verify_close(session->verify);
    session->verify = NULL;
    app_panels_close(session->panels);
    session->panels = NULL;
    ren_picture_release(session->renderer);
}

void app_session_say(struct app_session *session, enum app_tone tone, double now_s,
                     const char *text)
{
    snprintf(session->notice, sizeof session->notice, "%s", text);
    session->tone = tone;
    session->notice_until_s = now_s + (tone == APP_TONE_WARNED ? warned_s : said_s);
}

void app_session_press(struct app_session *session, int key, bool ctrl, double now_s)
{
    struct app_reply reply = {""};
    session->facts.now_s = now_s;
    const enum app_outcome outcome = app_press(&session->state, &session->facts, key, ctrl, &reply);
    if (session->state.requests & APP_REQUEST_HOME) {
        /* The window stays as the speaker has it; what it shows goes back. */
        const struct app_state was = session->state;
        session->state = session->home;
        session->state.fullscreen = was.fullscreen;
        session->state.requests = was.requests & ~(unsigned)APP_REQUEST_HOME;
    }
    if (reply.text[0])
        app_session_say(session, outcome == APP_DONE ? APP_TONE_SAID : APP_TONE_WARNED, now_s,
                        reply.text);
}

/* The second picture goes with the duel. */
static void end_duel(struct app_session *session)
{
    if (!session->second)
        return;
    ren_picture_select(session->renderer, 1);
    ren_picture_drop(session->renderer);
    ren_picture_select(session->renderer, 0);
    session->second = false;
}

/* Both pictures are begun before either kernel and brought to OpenGL after both, so that nothing
 * lies between the two. */
static enum krn_code render_duel(struct app_session *session, struct krn_error *error)
{
    const struct app_state *state = &session->state;
    struct ren_renderer *renderer = session->renderer;
    struct krn_device *device = app_engine_device(session->engine, state);
    struct krn_image images[REN_PICTURES];
    enum krn_code code = KRN_OK;
    session->second = true;
    for (int side = 0; code == KRN_OK && side < REN_PICTURES; side++) {
        ren_picture_select(renderer, side);
        code = ren_picture_begin(renderer, device, state->blit, state->width, state->height,
                                 &images[side], error);
    }
    const struct krn_image *const both[2] = {&images[0], &images[1]};
    if (code == KRN_OK)
        code = app_engine_render_duel(session->engine, state, both, session->facts.now_s, error);
    for (int side = 0; code == KRN_OK && side < REN_PICTURES; side++) {
        ren_picture_select(renderer, side);
        code = ren_picture_end(renderer, error);
    }
    ren_picture_select(renderer, 0);
    return code;
}

/* Kernel and blit of one frame for session->state. */
static enum krn_code render(struct app_session *session, struct krn_error *error)
{
    struct app_state *state = &session->state;
    enum krn_code code = app_engine_adopt(session->engine, state, error);
    if (code != KRN_OK)
        return code;
    if (state->duel.on)
        return render_duel(session, error);
    end_duel(session);
    struct krn_image image;
    code = ren_picture_begin(session->renderer, app_engine_device(session->engine, state),
                             state->blit, state->width, state->height, &image, error);
    if (code == KRN_OK)
        code = app_engine_render(session->engine, state, &image, error);
    if (code == KRN_OK)
        code = ren_picture_end(session->renderer, error);
    return code;
}

/* Takes what has failed back; true when it is worth another try. */
static bool recover(struct app_session *session, enum krn_code code, double now_s,
                    const struct krn_error *error)
{
    const bool cuda = session->state.backend == KRN_BACKEND_CUDA;
    char text[APP_NOTICE_MAX];
    if (cuda && (code == KRN_LOST || code == KRN_UNAVAILABLE)) {
        app_verify_release(session->verify);
        app_panels_release(session->panels, KRN_BACKEND_CUDA);
        ren_picture_release(session->renderer);
        app_engine_drop(session->engine, KRN_BACKEND_CUDA);
        session->facts.has_backend[KRN_BACKEND_CUDA] = false;
        snprintf(session->facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "%s", error->text);
        snprintf(session->fallback_reason, sizeof session->fallback_reason, "%s", error->text);
        snprintf(text, sizeof text, "The CPU backend takes over. %.280s", error->text);
        session->state.backend = session->good.backend = KRN_BACKEND_CPU;
        app_session_say(session, APP_TONE_WARNED, now_s, text);
        return true;
    }
    if (!session->shown || memcmp(&session->state, &session->good, sizeof session->state) == 0)
        return false;
    session->state = session->good;
    app_session_say(session, APP_TONE_WARNED, now_s, error->text);
    return true;
}

static bool same_mode(const struct app_state *a, const struct app_state *b)
{
    return a->backend == b->backend && krn_mode_equal(a->mode, b->mode);
}

/* Keeps the numbers of the mode that is left, to compare the next one with. */
static void note_toggle(struct app_session *session)
{
    enum { ENOUGH = 20 };
    if (app_engine_epoch(session->engine) != session->shown_epoch)
        session->before.valid = false; /* another scene or view: not comparable */
    session->shown_epoch = app_engine_epoch(session->engine);
    if (!session->shown || same_mode(&session->state, &session->good))
        return;
    const struct krn_summary left = krn_series_summary(
        app_engine_series(session->engine, session->good.backend, session->good.mode));
    session->before = (struct app_hud_before){left.n >= ENOUGH, session->good.backend,
                                              session->good.mode, left.median};
}

/* Extra launches; what they fail at, the next frame's own launch will say. */
static void keep_warm(struct app_session *session)
{
    const struct app_state *state = &session->state;
    const struct krn_series *kernel =
        app_engine_series(session->engine, state->backend, state->mode);
    const struct krn_series *frames = &session->frames;
    struct krn_error error;
    /* The CPU has no clocks of its own to be kept up, and nobody else would run the launches. */
    if (state->backend != KRN_BACKEND_CUDA || kernel->count == 0 || frames->count == 0)
        return;
    const int launches = app_warm_launches(krn_series_at(kernel, kernel->count - 1),
                                           krn_series_at(frames, frames->count - 1));
    (void)app_engine_extra(session->engine, state, launches, &error);
}

/* The GPU waits for the display for more than half of each frame. */
static bool display_waits(const struct app_session *session, const struct krn_summary *kernel,
                          const struct krn_summary *frame)
{
    return session->state.backend == KRN_BACKEND_CUDA && session->state.vsync &&
           session->refresh_hz > 0.0 && frame->n > 0 && kernel->n > 0 &&
           fabs(frame->median * session->refresh_hz / 1e3 - 1.0) < 0.1 &&
           kernel->median < 0.5 * frame->median;
}

/* What speaks against the numbers on screen. */
static unsigned judge(struct app_session *session, double now_s, const struct krn_summary *kernel,
                      const struct krn_summary *frame,
                      const struct krn_telemetry_reading *telemetry,
                      const struct app_verify_status *verified)
{
    const double battery_every_s = 10.0;
    const struct app_state *state = &session->state;
    if (session->battery_s < 0.0 || now_s - session->battery_s > battery_every_s) {
        session->on_battery = app_on_battery();
        session->battery_s = now_s;
    }
    const struct krn_series *series =
        app_engine_series(session->engine, state->backend, state->mode);
    struct app_trust_facts facts = {
        .core_share = app_engine_core_share(session->engine, state->backend),
        .on_battery = session->on_battery,
        .display_waits = display_waits(session, kernel, frame),
        .samples = *kernel,
        .not_settled = series->count >= KRN_SETTLED_SAMPLES && !krn_series_settled(series),
        .empty_kernel_ms =
            krn_device_overheads(app_engine_device(session->engine, state)).empty_kernel_ms,
        .has_picture = true,
        .verified = verified->verified,
    };
    const struct ren_blit_status blit = ren_picture_status(session->renderer);
    app_trust_telemetry(&facts, telemetry, false);
    app_trust_screen(&facts, state->backend, ren_describe(session->renderer), &blit);
    return app_trust_find(&facts);
}

static void draw_hud(struct app_session *session, const struct app_layout *layout, double now_s,
                     struct ren_list *list)
{
    /* Nothing to show: no statistics either. */
    if (!session->state.hud && !session->state.help && !session->state.duel.on &&
        session->state.panels == APP_PANELS_OFF && now_s >= session->notice_until_s)
        return;
    const struct krn_summary frame = krn_series_summary(&session->frames),
                             kernel = krn_series_summary(app_engine_series(
                                 session->engine, session->state.backend, session->state.mode));
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(session->engine, session->state.backend, &telemetry);
    struct app_verify_status verified;
    app_verify_status(session->verify, session->state.backend, session->state.mode, now_s,
                      &verified);
    session->trust = judge(session, now_s, &kernel, &frame, &telemetry, &verified);
    const struct app_hud hud = {
        .state = &session->state,
        .engine = session->engine,
        .gl = ren_describe(session->renderer),
        .blit = ren_picture_status(session->renderer),
        .before = session->before,
        .kernel = kernel,
        .frame = frame,
        .empty_kernel_ms = krn_device_overheads(app_engine_device(session->engine, &session->state))
                               .empty_kernel_ms,
        .refresh_hz = session->refresh_hz,
        .telemetry = telemetry,
        .verified = verified,
        .trust = session->trust,
        .notice = now_s < session->notice_until_s ? session->notice : "",
        .tone = session->tone,
        .panels = session->panels && session->state.panels != APP_PANELS_OFF
                      ? app_panels_current(session->panels, session->engine, &session->state, now_s)
                      : NULL,
        .fallback_reason = session->fallback_reason[0] ? session->fallback_reason
                                                       : ren_font_notice(session->renderer),
    };
    app_hud_draw(session->renderer, list, layout, &hud);
}

/* In a duel A's picture left of the divider, B's right of it. */
static enum krn_code draw_picture(struct app_session *session, const struct app_layout *layout,
                                  struct krn_error *error)
{
    struct ren_renderer *renderer = session->renderer;
    const struct app_duel_view *duel = &session->state.duel;
    if (!duel->on)
        return ren_picture_draw(renderer, layout->picture, error);
    const float divider = (float)duel->divider;
    enum krn_code code = ren_picture_draw_part(renderer, layout->picture, 0.0f, divider, error);
    ren_picture_select(renderer, 1);
    if (code == KRN_OK)
        code = ren_picture_draw_part(renderer, layout->picture, divider, 1.0f, error);
    ren_picture_select(renderer, 0);
    return code;
}

/* Other processes measure on the device. */
static bool disturbed(const struct app_session *session)
{
    return session->panels != NULL && app_panels_child_running(session->panels);
}

/* The picture stands still while other processes measure on its device, so that it does not take
 * from them, unless a key has changed what it shows. */
static bool picture_waits(const struct app_session *session)
{
    struct app_state now = session->state;
    now.motion_s = session->good.motion_s;
    now.requests = session->good.requests;
    now.pending = session->good.pending;
    return session->shown && disturbed(session) && memcmp(&now, &session->good, sizeof now) == 0;
}

/* Between frames: what the panels measure. A device lost over it is found by the next frame. */
static void run_panels(struct app_session *session, enum app_panels shown, double now_s)
{
    struct app_state *state = &session->state;
    struct krn_error error;
    const bool asked = state->requests & APP_REQUEST_MEASURE;
    state->requests &= ~(unsigned)APP_REQUEST_MEASURE;
    session->good.requests &= ~(unsigned)APP_REQUEST_MEASURE;
    if (session->panels == NULL)
        return;
    if (shown == APP_PANELS_OFF) {
        app_panels_pause(session->panels);
        return;
    }
    if (asked)
        app_panels_remeasure(session->panels);
    if (app_panels_frame(session->panels, session->engine, state, now_s, &error) != KRN_OK) {
        (void)recover(session, KRN_LOST, now_s, &error);
        return;
    }
    const char *why = app_panels_why(session->panels, state->backend);
    if (asked)
        app_session_say(session, why[0] ? APP_TONE_WARNED : APP_TONE_SAID, now_s,
                        why[0] ? why : "Measuring the panels again, from nothing");
}

enum krn_code app_session_frame(struct app_session *session, int width, int height,
                                float content_scale, double now_s, struct krn_error *error)
{
    struct app_layout layout = app_layout_make(&session->state, width, height, content_scale);
    session->facts.now_s = now_s;
    session->facts.pane_width = (int)layout.pane.w;
    session->facts.pane_height = (int)layout.pane.h;
    session->facts.no_room =
        session->state.panels != APP_PANELS_OFF && layout.shown == APP_PANELS_OFF;
    app_state_follow(&session->state, &session->facts);

    if (session->last_s >= 0.0) {
        const double step = now_s - session->last_s;
        if (!session->state.hold && !disturbed(session))
            krn_series_push(&session->frames, step * 1e3);
        if (session->state.motion && step > 0.0 && !disturbed(session))
            session->state.motion_s += step < longest_step_s ? step : longest_step_s;
    }
    session->last_s = now_s;

    /* Before the frame: what the last one drew is done by then, or nearly. A backend that has just
     * been chosen is connected by its first frame. */
    if (session->shown && session->state.backend == session->good.backend)
        run_panels(session, layout.shown, now_s);
    enum krn_code code = KRN_OK;
    if (picture_waits(session)) {
        const struct timespec little = {0, 15000000};
        nanosleep(&little, NULL);
    } else {
        code = render(session, error);
        while (code != KRN_OK && recover(session, code, now_s, error))
            code = render(session, error);
    }
    if (code != KRN_OK)
        return code;
    app_engine_set_hold(session->engine, session->state.hold || disturbed(session));
    app_engine_poll(session->engine);
    app_engine_facts(session->engine, &session->facts);
    /* What is launched here would share the device with the processes that measure on it. */
    if (disturbed(session))
        app_verify_follow(session->verify, session->engine, &session->state, now_s);
    else
        app_verify_frame(session->verify, session->engine, &session->state, &session->facts, now_s);
    if (session->state.warm && !disturbed(session))
        keep_warm(session);
    note_toggle(session);
    session->good = session->state;
    session->shown = true;

    layout = app_layout_make(&session->state, width, height, content_scale);
    code = ren_frame_begin(session->renderer, width, height,
                           app_theme_colours(session->state.theme)->background, &layout.picture,
                           error);
    if (code == KRN_OK)
        code = draw_picture(session, &layout, error);
    if (code != KRN_OK)
        return code;
    struct ren_list *list = ren_list_begin(session->renderer);
    draw_hud(session, &layout, now_s, list);
    code = ren_list_draw(session->renderer, list, error);
    return code == KRN_OK ? ren_check(session->renderer, error) : code;
}

char *app_session_record(struct app_session *session)
{
    const struct ren_blit_status blit = ren_picture_status(session->renderer);
    const struct krn_summary frame = krn_series_summary(&session->frames),
                             kernel = krn_series_summary(app_engine_series(
                                 session->engine, session->good.backend, session->good.mode));
    const struct app_session_record sources = {
        .environment = session->environment,
        .engine = session->engine,
        .state = &session->good,
        .screen = {ren_describe(session->renderer), session->context, &blit},
        .verify = session->verify,
        .display_waits = display_waits(session, &kernel, &frame),
        .panels = session->good.panels != APP_PANELS_OFF ? session->panels : NULL,
        .frames = &session->frames,
        .now_s = session->facts.now_s,
    };
    return app_report_session(&sources);
}

/* A name that no file has yet; the writer refuses to replace one, whoever was quicker. */
static enum krn_code write_new(struct app_session *session, const struct ren_png *picture,
                               char path[APP_PATH_MAX], struct krn_error *error)
{
    enum { CHOICES = 100 };
    char folder[APP_PATH_MAX];
    app_pictures_folder(folder);
    const time_t now = time(NULL);
    enum krn_code code = KRN_REFUSED;
    for (int choice = 1; choice <= CHOICES && code == KRN_REFUSED; choice++) {
        code = app_screenshot_name(path, folder, now, session->good.mode.storage, choice, error);
        if (code == KRN_OK)
            code = ren_png_write(path, picture, false, error);
    }
    return code;
}

enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error)
{
    enum { CHOICES = 100 };
    char folder[APP_PATH_MAX];
    char *record = app_session_record(session);
    if (!record)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the results.");
    app_pictures_folder(folder);
    const time_t now = time(NULL);
    enum krn_code code = KRN_REFUSED;
    for (int choice = 1; choice <= CHOICES && code == KRN_REFUSED; choice++) {
        code =
            app_output_name(path, folder, now, session->good.mode.storage, choice, ".json", error);
        if (code == KRN_OK)
            code = app_write_new_file(path, record, strlen(record), error);
    }
    free(record);
    return code;
}

enum krn_code app_session_screenshot(struct app_session *session, int width, int height,
                                     char path[APP_PATH_MAX], struct krn_error *error)
{
    if (width <= 0 || height <= 0)
        return KRN_FAIL(error, KRN_REFUSED, "There is nothing on screen to keep.");
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    char *record = app_session_record(session);
    enum krn_code code =
        rgba && record ? KRN_OK : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a screenshot.");
    if (code == KRN_OK)
        code = ren_frame_read(session->renderer, rgba, error);
    const struct ren_png picture = {width, height, rgba, APP_RECORD_KEY, record};
    if (code == KRN_OK)
        code = path[0] ? ren_png_write(path, &picture, true, error)
                       : write_new(session, &picture, path, error);
    free(rgba);
    free(record);
    return code;
}
