/* app/measure/book_window.c - both sides of the book's window: the child that runs it once and
 * prints its numbers, and the rounds that start children and sum up their times. */
#include "measure/book_window.h"

#include "base/clock.h"
#include "command/options.h"
#include "model/trust.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char child_flag[] = "--book-window";
static const double child_limit_s = 60.0;

/* --- numbers of runs --- */

static double net_ms(const struct krn_book_kernel *kernel, int storage)
{
    return app_net_ms(kernel->median_ms[storage], kernel->overhead_ms[storage]);
}

double app_book_time(const struct app_book_run *run, int time)
{
    const struct krn_book_window *window = &run->window;
    double sum = 0.0;
    for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++)
        sum += krn_book_window_value(window, i);
    const double values[APP_BOOK_ITEM] = {[APP_BOOK_WINDOW] = window->window_ms,
                                          [APP_BOOK_FIRST_KERNEL] = window->kernel_ms,
                                          [APP_BOOK_LOAD] = window->load_ms,
                                          [APP_BOOK_ITEMS] = sum,
                                          [APP_BOOK_GLOBAL] = run->kernel.median_ms[0],
                                          [APP_BOOK_CONSTANT] = run->kernel.median_ms[1],
                                          [APP_BOOK_NET_GLOBAL] = net_ms(&run->kernel, 0),
                                          [APP_BOOK_NET_CONSTANT] = net_ms(&run->kernel, 1)};
    return time < APP_BOOK_ITEM ? values[time]
                                : krn_book_window_value(window, time - APP_BOOK_ITEM);
}

double app_book_median(const struct app_book_runs *runs, int time)
{
    double values[APP_BOOK_RUNS_MAX];
    for (size_t i = 0; i < runs->n; i++)
        values[i] = app_book_time(&runs->runs[i], time);
    return krn_summarise(values, runs->n).median;
}

bool app_book_wrong(const struct app_book_run *run, int time)
{
    if (time == APP_BOOK_GLOBAL || time == APP_BOOK_NET_GLOBAL)
        return run->kernel.wrong[0] > 0;
    if (time == APP_BOOK_CONSTANT || time == APP_BOOK_NET_CONSTANT)
        return run->kernel.wrong[1] > 0;
    return run->window.wrong > 0;
}

static unsigned reasons_of(const struct app_book_run *run, int time)
{
    return app_book_wrong(run, time) ? APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) : 0;
}

struct app_estimate app_book_ratio(const struct app_book_runs *global,
                                   const struct app_book_runs *constant, int time)
{
    const size_t n = global->n < constant->n ? global->n : constant->n;
    double sides[KRN_BOOK_STORAGES][APP_BOOK_RUNS_MAX];
    unsigned reasons = 0;
    for (size_t i = 0; i < n; i++) {
        sides[0][i] = app_book_time(&global->runs[i], time);
        sides[1][i] = app_book_time(&constant->runs[i], time);
        reasons |= reasons_of(&global->runs[i], time) | reasons_of(&constant->runs[i], time);
    }
    struct app_estimate ratio = app_estimate_ratio(app_estimate_of_processes(sides[0], n, 0.0),
                                                   app_estimate_of_processes(sides[1], n, 0.0));
    ratio.trust |= reasons;
    return ratio;
}

struct app_estimate app_book_kernel_ratio(const struct app_book_runs runs[KRN_BOOK_STORAGES],
                                          bool net)
{
    const int first = net ? APP_BOOK_NET_GLOBAL : APP_BOOK_GLOBAL;
    double sides[KRN_BOOK_STORAGES][KRN_BOOK_STORAGES * APP_BOOK_RUNS_MAX];
    double widen[KRN_BOOK_STORAGES] = {0.0, 0.0};
    unsigned reasons = 0;
    size_t n = 0;
    for (size_t i = 0; i < APP_BOOK_RUNS_MAX; i++)
        for (int storage = 0; storage < KRN_BOOK_STORAGES; storage++) {
            const struct app_book_run *run = &runs[storage].runs[i];
            if (i >= runs[storage].n || run->kernel.n[0] == 0)
                continue;
            for (int side = 0; side < KRN_BOOK_STORAGES; side++) {
                const double ms = app_book_time(run, first + side);
                sides[side][n] = ms;
                widen[side] = fmax(widen[side], krn_tick_fraction(run->kernel.tick_ms, ms));
                reasons |= reasons_of(run, first + side);
            }
            n++;
        }
    struct app_estimate ratio =
        app_estimate_ratio(app_estimate_of_processes(sides[0], n, widen[0]),
                           app_estimate_of_processes(sides[1], n, widen[1]));
    ratio.trust |= reasons;
    return ratio;
}

/* --- the process --- */

