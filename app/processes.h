/* app/processes.h - a run that measures in several processes. */
#ifndef APP_PROCESSES_H
#define APP_PROCESSES_H

#include "bench/program.h"

/* Measures what the command line asks for in run.processes processes, merges their records, shows
 * and writes the result. Connects no device. Returns the program's exit code: APP_EXIT_FAILED when
 * a process failed. */
int app_run_processes(struct app_program *program);

#endif
