/* app/model/results.c - finds results, reads their metrics, and rebuilds probes from a record. */
#include "model/model.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
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

/* Returns the interval of one process's metric, as it was recorded. */
static struct krn_interval interval_of(const struct app_result_process *process,
                                       enum app_member metric)
{
    char low[APP_BOUND_KEY], high[APP_BOUND_KEY];
    app_bound_key(app_members[metric].key, false, low);
    app_bound_key(app_members[metric].key, true, high);
    const double from = app_pairs_number(process->metrics, low, 0),
                 to = app_pairs_number(process->metrics, high, 0);
    return (struct krn_interval){from > 0 && to >= from, from, to};
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
            : app_estimate_of_run(each[0], interval_of(&result->processes[0], metric), 0);
    /* The recorded interval of a run has been widened already. */
    estimate.widen = widen;
    estimate.trust = result->trust.reasons;
    estimate.copied = app_result_copied(result);
    estimate.recorded = app_result_recorded(result);
    for (size_t i = 0; i < estimate.processes; i++)
        estimate.number[i] = result->processes[i].process;
    return estimate;
}

/* --- probes --- */

bool app_result_is_probe(const struct app_result *result, enum krn_topic *topic)
{
    for (int i = 0; i < KRN_TOPIC_COUNT; i++)
        if (strcmp(result->benchmark, krn_topic_name((enum krn_topic)i)) == 0) {
            *topic = (enum krn_topic)i;
            return app_result_text(result, APP_P_AXIS) != NULL;
        }
    return false;
}

static void rebuild_probe(const struct app_result *result, enum krn_topic topic,
                          struct krn_probe *probe)
{
    const char *axis = app_result_text(result, APP_P_AXIS);
    *probe = (struct krn_probe){
        .topic = topic,
        .axis = axis != NULL ? axis : "",
        .x = axis != NULL ? app_pairs_number(result->parameters, axis, 0) : 0,
        .has_cycles = app_result_number(result, APP_M_CYCLES, 0) > 0,
        .scope = result->scope,
    };
    app_result_fields(result, &app_fields_of_probe, probe);
    snprintf(probe->series, sizeof probe->series, "%s", result->variant);
}

/* Sums up times or cycles: the quantiles of all samples, and the centre of the processes' medians.
 */
static void summarise(const struct app_result *result, bool cycles, double *scratch,
                      struct krn_summary *summary, struct krn_interval *interval,
                      struct krn_interval *board, double each[KRN_PROCESSES_MAX])
{
    const enum app_member metric = cycles ? APP_M_CYCLES : APP_M_MEDIAN_MS;
    const struct app_estimate estimate = app_result_metric(result, metric);
    const size_t n = app_result_pool(result, cycles, scratch);
    *summary = krn_summarise(scratch, n);
    *interval = result->process_count > 1 ? (struct krn_interval){0}
                : n > 0                   ? krn_interval_of(scratch, n)
                                          : interval_of(&result->processes[0], metric);
    *board = app_board_interval(scratch, result->process_count > 1 ? 0 : n);
    if (!estimate.valid)
        return;
    if (n == 0)
        *summary = (struct krn_summary){.n = app_result_samples(result),
                                        .min = estimate.value,
                                        .p5 = estimate.value,
                                        .p95 = estimate.value,
                                        .max = estimate.value};
    summary->median = estimate.value;
    for (size_t i = 0; i < estimate.processes; i++)
        each[i] = estimate.each[i];
}

static void rebuild_result(const struct app_result *result, const struct krn_probe *probe,
                           struct app_probe_result *to)
{
    const size_t n = app_result_samples(result);
    double *scratch = app_alloc(n, sizeof *scratch);
    *to = (struct app_probe_result){
        .probe = probe,
        .n = n,
        .processes = result->process_count,
        .tick_ms = app_result_number(result, APP_M_TICK_MS, 0),
        .overhead_ms = app_result_number(result, APP_M_OVERHEAD_MS, 0),
        .trust = result->trust.reasons,
        .verified = result->verified,
        .check = {.compared = result->verified != APP_VERIFIED_UNKNOWN,
                  .wrong = result->verified == APP_VERIFIED_FALSE,
                  .max_error = app_result_number(result, APP_M_MAX_ERROR, 0)},
    };
    for (size_t i = 0; i < result->process_count; i++) {
        to->number[i] = result->processes[i].process;
        to->overhead_each[i] = app_process_number(&result->processes[i], APP_M_OVERHEAD_MS, 0);
    }
    summarise(result, false, scratch, &to->ms, &to->ms_interval, &to->ms_board, to->ms_each);
    if (probe->has_cycles)
        summarise(result, true, scratch, &to->cycles, &to->cycles_interval, &to->cycles_board,
                  to->cycles_each);
    free(scratch);
}

/* Returns the multiprocessors' clock while the probes ran, from a recorded percentage of the peak
 * by time, which is inversely proportional to it. The record's telemetry is of another moment, at
 * which the device may have idled. */
static double clock_of(const struct app_results_probes *probes, double otherwise)
{
    const double trial_mhz = 1000.0;
    struct app_probes_view view = probes->view;
    view.clock_mhz = trial_mhz;
    for (int i = 0; i < view.count; i++) {
        const struct app_estimate at_trial =
            app_metric_of(&view, &view.results[i], APP_METRIC_OF_PEAK_TIME);
        const double recorded =
            app_result_number(probes->of[i], APP_M_OF_PEAK_BY_TIME_PERCENT, 0.0);
        if (at_trial.valid && recorded > 0.0)
            return trial_mhz * at_trial.value / recorded;
    }
    return otherwise;
}

void app_results_probes(const struct app_results *records, size_t count,
                        struct app_results_probes *probes)
{
    size_t most = 0;
    unsigned topics = 0;
    for (size_t f = 0; f < count; f++)
        most += records[f].count;
    *probes = (struct app_results_probes){.probes = app_alloc(most, sizeof *probes->probes),
                                          .results = app_alloc(most, sizeof *probes->results),
                                          .of = app_alloc(most, sizeof *probes->of)};
    struct app_probes_view *view = &probes->view;
    view->results = probes->results;
    for (size_t f = 0; f < count; f++) {
        const bool first = view->count == 0;
        unsigned own = 0;
        for (size_t i = 0; i < records[f].count; i++) {
            const struct app_result *result = &records[f].results[i];
            enum krn_topic topic;
            if (!app_result_is_probe(result, &topic) || ((1u << topic) & topics))
                continue;
            rebuild_probe(result, topic, &probes->probes[view->count]);
            rebuild_result(result, &probes->probes[view->count], &probes->results[view->count]);
            probes->of[view->count++] = result;
            own |= 1u << topic;
        }
        topics |= own;
        if (!first)
            continue;
        view->device = &records[f].device;
        view->ceilings = records[f].ceilings;
        view->clock_mhz = clock_of(probes, records[f].telemetry.clock_mhz);
    }
}

void app_results_probes_free(struct app_results_probes *probes)
{
    free(probes->probes);
    free(probes->results);
    free(probes->of);
    memset(probes, 0, sizeof *probes);
}

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