bool app_book_child_main(int argc, char *const argv[], int *exit_code, struct krn_error *error)
{
    if (argc != 5 || strcmp(argv[1], child_flag) != 0)
        return false;
    /* Without the process that asks, its work would only disturb the next measurement. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct app_book_run run;
    enum krn_backend_id backend = KRN_BACKEND_CPU;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (strcmp(argv[2], krn_backend_name((enum krn_backend_id)id)) == 0)
            backend = (enum krn_backend_id)id;
    const int ordinal = (int)strtol(argv[3], NULL, 10);
    int storage = 0;
    for (int i = 0; i < KRN_BOOK_STORAGES; i++)
        if (strcmp(argv[4], krn_storage_name(krn_book_storages[i])) == 0)
            storage = i;
    memset(&run, 0, sizeof run);
    *exit_code = APP_EXIT_FAILED;
    /* The window comes first: it must be the first use of the device. */
    if (krn_book_window_run(backend, ordinal, krn_book_storages[storage], &run.window, error) !=
            KRN_OK ||
        krn_book_kernel_run(backend, ordinal, storage, &run.kernel, error) != KRN_OK)
        return true;
    if (fwrite(&run, sizeof run, 1, stdout) == 1 && fflush(stdout) == 0)
        *exit_code = APP_EXIT_DONE;
    else
        (void)KRN_FAIL(error, KRN_FAILED, "Standard output could not be written.");
    return true;
}

enum krn_code app_book_child_start(struct app_book_child *child, enum krn_backend_id backend,
                                   int ordinal, int storage, struct krn_error *error)
{
    char number[16], program[] = "spherescope", flag[sizeof child_flag];
    memset(child, 0, sizeof *child);
    memcpy(flag, child_flag, sizeof flag);
    snprintf(number, sizeof number, "%d", ordinal);
    char *const argv[] = {program,
                          flag,
                          (char *)krn_backend_name(backend),
                          number,
                          (char *)krn_storage_name(krn_book_storages[storage]),
                          NULL};
    const struct app_child_plan plan = {.arguments = argv,
                                        .files = {[STDOUT_FILENO] = APP_CHILD_PIPE}};
    child->started_s = app_clock_s();
    return app_child_start(&child->process, &plan, error);
}

void app_book_child_stop(struct app_book_child *child)
{
    app_child_end(&child->process);
}

enum krn_code app_book_child_poll(struct app_book_child *child, struct app_book_run *run,
                                  bool *done, struct krn_error *error)
{
    struct app_child *process = &child->process;
    const bool waits = app_child_read(process), full = process->used > sizeof *run;
    const double now_s = app_clock_s();
    *done = false;
    /* A closed pipe: the process is ending, or has died. */
    const bool ending = !waits && app_child_runs(process);
    if (ending && child->ended_s <= 0.0)
        child->ended_s = now_s;
    /* A process is late only while its output is outstanding: the last poll may be long ago. */
    const bool late = (waits && now_s - child->started_s > child_limit_s) ||
                      (ending && now_s - child->ended_s > child_limit_s);
    if ((waits || ending) && !late && !full)
        return KRN_OK;
    *done = !late && process->used == sizeof *run && process->status == 0;
    if (*done)
        memcpy(run, process->bytes, sizeof *run);
    app_child_end(process);
    return *done ? KRN_OK
                 : KRN_FAIL(error, KRN_FAILED, "A process for the book's window %s.",
                            late && !full ? "took over a minute" : "gave no times");
}

void app_book_round_begin(struct app_book_round *round)
{
    app_book_round_stop(round);
    memset(round, 0, sizeof *round);
    round->left = APP_BOOK_PROCESSES * KRN_BOOK_STORAGES;
}

void app_book_round_stop(struct app_book_round *round)
{
    app_book_child_stop(&round->child);
    round->left = 0;
}

void app_book_round_step(struct app_book_round *round, enum krn_backend_id backend, int ordinal,
                         bool wait)
{
    struct krn_error error;
    struct app_book_run run;
    const int storage = (APP_BOOK_PROCESSES * KRN_BOOK_STORAGES - round->left) % KRN_BOOK_STORAGES;
    bool done = false;
    if (round->left == 0 || (wait && round->child.process.pid <= 0))
        return;
    const enum krn_code code =
        round->child.process.pid > 0
            ? app_book_child_poll(&round->child, &run, &done, &error)
            : app_book_child_start(&round->child, backend, ordinal, storage, &error);
    if (code != KRN_OK) {
        snprintf(round->why, sizeof round->why, "%s", error.text);
        round->left = 0;
    }
    if (!done || wait)
        return;
    struct app_book_runs *runs = &round->runs[storage];
    runs->runs[runs->n++] = run;
    round->left--;
}
