/* app/processes.h - a run that measures in several processes. */
#ifndef APP_PROCESSES_H
#define APP_PROCESSES_H

#include "bench/program.h"

/* Counts the GPUs of --device all, and sets run->devices and the number of processes: so many for
 * each GPU as --processes says, or as fit. Errors: KRN_UNAVAILABLE (there is no GPU), KRN_REFUSED
 * (too many processes). */
enum krn_code app_run_share_devices(struct app_run *run, struct krn_error *error);

/* Measures what the command line asks for in run.processes processes, merges their records, shows
 * and writes the result. Connects no device. Returns the program's exit code: APP_EXIT_FAILED when
 * a process failed. */
int app_run_processes(struct app_program *program);

#endif
