#include "window/front.h"

#include "base/clock.h"
#include "base/complain.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "report/output_name.h"
#include "report/report_modes.h"
#include "report/results.h"
#include "window/session.h"
#include "window/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* True when the run has had its frames or its seconds. */
static bool run_is_over(const struct app_run *run, int frames, double seconds)
{
    return (run->frames > 0 && frames >= run->frames) ||
           (run->seconds > 0.0 && seconds >= run->seconds);
}

/* Keys S and J: the notice says where the file went, or why it did not. */
static void save_output(struct app_session *session, bool picture, int width, int height)
{
    char path[APP_PATH_MAX] = "", text[APP_NOTICE_MAX];
    struct krn_error error;
    const enum krn_code code = picture
                                   ? app_session_screenshot(session, width, height, path, &error)
                                   : app_session_results(session, path, &error);
    if (code == KRN_OK) {
        const char *slash = strrchr(path, '/');
        snprintf(text, sizeof text, "Saved %s", app_shorten(slash ? slash + 1 : path).text);
        app_session_say(session, APP_TONE_SAID, app_clock_s(), text);
    } else {
        app_session_say(session, APP_TONE_WARNED, app_clock_s(), error.text);
    }
}

/* What the command line asked to be written at the end. */
static enum krn_code write_results(struct app_program *program, struct app_session *session,
                                   int width, int height, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (program->run.screenshot[0])
        code = app_session_screenshot(session, width, height, program->run.screenshot, error);
    if (app_wants_results(&program->run)) {
        char *record = app_session_record(session);
        struct krn_error second;
        const enum krn_code written =
            app_write_results(&program->run, record, code == KRN_OK ? error : &second);
        code = code == KRN_OK ? written : code;
        free(record);
    }
    return code;
}

static enum krn_code window_loop(struct app_program *program, struct app_window *window,
                                 struct app_session *session, struct krn_error *error)
{
    const double start = app_clock_s();
    int width = 0, height = 0, frames = 0;
    enum krn_code code = KRN_OK;
    while (code == KRN_OK && !app_interrupted() && !app_window_closed(window) &&
           !(session->state.requests & APP_REQUEST_QUIT) &&
           !run_is_over(&program->run, frames, app_clock_s() - start)) {
        int key;
        bool ctrl;
        float scale;
        app_window_poll(window);
        while (app_window_key(window, &key, &ctrl))
            app_session_press(session, key, ctrl, app_clock_s());
        app_window_follow(window, &session->state);
        session->refresh_hz = app_window_refresh(window);
        int now_width, now_height;
        app_window_size(window, &now_width, &now_height, &scale);
        if (now_width <= 0 || now_height <= 0)
            continue; /* minimised */
        width = now_width;
        height = now_height;
        code = app_session_frame(session, width, height, scale, app_clock_s(), error);
        if (code != KRN_OK)
            break;
        /* Before the swap: afterwards the back buffer's content is nobody's. */
        if (session->state.requests & APP_REQUEST_SCREENSHOT) {
            session->state.requests &= ~(unsigned)APP_REQUEST_SCREENSHOT;
            save_output(session, true, width, height);
        }
        if (session->state.requests & APP_REQUEST_RESULTS) {
            session->state.requests &= ~(unsigned)APP_REQUEST_RESULTS;
            save_output(session, false, width, height);
        }
        frames++;
        const bool last = run_is_over(&program->run, frames, app_clock_s() - start);
        if (last)
            code = write_results(program, session, width, height, error);
        app_window_swap(window);
        if (last)
            return code;
    }
    /* Ended by a person: the results so far are wanted too. */
    if (code == KRN_OK && frames > 0 &&
        (program->run.screenshot[0] || app_wants_results(&program->run))) {
        code = app_session_frame(session, width, height, 1.0f, app_clock_s(), error);
        if (code == KRN_OK)
            code = write_results(program, session, width, height, error);
    }
    return code;
}

enum krn_code app_front_window(struct app_program *program, int *exit_code, struct krn_error *error)
{
    struct app_window *window = NULL;
    struct ren_renderer *renderer = NULL;
    enum krn_code code = app_window_open(&window, &program->run, &program->state, error);
    if (code != KRN_OK)
        return code;
    code = ren_open(&renderer, error);
    if (code != KRN_OK) {
        app_window_close(window);
        return KRN_UNAVAILABLE;
    }
    if (ren_font_notice(renderer)[0])
        app_complain(ren_font_notice(renderer));
    struct app_session *session = malloc(sizeof *session);
    if (session) {
        app_session_open(session, program->engine, renderer, &program->environment, &program->state,
                         &program->run, app_window_describe(window), program->fallback_reason,
                         true);
        code = window_loop(program, window, session, error);
        app_session_close(session);
        free(session);
    } else {
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a session.");
    }
    if (code != KRN_OK)
        app_complain(error->text);
    *exit_code = code == KRN_OK ? APP_EXIT_DONE : APP_EXIT_FAILED;
    ren_close(renderer);
    app_window_close(window);
    return KRN_OK;
}

/* Frames enough for a median and a curve, in little time. */
static const int still_frames = 60;
static const double still_s = 2.0;
/* How much longer a picture may wait for its verification. */
static const double verify_s = 3.0;

