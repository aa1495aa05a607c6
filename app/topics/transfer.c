/* Transfers: copies between host and device, or on a CPU from memory to memory. */
#include "topics/topic.h"

/* "shortest": the shortest copy, its time in ms and its probe. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    struct app_estimate least = {.valid = false};
    const struct app_probe_result *of = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        const struct app_estimate time = app_metric_of(view, result, APP_METRIC_TIME);
        if (result->probe->topic != KRN_TOPIC_TRANSFER || !time.valid ||
            (least.valid && time.value >= least.value))
            continue;
        least = time;
        of = result;
    }
    app_finding_add(analysis, "shortest", least)->of = of;
}

const struct app_topic app_topic_transfer = {
    .topic = KRN_TOPIC_TRANSFER,
    .text = APP_TEXT_METRICS,
    .title = "Transfers",
    .panel_title = "Transfers",
    .subtitle = {"GB/s over bytes, host and device", "GB/s over bytes, memory to memory"},
    .headline = {{"pinned/up", -1.0, APP_METRIC_GBPS, NULL, 0.0, "pinned, up"},
                 {"copy", -1.0, APP_METRIC_GBPS, NULL, 0.0, "memory to memory"}},
    .matrix = true,
    .metric = {APP_METRIC_GBPS, APP_METRIC_GBPS},
    .formulas = {"GB/s = bytes copied / time, one direction at a time",
                 "time of the smallest copy: what a copy costs whatever its size", NULL},
    .analyse = analyse,
};
