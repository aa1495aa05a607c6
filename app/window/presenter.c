/* app/window/presenter.c - draws the notes when they change, and warns of mirrored monitors. */
#include "window/presenter.h"

#include "krn/memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* XScreenSaverSuspend of libXss; the display counts its calls. */
typedef void suspend_function(void *display, int suspend);

struct app_awake {
    void *display;
    suspend_function *suspend;
};

struct app_awake *app_awake_begin(void *display)
{
    const char *other = getenv("SPHERESCOPE_XSS");
    if (!display)
        return NULL;
    struct app_awake *awake = krn_alloc(1, sizeof *awake);
    awake->display = display;
    void *library = dlopen(other && other[0] ? other : "libXss.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "XScreenSaverSuspend") : NULL;
    if (!symbol) {
        if (library)
            dlclose(library);
        free(awake);
        return NULL;
    }
    /* POSIX has a function's address in a void *; C has no cast between the two. */
    memcpy(&awake->suspend, &symbol, sizeof symbol);
    awake->suspend(display, 1);
    return awake;
}

void app_awake_end(struct app_awake *awake)
{
    if (!awake)
        return;
    /* The library stays loaded: Xlib calls it once more when the display is closed. */
    awake->suspend(awake->display, 0);
    free(awake);
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

struct app_presenter {
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

enum krn_code app_presenter_open(struct app_presenter **presenter, struct app_window *main,
                                 const struct app_run *run, struct krn_error *error)
{
    struct app_presenter *made = krn_alloc(1, sizeof *made);
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
        app_presenter_close(made);
        return code;
    }
    app_window_use(main);
    *presenter = made;
    return KRN_OK;
}

struct app_window *app_presenter_window(struct app_presenter *presenter)
{
    return presenter ? presenter->window : NULL;
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

enum krn_code app_presenter_look(struct app_presenter *presenter, const struct app_session *session,
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
static enum krn_code draw_slide(struct app_presenter *presenter, struct ren_rect place,
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

static enum krn_code draw(struct app_presenter *presenter, const struct app_session *session,
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
static void look_at_monitors(struct app_presenter *presenter)
{
    const enum app_sharing before = presenter->sharing;
    app_window_refill(presenter->main);
    presenter->sharing = app_window_sharing(presenter->main, presenter->window);
    if (presenter->sharing > APP_SHARING_ONE && presenter->sharing != before)
        app_complain(warnings[presenter->sharing]);
}

bool app_presenter_follow(struct app_presenter *presenter, const struct app_session *session,
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
    const enum krn_code code = draw(presenter, session, now_s, error);
    app_window_use(presenter->main);
    return code == KRN_OK;
}

void app_presenter_close(struct app_presenter *presenter)
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
