/* app/model/probe_result.c - derives the metrics of probes from their samples, by one table. */
#include "model/probe_result.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The t of a metric: the time in ms, the cycles, or the time without the overhead. */
enum basis { OF_TIME, OF_CYCLES, OF_NET };

/* Definition of a metric: value = factor * t or factor / t, where t is a probe's time or cycles. */
struct definition {
    enum app_member metric;
    enum basis of;
    bool is_rate;     /* value = factor / t */
    const char *unit; /* NULL: a time in ms */
    const char *words;
    double scale; /* converts the value into a count per second; 0: the value is not such a rate */
};

static const struct definition definitions[APP_PROBE_METRICS] = {
    {APP_M_MEDIAN_MS, OF_TIME, false, NULL, "ms", 0.0},
    {APP_M_EFFECTIVE_GBPS, OF_TIME, true, "B/s", "GB/s", 1e9},
    {APP_M_MOVED_GBPS, OF_TIME, true, "B/s", "GB/s moved", 1e9},
    {APP_M_OF_THEORETICAL_PERCENT, OF_TIME, true, "%",
     "percent of the memory's theoretical bandwidth", 0.0},
    {APP_M_GFLOPS, OF_TIME, true, "FLOP/s", "GFLOP/s", 1e9},
    {APP_M_OF_PEAK_PERCENT, OF_CYCLES, true, "%",
     "percent of one multiprocessor's peak, in its cycles", 0.0},
    {APP_M_OF_PEAK_BY_TIME_PERCENT, OF_TIME, true, "%", "percent of the peak, by events", 0.0},
    {APP_M_OF_PEAK_NET_PERCENT, OF_NET, true, "%", "percent of the peak, by events net of overhead",
     0.0},
    {APP_M_OF_COMPUTED_PEAK_PERCENT, OF_TIME, true, "%",
     "percent of the computed peak at the greatest clock", 0.0},
    {APP_M_CYCLES, OF_CYCLES, false, "cycles", "cycles", 0.0},
    {APP_M_CYCLES_PER_STEP, OF_CYCLES, false, "cycles", "cycles per step", 0.0},
    {APP_M_NS_PER_STEP, OF_TIME, false, "ns", "ns per step", 0.0},
    {APP_M_GOPS, OF_TIME, true, "op/s", "Gop/s", 1e9},
    {APP_M_NET_MS, OF_NET, false, NULL, "ms, net of overhead", 0.0},
    {APP_M_CYCLES_OVER_CLOCK_MS, OF_CYCLES, false, NULL, "ms, cycles over the clock", 0.0},
};

enum app_member app_probe_metric(int i)
{
    return definitions[i].metric;
}

static const struct definition *definition_of(enum app_member metric)
{
    int i = 0;
    while (i < APP_PROBE_METRICS - 1 && definitions[i].metric != metric)
        i++;
    return &definitions[i];
}

/* Returns the factor of a metric; 0: it does not apply to the probe, or is not known. */
static double factor_of(enum app_member metric, const struct app_probes_view *view,
                        const struct krn_probe *probe)
{
    const struct krn_ceilings *most = &view->ceilings;
    const bool dual = probe->double_precision;
    const double clock = view->clock_mhz > 0.0 ? view->clock_mhz : view->device->clock_max_mhz,
                 busy = fmin(probe->blocks, view->device->processors), /* multiprocessors */
        per_cycle = dual ? most->dfma_per_cycle : most->fma_per_cycle,
                 gflops = dual ? most->gflops_double : most->gflops;
    /* The cycles that the multiply-adds need at the peak of one multiprocessor, times 100. */
    const double at_peak = per_cycle > 0.0 ? probe->flops / 2.0 / per_cycle * 100.0 : 0.0,
                 step = probe->steps > 0.0 ? 1.0 / probe->steps : 0.0;
    switch (metric) {
    case APP_M_EFFECTIVE_GBPS:
        return probe->useful_bytes / 1e6;
    case APP_M_MOVED_GBPS:
        return probe->moved_bytes / 1e6;
    case APP_M_OF_THEORETICAL_PERCENT:
        return most->bandwidth_gbps > 0.0 && !probe->beside_memory
                   ? probe->useful_bytes / 1e6 / most->bandwidth_gbps * 100.0
                   : 0.0;
    case APP_M_GFLOPS:
        return probe->flops / 1e6;
    case APP_M_GOPS:
        return probe->operations / 1e6;
    case APP_M_OF_PEAK_PERCENT:
        return at_peak;
    case APP_M_OF_PEAK_BY_TIME_PERCENT:
    case APP_M_OF_PEAK_NET_PERCENT:
        return clock > 0.0 && busy > 0.0 ? at_peak / (clock * 1e3 * busy) : 0.0;
    case APP_M_OF_COMPUTED_PEAK_PERCENT: /* of probes that run on every multiprocessor */
        return gflops > 0.0 && probe->blocks >= view->device->processors
                   ? probe->flops / 1e6 / gflops * 100.0
                   : 0.0;
    case APP_M_CYCLES_PER_STEP:
        return step;
    case APP_M_NS_PER_STEP:
        return 1e6 * step;
    case APP_M_CYCLES_OVER_CLOCK_MS:
        return clock > 0.0 ? 1.0 / (clock * 1e3) : 0.0;
    default: /* the time or the cycles themselves */
        return 1.0;
    }
}

