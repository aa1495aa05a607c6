/* app/bench/entries.h - the benchmarks that bench.c runs, each in a file of its own (inside bench/
 * only). */
#ifndef APP_BENCH_ENTRIES_H
#define APP_BENCH_ENTRIES_H

#include "bench/program.h"

/* Named as in APP_BENCHES; each as the run of struct app_bench_entry. */
#define APP_BENCH_DECLARE(id)                                                                      \
    enum krn_code app_bench_##id(struct app_program *program, FILE *table,                         \
                                 struct app_report *report, bool *right, struct krn_error *error)
APP_BENCH_DECLARE(timer);
APP_BENCH_DECLARE(book);

/* Measures a topic's probes, each verified; otherwise as an entry's run. */
enum krn_code app_bench_topic(enum krn_topic topic, struct app_program *program, FILE *table,
                              struct app_report *report, bool *right, struct krn_error *error);

/* The claims board, judged from what the program measured: printed and added to the report. */
void app_bench_claims(const struct app_program *program, FILE *table, struct app_report *report);

#endif
