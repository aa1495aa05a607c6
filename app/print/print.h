/* app/print/print.h - prints a results record as tables, in plain text or in Markdown. */
#ifndef APP_PRINT_H
#define APP_PRINT_H

#include "base/table.h"
#include "model/model.h"

#include <stdio.h>

/* Prints the device, the run, a table for each benchmark, and the reasons to doubt the numbers, in
 * words. */
void app_results_print(const struct app_results *results, enum app_style style, FILE *out);

/* Returns false when a picture or a result is wrong. */
bool app_results_right(const struct app_results *results);

#endif
