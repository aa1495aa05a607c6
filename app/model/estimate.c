/* app/model/estimate.c - intervals of one run and across processes; ratios of times. */
#include "model/estimate.h"

#include <math.h>
#include <string.h>

/* Adds two independent deviations. hypot() of the C library of 2022 would keep the program from
 * starting with an older one. */
static double root_of_squares(double a, double b)
{
    return sqrt(a * a + b * b);
}

struct app_estimate app_estimate_plain(double value)
{
    return (struct app_estimate){.valid = true,
                                 .value = value,
                                 .low = value,
                                 .high = value,
                                 .processes = 1,
                                 .each = {value},
                                 .number = {1}};
}

struct app_estimate app_estimate_of_run(double value, struct krn_interval interval, double tick)
{
    struct app_estimate estimate = app_estimate_plain(value);
    const struct krn_interval wide = krn_interval_widen(interval, tick);
    estimate.widen = krn_tick_fraction(tick, value);
    if (!wide.valid || !(wide.low > 0.0))
        return estimate;
    estimate.has_interval = true;
    estimate.low = wide.low;
    estimate.high = wide.high;
    return estimate;
}

static struct app_estimate of_across(struct krn_across across, double widen)
{
    struct app_estimate estimate = {.valid = across.processes > 0,
                                    .has_interval = across.valid,
                                    .value = across.value,
                                    .low = across.low,
                                    .high = across.high,
                                    .widen = widen,
                                    .processes = across.processes};
    return estimate;
}

struct app_estimate app_estimate_of_processes(const double *each, size_t processes, double widen)
{
    struct app_estimate estimate =
        of_across(krn_across(each, processes, KRN_INTERVAL_LEVEL, widen), widen);
    for (size_t i = 0; i < estimate.processes; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.*): the caller has filled all of them. */
        estimate.each[i] = each[i];
        estimate.number[i] = (int)i + 1;
    }
    return estimate;
}

struct app_estimate app_estimate_at(struct app_estimate estimate, double level)
{
    estimate.level = level;
    if (!(level > 0.0) || estimate.processes < 2)
        return estimate;
    const struct krn_across across =
        krn_across(estimate.each, estimate.processes, level, estimate.widen);
    estimate.has_interval = across.valid;
    estimate.low = across.low;
    estimate.high = across.high;
    return estimate;
}

struct app_estimate app_estimate_times(struct app_estimate estimate, double factor)
{
    estimate.value *= factor;
    estimate.low *= factor;
    estimate.high *= factor;
    for (size_t i = 0; i < estimate.processes; i++)
        estimate.each[i] *= factor;
    return estimate;
}

struct app_estimate app_estimate_into(double factor, struct app_estimate estimate)
{
    const double low = estimate.low;
    estimate.value = factor / estimate.value;
    estimate.low = factor / estimate.high;
    estimate.high = factor / low;
    for (size_t i = 0; i < estimate.processes; i++)
        estimate.each[i] = factor / estimate.each[i];
    return estimate;
}

/* Returns the ratio of the processes that measured both sides; its `processes` is their number. */
static struct app_estimate ratio_of_pairs(const struct app_estimate *a,
                                          const struct app_estimate *b, double widen)
{
    struct app_estimate ratio;
    double each[KRN_PROCESSES_MAX];
    int number[KRN_PROCESSES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < a->processes; i++)
        for (size_t j = 0; j < b->processes; j++)
            if (a->number[i] == b->number[j] && n < KRN_PROCESSES_MAX) {
                number[n] = a->number[i];
                each[n++] = a->each[i] / b->each[j];
            }
    ratio = app_estimate_of_processes(each, n, widen);
    memcpy(ratio.number, number, ratio.processes * sizeof *number);
    return ratio;
}

struct app_estimate app_estimate_ratio(struct app_estimate a, struct app_estimate b)
{
    const struct app_estimate none = {.valid = false};
    const double widen = a.widen + b.widen;
    if (!a.valid || !b.valid || !(a.value > 0.0) || !(b.value > 0.0))
        return none;
    const bool several = a.processes > 1 && b.processes > 1;
    struct app_estimate ratio = ratio_of_pairs(&a, &b, widen);
    const bool paired = several && ratio.processes > 1;
    if (!paired)
        ratio = app_estimate_plain(a.value / b.value);
    ratio = app_estimate_at(ratio, a.level);
    ratio.widen = widen;
    ratio.trust = a.trust | b.trust;
    ratio.copied = a.copied || b.copied;
    ratio.recorded = a.recorded < b.recorded ? a.recorded : b.recorded;
    if (several || !a.has_interval || !b.has_interval || !(a.low > 0.0) || !(b.low > 0.0))
        return ratio;
    const double down = root_of_squares(log(a.value / a.low), log(b.high / b.value));
    const double up = root_of_squares(log(a.high / a.value), log(b.value / b.low));
    ratio.has_interval = true;
    ratio.low = ratio.value * exp(-down);
    ratio.high = ratio.value * exp(up);
    return ratio;
}

