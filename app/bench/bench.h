/* app/bench/bench.h - the benchmarks of --bench: measures each and adds its results to a report. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "bench/program.h"

#include "krn/probe.h"

struct app_bench_entry {
    const char *name;     /* the name that --bench takes */
    const char *what;     /* one line for the help */
    enum krn_topic topic; /* measured when run is NULL */
    /* Measures and adds the results to report. Errors: KRN_UNAVAILABLE (this backend does not offer
     * it). */
    enum krn_code (*run)(struct app_program *program, struct app_report *report,
                         struct krn_error *error);
};

/* Returns the benchmarks in the order of APP_BENCHES. */
const struct app_bench_entry *app_benches(size_t *count);

/* Returns about how many seconds the benchmarks that run.bench names take without --seconds. */
double app_bench_expected_s(const struct app_run *run);

/* Runs the benchmarks that run.bench names, within run.seconds. A benchmark that this backend does
 * not offer is skipped with a note in the report under "all"; when named, it is an error
 * (KRN_UNAVAILABLE). */
enum krn_code app_bench_run(struct app_program *program, struct app_report *report,
                            struct krn_error *error);

/* Each is the `run` of a struct app_bench_entry, named as in APP_BENCHES. */
#define APP_BENCH_DECLARE(id)                                                                      \
    enum krn_code app_bench_##id(struct app_program *program, struct app_report *report,           \
                                 struct krn_error *error)
APP_BENCH_DECLARE(book);

/* Measures and verifies a topic's probes; parameters and errors are those of an entry's run. */
enum krn_code app_bench_topic(enum krn_topic topic, struct app_program *program,
                              struct app_report *report, struct krn_error *error);

#endif
