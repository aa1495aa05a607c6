#include "report/report.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/memory.h"
#include "command/options.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* stdout receives a file when requested. */
FILE *app_words_stream(const struct app_run *run)
{
    const char *paths[APP_OUTPUTS_MAX];
    for (size_t n = app_run_outputs(run, paths); n > 0; n--)
        if (strcmp(paths[n - 1], "-") == 0)
            return stderr;
    return stdout;
}

bool app_wants_results(const struct app_run *run)
{
    return run->json[0] || run->csv[0] || run->prometheus[0];
}

enum krn_code app_lose_output(enum krn_code before, enum krn_code code, const struct krn_error *why,
                              struct krn_error *error)
{
    if (code == KRN_OK)
        return before;
    if (before != KRN_OK)
        app_complain(error->text);
    *error = *why;
    return before != KRN_OK ? before : code;
}

/* Writes a text and frees it, also where the file before it could not be written, which `before`
 * and *error tell. Returns as app_lose_output does. */
static enum krn_code write_text(const char *path, char *text, enum krn_code before,
                                struct krn_error *error)
{
    struct krn_error why;
    const enum krn_code code = app_save_output(path, text, strlen(text), &why);
    free(text);
    return app_lose_output(before, code, &why, error);
}

/* Returns the name of the file that Prometheus reads without its folder and suffix. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = app_copy(slash != NULL ? slash + 1 : path), *dot = strrchr(stem, '.');
    if (dot != NULL && dot > stem)
        *dot = 0;
    return stem;
}

enum krn_code app_write_results(const struct app_run *run, const struct app_results *results,
                                struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (run->json[0])
        code = write_text(run->json, app_results_text(results), code, error);
    if (run->csv[0])
        code = write_text(run->csv, app_results_csv(results), code, error);
    if (run->prometheus[0]) {
        char *stem = stem_of(run->prometheus);
        code = write_text(run->prometheus, app_results_prometheus(results, stem), code, error);
        free(stem);
    }
    return code;
}

enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error)
{
    struct tm local;
    char stamp[32], number[16] = "";
    if (localtime_r(&when, &local) == NULL ||
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local) == 0)
        snprintf(stamp, sizeof stamp, "00000000-000000");
    if (choice > 1)
        snprintf(number, sizeof number, "-%d", choice);
    const int n = snprintf(path, APP_PATH_MAX, "%s/spherescope-%s-%s%s%s", folder, stamp,
                           krn_storage_name(storage), number, suffix);
    if (n < 0 || n >= APP_PATH_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "The path of the pictures folder is too long: %s",
                        app_shorten(folder).text);
    return KRN_OK;
}
