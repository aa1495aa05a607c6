/* app/window/session.h - a running picture: state, engine, renderer and HUD, frame by frame.
 *
 * Windows and offscreen runs share it; the caller owns the OpenGL context. The time is a parameter,
 * so that tests can simulate it.
 */
#pragma once

#include "base/environment.h"
#include "base/process.h"
#include "bench/program.h"
#include "command/command.h"
#include "command/entry.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/work.h"
#include "hud/draw.h"
#include "hud/parts.h"
#include "measure/mode_run.h"
#include "measure/panels.h"
#include "measure/report.h"
#include "records/recorded.h"
#include "talk/talk.h"

#include "ren/context.h"
#include "ren/list.h"

/* The backend that takes over when the device of another is lost: it is always there. */
#define APP_FALLBACK_BACKEND KRN_BACKEND_CPU

/* The time that a pane keeps its size before the image follows it. */
#define APP_PANE_REST_S 1.0

/* A framebuffer, in pixels, and its display's content scale. */
struct app_session_target {
    int width, height;
    float content_scale;
};

struct app_session {
    struct app_state state;
    struct app_state good; /* the last state that gave a picture; failures go back to it */
    struct app_state home; /* the state that the session started with */
    struct app_facts facts;
    struct app_engine *engine;           /* not owned */
    struct ren_renderer *renderer;       /* not owned */
    struct app_environment *environment; /* not owned */
    const char *context;                 /* the GL context in words */
    double refresh_hz;                   /* of the display; 0: none */

    struct app_panels_live *panels;
    struct app_story *story;
    struct app_class *class_run;  /* NULL: no folder of kernels */
    struct app_verify *verify[2]; /* of both sides of a duel of two backends, else the first */
    struct app_rays rays;         /* of the picture on screen */

    struct app_recording recording;          /* a run that is recorded meanwhile */
    struct app_recorded_loader *recorded;    /* not owned; NULL: no recorded run */
    bool plays_always;                       /* --play */
    bool play;                               /* its numbers take the place of this machine's */
    bool told;                               /* that no recorded run has the picture on screen */
    struct {                                 /* what is on screen of the recorded run */
        const struct app_recorded *recorded; /* NULL: it has not been read yet */
        struct app_state state;              /* the one whose times are shown */
        struct app_sweep_values counts;      /* of its spheres, and of other numbers of them */
        struct app_story_view story;         /* its sweep is owned */
        struct app_trace trace;
        size_t next[KRN_MODES_MAX]; /* the sample of each mode that the trace takes next */
    } played;
    struct app_battery battery;
    unsigned trust;   /* enum app_trust_reason bits of the last frame */
    unsigned visited; /* storages that were on screen with this kernel and picture, as bits */
    bool still; /* a picture without a window, whose bars wait for no key: all count as visited */

    struct app_session_target target; /* of the last frame */
    struct {
        bool inside; /* the window */
        float x, y;  /* pixels of the framebuffer from its upper left corner */
    } pointer;       /* of the mouse; the caller sets it before a frame */

    struct app_drag drag; /* the part of the mouse's movements that has not moved the camera yet */
    double wheel_s;       /* when the wheel has stepped through the talk; < 0: not yet */

    struct app_heat heat;
    const struct app_talk *talk; /* the open one, not owned; NULL: none */
    struct app_state talk_start; /* the state that its steps change */
    double talk_start_s;         /* when it began, by the session's clock; < 0: not yet */
    struct app_talk_shown shown_talk;
    struct { /* while claims are hidden: what pages show of them */
        struct app_panels_view panels;
        struct app_recorded_view recorded;
        struct app_claim claims[2][APP_CLAIM_COUNT]; /* live and recorded */
    } hides;

    struct { /* a state that may be too slow begins lighter, until its mode's rate is known */
        bool on;
        struct app_state wanted, lighter;
    } trial;

    bool second; /* the second picture, of a duel, is in use */
    struct {     /* the mode that was left last, for the comparison with the one on screen */
        bool valid;
        enum krn_backend_id backend;
        struct krn_mode mode;
        unsigned trust; /* enum app_trust_reason bits, as it was left */
    } before;
    bool shown; /* `good` has been on screen */
    uint32_t shown_epoch;
    struct krn_series frames; /* times of whole frames that show the same thing, ms */
    double time_like_ms;      /* of struct app_hud; 0: no time was shown yet */
    double last_s;            /* when the last frame began; < 0: none yet */
    double settled_s;         /* when the image's size may follow its pane's */
    bool insists; /* the backend was asked for by name and no audience watches: without it, fail */
    bool posed;   /* the caller sets state.motion_s before every frame */
    bool cut_short; /* the run has ended before its time: its record is incomplete */
    bool waited;    /* the last frame kept its picture, because other processes measure */
    const struct app_measurement *measured; /* of a run without a window: the times of its table,
                                               once it has them; the picture stays from then on */

    struct app_qr qr;
    bool qr_misses; /* the code has no room, and a notice has said so */

