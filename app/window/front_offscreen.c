/* Runs without a display: one picture, its table and its record; a walk through a talk. */
#include "window/front.h"

#include "base/process.h"
#include "hud/draw.h"
#include "hud/parts.h"
#include "measure/report.h"
#include "records/io.h"
#include "talk/talk.h"
#include "window/session.h"

#include "krn/gl.h"
#include "krn/memory.h"
#include "ren/png.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a renderer without a display, on the device that computes --- */

struct canvas {
    struct ren_offscreen *offscreen;
    struct ren_renderer *renderer;
};

static struct canvas lent; /* of app_front_lend */

static bool is_current(void *owner)
{
    (void)owner; /* there is no other context in a run without a display */
    return true;
}

/* Closes what is open; a canvas that was not opened is fine. */
static void close_canvas(struct canvas *canvas)
{
    if (lent.offscreen)
        return;
    if (canvas->offscreen)
        krn_gl_lend(NULL);
    ren_close(canvas->renderer);
    ren_offscreen_close(canvas->offscreen);
    *canvas = (struct canvas){NULL, NULL};
}

/* Opens an OpenGL context and a renderer in it, and lends it to the backend gl; where
 * app_front_lend has opened one, it is that. cuda_ordinal: the CUDA device that should draw as
 * well, so that interop works; -1: any. Errors: KRN_UNAVAILABLE (no EGL, or no OpenGL 3.3 in it),
 * KRN_NO_MEMORY, KRN_FAILED. */
static enum krn_code open_canvas(struct canvas *canvas, int cuda_ordinal, struct krn_error *error)
{
    const struct krn_gl_context context = {ren_offscreen_proc, is_current, NULL};
    *canvas = lent;
    if (lent.offscreen)
        return KRN_OK;
    enum krn_code code = ren_offscreen_open(&canvas->offscreen, cuda_ordinal, error);
    KRN_THEN(code, ren_open(&canvas->renderer, error));
    if (code == KRN_OK)
        krn_gl_lend(&context);
    else
        close_canvas(canvas);
    return code;
}

enum krn_code app_front_lend(struct krn_error *error)
{
    struct canvas canvas;
    const enum krn_code code = open_canvas(&canvas, -1, error);
    if (code == KRN_OK)
        lent = canvas;
    return code;
}

void app_front_take_back(void)
{
    struct canvas canvas = lent;
    lent = (struct canvas){NULL, NULL};
    close_canvas(&canvas);
}

/* Returns the ordinal of the CUDA device that renders the state's pictures; -1: the host does. */
static int ordinal_of(const struct app_engine *engine, const struct app_state *state)
{
    const struct krn_device *device = app_engine_device(engine, state);
    return krn_device_describe(device)->can.host_images
               ? -1
               : app_engine_ordinal(engine, state->spec.backend);
}

/* Returns how a session begins whose frames are drawn on a canvas. */
static struct app_session_start session_on(const struct canvas *canvas, struct app_program *program)
{
    return (struct app_session_start){
        .engine = program->engine,
        .renderer = canvas->renderer,
        .environment = &program->environment,
        .state = &program->state,
        .run = &program->run,
        .context = ren_offscreen_describe(canvas->offscreen),
        .fallback_reason = program->fallback_reason,
        .recorded = program->recorded,
        .play = program->run.play[0] != 0,
    };
}

/* --- the runs --- */

/* Frames enough for a median and a curve, in little time. */
static const int still_frames = 60;
static const double still_s = 2.0;
/* The longest that a picture waits for its verification. */
static const double verify_s = 3.0;
/* The longest that the last frame of an interrupted run may take. */
static const double last_frame_s = 0.3;

static enum krn_code draw_frame(const struct app_run *run, struct app_session *session,
                                struct krn_error *error)
{
    const struct app_session_target target = {run->window_width, run->window_height, 1.0f};
    app_session_begin(session);
    const enum krn_code code = app_session_frame(session, &target, app_clock_s(), error);
    app_interrupt_keep(); /* the first frame may take a second, and before it there is nothing */
    app_session_enter(session, APP_PHASE_SWAP);
    ren_frame_pace(session->renderer);
    app_session_leave(session);
    return code;
}

/* The part of --seconds that frames may take; the table has the rest. */
static const double frames_part = 0.5;

/* The time from the start at which work is abandoned, as a part of --seconds, and the least time
 * that it has: without a first frame there is no picture, and on a busy machine it takes long. */
