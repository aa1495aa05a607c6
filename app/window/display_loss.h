/* app/window/display_loss.h - notices that the display's server is gone.
 *
 * By default Xlib ends the process when its connection breaks. A watched display reports the loss
 * instead: every further call of Xlib on it returns at once and does nothing.
 */
#ifndef APP_DISPLAY_LOSS_H
#define APP_DISPLAY_LOSS_H

#include <stdbool.h>

/* Watches an X11 display, a Display *; NULL (another system) is fine. With a libX11 older than 1.7
 * the loss still ends the process, with exit code 1 and a sentence on stderr. */
void app_display_watch(void *display);

/* Returns true once the watched display is gone. */
bool app_display_lost(void);

#endif
