/* app/window/display_loss.h - notices that the display's server is gone.
 *
 * By default Xlib ends the process when its connection breaks. A watched display reports the loss
 * instead: every further call of Xlib on it returns at once and does nothing.
 */
#ifndef APP_DISPLAY_LOSS_H
#define APP_DISPLAY_LOSS_H

#include <stdbool.h>

/* Answers the loss of an X11 display from now until app_display_watch: a sentence on stderr, and
 * the process ends with exit code 1. GLFW and Mesa cannot go on with a window that they are
 * creating. Does nothing where Xlib is not installed. */
void app_display_guard(void);

/* Watches an X11 display, a Display *; NULL (another system) is fine. With a libX11 older than 1.7
 * the loss still ends the process, with exit code 1 and a sentence on stderr. */
void app_display_watch(void *display);

/* Returns true once the watched display is gone. */
bool app_display_lost(void);

#endif