static const double late = 1.12, least_s = 5.0;

/* The part of --seconds that a picture may wait for its verification. */
static const double verify_part = 0.15;

/* The longest that a picture waits for its story plot. */
static const double story_s = 60.0;

static bool shows_story(const struct app_session *session)
{
    return app_state_shows(&session->state, APP_SUBJECT_STORY);
}

/* Returns true when the story plot is shown and complete. */
static bool story_is_over(const struct app_session *session)
{
    return shows_story(session) &&
           (session->play || app_story_over(session->story, session->state.spec.backend));
}

/* Measures for the story plot without drawing, for a while: drawing may take longer than a burst.
 */
static enum krn_code run_story(struct app_session *session, struct krn_error *error)
{
    const double until_s = app_clock_s() + 0.5;
    enum krn_code code = KRN_OK;
    if (!shows_story(session) || !session->shown || session->play)
        return KRN_OK;
    while (code == KRN_OK && !app_must_stop() && !story_is_over(session) &&
           !app_verify_computes(session->verify[0]) && app_clock_s() < until_s)
        code = app_story_frame(session->story, &session->state, error);
    return code;
}

/* Shows which frame is drawn now. frames: how many there will be; 0: not known. */
static void show_frame(struct app_program *program, const char *verb, int frame, int frames)
{
    char text[APP_PROGRESS_MAX];
    if (frames > 0)
        snprintf(text, sizeof text, "%s frame %d of %d", verb, frame, frames);
    else
        snprintf(text, sizeof text, "%s frame %d", verb, frame);
    app_progress_show(&program->progress, text);
}

/* Says that a picture or a recording cannot be written. The run goes on to its table, and fails at
 * its end. */
static void lose(struct app_program *program, const struct krn_error *error)
{
    app_complain(error->text);
    app_front_release(program); /* removes an unfinished video */
    program->lost = true;
}

/* Draws and records frames until the run's limits, or until one cannot be recorded. The pose is a
 * function of the frame's number. A frame that keeps its picture, because other processes measure,
 * is not recorded. */
static enum krn_code record_frames(struct app_program *program, struct app_session *session,
                                   struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const double start = app_clock_s(), start_pose_s = session->state.spec.motion_s;
    const bool moves = session->state.spec.motion;
    struct app_run limits = *run;
    limits.seconds *= frames_part;
    if (limits.frames == 0 && limits.seconds <= 0.0)
        limits.frames = still_frames;
    enum krn_code code = KRN_OK;
    session->posed = true;
    for (int frames = 0; code == KRN_OK && !app_interrupted();) {
        if (moves)
            session->state.spec.motion_s = start_pose_s + (double)frames / APP_CAPTURE_FPS;
        show_frame(program, "recording", frames + 1, limits.frames);
        code = draw_frame(run, session, error);
        if (code == KRN_OK && !session->waited) {
            if (app_capture_frame(program->capture, session->renderer, run->window_width,
                                  run->window_height, -1.0, error) != KRN_OK) {
                lose(program, error);
                break;
            }
            frames++;
        }
        if (app_session_is_over(&limits, frames, app_clock_s() - start))
            break;
    }
    return code;
}

/* Ends the recording and says what it wrote. An interrupted one leaves no video. */
static void finish_recording(struct app_program *program)
{
    char words[APP_NOTICE_MAX];
    struct krn_error error;
    if (app_interrupted()) {
        app_front_release(program);
        return;
    }
    const enum krn_code code = app_capture_finish(program->capture, words, sizeof words, &error);
    fputs(words, app_words_stream(&program->run));
    if (code != KRN_OK)
        lose(program, &error);
}

/* Draws frames until the run's limits, or until there are enough for a median, or until the story
 * plot is complete. */
static enum krn_code draw_frames(struct app_program *program, struct app_session *session,
                                 struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const double start = app_clock_s();
    struct app_run limits = *run;
    limits.seconds *= frames_part;
    if (limits.frames == 0 && limits.seconds <= 0.0) {
        const bool fills = shows_story(session) || session->class_run != NULL;
        limits.frames = fills ? 0 : still_frames;
        limits.seconds = fills ? story_s : still_s;
    }
    enum krn_code code = KRN_OK;
    for (int frames = 1; code == KRN_OK; frames++) {
        show_frame(program, "drawing", frames, limits.frames);
        code = draw_frame(run, session, error);
        /* A device that is lost meanwhile is found by the next frame. */
        (void)run_story(session, error);
        if (frames >= still_frames &&
            (session->class_run ? app_class_current(session->class_run, 0.0)->settled
                                : story_is_over(session)))
            break;
        if (app_interrupted() || app_session_is_over(&limits, frames, app_clock_s() - start))
            break;
    }
    return code;
}

