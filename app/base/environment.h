/* app/base/environment.h - the program and machine that produced a result, and its power. Does not
 * query GPUs. */
#pragma once

#include <stdbool.h>

/* Strings that cannot be determined are "n/a". */
struct app_environment {
    char version[32], git[64]; /* the program's version and commit */
    char host[128];
    char os[128];     /* "Debian GNU/Linux 12 (bookworm)" */
    char system[256]; /* kernel and machine: "Linux 6.1.0 x86_64" */
    char cpu[128];
    int cpu_threads;
    double cpu_quota;  /* processors' worth of time that the cgroup allows; 0: no limit is known */
    char time_utc[32]; /* ISO 8601: "2024-05-06T07:08:09Z" */
    int argc;
    char *const *argv; /* the caller's */
};

/* Fills *environment, time_utc included. argv is not copied and must outlive *environment. */
void app_environment_collect(struct app_environment *environment, int argc, char *const argv[]);

/* Sets time_utc to the current time. Each record is stamped anew, since a session may run for
 * hours. */
void app_environment_stamp(struct app_environment *environment);

/* Returns version and commit: "0.1.0 (git 0123abc)". */
const char *app_version_text(void);

/* Returns the version alone: "0.1.0". */
const char *app_version_number(void);

/* Returns compiler, CUDA and window of this build, a line each: "GNU 12.2.0, Release\nno CUDA\n..."
 */
const char *app_version_build(void);

/* Returns true when the machine runs on battery power. Reads files in /sys/class/power_supply, or
 * in the folder that the environment variable SPHERESCOPE_POWER_SUPPLY names, so do not call it on
 * every frame. */
bool app_on_battery(void);

/* The newest look at the battery. Zeroed, there is none. */
struct app_battery {
    bool looked, on_battery;
    double looked_s;
};

/* Returns the same for every frame: looks again only every 10 s. now_s: the time. */
bool app_battery_at(struct app_battery *battery, double now_s);