const char *app_metric_words(enum app_member metric)
{
    return definition_of(metric)->words;
}

/* Returns a probe's time in ms, or its cycles, less what an empty kernel takes. */
static struct app_estimate less_overhead(const struct app_result *result, bool cycles,
                                         double overhead, double level)
{
    const enum app_member member = cycles ? APP_M_CYCLES : APP_M_MEDIAN_MS;
    const struct app_result_process *processes = result->processes;
    const double value = app_result_number(result, member, 0.0) - overhead,
                 tick = cycles ? 0.0 : app_result_number(result, APP_M_TICK_MS, 0.0);
    double net[KRN_PROCESSES_MAX];
    if (!(value > 0.0))
        return (struct app_estimate){.valid = false};
    if (result->process_count < 2) {
        const struct krn_interval *board = cycles ? &result->board_cycles : &result->board_ms,
                                  i = level > 0.0 ? krn_interval_widen(*board, tick)
                                                  : app_process_interval(processes, member);
        struct app_estimate estimate = app_estimate_of_run(
            value, (struct krn_interval){i.valid, i.low - overhead, i.high - overhead}, 0.0);
        estimate.widen = krn_tick_fraction(tick, value);
        return app_estimate_at(estimate, level);
    }
    for (size_t p = 0; p < result->process_count; p++)
        net[p] =
            app_process_number(&processes[p], member, 0.0) -
            (overhead > 0.0 ? app_process_number(&processes[p], APP_M_OVERHEAD_MS, overhead) : 0.0);
    struct app_estimate estimate =
        app_estimate_of_processes(net, result->process_count, krn_tick_fraction(tick, value));
    for (size_t p = 0; p < estimate.processes; p++)
        estimate.number[p] = processes[p].process;
    return app_estimate_at(estimate, level);
}

struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_result *result, enum app_member metric)
{
    const struct definition *definition = definition_of(metric);
    const struct app_estimate none = {.valid = false};
    if (result == NULL || app_result_samples(result) == 0)
        return none;
    const bool net = definition->of == OF_NET;
    const double overhead = net ? app_result_number(result, APP_M_OVERHEAD_MS, 0.0) : 0.0,
                 factor = factor_of(metric, view, result->probe);
    if (!(factor > 0.0) || (net && !(overhead > 0.0)))
        return none;
    struct app_estimate estimate =
        less_overhead(result, definition->of == OF_CYCLES, overhead, view->level);
    if (!estimate.valid)
        return none;
    estimate.trust = result->trust.reasons;
    return definition->is_rate ? app_estimate_into(factor, estimate)
                               : app_estimate_times(estimate, factor);
}

struct app_form app_metric_form(enum app_member metric, double like)
{
    const struct definition *definition = definition_of(metric);
    return (struct app_form){.quantity = definition->unit == NULL  ? APP_QUANTITY_TIME
                                         : definition->scale > 0.0 ? APP_QUANTITY_RATE
                                                                   : APP_QUANTITY_NUMBER,
                             .unit = definition->unit,
                             .scale = definition->scale,
                             .like = like};
}

