#include "report/report.h"

#include "recorded/parts.h"

#include <math.h>

/* Adds a claim as a result. The ends of its interval belong to the outcome, because a claim is
 * judged once for all processes. */
static void add_claim(struct app_results *results, enum krn_backend_id backend,
                      const struct app_claim *claim)
{
    const struct app_estimate *e = &claim->estimate;
    const bool interval = e->valid && e->has_interval;
    const struct app_pair outcome[] = {
        {"claim", 0, claim->claim},
        {"text_device", 0, claim->device},
        {"text_number", 0, claim->then},
        {"number", 0, claim->now},
        {"interval", 0, claim->interval},
        {"beside", 0, claim->beside},
        {"note", 0, claim->note},
        {"method", 0, claim->method},
        {"verdict", 0, app_claim_verdict_name(claim->verdict)},
        {"value_low", interval ? e->low : NAN, NULL},
        {"value_high", interval ? e->high : NAN, NULL},
        {"processes", e->valid && e->processes > 0 ? (double)e->processes : NAN, NULL},
    };
    const struct app_pair value[] = {{"value", e->valid ? e->value : NAN, NULL}};
    const struct app_result_process measured = {.metrics = APP_PAIRS(value)};
    const struct app_result result = {
        .benchmark = "claims",
        .variant = claim->id,
        .backend = backend,
        .outcome = APP_PAIRS(outcome),
        .scope = claim->scope,
        .verified_reason = "a verdict has nothing of its own to compare",
        .trust = {.reasons = claim->trust},
        .complete = true,
        .processes = &measured,
        .process_count = 1,
    };
    app_results_add(results, &result);
}

void app_report_add_claims(struct app_report *report, enum krn_backend_id backend,
                           const struct app_claim claims[APP_CLAIM_COUNT])
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        add_claim(&report->results, backend, &claims[i]);
        report->reasons |= claims[i].trust;
    }
}

void app_report_judge_claims(struct app_results *results, double band_percent)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    app_results_judge(results, band_percent, claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        add_claim(results, results->device.backend, &claims[i]);
    app_results_sort(results);
}
