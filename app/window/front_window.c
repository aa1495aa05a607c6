/* A run in a window, and beside it the window of a talk's notes. */
#include "window/front.h"

#include "base/files.h"
#include "base/process.h"
#include "krn/memory.h"
#include "measure/report.h"
#include "window/display.h"
#include "window/session.h"
#include "window/window.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* --- the display kept awake, and the presenter's window, with an OpenGL context of its own --- */

/* XScreenSaverSuspend of libXss; the display counts its calls. */
typedef void suspend_function(void *display, int suspend);

struct awake {
    void *display;
    suspend_function *suspend; /* NULL: nothing keeps the display awake */
};

/* Suspends the screen saver and the display's power saving on an X11 display (NULL: there is none)
 * until let_sleep or the program's end, where libXss is installed. SPHERESCOPE_XSS names another
 * library. */
static struct awake keep_awake(void *display)
{
    const char *other = getenv("SPHERESCOPE_XSS"),
               *name = other && other[0] ? other : "libXss.so.1";
    struct awake awake = {display, NULL};
    void *library = display ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "XScreenSaverSuspend") : NULL;
    if (symbol) {
        /* POSIX has a function's address in a void *; C has no cast between the two. */
        memcpy(&awake.suspend, &symbol, sizeof symbol);
        awake.suspend(display, 1);
    } else if (library) {
        dlclose(library);
    }
    return awake;
}

/* The library stays loaded: Xlib calls it once more when the display is closed. */
static void let_sleep(struct awake awake)
{
    if (awake.suspend)
        awake.suspend(awake.display, 0);
}

/* What the speaker must know, by enum app_sharing. */
static const char *const warnings[] = {
    "",
    "The hall may see the notes. {monitor} moves the show to another monitor.",
    "The monitors show the same, so the hall sees the notes: extend the desktop.",
    "There is one monitor, which shows the notes, too: close or move them.",
};

/* Drawing takes time from the main window's frames, so it is rare. */
static const double every_s = 0.5;

struct presenter {
    struct app_window *main, *window;
    struct ren_renderer *renderer;
    struct app_talk_view drawn; /* what the newest frame showed */
    double drawn_s;             /* < 0: none yet */
    enum app_sharing sharing;   /* its monitor with the main window */
    struct {
        struct app_talk_view view; /* of the frame that was copied last */
        double begun_s;            /* < 0: none yet */
        bool arrived;              /* and is not drawn yet */
        int width, height;         /* 0: none has arrived */
        unsigned char rgba[4 * REN_THUMBNAIL_SIDE * REN_THUMBNAIL_SIDE];
    } slide;
};

static void presenter_close(struct presenter *presenter)
{
    if (!presenter)
        return;
    if (presenter->window)
        app_window_use(presenter->window);
    ren_close(presenter->renderer);
    app_window_close(presenter->window);
    app_window_use(presenter->main);
    free(presenter);
}

/* Opens the presenter's window beside the main one, whose context stays current. Errors:
 * KRN_UNAVAILABLE, those of ren_open; *presenter is then NULL. */
static enum krn_code presenter_open(struct presenter **presenter, struct app_window *main,
                                    const struct app_run *run, struct krn_error *error)
{
    struct presenter *made = krn_alloc(1, sizeof *made);
    *presenter = NULL;
    made->main = main;
    made->drawn_s = made->slide.begun_s = -1.0;
    enum krn_code code =
        app_window_open_second(&made->window, main, run, "Spherescope notes", error);
    if (code == KRN_OK) {
        app_window_use(made->window);
        code = ren_open(&made->renderer, error);
    }
    if (code != KRN_OK) {
        presenter_close(made);
        return code;
    }
    app_window_use(main);
    *presenter = made;
    return KRN_OK;
}

static void write_clock(char text[16])
{
    const time_t now = time(NULL);
    struct tm local;
    text[0] = 0;
    if (localtime_r(&now, &local))
        strftime(text, 16, "%H:%M", &local);
}

/* Returns true when something drawn at that time, with that view of the talk, is to be drawn anew.
 */
