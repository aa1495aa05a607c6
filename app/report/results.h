/* app/report/results.h - writes the results of a run: table, JSON, CSV, Markdown. */
#ifndef APP_RESULTS_H
#define APP_RESULTS_H

#include "command/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Return the stream for words and for tables: stderr when stdout carries results. The table's is
 * NULL where --markdown takes its place. */
FILE *app_words_stream(const struct app_run *run);
FILE *app_table_stream(const struct app_run *run);

/* Returns true when --json, --csv or --markdown ask for the record. */
bool app_wants_results(const struct app_run *run);

/* Writes the record in the formats asked for. record NULL: memory was full. */
enum krn_code app_write_results(const struct app_run *run, const char *record,
                                struct krn_error *error);

#endif
