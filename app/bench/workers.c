/* app/bench/workers.c - measures in several processes: starts each with hidden arguments, reads its
 * progress and its record from a pipe, and decides whether another is needed. */
#include "bench/program.h"

#include "base/process.h"
#include "krn/memory.h"
#include "records/io.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char worker_flag[] = "--worker";

/* The hidden arguments: the flag and five numbers. */
enum { HIDDEN = 6, NUMBER_MAX = 40, LINE_MAX_BYTES = APP_PROGRESS_MAX };

/* The parent looks at its own flags this often. */
static const int poll_ms = 50;

/* The time that a worker has to send its results after an interrupt. On a busy machine it has to be
 * processor time, and the other number is the longest wait for it. */
static const double patience_s = 0.35, longest_s = 3.0;

/* --- the worker's side --- */

bool app_worker_begin(int *argc, char ***argv, struct app_worker *worker)
{
    char **const a = *argv;
    struct app_worker found;
    struct stat status;
    memset(worker, 0, sizeof *worker);
    if (*argc < 1 + HIDDEN || strcmp(a[1], worker_flag) != 0 ||
        !app_parse_int(a[2], &found.number) || !app_parse_int(a[3], &found.count) ||
        !app_parse_uint64(a[4], &found.seed) || !app_parse_real(a[5], &found.seconds) ||
        !app_parse_int(a[6], &found.devices) || found.number < 1)
        return false;
    /* Its words are the parent's to say; the pipe gets only progress and record. */
    if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode))
        return false;
    found.file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (found.file < 0 || !freopen("/dev/null", "w", stdout))
        return false;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    a[HIDDEN] = a[0];
    *argv = a + HIDDEN;
    *argc -= HIDDEN;
    *worker = found;
    return true;
}

bool app_worker_repeats(const struct app_worker *worker)
{
    return worker->number > (worker->devices > 0 ? worker->devices : 1);
}

void app_worker_adopt(const struct app_worker *worker, struct app_run *run)
{
    const char *paths[APP_OUTPUTS_MAX];
    /* The parent writes them; --record also says what is measured. */
    for (size_t n = app_run_outputs(run, paths); n > 0; n--)
        if (paths[n - 1] != run->record)
            ((char *)run)[paths[n - 1] - (const char *)run] = 0;
    snprintf(run->json, sizeof run->json, "/proc/self/fd/%d", worker->file);
    run->markdown = false;
    run->seconds = worker->seconds;
    if (worker->devices > 0)
        run->device = (worker->number - 1) % worker->devices;
}

/* --- the parent's side --- */

/* A worker that runs, and what it has sent. */
struct child {
    struct app_child process;
    int number;
    size_t line; /* where the line of progress that is read begins */
    bool record; /* the record has begun; the lines before it are dropped */
};

/* Starts the program again with the hidden arguments before those of this process. */
static enum krn_code start(struct child *child, const struct app_worker *worker, int argc,
                           char *const argv[], struct krn_error *error)
{
    char numbers[HIDDEN - 1][NUMBER_MAX], flag[sizeof worker_flag];
    char **arguments = krn_alloc((size_t)argc + HIDDEN + 1, sizeof *arguments);
    memset(child, 0, sizeof *child);
    memcpy(flag, worker_flag, sizeof flag);
    snprintf(numbers[0], NUMBER_MAX, "%d", worker->number);
    snprintf(numbers[1], NUMBER_MAX, "%d", worker->count);
    snprintf(numbers[2], NUMBER_MAX, "%llu", (unsigned long long)worker->seed);
    app_format(numbers[3], NUMBER_MAX, "%.6f", worker->seconds);
    snprintf(numbers[4], NUMBER_MAX, "%d", worker->devices);
    arguments[0] = argv[0];
    arguments[1] = flag;
    for (int i = 0; i < HIDDEN - 1; i++)
        arguments[2 + i] = numbers[i];
    for (int i = 1; i < argc; i++)
        arguments[HIDDEN + i] = argv[i];
    const struct app_child_plan plan = {.arguments = arguments,
                                        .files = {[STDOUT_FILENO] = APP_CHILD_PIPE}};
    const enum krn_code code = app_child_start(&child->process, &plan, error);
    free(arguments);
    child->number = worker->number;
    return code;
}