struct krn_interval app_estimate_verdict_interval(struct app_estimate estimate)
{
    if (estimate.processes < 2 || estimate.level > 0.0)
        return (struct krn_interval){estimate.valid && estimate.has_interval, estimate.low,
                                     estimate.high};
    const struct krn_across across =
        krn_across(estimate.each, estimate.processes, KRN_VERDICT_LEVEL, estimate.widen);
    return (struct krn_interval){across.valid, across.low, across.high};
}

double app_net_ms(double raw_ms, double overhead_ms)
{
    return overhead_ms > 0.0 && raw_ms > overhead_ms ? raw_ms - overhead_ms : 0.0;
}

struct app_estimate app_estimate_net(struct app_estimate raw, struct krn_overhead overhead)
{
    const struct krn_interval *of = &overhead.interval;
    const double ms = raw.valid ? app_net_ms(raw.value, overhead.ms) : 0.0;
    struct app_estimate net = app_estimate_plain(ms);
    net.valid = ms > 0.0;
    net.trust = raw.trust;
    if (!net.valid || !raw.has_interval || !of->valid)
        return net;
    net.low = ms - root_of_squares(raw.value - raw.low, of->high - overhead.ms);
    net.high = ms + root_of_squares(raw.high - raw.value, overhead.ms - of->low);
    net.has_interval = net.low > 0.0;
    return net;
}

struct app_of_limit app_of_limit(double net_ms, const struct krn_limit *limit)
{
    const struct krn_interval *of = &limit->interval;
    if (!(net_ms > 0.0) || !(limit->net_ms > 0.0) || !of->valid)
        return (struct app_of_limit){0.0, false};
    const bool wide = of->high - of->low > APP_LIMIT_WIDTH * limit->net_ms;
    return (struct app_of_limit){net_ms / (wide ? of->high : limit->net_ms), wide};
}

enum app_regime app_regime_of(size_t busy, size_t n)
{
    const double most_others = 0.05 * (double)n;
    if (n == 0)
        return APP_REGIME_UNKNOWN;
    if ((double)busy <= most_others)
        return APP_REGIME_IDLE;
    return (double)(n - busy) <= most_others ? APP_REGIME_BUSY : APP_REGIME_MIXED;
}

const char *app_regime_name(enum app_regime regime)
{
    static const char *const names[] = {"n/a", "idle", "busy", "mixed"};
    return regime >= APP_REGIME_UNKNOWN && regime <= APP_REGIME_MIXED ? names[regime] : names[0];
}

void app_mode_time_sum_up(struct app_mode_time *time, const double *samples_ms, size_t n,
                          double tick_ms)
{
    time->valid = n > 0;
    time->samples_ms = samples_ms;
    time->ms = krn_summarise(samples_ms, n);
    time->tick_ms = tick_ms;
    time->median =
        n > 0 ? app_estimate_of_run(time->ms.median, krn_interval_of(samples_ms, n), tick_ms)
              : (struct app_estimate){.valid = false};
}

double app_rays_per_s(double rays, double ms)
{
    return rays > 0.0 && ms > 0.0 ? rays / ms * 1e3 : -1.0;
}

void app_trace_push(struct app_trace *trace, enum krn_backend_id backend,
                    const struct krn_reading *reading, int side)
{
    trace->side[trace->next] = (signed char)side;
    if (trace->count == APP_TRACE_CAPACITY)
        krn_sorted_remove(trace->sorted, (size_t)trace->count--, trace->ms[trace->next]);
    krn_sorted_insert(trace->sorted, (size_t)trace->count++, reading->ms);
    trace->ms[trace->next] = reading->ms;
    trace->mode[trace->next] = reading->mode;
    trace->backend[trace->next] = backend;
    trace->next = (trace->next + 1) % APP_TRACE_CAPACITY;
}

int app_trace_index(const struct app_trace *trace, int i)
{
    return (trace->next + APP_TRACE_CAPACITY - trace->count + i) % APP_TRACE_CAPACITY;
}
