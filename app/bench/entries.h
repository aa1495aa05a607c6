/* app/bench/entries.h - the functions behind the table in bench.c, one file each (inside bench/
 * only). */
#ifndef APP_BENCH_ENTRIES_H
#define APP_BENCH_ENTRIES_H

#include "bench/program.h"

#include "krn/probe.h"

/* Each is the `run` of a struct app_bench_entry, named as in APP_BENCHES. */
#define APP_BENCH_DECLARE(id)                                                                      \
    enum krn_code app_bench_##id(struct app_program *program, struct app_report *report,           \
                                 struct krn_error *error)
APP_BENCH_DECLARE(book);

/* Measures and verifies a topic's probes; parameters and errors are those of an entry's run. */
enum krn_code app_bench_topic(enum krn_topic topic, struct app_program *program,
                              struct app_report *report, struct krn_error *error);

#endif