static enum krn_code offscreen_frames(struct app_program *program, struct app_session *session,
                                      struct krn_error *error)
{
    const double start = app_clock_s();
    const int width = program->run.window_width, height = program->run.window_height;
    struct app_run limits = program->run;
    if (limits.frames == 0 && limits.seconds <= 0.0) {
        limits.frames = still_frames;
        limits.seconds = still_s;
    }
    enum krn_code code = KRN_OK;
    for (int frames = 0; code == KRN_OK; frames++) {
        code = app_session_frame(session, width, height, 1.0f, app_clock_s(), error);
        ren_frame_pace(session->renderer);
        if (app_interrupted() || run_is_over(&limits, frames + 1, app_clock_s() - start))
            break;
    }
    /* The picture shall say whether it is right. */
    const double verified_by = app_clock_s() + verify_s;
    while (code == KRN_OK && !app_verify_settled(session->verify) && app_clock_s() < verified_by &&
           !app_interrupted())
        code = app_session_frame(session, width, height, 1.0f, app_clock_s(), error);
    /* The last readings are still on their way; the picture shall carry them. */
    if (code == KRN_OK)
        code = krn_device_sync(app_engine_device(session->engine, &session->state), error);
    if (code == KRN_OK) {
        session->state.motion = false;
        app_engine_poll(session->engine);
        code = app_session_frame(session, width, height, 1.0f, app_clock_s(), error);
    }
    return code;
}

/* Where the picture goes: --screenshot, or a new file in the working folder. */
static enum krn_code write_picture(struct app_program *program, struct app_session *session,
                                   struct krn_error *error)
{
    char path[APP_PATH_MAX];
    const int width = program->run.window_width, height = program->run.window_height;
    snprintf(path, sizeof path, "%s", program->run.screenshot);
    enum krn_code code = KRN_OK;
    if (!path[0]) {
        const time_t now = time(NULL);
        for (int choice = 1; choice < 100; choice++) {
            code = app_screenshot_name(path, ".", now, session->good.mode.storage, choice, error);
            FILE *there = code == KRN_OK ? fopen(path, "rb") : NULL;
            if (!there)
                break;
            fclose(there);
        }
    }
    if (code == KRN_OK)
        code = app_session_screenshot(session, width, height, path, error);
    if (code == KRN_OK)
        fprintf(app_words_stream(&program->run), "picture: %s (%dx%d)\n", path, width, height);
    return code;
}

enum krn_code app_front_offscreen(struct app_program *program, struct krn_error *error)
{
    struct ren_offscreen *offscreen = NULL;
    struct ren_renderer *renderer = NULL;
    struct app_session *session = NULL;
    const int ordinal = program->state.backend == KRN_BACKEND_CUDA
                            ? app_engine_ordinal(program->engine, program->state.backend)
                            : -1;
    enum krn_code code = ren_offscreen_open(&offscreen, ordinal, error);
    if (code != KRN_OK)
        return code;
    code = ren_open(&renderer, error);
    if (code != KRN_OK)
        goto close;
    if (ren_font_notice(renderer)[0])
        app_complain(ren_font_notice(renderer));
    session = malloc(sizeof *session);
    if (!session) {
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a session.");
        goto close;
    }
    app_session_open(session, program->engine, renderer, &program->environment, &program->state,
                     &program->run, ren_offscreen_describe(offscreen), program->fallback_reason,
                     false);
    code = offscreen_frames(program, session, error);
    if (code == KRN_OK) {
        program->state = session->state;
        code = write_picture(program, session, error);
    }
    if (code == KRN_OK)
        code = app_measure_program(program, error);
    FILE *table = app_table_stream(&program->run);
    if (code == KRN_OK && table)
        app_measure_print(&program->measurement, program->engine, &program->state, table);
    if (code == KRN_OK && app_wants_results(&program->run)) {
        const struct ren_blit_status blit = ren_picture_status(renderer);
        const struct app_screen screen = {
            .gl = ren_describe(renderer),
            .context = ren_offscreen_describe(offscreen),
            .blit = &blit,
        };
        struct app_report report;
        app_report_begin(&report, &program->environment, program->engine, &program->state, &screen);
        app_report_add_measurement(&report, program->engine, &program->state,
                                   &program->measurement);
        char *record = app_report_end(&report);
        code = app_write_results(&program->run, record, error);
        free(record);
    }
    app_session_close(session);
close:
    free(session);
    ren_close(renderer);
    ren_offscreen_close(offscreen);
    return code;
}

enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size, struct krn_error *error)
{
    struct ren_offscreen *offscreen = NULL;
    struct ren_renderer *renderer = NULL;
    enum krn_code code = ren_offscreen_open(&offscreen, cuda_ordinal, error);
    if (code != KRN_OK)
        return code;
    code = ren_open(&renderer, error);
    if (code == KRN_OK) {
        const struct ren_gl_info *gl = ren_describe(renderer);
        snprintf(text, size, "%s, OpenGL %s%s (%s)", gl->renderer, gl->version,
                 gl->software ? ", software" : "", ren_offscreen_describe(offscreen));
    }
    ren_close(renderer);
    ren_offscreen_close(offscreen);
    return code;
}
