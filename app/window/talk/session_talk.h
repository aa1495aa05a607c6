/* app/window/talk/session_talk.h - the talk of a session (inside app/window only). */
#ifndef APP_SESSION_TALK_H
#define APP_SESSION_TALK_H

#include "window/session_state.h"

/* Opens a talk at its first step. */
void app_session_talk_open(struct app_session *session, const struct app_talk *talk);

/* Enters the step that a key press, which has changed the state from `before`, asks for. Errors: as
 * app_talk_follow. */
enum krn_code app_session_talk_pressed(struct app_session *session, const struct app_state *before,
                                       struct krn_error *error);

/* Returns the height of the strip for the step's text, of a frame of width x height pixels; 0:
 * there is none. Help and the device card take all of the frame. */
float app_session_talk_strip(const struct app_session *session, int width, int height);

/* Returns the measurement that the step's question asks for, once it is revealed; NULL: none. */
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
 * no numbers in its spotlight or story plot; "": it has, or may measure it. Call it after a frame.
 */
const char *app_session_talk_fault(struct app_session *session);

/* Returns what the screen shows of the step, with the name of the device that was measured. */
const struct app_talk_shown *app_session_talk_show(struct app_session *session,
                                                   const struct app_talk_evidence *evidence,
                                                   const char *device);

#endif
