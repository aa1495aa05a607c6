/* app/window/session_hud.h - a session's HUD: its contents, its notices, and what speaks against
 * the numbers. */
#ifndef APP_SESSION_HUD_H
#define APP_SESSION_HUD_H

#include "hud/layout.h"
#include "window/session_state.h"

#include "ren/list.h"

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

#endif
