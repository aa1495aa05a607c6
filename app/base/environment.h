/* app/base/environment.h - the machine and program that numbers were taken on. Asks no GPU. */
#ifndef APP_ENVIRONMENT_H
#define APP_ENVIRONMENT_H

/* Unknown strings are "n/a". */
struct app_environment {
    char version[32], git[64]; /* of the program */
    char host[128];
    char os[128];     /* "Debian GNU/Linux 12 (bookworm)" */
    char system[256]; /* kernel and machine: "Linux 6.1.0 x86_64" */
    char cpu[128];
    int cpu_threads;
    char time_utc[32]; /* ISO 8601: "2024-05-06T07:08:09Z" */
    int argc;
    char *const *argv; /* not a copy */
};

/* argv must outlive *environment. */
void app_environment_collect(struct app_environment *environment, int argc, char *const argv[]);

/* Sets time_utc to now: a session outlives its start. */
void app_environment_stamp(struct app_environment *environment);

/* "0.1.0 (git 0123abc)" */
const char *app_version_text(void);

#endif
