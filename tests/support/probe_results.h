/* tests/support/probe_results.h - results of probes that tests make up and change. */
#pragma once

#include "model/probe_result.h"

#include <string.h>

enum { TEST_PROCESSES = 10, TEST_PAIRS = 8 };

/* What the result of a probe points to. */
struct test_measured {
    struct krn_probe probe;
    struct app_result_process processes[TEST_PROCESSES];
    struct app_pair pairs[TEST_PROCESSES][TEST_PAIRS];
};

/* Returns a metric of a process, which is appended if it is missing; of process 0 also a metric of
 * the result. end: of its interval, 'l' or 'h'; else 0. */
static inline double *test_metric_of(struct app_result *result, size_t process,
                                     enum app_member metric, char end)
{
    struct app_result_process *of = (struct app_result_process *)&result->processes[process];
    struct app_pair *pairs = (struct app_pair *)of->metrics.pairs;
    const char *key = end != 0 ? app_member_bound(metric, end == 'h') : app_members[metric].key;
    size_t i = 0;
    while (i < of->metrics.count && pairs[i].key != key)
        i++;
    if (i == of->metrics.count) {
        pairs[i] = (struct app_pair){.key = key};
        of->metrics.count++;
    }
    if (process == 0)
        result->metrics = of->metrics;
    return &pairs[i].number;
}

static inline double *test_metric(struct app_result *result, enum app_member metric)
{
    return test_metric_of(result, 0, metric, 0);
}

/* Sets a metric's interval, and the one for the board; of low 0 it is not valid. */
static inline void test_interval(struct app_result *result, enum app_member metric, double low,
                                 double high)
{
    *test_metric_of(result, 0, metric, 'l') = low;
    *test_metric_of(result, 0, metric, 'h') = high;
    *(metric == APP_M_CYCLES ? &result->board_cycles : &result->board_ms) =
        (struct krn_interval){low > 0, low, high};
}

/* Multiplies a metric and its interval. */
static inline void test_scale(struct app_result *result, enum app_member metric, double by)
{
    *test_metric(result, metric) *= by;
    test_interval(result, metric, *test_metric_of(result, 0, metric, 'l') * by,
                  *test_metric_of(result, 0, metric, 'h') * by);
}

static inline void test_samples(struct app_result *result, size_t n)
{
    ((struct app_result_process *)result->processes)[0].n = n;
}

/* Makes a verified result of one process, whose intervals reach these shares below and above the
 * medians. cycles 0: they are not counted. */
static inline struct app_result *test_measure(struct app_result *result, struct test_measured *room,
                                              const struct krn_probe *probe, size_t n, double ms,
                                              double cycles, double below, double above)
{
    memset(room, 0, sizeof *room);
    room->probe = *probe;
    for (int p = 0; p < TEST_PROCESSES; p++) {
        room->processes[p].process = p + 1;
        room->processes[p].metrics.pairs = room->pairs[p];
    }
    *result = (struct app_result){.benchmark = krn_topic_name(probe->topic),
                                  .variant = room->probe.series,
                                  .verified = APP_VERIFIED_TRUE,
                                  .processes = room->processes,
                                  .process_count = 1,
                                  .probe = &room->probe};
    test_samples(result, n);
    *test_metric(result, APP_M_MEDIAN_MS) = ms;
    test_interval(result, APP_M_MEDIAN_MS, (1.0 - below) * ms, (1.0 + above) * ms);
    if (cycles > 0.0) {
        *test_metric(result, APP_M_CYCLES) = cycles;
        test_interval(result, APP_M_CYCLES, (1.0 - below) * cycles, (1.0 + above) * cycles);
    }
    return result;
}
