#include "report/results.h"

#include "base/files.h"
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
    return run->json[0] || run->csv[0];
}

static enum krn_code write_text(const char *path, char *text, struct krn_error *error)
{
    const enum krn_code code = text ? app_write_file(path, text, strlen(text), error)
                                    : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the results.");
    free(text);
    return code;
}

enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error)
{
    if (!record)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the results.");
    enum krn_code code = KRN_OK;
    if (run->json[0])
        code = app_write_file(run->json, record, strlen(record), error);
    if (run->csv[0]) { /* the one is written where the other cannot be */
        struct krn_error second;
        const enum krn_code also =
            write_text(run->csv, app_table_csv(record), code == KRN_OK ? error : &second);
        code = code == KRN_OK ? also : code;
    }
    return code;
}
