/* app/topics/claims.h - the claims board: compares published claims about GPU speed with this
 * device.
 *
 * A claim names one of the rules of model/verdict.h, or has its own: the claim about
 * instruction-level parallelism HOLDS when the threads that reach 90 % of the peak, by events net
 * of overhead, never rise from ILP 1 to 4, and ILP 4 needs at most half the threads of ILP 1.
 *
 * A number with a wrong result behind it is WRONG, one with a red reason against it is DO NOT
 * QUOTE. A probe with fewer than APP_CLAIM_SAMPLES samples counts as not measured.
 */
#pragma once

#include "model/probe_result.h"
#include "spec/subjects.h"
#include "topics/topic.h"

/* A probe behind a claim must have at least this number of samples. */
enum { APP_CLAIM_SAMPLES = KRN_INTERVAL_SAMPLES_MIN };

/* Fewer processes than this, but more than one, decide nothing at the board's level: Student's
 * quantile is 9 with five and above 1000 with two. Their rows show number and 95 % interval. */
enum { APP_CLAIM_PROCESSES = 5 };

#define APP_CLAIM_ID(ID, ...) APP_CLAIM_##ID,
enum app_claim_id { APP_CLAIMS(APP_CLAIM_ID) APP_CLAIM_COUNT };
#undef APP_CLAIM_ID

/* The description of a claim. */
struct app_claim_entry {
    const char *id;      /* as in records: "constant-kernel" */
    enum app_text text;  /* the text that claims it */
    const char *claim;   /* a sentence: "Constant memory makes the ray tracer's kernel faster" */
    const char *shorter; /* a heading for the board: "Constant memory, kernel" */
    const char *device;  /* the published device: "GTX 280" */
    const char *then;    /* the published number: "1.5×" */
    double claimed;      /* the number that its rule uses, as a ratio or percentage; 0: none */
    enum app_rule rule;
    enum krn_topic topic; /* the topic whose panel shows the claim */
    const char *says; /* a sentence with the text's own number: "Events measure time with ..." */
};

/* One of several numbers that a claim compares. */
struct app_claim_part {
    char name[48], text[32]; /* "3 chains", "256 threads" */
    double value;
    bool fails; /* it is not as the claim says */
};

enum { APP_CLAIM_PARTS = 4 };

/* A row of the board. */
struct app_claim {
    const struct app_claim_entry *of;
    /* This device's number, whose text may be several: "0.83×", "512 to 128 threads"; "–": none.
     * Its trust is the union of everything behind it. */
    struct app_described now;
    char beside[48];   /* a second number: "best 90.7 %", "cycles 480 to 128"; "": none */
    char note[200];    /* the second number in words, or the reason why there is no number */
    char few[48];      /* "2 processes cannot decide this: 5 can": its verdict is NONE; "": else */
    char method[96];   /* a sentence about the number, printed below the board; "": none */
    const char *scope; /* in words, the measurement behind the number */
    struct app_claim_part parts[APP_CLAIM_PARTS]; /* the numbers of a claim about several */
    int part_count;
    bool hidden; /* a talk will ask the room about it: not measured, as far as the screen goes */
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

/* Returns the description of a claim; never NULL. */
const struct app_claim_entry *app_claim_entry_of(enum app_claim_id id);

/* Returns the claim as the screen shows it before a room has guessed its answer. */
struct app_claim app_claim_hide(const struct app_claim *claim);

/* Writes "2000 spheres, 1024×1024"; "" for the book's scene and view. */
void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size);

/* Fills all claims; depends on nothing but the facts. */
void app_claims_judge(const struct app_claim_facts *facts,
                      struct app_claim claims[APP_CLAIM_COUNT]);

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

/* --- on screen --- */

/* What pages show of a device: its probes, claims and modes. */
struct app_panels_view {
    struct app_probes_view probes;     /* count 0: none, see `why` */
    const struct app_claim *claims;    /* APP_CLAIM_COUNT rows */
    const struct app_mode_work *modes; /* the ray tracer's modes whose time and work are known */
    int mode_count;
    const char *why; /* why there are no panels, a sentence; "": there are */
    const char
        *refused[KRN_TOPIC_COUNT]; /* why some probes of a topic are missing; NULL: none is */
    bool again;                    /* a full round is in progress, with long probes too */
    double progress;               /* of that round, 0..1 */
};