/* --- the probes of a device --- */

/* Returns the multiprocessors' clock while the probes ran, from a recorded percentage of the peak
 * by time, which is inversely proportional to it. The record's telemetry is of another moment, at
 * which the device may have idled. */
static double clock_of(struct app_probes_view view, double otherwise)
{
    view.clock_mhz = 1000.0; /* a trial */
    for (int i = 0; i < view.count; i++) {
        const struct app_result *result = &view.results[i];
        const struct app_estimate at_trial =
            app_metric_of(&view, result, APP_M_OF_PEAK_BY_TIME_PERCENT);
        const double recorded = app_result_number(result, APP_M_OF_PEAK_BY_TIME_PERCENT, 0.0);
        if (at_trial.valid && recorded > 0.0)
            return view.clock_mhz * at_trial.value / recorded;
    }
    return otherwise;
}

/* Returns true when no other record, newer or as new and before it, has the topic. */
static bool is_newest(const struct app_results *records, size_t count, size_t of, int topic)
{
    for (size_t f = 0; f < count; f++) {
        const int newer = strcmp(records[f].time_utc, records[of].time_utc);
        if (f == of || records[f].device.backend != records[of].device.backend || newer < 0 ||
            (newer == 0 && f > of))
            continue;
        for (size_t i = 0; i < records[f].count; i++)
            if (records[f].results[i].probe && (int)records[f].results[i].probe->topic == topic)
                return false;
    }
    return true;
}

struct app_result *app_results_probes(const struct app_results *records, size_t count,
                                      struct app_probes_view *view)
{
    size_t most = 0;
    for (size_t f = 0; f < count; f++)
        most += records[f].count;
    struct app_result *probes = krn_alloc(most, sizeof *probes);
    *view = (struct app_probes_view){.results = probes};
    for (size_t f = 0; f < count; f++) {
        const bool first = view->count == 0;
        unsigned newest = 0;
        for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
            newest |= (unsigned)is_newest(records, count, f, topic) << topic;
        for (size_t i = 0; i < records[f].count; i++) {
            const struct app_result *result = &records[f].results[i];
            if (result->probe && (1u << result->probe->topic & newest))
                probes[view->count++] = *result;
        }
        if (!first)
            continue;
        view->device = &records[f].device;
        view->ceilings = records[f].ceilings;
        view->clock_mhz = clock_of(*view, records[f].telemetry.clock_mhz);
    }
    return probes;
}

bool app_result_is_of(const struct app_result *result, enum krn_topic topic, const char *series)
{
    return result->probe->topic == topic &&
           (series == NULL || strcmp(result->probe->series, series) == 0);
}

unsigned app_probes_trust(const struct app_probes_view *view, enum krn_topic topic)
{
    unsigned trust = 0;
    for (int i = 0; i < view->count; i++)
        if (app_result_is_of(&view->results[i], topic, NULL))
            trust |= view->results[i].trust.reasons;
    return trust;
}

const struct app_result *app_probe_result_find(const struct app_probes_view *view,
                                               enum krn_topic topic, const char *series, double x)
{
    const struct app_result *largest = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_result *result = &view->results[i];
        if (!app_result_is_of(result, topic, series))
            continue;
        if (x >= 0.0 && result->probe->x == x)
            return result;
        /* x ascends, so a later probe has a larger x; a measured one is preferred. */
        if (x < 0.0 &&
            (largest == NULL || app_result_samples(result) > 0 || app_result_samples(largest) == 0))
            largest = result;
    }
    return largest;
}

size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_member metric, double *x, double *y,
                              size_t capacity)
{
    size_t n = 0;
    for (int i = 0; i < view->count && n < capacity; i++) {
        const struct app_result *result = &view->results[i];
        if (!app_result_is_of(result, topic, series))
            continue;
        const struct app_estimate estimate = app_metric_of(view, result, metric);
        if (!estimate.valid)
            continue;
        x[n] = result->probe->x;
        y[n++] = estimate.value;
    }
    return n;
}
