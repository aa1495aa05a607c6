/* app/window/session_state.h - the state of a session, shared by the files that make its frames. */
#ifndef APP_SESSION_STATE_H
#define APP_SESSION_STATE_H

#include "anatomy/anatomy.h"
#include "base/clock.h"
#include "base/environment.h"
#include "bench/recording.h"
#include "command/entry.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/work.h"
#include "heat/heat.h"
#include "hud/contents.h"
#include "hud/qr/code.h"
#include "measure/panels.h"
#include "recorded/loader.h"
#include "recorded/replay.h"
#include "story/story.h"
#include "talk/reveal.h"

#include "ren/context.h"

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

#endif
