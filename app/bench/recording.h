/* app/bench/recording.h - records a run (--record) in a process of its own, while a window goes on.
 *
 * The process is this program with the options that the state on screen amounts to; no shell is
 * involved. It writes lines of progress to a pipe, and its results to a file that was made for it.
 */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "base/child.h"
#include "base/complain.h"
#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>

enum app_recording_state {
    APP_RECORDING_NONE,
    APP_RECORDING_RUNNING,
    APP_RECORDING_DONE,
    APP_RECORDING_FAILED /* or was cancelled */
};

/* Zeroed, nothing is recorded. */
struct app_recording {
    enum app_recording_state state;
    struct app_child child;
    int guard; /* of the file, until it is complete (base/interrupt.h) */
    bool cancelled;
    char path[APP_PATH_MAX];
    char line[APP_PROGRESS_MAX]; /* the newest line of progress, or the reason of a failure */
};

/* Takes the hidden arguments from the command line of such a process, which then ends with the
 * process that has the window, however that ends. Returns false for other command lines. Call it
 * before app_interrupt_catch: until then there is nothing to keep, and a signal ends the process.
 */
bool app_recording_begin(int *argc, char ***argv);

/* Starts a process that records a run of the state's backend, scene, size and view. path: of an
 * empty file, which the process replaces. ordinal: of the CUDA device. Errors: KRN_FAILED, after
 * which the file is removed. */
enum krn_code app_recording_start(struct app_recording *recording, const struct app_state *state,
                                  int ordinal, const char *path, struct krn_error *error);

/* Reads the progress, without waiting, and finds out whether the process has ended. The file of one
 * that failed or was cancelled is removed. Returns the state. */
enum app_recording_state app_recording_poll(struct app_recording *recording);

/* Asks the process to end; app_recording_poll tells when it has. */
void app_recording_cancel(struct app_recording *recording);

/* Ends the process, if it runs, and waits for it. */
void app_recording_stop(struct app_recording *recording);

#endif