static void show(const struct child *child, int count, const char *line,
                 struct app_progress *progress)
{
    app_progress_show(progress, app_phrase("process %d of %d: %.*s", child->number, count,
                                           APP_PROGRESS_MAX - 32, line)
                                    .text);
}

/* Reads what the worker has sent, and shows and drops the lines of progress: what begins with a
 * brace is the record. Returns false at the end. */
static bool take(struct child *child, int count, struct app_progress *progress)
{
    struct app_child *process = &child->process;
    const bool more = app_child_read(process);
    char *end;
    while (!child->record && process->used > child->line) {
        char *line = process->bytes + child->line;
        child->record = line[0] == '{';
        if (child->record || (end = memchr(line, '\n', process->used - child->line)) == NULL)
            break;
        *end = 0;
        show(child, count, line, progress);
        child->line = (size_t)(end + 1 - process->bytes);
    }
    return more;
}

/* Returns the processor time that a process has had; HUGE_VAL: it cannot be read. */
static double processor_s(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return HUGE_VAL;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads until the worker has ended, whether or not another process still holds its end of the pipe.
 * An interrupt is passed on; a worker that does not answer it, or that exceeds its time by far, is
 * killed. */
static void await(struct child *child, int count, double seconds, struct app_progress *progress)
{
    const double late = 1.5, late_s = 5.0, enough = 0.9;
    const double start_s = app_clock_s();
    double stop_s = HUGE_VAL, used_s = 0.0; /* when it was told to end, and its time by then */
    struct app_child *process = &child->process;
    struct pollfd wait = {.fd = process->file, .events = POLLIN};
    show(child, count, "starts", progress);
    bool runs = true;
    while (take(child, count, progress) && runs) {
        (void)poll(&wait, 1, poll_ms);
        runs = app_child_runs(process);
        const double now_s = app_clock_s();
        const bool over = seconds > 0.0 && now_s - start_s > late * seconds + late_s;
        if ((app_interrupted() || over) && stop_s == HUGE_VAL && runs) {
            used_s = processor_s(process->pid);
            kill(process->pid, SIGTERM);
            stop_s = now_s;
        }
        if (runs && now_s >= stop_s + patience_s &&
            (now_s >= stop_s + longest_s ||
             processor_s(process->pid) - used_s >= enough * patience_s))
            kill(process->pid, SIGKILL);
    }
    /* Closes the pipe first, so that a worker that still writes ends. */
    app_child_wait(process, HUGE_VAL, longest_s);
}

/* Reads the record that a worker has sent. */
static enum krn_code keep_record(struct app_workers *workers, const char *record, int number,
                                 struct krn_error *error)
{
    struct app_side *side = &workers->side;
    side->records = krn_grow(side->records, side->count + 1, sizeof *side->records);
    const enum krn_code code =
        app_results_read(record, strlen(record), app_phrase("process %d", number).text,
                         &side->records[side->count], error);
    if (code == KRN_OK)
        workers->process[side->count++] = number;
    return code;
}

/* Keeps the record of a worker that has ended, and notes how it failed, if it did. others: the next
 * workers have other devices. */
static enum krn_code keep(struct app_workers *workers, struct child *child, bool others,
                          struct krn_error *error)
{
    enum krn_code read = KRN_OK;
    struct app_child *process = &child->process;
    const int status = process->status;
    const bool by_signal = WIFSIGNALED(status);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : APP_EXIT_FAILED;
    const size_t length = process->used - child->line;
    /* A record ends with a brace and a newline; a process that dies in between sends a part. */
    const bool whole = child->record && length > 2 &&
                       memcmp(process->bytes + process->used - 2, "}\n", 2) == 0 && !by_signal;
    if (whole)
        read = keep_record(workers, process->bytes + child->line, child->number, error);
    app_child_end(process);
    const bool failed = by_signal || !whole || code == APP_EXIT_FAILED;
    const bool alike = code == APP_EXIT_USAGE || !others; /* no other process can do it */
    if (failed) {
        char *why = workers->why[workers->failed_count];
        workers->failed[workers->failed_count++] = (struct app_results_failure){child->number, why};
        if (by_signal && !app_interrupted())
            snprintf(why, sizeof workers->why[0], "ended by signal %d", WTERMSIG(status));
        else
            snprintf(why, sizeof workers->why[0], "%s",
                     app_interrupted() ? "was interrupted"
                     : whole           ? "failed before its end"
                                       : "ended without results");
    }
    /* What the first process cannot do because of the command line or the machine, no other can;
     * with several devices, what the first one on each cannot do. */
    if (alike && !by_signal && !app_interrupted() &&
        (code == APP_EXIT_USAGE || code == APP_EXIT_UNAVAILABLE || workers->side.count == 0))
        workers->exit_code = code != APP_EXIT_DONE ? code : APP_EXIT_FAILED;
    return read;
}

static void complain_of(const struct app_results_failure *failure, int count, bool whole)
{
    char text[256];
    snprintf(text, sizeof text, "process %d of %d %s; its results are %s.", failure->process, count,
             failure->why, whole ? "incomplete" : "missing");
    app_complain(text);
}

/* Corrects the expected time after the k-th process. Says so after the first one, if it was whole
 * and took far longer than expected: its scene or its device is slow. */
static void expect_more(struct app_progress *progress, int k, int count, bool whole)
{
    const double far = 1.5, before_s = progress->expected_s;
    const double now_s = (app_clock_s() - progress->start_s) / k * count;
    app_progress_expect(progress, now_s);
    if (k > 1 || k == count || !whole || app_interrupted() || before_s <= 0.0 ||
        now_s < far * before_s)
        return;
    app_progress_clear(progress);
    fprintf(stderr, "about %.0f s, as the first process took %.0f s\n", now_s, now_s / count);
}

/* Counts the results whose intervals are not narrow enough. */
static void look(const struct app_run *run, struct app_workers *workers)
{
    workers->wide =
        app_side_wide(&workers->side, run->band_percent, &workers->results, &workers->hopeless);
}

/* Returns true when a run that goes on until its intervals are narrow needs no further process. */
static bool is_enough(const struct app_run *run, struct app_workers *workers, double passed_s,
                      double longest_process_s, int *next)
{
    if (run->seconds > 0.0 && passed_s + longest_process_s > run->seconds)
        return true;
    if (workers->started < *next)
        return false;
    *next = app_narrow_look(workers->started);
    look(run, workers);
    return workers->wide == workers->hopeless;
}

enum krn_code app_workers_run(const struct app_run *run, uint64_t seed, int argc,
                              char *const argv[], struct app_progress *progress,
                              struct app_workers *workers, struct krn_error *error)
{
    const double least_s = 0.01;
    double longest = 0.0;
    int next = app_narrow_look(0);
    memset(workers, 0, sizeof *workers);
    for (int k = 1; k <= run->processes && !app_interrupted(); k++) {
        const double passed_s = app_clock_s() - progress->start_s;
        if (run->narrow && k > 1 && is_enough(run, workers, passed_s, longest, &next))
            break;
        const int left = run->processes - k + 1;
        const struct app_worker worker = {
            .number = k,
            .count = run->processes,
            .seed = seed,
            .seconds = run->seconds > 0.0 && !run->narrow
                           ? fmax((run->seconds - passed_s) / left, least_s)
                           : 0.0,
            .devices = run->devices,
        };
        struct child child;
        enum krn_code code = start(&child, &worker, argc, argv, error);
        if (code != KRN_OK)
            return code;
        workers->started = k;
        const int before = workers->failed_count;
        const size_t records = workers->side.count;
        /* Where the width ends the run, a process takes its own time, and no more than is left. */
        await(&child, run->processes,
              run->narrow && run->seconds > 0.0 ? run->seconds - passed_s : worker.seconds,
              progress);
        code = keep(workers, &child, run->devices > k || (run->devices > 1 && records > 0), error);
        if (code != KRN_OK)
            return code;
        longest = fmax(longest, app_clock_s() - progress->start_s - passed_s);
        if (workers->exit_code != APP_EXIT_DONE) {
            /* Each worker has told the reason of its own GPU. */
            if (run->devices > 1 && k == run->devices && workers->side.count == 0)
                app_complain(app_phrase("None of the %d GPUs gave results.", run->devices).text);
            break;
        }
        if (workers->failed_count > before && !app_interrupted()) {
            app_progress_clear(progress);
            complain_of(&workers->failed[before], run->processes, workers->side.count > records);
        }
        if (run->seconds <= 0.0 && !run->narrow)
            expect_more(progress, k, run->processes, workers->failed_count == 0);
    }
    if (run->narrow)
        look(run, workers);
    app_progress_clear(progress);
    return KRN_OK;
}
