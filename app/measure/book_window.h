/* app/measure/book_window.h - the book's own timing window, each run in a process of its own.
 *
 * The book measured once, in a fresh process: allocation and the first launch are most of it. A
 * child of this program does the same and prints its times; whoever started it looks in now and
 * then, so that a window on screen goes on meanwhile.
 */
#ifndef APP_BOOK_WINDOW_H
#define APP_BOOK_WINDOW_H

#include "base/limits.h"
#include "judge/probe_result.h"

#include "krn/published.h"

#include <stdbool.h>
#include <sys/types.h>

enum { APP_BOOK_STORAGES = 2, APP_BOOK_PROCESSES = 5, APP_BOOK_RUNS_MAX = 8, APP_BOOK_LINE = 512 };

/* Global, then constant memory. */
extern const struct app_book_storage {
    enum krn_storage storage;
    const char *name;
} app_book_storages[APP_BOOK_STORAGES];

struct app_book_runs {
    struct krn_book_window runs[APP_BOOK_RUNS_MAX];
    size_t n;
};

/* The median of one number over the runs: item of krn_book_window_item, or -1 the window, -2 the
 * kernel, -3 all items. */
double app_book_median(const struct app_book_runs *runs, int item);

/* Window of global over window of constant: geometric mean of the ratios of runs taken in turn,
 * with the 95 % t interval of their logarithms. No interval from under 3 runs. */
struct app_estimate app_book_ratio(const struct app_book_runs *global,
                                   const struct app_book_runs *constant);

struct app_book_child {
    pid_t pid;
    int file;
    double started_s;
    double ended_s; /* when its output was found to be closed; 0: not yet */
    size_t used;
    char line[APP_BOOK_LINE];
};

/* Starts a process that runs the window once. Errors: KRN_FAILED. */
enum krn_code app_book_child_start(struct app_book_child *child, enum krn_backend_id backend,
                                   int ordinal, int storage, struct krn_error *error);

/* Looks; never waits. *done: it has ended and *window is filled. Errors, after which the process is
 * gone too: KRN_FAILED, it gave no times, or none within a minute. However late the look, what it
 * gave is taken. */
enum krn_code app_book_child_poll(struct app_book_child *child, struct krn_book_window *window,
                                  bool *done, struct krn_error *error);

/* Ends a process that is not done. */
void app_book_child_stop(struct app_book_child *child);

/* Processes for both storages in turns, looked at without waiting: zeroed, it is at rest. */
struct app_book_round {
    struct app_book_runs runs[APP_BOOK_STORAGES];
    struct app_book_child child;
    int left;                 /* processes still to be started; the one under way counts */
    char why[APP_NOTICE_MAX]; /* why it ended early; "" */
};

/* Begins it anew; what it had is forgotten. */
void app_book_round_begin(struct app_book_round *round);
/* One look: starts the next process, or takes what the one under way has. wait: none is started,
 * and what the one under way gives is dropped; it will run again. */
void app_book_round_step(struct app_book_round *round, enum krn_backend_id backend, int ordinal,
                         bool wait);
/* Ends it; what it has stays. */
void app_book_round_stop(struct app_book_round *round);

/* What such a process does: argv is PROGRAM --book-window BACKEND ORDINAL STORAGE. True when these
 * are such arguments; *exit_code is then set, and with APP_EXIT_FAILED error. */
bool app_book_child_main(int argc, char *const argv[], int *exit_code, struct krn_error *error);

#endif
