#include "report/report.h"

#include "model/model.h"
#include "recorded/parts.h"
#include "recorded/recorded.h"

#include <stdio.h>
#include <string.h>

/* Adds a result as one process's, with the number of the processes whose intervals it has, if that
 * is known. */
static void add(struct app_report *report, const struct app_result *from, const double *samples_ms,
                size_t sample_count)
{
    struct app_pair outcome[APP_PAIRS_MAX];
    size_t outcomes = from->outcome.count < APP_PAIRS_MAX ? from->outcome.count : APP_PAIRS_MAX;
    if (outcomes > 0)
        memcpy(outcome, from->outcome.pairs, outcomes * sizeof *outcome);
    /* A copy has the number already, or its one entry in `processes` is not the number. */
    if (!app_result_copied(from) && outcomes < APP_PAIRS_MAX)
        outcome[outcomes++] =
            (struct app_pair){APP_RESULT_RECORDED, (double)from->process_count, NULL};
    const struct app_result_process measured = {
        .metrics = from->metrics, .samples_ms = samples_ms, .n = sample_count, .stop = from->stop};
    struct app_result result = *from;
    result.outcome = (struct app_pairs){outcome, outcomes};
    result.processes = &measured;
    result.process_count = 1;
    app_report_add(report, &result, from->trust.reasons | APP_TRUST_BIT(APP_TRUST_RECORDED));
}

void app_report_recorded_mode(struct app_report *report, const struct app_recorded_mode *mode)
{
    if (mode->valid)
        add(report, mode->source, mode->samples_ms, mode->count);
}

void app_report_recorded_modes(struct app_report *report, const struct app_recorded *recorded,
                               const struct app_state *state)
{
    int count = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct app_recorded_mode mode = app_recorded_find(recorded, state, krn_mode_at(m));
        app_report_recorded_mode(report, &mode);
        count += mode.valid;
    }
    if (count == 0) {
        const struct app_recorded_mode mode = app_recorded_find(recorded, state, state->mode);
        char text[sizeof mode.missing + 16];
        snprintf(text, sizeof text, "raytrace: %s", mode.missing);
        app_results_note(&report->results, text);
    }
}

void app_report_recorded_panels(struct app_report *report, const struct app_recorded *recorded)
{
    const struct app_recorded_view *view = app_recorded_view(recorded);
    size_t files;
    const struct app_results *records = app_recorded_records(recorded, &files);
    bool probes = false;
    for (size_t f = 0; f < files && !probes; f++)
        for (size_t i = 0; i < records[f].count; i++) {
            enum krn_topic topic;
            if (!app_result_is_probe(&records[f].results[i], &topic))
                continue;
            add(report, &records[f].results[i], NULL, 0);
            probes = true;
        }
    app_report_add_claims(report, records[0].device.backend, view->panels.claims);
}

void app_report_recorded_origin(struct app_report *report, const struct app_recorded *recorded)
{
    const struct app_recorded_view *view = app_recorded_view(recorded);
    size_t files;
    const struct app_results *first = app_recorded_records(recorded, &files);
    char text[256];
    app_origin_sentence(view->name, view->date, text, sizeof text);
    app_results_note(&report->results, text);
    report->results.origin = (struct app_results_origin){
        .valid = true,
        .time_utc = app_results_keep(&report->results, first->time_utc),
        .device = first->device,
        .overheads = first->overheads,
        .telemetry = first->telemetry,
    };
}
