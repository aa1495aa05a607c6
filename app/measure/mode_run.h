/* app/measure/mode_run.h - measures and verifies every mode of the ray tracer, without a window. */
#ifndef APP_MEASURE_H
#define APP_MEASURE_H

#include "engine/engine.h"
#include "engine/evidence.h"
#include "engine/verify.h"
#include "judge/estimate.h"
#include "judge/trust.h"
#include "measure/sampler.h"

#include "krn/error.h"
#include "krn/interval.h"
#include "krn/stats.h"

#include <stdio.h>

enum { APP_MEASURE_SAMPLES = 1000, APP_MEASURE_BATCH = 20 };

/* Relative width, (high - low) / median, at which the interval of a median is narrow enough. */
#define APP_MEASURE_WIDTH 0.01

/* Seconds of the samples of all modes when the caller sets no limit. */
#define APP_MEASURE_SECONDS 2.0

/* The measurement of one mode. */
struct app_mode_result {
    struct krn_mode mode;
    char refused[APP_NOTICE_MAX];           /* why the mode cannot render this scene; "": it can */
    double samples_ms[APP_MEASURE_SAMPLES]; /* in the order in which they were taken */
    size_t n;
    struct krn_summary summary;
    struct krn_interval interval; /* of the median, bootstrapped, widened by the clock's tick */
    bool settled;                 /* earlier samples have been dropped */
    enum krn_stop stop;
    double binning_ms;  /* median of the part that sorts spheres into tiles; 0: the mode has none */
    double batched_ms;  /* one launch in a batch of APP_MEASURE_BATCH; 0: not measured */
    double overhead_ms; /* an empty kernel of the same grid (krn_device_overhead); 0: unknown */
    double net_ms;      /* the median without the overhead (app_net_ms); 0: unknown */
    /* Frames that gave no reading because the host was late; in a duel, those of both sides. */
    unsigned long gate_drops;
    enum app_regime regime; /* the state of the device when the frames were queued */
    const char *scope;      /* what lies between the time stamps */
    enum app_verified verified;
    unsigned trust;          /* enum app_trust_reason bits */
    char verified_text[192]; /* what was compared, or why nothing was */
};

struct app_measurement {
    struct app_mode_result modes[KRN_MODES];
    int count;
    double tests; /* nominal tests per frame: pixels x spheres */
    double rays;  /* per frame of the light view, counted; 0: of the book view, or not counted */
    struct krn_overheads overheads;
    struct krn_telemetry_reading telemetry; /* when the last sample was taken */
};

/* Measures those of the plan's modes that are of the state's view, on the state's backend, with the
 * state's scene, view and pose. The modes take turns of a few frames, so that drift affects all of
 * them alike. A mode's first samples are dropped once its newest ones have settled. A mode ends
 * when the interval of its median is narrower than APP_MEASURE_WIDTH, or after APP_MEASURE_SAMPLES
 * samples; all end when the plan's time is up. Before any mode has more, every mode has
 * APP_FIRST_SAMPLES. plan->frames > 0: takes exactly that many samples instead, unless the time is
 * up, and drops none. Then the double-precision reference verifies each mode's picture. Errors:
 * those of app_engine_adopt and app_sampler_run. */
enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state,
                                const struct app_plan *plan, struct app_measurement *measurement,
                                struct krn_error *error);

/* Renders each mode once more and compares the whole picture with the reference. After an interrupt
 * the pictures stay unverified. Errors: as app_verify_now. */
enum krn_code app_measure_verify(const struct app_engine *engine, const struct app_state *state,
                                 const struct app_verify_limits *limits,
                                 struct app_measurement *measurement, struct krn_error *error);

/* Measures the overhead of every mode that has samples, and fills in its net time. Call it right
 * after the samples, so that the clocks are the same. An overhead that cannot be measured stays
 * unknown. Errors: KRN_LOST. */
enum krn_code app_measure_overheads(const struct app_engine *engine, const struct app_state *state,
                                    struct app_measurement *measurement, struct krn_error *error);

/* Finds the reasons to doubt each mode's samples and sets its `trust`. Call it after the
 * verification. */
void app_measure_judge(const struct app_engine *engine, const struct app_state *state,
                       const struct app_conditions *conditions,
                       struct app_measurement *measurement);

#endif