/* Draws on until the picture is verified: the picture says whether it is right. */
static enum krn_code await_verification(struct app_program *program, struct app_session *session,
                                        struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const double wait_s =
        run->seconds > 0.0 ? fmin(verify_s, verify_part * run->seconds) : verify_s;
    const double until_s = app_clock_s() + wait_s;
    enum krn_code code = KRN_OK;
    app_progress_show(&program->progress, "comparing the picture with a reference");
    const bool crosses = app_state_crosses(&session->state);
    for (int side = 0; side <= crosses; side++)
        app_verify_hurry(session->verify[side]);
    while (
        code == KRN_OK &&
        !(app_verify_settled(session->verify[0]) && app_verify_settled(session->verify[crosses])) &&
        app_clock_s() < until_s && !app_interrupted())
        code = draw_frame(run, session, error);
    return code;
}

/* Measures every mode for the table; what a recorded run plays has its own. */
static enum krn_code measure(struct app_program *program, struct krn_error *error)
{
    if (program->run.play[0])
        return KRN_OK;
    app_program_share(program, 1);
    return app_measure_program(program, error);
}

/* Measures for the table, but in a duel, and draws the frame that is kept, which shows the same
 * times. */
static enum krn_code draw_last(struct app_program *program, struct app_session *session,
                               bool *measured, struct krn_error *error)
{
    /* The last readings are still on their way. The frame below finds a device that is lost, and
     * replaces it. */
    (void)krn_device_sync(app_engine_device(session->engine, &session->state), error);
    session->state.spec.motion = session->good.spec.motion = false;
    app_engine_poll(session->engine);
    program->state = session->state;
    session->state.requests |= APP_REQUEST_SCREENSHOT; /* the pose is exact from here on */
    /* A duel has the times of its pairs, which end when the modes are measured. */
    if (session->state.spec.duel.on)
        return draw_frame(&program->run, session, error);
    /* The last frame keeps the picture. */
    if (app_engine_mine(session->engine) != NULL) {
        const enum krn_code code = draw_frame(&program->run, session, error);
        if (code != KRN_OK)
            return code;
    }
    *measured = measure(program, error) == KRN_OK;
    if (*measured && !program->run.play[0])
        session->measured = &program->measurement;
    app_progress_clear(&program->progress);
    if (app_must_stop()) /* an interrupted run still shows its picture */
        app_interrupt_allow(last_frame_s);
    return draw_frame(&program->run, session, error);
}

/* Writes the name of a new file in the working folder to path. */
static enum krn_code choose_name(const struct app_session *session, char path[APP_PATH_MAX],
                                 struct krn_error *error)
{
    enum { CHOICES = 99 };
    const time_t now = time(NULL);
    enum krn_code code = KRN_OK;
    for (int choice = 1; choice <= CHOICES; choice++) {
        code =
            app_output_name(path, ".", now, session->good.spec.mode.storage, choice, ".png", error);
        FILE *present = code == KRN_OK ? fopen(path, "rb") : NULL;
        if (!present)
            break;
        fclose(present);
    }
    return code;
}

/* Keeps the picture for the page of --html. */
static enum krn_code keep_picture(struct app_program *program, struct app_session *session,
                                  struct krn_error *error)
{
    struct app_results results = app_session_record(session);
    const enum krn_code code = app_session_png(session, &results, program->run.window_width,
                                               program->run.window_height, &program->page, error);
    app_results_free(&results);
    return code;
}

/* Writes the picture to --screenshot, or to a new file in the working folder. */
static enum krn_code write_picture(struct app_program *program, struct app_session *session,
                                   struct krn_error *error)
{
    char path[APP_PATH_MAX];
    const int width = program->run.window_width, height = program->run.window_height;
    snprintf(path, sizeof path, "%s", program->run.screenshot);
    enum krn_code code = path[0] ? KRN_OK : choose_name(session, path, error);
    KRN_THEN(code, app_session_screenshot(session, width, height, path, error));
    if (code == KRN_OK)
        fprintf(app_words_stream(&program->run), "picture: %s (%dx%d)\n", path, width, height);
    return code;
}

