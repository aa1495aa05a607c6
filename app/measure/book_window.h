/* app/measure/book_window.h - the book's timing window, each run in a process of its own.
 *
 * The book measured once, in a fresh process, so allocation and the first launch dominate its time.
 * A child of this program does the same and prints its times. The parent polls it, so that a window
 * on screen goes on meanwhile.
 */
#ifndef APP_BOOK_WINDOW_H
#define APP_BOOK_WINDOW_H

#include "base/limits.h"
#include "judge/probe_result.h"

#include "krn/published.h"

#include <stdbool.h>
#include <sys/types.h>

enum { APP_BOOK_STORAGES = 2, APP_BOOK_PROCESSES = 5, APP_BOOK_RUNS_MAX = 8, APP_BOOK_LINE = 512 };

/* The storages that the book compares: global, then constant memory. */
extern const struct app_book_storage {
    enum krn_storage storage;
    const char *name;
} app_book_storages[APP_BOOK_STORAGES];

struct app_book_runs {
    struct krn_book_window runs[APP_BOOK_RUNS_MAX];
    size_t n;
};

/* Returns the median of one time over the runs, ms. item: an index of krn_book_window_item; -1 the
 * whole window, -2 the kernel, -3 the sum of all items. */
double app_book_median(const struct app_book_runs *runs, int item);

/* Returns the window's time from global memory over that from constant memory: the geometric mean
 * of the ratios of runs taken in turns, with the 95 % t interval of their logarithms. Fewer than 3
 * runs give no interval. */
struct app_estimate app_book_ratio(const struct app_book_runs *global,
                                   const struct app_book_runs *constant);

struct app_book_child {
    pid_t pid;
    int file;
    double started_s;
    double ended_s; /* when its output was found closed; 0: it is open */
    size_t used;
    char line[APP_BOOK_LINE];
};

/* Starts a process that runs the window once. Errors: KRN_FAILED. */
enum krn_code app_book_child_start(struct app_book_child *child, enum krn_backend_id backend,
                                   int ordinal, int storage, struct krn_error *error);

/* Polls the process; never waits. *done: it has ended, and *window is filled. However late the
 * poll, the times count. Errors, after which the process is gone: KRN_FAILED when it printed no
 * times, or none within a minute. */
enum krn_code app_book_child_poll(struct app_book_child *child, struct krn_book_window *window,
                                  bool *done, struct krn_error *error);

/* Ends a process that has not ended yet. */
void app_book_child_stop(struct app_book_child *child);

/* Processes for both storages in turns, polled without waiting. Zeroed, none runs. */
struct app_book_round {
    struct app_book_runs runs[APP_BOOK_STORAGES];
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

#endif
