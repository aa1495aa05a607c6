#include "session.h"

#include "paths.h"
#include "report.h"

#include "ren/png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a notice stays: long enough to be read aloud. */
static const double said_s = 2.5, warned_s = 7.0;

/* A frame held up (a dragged window, a breakpoint) must not make the motion jump. */
static const double longest_step_s = 0.1;

void app_session_open(struct app_session *session, struct app_engine *engine,
                      struct ren_renderer *renderer, struct app_environment *environment,
                      const struct app_state *state, const struct app_run *run, const char *context,
                      const char *standing, bool live)
{
    memset(session, 0, sizeof *session);
    session->state = session->good = session->home = *state;
    session->engine = engine;
    session->renderer = renderer;
    session->environment = environment;
    session->context = context;
    session->last_s = -1.0;
    session->facts.live = live;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        session->facts.has_backend[id] = engine->devices[id] || id == KRN_BACKEND_CPU ||
                                         run->backend >= 0; /* not tried yet: a key may */
    if (!session->facts.has_backend[KRN_BACKEND_CUDA])
        snprintf(session->facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "%s", standing);
    snprintf(session->standing, sizeof session->standing, "%s", standing);
}

void app_session_close(struct app_session *session)
{
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

/* Kernel and blit of one frame for session->state. */
static enum krn_code render(struct app_session *session, struct krn_error *error)
{
    struct app_state *state = &session->state;
    enum krn_code code = app_engine_adopt(session->engine, state, error);
    if (code != KRN_OK)
        return code;
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
        ren_picture_release(session->renderer);
        app_engine_drop(session->engine, KRN_BACKEND_CUDA);
        session->facts.has_backend[KRN_BACKEND_CUDA] = false;
        snprintf(session->facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "%s", error->text);
        snprintf(session->standing, sizeof session->standing, "%s", error->text);
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
    if (session->engine->epoch != session->shown_epoch)
        session->before.there = false; /* another scene or view: not comparable */
    session->shown_epoch = session->engine->epoch;
    if (!session->shown || same_mode(&session->state, &session->good))
        return;
    const struct krn_summary left = krn_series_summary(
        app_engine_series(session->engine, session->good.backend, session->good.mode));
    session->before = (struct app_hud_before){left.n >= ENOUGH, session->good.backend,
                                              session->good.mode, left.median};
}

static void draw_hud(struct app_session *session, const struct app_layout *layout, double now_s,
                     struct ren_list *list)
{
    const struct app_hud hud = {
        .state = &session->state,
        .engine = session->engine,
        .gl = ren_describe(session->renderer),
        .blit = ren_picture_status(session->renderer),
        .before = session->before,
        .frame = krn_series_summary(&session->frames),
        .refresh_hz = session->refresh_hz,
        .notice = now_s < session->notice_until_s ? session->notice : "",
        .tone = session->tone,
        .standing = session->standing[0] ? session->standing : ren_font_notice(session->renderer),
    };
    app_hud_draw(session->renderer, list, layout, &hud);
}

enum krn_code app_session_frame(struct app_session *session, int width, int height,
                                float content_scale, double now_s, struct krn_error *error)
{
    struct app_layout layout = app_layout_make(&session->state, width, height, content_scale);
    session->facts.now_s = now_s;
    session->facts.pane_width = (int)layout.pane.w;
    session->facts.pane_height = (int)layout.pane.h;
    app_state_follow(&session->state, &session->facts);

    if (session->last_s >= 0.0) {
        const double step = now_s - session->last_s;
        krn_series_push(&session->frames, step * 1e3);
        if (session->state.motion && step > 0.0)
            session->state.motion_s += step < longest_step_s ? step : longest_step_s;
    }
    session->last_s = now_s;

    enum krn_code code = render(session, error);
    while (code != KRN_OK && recover(session, code, now_s, error))
        code = render(session, error);
    if (code != KRN_OK)
        return code;
    app_engine_poll(session->engine);
    app_engine_facts(session->engine, &session->facts);
    note_toggle(session);
    session->good = session->state;
    session->shown = true;

    layout = app_layout_make(&session->state, width, height, content_scale);
    code = ren_frame_begin(session->renderer, width, height,
                           app_theme_colours(session->state.theme)->background, error);
    if (code == KRN_OK)
        code = ren_picture_draw(session->renderer, layout.picture, error);
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
    const struct app_screen screen = {ren_describe(session->renderer), session->context, &blit};
    return app_report_session(session->environment, session->engine, &session->good, &screen);
}

/* A name that no file has yet; the writer refuses to replace one, whoever was quicker. */
static enum krn_code write_new(struct app_session *session, int width, int height,
                               const unsigned char *rgba, const char *record,
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
            code = ren_png_write(path, width, height, rgba, APP_RECORD_KEY, record, false, error);
    }
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
    if (code == KRN_OK)
        code = path[0]
                   ? ren_png_write(path, width, height, rgba, APP_RECORD_KEY, record, true, error)
                   : write_new(session, width, height, rgba, record, path, error);
    free(rgba);
    free(record);
    return code;
}
