/* app/report/results.h - writes the results of a run: JSON, CSV and Prometheus. */
#ifndef APP_RESULTS_H
#define APP_RESULTS_H

#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns the stream for words and tables: stderr when stdout carries results. */
FILE *app_words_stream(const struct app_run *run);

/* Returns true when --json, --csv or --prometheus ask for the record. */
bool app_wants_results(const struct app_run *run);

/* Returns false when a record has no result: a run that was interrupted before its first keeps
 * none. */
bool app_has_results(const char *record);

/* Keeps the failures of outputs that do not depend on each other: each is told. `before` and *error
 * are those of the outputs before, `code` and *why that of this one. Returns the code of the first
 * failure; *error is the last one, for the caller to tell, and those before it are told here. */
enum krn_code app_lose_output(enum krn_code before, enum krn_code code, const struct krn_error *why,
                              struct krn_error *error);

/* Writes the record to the files asked for. When several cannot be written, errors are as those of
 * app_lose_output. */
enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error);

#endif
