#include "measure/book_window.h"

#include "base/clock.h"
#include "base/value.h"
#include "command/options.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const struct app_book_storage app_book_storages[APP_BOOK_STORAGES] = {
    {KRN_STORAGE_GLOBAL, "global"}, {KRN_STORAGE_CONSTANT, "constant"}};

static const char child_flag[] = "--book-window";
static const double child_limit_s = 60.0;

double app_book_median(const struct app_book_runs *runs, int item)
{
    double values[APP_BOOK_RUNS_MAX];
    for (size_t i = 0; i < runs->n; i++) {
        const struct krn_book_window *w = &runs->runs[i];
        values[i] = item == -1 ? w->window_ms : item == -2 ? w->kernel_ms : 0;
        if (item >= 0)
            values[i] = krn_book_window_value(w, item);
        for (int j = 0; item == -3 && j < KRN_BOOK_WINDOW_ITEMS; j++)
            values[i] += krn_book_window_value(w, j);
    }
    return krn_summarise(values, runs->n).median;
}

struct app_estimate app_book_ratio(const struct app_book_runs *global,
                                   const struct app_book_runs *constant)
{
    /* Two-sided 95 % points of Student's t for 1 to 7 degrees of freedom. */
    static const double t[APP_BOOK_RUNS_MAX] = {0.0,   12.706, 4.303, 3.182,
                                                2.776, 2.571,  2.447, 2.365};
    const size_t n = global->n < constant->n ? global->n : constant->n;
    struct app_estimate ratio = {.valid = n > 0};
    double mean = 0.0, square = 0.0, logs[APP_BOOK_RUNS_MAX];
    for (size_t i = 0; i < n; i++) {
        logs[i] = log(global->runs[i].window_ms / constant->runs[i].window_ms);
        mean += logs[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        square += (logs[i] - mean) * (logs[i] - mean);
    ratio.valid = ratio.valid && isfinite(mean);
    if (!ratio.valid)
        return ratio;
    ratio.value = ratio.low = ratio.high = exp(mean);
    if (n < 3)
        return ratio;
    const double half = t[n - 1] * sqrt(square / (double)(n - 1) / (double)n);
    ratio.has_interval = true;
    ratio.low = exp(mean - half);
    ratio.high = exp(mean + half);
    return ratio;
}

bool app_book_child_main(int argc, char *const argv[], int *exit_code, struct krn_error *error)
{
    if (argc != 5 || strcmp(argv[1], child_flag) != 0)
        return false;
    struct krn_book_window window;
    enum krn_backend_id backend = KRN_BACKEND_CPU;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (strcmp(argv[2], krn_backend_name((enum krn_backend_id)id)) == 0)
            backend = (enum krn_backend_id)id;
    const enum krn_storage storage =
        strcmp(argv[4], "constant") == 0 ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL;
    *exit_code = APP_EXIT_FAILED;
    if (krn_book_window_run(backend, atoi(argv[3]), storage, &window, error) != KRN_OK)
        return true;
    printf("%.9g %.9g", window.window_ms, window.kernel_ms);
    for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++)
        printf(" %.9g", krn_book_window_value(&window, i));
    printf("\n");
    *exit_code = APP_EXIT_DONE;
    return true;
}

static bool parse_window(const char *line, struct krn_book_window *window)
{
    double *const members[] = {
        &window->window_ms, &window->kernel_ms, &window->host_alloc_ms, &window->device_alloc_ms,
        &window->scene_ms,  &window->upload_ms, &window->launch_ms,     &window->read_back_ms};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char word[40];
        const size_t length = strcspn(line, " \n");
        if (length == 0 || length >= sizeof word)
            return false;
        memcpy(word, line, length);
        word[length] = 0;
        if (!app_parse_real(word, members[i]) || *members[i] < 0)
            return false;
        line += length + (line[length] != 0);
    }
    return true;
}

extern char **environ;

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
                          (char *)app_book_storages[storage].name,
                          NULL};
    int ends[2];
    if (pipe(ends) != 0)
        return KRN_FAIL(error, KRN_FAILED, "No pipe to another process: %s.", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawn(&child->pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
        close(ends[0]);
        return KRN_FAIL(error, KRN_FAILED, "No other process can be started: %s.",
                        strerror(failed));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    child->file = ends[0];
    child->started_s = app_clock_s();
    return KRN_OK;
}

void app_book_child_stop(struct app_book_child *child)
{
    if (child->pid <= 0)
        return;
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(child->file);
    child->pid = 0;
}

enum krn_code app_book_child_poll(struct app_book_child *child, struct krn_book_window *window,
                                  bool *done, struct krn_error *error)
{
    static const char gave_none[] = "A process for the book's window gave no times.",
                      is_late[] = "A process for the book's window took over a minute.";
    const ssize_t n =
        read(child->file, child->line + child->used, sizeof child->line - 1 - child->used);
    *done = false;
    child->used += n > 0 ? (size_t)n : 0;
    child->line[child->used] = 0;
    const bool waits = n < 0 && (errno == EAGAIN || errno == EINTR);
    const bool full = child->used + 1 >= sizeof child->line;
    /* A process is late only while its output is outstanding: the last poll may be long ago. */
    if ((waits && app_clock_s() - child->started_s > child_limit_s) || full) {
        app_book_child_stop(child);
        return KRN_FAIL(error, KRN_FAILED, "%s", full ? gave_none : is_late);
    }
    if (n > 0 || waits)
        return KRN_OK;
    /* The pipe is closed: the process is ending, or has died. */
    int status = 0;
    if (waitpid(child->pid, &status, WNOHANG) == 0) {
        if (child->ended_s <= 0.0)
            child->ended_s = app_clock_s();
        if (app_clock_s() - child->ended_s <= child_limit_s)
            return KRN_OK;
        app_book_child_stop(child);
        return KRN_FAIL(error, KRN_FAILED, "%s", is_late);
    }
    close(child->file);
    child->pid = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !parse_window(child->line, window))
        return KRN_FAIL(error, KRN_FAILED, "%s", gave_none);
    *done = true;
    return KRN_OK;
}

void app_book_round_begin(struct app_book_round *round)
{
    app_book_round_stop(round);
    memset(round, 0, sizeof *round);
    round->left = APP_BOOK_PROCESSES * APP_BOOK_STORAGES;
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
    struct krn_book_window window;
    const int storage = (APP_BOOK_PROCESSES * APP_BOOK_STORAGES - round->left) % APP_BOOK_STORAGES;
    bool done = false;
    if (round->left == 0 || (wait && round->child.pid <= 0))
        return;
    const enum krn_code code =
        round->child.pid > 0
            ? app_book_child_poll(&round->child, &window, &done, &error)
            : app_book_child_start(&round->child, backend, ordinal, storage, &error);
    if (code != KRN_OK) {
        snprintf(round->why, sizeof round->why, "%s", error.text);
        round->left = 0;
    }
    if (!done || wait)
        return;
    struct app_book_runs *runs = &round->runs[storage];
    runs->runs[runs->n++] = window;
    round->left--;
}
