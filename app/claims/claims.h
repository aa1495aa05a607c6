/* app/claims/claims.h - the claims board: compares published claims about GPU speed with this
 * device.
 *
 * Rules (docs/measuring.md). Every verdict rests on the interval at 99 % (krn/across.h), or, of a
 * single process, on the interval of that run.
 *
 * A ratio that lies beyond the band of indifference on the claimed side of 1 HOLDS when its whole
 * interval is within 10 % of the claimed size, and is SMALLER or LARGER when the whole interval
 * shows less or more effect than that. It is INVERTED when it lies beyond the band on the other
 * side of 1. A claim without a size HOLDS when its ratio lies beyond the band above 1. A level
 * HOLDS when its whole interval lies within 5 points of the claim, and is ABOVE or BELOW when the
 * whole interval lies beyond. A size, such as the step of a clock, HOLDS when its whole interval is
 * within 10 % of the claimed one, and is SMALLER or LARGER when it lies beyond. A claim that a
 * number is less than another HOLDS when the whole interval is, and FAILS when the whole interval
 * lies above. The claim about instruction-level parallelism HOLDS when the threads that reach 90 %
 * of the peak, by events net of overhead, fall with every ILP from 1 to 4, and ILP 4 needs at most
 * half the threads of ILP 1; it FAILS when one of these is refuted. The other claims (at least,
 * all, half, no fewer, bound) HOLD or FAIL when the whole interval says so. Everything else is
 * CAN'T TELL.
 *
 * A number with a wrong result behind it is WRONG, one with a red reason against it is DO NOT
 * QUOTE. A probe with fewer than APP_CLAIM_SAMPLES samples counts as not measured.
 */
#ifndef APP_CLAIMS_H
#define APP_CLAIMS_H

#include "claims/claim.h"

/* Returns the description of a claim; never NULL. */
const struct app_claim_entry *app_claim_entry_of(enum app_claim_id id);

/* Returns the claim that stands above a topic's panel, the first one about it; -1: no text claims
 * anything about the topic. */
int app_claim_of_topic(enum krn_topic topic);

/* "HOLDS", "INVERTED", "CAN'T TELL", ...; "not measured". */
const char *app_claim_verdict_name(enum app_claim_verdict verdict);

/* Returns one line about how a verdict is reached: "the whole interval is within 10 % ...". */
const char *app_claim_verdict_rule(enum app_claim_verdict verdict);

/* Returns the claim as the screen shows it before a room has guessed its answer. */
struct app_claim app_claim_hide(const struct app_claim *claim);

/* Writes "2000 spheres, 1024×1024"; "" for the book's scene and view. */
void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size);

/* Fills all claims; depends on nothing but the facts. */
void app_claims_judge(const struct app_claim_facts *facts,
                      struct app_claim claims[APP_CLAIM_COUNT]);

#endif
