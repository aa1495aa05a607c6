/* app/model/verdict.h - what a number says: its verdict, and its words.
 *
 * Everything that shows, prints or records a number takes unit, digits, interval, verdict, colour
 * and wordings from here; every rule that leads from an interval to a verdict is here as well, and
 * the band of indifference enters nowhere else.
 *
 * Every function is pure and thread safe.
 */
#pragma once

#include "base/numbers.h"
#include "model/estimate.h"
#include "model/trust.h"
#include "spec/state.h"

#include "krn/device.h"
#include "krn/duel.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>

/* Those from NOT_APPLICABLE on are given on claims; one that bars every other comes last. */
enum app_verdict {
    APP_VERDICT_NONE, /* the number is not judged */
    APP_VERDICT_FASTER,
    APP_VERDICT_SLOWER,
    APP_VERDICT_SAME,
    APP_VERDICT_WANDERING,
    APP_VERDICT_NOT_TRUSTED,    /* the A/A duel shows a difference, too */
    APP_VERDICT_SAME_CACHES,    /* the sides differ by a storage that is no memory of its own */
    APP_VERDICT_NOT_APPLICABLE, /* the claim is about GPUs, and this device is none */
    APP_VERDICT_NOT_MEASURED,
    APP_VERDICT_HOLDS,
    APP_VERDICT_SMALLER,
    APP_VERDICT_LARGER,
    APP_VERDICT_INVERTED,
    APP_VERDICT_CANT_TELL,
    APP_VERDICT_ABOVE,
    APP_VERDICT_BELOW,
    APP_VERDICT_DEPENDS,
    APP_VERDICT_FAILS,
    APP_VERDICT_WRONG,
    APP_VERDICT_DO_NOT_QUOTE,
    APP_VERDICTS
};

/* What a verdict means for its reader; themes give each a colour. */
enum app_sense {
    APP_SENSE_QUIET,
    APP_SENSE_NEUTRAL,
    APP_SENSE_GOOD,
    APP_SENSE_BAD,
    APP_SENSE_WARNING
};

struct app_verdict_entry {
    const char *word; /* in records and tables of comparisons: "CAN'T TELL"; "" for NONE */
    const char *sign; /* one character: "✓"; "": none */
    enum app_sense sense;
    const char *rule; /* one line: "the whole interval more than 5 points above ..." */
    const char *says; /* on screen and in tables of claims: "the reverse is true" */
};

/* Returns the entry of a verdict; never NULL. */
const struct app_verdict_entry *app_verdict_entry(enum app_verdict verdict);

/* Returns its word; never NULL. */
const char *app_verdict_word(enum app_verdict verdict);

/* Returns the verdict with that word; NONE: no verdict has it, or it is NULL. */
enum app_verdict app_verdict_of_word(const char *word);

/* Returns the verdict of a running duel as one of these. */
enum app_verdict app_verdict_of_duel(enum krn_ratio_verdict verdict);

/* Returns the verdict that takes the place of any other on numbers with these reasons to doubt
 * them: WRONG or DO_NOT_QUOTE; NONE, which is 0: another verdict may be given. */
enum app_verdict app_trust_no_verdict(unsigned reasons);

/* --- from an interval to a verdict (docs/measuring.md) ---
 *
 * Every verdict rests on the interval at KRN_VERDICT_LEVEL or, of a single process, on that of its
 * run. band_percent: half-width of the band of indifference.
 */

/* Returns FASTER, SLOWER, SAME or CANT_TELL for the interval of a ratio of speeds. */
enum app_verdict app_verdict_ratio(struct krn_interval ratio, double band_percent);

/* What a number is compared with. Each rule is a list of ranges, and the first range that contains
 * the whole interval gives the verdict; none of them, CANT_TELL. */
enum app_rule {
    APP_RULE_OWN,     /* none of these: its own function judges it */
    APP_RULE_RATIO,   /* a ratio of a claimed size >= 1: within 10 %, less, more, or inverted */
    APP_RULE_GREATER, /* a ratio above 1 by more than the band: HOLDS, or INVERTED */
    APP_RULE_FASTER,  /* the same: HOLDS, or FAILS */
    APP_RULE_LEVEL,   /* within 5 percentage points of the claim: HOLDS, ABOVE, BELOW */
    APP_RULE_SIZE,    /* within 10 % of the claim: HOLDS, SMALLER, LARGER */
    APP_RULE_LESS,    /* less than the claim: HOLDS or FAILS */
    APP_RULE_LEAST,   /* the claim or more: HOLDS or FAILS */
    APP_RULE_BOUND    /* a share of one roof over that of the other: twice as near, or as far */
};

/* Returns whether a claim has a verdict, and not one of the reasons why there is none. */
bool app_verdict_is_judged(enum app_verdict verdict);

/* Returns whether a claim with a verdict by a rule counts as one that holds: where the size or the
 * level that it names is exceeded, it says too little rather than too much. */
bool app_verdict_agrees(enum app_verdict verdict, enum app_rule rule);

/* Judges a number. NOT_MEASURED: it is not valid; WRONG or DO_NOT_QUOTE where its trust says so. */
enum app_verdict app_verdict_by(enum app_rule rule, struct app_estimate number, double claimed,
                                double band_percent);

/* Judge the threads or the occupancy that levels take: low to high where an interval decides;
 * infinite: the level is never reached.
 *
 * half: `few` is at most half of `many`. no_fewer: `more` is not below `less`. never_rises: none of
 * the n numbers is above the one before it, and the last is at most half of the first. */
enum app_verdict app_verdict_half(struct app_estimate many, struct app_estimate few);
enum app_verdict app_verdict_no_fewer(struct app_estimate more, struct app_estimate less);
enum app_verdict app_verdict_never_rises(const struct app_estimate *numbers, size_t n);

