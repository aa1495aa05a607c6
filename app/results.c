/* app/results.c - where a run's results go: table, JSON, CSV, Markdown. */
#include "program.h"

#include "paths.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* stdout belongs to JSON or CSV when they were asked for there. */
FILE *app_words_stream(const struct app_run *run)
{
    return strcmp(run->json, "-") == 0 || strcmp(run->csv, "-") == 0 ? stderr : stdout;
}

FILE *app_table_stream(const struct app_run *run)
{
    return run->markdown ? NULL : app_words_stream(run);
}

bool app_wants_results(const struct app_run *run)
{
    return run->json[0] || run->csv[0] || run->markdown;
}

enum krn_code app_measure_program(struct app_program *program, struct krn_error *error)
{
    const double budget_s = 2.0;
    const struct app_run *run = &program->run;
    return app_measure_modes(&program->engine, &program->state, run->bench[0] ? run->frames : 0,
                             run->bench[0] && run->seconds > 0.0 ? run->seconds : budget_s,
                             isatty(STDERR_FILENO) ? stderr : NULL, &program->measurement, error);
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
    if (code == KRN_OK && run->csv[0])
        code = write_text(run->csv, app_table_csv(record), error);
    if (code == KRN_OK && run->markdown) {
        char *text = app_table_markdown(record);
        if (!text)
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the results.");
        fputs(text, app_words_stream(run));
        free(text);
    }
    return code;
}
