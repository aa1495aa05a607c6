/* Rows about How to Implement Performance Metrics in CUDA C/C++. */
#include "claims/rows.h"

#include "base/value.h"
#include "topics/roofline/roofline.h"
#include "topics/topic.h"

#include <stdio.h>

/* Compares the published kernel's shares of both roofs: its intensity is then as far below the
 * ridge as the one share is above the other. */
void app_row_saxpy_bound(struct app_claim *row, const struct app_claim_facts *facts)
{
    static const char kernel[] = "published";
    const struct app_probes_view *view = facts->probes;
    struct app_roofline roofline;
    char text[96];
    if (view == NULL || view->count == 0)
        return;
    app_roofline_make(view, NULL, 0, &roofline);
    const struct app_roofline_point *point = app_roofline_find(&roofline, "SAXPY published");
    if (point == NULL)
        return;
    const struct app_estimate memory = app_ceiling_share(point->gbps,
                                                         app_ceiling_computed(&roofline.memory)),
                              arithmetic = app_ceiling_share(
                                  point->gflops, app_ceiling_computed(&roofline.single));
    row->estimate = app_estimate_ratio(memory, arithmetic);
    row->verdict = app_claim_bound(row->estimate);
    if (!row->estimate.valid) {
        app_format(row->note, sizeof row->note, "%s",
                   memory.valid ? "no peak of arithmetic known" : "no bandwidth known");
        return;
    }
    if (app_row_lacks_samples(row, app_row_least_samples(view, KRN_TOPIC_SAXPY, kernel)))
        return;
    app_format(row->now, sizeof row->now, "%s %%, %s %%", app_number_plain(memory.value, "").value,
               app_number_plain(arithmetic.value, "").value);
    app_row_note(row, "of the bandwidth, of the FLOP/s");
    app_format(text, sizeof text, "%s FLOP/B, ridge %s",
               app_number_plain(point->intensity, "").value,
               app_number_plain(roofline.ridge, "").value);
    app_row_note(row, text);
    app_format(row->beside, sizeof row->beside, "ridge %s FLOP/B",
               app_number_plain(roofline.ridge, "").value);
}

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

void app_row_event_resolution(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_TIMER, view, &analysis);
    const struct app_finding *resolution = app_finding(&analysis, "resolution");
    row->estimate = resolution->value;
    row->verdict = app_claim_size(row->estimate, row->claimed);
    if (!row->estimate.valid || app_row_lacks_samples(row, resolution->of->n))
        return;
    snprintf(row->now, sizeof row->now, "%s µs", app_number_plain(row->estimate.value, "").value);
    app_row_interval(row);
    if (!view->device->can.warps)
        app_row_note(row, "the step of the monotonic clock; a CPU has no events");
}

void app_row_launch_not_kernel(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_TIMER, view, &analysis);
    const struct app_finding *launch = app_finding(&analysis, "launch"),
                             *host = app_finding(&analysis, "host");
    row->estimate = app_finding(&analysis, "launch/host")->value;
    row->verdict = app_claim_less(row->estimate, row->claimed);
    if (!row->estimate.valid ||
        app_row_lacks_samples(row, app_row_smaller(launch->of->n, host->of->n)))
        return;
    const struct app_number without = app_number_time(launch->value.value),
                            with = app_number_time(host->value.value);
    char text[96];
    snprintf(row->now, sizeof row->now, "%s %%", app_number_plain(row->estimate.value, "").value);
    app_row_interval(row);
    app_format(text, sizeof text, "%s %s without a barrier, %s %s with one", without.value,
               without.unit, with.value, with.unit);
    app_row_note(row, text);
    app_format(row->beside, sizeof row->beside, "%s %s of %s %s", without.value, without.unit,
               with.value, with.unit);
}
