/* app/base/environment.c - the program and machine that produced a result. */
#include "base/environment.h"

#include "app_version.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Returns the least quota of the process's cgroup, version 2, and of those around it. */
static double read_quota(void)
{
    char line[600], group[512] = "", path[600];
    double least = 0.0, quota, period;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "0::%511[^\n]", group) != 1)
        continue;
    if (file)
        fclose(file);
    for (bool more = true; more;) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        file = fopen(path, "r");
        /* "max 100000" has no quota. */
        if (file && fscanf(file, "%lf %lf", &quota, &period) == 2 && quota > 0.0 && period > 0.0 &&
            (least <= 0.0 || quota / period < least))
            least = quota / period;
        if (file)
            fclose(file);
        char *slash = strrchr(group, '/');
        more = slash != NULL;
        if (slash)
            *slash = 0;
    }
    return least;
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
    e.cpu_quota = read_quota();
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

/* --- power --- */

/* Copies the first line of folder/name/file into word; "" when the file cannot be read. */
static void read_word(const char *folder, const char *name, const char *file, char *word, int size)
{
    char path[1024];
    word[0] = 0;
    const int n = snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *in = n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
    if (in == NULL)
        return;
    if (fgets(word, size, in) == NULL)
        word[0] = 0;
    word[strcspn(word, "\n")] = 0;
    fclose(in);
}

bool app_on_battery(void)
{
    const char *replacement = getenv("SPHERESCOPE_POWER_SUPPLY");
    const char *folder = replacement && replacement[0] ? replacement : "/sys/class/power_supply";
    DIR *supplies = opendir(folder);
    if (supplies == NULL)
        return false;
    bool mains = false, online = false, discharging = false;
    for (const struct dirent *entry; (entry = readdir(supplies)) != NULL;) {
        char type[32], scope[32], word[32];
        if (entry->d_name[0] == '.')
            continue;
        read_word(folder, entry->d_name, "type", type, sizeof type);
        read_word(folder, entry->d_name, "scope", scope, sizeof scope);
        if (strcmp(type, "Mains") == 0 || strcmp(type, "USB") == 0) {
            read_word(folder, entry->d_name, "online", word, sizeof word);
            mains = true;
            online = online || strcmp(word, "0") > 0;
        } else if (strcmp(type, "Battery") == 0 && strcmp(scope, "Device") != 0) {
            /* scope "Device" marks the battery of a peripheral, such as a mouse */
            read_word(folder, entry->d_name, "status", word, sizeof word);
            discharging = discharging || strcmp(word, "Discharging") == 0;
        }
    }
    closedir(supplies);
    return discharging && !(mains && online);
}

bool app_battery_at(struct app_battery *battery, double now_s)
{
    const double every_s = 10.0;
    if (!battery->looked || now_s - battery->looked_s > every_s)
        *battery = (struct app_battery){true, app_on_battery(), now_s};
    return battery->on_battery;
}
