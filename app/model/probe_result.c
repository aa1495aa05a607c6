/* app/model/probe_result.c - the table of metrics: of each its unit, its words and its formula. */
#include "model/probe_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The t of a metric: the time in ms, the cycles, or the time without the overhead. */
enum basis { OF_TIME, OF_CYCLES, OF_NET };

/* Definition of a metric: value = factor * t or factor / t, where t is a probe's time or cycles. */
struct definition {
    enum basis of;
    bool is_rate;     /* value = factor / t */
    const char *unit; /* NULL: a time in ms */
    const char *words;
    double scale; /* converts the value into a count per second; 0: the value is not such a rate */
};

static const struct definition definitions[APP_METRIC_COUNT] = {
    [APP_METRIC_TIME] = {OF_TIME, false, NULL, "ms", 0.0},
    [APP_METRIC_GBPS] = {OF_TIME, true, "B/s", "GB/s", 1e9},
    [APP_METRIC_MOVED_GBPS] = {OF_TIME, true, "B/s", "GB/s moved", 1e9},
    [APP_METRIC_OF_THEORETICAL] = {OF_TIME, true, "%",
                                   "percent of the memory's theoretical bandwidth", 0.0},
    [APP_METRIC_GFLOPS] = {OF_TIME, true, "FLOP/s", "GFLOP/s", 1e9},
    [APP_METRIC_OF_PEAK_CYCLES] = {OF_CYCLES, true, "%",
                                   "percent of one multiprocessor's peak, in its cycles", 0.0},
    [APP_METRIC_OF_PEAK_TIME] = {OF_TIME, true, "%", "percent of the peak, by events", 0.0},
    [APP_METRIC_OF_PEAK_NET] = {OF_NET, true, "%", "percent of the peak, by events net of overhead",
                                0.0},
    [APP_METRIC_OF_COMPUTED] = {OF_TIME, true, "%",
                                "percent of the computed peak at the greatest clock", 0.0},
    [APP_METRIC_CYCLES] = {OF_CYCLES, false, "cycles", "cycles", 0.0},
    [APP_METRIC_CYCLES_PER_STEP] = {OF_CYCLES, false, "cycles", "cycles per step", 0.0},
    [APP_METRIC_NS_PER_STEP] = {OF_TIME, false, "ns", "ns per step", 0.0},
    [APP_METRIC_GOPS] = {OF_TIME, true, "op/s", "Gop/s", 1e9},
    [APP_METRIC_NET_TIME] = {OF_NET, false, NULL, "ms, net of overhead", 0.0},
    [APP_METRIC_CYCLES_TIME] = {OF_CYCLES, false, NULL, "ms, cycles over the clock", 0.0},
};

/* Returns the factor of a metric; 0: it does not apply to the probe, or is not known. */
static double factor_of(enum app_metric metric, const struct app_probes_view *view,
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
    case APP_METRIC_GBPS:
        return probe->useful_bytes / 1e6;
    case APP_METRIC_MOVED_GBPS:
        return probe->moved_bytes / 1e6;
    case APP_METRIC_OF_THEORETICAL:
        return most->bandwidth_gbps > 0.0 && !probe->beside_memory
                   ? probe->useful_bytes / 1e6 / most->bandwidth_gbps * 100.0
                   : 0.0;
    case APP_METRIC_GFLOPS:
        return probe->flops / 1e6;
    case APP_METRIC_GOPS:
        return probe->operations / 1e6;
    case APP_METRIC_OF_PEAK_CYCLES:
        return at_peak;
    case APP_METRIC_OF_PEAK_TIME:
    case APP_METRIC_OF_PEAK_NET:
        return clock > 0.0 && busy > 0.0 ? at_peak / (clock * 1e3 * busy) : 0.0;
    case APP_METRIC_OF_COMPUTED: /* of probes that run on every multiprocessor */
        return gflops > 0.0 && probe->blocks >= view->device->processors
                   ? probe->flops / 1e6 / gflops * 100.0
                   : 0.0;
    case APP_METRIC_CYCLES_PER_STEP:
        return step;
    case APP_METRIC_NS_PER_STEP:
        return 1e6 * step;
    case APP_METRIC_CYCLES_TIME:
        return clock > 0.0 ? 1.0 / (clock * 1e3) : 0.0;
    default: /* the time or the cycles themselves */
        return 1.0;
    }
}

