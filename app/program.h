/* app/program.h - one run of the program, as main hands it to what shows pictures.
 *
 * front_gui.c has windows and offscreen pictures; front_none.c takes its place in a build without
 * OpenGL (SPHERESCOPE_GUI=OFF) and says so.
 */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include "duel_run.h"
#include "engine.h"
#include "environment.h"
#include "measure.h"
#include "options.h"
#include "probe_run.h"
#include "report.h"
#include "state.h"
#include "sweep.h"

#include <stdbool.h>
#include <stdio.h>

struct app_program {
    struct app_state state;
    struct app_run run;
    struct app_engine engine;
    struct app_environment environment;
    char standing[APP_NOTICE_MAX]; /* why the CPU backend had to take over; "" */
    struct app_measurement measurement;
    struct app_dueled dueled;
    struct app_probe_run probed[KRN_TOPIC_COUNT]; /* what --bench measured of the panels */
    struct app_estimate window_ratio;             /* of --bench book: global over constant, cold */
};

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

/* One line on stderr: "spherescope: ...". */
void app_complain(const char *text);

/* Measures the modes within the run's limits. */
enum krn_code app_measure_program(struct app_program *program, struct krn_error *error);

/* Where words and tables go: to stderr when stdout carries results. The table's is NULL where
 * --markdown takes its place. */
FILE *app_words_stream(const struct app_run *run);
FILE *app_table_stream(const struct app_run *run);

/* True when --json, --csv or --markdown ask for the record. */
bool app_wants_results(const struct app_run *run);

/* Writes the record as they ask for. record NULL: memory was full. */
enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error);

#endif