    struct { /* the properties in the details */
        bool read;
        enum krn_backend_id backend; /* whose they are; a backend keeps its device number */
        struct krn_property list[KRN_PROPERTIES_MAX];
        int count;
    } properties;

    struct app_anatomy *anatomy; /* NULL: no frame's phases are collected */
    struct app_anatomy_view anatomy_view;
    uint64_t frame_number; /* of the frame whose phases are collected */

    const struct app_draw_witness *witness; /* of tests and of --check; NULL: none */

    char notice[APP_NOTICE_MAX];
    enum app_tone tone;
    bool notice_of_file; /* the notice tells where a file was saved */
    double notice_until_s;
    unsigned mine_told; /* number of sentences on the kernel of --kernel-file that were notices */
    bool mine_loaded;   /* once at least */
    bool trying;        /* that kernel tries this scene and size: the last picture stays */
    double trying_s;    /* when that is said; 0: it is not trying; < 0: it was said */
    bool owes_note;     /* the scene's file has a note that no notice has shown yet */
    char fallback_reason[APP_NOTICE_MAX];
    struct { /* the backend whose device was lost, until it renders again */
        bool valid;
        enum krn_backend_id backend;
        bool in_talk; /* a talk's steps started on it */
    } lost;
};

/* The objects that a session starts with; the caller keeps ownership. */
struct app_session_start {
    struct app_engine *engine;
    struct ren_renderer *renderer;
    struct app_environment *environment;
    const struct app_state *state;
    const struct app_run *run;            /* names the backends that may still be tried */
    const char *context;                  /* the GL context in words */
    const char *fallback_reason;          /* why the CPU backend runs instead; "" */
    const struct app_talk *talk;          /* to begin with its first step; NULL: none */
    struct app_recorded_loader *recorded; /* NULL: no recorded run */
    bool play;                            /* show its numbers in place of this machine's, or: */
    bool stands_in;                       /* where it has the picture, until key C */
    bool live; /* keys can be pressed, so a slow frame needs confirmation */
};

void app_session_open(struct app_session *session, const struct app_session_start *start);

/* Frees the GL and device objects of the picture; the engine and renderer stay. */
void app_session_close(struct app_session *session);

/* Does what a key asks for, as app_press; the reply becomes a notice. */
void app_session_press(struct app_session *session, int key, bool ctrl, double now_s);

/* Does what the press of a key on the user's board asks for. A held key does its command again
 * where that is an arrow or has Ctrl, and changes a value by steps. */
void app_session_key(struct app_session *session, const struct app_key_press *key, double now_s);

/* Does what the mouse asks for, as app_drag. In a talk, clicks and the wheel step instead, the
 * wheel at most once in 400 ms. */
void app_session_drag(struct app_session *session, const struct app_drag *drag, double now_s);

/* Ends the last frame and begins the next one, for the frame anatomy alone: its phases are
 * collected while the state asks for it. Call it before input is taken. */
void app_session_begin(struct app_session *session);

/* Makes one frame at time now_s: kernel, blit, picture, HUD. Errors: only those that leave no
 * picture (app_session_render). */
enum krn_code app_session_frame(struct app_session *session,
                                const struct app_session_target *target, double now_s,
                                struct krn_error *error);

/* Returns true when a run has had its frames or its seconds. */
bool app_session_is_over(const struct app_run *run, int frames, double seconds);

/* --- what the session's files do for each other --- */

/* Enter a phase of the frame, and leave it, while the frame's phases are collected. */
static inline void app_session_enter(struct app_session *session, enum app_phase phase)
{
    if (session->anatomy)
        app_anatomy_enter(session->anatomy, phase, app_clock_ms());
}

static inline void app_session_leave(struct app_session *session)
{
    if (session->anatomy)
        app_anatomy_leave(session->anatomy, app_clock_ms());
}

/* Shows a sentence on screen for some seconds. */
void app_session_say(struct app_session *session, enum app_tone tone, double now_s,
                     const char *text);

/* Returns the recorded run that is on screen: with --play always, else while the CPU renders. NULL:
 * none. */
const struct app_recorded *app_session_recorded(const struct app_session *session);

/* Shows for some seconds where a file was saved: "Saved in ~/Pictures: a.png". The next screenshot
 * does not contain it. */
void app_session_say_saved(struct app_session *session, double now_s, const char *path);

/* Returns true when the device waits for the display for more than half of each frame, by the times
 * of its kernels and of whole frames. */
bool app_session_display_waits(const struct app_session *session);

/* Appends the HUD of the frame at time now_s to list and judges the numbers on it. */
void app_session_draw_hud(struct app_session *session, const struct app_layout *layout,
                          double now_s, struct ren_list *list);

/* Renders a frame for the session's state. When the state cannot be rendered, restores the last
 * good state with a notice; replaces a lost device by the CPU backend within the frame, unless
 * the session insists on its backend. Errors: only those that leave no picture. */
enum krn_code app_session_render(struct app_session *session, double now_s,
                                 struct krn_error *error);

/* Undoes what has failed with `code`, as above; true when another try is worth while. */
bool app_session_recover(struct app_session *session, enum krn_code code, double now_s,
                         const struct krn_error *error);

