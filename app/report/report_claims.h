/* app/report/report_claims.h - judges the claims board and adds it to a record. */
#ifndef APP_REPORT_CLAIMS_H
#define APP_REPORT_CLAIMS_H

#include "claims/claims.h"
#include "report/report.h"

/* Adds the claims: one result "claims" each. Its outcome has the published number, this device's
 * number with the ends of its interval, and the verdict. */
void app_report_add_claims(struct app_report *report, enum krn_backend_id backend,
                           const struct app_claim claims[APP_CLAIM_COUNT]);

/* Judges the claims from the results of *record, a record's text, and adds them to it; *record is
 * then freed and replaced. The intervals of several processes are across them. A
 * failure leaves *record as it is. Errors: KRN_REFUSED (it is no record), KRN_NO_MEMORY. */
enum krn_code app_report_judge_claims(char **record, double band_percent, struct krn_error *error);

#endif
