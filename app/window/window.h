/* app/window/window.h - the one window: GLFW and nothing else. Its OpenGL context is current in the
 * thread that opened it. */
#pragma once

#include "command/command.h"
#include "command/entry.h"

#include "krn/error.h"
#include "krn/gl.h"

#include <stdbool.h>

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

/* Returns the window's context, for the backend gl. */
struct krn_gl_context app_window_context(struct app_window *window);

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
