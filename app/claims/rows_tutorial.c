/* Rows about the tutorial on memory access patterns. */
#include "claims/rows.h"

#include "base/value.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>

void app_row_coalesced_cycles(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    const bool warps = view->device->can.warps;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ACCESS, view, &analysis);
    const struct app_estimate by_time = app_finding(&analysis, "by time")->value;
    const size_t least = app_row_smaller(
        app_row_least_samples(view, KRN_TOPIC_ACCESS, warps ? "chunk/warm" : "chunk/one"),
        app_row_least_samples(view, KRN_TOPIC_ACCESS, warps ? "strided/warm" : "strided/one"));
    const struct app_estimate chunk = app_finding(&analysis, "chunk")->value;
    if (chunk.valid && app_row_lacks_samples(row, least))
        return;
    app_row_ratio(row, chunk, row->claimed, facts->band_percent, NULL);
    if (!by_time.valid && !warps)
        app_format(row->note, sizeof row->note, "press {measure} (takes over 2 ms)");
    if (by_time.valid && warps) {
        char text[48];
        app_format(row->beside, sizeof row->beside, "events %s×",
                   app_number_plain(by_time.value, "").value);
        app_format(text, sizeof text, "by %s", row->beside);
        app_row_note(row, text);
    } else if (by_time.valid) {
        app_row_note(row, "in time, one thread");
    }
}

/* Judges the bandwidths' ratio, by events; the bandwidths stand in its place, as in the text. */
void app_row_coalesced_bandwidth(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    const bool warps = view->device->can.warps;
    const char *const chunk = warps ? "chunk/warm" : "chunk/one", *const strided =
                                                                      warps ? "strided/warm"
                                                                            : "strided/one";
    struct app_analysis analysis;
    char keys[2][24], text[96];
    app_topic_analyse(KRN_TOPIC_ACCESS, view, &analysis);
    const struct app_estimate ratio = app_finding(&analysis, "by time")->value;
    const size_t least = app_row_smaller(app_row_least_samples(view, KRN_TOPIC_ACCESS, chunk),
                                         app_row_least_samples(view, KRN_TOPIC_ACCESS, strided));
    if (ratio.valid && app_row_lacks_samples(row, least))
        return;
    app_row_ratio(row, ratio, row->claimed, facts->band_percent, NULL);
    if (!ratio.valid) {
        if (!warps)
            app_format(row->note, sizeof row->note, "press {measure} (takes over 2 ms)");
        return;
    }
    snprintf(keys[0], sizeof keys[0], "rate/%s", chunk);
    snprintf(keys[1], sizeof keys[1], "rate/%s", strided);
    /* Both in the unit of the greater: "7.25→137 GiB/s". The interval is that of the ratio. */
    const double from = app_finding(&analysis, keys[0])->value.value * 1e9,
                 to = app_finding(&analysis, keys[1])->value.value * 1e9, most = fmax(from, to);
    app_format(row->beside, sizeof row->beside, "%s×", app_number_plain(ratio.value, "").value);
    app_format(row->now, sizeof row->now, "%s→%s %s", app_number_binary_rate_as(from, most).value,
               app_number_binary_rate_as(to, most).value, app_number_binary_rate(most).unit);
    row->interval[0] = 0;
    app_format(text, sizeof text, "%s %s", row->beside,
               warps ? "by events" : "in time, one thread");
    app_row_note(row, text);
}