static bool is_old(double drawn_s, const struct app_talk_view *drawn,
                   const struct app_session *session, double now_s)
{
    return drawn_s < 0.0 || now_s - drawn_s >= every_s ||
           memcmp(&session->state.talk, drawn, sizeof *drawn) != 0;
}

/* Copies what the hall sees from the main window's frame, for the slide. Call it before every swap
 * of that window, whose context stays current. Errors: as ren_check. */
static enum krn_code presenter_look(struct presenter *presenter, const struct app_session *session,
                                    double now_s, struct krn_error *error)
{
    struct ren_renderer *renderer = session->renderer;
    if (ren_thumbnail_take(renderer, presenter->slide.rgba, &presenter->slide.width,
                           &presenter->slide.height))
        presenter->slide.arrived = true;
    if (is_old(presenter->slide.begun_s, &presenter->slide.view, session, now_s)) {
        presenter->slide.begun_s = now_s;
        presenter->slide.view = session->state.talk;
        ren_thumbnail_begin(renderer);
    }
    return ren_check(renderer, error);
}

/* Draws the slide, over all else. */
static enum krn_code draw_slide(struct presenter *presenter, struct ren_rect place,
                                struct krn_error *error)
{
    struct ren_renderer *renderer = presenter->renderer;
    enum krn_code code = KRN_OK;
    if (presenter->slide.arrived)
        code = ren_picture_fill(renderer, presenter->slide.rgba, presenter->slide.width,
                                presenter->slide.height, error);
    presenter->slide.arrived = false;
    return code == KRN_OK ? ren_picture_draw(renderer, place, false, error) : code;
}

static enum krn_code draw_notes(struct presenter *presenter, const struct app_session *session,
                                double now_s, struct krn_error *error)
{
    struct ren_renderer *renderer = presenter->renderer;
    const int count = app_session_wanted(session).spec.recipe.count;
    struct app_state next = session->talk_start;
    struct krn_error last;
    if (session->state.talk.step + 1 < session->talk->step_count)
        (void)app_talk_state(session->talk, &session->talk_start, session->state.talk.step + 1,
                             &next, &last);
    struct app_presenter_shown shown = {.talk = session->talk,
                                        .view = &session->state.talk,
                                        .spheres = {count, next.spec.recipe.count},
                                        .elapsed_s = now_s - session->talk_start_s,
                                        .shown =
                                            session->shown_talk.talk ? &session->shown_talk : NULL};
    int width, height;
    float scale;
    write_clock(shown.clock);
    app_key_hints(warnings[presenter->sharing], shown.warning, sizeof shown.warning);
    if (shown.warning[0] == 0 && now_s < session->notice_until_s)
        snprintf(shown.warning, sizeof shown.warning, "%s", session->notice);
    if (presenter->slide.height > 0)
        shown.slide_aspect = (float)presenter->slide.width / (float)presenter->slide.height;
    app_window_size(presenter->window, &width, &height, &scale);
    if (width <= 0 || height <= 0)
        return KRN_OK;
    const struct app_colours *colours = app_theme_colours(session->state.look.theme);
    enum krn_code code = ren_frame_begin(renderer, width, height, colours->background, NULL, error);
    if (code != KRN_OK)
        return code;
    struct ren_list *list = ren_list_begin(renderer);
    const struct app_brush brush = {renderer, list, colours, 1.0f, NULL};
    const struct ren_rect place = app_hud_presenter(&brush, (float)width, (float)height, &shown);
    code = ren_list_draw(renderer, list, error);
    KRN_THEN(code, draw_slide(presenter, place, error));
    KRN_THEN(code, ren_check(renderer, error));
    if (code == KRN_OK)
        app_window_swap(presenter->window);
    return code;
}

/* Finds out whether the hall sees the notes: monitors may be mirrored at any time. A place shared
 * for a moment, while a window manager moves windows, is no complaint. */
static void look_at_monitors(struct presenter *presenter)
{
    const enum app_sharing before = presenter->sharing;
    app_window_refill(presenter->main);
    presenter->sharing = app_window_sharing(presenter->main, presenter->window);
    if (presenter->sharing > APP_SHARING_ONE && presenter->sharing != before)
        app_complain(warnings[presenter->sharing]);
}

