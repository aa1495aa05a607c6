#include "claims/sentences.h"

/* The first claim of a topic is the one that its panel shows best. */
static const struct app_claim_sentence sentences[APP_CLAIM_COUNT] = {
    [APP_CLAIM_SAXPY] = {"SAXPY reaches 74.6 % of the memory's theoretical bandwidth.",
                         KRN_TOPIC_SAXPY},
    [APP_CLAIM_SAXPY_BOUND] = {"SAXPY moves 12 bytes per multiply-add, so it is bound by "
                               "bandwidth.",
                               KRN_TOPIC_PEAK},
    [APP_CLAIM_RESOLUTION] = {"Events measure time with a resolution of about half a microsecond.",
                              KRN_TOPIC_TIMER},
    [APP_CLAIM_LAUNCH] = {"Without a barrier, a host clock measures the launch of a kernel, not "
                          "its execution.",
                          KRN_TOPIC_TIMER},
    [APP_CLAIM_CONSTANT_KERNEL] = {"Constant memory makes the ray tracer's kernel faster, 1.5 "
                                   "times.",
                                   KRN_TOPIC_CONSTANT},
    [APP_CLAIM_CONSTANT_WINDOW] = {"Constant memory makes the book's whole timing window 1.5 times "
                                   "as fast.",
                                   KRN_TOPIC_CONSTANT},
    [APP_CLAIM_CONSTANT_OTHERS] = {"On other GPUs, too, constant memory makes the ray tracer "
                                   "somewhat faster.",
                                   KRN_TOPIC_CONSTANT},
    [APP_CLAIM_ARITHMETIC_LATENCY] = {"An arithmetic operation takes about 20 cycles.",
                                      KRN_TOPIC_ILP},
    [APP_CLAIM_ILP] = {"A multiprocessor needs 576 threads without ILP, and only 192 with ILP 4.",
                       KRN_TOPIC_ILP},
    [APP_CLAIM_ILP_BEYOND_4] = {"More than 4 independent chains per thread save no further "
                                "threads.",
                                KRN_TOPIC_ILP},
    [APP_CLAIM_MEMORY_LATENCY] = {"A memory access takes 400 cycles or more.", KRN_TOPIC_LATENCY},
    [APP_CLAIM_MEMORY_HIDING] = {"With more loads per thread, fewer threads hide the latency of "
                                 "memory.",
                                 KRN_TOPIC_MEMLAT},
    [APP_CLAIM_OPERANDS] = {"That shared memory is as fast as registers is a fallacy: registers "
                            "deliver more.",
                            KRN_TOPIC_OPERANDS},
    [APP_CLAIM_ACCESS] = {"Coalesced reads take 7.26 times fewer cycles than chunked ones.",
                          KRN_TOPIC_ACCESS},
    [APP_CLAIM_BANDWIDTH] = {"Coalesced reads raise the bandwidth from 0.48 to 3.48 GiB/s.",
                             KRN_TOPIC_ACCESS},
    [APP_CLAIM_DIVERGENT] = {"Constant memory reads n different addresses of a warp one after "
                             "another, n times as slowly.",
                             KRN_TOPIC_BOUNCES},
};

const struct app_claim_sentence *app_claim_sentence_of(enum app_claim_id claim)
{
    return &sentences[claim];
}

int app_claim_of_topic(enum krn_topic topic)
{
    /* Of these, a later claim is about the panel as a whole. */
    if (topic == KRN_TOPIC_ILP)
        return APP_CLAIM_ILP;
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if (sentences[i].topic == topic)
            return i;
    return -1;
}
