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
    const int processes = app_pairs_integer(result->outcome, APP_RESULT_RECORDED);
    return processes > 0 ? (size_t)processes : 0;
}

bool app_result_copied(const struct app_result *result)
{
    const bool doubted = result->trust.reasons & APP_TRUST_BIT(APP_TRUST_RECORDED);
    /* A claim of this device has the reason where it rests on recorded devices as well. */
    return app_result_recorded(result) > 0 || (doubted && strcmp(result->benchmark, "claims") != 0);
}

/* Returns the interval of one process's metric, as it was recorded. */
static struct krn_interval interval_of(const struct app_result_process *process, const char *metric)
{
    char low[96], high[96];
    const bool time = strcmp(metric, "median_ms") == 0;
    snprintf(low, sizeof low, "%.80s_low", metric);
    snprintf(high, sizeof high, "%.80s_high", metric);
    const double from = app_pairs_number(process->metrics, time ? "low_ms" : low, 0),
                 to = app_pairs_number(process->metrics, time ? "high_ms" : high, 0);
    return (struct krn_interval){from > 0 && to >= from, from, to};
}

struct app_estimate app_result_estimate(const struct app_result *result, const char *metric)
{
    struct app_estimate none = {.valid = false};
    double each[KRN_PROCESSES_MAX] = {0};
    for (size_t i = 0; i < result->process_count; i++) {
        each[i] = app_pairs_number(result->processes[i].metrics, metric, 0);
        if (!(each[i] > 0))
            return none;
    }
    const double widen = app_result_widen(result, metric);
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
            return app_pairs_text(result->parameters, "axis") != NULL;
        }
    return false;
}

static void rebuild_probe(const struct app_result *result, enum krn_topic topic,
                          struct krn_probe *probe)
{
    const struct app_pairs p = result->parameters;
    const char *axis = app_pairs_text(p, "axis");
    *probe = (struct krn_probe){
        .topic = topic,
        .axis = axis != NULL ? axis : "",
        .x = axis != NULL ? app_pairs_number(p, axis, 0) : 0,
        .threads = app_pairs_integer(p, "block_threads"),
        .blocks = app_pairs_integer(p, "blocks"),
        .useful_bytes = app_pairs_number(p, "useful_bytes", 0),
        .moved_bytes = app_pairs_number(p, "moved_bytes", 0),
        .sectors = app_pairs_number(p, "sectors_per_request", 0),
        .uniform = app_pairs_number(p, "uniform_share", 0),
        .addresses = app_pairs_number(p, "addresses_per_read", 0),
        .flops = app_pairs_number(p, "flops", 0),
        .double_precision = app_pairs_number(p, "double_precision", 0) > 0,
        .operations = app_pairs_number(p, "operations", 0),
        .steps = app_pairs_number(p, "steps", 0),
        .in_flight_bytes = app_pairs_number(p, "in_flight_bytes", 0),
        .footprint_bytes = app_pairs_number(p, "footprint_bytes", 0),
        .beside_memory = app_pairs_number(p, "beside_memory", 0) > 0,
        .cold = app_pairs_number(p, "cold", 0) > 0,
        .has_cycles = app_pairs_number(result->metrics, "cycles", 0) > 0,
        .scope = result->scope,
    };
    snprintf(probe->series, sizeof probe->series, "%s", result->variant);
}

/* Copies the samples of all processes; returns their number. */
static size_t pool(const struct app_result *result, bool cycles, double *all)
{
    size_t n = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const double *from = cycles ? process->cycles : process->samples_ms;
        for (size_t s = 0; from != NULL && s < process->n; s++)
            all[n++] = from[s];
    }
    return n;
}

/* Sums up times or cycles: the quantiles of all samples, and the centre of the processes' medians.
 */