/* Draws the notes when something on them has changed, at most some times per second. Says on them
 * and on stderr when the hall sees them, because there is no monitor for them alone. Returns false
 * when the user has closed the window, and error->code is KRN_OK, or when it cannot be drawn: close
 * it then. */
static bool presenter_follow(struct presenter *presenter, const struct app_session *session,
                             double now_s, struct krn_error *error)
{
    error->code = KRN_OK;
    if (app_window_closed(presenter->window))
        return false;
    (void)app_window_settle(presenter->window);
    (void)app_window_arrive(presenter->window); /* the notes themselves warn */
    if (!presenter->slide.arrived && !is_old(presenter->drawn_s, &presenter->drawn, session, now_s))
        return true;
    look_at_monitors(presenter);
    presenter->drawn = session->state.talk;
    presenter->drawn_s = now_s;
    app_window_use(presenter->window);
    const enum krn_code code = draw_notes(presenter, session, now_s, error);
    app_window_use(presenter->main);
    return code == KRN_OK;
}

/* --- the run --- */

/* The longest that the last frame of a run that a signal ends may take. */
static const double last_frame_s = 0.3;
/* The time after --seconds at which the frame in progress is abandoned. */
static const double late_s = 1.0;
/* The smallest size of a window that is kept, screen units: a smaller one would be hard to find. */
enum { KEPT_WIDTH_MIN = 320, KEPT_HEIGHT_MIN = 180 };

/* A run in its window. */
struct live {
    struct app_program *program;
    struct app_window *window;
    struct app_session *session;
    struct presenter *presenter;      /* NULL: none is open */
    struct app_session_target target; /* of the last frame */
    double start_s;
    double first_s; /* when the first frame was drawn */
    int frames;
    int opened_width, opened_height; /* of the new window, in screen units */
    int drawn_width, drawn_height;   /* of the last frame that could be drawn; first as opened */
    bool undrawable;                 /* no frame of the target's size can be drawn */
    bool lost;                       /* the recording has failed */
};

/* Saves what the key of a request asks for. The notice names folder and file, or says why there is
 * none. */
static void save_output(struct app_session *session, enum app_request what, int width, int height)
{
    char path[APP_PATH_MAX] = "";
    struct krn_error error;
    const enum krn_code code = what == APP_REQUEST_SCREENSHOT
                                   ? app_session_screenshot(session, width, height, path, &error)
                               : what == APP_REQUEST_PAGE
                                   ? app_session_save_page(session, width, height, path, &error)
                                   : app_session_results(session, path, &error);
    if (code == KRN_OK) {
        app_session_say_saved(session, app_clock_s(), path);
    } else {
        app_session_say(session, APP_TONE_WARNED, app_clock_s(), error.text);
    }
}

/* Writes the results, if the command line asked for them. */
static enum krn_code write_record(struct app_program *program, struct app_session *session,
                                  int width, int height, struct krn_error *error)
{
    if (!app_wants_results(&program->run))
        return KRN_OK;
    struct app_results results = app_session_record(session);
    enum krn_code code = KRN_OK;
    program->complete = results.complete;
    if (!app_interrupted() || results.count > 0) { /* else there is nothing to keep */
        struct krn_error why;
        struct app_web_page page = {.count = 0};
        const bool draws = program->run.html[0] != 0;
        const enum krn_code drawn =
            draws ? app_session_page(session, &results, width, height, &page, &why) : KRN_OK;
        code = app_write_results(&program->run, &results, &page, error);
        code = app_lose_output(code, drawn, &why, error);
        app_web_page_free(&page);
        program->written = program->written || code == KRN_OK;
        program->reported = true;
    }
    app_results_free(&results);
    return code;
}

/* Writes what the command line asked for at the end. */
static enum krn_code write_results(struct app_program *program, struct app_session *session,
                                   int width, int height, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    struct krn_error why;
    if (program->run.screenshot[0])
        code = app_session_screenshot(session, width, height, program->run.screenshot, error);
    const enum krn_code written = write_record(program, session, width, height, &why);
    return app_lose_output(code, written, &why, error);
}

