/* app/bench.h - the benchmarks: rows of one table, each measured, printed and added to one report.
 */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "program.h"

struct app_bench_row {
    const char *name; /* as --bench takes it */
    const char *what; /* one line for the help */
    /* Measures, prints to `table` (NULL: nothing) and adds its results to report. *right becomes
     * false when a result is wrong. Errors: KRN_UNAVAILABLE: not on this backend. */
    enum krn_code (*run)(struct app_program *program, FILE *table, struct app_report *report,
                         bool *right, struct krn_error *error);
};

/* The table, in the order of APP_BENCHES. */
const struct app_bench_row *app_benches(size_t *count);

/* Runs what run.bench asks for. What is not available here is skipped with a sentence when it was
 * not asked for by name, and else an error (KRN_UNAVAILABLE). */
enum krn_code app_bench_run(struct app_program *program, FILE *table, struct app_report *report,
                            bool *right, struct krn_error *error);

enum krn_code app_bench_timer(struct app_program *program, FILE *table, struct app_report *report,
                              bool *right, struct krn_error *error);
enum krn_code app_bench_book(struct app_program *program, FILE *table, struct app_report *report,
                             bool *right, struct krn_error *error);

/* What a child of --bench book does: argv is PROGRAM --book-window BACKEND ORDINAL STORAGE. True
 * when these are such arguments; *exit_code is then set. */
bool app_bench_book_child(int argc, char *const argv[], int *exit_code);

#endif
