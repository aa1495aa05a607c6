#include "claims/claims.h"

#include "claims/rows.h"

#include <stdio.h>
#include <string.h>

#define ENTRY(ID, id, source, row, claim, shorter, device, then, number, topic, says)              \
    [APP_CLAIM_##ID] = {id,     APP_TEXT_##source, claim, shorter,      device, then,              \
                        number, KRN_TOPIC_##topic, says,  app_row_##row},
static const struct app_claim_entry entries[APP_CLAIM_COUNT] = {APP_CLAIMS(ENTRY)};

const struct app_claim_entry *app_claim_entry_of(enum app_claim_id id)
{
    return &entries[id];
}

int app_claim_of_topic(enum krn_topic topic)
{
    /* Of these, a later claim is about the panel as a whole. */
    if (topic == KRN_TOPIC_ILP)
        return APP_CLAIM_ILP;
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if (entries[i].topic == topic)
            return i;
    return -1;
}

const char *app_claim_verdict_name(enum app_claim_verdict verdict)
{
    static const char *const names[APP_CLAIM_VERDICTS] = {[APP_CLAIM_NOT_MEASURED] = "not measured",
                                                          [APP_CLAIM_HOLDS] = "HOLDS",
                                                          [APP_CLAIM_SMALLER] = "SMALLER",
                                                          [APP_CLAIM_LARGER] = "LARGER",
                                                          [APP_CLAIM_INVERTED] = "INVERTED",
                                                          [APP_CLAIM_CANT_TELL] = "CAN'T TELL",
                                                          [APP_CLAIM_ABOVE] = "ABOVE",
                                                          [APP_CLAIM_BELOW] = "BELOW",
                                                          [APP_CLAIM_FAILS] = "FAILS",
                                                          [APP_CLAIM_WRONG] = "WRONG",
                                                          [APP_CLAIM_DO_NOT_QUOTE] =
                                                              "DO NOT QUOTE"};
    return names[verdict];
}

const char *app_claim_verdict_rule(enum app_claim_verdict verdict)
{
    static const char *const rules[APP_CLAIM_VERDICTS] = {
        [APP_CLAIM_NOT_MEASURED] = "no number yet, too few samples, or none on this device; the "
                                   "row says which",
        [APP_CLAIM_HOLDS] = "the whole interval agrees: within 10 % of a claimed size, or 5 "
                            "points of a level",
        [APP_CLAIM_SMALLER] = "the claimed direction, and the whole interval shows less effect",
        [APP_CLAIM_LARGER] = "the claimed direction, and the whole interval shows more effect",
        [APP_CLAIM_INVERTED] = "the whole interval beyond the band of indifference, on the other "
                               "side of 1",
        [APP_CLAIM_CANT_TELL] = "the interval allows more than one verdict, or there is none",
        [APP_CLAIM_ABOVE] = "the whole interval more than 5 points above the claimed level",
        [APP_CLAIM_BELOW] = "the whole interval more than 5 points below the claimed level",
        [APP_CLAIM_FAILS] = "a condition of the claim is surely not met",
        [APP_CLAIM_WRONG] = "a result behind the number is wrong",
        [APP_CLAIM_DO_NOT_QUOTE] = "a grave reason speaks against the number, such as throttling",
    };
    return rules[verdict];
}

void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size)
{
    if (size > 0)
        text[0] = 0;
    if (!book)
        snprintf(text, size, "%d spheres, %d×%d", spheres, width, height);
}

void app_claims_judge(const struct app_claim_facts *facts, struct app_claim claims[APP_CLAIM_COUNT])
{
    memset(claims, 0, APP_CLAIM_COUNT * sizeof *claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        struct app_claim *row = &claims[i];
        row->id = entries[i].id;
        row->text = entries[i].text;
        row->claim = entries[i].claim;
        row->device = entries[i].device;
        row->then = entries[i].then;
        row->claimed = entries[i].claimed;
        row->scope = "judged from the other results of this record";
        snprintf(row->now, sizeof row->now, "–");
        entries[i].judge(row, facts);
        row->trust = row->estimate.trust;
    }
}

struct app_claim app_claim_hide(const struct app_claim *claim)
{
    struct app_claim hidden = *claim;
    hidden.hidden = true;
    hidden.verdict = APP_CLAIM_NOT_MEASURED;
    hidden.trust = 0;
    hidden.estimate = (struct app_estimate){.valid = false};
    snprintf(hidden.now, sizeof hidden.now, "?");
    snprintf(hidden.note, sizeof hidden.note, "you guess first");
    hidden.interval[0] = hidden.beside[0] = hidden.method[0] = 0;
    return hidden;
}
