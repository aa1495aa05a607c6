/* app/window/session.h - a running picture: state, engine, renderer and HUD, frame by frame.
 *
 * Windows and offscreen runs share it; who owns the OpenGL context is their business. Time is
 * handed in, so that tests can simulate it.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "base/environment.h"
#include "command/command.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "hud/hud.h"
#include "measure/panels.h"

#include "ren/context.h"

struct app_session {
    struct app_state state;
    struct app_state good; /* the last state that gave a picture: what failures go back to */
    struct app_state home; /* the state that the session started with */
    struct app_facts facts;
    struct app_engine *engine;           /* not owned */
    struct ren_renderer *renderer;       /* not owned */
    struct app_environment *environment; /* not owned */
    const char *context;                 /* what the GL context is, in words */
    double refresh_hz;                   /* of the display; 0: none */

    struct app_panels_live *panels; /* NULL: no memory for them */
    struct app_verify *verify;
    bool on_battery;
    double battery_s; /* when that was last looked at */
    unsigned trust;   /* enum app_trust_reason bits of the last frame */

    bool second; /* the second picture is in use */
    struct app_hud_before before;
    bool shown; /* good has been on screen */
    uint32_t shown_epoch;
    struct krn_series frames; /* times of whole frames, ms */
    double last_s;            /* when the last frame began; < 0: none yet */

    char notice[APP_NOTICE_MAX];
    enum app_tone tone;
    double notice_until_s;
    char fallback_reason[APP_NOTICE_MAX];
};

/* standing: why the CPU backend had to take over, "" when it did not. run tells which backends may
 * still be tried. */
void app_session_open(struct app_session *session, struct app_engine *engine,
                      struct ren_renderer *renderer, struct app_environment *environment,
                      const struct app_state *state, const struct app_run *run, const char *context,
                      const char *fallback_reason, bool live);

/* Gives the GL and device objects of the picture back; the engine and renderer stay. */
void app_session_close(struct app_session *session);

/* A key, as app_press; the reply becomes a notice. */
void app_session_press(struct app_session *session, int key, bool ctrl, double now_s);

/* One frame of width x height framebuffer pixels at time now_s: kernel, blit, picture, HUD. What
 * cannot be done is undone with a notice and the frame shows the last good state; a lost CUDA
 * device is replaced by the CPU backend in the same frame. Errors: only what leaves no picture. */
enum krn_code app_session_frame(struct app_session *session, int width, int height,
                                float content_scale, double now_s, struct krn_error *error);

/* Writes the frame just drawn, with the session's record, to path; "" : a new file in the pictures
 * folder, its name goes to path. */
enum krn_code app_session_screenshot(struct app_session *session, int width, int height,
                                     char path[APP_PATH_MAX], struct krn_error *error);

/* Writes the session's record to a new file in the pictures folder, its name goes to path. */
enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error);

/* The session's record as text, to be freed; NULL: memory is full. */
char *app_session_record(struct app_session *session);

/* A sentence on screen for some seconds. */
void app_session_say(struct app_session *session, enum app_tone tone, double now_s,
                     const char *text);

#endif
