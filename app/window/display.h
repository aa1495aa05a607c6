/* app/window/display.h - what GLFW does not do on an X11 display: to survive its loss and its
 * errors, and to name a monitor. Xlib is loaded at run time. */
#ifndef APP_DISPLAY_H
#define APP_DISPLAY_H

#include "window/monitors.h"

/* By default Xlib ends the process when its connection breaks. A watched display reports the loss
 * instead: every further call of Xlib on it returns at once and does nothing. */

/* Answers the loss of an X11 display from now until app_display_watch: a sentence on stderr, and
 * the process ends with exit code 1. GLFW and Mesa cannot go on with a window that they are
 * creating. Does nothing where Xlib is not installed. */
void app_display_guard(void);

/* Watches an X11 display, a Display *; NULL (another system) is fine. With a libX11 older than 1.7
 * the loss still ends the process, with exit code 1 and a sentence on stderr. The display may
 * refuse what is asked of monitors that have just gone; by default that ends the process, too. */
void app_display_watch(void *display);

/* Returns true once the watched display is gone. */
bool app_display_lost(void);

/* Tells the window manager of an X11 display on which monitor a window in full screen is. GLFW 3.3
 * tells it the number that the monitor had when it was connected; monitors that come and go change
 * it. */
void app_display_fill(void *display, unsigned long window, struct app_area area);

/* Asks for a window of an X11 display to be shown, and does not wait. Returns false on other
 * systems. */
bool app_display_map(void *display, unsigned long window);

#endif
