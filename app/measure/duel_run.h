/* app/measure/duel_run.h - runs a duel without a window: both modes on every frame until the
 * verdict is in. */
#ifndef APP_DUEL_RUN_H
#define APP_DUEL_RUN_H

#include "engine/engine.h"
#include "measure/mode_run.h"
#include "model/verdict.h"

#include "krn/duel.h"
#include "krn/error.h"

#include <stdio.h>

/* Seconds that a duel may take when the caller sets no limit; a small difference is firm after
 * KRN_DUEL_FIRM_S. */
#define APP_DUEL_SECONDS 12.0

/* The A/A duel of the faster side: that side against itself, in frames between the duel's. Two
 * equal sides show no difference, unless something disturbs the measurement. */
struct app_duel_aa {
    bool valid; /* it ran; false: all else is 0 */
    int side;   /* 0: A, 1: B */
    struct krn_duel_result result;
    size_t claims; /* looks that saw a difference so far */
};

/* The result of a duel. The verdict is computed anew after each pair. */
struct app_duel_result {
    struct app_measurement sides; /* modes[0] is A, modes[1] B: their newest samples, verified */
    struct krn_duel_result result;
    struct app_comparison comparison; /* of the sides' medians */
    unsigned trust; /* enum app_trust_reason bits of both sides; each side has its own as well */
    double band_percent, seconds;
    size_t claims, claimed_pairs; /* as struct app_duel has them */
    double claimed_s;
    enum krn_stop stop;
    struct app_duel_aa aa;
    bool distrusted; /* the A/A duel claims a difference: the verdict is not to be trusted */
    bool wandering;  /* the verdict is KRN_RATIO_WANDERING */
};

/* Renders both modes of the state's duel in turns, after a warm-up, and judges all pairs. Ends
 * after plan->frames pairs when > 0, and when plan->seconds are up; with neither, when there is
 * a verdict and the interval is narrower than half the band, or after APP_DUEL_SECONDS. Then the
 * reference verifies each mode's picture. Errors: those of app_engine_adopt and app_sampler_run. */
enum krn_code app_duel_run(struct app_engine *engine, struct app_state *state,
                           const struct app_plan *plan, struct app_duel_result *duel_result,
                           struct krn_error *error);

/* Sums up the running duel and its newest `most` pairs, at most APP_MEASURE_SAMPLES: everything but
 * verified pictures and the reason for the end. */
void app_duel_sum_up(const struct app_engine *engine, const struct app_state *state, size_t most,
                     struct app_duel_result *duel_result);

/* Returns the reasons to doubt a duel, by those of its sides: a drift that affects both alike
 * cancels. wandering: the duel's own verdict. */
unsigned app_duel_joined(const unsigned sides[2], bool wandering);

/* Judges both sides, and both together; `sides` are verified. */
void app_duel_judge(const struct app_engine *engine, const struct app_state *state,
                    const struct app_conditions *conditions, struct app_duel_result *duel_result);

/* Returns the verdict, or why there is none: WRONG, DO_NOT_QUOTE, SAME_CACHES, or NOT_TRUSTED when
 * the A/A duel shows a difference as well. */
enum app_verdict app_duel_verdict(const struct app_duel_result *duel_result);

#endif
