/* app/measure/book_window.h - the book's timing window and the book's kernel on the book's scene,
 * each run in a process of its own.
 *
 * The book measured its window once, in a fresh process, so allocation dominates its time. A child
 * of this program does the same, then times the kernel alone from both storages, and sends its
 * struct app_book_run, which the parent, the same program, takes as it is. Whatever is on screen,
 * its scene is the book's. The parent polls it, so that a window on screen goes on meanwhile.
 */
#pragma once

#include "base/process.h"
#include "base/value.h"
#include "model/model.h"
#include "model/trust.h"

#include "krn/published.h"

#include <stdbool.h>
#include <sys/types.h>

/* Processes of a round, per storage; the most that are kept. */
enum { APP_BOOK_PROCESSES = 5, APP_BOOK_RUNS_MAX = 16 };

/* One run. The window is from one storage; the kernel was timed afterwards, from both. */
struct app_book_run {
    struct krn_book_window window;
    struct krn_book_kernel kernel; /* no frames (n 0) after a warm run, which times none */
};

struct app_book_runs {
    struct app_book_run runs[APP_BOOK_RUNS_MAX];
    size_t n;
};

/* Adds the times of the runs to the record, the benchmark `book`: of each storage the windows of
 * fresh processes and of warm runs (NULL: there are none), and the kernel alone, one sample from
 * each process. facts: what is known of the device. */
void app_book_add(struct app_results *results, const struct app_book_runs cold[KRN_BOOK_STORAGES],
                  const struct app_book_runs warm[KRN_BOOK_STORAGES], enum krn_backend_id backend,
                  struct app_trust_facts facts);

struct app_book_child {
    struct app_child process;
    double started_s;
    double ended_s; /* when its output was found closed; 0: it is open */
};

/* Starts a process that runs the window once; storage: an index of krn_book_storages, with which
 * the kernel's turns begin as well. Errors: KRN_FAILED. */
enum krn_code app_book_child_start(struct app_book_child *child, enum krn_backend_id backend,
                                   int ordinal, int storage, struct krn_error *error);

/* Polls the process; never waits. *done: it has ended, and *run is filled. However late the
 * poll, the times count. Errors, after which the process is gone: KRN_FAILED when it printed no
 * times, or none within a minute. */
enum krn_code app_book_child_poll(struct app_book_child *child, struct app_book_run *run,
                                  bool *done, struct krn_error *error);

/* Processes for both storages in turns, polled without waiting. Zeroed, none runs. */
struct app_book_round {
    struct app_book_runs runs[KRN_BOOK_STORAGES];
    struct app_book_child child;
    int left;                 /* processes that have not ended, with the one that runs */
    char why[APP_NOTICE_MAX]; /* why the round ended early; "": it did not */
};

/* Begins a round and drops the times of the previous one. */
void app_book_round_begin(struct app_book_round *round);
/* Takes one step: starts the next process, or polls the one that runs. wait: starts none, and drops
 * the times of the one that runs, which then runs again. */
void app_book_round_step(struct app_book_round *round, enum krn_backend_id backend, int ordinal,
                         bool wait);
/* Ends the round; its times stay. */
void app_book_round_stop(struct app_book_round *round);

/* Runs the window when argv is PROGRAM --book-window BACKEND ORDINAL STORAGE. Returns false for
 * other arguments; else sets *exit_code and, with APP_EXIT_FAILED, *error. */
bool app_book_child_main(int argc, char *const argv[], int *exit_code, struct krn_error *error);
