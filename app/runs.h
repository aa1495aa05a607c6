/* app/runs.h - one function per kind of run. Each writes the files that the command line asks for
 * and returns the program's exit code. */
#ifndef APP_RUNS_H
#define APP_RUNS_H

#include "bench/program.h"

/* Returns the exit code that belongs to an error code or to KRN_OK. */
int app_exit_code(enum krn_code code);

/* Runs benchmarks, prints their tables and writes their record. */
int app_run_bench(struct app_program *program);

/* Compares recorded results and prints the comparison. */
int app_run_compare(const struct app_program *program);

/* Runs a duel without a window, prints its verdict and writes its record. */
int app_run_duel(struct app_program *program);

/* Reads the talk that --talk names into program->talk. Returns 0, or the exit code of a talk that
 * cannot be given. */
int app_run_read_talk(struct app_program *program);

/* Walks through the program's talk without a window and prints its steps. */
int app_run_check(struct app_program *program);

/* Runs a sweep, prints its table and writes its record and its plot. */
int app_run_sweep(struct app_program *program);

/* Draws a picture and prints the table. `asked`: the command line has --offscreen; then a machine
 * that cannot draw is a failure, as it is with --screenshot. Otherwise the table alone is printed
 * there. */
int app_run_offscreen(struct app_program *program, bool asked);

/* Finishes a run: judges the claims where --bench all asks for them and adds them to the record,
 * which replaces *record, writes the files, prints the tables, and draws the plot of a sweep. A
 * worker only writes. complete: the record is. Sets program->wrong when a picture or a result is
 * wrong. Errors: also those of app_front_sweep. */
enum krn_code app_run_finish(struct app_program *program, char **record, bool complete,
                             struct krn_error *error);

#endif
