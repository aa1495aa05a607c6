/* app/window/talk/awake.h - keeps the display from going to sleep. */
#ifndef APP_AWAKE_H
#define APP_AWAKE_H

struct app_awake; /* NULL: nothing keeps the display awake */

/* Suspends the screen saver and the display's power saving on an X11 display (a Display *, as
 * app_window_display returns; NULL: there is none) until app_awake_end or the program's end.
 * Returns NULL where libXss is not installed. SPHERESCOPE_XSS names another library. */
struct app_awake *app_awake_begin(void *display);
void app_awake_end(struct app_awake *awake); /* NULL is fine; call it before the window closes */

#endif