static bool is_over(const struct live *live)
{
    return app_session_is_over(&live->program->run, live->frames, app_clock_s() - live->start_s);
}

/* Returns true when the user, a signal or the loss of the display has ended the run. */
static bool is_ended(const struct live *live)
{
    return app_interrupted() || app_display_lost() || app_window_closed(live->window) ||
           (live->session->state.requests & APP_REQUEST_QUIT);
}

/* Returns true while the window has a size at which no frame could be drawn. */
static bool stays_undrawable(struct live *live, const struct app_session_target *now)
{
    live->undrawable =
        live->undrawable && now->width == live->target.width && now->height == live->target.height;
    return live->undrawable;
}

/* Serves the key that changes the monitor. */
static void change_monitor(struct live *live)
{
    live->session->state.requests &= ~(unsigned)APP_REQUEST_MONITOR;
    if (!app_window_exchange(live->window, live->presenter ? live->presenter->window : NULL))
        app_session_say(live->session, APP_TONE_WARNED, app_clock_s(),
                        "There is no other monitor.");
}

/* Takes in keys, the mouse and the window's size; false while there is nothing to draw: the window
 * is minimised, or of a size that cannot be drawn. */
static bool take_input(struct live *live)
{
    struct app_session *session = live->session;
    struct app_session_target now;
    struct app_window_event event;
    app_window_poll(live->window);
    if (app_display_lost()) /* nothing more may be asked of it */
        return false;
    while (app_window_take(live->window, &event))
        if (event.is_key)
            app_session_key(session, &event.key, app_clock_s());
        else
            app_session_drag(session, &event.mouse, app_clock_s());
    if (app_window_settle(live->window)) {
        session->state.look.fullscreen = false;
        app_session_say(session, APP_TONE_WARNED, app_clock_s(),
                        "The monitor is gone: the window is on another one.");
    }
    if (!app_window_arrive(live->window)) {
        char text[APP_NOTICE_MAX];
        app_key_hints("The window manager keeps the window on another monitor. Press {fullscreen}, "
                      "move it there with the window manager's keys, and press {fullscreen}.",
                      text, sizeof text);
        app_complain(text);
        app_session_say(session, APP_TONE_WARNED, app_clock_s(), text);
    }
    if (session->state.requests & APP_REQUEST_MONITOR)
        change_monitor(live);
    app_window_follow(live->window, &session->state);
    /* Asking takes round trips to the X server, so only what shows the answer pays for them. */
    session->pointer.inside =
        app_state_shows_heat(&session->state) &&
        app_window_pointer(live->window, &session->pointer.x, &session->pointer.y);
    session->refresh_hz = app_window_refresh(live->window);
    app_window_size(live->window, &now.width, &now.height, &now.content_scale);
    if (now.width <= 0 || now.height <= 0 || app_display_lost())
        return false;
    if (stays_undrawable(live, &now)) {
        app_window_wait(live->window);
        return false;
    }
    live->target = now;
    return true;
}

/* Saves the frame just drawn and the results, if keys asked for them. Call it before the swap:
 * after it, the back buffer's content is undefined. */
static void save_requested(struct live *live)
{
    struct app_session *session = live->session;
    const unsigned requests = session->state.requests;
    static const enum app_request saved[] = {APP_REQUEST_SCREENSHOT, APP_REQUEST_RESULTS,
                                             APP_REQUEST_PAGE};
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++)
        if (requests & saved[i]) {
            session->state.requests &= ~(unsigned)saved[i];
            save_output(session, saved[i], live->target.width, live->target.height);
        }
}

/* Ends the recording, and says what it wrote or why it failed. */
static void end_recording(struct live *live, enum krn_code code, struct krn_error *error)
{
    struct app_program *program = live->program;
    char words[APP_NOTICE_MAX] = "";
    KRN_THEN(code, app_capture_finish(program->capture, words, sizeof words, error));
    fputs(words, app_words_stream(&program->run));
    if (code != KRN_OK) {
        live->lost = true;
        app_complain(error->text);
        app_session_say(live->session, APP_TONE_WARNED, app_clock_s(), error->text);
    }
    app_front_release(program);
}

