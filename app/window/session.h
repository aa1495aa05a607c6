/* app/window/session.h - a running picture: state, engine, renderer and HUD, frame by frame.
 *
 * Windows and offscreen runs share it; the caller owns the OpenGL context. The time is a parameter,
 * so that tests can simulate it.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "command/command.h"
#include "command/keys.h"
#include "window/session_state.h"

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
    bool play;                            /* show its numbers in place of this machine's */
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

#endif