/* Returns the state with the spheres and the size that were asked for, where a lighter one is shown
 * because this machine is too slow: recorded numbers are of these. */
struct app_state app_session_wanted(const struct app_session *session);

/* Where somebody watches, begins a state whose frames may be too slow with a lighter one, until the
 * rate of its mode is known. Call it when a state comes from elsewhere than from a key that asks.
 */
void app_session_begin_trial(struct app_session *session);

/* Shows more of the wanted state as its mode's rate becomes known. Ends the trial when all of it is
 * shown, or as much as is fast enough; then it says so. Call it before a frame is rendered. */
void app_session_follow_trial(struct app_session *session, double now_s);

/* Ends the trial with the run, and says that not all was shown. */
void app_session_end_trial(struct app_session *session);

/* Draws the picture; in a duel A's left of the divider and B's right of it. */
enum krn_code app_session_draw_picture(struct app_session *session, const struct app_layout *layout,
                                       struct krn_error *error);

/* Copies the phases of the last frames to *view; view->frames is 0 when none were collected. */
void app_session_anatomy(const struct app_session *session, struct app_anatomy_view *view);

/* Returns the session's record, to be freed with app_results_free. */
struct app_results app_session_record(struct app_session *session);

/* Writes the frame just drawn, with the session's record, to path. An empty path stands for a new
 * file in the pictures folder; its name goes to path. */
enum krn_code app_session_screenshot(struct app_session *session, int width, int height,
                                     char path[APP_PATH_MAX], struct krn_error *error);

/* Encodes the frame just drawn as the picture of a page, with the record less the samples in it:
 * smaller where it would take more than half of the page. Sets page->png. */
enum krn_code app_session_png(struct app_session *session, const struct app_results *results,
                              int width, int height, struct app_web_page *page,
                              struct krn_error *error);

/* Fills the page of a session whose record is *results, to be freed with app_web_page_free also
 * after an error: with the frame just drawn, unless it has no size, and with the talk that is open.
 */
enum krn_code app_session_page(struct app_session *session, const struct app_results *results,
                               int width, int height, struct app_web_page *page,
                               struct krn_error *error);

/* Writes this page to a new file in the pictures folder; its name goes to path. */
enum krn_code app_session_save_page(struct app_session *session, int width, int height,
                                    char path[APP_PATH_MAX], struct krn_error *error);

/* Serves the key that records a run: starts the process that measures it, or cancels the one that
 * runs; and follows its progress. Notices tell how it goes. */
void app_session_recording(struct app_session *session, double now_s);

/* Writes the session's record to a new file in the pictures folder; its name goes to path. */
enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error);

/* --- its talk (talk/session_talk.c) --- */

/* Opens a talk at its first step. */
void app_session_talk_open(struct app_session *session, const struct app_talk *talk);

/* Returns the height of the strip for the step's text, of a frame of width x height pixels; 0:
 * there is none. Help and details take all of the frame. */
float app_session_talk_strip(const struct app_session *session, int width, int height,
                             float content_scale);

/* Returns the measurement that the step's question asks for; NULL: it has none. */
const struct app_talk_source *app_session_talk_source(const struct app_session *session);

/* What the session knows about that measurement. */
struct app_talk_evidence {
    const struct app_claim *claims;      /* APP_CLAIM_COUNT rows; NULL: none */
    const struct app_recorded *recorded; /* the run on screen; NULL: none */
    unsigned trust;                      /* enum app_trust_reason bits of the modes */
    double tick_ms;                      /* of the clock */
    double band_percent;
};

/* Hides the answers that the room must not see yet: copies the claims that `hud` shows. */
void app_session_talk_hide(struct app_session *session, struct app_hud *hud);

/* Returns why the step on screen has nothing to show where it points: no answer to its question, or
 * no numbers for its page; "": it has, or may measure it. Call it after a frame.
 */
const char *app_session_talk_fault(struct app_session *session);

/* Returns what the screen shows of the step, with the name of the device that was measured. */
const struct app_talk_shown *app_session_talk_show(struct app_session *session,
                                                   const struct app_talk_evidence *evidence,
                                                   const char *device);

/* --- the heat map of the picture on screen --- */

/* The kernels of a heat map run after the frame's timed kernel and outside of its time stamps. They
 * leave other data in the caches, so they do not run on every frame: at most ten times per second,
 * in a fifth of the time at most, and not again while the picture stands still. */

/* Paints the state's heat map over `image`, which contains the newest frame; finds the costs first
 * when they are due. After an error, `image` may contain any of the two. Errors: as krn_device_heat
 * and krn_device_heat_paint. */
enum krn_code app_heat_frame(struct app_heat *heat, const struct app_engine *engine,
                             const struct app_state *state, const struct krn_image *image,
                             double now_s, struct krn_error *error);

/* Brings `at` up to date: the cost of a pixel, counted from the upper left corner of the picture,
 * or none where it lies outside. Reads from the device only when the pixel or the costs are new. */
void app_heat_point(struct app_heat *heat, const struct app_engine *engine,
                    const struct app_state *state, int column, int row);
