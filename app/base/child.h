/* app/base/child.h - processes that this one starts, each with a pipe to it. */
#pragma once

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
