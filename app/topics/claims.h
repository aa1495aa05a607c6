/* app/topics/claims.h - the claims board: compares published claims about GPU speed with this
 * device.
 *
 * Rules (docs/measuring.md). Every verdict rests on the interval at 99 % (krn/across.h), or, of a
 * single process, on the interval of that run.
 *
 * A ratio that lies beyond the band of indifference on the claimed side of 1 HOLDS when its whole
 * interval is within 10 % of the claimed size, and is SMALLER or LARGER when the whole interval
 * shows less or more effect than that. It is INVERTED when it lies beyond the band on the other
 * side of 1. A level HOLDS when its whole interval lies within 5 points of the claim, and is ABOVE
 * or BELOW when the whole interval lies beyond. The claim about instruction-level parallelism HOLDS
 * when the threads that reach 90 % of the peak, by events net of overhead, fall with every ILP from
 * 1 to 4, and ILP 4 needs at most half the threads of ILP 1; it FAILS when one of these is refuted.
 * Everything else is CAN'T TELL.
 *
 * A number with a wrong result behind it is WRONG, one with a red reason against it is DO NOT
 * QUOTE. A probe with fewer than APP_CLAIM_SAMPLES samples counts as not measured.
 */
#ifndef APP_CLAIMS_H
#define APP_CLAIMS_H

#include "judge/probe_result.h"

enum { APP_CLAIM_SAMPLES = KRN_INTERVAL_SAMPLES_MIN, APP_CLAIM_ILPS = 4 };

enum app_claim_id {
    APP_CLAIM_CONSTANT_KERNEL, /* the book's kernel on the book's scene, constant over global */
    APP_CLAIM_CONSTANT_WINDOW, /* the book's whole timing window, likewise */
    APP_CLAIM_SAXPY,           /* bandwidth, percent of theoretical */
    APP_CLAIM_ACCESS,          /* coalesced over chunked reads, in cycles */
    APP_CLAIM_ILP,             /* threads that saturate a multiprocessor, ILP 1 to 4 */
    APP_CLAIM_COUNT
};

enum app_claim_verdict {
    APP_CLAIM_NOT_MEASURED,
    APP_CLAIM_HOLDS,
    APP_CLAIM_SMALLER,
    APP_CLAIM_LARGER,
    APP_CLAIM_INVERTED,
    APP_CLAIM_CANT_TELL,
    APP_CLAIM_ABOVE,
    APP_CLAIM_BELOW,
    APP_CLAIM_FAILS,
    APP_CLAIM_WRONG,
    APP_CLAIM_DO_NOT_QUOTE,
    APP_CLAIM_VERDICTS
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
    char beside[48];    /* a second number: "best 90.7 %", "cycles 480→128"; "": none */
    char note[200];     /* the second number in words, or the reason why there is no number */
    char method[96];    /* a sentence about the number, printed below the board; "": none */
    const char *scope;  /* in words, the measurement behind the number */
    struct app_estimate estimate; /* its trust is the union of everything behind it */
    enum app_claim_verdict verdict;
    unsigned trust; /* enum app_trust_reason bits of the numbers that it rests on */
};

/* The facts that decide the claims. A claim whose estimate is not valid is "not measured". */
struct app_claim_facts {
    const struct app_probes_view *probes; /* NULL: none */
    struct app_estimate kernel_ratio;     /* t global / t constant, on the book's scene */
    struct app_estimate kernel_net_ratio; /* the same without the overhead of an empty kernel */
    struct app_estimate scene_ratio;      /* kernel_ratio on the current scene */
    struct app_estimate window_ratio;
    double load_ms; /* loading the kernel, before the window; 0: nothing was loaded */
    /* Why a ratio is missing; NULL: it is not measured yet. */
    const char *no_kernel, *no_scene, *no_window;
    const char *age; /* age of the ratios on the book's scene, "2 min ago"; NULL: of this record */
    const char *scene; /* names the current scene; "" or NULL: it is the book's */
    /* The measurements behind the two ratios; NULL: other results of the same record. */
    const char *kernel_scope, *window_scope;
    double band_percent;
};

/* Writes "2000 spheres, 1024×1024"; "" for the book's scene and view. */
void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size);

/* Returns the claimed number: a ratio or a percentage; 0 when the claim is neither. */
double app_claim_claimed(enum app_claim_id id);

/* Fills all claims; depends on nothing but the facts. */
void app_claims_judge(const struct app_claim_facts *facts,
                      struct app_claim claims[APP_CLAIM_COUNT]);

/* Each applies one rule. */
enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent);
enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed);
/* threads: those that ILP 1, 2, 3 and 4 need, low to high where an interval decides; infinite:
 * never reached. */
enum app_claim_verdict app_claim_ilp(const struct app_estimate threads[APP_CLAIM_ILPS]);

#endif
