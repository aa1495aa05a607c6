/* records.h - records of simulated processes, through the program's own writer and reader. */
#pragma once

#include "model/model.h"
#include "records/io.h"

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

/* Begins the record of a state on that GPU. */
static inline struct app_results test_record_begin(const struct app_state *state)
{
    struct app_results results;
    app_results_begin(&results, test_environment());
    results.has_device = true;
    results.device = test_gpu();
    results.telemetry = (struct krn_telemetry_reading){.valid = true, .clock_mhz = 1980};
    snprintf(results.telemetry.driver, sizeof results.telemetry.driver, "580.1");
    app_results_set_state(&results, state, NULL, NULL);
    return results;
}

/* Returns the text of a record, which ends. */
static inline char *test_record_end(struct app_results *results)
{
    char *text = app_results_text(results);
    app_results_free(results);
    return text;
}

/* Reads a record to go on with it. */
static inline struct app_results test_record_of(const char *text)
{
    struct app_results results;
    TEST_OK(app_results_read(text, strlen(text), "a record", &results, &error));
    return results;
}

/* Returns a record of the modes that a state renders, to be freed. */
static inline char *test_record(const struct app_state *state, const struct test_mode *modes,
                                size_t count)
{
    struct app_results results = test_record_begin(state);
    for (size_t i = 0; i < count; i++) {
        const struct test_mode *mode = &modes[i];
        const struct krn_summary s = krn_summarise(mode->samples_ms, mode->n);
        const char *const id[] = {mode->trust};
        struct app_draft draft;
        app_draft_begin(&draft, &results, "raytrace", mode->variant, KRN_BACKEND_CUDA);
        app_put_workload(&draft, state, app_state_view(state), "0123456789abcdef",
                         state->spec.recipe.count);
        app_put_interval(
            &draft, APP_M_MEDIAN_MS, s.median,
            krn_interval_widen(krn_interval_of(mode->samples_ms, mode->n), mode->tick_ms));
        app_put_fields(&draft, &app_fields_of_times, &s);
        app_put_known(&draft, APP_M_TICK_MS, mode->tick_ms);
        if (krn_kernel_known(test_kernel))
            app_put_fields(&draft, &app_fields_of_kernel, test_kernel);
        draft.measured.samples_ms = mode->samples_ms;
        draft.measured.n = mode->n;
        draft.measured.stop = "narrow";
        draft.result.regime = "idle";
        draft.result.scope = "the kernel alone";
        draft.result.verified = mode->verified;
        draft.result.verified_reason =
            mode->verified == APP_VERIFIED_FALSE ? "3 pixels differ" : NULL;
        draft.result.trust.reasons = mode->trust != NULL ? app_trust_of_id(mode->trust) : 0;
        if (mode->trust != NULL && draft.result.trust.reasons == 0)
            draft.result.trust.others = (struct app_texts){id, 1};
        app_results_add(&results, &draft.result);
    }
    return test_record_end(&results);
}

/* Merges the records of processes from their texts. *merged: its text, to be freed. */
static inline enum krn_code test_merge(const char *const *records, size_t count,
                                       const struct app_merge_run *run, char **merged)
{
    struct app_results *read = test_alloc((count > 0 ? count : 1) * sizeof *read), all;
    enum krn_code code = KRN_OK;
    *merged = NULL;
    memset(read, 0, (count > 0 ? count : 1) * sizeof *read);
    for (size_t i = 0; i < count && code == KRN_OK; i++) {
        char source[32];
        snprintf(source, sizeof source, "process %d",
                 run->process != NULL ? run->process[i] : (int)i + 1);
        code = app_results_read(records[i], strlen(records[i]), source, &read[i], &error);
    }
    if (code == KRN_OK)
        code = app_results_merge(read, count, run, &all, &error);
    if (code == KRN_OK)
        *merged = test_record_end(&all);
    for (size_t i = 0; i < count; i++)
        app_results_free(&read[i]);
    free(read);
    return code;
}

/* Merges records of processes, which it frees. */
static inline char *test_joined(char **records, const struct app_merge_run *run)
{
    static char *merged; /* gcc 12 takes what points into a local one for dangling */
    const size_t count = (size_t)run->processes_asked - run->failed_count;
    TEST_OK(test_merge((const char *const *)records, count, run, &merged));
    for (size_t i = 0; i < count; i++)
        free(records[i]);
    return merged;
}

enum { TEST_SPREAD = 21 };

/* Fills samples a thousandth apart, whose median is `median`. */
static inline const double *test_spread(double samples[TEST_SPREAD], double median)
{
    for (int i = 0; i < TEST_SPREAD; i++)
        samples[i] = median * (1.0 + 0.001 * (i - TEST_SPREAD / 2));
    return samples;
}