/* Records the frame just drawn, before the swap. A recording that fails ends; the window goes on.
 */
static void record_frame(struct live *live)
{
    struct app_capture *capture = live->program->capture;
    struct krn_error error;
    if (!capture)
        return;
    const enum krn_code code =
        app_capture_frame(capture, live->session->renderer, live->target.width, live->target.height,
                          app_clock_s() - live->first_s, &error);
    if (app_capture_note(capture)[0])
        app_session_say(live->session, APP_TONE_WARNED, app_clock_s(), app_capture_note(capture));
    if (code != KRN_OK)
        end_recording(live, code, &error);
}

static enum krn_code draw_frame(struct live *live, struct krn_error *error)
{
    const double now_s = app_clock_s();
    const enum krn_code code = app_session_frame(live->session, &live->target, now_s, error);
    return code == KRN_OK && live->presenter
               ? presenter_look(live->presenter, live->session, now_s, error)
               : code;
}

static enum krn_code write_last(struct live *live, struct krn_error *error)
{
    return write_results(live->program, live->session, live->target.width, live->target.height,
                         error);
}

/* Returns true when a frame has failed because of the size that the window has now. Says so; the
 * run goes on, and draws again when the window has another size. */
static bool awaits_size(struct live *live, enum krn_code code, const struct krn_error *error)
{
    const struct app_session_target *target = &live->target;
    char text[APP_NOTICE_MAX];
    const int most = ren_describe(live->session->renderer)->texture_size_max;
    const bool other = target->width != live->drawn_width || target->height != live->drawn_height;
    /* Before the first frame, only a size that is not the program's own: some window managers give
     * a window any size when the monitor that it fills goes. */
    live->undrawable = (code == KRN_UNAVAILABLE || code == KRN_NO_MEMORY) && other &&
                       (live->frames > 0 || target->width > most || target->height > most);
    if (!live->undrawable)
        return false;
    snprintf(text, sizeof text, "%.240s Make the window smaller.", error->text);
    app_complain(text);
    return true;
}

/* Writes what the command line asked for, without a last frame: there is nothing to draw on. */
static enum krn_code write_without_frame(struct live *live, struct krn_error *error)
{
    struct app_program *program = live->program;
    live->session->cut_short = app_display_lost();
    const enum krn_code code = write_results(program, live->session, 0, 0, error);
    if (!app_display_lost())
        return code;
    app_complain(!app_wants_results(&program->run)
                     ? "The display is gone: its X server has ended or closed the connection."
                 : program->written
                     ? "The display is gone: its X server has ended or closed the connection. The "
                       "results up to this point are written as incomplete."
                     : "The display is gone: its X server has ended or closed the connection. No "
                       "results are written.");
    return code;
}

/* Keeps what was measured when a frame fails for good: its results are written as incomplete.
 * Returns code, and error tells both. */
static enum krn_code write_after_failure(struct live *live, enum krn_code code,
                                         struct krn_error *error)
{
    struct app_program *program = live->program;
    struct krn_error second;
    live->session->cut_short = true;
    if (live->frames == 0 || !app_wants_results(&program->run))
        return code;
    if (write_record(program, live->session, 0, 0, &second) != KRN_OK) {
        app_complain(second.text);
        return code;
    }
    const size_t said = strlen(error->text);
    snprintf(error->text + said, sizeof error->text - said,
             " The results up to this point are written as incomplete.");
    return code;
}

/* Draws the presenter's window; a window that is closed stays closed, and the show goes on. */
static void follow_presenter(struct live *live)
{
    struct krn_error error;
    const double now_s = app_clock_s();
    if (!live->presenter || presenter_follow(live->presenter, live->session, now_s, &error))
        return;
    if (error.code != KRN_OK)
        app_session_say(live->session, APP_TONE_WARNED, now_s, error.text);
    presenter_close(live->presenter);
    live->presenter = NULL;
}

/* Opens the presenter's window; without it, the show goes on. */
static void open_presenter(struct live *live)
{
    struct krn_error error;
    if (live->program->run.presenter &&
        presenter_open(&live->presenter, live->window, &live->program->run, &error) != KRN_OK)
        app_session_say(live->session, APP_TONE_WARNED, app_clock_s(), error.text);
}

