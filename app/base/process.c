/* app/base/process.c - handles signals and the alarm of a time limit, in what handlers may do;
 * starts a process with a pipe to it, and ends it, with its group. */
#define _GNU_SOURCE /* getdents64, pipe2 */
#include "base/process.h"

#include "base/value.h"
#include "krn/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two signals within this time are one request: a terminal and a parent may both send one. */
static const double grace_s = 0.5;

static volatile sig_atomic_t interrupted, time_is_up, keeps, is_quiet, full;

/* Processes, or negative: process groups, that must not outlive this one; 0: none. */
enum { CHILDREN = 4 };
static volatile sig_atomic_t children[CHILDREN];
static double first_s; /* when the first signal arrived */

/* Files that are not complete. The handler reads a path only while it is guarded. */
enum { GUARDS = 4, GUARD_PATH_MAX = APP_PATH_MAX + 64 };
static struct {
    volatile sig_atomic_t guarded;
    char path[GUARD_PATH_MAX];
} guards[GUARDS];

/* Only calls that a signal handler may make. */
void app_interrupt_remove(const char *path)
{
    _Alignas(struct dirent64) char entries[4096];
    ssize_t bytes;
    if (unlink(path) == 0 || errno == ENOENT)
        return;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0 && (bytes = getdents64(folder, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < bytes;) {
            const struct dirent64 *const entry = (const struct dirent64 *)(entries + at);
            unlinkat(folder, entry->d_name, 0);
            at += entry->d_reclen;
        }
    if (folder >= 0)
        close(folder);
    rmdir(path);
}

/* Ends the process from a signal handler: buffers are not flushed, nothing is closed. */
static void end_at_once(const char *words)
{
    for (int i = 0; i < CHILDREN; i++)
        if (children[i] != 0)
            kill((pid_t)children[i], SIGKILL);
    for (int i = 0; i < GUARDS; i++)
        if (guards[i].guarded)
            app_interrupt_remove(guards[i].path);
    if (!is_quiet && write(STDERR_FILENO, words, strlen(words)) < 0)
        _exit(EXIT_FAILURE); /* with nobody to tell */
    _exit(EXIT_FAILURE);
}

static void stop(void)
{
    if (!interrupted)
        first_s = app_clock_s();
    interrupted = 1;
    krn_cancel();
}

static void on_signal(int number)
{
    (void)number;
    if (!keeps)
        end_at_once("spherescope: Interrupted: nothing is written.\n");
    if (interrupted && app_clock_s() - first_s > grace_s)
        end_at_once("spherescope: Interrupted twice: the run ends at once.\n");
    stop();
}

void app_interrupt_full(bool more)
{
    if (!more || !keeps) {
        is_quiet = 0; /* a worker's parent does not know the reason */
        end_at_once("spherescope: Memory is full: close other programs.\n");
    }
    full = 1;
    stop();
}

bool app_interrupt_is_full(void)
{
    return full != 0;
}

static void on_alarm(int number)
{
    (void)number;
    time_is_up = 1;
    krn_cancel();
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void app_interrupt_catch(bool quiet)
{
    is_quiet = quiet;
    struct sigaction hangup;
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup */
        handle(SIGHUP, on_signal);
    handle(SIGPIPE, SIG_IGN);
    handle(SIGXFSZ, SIG_IGN);
}

void app_interrupt_keep(void)
{
    keeps = 1;
}

int app_interrupt_guard(const char *path)
{
    const size_t length = strlen(path);
    int number = 0;
    while (number < GUARDS && guards[number].guarded)
        number++;
    if (number == GUARDS || length >= GUARD_PATH_MAX)
        return -1;
    memcpy(guards[number].path, path, length + 1);
    guards[number].guarded = 1;
    return number;
}

void app_interrupt_unguard(int number)
{
    if (number >= 0)
        guards[number].guarded = 0;
}

bool app_interrupted(void)
{
    return interrupted != 0;
}

void app_interrupt_after(double seconds)
{
    const double whole = seconds > 0.0 ? seconds : 0.0;
    struct itimerval timer = {{0, 0}, {0, 0}};
    timer.it_value.tv_sec = (time_t)whole;
    timer.it_value.tv_usec = (suseconds_t)((whole - (double)timer.it_value.tv_sec) * 1e6);
    if (seconds > 0.0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1;
    handle(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void app_interrupt_allow(double seconds)
{
    time_is_up = 0;
    krn_cancel_end();
    app_interrupt_after(seconds);
}

bool app_must_stop(void)
{
    return interrupted != 0 || time_is_up != 0;
}

/* --- processes with a pipe to this one --- */

/* Notes a child process, or the negative number of a process group, so that a signal that ends this
 * process kills it, too. 0 is ignored. */
static void note(pid_t child)
{
    int at = 0;
    while (at < CHILDREN && children[at] != 0)
        at++;
    if (at < CHILDREN)
        children[at] = (sig_atomic_t)child;
}

/* Forgets a child process, before the system may give its pid to another one. */
static void forget(pid_t child)
{
    for (int i = 0; i < CHILDREN; i++)
        if (child > 0 && abs(children[i]) == (sig_atomic_t)child)
            children[i] = 0;
}

/* Starts the process. Returns 0 or an errno. */
static int start(struct app_child *child, const struct app_child_plan *plan)
{
    const char *program = plan->program ? plan->program : "/proc/self/exe";
    const bool writes = plan->files[STDIN_FILENO] == APP_CHILD_PIPE; /* this process does */
    int ends[2];
    memset(child, 0, sizeof *child);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t restored;
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &restored);
    posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGDEF | (plan->apart ? POSIX_SPAWN_SETPGROUP : 0)));
    posix_spawn_file_actions_init(&actions);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        const int file = plan->files[i] == APP_CHILD_PIPE ? ends[!writes] : plan->files[i];
        if (file == APP_CHILD_NOTHING)
            posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
        else if (file != APP_CHILD_SAME)
            posix_spawn_file_actions_adddup2(&actions, file, i);
    }
    const int failed =
        posix_spawn(&child->pid, program, &actions, &attributes, plan->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[!writes]);
    child->open = true;
    child->file = ends[writes];
    fcntl(child->file, F_SETFL, O_NONBLOCK);
    child->apart = plan->apart;
    note(failed != 0 ? 0 : plan->apart ? -child->pid : child->pid);
    return failed;
}

enum krn_code app_child_start(struct app_child *child, const struct app_child_plan *plan,
                              struct krn_error *error)
{
    const int failed = start(child, plan);
    if (failed == 0)
        return KRN_OK;
    child->pid = 0;
    app_child_end(child);
    return plan->program ? KRN_FAIL(error, KRN_FAILED, "%s cannot be started: %s.",
                                    plan->arguments[0], strerror(failed))
                         : KRN_FAIL(error, KRN_FAILED, "No other process can be started: %s.",
                                    strerror(failed));
}

bool app_child_runs(struct app_child *child)
{
    const pid_t pid = child->pid;
    siginfo_t end = {.si_pid = 0};
    if (pid <= 0)
        return false;
    /* What it has started ends with it; its number is its group's until it is waited for. */
    if (child->apart && waitid(P_PID, (id_t)pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        end.si_pid == pid)
        kill(-pid, SIGKILL);
    const pid_t ended = waitpid(pid, &child->status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return true;
    if (ended < 0)
        child->status = -1;
    forget(pid);
    child->pid = 0;
    return false;
}

void app_child_wait(struct app_child *child, double seconds, double interrupted_s)
{
    const struct timespec moment = {0, 2000000};
    double end_s = app_clock_s() + seconds;
    if (child->open)
        close(child->file);
    child->open = false;
    child->file = -1;
    for (bool hurried = false; app_child_runs(child) && app_clock_s() < end_s;) {
        if (app_interrupted() && !hurried)
            end_s = fmin(end_s, app_clock_s() + interrupted_s);
        hurried = app_interrupted();
        nanosleep(&moment, NULL);
    }
}

bool app_child_read(struct app_child *child)
{
    enum { STEP = 1 << 16 };
    while (child->open) {
        if (child->room - child->used < STEP) {
            child->room = 2 * child->room + 2 * STEP;
            child->bytes = krn_grow(child->bytes, child->room, 1);
        }
        const ssize_t n =
            read(child->file, child->bytes + child->used, child->room - child->used - 1);
        child->used += n > 0 ? (size_t)n : 0;
        child->bytes[child->used] = 0;
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return false;
}

void app_child_end(struct app_child *child)
{
    if (child->pid > 0)
        kill(child->apart ? -child->pid : child->pid, SIGKILL);
    app_child_wait(child, HUGE_VAL, HUGE_VAL);
    free(child->bytes);
    child->bytes = NULL;
    child->used = child->room = 0;
}
