/* app/results/book.h - ratios of the book's runs, which take turns in fresh processes. */
#ifndef APP_RESULTS_BOOK_H
#define APP_RESULTS_BOOK_H

#include "results/results.h"

/* Returns the ratio of two results "book", global over other: of several processes of the program,
 * the geometric mean of the ratios of runs in the same turn, of each that has both; of one process,
 * the ratios themselves, because each run was a process of its own. Not valid where a result is
 * missing (NULL) or has no samples. */
struct app_estimate app_results_book_ratio(const struct app_result_read *global,
                                           const struct app_result_read *other);

#endif
