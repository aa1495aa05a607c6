/* app/claims/rows.h - the functions that fill the rows of the claims board, and what they share:
 * rules, and what other devices have measured (inside claims/ only). */
#ifndef APP_CLAIM_ROWS_H
#define APP_CLAIM_ROWS_H

#include "claims/claim.h"

/* Declares the function of each claim of the list. */
#define APP_CLAIM_ROW(ID, id, text, row, ...)                                                      \
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

/* --- the rules that give verdicts (docs/measuring.md) --- */

enum { APP_CLAIM_ILPS = 4 };

/* Each function applies one rule, and returns CAN'T TELL where its interval decides nothing. */

/* HOLDS, SMALLER, LARGER: the claimed direction, with the claimed size within 10 %, a smaller one
 * or a larger one; INVERTED: the other direction. */
enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent);
/* HOLDS: surely faster by more than the band; FAILS: surely not. */
enum app_claim_verdict app_claim_faster(struct app_estimate ratio, double band_percent);
/* HOLDS: surely greater than 1 by more than the band; INVERTED: surely less. */
enum app_claim_verdict app_claim_greater(struct app_estimate ratio, double band_percent);
/* HOLDS: surely within 5 percentage points of the claim; ABOVE, BELOW: surely beyond. */
enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed);
/* A measured size, in the unit of the claimed one. HOLDS: surely within 10 % of the claim; SMALLER,
 * LARGER: surely less or more. */
enum app_claim_verdict app_claim_size(struct app_estimate size, double claimed);
/* HOLDS: surely less than `limit`; FAILS: surely not. */
enum app_claim_verdict app_claim_less(struct app_estimate number, double limit);
/* HOLDS: the threads surely fall with every ILP from 1 to 4, and ILP 4 surely needs at most half of
 * ILP 1's. threads: those that ILP 1, 2, 3 and 4 need, low to high where an interval decides;
 * infinite: the level is never reached. */
enum app_claim_verdict app_claim_ilp(const struct app_estimate threads[APP_CLAIM_ILPS]);
/* HOLDS: surely the claim or more; FAILS: surely less. */
enum app_claim_verdict app_claim_at_least(struct app_estimate value, double claimed);
/* many, few: the threads or the occupancy that a level takes, low to high where an interval
 * decides; infinite: it is not reached. HOLDS: `few` is surely at most half of `many`; FAILS:
 * surely not. */
enum app_claim_verdict app_claim_half(struct app_estimate many, struct app_estimate few);
/* HOLDS: `more` is surely not below `less`; FAILS: surely below. */
enum app_claim_verdict app_claim_no_fewer(struct app_estimate more, struct app_estimate less);

/* Judges a claim that a kernel is bound by bandwidth: from its percentage of the bandwidth over
 * that of the arithmetic. */
enum app_claim_verdict app_claim_bound(struct app_estimate ratio);

/* --- recorded runs of other devices --- */

/* The constant-memory ratio of a record in assets/runs; the test record_claims compares it with the
 * file, and prints the entry of a new record. */
struct app_recorded_device {
    const char *file; /* in assets/runs: "nvidia-h200-all.json.gz" */
    const char *name; /* of the device: "NVIDIA H200" */
    const char *date; /* "2026-11-22" */
    /* How many times as fast the book's kernel is from constant memory as from global memory, on
     * the book's scene. */
    struct app_estimate kernel_ratio;
};

enum { APP_RECORDED_MAX = 16 };

/* Fills the list of recorded devices; returns their number. */
size_t app_recorded_devices(struct app_recorded_device devices[APP_RECORDED_MAX]);

#endif
