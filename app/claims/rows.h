/* app/claims/rows.h - the functions that fill the rows of the claims board, and what they share
 * (inside claims/ only).
 */
#ifndef APP_CLAIM_ROWS_H
#define APP_CLAIM_ROWS_H

#include "claims/claim.h"

/* Declares the function of each claim of the list. */
#define APP_CLAIM_ROW(ID, id, text, row, claim, shorter, device, then, number)                     \
    void app_row_##row(struct app_claim *row, const struct app_claim_facts *facts);
APP_CLAIMS(APP_CLAIM_ROW)
#undef APP_CLAIM_ROW

/* Writes the row's interval, without a unit. */
void app_row_interval(struct app_claim *row);

/* Fills a row about a ratio. why: the reason why the ratio is missing, or NULL. */
void app_row_ratio(struct app_claim *row, struct app_estimate ratio, double claimed,
                   double band_percent, const char *why);

/* Adds a remark to the row's note. */
void app_row_note(struct app_claim *row, const char *text);

/* Removes the number of a row that rests on a probe with too few samples, and returns true then. */
bool app_row_lacks_samples(struct app_claim *row, size_t least);

/* Returns the least number of samples among a topic's probes of a series; 0: it has none. */
size_t app_row_least_samples(const struct app_probes_view *view, enum krn_topic topic,
                             const char *series);

size_t app_row_smaller(size_t a, size_t b);

#endif
