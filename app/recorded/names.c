#include "recorded/parts.h"

#include "base/files.h"
#include "places/folders.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool app_recorded_folder(char folder[APP_PATH_MAX])
{
    return app_assets_find("runs", folder);
}

/* Returns true for the name of a record's file, packed or not. */
static bool is_file_name(const char *text)
{
    static const char *const ends[] = {".json", ".json.gz"};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length >= strlen(ends[i]) && strcmp(text + length - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

/* Writes a device's name as file names have it: "NVIDIA H200" becomes "nvidia-h200". */
static void to_file_name(const char *name, char *text, size_t size)
{
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++)
        text[n] = name[n] == ' ' ? '-' : (char)tolower((unsigned char)name[n]);
    text[n] = 0;
}

/* Returns true when a file name has `wanted` between hyphens or at its start. */
static bool has_name(const char *file, const char *wanted)
{
    const size_t length = strlen(wanted);
    if (length == 0 || !is_file_name(file))
        return false;
    for (const char *at = file; (at = strstr(at, wanted)) != NULL; at++)
        if ((at == file || at[-1] == '-') && at[length] == '-')
            return true;
    return false;
}

static enum krn_code add(struct app_recorded_names *list, const char *path, struct krn_error *error)
{
    if (list->count == APP_RECORDED_FILES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A recorded run has at most %d files.",
                        APP_RECORDED_FILES_MAX);
    if ((size_t)snprintf(list->paths[list->count], APP_PATH_MAX, "%s", path) >= APP_PATH_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "The name of a recorded run is too long.");
    list->count++;
    return KRN_OK;
}

/* The record of all benchmarks comes first, the others follow by name. */
static int compare_paths(const void *left, const void *right)
{
    static const char all[] = "-all.json";
    const char *const a = left, *const b = right;
    const bool a_all = strstr(a, all) != NULL, b_all = strstr(b, all) != NULL;
    return a_all != b_all ? (a_all ? -1 : 1) : strcmp(a, b);
}

/* Adds the shipped records of a device. */
static enum krn_code add_shipped(struct app_recorded_names *list, const char *folder,
                                 const char *name, struct krn_error *error)
{
    char wanted[64], path[APP_PATH_MAX];
    const int first = list->count;
    enum krn_code code = KRN_OK;
    to_file_name(name, wanted, sizeof wanted);
    DIR *stream = folder[0] ? opendir(folder) : NULL;
    if (!stream)
        return KRN_FAIL(
            error, KRN_UNAVAILABLE,
            "The program's folder of recorded runs is not found; name a file instead of "
            "%s.",
            app_shorten(name).text);
    for (struct dirent *entry; code == KRN_OK && (entry = readdir(stream)) != NULL;) {
        if (!has_name(entry->d_name, wanted))
            continue;
        code = (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path
                   ? add(list, path, error)
                   : KRN_FAIL(error, KRN_REFUSED, "The name of a recorded run is too long.");
    }
    closedir(stream);
    if (code == KRN_OK && list->count == first)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "No recorded run of %s is shipped: the files in %s begin with the names.",
                        app_shorten(name).text, app_shorten(folder).text);
    qsort(list->paths[first], (size_t)(list->count - first), sizeof *list->paths, compare_paths);
    return code;
}

enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    list->count = 0;
    for (const char *at = names; code == KRN_OK; at++) {
        char name[APP_PATH_MAX];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name)
            return KRN_FAIL(error, KRN_REFUSED,
                            "A recorded run is named by files or devices joined by commas.");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        code = strchr(name, '/') != NULL || is_file_name(name)
                   ? add(list, name, error)
                   : add_shipped(list, folder, name, error);
        at += length;
        if (*at == 0)
            break;
    }
    return code;
}
