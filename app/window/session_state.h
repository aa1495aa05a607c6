/* app/window/session_state.h - a session's state, and what its files do with it: picture, HUD,
 * records. */
#ifndef APP_SESSION_STATE_H
#define APP_SESSION_STATE_H

#include "anatomy/anatomy.h"
#include "base/clock.h"
#include "base/environment.h"
#include "bench/program.h"
#include "command/entry.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/work.h"
#include "heat/heat.h"
#include "hud/contents.h"
#include "hud/layout.h"
#include "hud/qr/card.h"
#include "measure/panels.h"
#include "recorded/recorded.h"
#include "recorded/replay.h"
#include "story/story.h"
#include "talk/talk.h"

#include "ren/context.h"
#include "ren/list.h"

/* The backend that takes over when the device of another is lost: it is always there. */
#define APP_FALLBACK_BACKEND KRN_BACKEND_CPU

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
    struct app_verify *verify;
    struct app_rays rays; /* of the picture on screen */

    struct app_recording recording;       /* a run that is recorded meanwhile */
    struct app_recorded_loader *recorded; /* not owned; NULL: no recorded run */
    bool play;                            /* its numbers take the place of this machine's */
    struct app_replay replay;
    struct app_replay_shown recorded_modes;
    struct app_story_view recorded_story; /* of the epoch below */
    bool recorded_story_made;
    uint32_t recorded_epoch;
    struct app_panels_view panels_view; /* on screen */
    struct app_recorded_view recorded_view;
    struct app_battery battery;
    unsigned trust; /* enum app_trust_reason bits of the last frame */

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
    struct app_claim claims_shown[2]
                                 [APP_CLAIM_COUNT]; /* live and recorded, while some are hidden */

    struct { /* a state that may be too slow begins lighter, until its mode's rate is known */
        bool on;
        struct app_state wanted, lighter;
    } trial;

    bool second; /* the second picture, of a duel, is in use */
    struct app_hud_before before;
    bool shown; /* `good` has been on screen */
    uint32_t shown_epoch;
    struct krn_series frames; /* times of whole frames that show the same thing, ms */
    double time_like_ms;      /* of struct app_hud; 0: no time was shown yet */
    double last_s;            /* when the last frame began; < 0: none yet */
    bool insists; /* the backend was asked for by name and no audience watches: without it, fail */
    bool posed;   /* the caller sets state.motion_s before every frame */
    bool cut_short; /* the run has ended before its time: its record is incomplete */
    bool waited;    /* the last frame kept its picture, because other processes measure */

    struct app_qr qr;
    bool qr_misses; /* the code has no room, and a notice has said so */

    struct { /* the properties on the device card */
        bool read;
        enum krn_backend_id backend; /* whose they are; a backend keeps its device number */
        struct krn_property list[KRN_PROPERTIES_MAX];
        int count;
    } properties;

    struct app_anatomy *anatomy; /* NULL: no frame's phases are collected */
    struct app_anatomy_view anatomy_view;
    uint64_t frame_number; /* of the frame whose phases are collected */

    const struct app_draw_witness *witness; /* of tests; NULL: none */

    char notice[APP_NOTICE_MAX];
    enum app_tone tone;
    bool notice_of_file; /* the notice tells where a file was saved */
    double notice_until_s;
    bool owes_note; /* the scene's file has a note that no notice has shown yet */
    char fallback_reason[APP_NOTICE_MAX];
    struct { /* the backend whose device was lost, until it renders again */
        bool valid;
        enum krn_backend_id backend;
        bool in_talk; /* a talk's steps started on it */
    } lost;
};

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
bool app_session_display_waits(const struct app_session *session, const struct krn_summary *kernel,
                               const struct krn_summary *frame);

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

/* Serves the key that records a run: starts the process that measures it, or cancels the one that
 * runs; and follows its progress. Notices tell how it goes. */
void app_session_recording(struct app_session *session, double now_s);

/* Writes the session's record to a new file in the pictures folder; its name goes to path. */
enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error);

#endif
