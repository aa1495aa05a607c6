#include "report/report.h"

#include "recorded/parts.h"
#include "recorded/recorded.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOME = 12 };

/* One claim as a result, and the lists that it points to. */
struct claim_result {
    struct app_pair outcome[OUTCOME], value;
    const char *ids[APP_TRUST_COUNT];
    struct app_result result;
};

/* Describes a claim. The ends of its interval belong to the outcome, because a claim is judged once
 * for all processes. */
static void describe_claim(struct claim_result *described, enum krn_backend_id backend,
                           const struct app_claim *claim)
{
    const struct app_estimate *e = &claim->estimate;
    const bool interval = e->valid && e->has_interval;
    const struct app_pair outcome[OUTCOME] = {
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
    memcpy(described->outcome, outcome, sizeof outcome);
    described->value = (struct app_pair){"value", e->valid ? e->value : NAN, NULL};
    described->result = (struct app_result){
        .benchmark = "claims",
        .variant = claim->id,
        .backend = backend,
        .outcome = described->outcome,
        .outcome_count = OUTCOME,
        .metrics = &described->value,
        .metric_count = 1,
        .scope = claim->scope,
        .verified_reason = "a verdict has nothing of its own to compare",
        .trust = described->ids,
        .trust_count = app_trust_ids(claim->trust, described->ids),
        .complete = true,
    };
}

void app_report_add_claims(struct app_report *report, enum krn_backend_id backend,
                           const struct app_claim claims[APP_CLAIM_COUNT])
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        struct claim_result described;
        describe_claim(&described, backend, &claims[i]);
        app_report_add(report, &described.result, claims[i].trust);
    }
}

/* Adds the claims to the record's text; *judged is the new text. */
static enum krn_code add_claims(const char *text, enum krn_backend_id backend,
                                const struct app_claim claims[APP_CLAIM_COUNT], char **judged,
                                struct krn_error *error)
{
    struct app_record *record;
    const enum krn_code code = app_record_resume(text, strlen(text), "the results", &record, error);
    if (code != KRN_OK)
        return code;
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        struct claim_result described;
        describe_claim(&described, backend, &claims[i]);
        app_record_add(record, &described.result);
    }
    *judged = app_record_text(record);
    app_record_free(record);
    return KRN_OK;
}

enum krn_code app_report_judge_claims(char **record, double band_percent, struct krn_error *error)
{
    struct app_results results;
    struct app_claim claims[APP_CLAIM_COUNT];
    char *judged = NULL;
    enum krn_code code = app_results_read(*record, strlen(*record), "the results", &results, error);
    if (code != KRN_OK)
        return code;
    app_results_judge(&results, band_percent, claims);
    code = add_claims(*record, results.device.backend, claims, &judged, error);
    app_results_free(&results);
    if (code != KRN_OK)
        return code;
    free(*record);
    *record = judged;
    return KRN_OK;
}
