/* Rows about the tutorial on memory access patterns. */
#include "claims/rows.h"

#include "base/value.h"
#include "topics/topics.h"

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
        app_format(row->note, sizeof row->note, "over 2 ms per slice: key {measure}");
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
