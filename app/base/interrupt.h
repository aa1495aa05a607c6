/* app/base/interrupt.h - what signals and a time limit do to a run.
 *
 * Until there is something to keep, a signal ends the process at once. From then on it sets a flag:
 * long loops poll it, stop early, and write their results marked as incomplete. Work on the host's
 * processors is abandoned at once (krn/error.h).
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

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

/* Notes a child process, or the negative number of a process group, so that a signal that ends this
 * process kills it, too; at most four. 0 is ignored. */
void app_interrupt_child(pid_t child);

/* Forgets a child process. Call it before the system may give its pid to another one. */
void app_interrupt_child_ended(pid_t child);

/* Returns true once a signal has arrived. */
bool app_interrupted(void);

/* Sets a time limit, in seconds from now; 0 removes it. */
void app_interrupt_after(double seconds);

/* Allows work on the host's processors again, for `seconds`: for the last frame of an interrupted
 * run. */
void app_interrupt_allow(double seconds);

/* Returns true when nothing more may be measured: after a signal, or when the time limit is up. */
bool app_must_stop(void);