/* Draws, verifies and writes the picture. Without it the run has its table; *measured: its times
 * are measured. Copies the frames' phases to *anatomy, if they were collected. */
static enum krn_code make_picture(struct app_program *program, const struct canvas *canvas,
                                  struct app_anatomy_view *anatomy, bool *measured,
                                  struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const struct app_session_start start = session_on(canvas, program);
    struct app_session *session = krn_alloc(1, sizeof *session);
    (void)app_recorded_loader_wait(program->recorded); /* the picture has it from its first frame */
    app_session_open(session, &start);
    session->still = program->capture == NULL;
    if (run->seconds > 0.0)
        app_interrupt_after(fmax(program->start_s + late * run->seconds - app_clock_s(), least_s));
    enum krn_code code = program->capture ? record_frames(program, session, error)
                                          : draw_frames(program, session, error);
    if (code == KRN_OK && program->capture)
        finish_recording(program);
    KRN_THEN(code, await_verification(program, session, error));
    app_progress_clear(&program->progress);
    if (code == KRN_OK || (code == KRN_CANCELLED && session->shown))
        code = draw_last(program, session, measured, error);
    if (code == KRN_OK || ren_is_lost(canvas->renderer))
        program->state = session->state;
    if (code == KRN_OK) {
        const bool page = run->html[0] != 0, alone = page && run->play[0] && !run->screenshot[0];
        if (page && keep_picture(program, session, error) != KRN_OK)
            lose(program, error);
        if (!alone && write_picture(program, session, error) != KRN_OK)
            lose(program, error);
        app_session_anatomy(session, anatomy);
    }
    app_session_close(session);
    free(session);
    return code;
}

/* Begins a record with what the recorded run has at the state's scene, size and zoom. */
static void report_recorded(struct app_program *program, const struct app_screen *screen,
                            struct app_results *results)
{
    const struct app_recorded *recorded = app_recorded_loader_wait(program->recorded);
    app_report_begin(results, &program->environment, program->engine, &program->state, screen);
    app_report_recorded_modes(results, recorded, &program->state);
    app_report_recorded_origin(results, recorded);
}

/* Makes a record of the table. */
static void report(struct app_program *program, const struct canvas *canvas,
                   const struct ren_blit_status *blit, const struct app_anatomy_view *anatomy,
                   struct app_results *results)
{
    const struct app_screen screen = {ren_describe(canvas->renderer),
                                      ren_offscreen_describe(canvas->offscreen), blit};
    if (program->run.play[0]) {
        report_recorded(program, &screen, results);
        return;
    }
    app_report_begin(results, &program->environment, program->engine, &program->state, &screen);
    app_report_add_measurement(results, &program->state, &program->measurement);
    app_report_note_refused(results, &program->measurement);
    app_report_picture(results, program->engine, &program->state);
    app_report_add_anatomy(results, &program->state, anatomy);
    if (app_interrupted())
        results->complete = false;
}

enum krn_code app_front_offscreen(struct app_program *program, struct app_results *results,
                                  struct krn_error *error)
{
    struct canvas canvas;
    struct app_anatomy_view anatomy = {.frames = 0};
    bool measured = false;
    enum krn_code code = open_canvas(&canvas, ordinal_of(program->engine, &program->state), error);
    if (code != KRN_OK)
        return code;
    code = make_picture(program, &canvas, &anatomy, &measured, error);
    if (code == KRN_CANCELLED) {
        app_complain("There is no picture: a frame takes longer than the run.");
        program->lost = program->lost || program->run.screenshot[0] || program->capture;
        code = KRN_OK;
    } else if (code != KRN_OK && ren_is_lost(canvas.renderer)) { /* the GPU may well compute */
        lose(program, error);
        code = KRN_OK;
    }
    const struct ren_blit_status blit = ren_picture_status(canvas.renderer);
    if (code == KRN_OK && !measured)
        code = measure(program, error);
    if (code == KRN_OK)
        report(program, &canvas, &blit, &anatomy, results);
    close_canvas(&canvas);
    return code;
}