static void summarise(const struct app_result *result, bool cycles, double *scratch,
                      struct krn_summary *summary, struct krn_interval *interval,
                      double each[KRN_PROCESSES_MAX])
{
    const char *metric = cycles ? app_metric_key(APP_METRIC_CYCLES) : "median_ms";
    const struct app_estimate estimate = app_result_estimate(result, metric);
    const size_t n = pool(result, cycles, scratch);
    *summary = krn_summarise(scratch, n);
    *interval = result->process_count > 1 ? (struct krn_interval){0}
                : n > 0                   ? krn_interval_of(scratch, n)
                                          : interval_of(&result->processes[0], metric);
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
        .tick_ms = app_pairs_number(result->metrics, "tick_ms", 0),
        .overhead_ms = app_pairs_number(result->metrics, "overhead_ms", 0),
        .net_ms = app_pairs_number(result->metrics, "net_ms", 0),
        .trust = result->trust.reasons,
        .verified = result->verified,
        .check = {.compared = result->verified != APP_VERIFIED_UNKNOWN,
                  .wrong = result->verified == APP_VERIFIED_FALSE,
                  .max_error = app_pairs_number(result->metrics, "max_error", 0)},
    };
    for (size_t i = 0; i < result->process_count; i++) {
        to->number[i] = result->processes[i].process;
        to->overhead_each[i] = app_pairs_number(result->processes[i].metrics, "overhead_ms", 0);
    }
    summarise(result, false, scratch, &to->ms, &to->ms_interval, to->ms_each);
    if (probe->has_cycles)
        summarise(result, true, scratch, &to->cycles, &to->cycles_interval, to->cycles_each);
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
            app_pairs_number(probes->of[i]->metrics, app_metric_key(APP_METRIC_OF_PEAK_TIME), 0.0);
        if (at_trial.valid && recorded > 0.0)
            return trial_mhz * at_trial.value / recorded;
    }
    return otherwise;
}

void app_results_probes(const struct app_results *results, struct app_results_probes *probes)
{
    memset(probes, 0, sizeof *probes);
    probes->probes = app_alloc(results->count, sizeof *probes->probes);
    probes->results = app_alloc(results->count, sizeof *probes->results);
    probes->of = app_alloc(results->count, sizeof *probes->of);
    int n = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        enum krn_topic topic;
        if (!app_result_is_probe(result, &topic))
            continue;
        rebuild_probe(result, topic, &probes->probes[n]);
        probes->of[n] = result;
        rebuild_result(result, &probes->probes[n], &probes->results[n]);
        n++;
    }
    probes->view = (struct app_probes_view){
        .device = &results->device,
        .ceilings = results->ceilings,
        .results = probes->results,
        .count = n,
    };
    probes->view.clock_mhz = clock_of(probes, results->telemetry.clock_mhz);
}

/* Appends the probes of `more` that have none of the topics in `topics`. */
static void append(struct app_results_probes *to, const struct app_results_probes *more,
                   unsigned topics)
{
    for (int i = 0; i < more->view.count; i++) {
        const int at = to->view.count;
        if ((1u << more->probes[i].topic) & topics)
            continue;
        to->probes[at] = more->probes[i];
        to->results[at] = more->results[i];
        to->results[at].probe = &to->probes[at];
        to->of[at] = more->of[i];
        to->view.count++;
    }
}

void app_results_probes_add(struct app_results_probes *probes, const struct app_results *results)
{
    struct app_results_probes more;
    app_results_probes(results, &more);
    if (probes->view.count == 0) {
        app_results_probes_free(probes);
        *probes = more;
        return;
    }
    const size_t most = (size_t)probes->view.count + (size_t)more.view.count;
    struct app_results_probes joined = {.view = probes->view,
                                        .probes = app_alloc(most, sizeof *joined.probes),
                                        .results = app_alloc(most, sizeof *joined.results),
                                        .of = app_alloc(most, sizeof *joined.of)};
    joined.view.results = joined.results;
    joined.view.count = 0;
    unsigned topics = 0;
    append(&joined, probes, topics);
    for (int i = 0; i < probes->view.count; i++)
        topics |= 1u << probes->probes[i].topic;
    append(&joined, &more, topics);
    app_results_probes_free(probes);
    *probes = joined;
    app_results_probes_free(&more);
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
    return krn_tick_fraction(app_pairs_number(result->metrics, "tick_ms", 0.0),
                             app_pairs_number(result->metrics, "median_ms", 0.0));
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
