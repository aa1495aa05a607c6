/* app/topics/claims.h - the claims board: compares published claims about GPU speed with this
 * device.
 *
 * Rules (docs/measuring.md). A ratio HOLDS when its 95 % interval lies beyond the band of
 * indifference on the claimed side of 1, is INVERTED when it lies beyond the band on the other
 * side, and CAN'T TELL otherwise. A level HOLDS within 5 points of the claim; otherwise it is ABOVE
 * or BELOW. The claim about instruction-level parallelism HOLDS when the threads that reach 90 %
 * fall with every ILP from 1 to 4, and ILP 4 needs at most half the threads of ILP 1; otherwise it
 * FAILS.
 */
#ifndef APP_CLAIMS_H
#define APP_CLAIMS_H

#include "judge/probe_result.h"

enum app_claim_id {
    APP_CLAIM_CONSTANT_KERNEL, /* the book's kernel, constant over global memory */
    APP_CLAIM_CONSTANT_WINDOW, /* the book's whole timing window, likewise */
    APP_CLAIM_SAXPY,           /* bandwidth, percent of theoretical */
    APP_CLAIM_ACCESS,          /* coalesced over chunked reads, in cycles */
    APP_CLAIM_ILP,             /* threads that saturate a multiprocessor, ILP 1 to 4 */
    APP_CLAIM_COUNT
};

enum app_claim_verdict {
    APP_CLAIM_NOT_MEASURED,
    APP_CLAIM_HOLDS,
    APP_CLAIM_INVERTED,
    APP_CLAIM_CANT_TELL,
    APP_CLAIM_ABOVE,
    APP_CLAIM_BELOW,
    APP_CLAIM_FAILS
};

/* "HOLDS", "INVERTED", "CAN'T TELL", ...; "not measured". */
const char *app_claim_verdict_name(enum app_claim_verdict verdict);

/* A row of the board. */
struct app_claim {
    const char *id;     /* as in records: "constant-kernel" */
    const char *claim;  /* "Constant memory makes the ray tracer faster: the kernel" */
    const char *device; /* the published device: "GTX 280" */
    const char *then;   /* the published number: "1.5×" */
    char now[40];       /* this device's number: "0.83×", "512→128"; "–": none */
    char interval[64];  /* "[0.82, 0.84]", or "" */
    char note[120];     /* "best kernel 90.7 %", or the reason why there is no number */
    const char *scope;  /* in words, the measurement behind the number */
    struct app_estimate estimate;
    enum app_claim_verdict verdict;
    unsigned trust; /* enum app_trust_reason bits of the numbers that it rests on */
};

/* The facts that decide the claims. A claim whose estimate is not valid is "not measured". */
struct app_claim_facts {
    const struct app_probes_view *probes; /* NULL: none */
    struct app_estimate kernel_ratio;     /* t global / t constant */
    struct app_estimate window_ratio;
    const char *no_kernel, *no_window; /* why a ratio is missing; NULL: not measured yet */
    const char *window_age; /* age of the window's ratio, "2 min ago"; NULL: of this record */
    const char *scene;      /* scene of the kernel's ratio; "" or NULL: the book's */
    /* The measurements behind the two ratios; NULL: other results of the same record. */
    const char *kernel_scope, *window_scope;
    double band_percent;
};

/* Writes "2000 spheres, 1024×1024", or "" for the book's scene of 20 spheres and its size. */
void app_claim_scene(int spheres, int width, int height, char *text, size_t size);

/* Returns the claimed number: a ratio or a percentage; 0 when the claim is neither. */
double app_claim_claimed(enum app_claim_id id);

/* Fills all claims; depends on nothing but the facts. */
void app_claims_judge(const struct app_claim_facts *facts,
                      struct app_claim claims[APP_CLAIM_COUNT]);

/* Each applies one rule. */
enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent);
enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed);
/* threads: the threads that ILP 1, 2, 3 and 4 need; < 0: never reached */
enum app_claim_verdict app_claim_ilp(const double threads[4]);

#endif
