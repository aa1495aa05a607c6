/* app/window/display.h - monitors, and what GLFW does not do on an X11 display. */
#pragma once

#include <stdbool.h>

/* --- which monitor shows what; nothing here asks the display --- */

/* A rectangle of the desktop, in screen units. */
struct app_area {
    int x, y, width, height;
};

/* A monitor as it is now. Whoever needs one asks anew, because it may be gone at any time. */
struct app_monitor {
    char name[32]; /* on X11 that of its connector, as "eDP-1" */
    struct app_area area;
    double refresh_hz; /* 0: not known */
};

/* The monitors of a talk, by index; they are the same one where the hall sees the notes. */
struct app_stage {
    int show, notes;
};

/* Chooses the monitors of a talk, of at least one: the notes go to the laptop's own, which its
 * connector tells, or else to the first, which is the primary one, and the show to another. show
 * >= 0 is the user's choice. Of two monitors that overlap, as mirrored ones do, neither is another.
 */
struct app_stage app_monitors_stage(const struct app_monitor *monitors, int count, int show);

bool app_monitors_overlap(const struct app_monitor *a, const struct app_monitor *b);

/* Returns the next monitor after `index` that does not overlap it; `index` when there is none. */
int app_monitors_next(const struct app_monitor *monitors, int count, int index);

/* Returns the monitor that shows most of the area, the first one when none shows any, and -1 when
 * there are no monitors. */
int app_monitors_at(const struct app_monitor *monitors, int count, struct app_area area);

/* Returns true when monitors show all of the area. */
bool app_monitors_show(const struct app_monitor *monitors, int count, struct app_area area);

/* Returns the area in the middle of the monitor, made smaller where it would not fit. */
struct app_area app_monitor_fit(const struct app_monitor *monitor, struct app_area area);

/* --- what GLFW does not do on an X11 display; Xlib is loaded at run time --- */

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

/* --- the mark that a window manager which was killed leaves behind --- */

/* A mark that is taken away for a moment. */
struct app_stale_mark {
    void *display; /* NULL: there is none */
    unsigned long root, mark, manager;
};

/* Takes the mark away if its window manager is gone: before glfwInit, which would abort. */
void app_stale_mark_hide(struct app_stale_mark *hidden);

/* Puts it back, with a sentence. */
void app_stale_mark_show(const struct app_stale_mark *hidden);