const char *app_metric_words(enum app_metric metric)
{
    return definitions[metric].words;
}

/* Returns a probe's time in ms, or its cycles, less what an empty kernel takes. */
static struct app_estimate less_overhead(const struct app_probe_result *result, bool cycles,
                                         bool take, double level)
{
    const double overhead = take ? result->overhead_ms : 0.0;
    const struct krn_summary *s = cycles ? &result->cycles : &result->ms;
    const struct krn_interval shown = cycles ? result->cycles_interval : result->ms_interval,
                              board = cycles ? result->cycles_board : result->ms_board,
                              i = level > 0.0 ? board : shown;
    const double *each = cycles ? result->cycles_each : result->ms_each;
    const double value = s->median - overhead, tick = cycles ? 0.0 : result->tick_ms;
    double net[KRN_PROCESSES_MAX];
    if (!(value > 0.0))
        return (struct app_estimate){.valid = false};
    if (result->processes < 2)
        return app_estimate_at(
            app_estimate_of_run(
                value, (struct krn_interval){i.valid, i.low - overhead, i.high - overhead}, tick),
            level);
    for (size_t p = 0; p < result->processes; p++)
        net[p] = each[p] -
                 (take && result->overhead_each[p] > 0.0 ? result->overhead_each[p] : overhead);
    struct app_estimate estimate =
        app_estimate_of_processes(net, result->processes, krn_tick_fraction(tick, value));
    if (result->number[0] > 0)
        memcpy(estimate.number, result->number, sizeof estimate.number);
    return app_estimate_at(estimate, level);
}

struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_probe_result *result, enum app_metric metric)
{
    const struct definition *definition = &definitions[metric];
    const struct app_estimate none = {.valid = false};
    const bool cycles = definition->of == OF_CYCLES, net = definition->of == OF_NET;
    if (result == NULL || result->n == 0 || (cycles && !result->probe->has_cycles) ||
        (net && !(result->overhead_ms > 0.0)))
        return none;
    const double factor = factor_of(metric, view, result->probe);
    struct app_estimate estimate = less_overhead(result, cycles, net, view->level);
    if (!(factor > 0.0) || !estimate.valid)
        return none;
    estimate.trust = result->trust;
    return definition->is_rate ? app_estimate_into(factor, estimate)
                               : app_estimate_times(estimate, factor);
}

struct app_form app_metric_form(enum app_metric metric, double like)
{
    const struct definition *definition = &definitions[metric];
    return (struct app_form){.quantity = definition->unit == NULL  ? APP_QUANTITY_TIME
                                         : definition->scale > 0.0 ? APP_QUANTITY_RATE
                                                                   : APP_QUANTITY_NUMBER,
                             .unit = definition->unit,
                             .scale = definition->scale,
                             .like = like};
}

struct krn_interval app_board_interval(const double *samples, size_t n)
{
    double *sorted = krn_sorted_copy(samples, n);
    const struct krn_interval interval =
        krn_interval_order(sorted, sorted ? n : 0, APP_BOARD_LEVEL);
    free(sorted);
    return interval;
}

enum app_verified app_check_verdict(const struct krn_check *check)
{
    if (check->wrong > 0.0 || !(check->max_error == 0.0))
        return APP_VERIFIED_FALSE;
    return check->compared > 0.0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN;
}

static bool is_of(const struct app_probe_result *result, enum krn_topic topic, const char *series)
{
    return result->probe->topic == topic && strcmp(result->probe->series, series) == 0;
}

const struct app_probe_result *app_probe_result_find(const struct app_probes_view *view,
                                                     enum krn_topic topic, const char *series,
                                                     double x)
{
    const struct app_probe_result *largest = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (!is_of(result, topic, series))
            continue;
        if (x >= 0.0 && result->probe->x == x)
            return result;
        /* x ascends, so a later probe has a larger x; a measured one is preferred. */
        if (x < 0.0 && (largest == NULL || result->n > 0 || largest->n == 0))
            largest = result;
    }
    return largest;
}

size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_metric metric, double *x, double *y,
                              size_t capacity)
{
    size_t n = 0;
    for (int i = 0; i < view->count && n < capacity; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (!is_of(result, topic, series))
            continue;
        const struct app_estimate estimate = app_metric_of(view, result, metric);
        if (!estimate.valid)
            continue;
        x[n] = result->probe->x;
        y[n++] = estimate.value;
    }
    return n;
}
