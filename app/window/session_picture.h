/* app/window/session_picture.h - a session's picture: kernel, blit, and recovery from failures. */
#ifndef APP_SESSION_PICTURE_H
#define APP_SESSION_PICTURE_H

#include "hud/layout.h"
#include "window/session_state.h"

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

#endif
