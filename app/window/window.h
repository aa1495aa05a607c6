/* app/window/window.h - the one window: GLFW and nothing else. Its OpenGL context is current in the
 * thread that opened it. */
#pragma once

#include "command/command.h"
#include "command/entry.h"
#include "command/run.h"

#include "krn/error.h"

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

/* --- the window --- */

struct app_window;

/* Opens the window: on run->monitor, else in a talk with notes on the monitor of the show, else
 * where the window manager puts it. Errors: KRN_UNAVAILABLE (no display, no OpenGL 3.3, no such
 * monitor), with the reason. */
enum krn_code app_window_open(struct app_window **window, const struct app_run *run,
                              const struct app_state *state, struct krn_error *error);
void app_window_close(struct app_window *window); /* NULL is fine */

/* Opens a second window with a context of its own, for a talk's notes, on the monitor for them.
 * Its keys, clicks and wheel go to the first window, and it never takes the focus by itself. The
 * first window's context stays current. Close it before the first one. Errors: KRN_UNAVAILABLE;
 * *second is then NULL. */
enum krn_code app_window_open_second(struct app_window **second, struct app_window *first,
                                     const struct app_run *run, const char *title,
                                     struct krn_error *error);

/* Looks, a moment after a window was sent to a monitor, whether it is there, and sends it anew if
 * it is not. Returns false when the window manager keeps it elsewhere. Call it for every frame. */
bool app_window_arrive(struct app_window *window);

/* Brings the window back to where it is seen, after a monitor has gone. Returns true when the
 * window has left full screen with its monitor. Call it after the events are processed. */
bool app_window_settle(struct app_window *window);

/* Fills the monitor anew with a window in full screen when the monitor has got another place or
 * size, as one that is mirrored has. Takes round trips to the X server. */
void app_window_refill(struct app_window *window);

/* Exchanges the monitors of two windows; where they share one, the first one goes to the next
 * monitor, as it does alone, with second = NULL. Returns false when there is no other monitor. */
bool app_window_exchange(struct app_window *first, struct app_window *second);

/* Which monitors two windows share. */
enum app_sharing {
    APP_SHARING_NONE,
    APP_SHARING_ONE,      /* and there are others */
    APP_SHARING_MIRRORED, /* all monitors show the same part of the desktop */
    APP_SHARING_ALL       /* there is one */
};
enum app_sharing app_window_sharing(const struct app_window *first,
                                    const struct app_window *second);

/* Makes the window's context current. */
void app_window_use(struct app_window *window);

/* Returns the X11 display, a Display *; NULL on other systems. */
void *app_window_display(void);

/* Returns what the context is, in words: "GLFW window, X11". */
const char *app_window_describe(const struct app_window *window);

/* Processes events; while the window is minimised, waits up to 0.1 s for one. */
void app_window_poll(struct app_window *window);

/* Waits up to 0.1 s for an event, and processes events. */
void app_window_wait(struct app_window *window);

/* Keeps the window's width and height at or below `most` pixels, where a window manager does. */
void app_window_limit(struct app_window *window, int most);

/* A key press, or a movement of the mouse and clicks. A click has no movement of more than a few
 * pixels before the button's release; and a drag begins with one. */
struct app_window_event {
    bool is_key;
    struct app_key_press key;
    struct app_drag mouse;
};

/* Reads what the keys of the user's board print. */
void app_window_board(struct app_window *window, struct app_board *board);

/* Takes the oldest event that was not taken yet; false when there is none. Movements of the mouse
 * that follow each other are one event. */
bool app_window_take(struct app_window *window, struct app_window_event *event);

/* Reads where the mouse pointer is, in pixels of the framebuffer from its upper left corner; false
 * while it is not over the window. */
bool app_window_pointer(const struct app_window *window, float *x, float *y);

/* Returns true once the user has closed the window. */
bool app_window_closed(const struct app_window *window);

/* Sets full screen, on the monitor where the window is, and vsync as the state asks. In full screen
 * the mouse pointer is shown with a heat map alone, which tells the cost under it. */
void app_window_follow(struct app_window *window, const struct app_state *state);

/* Reads the framebuffer's size in pixels (0 x 0 while minimised) and the display's content scale.
 */
void app_window_size(const struct app_window *window, int *width, int *height, float *scale);

/* Reads the window's size in screen units, as --window takes it: in full screen that of the window
 * to return to. Returns false while the window is minimised or fills its monitor in another way. */
bool app_window_extent(const struct app_window *window, int *width, int *height);

/* Returns the display's refresh rate in Hz, as of the start or the last change to or from full
 * screen; 0: not known. */
double app_window_refresh(const struct app_window *window);

void app_window_swap(struct app_window *window);

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
