#include "report/report_probes.h"

#include "record/hardware.h"

#include <math.h>
#include <stdio.h>

static void put(struct app_pair *pairs, size_t *n, const char *key, double value)
{
    pairs[(*n)++] = (struct app_pair){key, value, NULL};
}

/* Lists the launch configuration and the work of one run; values that do not apply are left out. */
static size_t parameters_of(const struct krn_probe *probe, struct app_pair *pairs)
{
    const struct {
        const char *key;
        double value;
    } known[] = {
        {"block_threads", probe->threads},           {"blocks", probe->blocks},
        {"useful_bytes", probe->useful_bytes},       {"moved_bytes", probe->moved_bytes},
        {"footprint_bytes", probe->footprint_bytes}, {"in_flight_bytes", probe->in_flight_bytes},
        {"sectors_per_request", probe->sectors},     {"uniform_share", probe->uniform},
        {"addresses_per_read", probe->addresses},    {"flops", probe->flops},
        {"operations", probe->operations},           {"steps", probe->steps},
    };
    size_t n = 0;
    pairs[n++] = (struct app_pair){"axis", 0, probe->axis};
    put(pairs, &n, probe->axis, probe->x);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].value > 0.0)
            put(pairs, &n, known[i].key, known[i].value);
    if (probe->double_precision)
        put(pairs, &n, "double_precision", 1.0);
    if (probe->cold)
        put(pairs, &n, "cold", 1.0);
    if (probe->beside_memory)
        put(pairs, &n, "beside_memory", 1.0);
    return n;
}

enum {
    PARAMETERS_MAX = 18,
    KEY = 48,
    METRICS_MAX = APP_REPORT_TIMES + APP_REPORT_FLOOR + 1 + 3 * APP_METRIC_COUNT
};

/* Lists the times, then every other metric that applies, each with its interval. */
static size_t metrics_of(const struct app_probes_view *view,
                         const struct app_probe_result *probe_result, unsigned long gate_drops,
                         struct app_pair *pairs, char keys[2 * APP_METRIC_COUNT][KEY])
{
    size_t n = app_report_times(
               pairs, &probe_result->ms,
               krn_interval_widen(probe_result->ms_interval, probe_result->tick_ms)),
           k = 0;
    n += app_report_floor(pairs + n, probe_result->ms.median, probe_result->overhead_ms,
                          probe_result->tick_ms, gate_drops);
    put(pairs, &n, "max_error",
        probe_result->check.compared > 0.0 ? probe_result->check.max_error : NAN);
    for (int m = APP_METRIC_TIME + 1; m < APP_METRIC_COUNT; m++) {
        if (m == APP_METRIC_NET_TIME) /* among the times above */
            continue;
        const struct app_estimate e = app_metric_of(view, probe_result, (enum app_metric)m);
        const char *key = app_metric_key((enum app_metric)m);
        if (!e.valid)
            continue;
        put(pairs, &n, key, e.value);
        if (!e.has_interval)
            continue;
        snprintf(keys[k], KEY, "%s_low", key);
        put(pairs, &n, keys[k++], e.low);
        snprintf(keys[k], KEY, "%s_high", key);
        put(pairs, &n, keys[k++], e.high);
    }
    return n;
}

void app_report_add_probe_result(struct app_report *report, const struct app_probes_view *view,
                                 const struct app_probe_result *probe_result,
                                 const struct app_probe_origin *origin)
{
    const struct krn_probe *probe = probe_result->probe;
    if (probe_result->n == 0)
        return;
    struct app_pair parameters[PARAMETERS_MAX], metrics[METRICS_MAX];
    struct app_pair outcome[APP_KERNEL_PAIRS];
    char keys[2 * APP_METRIC_COUNT][KEY];
    const struct app_result result = {
        .benchmark = krn_topic_name(probe->topic),
        .variant = probe->series,
        .backend = view->device->backend,
        .regime = app_regime_name(origin->regime),
        .parameters = parameters,
        .parameter_count = parameters_of(probe, parameters),
        .outcome = outcome,
        .outcome_count = app_kernel_pairs(&probe->kernel, outcome),
        .metrics = metrics,
        .metric_count = metrics_of(view, probe_result, origin->gate_drops, metrics, keys),
        .scope = probe->scope,
        .samples_ms = origin->samples_ms,
        .cycles = probe->has_cycles ? origin->cycles : NULL,
        .sample_count = probe_result->n,
        .verified = probe_result->verified,
        .verified_reason = origin->verified_text,
        .stop = origin->stop,
        .complete = true,
    };
    app_report_add(report, &result, probe_result->trust);
}
