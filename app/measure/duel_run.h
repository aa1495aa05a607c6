/* app/measure/duel_run.h - a duel without a window: two modes on every frame until it is decided.
 */
#ifndef APP_DUEL_RUN_H
#define APP_DUEL_RUN_H

#include "engine/engine.h"
#include "measure/mode_run.h"

#include "krn/duel.h"
#include "krn/error.h"

#include <stdio.h>

/* Time budget of a duel that was given none. */
#define APP_DUEL_SECONDS 10.0

/* How it went. Every pair is a look. */
struct app_duel_result {
    struct app_measurement sides; /* modes[0] is A, modes[1] B: their newest samples, verified */
    struct krn_duel_result result;
    double band_percent, seconds;
    size_t claims, claimed_pairs; /* as struct app_duel has them */
    double claimed_s;
    enum krn_stop stop;
};

/* Renders both modes of the state's duel in turns, warm-up first, and judges all pairs. Ends after
 * `frames` pairs when > 0, after `seconds` when > 0; with neither, when there is a verdict and the
 * interval is narrower than half the band, or after APP_DUEL_SECONDS. Then each mode's picture is
 * held against the reference. progress: NULL, or a terminal that gets one line, rewritten. */
enum krn_code app_duel_run(struct app_engine *engine, struct app_state *state, int frames,
                           double seconds, FILE *progress, struct app_duel_result *duel_result,
                           struct krn_error *error);

/* A running duel as it stands: everything but verified pictures and a reason to stop. */
void app_duel_sum_up(const struct app_engine *engine, const struct app_state *state,
                     struct app_duel_result *duel_result);

/* The verdict as a sentence, and what it rests on, for people. */
void app_duel_print(const struct app_duel_result *duel_result, const struct app_engine *engine,
                    const struct app_state *state, FILE *out);

/* "A is 1.173 times as fast as B": the ratio with as many digits as its interval deserves. */
void app_duel_sentence(const struct krn_duel_result *result, char *text, size_t size);

/* A ratio with so many decimals that the interval's width shows, 2 to 4. */
void app_duel_ratio(const struct krn_duel_result *result, double ratio, char *text, size_t size);

#endif
