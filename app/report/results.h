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

/* Writes the record to the files asked for. record NULL: memory was full. */
enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error);

#endif
