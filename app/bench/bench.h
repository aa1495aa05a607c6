/* app/bench/bench.h - the benchmarks: entries of one table, each measured, printed and added to one
 * report.
 */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "bench/program.h"

struct app_bench_entry {
    const char *name;     /* as --bench takes it */
    const char *what;     /* one line for the help */
    enum krn_topic topic; /* where run is NULL: its probes are measured */
    /* Measures, prints to `table` (NULL: nothing) and adds its results to report. *right becomes
     * false when a result is wrong. Errors: KRN_UNAVAILABLE: not on this backend. */
    enum krn_code (*run)(struct app_program *program, FILE *table, struct app_report *report,
                         bool *right, struct krn_error *error);
};

/* The table, in the order of APP_BENCHES. */
const struct app_bench_entry *app_benches(size_t *count);

/* Runs what run.bench asks for. What is not available here is skipped with a sentence when it was
 * not asked for by name, and else an error (KRN_UNAVAILABLE). */
enum krn_code app_bench_run(struct app_program *program, FILE *table, struct app_report *report,
                            bool *right, struct krn_error *error);

#endif
