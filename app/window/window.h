/* app/window/window.h - the one window: GLFW and nothing else. Its OpenGL context is current in the
 * thread that opened it. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "command/command.h"
#include "command/keys.h"

#include "krn/error.h"

#include <stdbool.h>

struct app_window;

/* Opens the window. Errors: KRN_UNAVAILABLE (no display, no OpenGL 3.3, no such monitor), with the
 * reason. */
enum krn_code app_window_open(struct app_window **window, const struct app_run *run,
                              const struct app_state *state, struct krn_error *error);
void app_window_close(struct app_window *window); /* NULL is fine */

/* Opens a second window with a context of its own, on a monitor on which the first one is not,
 * where there is one. Its keys, clicks and wheel go to the first window, and it never takes the
 * focus by itself. The first window's context stays current. Close it before the first one. Errors:
 * KRN_UNAVAILABLE; *second is then NULL. */
enum krn_code app_window_open_second(struct app_window **second, struct app_window *first,
                                     const char *title, struct krn_error *error);

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

/* Sets full screen and vsync as the state asks. In full screen the mouse pointer is shown with a
 * heat map alone, which tells the cost under it. */
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

/* By default Xlib ends the process when its connection breaks. A watched display reports the loss
 * instead: every further call of Xlib on it returns at once and does nothing. */

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
