#define _XOPEN_SOURCE 700 /* setitimer */
#include "base/interrupt.h"

#include "krn/cancel.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

/* Two signals within this time are one request: a terminal and a parent may both send one. */
static const double grace_s = 0.5;

static volatile sig_atomic_t interrupted, time_is_up;
static struct timespec first;

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

static void on_signal(int number)
{
    if (interrupted && seconds_since(&first) > grace_s) {
        signal(number, SIG_DFL);
        raise(number); /* is delivered when this handler returns */
        return;
    }
    if (!interrupted)
        clock_gettime(CLOCK_MONOTONIC, &first);
    interrupted = 1;
    krn_cancel();
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

void app_interrupt_catch(void)
{
    struct sigaction hangup;
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup */
        handle(SIGHUP, on_signal);
    handle(SIGPIPE, SIG_IGN);
    handle(SIGXFSZ, SIG_IGN);
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
