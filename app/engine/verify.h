/* app/engine/verify.h - is the picture right? Asked while it is shown.
 *
 * Once a scene, every storage's picture is rendered once more, untimed, one a frame; their hashes
 * are compared where they lie, and each different picture is held against the double-precision
 * reference by a thread of its own. On a GPU the hashes are compared again every few seconds. What
 * would cost too much is left out, with the reason.
 */
#ifndef APP_VERIFY_H
#define APP_VERIFY_H

#include "command/state.h"
#include "engine/engine.h"
#include "judge/verified.h"

struct app_verify;

/* What is known of one mode's picture. */
struct app_verify_status {
    enum app_verified verified;
    double age_s;   /* since it was last found right or wrong */
    char text[192]; /* what was compared, what is wrong, or why nothing is known; a sentence */
};

/* NULL when memory is full; the calls below take NULL for "nothing is verified". */
struct app_verify *app_verify_open(void);

/* Ends the thread and gives the images back; before the engine's devices are closed. */
void app_verify_close(struct app_verify *verify);

/* Gives up what lies on a device that is about to be closed. */
void app_verify_release(struct app_verify *verify);

/* A step, after the frame's own kernel was launched: nothing, or one picture more. rates of `facts`
 * predict its cost. What fails ends the verification of this scene, not the frame. */
void app_verify_frame(struct app_verify *verify, struct app_engine *engine,
                      const struct app_state *state, const struct app_facts *facts, double now_s);

/* In its place where nothing may be launched: what is known of another scene or view is given up.
 */
void app_verify_follow(struct app_verify *verify, const struct app_engine *engine,
                       const struct app_state *state, double now_s);

/* True when nothing is under way. */
bool app_verify_settled(const struct app_verify *verify);

/* True while the thread computes: it takes from whatever is measured on the processors. */
bool app_verify_computes(const struct app_verify *verify);

void app_verify_status(const struct app_verify *verify, enum krn_backend_id backend,
                       struct krn_mode mode, double now_s, struct app_verify_status *status);

/* Verifies the pictures of `count` modes, in the state's view and pose, and waits for the result:
 * without a window. statuses: one per mode; what would cost too much and what was interrupted
 * stays unknown, and its text says so. Errors: those of krn_device_render, KRN_NO_MEMORY. */
enum krn_code app_verify_now(const struct app_engine *engine, const struct app_state *state,
                             const struct krn_mode *modes, int count,
                             struct app_verify_status *statuses, struct krn_error *error);

#endif
