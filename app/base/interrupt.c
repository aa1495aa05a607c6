/* app/base/interrupt.c - handles signals and the alarm of a time limit, in what handlers may do. */
#define _GNU_SOURCE /* getdents64 */
#include "base/interrupt.h"

#include "base/limits.h"

#include "krn/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Two signals within this time are one request: a terminal and a parent may both send one. */
static const double grace_s = 0.5;

static volatile sig_atomic_t interrupted, time_is_up, keeps, is_quiet, full;

/* Processes, or negative: process groups, that must not outlive this one; 0: none. */
enum { CHILDREN = 4 };
static volatile sig_atomic_t children[CHILDREN];
static struct timespec first;

/* Files that are not complete. The handler reads a path only while it is guarded. */
enum { GUARDS = 4, GUARD_PATH_MAX = APP_PATH_MAX + 64 };
static struct {
    volatile sig_atomic_t guarded;
    char path[GUARD_PATH_MAX];
} guards[GUARDS];

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

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
        clock_gettime(CLOCK_MONOTONIC, &first);
    interrupted = 1;
    krn_cancel();
}

static void on_signal(int number)
{
    (void)number;
    if (!keeps)
        end_at_once("spherescope: Interrupted: nothing is written.\n");
    if (interrupted && seconds_since(&first) > grace_s)
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

void app_interrupt_child(pid_t child)
{
    int at = 0;
    while (at < CHILDREN && children[at] != 0)
        at++;
    if (at < CHILDREN)
        children[at] = (sig_atomic_t)child;
}

void app_interrupt_child_ended(pid_t child)
{
    for (int i = 0; i < CHILDREN; i++)
        if (child > 0 && abs(children[i]) == (sig_atomic_t)child)
            children[i] = 0;
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
