/* app/window/window.h - the one window: GLFW and nothing else. Its OpenGL context is current in the
 * thread that opened it. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>

struct app_window;

/* Errors: KRN_UNAVAILABLE (no display, no OpenGL 3.3, no such monitor), with the reason. */
enum krn_code app_window_open(struct app_window **window, const struct app_run *run,
                              const struct app_state *state, struct krn_error *error);
void app_window_close(struct app_window *window); /* NULL is fine */

/* "GLFW window, X11" */
const char *app_window_describe(const struct app_window *window);

/* Takes in what happened since; waits a moment when there is nothing to draw on. */
void app_window_poll(struct app_window *window);

/* The next key that was pressed, in the order of presses; false when there is none. */
bool app_window_key(struct app_window *window, int *key, bool *ctrl);

/* True once the user has closed it. */
bool app_window_closed(const struct app_window *window);

/* Full screen and vsync as the state wants them. */
void app_window_follow(struct app_window *window, const struct app_state *state);

/* The framebuffer's size in pixels (0 x 0 while minimised) and the display's content scale. */
void app_window_size(const struct app_window *window, int *width, int *height, float *scale);

/* The display's refresh rate in Hz; 0: not known. */
double app_window_refresh(const struct app_window *window);

void app_window_swap(struct app_window *window);

#endif
