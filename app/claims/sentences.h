/* app/claims/sentences.h - what each published claim says, for a room that has not read the text.
 */
#ifndef APP_SENTENCES_H
#define APP_SENTENCES_H

#include "claims/claim.h"

#include "krn/device.h"

struct app_claim_sentence {
    const char *says; /* a sentence with the text's own number: "Events measure time with ..." */
    enum krn_topic topic; /* the topic whose panel shows the claim */
};

/* Returns the sentence of a claim; never NULL. */
const struct app_claim_sentence *app_claim_sentence_of(enum app_claim_id claim);

/* Returns the claim that stands above a topic's panel, the first one about it; -1: no text claims
 * anything about the topic. */
int app_claim_of_topic(enum krn_topic topic);

#endif
