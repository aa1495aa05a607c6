/* app/runs.h - the kinds of run, one function each. Every one writes what the command line asks for
 * and returns the program's exit code. */
#ifndef APP_RUNS_H
#define APP_RUNS_H

#include "bench/program.h"

/* Returns the exit code for a failure, or for none. */
int app_exit_code(enum krn_code code);

/* Runs benchmarks: tables and their record. */
int app_run_bench(struct app_program *program);

/* Compares records that were written before. */
int app_run_compare(const struct app_program *program);

/* Runs a duel without a window: its verdict and its record. */
int app_run_duel(struct app_program *program);

/* Runs a sweep: its table, its record and its plot. */
int app_run_sweep(struct app_program *program);

/* Draws a picture and prints the table. `asked`: --offscreen was given, and a machine that cannot
 * draw is a failure; else the table alone takes its place. */
int app_run_offscreen(struct app_program *program, bool asked);

#endif
