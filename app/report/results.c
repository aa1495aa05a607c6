#include "report/report.h"

#include "base/complain.h"
#include "base/files.h"
#include "results/results.h"
#include "results/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* stdout receives JSON or CSV when requested. */
FILE *app_words_stream(const struct app_run *run)
{
    return strcmp(run->json, "-") == 0 || strcmp(run->csv, "-") == 0 ? stderr : stdout;
}

bool app_wants_results(const struct app_run *run)
{
    return run->json[0] || run->csv[0] || run->prometheus[0];
}

bool app_has_results(const char *record)
{
    struct app_results results;
    struct krn_error error;
    if (app_results_read(record, strlen(record), "the results", &results, &error) != KRN_OK)
        return true; /* whoever shows it says what is wrong */
    const bool some = results.count > 0;
    app_results_free(&results);
    return some;
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

/* Writes a text, which may be NULL, also where the file before it could not be written, which
 * `before` and *error tell. Returns as app_lose_output does. */
static enum krn_code write_text(const char *path, const char *text, enum krn_code before,
                                struct krn_error *error)
{
    struct krn_error why;
    const enum krn_code code =
        text ? app_write_file(path, text, strlen(text), &why)
             : KRN_FAIL(&why, KRN_NO_MEMORY, "No memory for %s.", app_shorten(path).text);
    return app_lose_output(before, code, &why, error);
}

/* The same, of a text that was made for this file. */
static enum krn_code write_made(const char *path, char *text, enum krn_code before,
                                struct krn_error *error)
{
    const enum krn_code code = write_text(path, text, before, error);
    free(text);
    return code;
}

enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (run->json[0])
        code = write_text(run->json, record, code, error);
    if (run->csv[0])
        code = write_made(run->csv, app_table_csv(record), code, error);
    if (run->prometheus[0])
        code = write_made(run->prometheus, app_prometheus_text(record), code, error);
    return code;
}

enum krn_code app_screenshot_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                                  enum krn_storage storage, int choice, struct krn_error *error)
{
    return app_output_name(path, folder, when, storage, choice, ".png", error);
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