/* Runs until the user or the run's limits end it. */
static enum krn_code run(struct live *live, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    live->start_s = app_clock_s();
    if (live->program->run.seconds > 0.0) /* a frame that takes far longer is abandoned */
        app_interrupt_after(live->program->run.seconds + late_s);
    while (code == KRN_OK && !is_ended(live) && !is_over(live)) {
        app_session_begin(live->session);
        app_session_enter(live->session, APP_PHASE_INPUT);
        if (!take_input(live))
            continue;
        app_session_leave(live->session);
        code = draw_frame(live, error);
        if (code == KRN_CANCELLED || app_display_lost())
            break;
        if (awaits_size(live, code, error)) {
            code = KRN_OK;
            continue;
        }
        if (code != KRN_OK)
            return write_after_failure(live, code, error);
        live->drawn_width = live->target.width;
        live->drawn_height = live->target.height;
        if (live->frames == 0)
            live->first_s = app_clock_s();
        app_interrupt_keep();
        record_frame(live);
        save_requested(live);
        live->frames++;
        const bool last = is_over(live);
        if (last)
            code = write_last(live, error);
        app_session_enter(live->session, APP_PHASE_SWAP);
        app_window_swap(live->window);
        app_session_leave(live->session);
        if (!app_display_lost())
            follow_presenter(live);
        if (last)
            return code;
    }
    const struct app_run *wanted = &live->program->run;
    if (app_display_lost() || live->undrawable)
        return write_without_frame(live, error);
    /* Ended by a person, or the time was up behind the last frame: the results are wanted too. */
    if ((code == KRN_OK || code == KRN_CANCELLED) && live->frames > 0 &&
        (wanted->screenshot[0] || app_wants_results(wanted))) {
        live->target.content_scale = 1.0f;
        const bool limited = wanted->frames > 0 || wanted->seconds > 0.0;
        live->session->cut_short = app_interrupted() || (limited && !is_over(live));
        app_interrupt_allow(last_frame_s);
        if (wanted->screenshot[0]) /* the frame before has left the back buffer */
            code = draw_frame(live, error);
        if (code == KRN_OK || code == KRN_CANCELLED) /* the record says that it is incomplete */
            code = write_last(live, error);
    }
    return code == KRN_CANCELLED ? KRN_OK : code;
}

/* Keeps what the user has changed about the window. A setting that is lost harms nobody: a sentence
 * says so, and the exit code stays. */
static void keep_settings(const struct live *live, const struct app_state *start)
{
    const struct app_run *run = &live->program->run;
    struct app_settings settings;
    struct krn_error error;
    struct app_run end = *run;
    if (!app_run_keeps_settings(run) || app_display_lost())
        return;
    /* Main has told what is wrong with them. A file that cannot be read is not replaced. */
    if (app_settings_read(&settings, &error) == KRN_FAILED)
        return;
    const bool sized = app_window_extent(live->window, &end.window_width, &end.window_height);
    if (!sized || end.window_width < KEPT_WIDTH_MIN || end.window_height < KEPT_HEIGHT_MIN ||
        (end.window_width == live->opened_width && end.window_height == live->opened_height)) {
        end.window_width = run->window_width;
        end.window_height = run->window_height;
    }
    const struct app_settings_view first = {start, run}, last = {&live->session->state, &end};
    if (app_settings_note(&settings, first, last) &&
        app_settings_write(&settings, &error) != KRN_OK)
        app_complain(error.text);
}

