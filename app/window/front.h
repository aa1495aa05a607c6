/* app/window/front.h - runs that show or write pictures.
 *
 * front_gui.c opens windows and renders offscreen pictures. In a build without OpenGL
 * (SPHERESCOPE_GUI=OFF) front_none.c takes its place: every call returns KRN_UNAVAILABLE.
 */
#ifndef APP_FRONT_H
#define APP_FRONT_H

#include "bench/program.h"
#include "bench/sweep.h"

#include "krn/error.h"

#include <stddef.h>

/* A window until the user closes it or the run's limits are reached. *exit_code is set when a
 * window was there. Errors: KRN_UNAVAILABLE: no display, or no OpenGL in it. */
enum krn_code app_front_window(struct app_program *program, int *exit_code,
                               struct krn_error *error);

/* Frames without a display; the last one is written as a PNG, with the record of `measure`d modes.
 * Prints where it went. Errors: KRN_UNAVAILABLE (no EGL), KRN_FAILED. */
enum krn_code app_front_offscreen(struct app_program *program, struct krn_error *error);

/* The sweep as a plot in the run's --screenshot, with the record in it. Prints where it went.
 * Errors: as app_front_offscreen. */
enum krn_code app_front_sweep(struct app_program *program, const struct app_sweep *sweep,
                              const char *record, struct krn_error *error);

/* What OpenGL there is without a display, for --info: "NVIDIA H200/PCIe, OpenGL 4.6 (EGL ...)". */
enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size,
                                 struct krn_error *error);

#endif
