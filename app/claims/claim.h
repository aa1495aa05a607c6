/* app/claims/claim.h - the types of the claims board (claims.h). */
#ifndef APP_CLAIM_H
#define APP_CLAIM_H

#include "claims/list.h"
#include "judge/probe_result.h"
#include "topics/topic.h"

/* A probe behind a claim must have at least this number of samples. */
enum { APP_CLAIM_SAMPLES = KRN_INTERVAL_SAMPLES_MIN };

#define APP_CLAIM_ID(ID, ...) APP_CLAIM_##ID,
enum app_claim_id { APP_CLAIMS(APP_CLAIM_ID) APP_CLAIM_COUNT };
#undef APP_CLAIM_ID

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

/* A row of the board. */
struct app_claim {
    const char *id;     /* as in records: "constant-kernel" */
    enum app_text text; /* the text that claims it */
    const char *claim;  /* a sentence: "Constant memory makes the ray tracer's kernel faster" */
    const char *device; /* the published device: "GTX 280" */
    const char *then;   /* the published number: "1.5×" */
    double claimed;     /* the number that its rule uses, as a ratio or percentage; 0: none */
    char now[40];       /* this device's number: "0.83×", "512→128"; "–": none */
    char interval[64];  /* "[0.82, 0.84]", or "" */
    char beside[48];    /* a second number: "best 90.7 %", "cycles 480→128"; "": none */
    char note[200];     /* the second number in words, or the reason why there is no number */
    char method[96];    /* a sentence about the number, printed below the board; "": none */
    const char *scope;  /* in words, the measurement behind the number */
    struct app_estimate estimate; /* its trust is the union of everything behind it */
    enum app_claim_verdict verdict;
    unsigned trust; /* enum app_trust_reason bits of the numbers that it rests on */
    bool hidden;    /* a talk will ask the room about it: not measured, as far as the screen goes */
};

/* The facts that decide the claims. A claim whose estimate is not valid is "not measured". */
struct app_claim_facts {
    const struct app_probes_view *probes; /* NULL: none */
    struct app_estimate kernel_ratio;     /* t global / t constant, on the book's scene */
    struct app_estimate kernel_net_ratio; /* the same without the overhead of an empty kernel */
    struct app_estimate scene_ratio;      /* kernel_ratio on the current scene */
    struct app_estimate window_ratio;
    /* The median of the book's window, from global and from constant memory; 0: unknown. */
    double generate_ms[2];
    double load_ms; /* loading the kernel, before the window; 0: nothing was loaded */
    /* Why a ratio is missing; NULL: it is not measured yet. */
    const char *no_kernel, *no_scene, *no_window;
    const char *age; /* age of the ratios on the book's scene, "2 min ago"; NULL: of this record */
    const char *scene; /* names the current scene; "" or NULL: it is the book's */
    /* The measurements behind the two ratios; NULL: other results of the same record. */
    const char *kernel_scope, *window_scope;
    double band_percent;
};

/* The description of a claim. */
struct app_claim_entry {
    const char *id;
    enum app_text text;
    const char *claim;
    const char *shorter; /* a heading for the board: "Constant memory, kernel" */
    const char *device, *then;
    double claimed;
    enum krn_topic topic; /* the topic whose panel shows the claim */
    const char *says; /* a sentence with the text's own number: "Events measure time with ..." */
    /* Writes number, interval, note and verdict of a row whose other fields are set. */
    void (*judge)(struct app_claim *row, const struct app_claim_facts *facts);
};

#endif