static enum krn_code run_session(struct live *live, struct ren_renderer *renderer,
                                 struct krn_error *error)
{
    struct app_program *program = live->program;
    const struct app_session_start start = {
        .engine = program->engine,
        .renderer = renderer,
        .environment = &program->environment,
        .state = &program->state,
        .run = &program->run,
        .context = app_window_describe(live->window),
        .fallback_reason = program->fallback_reason,
        .recorded = program->recorded,
        .play = program->run.play[0] != 0,
        .stands_in = program->stands_in && app_recorded_loader_wait(program->recorded),
        .talk = program->talk,
        .live = true,
    };
    live->session = krn_alloc(1, sizeof *live->session);
    app_session_open(live->session, &start);
    if (program->stands_in) {
        /* No number of this CPU comes first. */
        const struct app_recorded *recorded = app_recorded_loader_wait(program->recorded);
        char text[APP_NOTICE_MAX];
        if (program->state.spec.backend == KRN_BACKEND_GL)
            snprintf(text, sizeof text, "No NVIDIA GPU here: %s by OpenGL. C: recorded times",
                     ren_describe(renderer)->renderer);
        else
            snprintf(text, sizeof text, "No NVIDIA GPU here: %s, recorded. C: this CPU's times",
                     recorded ? app_recorded_view(recorded)->name : "");
        if (recorded)
            app_session_say(live->session, APP_TONE_WARNED, app_clock_s(), text);
    }
    if (program->opening[0])
        app_session_say(live->session, program->wrong ? APP_TONE_WARNED : APP_TONE_SAID,
                        app_clock_s(), program->opening);
    open_presenter(live);
    const struct awake awake = keep_awake(program->talk ? app_window_display() : NULL);
    const enum krn_code code = run(live, error);
    struct krn_error recording;
    if (program->capture)
        end_recording(live, KRN_OK, &recording);
    let_sleep(awake);
    presenter_close(live->presenter);
    keep_settings(live, &program->state);
    app_session_close(live->session);
    free(live->session);
    return code;
}

/* Lets OpenGL compute in the window, where that is asked for or where nothing better is there: a
 * talk shows a recorded GPU, and a renderer that is a program is slower than the CPU backend. */
static void lend_window(struct app_program *program, struct app_window *window)
{
    const struct krn_gl_context context = app_window_context(window);
    struct krn_device_info info;
    struct app_state *state = &program->state;
    krn_gl_lend(&context);
    if (program->stands_in && !program->talk && krn_mode_view(state->spec.mode) == KRN_VIEW_BOOK &&
        !state->spec.duel.on && !app_state_has_mine(state) &&
        krn_backend_get(KRN_BACKEND_GL)->describe(0, &info, NULL) == KRN_OK &&
        !info.can.host_processors)
        state->spec.backend = KRN_BACKEND_GL;
}

static enum krn_code run_window(struct app_program *program, int *exit_code,
                                struct krn_error *error)
{
    struct live live = {.program = program};
    struct ren_renderer *renderer = NULL;
    app_display_guard();
    /* The device in the context of before, which the window's replaces. */
    app_engine_drop(program->engine, KRN_BACKEND_GL);
    app_front_take_back();
    enum krn_code code = app_window_open(&live.window, &program->run, &program->state, error);
    if (code != KRN_OK)
        return code;
    code = ren_open(&renderer, error);
    if (code != KRN_OK) {
        app_window_close(live.window);
        return KRN_UNAVAILABLE;
    }
    lend_window(program, live.window);
    app_display_watch(app_window_display());
    (void)app_window_extent(live.window, &live.opened_width, &live.opened_height);
    live.drawn_width = live.opened_width;
    live.drawn_height = live.opened_height;
    app_window_limit(live.window, ren_describe(renderer)->texture_size_max);
    code = run_session(&live, renderer, error);
    if (code != KRN_OK)
        app_complain(error->text);
    *exit_code =
        code == KRN_OK && !live.lost && !app_display_lost() ? APP_EXIT_DONE : APP_EXIT_FAILED;
    app_engine_drop(program->engine, KRN_BACKEND_GL);
    krn_gl_lend(NULL);
    ren_close(renderer);
    app_window_close(live.window);
    return KRN_OK;
}

const struct app_front app_front_table = {
    .prepare = app_front_prepare,
    .release = app_front_release,
    .window = run_window,
    .offscreen = app_front_offscreen,
    .talk_check = app_front_talk_check,
    .sweep = app_front_sweep,
    .read_record = app_front_read_record,
    .lend = app_front_lend,
    .take_back = app_front_take_back,
    .describe = app_front_describe,
};
