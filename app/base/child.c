/* app/base/child.c - starts a process with a pipe to it, and ends it, with its group. */
#define _GNU_SOURCE /* pipe2 */
#include "base/child.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "krn/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    app_interrupt_child(failed != 0 ? 0 : plan->apart ? -child->pid : child->pid);
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
    app_interrupt_child_ended(pid);
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
