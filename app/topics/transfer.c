/* Transfers: copies between host and device, or on a CPU from memory to memory. */
#include "topics/topic.h"

/* "shortest": the shortest copy, its time in ms and its probe. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    struct app_estimate least = {.valid = false};
    const struct app_result *of = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_result *result = &view->results[i];
        const struct app_estimate time = app_metric_of(view, result, APP_M_MEDIAN_MS);
        if (result->probe->topic != KRN_TOPIC_TRANSFER || !time.valid ||
            (least.valid && time.value >= least.value))
            continue;
        least = time;
        of = result;
    }
    app_finding_add(analysis, "shortest", least)->of = of;
}

static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const struct row {
        const char *series, *name;
        int ink;
        bool dashed;
    } gpu[] = {{"pinned/up", "pinned, to the GPU", 0, false},
               {"pinned/down", "pinned, back", 0, true},
               {"pageable/up", "pageable, to the GPU", 3, false},
               {"pageable/down", "pageable, back", 3, true}},
      cpu[] = {{"copy", "memory to memory", 0, false}};
    const struct app_probes_view *view = facts->probes;
    const bool warps = view->device->can.warps;
    const struct row *const rows = warps ? gpu : cpu;
    app_picture_axes(picture, app_axis("size", APP_AXIS_BYTES, APP_SCALE_POWERS),
                     app_axis("GB/s", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
    for (size_t i = 0; i < (warps ? 4 : 1); i++)
        app_picture_curve(picture, view, KRN_TOPIC_TRANSFER, rows[i].series, APP_M_EFFECTIVE_GBPS,
                          rows[i].name, (enum app_ink)(APP_INK_CURVE + rows[i].ink))
            ->dashed = rows[i].dashed;
    const struct app_estimate rates[] = {
        app_series_value(view, KRN_TOPIC_TRANSFER, warps ? "pinned/up" : "copy", -1.0,
                         APP_M_EFFECTIVE_GBPS),
        app_series_value(view, KRN_TOPIC_TRANSFER, warps ? "pageable/up" : "copy", -1.0,
                         APP_M_EFFECTIVE_GBPS)};
    if (warps)
        app_picture_say(
            picture, rates, 2, "Pinned memory reaches the GPU at %s GB/s, pageable at %s GB/s",
            app_number_plain(rates[0].value, "").value, app_number_plain(rates[1].value, "").value);
    else
        app_picture_say(picture, rates, 1, "A copy moves %s GB/s through this CPU's memory",
                        app_number_plain(rates[0].value, "").value);
}

const struct app_topic app_topic_transfer = {
    .topic = KRN_TOPIC_TRANSFER,
    .text = APP_TEXT_METRICS,
    .title = "Transfers",
    .panel_title = "Transfers",
    .matrix = true,
    .metric = {APP_M_EFFECTIVE_GBPS, APP_M_EFFECTIVE_GBPS},
    .formulas = {"GB/s = bytes copied / time, one direction at a time",
                 "time of the smallest copy: what a copy costs whatever its size", NULL},
    .analyse = analyse,
    .picture = picture,
};