enum krn_code app_front_prepare(struct app_program *program, struct krn_error *error)
{
    if (program->state.look.qr && !app_qr_available()) {
        if (program->run.qr_given)
            return KRN_FAIL(error, KRN_UNAVAILABLE,
                            "--qr needs libqrencode, which this build lacks: install its headers "
                            "(on Debian libqrencode-dev) and build again.");
        program->state.look.qr = false; /* of a replayed record */
        app_complain("The recorded QR code is left out: this build lacks libqrencode.");
    }
    return app_run_records(&program->run)
               ? app_capture_open(&program->capture, &program->run, error)
               : KRN_OK;
}

void app_front_release(struct app_program *program)
{
    app_capture_close(program->capture);
    program->capture = NULL;
}

enum krn_code app_front_read_record(const char *path, char **text, int *width, int *height,
                                    struct krn_error *error)
{
    const enum krn_code code = ren_png_read_text(path, APP_RECORD_KEY, text, error);
    if (code == KRN_OK && *text == NULL)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s holds no results: the PNG files that Spherescope writes do, but chat "
                        "programs and editors drop them; use the original file.",
                        app_shorten(path).text);
    return code == KRN_OK ? ren_png_read_size(path, width, height, error) : code;
}

enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size, struct krn_error *error)
{
    struct canvas canvas;
    const enum krn_code code = open_canvas(&canvas, cuda_ordinal, error);
    if (code != KRN_OK)
        return code;
    const struct ren_gl_info *gl = ren_describe(canvas.renderer);
    snprintf(text, size, "%s, OpenGL %s%s (%s)", gl->renderer, gl->version,
             gl->software ? ", software" : "", ren_offscreen_describe(canvas.offscreen));
    close_canvas(&canvas);
    return KRN_OK;
}

static enum krn_code draw_plot(const struct app_program *program, const struct app_results *results,
                               const struct app_sweep *sweep, struct ren_renderer *renderer,
                               struct krn_error *error)
{
    const struct app_state *state = &program->state;
    const int width = program->run.window_width, height = program->run.window_height;
    struct app_brush brush = {.renderer = renderer,
                              .colours = app_theme_colours(state->look.theme),
                              .unit = app_layout_make(state, width, height, 1.0f).unit};
    const enum krn_code code =
        ren_frame_begin(renderer, width, height, brush.colours->background, NULL, error);
    if (code != KRN_OK)
        return code;
    brush.list = ren_list_begin(renderer);
    app_sweep_picture(&brush, (float)width, (float)height, results, sweep, state);
    return ren_list_draw(renderer, brush.list, error);
}

/* Writes the frame just drawn to the run's --screenshot. */
static enum krn_code write_plot(const struct app_run *run, struct ren_renderer *renderer,
                                const struct app_results *results, struct krn_error *error)
{
    const int width = run->window_width, height = run->window_height;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    if (!rgba)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture.");
    char *record = app_results_picture_text(results);
    const struct ren_png picture = {width, height, rgba, APP_RECORD_KEY, record};
    enum krn_code code = ren_frame_read(renderer, rgba, error);
    KRN_THEN(code, app_picture_write(run->screenshot, &picture, true, error));
    if (code == KRN_OK)
        fprintf(app_words_stream(run), "plot: %s (%dx%d)\n", run->screenshot, width, height);
    free(record);
    free(rgba);
    return code;
}

enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              struct krn_error *error)
{
    const struct krn_device_info *device = &results->device;
    struct app_sweep *sweep = app_sweep_read(results);
    struct canvas canvas;
    if (sweep == NULL)
        return KRN_FAIL(error, KRN_FAILED, "%s: the sweep has no times to plot.",
                        program->run.screenshot);
    enum krn_code code =
        open_canvas(&canvas, device->can.host_images ? -1 : device->ordinal, error);
    KRN_THEN(code, draw_plot(program, results, sweep, canvas.renderer, error));
    KRN_THEN(code, write_plot(&program->run, canvas.renderer, results, error));
    close_canvas(&canvas);
    free(sweep);
    return code;
}

/* --- a talk, walked through --- */

struct checking {
    struct app_program *program;
    struct app_session *session;
    char fault[200]; /* the first text that a hall cannot read; "": all can be read */
    bool sourced;    /* a text says that its numbers are recorded */
};

/* Looks at a text that is drawn: for one that is cut, and for a number that is missing. This
 * machine's own numbers come later. */
