#include "judge/probe_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The t of a metric: the time in ms, the cycles, or the time without the overhead. */
enum basis { OF_TIME, OF_CYCLES, OF_NET };

/* Definition of a metric: value = factor * t or factor / t, where t is a probe's time or cycles. */
struct definition {
    enum basis of;
    bool is_rate; /* value = factor / t */
    double (*factor)(const struct app_probes_view *view, const struct krn_probe *probe);
    const char *unit; /* NULL: a time in ms */
    const char *words;
    double scale; /* converts the value into a count per second; 0: the value is not such a rate */
};

static double one(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    (void)probe;
    return 1.0;
}

static double useful(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->useful_bytes / 1e6;
}

static double moved(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->moved_bytes / 1e6;
}

static double of_theoretical(const struct app_probes_view *view, const struct krn_probe *probe)
{
    if (!(view->ceilings.bandwidth_gbps > 0.0) || probe->beside_memory)
        return 0.0;
    return useful(view, probe) / view->ceilings.bandwidth_gbps * 100.0;
}

static double flops(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->flops / 1e6;
}

static double operations(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->operations / 1e6;
}

/* The cycles that the probe's multiply-adds need at the peak of one multiprocessor, times 100. */
static double of_peak_cycles(const struct app_probes_view *view, const struct krn_probe *probe)
{
    const double per_cycle =
        probe->double_precision ? view->ceilings.dfma_per_cycle : view->ceilings.fma_per_cycle;
    return per_cycle > 0.0 ? probe->flops / 2.0 / per_cycle * 100.0 : 0.0;
}

/* The same in ms, at the current clock and for the multiprocessors that have a block. */
static double of_peak_time(const struct app_probes_view *view, const struct krn_probe *probe)
{
    const double clock = view->clock_mhz > 0.0 ? view->clock_mhz : view->device->clock_max_mhz;
    const double busy = fmin(probe->blocks, view->device->processors);
    if (!(clock > 0.0) || !(busy > 0.0))
        return 0.0;
    return of_peak_cycles(view, probe) / (clock * 1e3 * busy);
}

/* The time in ms that the probe's operations take at the computed peak, times 100. Only for probes
 * that run on every multiprocessor. */
static double of_computed(const struct app_probes_view *view, const struct krn_probe *probe)
{
    const double gflops =
        probe->double_precision ? view->ceilings.gflops_double : view->ceilings.gflops;
    if (!(gflops > 0.0) || probe->blocks < view->device->processors)
        return 0.0;
    return probe->flops / 1e6 / gflops * 100.0;
}

static double per_step(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->steps > 0.0 ? 1.0 / probe->steps : 0.0;
}

/* The duration of a cycle in ms, at the current clock. */
static double ms_per_cycle(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)probe;
    const double clock = view->clock_mhz > 0.0 ? view->clock_mhz : view->device->clock_max_mhz;
    return clock > 0.0 ? 1.0 / (clock * 1e3) : 0.0;
}

static double ns_per_step(const struct app_probes_view *view, const struct krn_probe *probe)
{
    return 1e6 * per_step(view, probe);
}

