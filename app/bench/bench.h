/* app/bench/bench.h - the benchmarks of --bench: measures each and adds its results to a report. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "bench/program.h"

/* Returns about how many seconds the benchmarks that run.bench names take without --seconds. */
double app_bench_expected_s(const struct app_run *run);

/* Runs the benchmarks that run.bench names, within run.seconds. A benchmark that this backend does
 * not offer is skipped with a note in the report under "all"; when named, it is an error
 * (KRN_UNAVAILABLE). */
enum krn_code app_bench_run(struct app_program *program, struct app_report *report,
                            struct krn_error *error);

#endif
