/* app/base/environment.c - the program and machine that produced a result. */
#include "base/environment.h"

#include "app_version.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void put(char *text, size_t size, const char *value)
{
    snprintf(text, size, "%s", value != NULL && value[0] != 0 ? value : "n/a");
}

/* Copies the value of the file's first line "key<blanks>separator<blanks>value", without quotes.
 * Returns false when no line has the key. */
static bool find_line(const char *path, const char *key, char separator, char *value, size_t size)
{
    char line[1024];
    bool found = false;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(key);
        if (strncmp(line, key, length) != 0)
            continue;
        const char *at = line + length + strspn(line + length, " \t");
        if (*at != separator)
            continue;
        at++;
        at += strspn(at, " \t");
        size_t end = strcspn(at, "\n");
        if (end >= 2 && at[0] == '"' && at[end - 1] == '"') {
            at++;
            end -= 2;
        }
        snprintf(value, size, "%.*s", (int)end, at);
        found = end > 0;
    }
    fclose(file);
    return found;
}

void app_environment_stamp(struct app_environment *environment)
{
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(environment->time_utc, sizeof environment->time_utc, "%Y-%m-%dT%H:%M:%SZ", &utc) ==
            0)
        put(environment->time_utc, sizeof environment->time_utc, "");
}

void app_environment_collect(struct app_environment *environment, int argc, char *const argv[])
{
    struct app_environment e;
    memset(&e, 0, sizeof e);
    put(e.version, sizeof e.version, APP_VERSION);
    put(e.git, sizeof e.git, APP_GIT);

    struct utsname names;
    const bool named = uname(&names) == 0;
    put(e.host, sizeof e.host, named ? names.nodename : "");
    if (named)
        snprintf(e.system, sizeof e.system, "%s %s %s", names.sysname, names.release,
                 names.machine);
    else
        put(e.system, sizeof e.system, "");
    if (!find_line("/etc/os-release", "PRETTY_NAME", '=', e.os, sizeof e.os) &&
        !find_line("/usr/lib/os-release", "PRETTY_NAME", '=', e.os, sizeof e.os))
        put(e.os, sizeof e.os, named ? names.sysname : "");
    /* x86 has "model name"; some ARM kernels have "Model", which names the board */
    if (!find_line("/proc/cpuinfo", "model name", ':', e.cpu, sizeof e.cpu) &&
        !find_line("/proc/cpuinfo", "Model", ':', e.cpu, sizeof e.cpu))
        put(e.cpu, sizeof e.cpu, named ? names.machine : "");
    const long threads = sysconf(_SC_NPROCESSORS_ONLN);
    e.cpu_threads = threads > 0 && threads < 1000000 ? (int)threads : 1;
    app_environment_stamp(&e);
    e.argc = argc;
    e.argv = argv;
    *environment = e;
}

const char *app_version_text(void)
{
    return APP_VERSION " (git " APP_GIT ")";
}

const char *app_version_number(void)
{
    return APP_VERSION;
}

const char *app_version_build(void)
{
    return APP_BUILD;
}
