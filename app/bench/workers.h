/* app/bench/workers.h - measures in several processes of this program, one after another.
 *
 * What differs between two runs of a program (where its memory lies, which clocks the device has
 * settled at) is the same for all samples of one process, so that only several processes show it.
 * The parent starts the program again with hidden first arguments; this worker measures as a run in
 * one process does, prints nothing on standard output, and writes lines of progress and then its
 * results record to a pipe. The parent counts devices, but connects none.
 */
#ifndef APP_WORKERS_H
#define APP_WORKERS_H

#include "base/complain.h"
#include "command/state.h"

#include "krn/across.h"
#include "krn/error.h"

#include <stdint.h>

/* What a worker's hidden arguments say. Zeroed, the process is no worker. */
struct app_worker {
    int file;       /* the pipe to the parent */
    int number;     /* 1 for the first process; 0: no worker */
    int count;      /* of processes */
    uint64_t seed;  /* the run's; each process derives its own order from it */
    double seconds; /* this process's share of --seconds; 0: no limit */
    int devices;    /* GPUs that the processes take in turns; 0: all use the same device */
};

/* Takes the hidden arguments of a worker out of the command line, if it has them: sets *worker,
 * keeps argv[0], and prepares the process to end with its parent. Returns true for a worker. */
bool app_worker_begin(int *argc, char ***argv, struct app_worker *worker);

/* Returns true when an earlier process has measured on the same device. */
bool app_worker_repeats(const struct app_worker *worker);

/* Makes the options those of the worker: the record goes to the parent, other files are left to it,
 * and the time is the worker's share. */
void app_worker_adopt(const struct app_worker *worker, struct app_run *run);

/* A process that sent no results, or whose results do not show how it ended. */
struct app_worker_failure {
    int process;
    char why[160]; /* "ended by signal 11" */
};

/* The outcome of all workers. */
struct app_workers {
    char *records[KRN_PROCESSES_MAX]; /* of the processes that sent one */
    int process[KRN_PROCESSES_MAX];   /* their numbers */
    int count;
    struct app_worker_failure failed[KRN_PROCESSES_MAX];
    int failed_count;
    /* The exit code of a process that could not do what the command line asks for, after which no
     * other was started; APP_EXIT_DONE: none. */
    int exit_code;
};

/* Runs run->processes workers with the arguments of this process; with run->devices, each takes the
 * next of so many GPUs, and one that cannot be used does not end the run. run->seconds, counted
 * from progress->start_s, is divided among them; without it, progress->expected_s is corrected
 * after each. After an interrupt, the worker that runs may still send what it has. Errors:
 * KRN_FAILED (no process can be started); *workers has what was sent before. */
enum krn_code app_workers_run(const struct app_run *run, uint64_t seed, int argc,
                              char *const argv[], struct app_progress *progress,
                              struct app_workers *workers, struct krn_error *error);

void app_workers_free(struct app_workers *workers);

#endif