static const struct definition definitions[APP_METRIC_COUNT] = {
    [APP_METRIC_TIME] = {OF_TIME, false, one, NULL, "ms", 0.0},
    [APP_METRIC_GBPS] = {OF_TIME, true, useful, "B/s", "GB/s", 1e9},
    [APP_METRIC_MOVED_GBPS] = {OF_TIME, true, moved, "B/s", "GB/s moved", 1e9},
    [APP_METRIC_OF_THEORETICAL] = {OF_TIME, true, of_theoretical, "%",
                                   "percent of the memory's theoretical bandwidth", 0.0},
    [APP_METRIC_GFLOPS] = {OF_TIME, true, flops, "FLOP/s", "GFLOP/s", 1e9},
    [APP_METRIC_OF_PEAK_CYCLES] = {OF_CYCLES, true, of_peak_cycles, "%",
                                   "percent of one multiprocessor's peak, in its cycles", 0.0},
    [APP_METRIC_OF_PEAK_TIME] = {OF_TIME, true, of_peak_time, "%", "percent of the peak, by events",
                                 0.0},
    [APP_METRIC_OF_PEAK_NET] = {OF_NET, true, of_peak_time, "%",
                                "percent of the peak, by events net of overhead", 0.0},
    [APP_METRIC_OF_COMPUTED] = {OF_TIME, true, of_computed, "%",
                                "percent of the computed peak at the greatest clock", 0.0},
    [APP_METRIC_CYCLES] = {OF_CYCLES, false, one, "cycles", "cycles", 0.0},
    [APP_METRIC_CYCLES_PER_STEP] = {OF_CYCLES, false, per_step, "cycles", "cycles per step", 0.0},
    [APP_METRIC_NS_PER_STEP] = {OF_TIME, false, ns_per_step, "ns", "ns per step", 0.0},
    [APP_METRIC_GOPS] = {OF_TIME, true, operations, "op/s", "Gop/s", 1e9},
    [APP_METRIC_NET_TIME] = {OF_NET, false, one, NULL, "ms, net of overhead", 0.0},
    [APP_METRIC_CYCLES_TIME] = {OF_CYCLES, false, ms_per_cycle, NULL, "ms, cycles over the clock",
                                0.0},
};

const char *app_metric_words(enum app_metric metric)
{
    return definitions[metric].words;
}

/* Returns a probe's time in ms, or its cycles, less what an empty kernel takes. */
static struct app_estimate less_overhead(const struct app_probe_result *result, bool cycles,
                                         bool take)
{
    const double overhead = take ? result->overhead_ms : 0.0;
    const struct krn_summary *s = cycles ? &result->cycles : &result->ms;
    const struct krn_interval *i = cycles ? &result->cycles_interval : &result->ms_interval;
    const double *each = cycles ? result->cycles_each : result->ms_each;
    const double value = s->median - overhead, tick = cycles ? 0.0 : result->tick_ms;
    double net[KRN_PROCESSES_MAX];
    if (!(value > 0.0))
        return (struct app_estimate){.valid = false};
    if (result->processes < 2)
        return app_estimate_of_run(
            value, (struct krn_interval){i->valid, i->low - overhead, i->high - overhead}, tick);
    for (size_t p = 0; p < result->processes; p++)
        net[p] = each[p] -
                 (take && result->overhead_each[p] > 0.0 ? result->overhead_each[p] : overhead);
    struct app_estimate estimate =
        app_estimate_of_processes(net, result->processes, krn_tick_fraction(tick, value));
    if (result->number[0] > 0)
        memcpy(estimate.number, result->number, sizeof estimate.number);
    return estimate;
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
    const double factor = definition->factor(view, result->probe);
    struct app_estimate estimate = less_overhead(result, cycles, net);
    if (!(factor > 0.0) || !estimate.valid)
        return none;
    estimate.trust = result->trust;
    return definition->is_rate ? app_estimate_into(factor, estimate)
                               : app_estimate_times(estimate, factor);
}

struct app_number app_metric_number(enum app_metric metric, struct app_estimate estimate)
{
    const struct definition *definition = &definitions[metric];
    const double value = estimate.valid ? estimate.value : -1.0;
    if (definition->unit == NULL)
        return app_number_time(value);
    if (!(definition->scale > 0.0))
        return app_number_plain(value, definition->unit);
    /* Prefix and unit form one word: "TB/s". */
    struct app_number number = app_number_rate(value * definition->scale, "");
    number.unit[strcspn(number.unit, " ")] = 0;
    snprintf(number.unit + strlen(number.unit), sizeof number.unit - strlen(number.unit), "%s",
             definition->unit);
    return number;
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
