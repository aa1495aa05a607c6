/* app/base/process.h - the clock, signals and time limit of this process, and processes that it
 * starts.
 *
 * Until there is something to keep, a signal ends the process at once. From then on it sets a flag:
 * long loops poll it, stop early, and write their results marked as incomplete. Work on the host's
 * processors is abandoned at once (krn/error.h).
 */
#pragma once

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* Returns seconds on CLOCK_MONOTONIC. */
static inline double app_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns milliseconds on CLOCK_MONOTONIC. */
static inline double app_clock_ms(void)
{
    return 1e3 * app_clock_s();
}

/* --- signals and the time limit --- */

/* Installs the handlers of SIGINT, SIGTERM and SIGHUP. A signal ends the process with exit code 1
 * after one sentence on stderr, or with no sentence when quiet is true. Ignores SIGPIPE and
 * SIGXFSZ: a closed pipe and a limit on the size of files are failed writes. */
void app_interrupt_catch(bool quiet);

/* From now on, there are results to keep: the first signal sets the flag, and one that arrives half
 * a second later or more ends the process with exit code 1. */
void app_interrupt_keep(void);

/* Does what a signal does, because memory is full. more: enough is left to write results; without
 * them, or without more, the process ends at once with exit code 1 and a sentence. */
void app_interrupt_full(bool more);

/* Returns true when memory was full. */
bool app_interrupt_is_full(void);

/* Notes a file that is not complete, or a folder of such files, so that a signal that ends the
 * process removes it. Returns its number for app_interrupt_unguard; -1: too many files are noted,
 * or the path is too long. */
int app_interrupt_guard(const char *path);

/* Forgets the file of that number. A negative number is ignored. */
void app_interrupt_unguard(int number);

/* Removes a file, or a folder with the files in it. */
void app_interrupt_remove(const char *path);

/* Returns true once a signal has arrived. */
bool app_interrupted(void);

/* Sets a time limit, in seconds from now; 0 removes it. */
void app_interrupt_after(double seconds);

/* Allows work on the host's processors again, for `seconds`: for the last frame of an interrupted
 * run. */
void app_interrupt_allow(double seconds);

/* Returns true when nothing more may be measured: after a signal, or when the time limit is up. */
bool app_must_stop(void);

/* --- processes with a pipe to this one --- */

/* A process. Zeroed, there is none. */
struct app_child {
    pid_t pid;   /* 0: it does not run */
    bool apart;  /* in a process group of its own, which ends with it */
    int status;  /* after its end, as waitpid gives it; -1: unknown */
    bool open;   /* the pipe is */
    int file;    /* this end of it, which does not block */
    char *bytes; /* what app_child_read has read, with a zero behind it; NULL: nothing yet */
    size_t used, room;
};

/* What a process has as stdin, stdout and stderr: that of this process, nothing, the pipe, or the
 * file of that number. */
enum { APP_CHILD_SAME, APP_CHILD_NOTHING = -1, APP_CHILD_PIPE = -2 };

struct app_child_plan {
    const char *program; /* a path; NULL: this program */
    char *const *arguments;
    int files[3];
    bool apart; /* in a process group of its own: Ctrl-C ends only this process, and the end of
                   the child ends all that it has started */
};

/* Starts a process, which ends when a signal ends this one at once. Errors: KRN_FAILED. */
enum krn_code app_child_start(struct app_child *child, const struct app_child_plan *plan,
                              struct krn_error *error);

/* Returns true while the process runs. */
bool app_child_runs(struct app_child *child);

/* Closes the pipe and waits until the process has ended, for `seconds` at most, and for
 * `interrupted_s` after an interrupt. */
void app_child_wait(struct app_child *child, double seconds, double interrupted_s);

/* Appends what there is in the pipe to `bytes`, without waiting. Returns false at its end. */
bool app_child_read(struct app_child *child);

/* Closes the pipe, kills a process that still runs, and frees what was read. */
void app_child_end(struct app_child *child);
