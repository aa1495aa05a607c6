/* app/measure/book_window.c - both sides of the book's window: the child that runs it once and
 * prints its numbers, and the rounds that start children and add their times to a record. */
#include "measure/book_window.h"

#include "base/process.h"
#include "command/options.h"
#include "measure/report.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char child_flag[] = "--book-window";
static const double child_limit_s = 60.0;

/* --- the record of runs --- */

/* The times of a run, ms. The items of the window follow ITEM. */
enum { WINDOW, FIRST_KERNEL, LOAD, ITEMS, KERNEL, ITEM = KERNEL + KRN_BOOK_STORAGES };

static double time_of(const struct app_book_run *run, int time)
{
    const struct krn_book_window *window = &run->window;
    double sum = 0.0;
    for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++)
        sum += window->item_ms[i];
    return time >= ITEM           ? window->item_ms[time - ITEM]
           : time >= KERNEL       ? run->kernel.median_ms[time - KERNEL]
           : time == FIRST_KERNEL ? window->kernel_ms
           : time == LOAD         ? window->load_ms
           : time == ITEMS        ? sum
                                  : window->window_ms;
}

static double median_of(const struct app_book_runs *runs, int time)
{
    double values[APP_BOOK_RUNS_MAX];
    for (size_t i = 0; i < runs->n; i++)
        values[i] = time_of(&runs->runs[i], time);
    return krn_summarise(values, runs->n).median;
}

/* Returns the median of the kernel's times without the overhead of an empty one; 0: unknown. */
static double net_of(const struct app_book_runs *runs, int storage)
{
    double values[APP_BOOK_RUNS_MAX];
    for (size_t i = 0; i < runs->n; i++)
        values[i] = app_net_ms(runs->runs[i].kernel.median_ms[storage],
                               runs->runs[i].kernel.overhead_ms[storage]);
    return krn_summarise(values, runs->n).median;
}

/* Adds one time of several runs to the record. */
static void add_times(struct app_results *results, const struct app_book_runs *runs, int time,
                      const char *variant, enum krn_backend_id backend,
                      struct app_trust_facts facts)
{
    double samples[APP_BOOK_RUNS_MAX], tick_ms = 0.0;
    size_t wrong = 0;
    for (size_t i = 0; i < runs->n; i++) {
        const struct app_book_run *run = &runs->runs[i];
        samples[i] = time_of(run, time);
        wrong += time >= KERNEL ? run->kernel.wrong[time - KERNEL] > 0 : run->window.wrong > 0;
        tick_ms = time >= KERNEL ? fmax(tick_ms, run->kernel.tick_ms) : 0.0;
    }
    app_trust_samples(&facts, samples, runs->n);
    facts.runs = true;
    facts.has_picture = true;
    facts.verified = wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
    struct app_draft draft;
    app_draft_begin(&draft, results, "book", variant, backend);
    app_put(&draft, APP_P_WIDTH, KRN_BOOK_SIDE);
    app_put(&draft, APP_P_HEIGHT, KRN_BOOK_SIDE);
    app_put(&draft, APP_P_SPHERES, KRN_BOOK_SPHERES);
    app_put(&draft, APP_M_MEDIAN_MS, facts.samples.median);
    app_put(&draft, APP_M_MIN_MS, facts.samples.min);
    app_put(&draft, APP_M_MAX_MS, facts.samples.max);
    app_put(&draft, APP_M_N, (double)runs->n);
    app_put_known(&draft, APP_M_TICK_MS, tick_ms);
    if (time >= KERNEL) {
        const double net_ms = net_of(runs, time - KERNEL);
        if (net_ms > 0.0)
            app_put(&draft, APP_M_OVERHEAD_MS, facts.samples.median - net_ms);
        app_put_known(&draft, APP_M_NET_MS, net_ms);
    } else {
        app_put(&draft, APP_M_KERNEL_MS, median_of(runs, FIRST_KERNEL));
        app_put(&draft, APP_M_ITEMS_MS, median_of(runs, ITEMS));
        app_put(&draft, APP_M_LOAD_MS, median_of(runs, LOAD));
        for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++)
            app_put(&draft, (enum app_member)(APP_M_HOST_ALLOC_MS + i), median_of(runs, ITEM + i));
    }
    draft.measured.samples_ms = samples;
    draft.measured.n = runs->n;
    draft.result.scope = time >= KERNEL
                             ? "the book's kernel alone on the book's scene; one sample is the "
                               "median of one process"
                             : krn_book_window_scope(backend);
    draft.result.verified = facts.verified;
    draft.result.verified_reason = wrong == 0 ? "every picture was compared with the reference"
                                              : "a picture differs from the reference";
    app_report_add(results, &draft.result, app_trust_find(&facts));
}

void app_book_add(struct app_results *results, const struct app_book_runs cold[KRN_BOOK_STORAGES],
                  const struct app_book_runs warm[KRN_BOOK_STORAGES], enum krn_backend_id backend,
                  struct app_trust_facts facts)
{
    struct app_book_runs kernels = {.n = 0}; /* of both storages' processes */
    for (int s = 0; s < KRN_BOOK_STORAGES; s++)
        for (size_t i = 0; i < cold[s].n; i++)
            kernels.runs[kernels.n++] = cold[s].runs[i];
    for (int s = 0; s < KRN_BOOK_STORAGES; s++) {
        const struct {
            const char *name;
            const struct app_book_runs *runs;
            int time;
        } parts[] = {{"cold", &cold[s], WINDOW},
                     {"warm", warm != NULL ? &warm[s] : NULL, WINDOW},
                     {"kernel", &kernels, KERNEL + s}};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            char variant[40];
            if (parts[i].runs == NULL || parts[i].runs->n == 0)
                continue;
            snprintf(variant, sizeof variant, "%s/%s", krn_storage_name(krn_book_storages[s]),
                     parts[i].name);
            add_times(results, parts[i].runs, parts[i].time, variant, backend, facts);
        }
    }
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
    app_child_end(&round->child.process);
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
