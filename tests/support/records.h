/* records.h - writes records of simulated processes, through the program's own writer. */
#ifndef TEST_RECORDS_H
#define TEST_RECORDS_H

#include "record/record.h"

#include "krn/interval.h"
#include "krn/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files.h"

/* What one process measures of one mode. */
struct test_mode {
    const char *variant;
    const double *samples_ms;
    size_t n;
    enum app_verified verified;
    const char *trust; /* an id; NULL: none */
    double tick_ms;    /* 0: unknown */
};

/* The kernel behind every mode; NULL: not known. */
static const struct krn_kernel_attributes *test_kernel;

/* Returns the environment of a run without options, collected once: that takes longer than all else
 * in these tests. */
static inline const struct app_environment *test_environment(void)
{
    static char *const argv[] = {(char *)"spherescope"};
    static struct app_environment environment;
    if (environment.argc == 0)
        app_environment_collect(&environment, 1, argv);
    return &environment;
}

/* Returns a simulated GPU. */
static inline struct krn_device_info test_gpu(void)
{
    return (struct krn_device_info){.backend = KRN_BACKEND_CUDA,
                                    .name = "A GPU",
                                    .driver = "13.0",
                                    .runtime = "13.0",
                                    .pci_id = "n/a",
                                    .clock = "CUDA events"};
}

/* Returns the text of a record, which ends. */
static inline char *test_record_end(struct app_record *record)
{
    char *text = app_record_text(record);
    assert_non_null(text);
    app_record_free(record);
    return text;
}

/* Returns a record of the modes that a state renders, to be freed. */
static inline char *test_record(const struct app_state *state, const struct test_mode *modes,
                                size_t count)
{
    const struct krn_device_info device = test_gpu();
    struct krn_telemetry_reading telemetry = {.valid = true, .clock_mhz = 1980};
    snprintf(telemetry.driver, sizeof telemetry.driver, "580.1");
    const struct app_record_machine machine = {
        .environment = test_environment(), .device = &device, .telemetry = &telemetry};
    struct app_record *record = app_record_new(&machine, state);
    struct app_workload workload;
    assert_non_null(record);
    app_workload_describe(&workload, state, app_state_view(state), "0123456789abcdef",
                          state->recipe.count);
    for (size_t i = 0; i < count; i++) {
        const struct test_mode *mode = &modes[i];
        const struct krn_summary s = krn_summarise(mode->samples_ms, mode->n);
        const struct krn_interval interval =
            krn_interval_widen(krn_interval_of(mode->samples_ms, mode->n), mode->tick_ms);
        const struct app_pair metrics[] = {
            {"median_ms", s.median, NULL},
            {"low_ms", interval.valid ? interval.low : NAN, NULL},
            {"high_ms", interval.valid ? interval.high : NAN, NULL},
            {"p5_ms", s.p5, NULL},
            {"p95_ms", s.p95, NULL},
            {"min_ms", s.min, NULL},
            {"max_ms", s.max, NULL},
            {"n", (double)s.n, NULL},
            {"tick_ms", mode->tick_ms > 0.0 ? mode->tick_ms : NAN, NULL},
        };
        struct app_pair outcome[APP_KERNEL_PAIRS];
        const struct app_result result = {
            .benchmark = "raytrace",
            .outcome = outcome,
            .outcome_count = app_kernel_pairs(test_kernel, outcome),
            .variant = mode->variant,
            .backend = KRN_BACKEND_CUDA,
            .regime = "idle",
            .workload = workload.pairs,
            .workload_count = workload.count,
            .metrics = metrics,
            .metric_count = sizeof metrics / sizeof *metrics,
            .scope = "the kernel alone",
            .samples_ms = mode->samples_ms,
            .sample_count = mode->n,
            .verified = mode->verified,
            .verified_reason = mode->verified == APP_VERIFIED_FALSE ? "3 pixels differ" : NULL,
            .trust = &mode->trust,
            .trust_count = mode->trust != NULL,
            .stop = "narrow",
            .complete = true,
        };
        app_record_add(record, &result);
    }
    return test_record_end(record);
}

#endif
