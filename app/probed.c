#include "probed.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *key, *unit;
} rows[APP_METRIC_COUNT] = {{"median_ms", "ms"},           {"effective_gbps", "GB/s"},
                            {"moved_gbps", "GB/s"},        {"theoretical_percent", "%"},
                            {"gflops", "GFLOP/s"},         {"peak_percent_cycles", "%"},
                            {"peak_percent_time", "%"},    {"cycles", "cycles"},
                            {"cycles_per_step", "cycles"}, {"ns_per_step", "ns"}};

const char *app_metric_key(enum app_metric metric)
{
    return rows[metric].key;
}

/* value = factor * t, or factor / t */
struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_probed *probed, enum app_metric metric)
{
    struct app_estimate e = {0};
    if (!probed || probed->n == 0)
        return e;
    const struct krn_probe *p = probed->probe;
    const struct krn_ceilings *c = &view->ceilings;
    double factor = 0.0;
    bool over = true, cycles = false;
    switch (metric) {
    case APP_METRIC_TIME:
        factor = 1.0, over = false;
        break;
    case APP_METRIC_GBPS:
        factor = p->useful_bytes / 1e6;
        break;
    case APP_METRIC_MOVED_GBPS:
        factor = p->moved_bytes / 1e6;
        break;
    case APP_METRIC_OF_THEORETICAL:
        factor = c->bandwidth_gbps > 0.0 ? p->useful_bytes / 1e4 / c->bandwidth_gbps : 0.0;
        break;
    case APP_METRIC_GFLOPS:
        factor = p->flops / 1e6;
        break;
    case APP_METRIC_OF_PEAK_CYCLES:
        factor = c->fma_per_cycle > 0.0 ? p->flops / 2.0 * 100.0 / c->fma_per_cycle : 0.0;
        cycles = true;
        break;
    case APP_METRIC_CYCLES:
        factor = 1.0, over = false, cycles = true;
        break;
    case APP_METRIC_CYCLES_PER_STEP:
        factor = p->steps > 0.0 ? 1.0 / p->steps : 0.0, over = false, cycles = true;
        break;
    case APP_METRIC_NS_PER_STEP:
        factor = p->steps > 0.0 ? 1e6 / p->steps : 0.0, over = false;
        break;
    default:
        break;
    }
    const double t = cycles ? probed->cycles.median : probed->ms.median;
    const struct krn_interval i = cycles ? probed->cycles_interval : probed->ms_interval;
    if (factor <= 0.0 || t <= 0.0 || (cycles && !p->has_cycles))
        return e;
    e.there = true;
    e.has_interval = i.there;
    e.value = over ? factor / t : factor * t;
    e.low = i.there ? (over ? factor / i.high : factor * i.low) : e.value;
    e.high = i.there ? (over ? factor / i.low : factor * i.high) : e.value;
    return e;
}

struct app_number app_metric_number(enum app_metric metric, struct app_estimate e)
{
    if (!e.there)
        return app_number_plain(-1.0, "");
    if (metric == APP_METRIC_TIME)
        return app_number_time(e.value);
    if (metric == APP_METRIC_GBPS || metric == APP_METRIC_MOVED_GBPS)
        return e.value >= 999.5 ? app_number_plain(e.value / 1e3, "TB/s")
                                : app_number_plain(e.value, "GB/s");
    return app_number_plain(e.value, rows[metric].unit);
}

const struct app_probed *app_probed_find(const struct app_probes_view *view, enum krn_topic topic,
                                         const char *series, double x)
{
    const struct app_probed *best = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_probed *p = &view->probed[i];
        if (p->probe->topic != topic || strcmp(p->probe->series, series) != 0)
            continue;
        if (x >= 0.0 ? p->probe->x == x : (!best || p->n > 0 || best->n == 0))
            best = p;
    }
    return best;
}

size_t app_probed_curve(const struct app_probes_view *view, enum krn_topic topic,
                        const char *series, enum app_metric metric, double *x, double *y,
                        size_t most)
{
    size_t n = 0;
    for (int i = 0; i < view->count && n < most; i++) {
        const struct app_probed *p = &view->probed[i];
        const struct app_estimate e = app_metric_of(view, p, metric);
        if (p->probe->topic != topic || strcmp(p->probe->series, series) != 0 || !e.there)
            continue;
        x[n] = p->probe->x;
        y[n++] = e.value;
    }
    return n;
}

struct app_estimate app_estimate_ratio(struct app_estimate a, struct app_estimate b)
{
    struct app_estimate r = {0};
    if (!a.there || !b.there || b.value <= 0.0)
        return r;
    r.there = true;
    r.has_interval = a.has_interval && b.has_interval;
    r.value = a.value / b.value;
    r.low = a.low / b.high;
    r.high = a.high / b.low;
    return r;
}
