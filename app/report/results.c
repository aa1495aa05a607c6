#include "report/results.h"

#include "base/files.h"
#include "results/prometheus.h"
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

/* Writes a text and frees it, also where the file before it could not be written, which `before`
 * tells. Returns and tells in *error the first failure. */
static enum krn_code write_text(const char *path, char *text, enum krn_code before,
                                struct krn_error *error)
{
    struct krn_error second, *why = before == KRN_OK ? error : &second;
    const enum krn_code code = text ? app_write_file(path, text, strlen(text), why)
                                    : KRN_FAIL(why, KRN_NO_MEMORY, "No memory for the results.");
    free(text);
    return before == KRN_OK ? code : before;
}

enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error)
{
    if (!record)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the results.");
    enum krn_code code = KRN_OK;
    if (run->json[0])
        code = app_write_file(run->json, record, strlen(record), error);
    if (run->csv[0])
        code = write_text(run->csv, app_table_csv(record), code, error);
    if (run->prometheus[0])
        code = write_text(run->prometheus, app_prometheus_text(record), code, error);
    return code;
}
