/* app/window/front.h - runs that show or write pictures.
 *
 * front_window.c opens a window; front_offscreen.c writes pictures without one. In
 * a build without OpenGL (SPHERESCOPE_GUI=OFF) front_none.c takes their place: every call returns
 * KRN_UNAVAILABLE.
 */
#ifndef APP_FRONT_H
#define APP_FRONT_H

#include "bench/program.h"
#include "model/model.h"

#include "krn/error.h"

#include <stddef.h>

/* Makes ready what pictures need besides a renderer: the recording of frames. Renders nothing.
 * Errors: as app_capture_open; KRN_UNAVAILABLE where this build lacks what is asked for. */
enum krn_code app_front_prepare(struct app_program *program, struct krn_error *error);

/* Frees what app_front_prepare made; an unfinished recording is removed. */
void app_front_release(struct app_program *program);

/* Shows a window until the user closes it or the run's limits are reached. Sets *exit_code when a
 * window was open. Errors: KRN_UNAVAILABLE: no display, or no OpenGL in it. */
enum krn_code app_front_window(struct app_program *program, int *exit_code,
                               struct krn_error *error);

/* Draws frames without a display, writes the last one as a PNG with its record, and measures every
 * mode; begins *results with them. Prints the picture's name. Errors: KRN_UNAVAILABLE (no
 * EGL), KRN_FAILED. */
enum krn_code app_front_offscreen(struct app_program *program, struct app_results *results,
                                  struct krn_error *error);

/* Walks through the program's talk without a display, drawing each step (talk/talk.h). Errors:
 * KRN_UNAVAILABLE (no EGL), those of app_talk_check. */
enum krn_code app_front_talk_check(struct app_program *program, struct krn_error *error);

/* Draws the sweep of a record as a plot into the run's --screenshot, with the record's text in it.
 * Connects no device. Prints the picture's name. Errors: as app_front_offscreen. */
enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              struct krn_error *error);

/* Reads the record in a screenshot, *text to be freed, and the screenshot's size in pixels. Errors:
 * KRN_UNAVAILABLE (this build reads no PNG files), and those of ren_png_read_text. */
enum krn_code app_front_read_record(const char *path, char **text, int *width, int *height,
                                    struct krn_error *error);

/* Writes which OpenGL there is without a display, for --info: "NVIDIA H200/PCIe, OpenGL 4.6 (EGL
 * ...)". Errors: as app_front_offscreen. */
enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size,
                                 struct krn_error *error);

#endif
