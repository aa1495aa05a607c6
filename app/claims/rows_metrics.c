/* Rows about How to Implement Performance Metrics in CUDA C/C++. */
#include "claims/rows.h"

#include "base/value.h"
#include "claims/rules.h"
#include "topics/topics.h"

#include <stdio.h>

void app_row_saxpy_bandwidth(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_SAXPY, view, &analysis);
    const struct app_finding *published = app_finding(&analysis, "published");
    row->estimate = published->value;
    row->verdict = app_claim_level(row->estimate, row->claimed);
    if (view->count > 0 && !(view->ceilings.bandwidth_gbps > 0.0))
        app_format(row->note, sizeof row->note, "no theoretical peak known");
    if (!row->estimate.valid || app_row_lacks_samples(row, published->of->n))
        return;
    snprintf(row->now, sizeof row->now, "%s %%", app_number_plain(row->estimate.value, "").value);
    app_row_interval(row);
    const struct app_estimate most = app_finding(&analysis, "vector")->value;
    if (most.valid) {
        char text[48];
        app_format(text, sizeof text, "best kernel %s %%", app_number_plain(most.value, "").value);
        app_row_note(row, text);
        app_format(row->beside, sizeof row->beside, "best %s %%",
                   app_number_plain(most.value, "").value);
    }
}
