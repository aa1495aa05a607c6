/* app/model/results.c - finds results, reads their metrics, and rebuilds probes from a record. */
#include "model/model.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- results --- */

const struct app_result *app_results_find(const struct app_results *results, size_t from,
                                          const char *benchmark, const char *variant)
{
    if (variant == NULL) {
        for (size_t i = from; i < results->count; i++)
            if (strcmp(results->results[i].benchmark, benchmark) == 0)
                return &results->results[i];
        return NULL;
    }
    size_t low = 0, high = results->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct app_result *at = results->by_name[middle];
        const int by_benchmark = strcmp(at->benchmark, benchmark),
                  order = by_benchmark != 0 ? by_benchmark : strcmp(at->variant, variant);
        if (order < 0 || (order == 0 && (size_t)(at - results->results) < from))
            low = middle + 1;
        else
            high = middle;
    }
    const struct app_result *found = low < results->count ? results->by_name[low] : NULL;
    return found != NULL && strcmp(found->benchmark, benchmark) == 0 &&
                   strcmp(found->variant, variant) == 0
               ? found
               : NULL;
}

const struct app_result *app_results_find_key(const struct app_results *results, const char *key)
{
    size_t low = 0, high = results->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(results->by_key[middle]->key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct app_result *found = low < results->count ? results->by_key[low] : NULL;
    return found != NULL && strcmp(found->key, key) == 0 ? found : NULL;
}

size_t app_result_recorded(const struct app_result *result)
{
    const int processes = app_result_integer(result, APP_O_RECORDED_PROCESSES);
    return processes > 0 ? (size_t)processes : 0;
}

bool app_result_copied(const struct app_result *result)
{
    const bool doubted = result->trust.reasons & APP_TRUST_BIT(APP_TRUST_RECORDED);
    /* A claim of this device has the reason where it rests on recorded devices as well. */
    return app_result_recorded(result) > 0 || (doubted && strcmp(result->benchmark, "claims") != 0);
}

struct app_estimate app_result_metric(const struct app_result *result, enum app_member metric)
{
    struct app_estimate none = {.valid = false};
    double each[KRN_PROCESSES_MAX] = {0};
    for (size_t i = 0; i < result->process_count; i++) {
        each[i] = app_process_number(&result->processes[i], metric, 0);
        if (!(each[i] > 0))
            return none;
    }
    const double widen = app_result_widen(result, app_members[metric].key);
    struct app_estimate estimate =
        result->process_count > 1
            ? app_estimate_of_processes(each, result->process_count, widen)
            : app_estimate_of_run(each[0], app_process_interval(&result->processes[0], metric), 0);
    /* The recorded interval of a run has been widened already. */
    estimate.widen = widen;
    estimate.trust = result->trust.reasons;
    estimate.copied = app_result_copied(result);
    estimate.recorded = app_result_recorded(result);
    for (size_t i = 0; i < estimate.processes; i++)
        estimate.number[i] = result->processes[i].process;
    return estimate;
}

/* --- the book --- */

/* Returns the samples that both processes have. */
static size_t common(const struct app_result_process *a, const struct app_result_process *b)
{
    return a->n < b->n ? a->n : b->n;
}

/* Returns the geometric mean of the ratios of one process. */
static double ratio_of(const struct app_result_process *a, const struct app_result_process *b)
{
    const size_t n = common(a, b);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += log(a->samples_ms[i] / b->samples_ms[i]);
    return n > 0 ? exp(sum / (double)n) : 0.0;
}

/* Returns half the clock's tick as a fraction of the time. */
static double tick_share(const struct app_result *result)
{
    return krn_tick_fraction(app_result_number(result, APP_M_TICK_MS, 0.0),
                             app_result_number(result, APP_M_MEDIAN_MS, 0.0));
}

struct app_estimate app_results_book_ratio(const struct app_result *global,
                                           const struct app_result *other)
{
    struct app_estimate ratio = {.valid = false};
    double each[KRN_PROCESSES_MAX];
    size_t n = 0;
    if (!global || !other)
        return ratio;
    const struct app_result_process *a = global->processes, *b = other->processes;
    if (global->process_count > 1 || other->process_count > 1) {
        for (size_t i = 0; i < global->process_count; i++)
            if ((b = app_result_process(other, a[i].process)) != NULL)
                each[n++] = ratio_of(&a[i], b);
    } else {
        for (; n < common(a, b) && n < KRN_PROCESSES_MAX; n++)
            each[n] = a->samples_ms[n] / b->samples_ms[n];
    }
    for (size_t i = 0; i < n; i++)
        if (!(each[i] > 0.0) || !isfinite(each[i]))
            return ratio;
    if (n > 0)
        ratio = app_estimate_of_processes(each, n, tick_share(global) + tick_share(other));
    ratio.trust = global->trust.reasons | other->trust.reasons;
    return ratio;
}
