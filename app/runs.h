/* app/runs.h - the kinds of runs that main.c starts: one function each, which writes the files
 * that the command line asks for and returns the exit code. */
#pragma once

#include "bench/program.h"
#include "command/options.h"

/* Counts the GPUs of --device all, and sets run->devices and the number of processes: so many for
 * each GPU as --processes says, or as fit. Errors: KRN_UNAVAILABLE (there is no GPU), KRN_REFUSED
 * (too many processes). */
enum krn_code app_run_share_devices(struct app_run *run, struct krn_error *error);

/* Measures what the command line asks for in run.processes processes, merges their records, shows
 * and writes the result. Connects no device. Returns the program's exit code: APP_EXIT_FAILED when
 * a process failed. */
int app_run_processes(struct app_program *program);

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

/* Writes the page of the recorded run that --play names. Its picture is drawn here, with the
 * record's state and what options change in it; a page whose picture cannot be drawn has none. */
int app_run_page(struct app_program *program);

/* Reads the file of --replay, and sets the program's state to the recorded one with the options of
 * the command line applied to it. Returns APP_EXIT_DONE, or the exit code after a message. */
int app_replays_restore(struct app_program *program);

/* Verifies the picture. Says where the record comes from and whether
 * the picture is the same; a different one sets program->wrong. Call it when the engine has adopted
 * the state. Errors: as app_replay_verify. */
enum krn_code app_replays_verify(struct app_program *program, struct krn_error *error);

void app_replays_free(struct app_program *program);
