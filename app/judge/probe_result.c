#include "judge/probe_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How a metric follows from a probe's time or cycles: value = factor / t, or factor * t. */
struct metric_row {
    const char *key;
    bool of_cycles; /* t is cycles, not ms */
    bool falls;     /* value = factor / t */
    double (*factor)(const struct app_probes_view *view, const struct krn_probe *probe);
    const char *unit; /* NULL: a time in ms */
    const char *words;
    double scale; /* what the value is multiplied by to be a count per second; 0: plain */
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

/* Multiply-adds over what one multiprocessor makes in a clock, as percent: a time in cycles. */
static double of_peak_cycles(const struct app_probes_view *view, const struct krn_probe *probe)
{
    return view->ceilings.fma_per_cycle > 0.0
               ? probe->flops / 2.0 / view->ceilings.fma_per_cycle * 100.0
               : 0.0;
}

/* The same in ms, at the clock as it was, on the multiprocessors that had a block. */
static double of_peak_time(const struct app_probes_view *view, const struct krn_probe *probe)
{
    const double clock = view->clock_mhz > 0.0 ? view->clock_mhz : view->device->clock_max_mhz;
    const double busy = fmin(probe->blocks, view->device->processors);
    if (!(clock > 0.0) || !(busy > 0.0))
        return 0.0;
    return of_peak_cycles(view, probe) / (clock * 1e3 * busy);
}

static double per_step(const struct app_probes_view *view, const struct krn_probe *probe)
{
    (void)view;
    return probe->steps > 0.0 ? 1.0 / probe->steps : 0.0;
}

static double ns_per_step(const struct app_probes_view *view, const struct krn_probe *probe)
{
    return 1e6 * per_step(view, probe);
}

static const struct metric_row rows[APP_METRIC_COUNT] = {
    [APP_METRIC_TIME] = {"median_ms", false, false, one, NULL, "ms", 0.0},
    [APP_METRIC_GBPS] = {"effective_gbps", false, true, useful, "B/s", "GB/s", 1e9},
    [APP_METRIC_MOVED_GBPS] = {"moved_gbps", false, true, moved, "B/s", "GB/s moved", 1e9},
    [APP_METRIC_OF_THEORETICAL] = {"of_theoretical_percent", false, true, of_theoretical, "%",
                                   "percent of the memory's theoretical bandwidth", 0.0},
    [APP_METRIC_GFLOPS] = {"gflops", false, true, flops, "FLOP/s", "GFLOP/s", 1e9},
    [APP_METRIC_OF_PEAK_CYCLES] = {"of_peak_percent", true, true, of_peak_cycles, "%",
                                   "percent of one multiprocessor's peak, in its cycles", 0.0},
    [APP_METRIC_OF_PEAK_TIME] = {"of_peak_by_time_percent", false, true, of_peak_time, "%",
                                 "percent of the peak, by events", 0.0},
    [APP_METRIC_CYCLES] = {"cycles", true, false, one, "cycles", "cycles", 0.0},
    [APP_METRIC_CYCLES_PER_STEP] = {"cycles_per_step", true, false, per_step, "cycles",
                                    "cycles a step", 0.0},
    [APP_METRIC_NS_PER_STEP] = {"ns_per_step", false, false, ns_per_step, "ns", "ns a step", 0.0},
    [APP_METRIC_GOPS] = {"gops", false, true, operations, "op/s", "Gop/s", 1e9},
};

const char *app_metric_key(enum app_metric metric)
{
    return rows[metric].key;
}

const char *app_metric_words(enum app_metric metric)
{
    return rows[metric].words;
}

struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_probe_result *probed, enum app_metric metric)
{
    const struct metric_row *row = &rows[metric];
    struct app_estimate estimate = {.valid = false};
    if (probed == NULL || probed->n == 0 || (row->of_cycles && !probed->probe->has_cycles))
        return estimate;
    const double factor = row->factor(view, probed->probe);
    const struct krn_summary *s = row->of_cycles ? &probed->cycles : &probed->ms;
    const struct krn_interval *i = row->of_cycles ? &probed->cycles_interval : &probed->ms_interval;
    if (!(factor > 0.0) || !(s->median > 0.0))
        return estimate;
    estimate.valid = true;
    estimate.value = row->falls ? factor / s->median : factor * s->median;
    estimate.low = estimate.high = estimate.value;
    if (!i->valid || !(i->low > 0.0))
        return estimate;
    estimate.has_interval = true;
    estimate.low = row->falls ? factor / i->high : factor * i->low;
    estimate.high = row->falls ? factor / i->low : factor * i->high;
    return estimate;
}

struct app_number app_metric_number(enum app_metric metric, struct app_estimate estimate)
{
    const struct metric_row *row = &rows[metric];
    const double value = estimate.valid ? estimate.value : -1.0;
    if (row->unit == NULL)
        return app_number_time(value);
    if (!(row->scale > 0.0))
        return app_number_plain(value, row->unit);
    /* "TB/s": prefix and unit are one word. */
    struct app_number number = app_number_rate(value * row->scale, "");
    number.unit[strcspn(number.unit, " ")] = 0;
    snprintf(number.unit + strlen(number.unit), sizeof number.unit - strlen(number.unit), "%s",
             row->unit);
    return number;
}

enum app_verified app_check_verdict(const struct krn_check *check)
{
    if (check->wrong > 0.0 || !(check->max_error == 0.0))
        return APP_VERIFIED_FALSE;
    return check->compared > 0.0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN;
}

static bool is_of(const struct app_probe_result *probed, enum krn_topic topic, const char *series)
{
    return probed->probe->topic == topic && strcmp(probed->probe->series, series) == 0;
}

const struct app_probe_result *app_probe_result_find(const struct app_probes_view *view,
                                                     enum krn_topic topic, const char *series,
                                                     double x)
{
    const struct app_probe_result *greatest = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *probed = &view->probed[i];
        if (!is_of(probed, topic, series))
            continue;
        if (x >= 0.0 && probed->probe->x == x)
            return probed;
        /* In ascending x: a later one is greater, but one that was measured is worth more. */
        if (x < 0.0 && (greatest == NULL || probed->n > 0 || greatest->n == 0))
            greatest = probed;
    }
    return greatest;
}

size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_metric metric, double *x, double *y,
                              size_t most)
{
    size_t n = 0;
    for (int i = 0; i < view->count && n < most; i++) {
        const struct app_probe_result *probed = &view->probed[i];
        if (!is_of(probed, topic, series))
            continue;
        const struct app_estimate estimate = app_metric_of(view, probed, metric);
        if (!estimate.valid)
            continue;
        x[n] = probed->probe->x;
        y[n++] = estimate.value;
    }
    return n;
}

struct app_estimate app_estimate_ratio(struct app_estimate a, struct app_estimate b)
{
    struct app_estimate ratio = {.valid = a.valid && b.valid && a.value > 0.0 && b.value > 0.0};
    if (!ratio.valid)
        return ratio;
    ratio.value = ratio.low = ratio.high = a.value / b.value;
    if (!a.has_interval || !b.has_interval || !(a.low > 0.0) || !(b.low > 0.0))
        return ratio;
    const double down = hypot(log(a.value / a.low), log(b.high / b.value));
    const double up = hypot(log(a.high / a.value), log(b.value / b.low));
    ratio.has_interval = true;
    ratio.low = ratio.value * exp(-down);
    ratio.high = ratio.value * exp(up);
    return ratio;
}
