/* app/recorded/judged.h - judges the claims from a results record. */
#ifndef APP_RECORDED_JUDGED_H
#define APP_RECORDED_JUDGED_H

#include "claims/claims.h"
#include "results/results.h"

/* Fills all claims from the results of a record; depends on nothing else. */
void app_results_judge(const struct app_results *results, double band_percent,
                       struct app_claim claims[APP_CLAIM_COUNT]);

/* Does the same with the record's probes (app_results_probes), which its caller has at hand. */
void app_results_judge_probes(const struct app_results *results,
                              const struct app_results_probes *probes, double band_percent,
                              struct app_claim claims[APP_CLAIM_COUNT]);

#endif