/* --- the description of a number --- */

enum app_digits {
    APP_DIGITS_PLAIN, /* 3 significant digits for the value and for each end of its interval */
    APP_DIGITS_ENDS,  /* the same for the value; the ends have the decimals in which they differ */
    APP_DIGITS_WIDTH, /* the decimals in which the ends differ for all three */
    APP_DIGITS_RATIO  /* up to 2 more decimals until a ratio that is FASTER or SLOWER does not read
                         as 1 */
};

/* How a number is written; a zeroed one is a plain number without a unit and a verdict. */
struct app_form {
    enum app_quantity quantity; /* base/numbers.h */
    const char *unit; /* of a number or a rate; NULL: none. "×" stands close to digits. */
    double scale;     /* the value is multiplied by it first; 0: by 1 */
    double
        like; /* > 0: the unit is that of this value, so that several share one; before scaling */
    enum app_digits digits;
    enum app_verdict verdict; /* on the number; its trust may bar it */
};

/* A number as it is shown everywhere. */
struct app_described {
    struct app_estimate estimate; /* what is described, with its reasons to doubt it */
    enum app_verdict verdict;     /* WRONG or DO_NOT_QUOTE where the trust bars any other */
    struct app_number number;     /* "21.3" and "µs"; "–" and "": it is not valid */
    char text[64];                /* both: "21.3 µs", "0.83×"; "–" */
    char interval[96];            /* "[21.2, 21.4]" in the unit of the number; "": none */
};

struct app_described app_describe(struct app_estimate estimate, struct app_form form);

/* Wordings of one thing, the longest one first, for app_draw_text_fit and the like. Do not copy. */
enum { APP_WORDINGS = 4 };
struct app_wordings {
    char texts[APP_WORDINGS][256];
    const char *list[APP_WORDINGS + 2]; /* ended by NULL; with room for one more, such as "" */
};

/* --- comparisons of the times of two groups of processes, or of two modes ---
 *
 * From two processes per side on, the ratio's interval is Welch's t of the processes' logarithms
 * (krn_across_ratio), and the verdict rests on its 99 % interval. With fewer, the interval combines
 * those of the two sides, and the verdict is SAME or CANT_TELL: the interval of one process says
 * nothing about other runs, and a copied result has only its interval.
 */
struct app_comparison {
    /* first / other: 1.10 means "1.10 times as fast as the first". Valid: both are known; its trust
     * is that of both sides. */
    struct app_estimate ratio;
    enum app_verdict verdict; /* FASTER: the other side is; WRONG and DO_NOT_QUOTE by the trust */
    bool this_run;            /* a side is one process that was measured here: low and high are of
                                 its run only */
    size_t processes[2];      /* of the first and of the other; a copied result counts as one */
    size_t measured_by[2];    /* the same, but for a copied result those of its run; 0: unknown */
};

/* Returns true where two sides differ by their storage alone, and all storages of their backend are
 * the same memory: whatever their times differ by, it is not that. */
bool app_same_caches(struct app_duel_side a, struct app_duel_side b);

/* Compares two times, whose reasons to doubt them count. */
struct app_comparison app_compare_times(struct app_estimate first, struct app_estimate other,
                                        double band_percent);

/* Returns what limits the interval, to be written behind it: " this run", " one process" for a copy
 * of one, or "". */
const char *app_comparison_scope(const struct app_comparison *comparison);

/* A comparison as a sentence for an audience, which names the faster side. */
struct app_said {
    int faster;    /* 0: the first side, 1: the other one; -1: neither is named */
    char text[96]; /* behind its name, or alone: "is 20 % faster"; "": nothing is known yet */
    char sure[80]; /* how sure: "19.7 to 20.3 %", "within 0.4 %", or "" */
    bool firm;     /* a verdict; else the number may change */
};

/* names: of the first side and the other one, for "GLOBAL and CONSTANT: the same". settles: more
 * samples will come, so that an open verdict reads as "settling". */
struct app_said app_comparison_say(const struct app_comparison *comparison,
                                   const char *const names[2], bool settles);

/* Returns what a running duel says so far of A against B, whose medians stand beside it: the ratio
 * is theirs, and the duel's interval is widened to it where it lies outside. CAN'T TELL where the
 * medians name the other side as the faster one. */
struct app_comparison app_comparison_of_duel(const struct krn_duel_result *result, double a_ms,
                                             double b_ms);

/* Two modes of this run.
 *
 * The mode on screen and the one that was left were measured one after the other: drift between the
 * two visits looks like a difference of the modes, and only a duel cancels it. What the samples
 * themselves show of drift widens the interval: each side's samples, in the order of measurement,
 * make 8 blocks, and the blocks' means vary as the drift within a visit makes them vary.
 */

/* Samples of each side that a comparison needs, and that of sides that are far apart: a factor of 2
 * or more, and all samples of one side beyond all of the other. */
enum { APP_TOGGLE_SAMPLES = 20, APP_TOGGLE_FAR = 6 };

/* One side: its samples, ms, and the step of its clock. */
struct app_toggle_side {
    const struct krn_series *series;
    double tick_ms; /* 0: unknown */
};

/* Compares two modes, of which the first one was left: the ratio is valid when both have enough
 * samples. It is that of the sides' Huber locations, samples being clipped to their 10th and 90th
 * percentile. The interval is Welch's t over 8 block means per side, with 7 degrees of freedom, the
 * least that it can have, and is widened by half a tick per side. WANDERING, with a ratio and an
 * interval, when krn_series_wanders says so of a side and nothing else can be told. Costs about
 * 5 us. */
struct app_comparison app_toggle_compare(struct app_toggle_side left, struct app_toggle_side now,
                                         double band_percent);
