/* app/window/presenter.h - the presenter's window, with an OpenGL context of its own, and the
 * display kept awake. */
#pragma once

#include "command/entry.h"
#include "window/session.h"
#include "window/window.h"

struct app_presenter;

/* Opens the window beside the main one, whose context stays current. Errors: KRN_UNAVAILABLE, those
 * of ren_open; *presenter is then NULL. */
enum krn_code app_presenter_open(struct app_presenter **presenter, struct app_window *main,
                                 const struct app_run *run, struct krn_error *error);

struct app_window *app_presenter_window(struct app_presenter *presenter); /* NULL: that of NULL */

/* Copies what the hall sees from the main window's frame, for the slide. Call it before every swap
 * of that window, whose context stays current. Errors: as ren_check. */
enum krn_code app_presenter_look(struct app_presenter *presenter, const struct app_session *session,
                                 double now_s, struct krn_error *error);

/* Draws the window when something on it has changed, at most some times per second. Says on it and
 * on stderr when the hall sees it, because there is no monitor for it alone. Returns false when the
 * user has closed it, and error->code is KRN_OK, or when it cannot be drawn: close it then. */
bool app_presenter_follow(struct app_presenter *presenter, const struct app_session *session,
                          double now_s, struct krn_error *error);

void app_presenter_close(struct app_presenter *presenter); /* NULL is fine */

struct app_awake; /* NULL: nothing keeps the display awake */

/* Suspends the screen saver and the display's power saving on an X11 display (a Display *, as
 * app_window_display returns; NULL: there is none) until app_awake_end or the program's end.
 * Returns NULL where libXss is not installed. SPHERESCOPE_XSS names another library. */
struct app_awake *app_awake_begin(void *display);
void app_awake_end(struct app_awake *awake); /* NULL is fine; call it before the window closes */