static void look_at_text(void *context, struct ren_rect box, const char *text)
{
    struct checking *checking = context;
    const size_t length = strlen(text);
    const bool cut = length > strlen("…") && strcmp(text + length - strlen("…"), "…") == 0,
               dash = checking->session->play && strcmp(text, "–") == 0;
    (void)box;
    checking->sourced = checking->sourced || strstr(text, "recorded") != NULL;
    if ((cut || dash) && !checking->fault[0])
        snprintf(checking->fault, sizeof checking->fault,
                 cut ? "a text is cut: %.150s" : "a number is missing: %s", text);
}

static void ignore_card(void *context, struct ren_rect rect)
{
    (void)context;
    (void)rect;
}

static void note_left_out(void *context)
{
    struct checking *checking = context;
    snprintf(checking->fault, sizeof checking->fault, "a chart has no room");
}

/* Draws frames of a step, and of a question's answer. The session goes back to another state when
 * it cannot show this one. */
static enum krn_code draw_step(void *context, struct app_state *state, struct krn_error *error)
{
    struct checking *checking = context;
    const bool asks = state->talk.asks != APP_ASKS_NOTHING;
    struct app_session *session = checking->session;
    const struct app_run *run = &checking->program->run;
    const struct app_session_target target = {run->window_width, run->window_height, 1.0f};
    enum krn_code code = KRN_OK;
    /* A picture that would take this machine long is drawn smaller; answers are of its own size. */
    const double most = 5e8; /* nominal tests */
    session->state = session->trial.wanted = *state;
    while (session->state.spec.width > 64 && (double)session->state.spec.width *
                                                     session->state.spec.height *
                                                     session->state.spec.recipe.count >
                                                 most) {
        session->state.spec.width /= 2;
        session->state.spec.height /= 2;
    }
    session->trial.lighter = session->state;
    session->notice[0] = checking->fault[0] = 0;
    checking->sourced = false;
    for (int frame = 0; code == KRN_OK && frame < 2; frame++) {
        if (!asks)
            checking->fault[0] = 0; /* the first frame has no numbers yet */
        session->state.talk.revealed = asks && frame > 0;
        session->state.talk.choice = asks && frame > 0;
        code = app_session_frame(session, &target, app_clock_s(), error);
    }
    if (code != KRN_OK)
        return code;
    const struct app_state *now = &session->state;
    const bool shown =
        now->spec.backend == state->spec.backend &&
        krn_mode_equal(now->spec.mode, state->spec.mode) &&
        now->spec.duel.on == state->spec.duel.on && now->spec.scene == state->spec.scene &&
        strcmp(now->spec.scene_path, state->spec.scene_path) == 0 &&
        (now->spec.scene == APP_SCENE_FILE || now->spec.recipe.count == state->spec.recipe.count);
    if (!shown)
        return KRN_FAIL(error, KRN_FAILED, "%s",
                        session->notice[0] ? session->notice : "another state is shown");
    const char *fault = app_session_talk_fault(session);
    if (!fault[0])
        fault = checking->fault;
    const bool page = now->look.panels != APP_PANELS_OFF;
    if (!fault[0] && session->play && !checking->sourced &&
        (asks || now->look.code || (page ? now->look.page != APP_SUBJECT_ANATOMY : now->look.hud)))
        fault = "nothing says where its numbers come from";
    return fault[0] ? KRN_FAIL(error, KRN_FAILED, "%s", fault) : KRN_OK;
}

enum krn_code app_front_talk_check(struct app_program *program, struct krn_error *error)
{
    struct canvas canvas;
    enum krn_code code = open_canvas(&canvas, ordinal_of(program->engine, &program->state), error);
    if (code != KRN_OK)
        return KRN_UNAVAILABLE;
    struct app_session_start start = session_on(&canvas, program);
    start.talk = program->talk;
    start.stands_in = program->stands_in && app_recorded_loader_wait(program->recorded);
    (void)app_recorded_loader_wait(program->recorded);
    struct app_session *session = krn_alloc(1, sizeof *session);
    struct checking checking = {.program = program, .session = session};
    const struct app_draw_witness witness = {look_at_text, ignore_card, NULL, note_left_out,
                                             &checking};
    app_session_open(session, &start);
    session->witness = &witness;
    code = app_talk_check(program->talk, &program->state, draw_step, &checking, &program->progress,
                          stdout, error);
    app_session_close(session);
    free(session);
    close_canvas(&canvas);
    return code;
}
