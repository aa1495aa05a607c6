/* app/measure/mode_run.h - measures and verifies, without a window or in slices between a window's
 * frames. */
#pragma once

#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/work.h"
#include "measure/sampler.h"
#include "model/estimate.h"
#include "model/sweep.h"
#include "model/trust.h"
#include "model/verdict.h"

#include "krn/duel.h"
#include "krn/error.h"
#include "krn/properties.h"
#include "krn/stats.h"

#include <stdio.h>

/* --- every mode of the ray tracer, to the end, or in slices over the number of spheres --- */

enum { APP_MEASURE_SAMPLES = 1000, APP_MEASURE_BATCH = 20 };

/* Relative width, (high - low) / median, at which the interval of a median is narrow enough. */
#define APP_MEASURE_WIDTH 0.01

/* Seconds of the samples of all modes when the caller sets no limit. */
#define APP_MEASURE_SECONDS 2.0

/* The times of modes of the ray tracer on one backend. It points into itself: do not copy. */
struct app_measurement {
    struct app_mode_time modes[KRN_MODES_MAX];
    double samples_ms[KRN_MODES_MAX][APP_MEASURE_SAMPLES]; /* of each mode */
    int count;
    double rays; /* per frame of the light view, counted; 0: of the book view, or not counted */
    int spheres;
    char scene[KRN_VIEW_COUNT][APP_WORKLOAD_SCENE]; /* app_workload_scene; "": unknown */
    struct app_work works[KRN_MODES_MAX];           /* of each mode's frames */
    struct krn_limit limit;                         /* of a frame; zeroed: unknown */
    struct krn_overheads overheads;
    struct krn_telemetry_reading telemetry; /* when the last sample was taken */
    const struct app_mine_status *mine;     /* the engine's; NULL: no --kernel-file */
};

/* Empties *measurement, and notes what is known of the engine's scene and the state's device. */
void app_measurement_begin(struct app_measurement *measurement, const struct app_engine *engine,
                           const struct app_state *state);

/* Fills in what a record says of the scene in the state's view: its hash, the work of its frames
 * and the attributes of the kernels. */
void app_measurement_describe(struct app_measurement *measurement, const struct app_engine *engine,
                              const struct app_state *state);

/* Returns the time of a mode on a backend; NULL: it was not measured, or measurement is NULL. */
const struct app_mode_time *app_measurement_find(const struct app_measurement *measurement,
                                                 enum krn_backend_id backend, struct krn_mode mode);

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

/* Measures the overhead of every mode that has samples, and the limit. Call it right after the
 * samples, so that the clocks are the same. What cannot be measured stays unknown. Errors:
 * KRN_LOST. */
enum krn_code app_measure_overheads(const struct app_engine *engine, const struct app_state *state,
                                    struct app_measurement *measurement, struct krn_error *error);

/* Finds the reasons to doubt each mode's samples. Call it after the verification. */
void app_measure_judge(const struct app_engine *engine, const struct app_conditions *conditions,
                       struct app_measurement *measurement);

/* --- the story plot: in slices, at several numbers of spheres ---
 *
 * The points are measured by an engine beside the picture's (app_engine_beside): the same backend
 * and the same physical device, with its own scene, image, timer and verification. The picture on
 * screen keeps its scene, its epoch and its statistics. In one process, frames and points strictly
 * take turns; two would share a GPU by time slices that the program does not control. What both
 * devices share are the constant banks, one per process: after every burst, and before the next
 * one, the engine that goes on uploads its scene again.
 *
 * The user asks for the measurement with a key, so a burst between two frames may be far longer
 * than that of the panels: APP_STORY_BURST_MS, which leaves about 10 frames per second. A point
 * whose frame is predicted to take longer than APP_STORY_FRAME_MS is left out, and the view says
 * so. Coarse counts come first, and all modes take turns, so the plot fills evenly. After the first
 * turns of a count, on a CPU of all counts, the reference verifies the pictures of its modes.
 */

/* New runs start until a burst has taken this long; the longest frame of a point, ms. */
#define APP_STORY_BURST_MS 40.0
#define APP_STORY_FRAME_MS 100.0

/* The samples of a point: at first, and at most. */
enum { APP_STORY_FIRST = 6, APP_STORY_SAMPLES = 24 };

struct app_story;

/* Creates the story of a picture of this size with the book's recipe, at fit zoom and standing
 * still, beside an engine, which must outlive it. counts: ascending numbers of spheres; NULL: those
 * of --record. settle(who), unless NULL, is called before a frame's burst and waits until no other
 * work uses the device, so that no point shares it with the drawing of a frame. Nothing is measured
 * and no device is connected yet. */
struct app_story *app_story_open(struct app_engine *engine, const struct app_sweep_values *counts,
                                 int width, int height, void (*settle)(void *who), void *who);
void app_story_close(struct app_story *story); /* accepts NULL */

/* Runs one burst between two frames for the state's backend, and waits for its end. The first call
 * connects the device. Does nothing during a hold, when the story is complete, or after a failure.
 * Errors: KRN_LOST; others become the view's `why`. */
enum krn_code app_story_frame(struct app_story *story, const struct app_state *state,
                              struct krn_error *error);

/* Returns true when the newest frame began with a burst, whose time is not the frame's own. */
bool app_story_ran(const struct app_story *story);

/* Notes that no burst precedes the next frame. hidden: because the plot is not shown. */
void app_story_pause(struct app_story *story, bool hidden);

/* Returns true when there is nothing left to measure on a backend. */
bool app_story_over(const struct app_story *story, enum krn_backend_id backend);

/* Drops the numbers of a backend, so that they are measured again, and closes its device, as when
 * the backend is lost. */
void app_story_again(struct app_story *story, enum krn_backend_id backend);

/* Returns the state of the measurement on a backend; valid until the next call. */
const struct app_story_view *app_story_current(struct app_story *story,
                                               enum krn_backend_id backend);

/* Returns what was measured on a backend at a number of spheres, counted from 0, and the state that
 * was rendered; NULL: there are no more of them. */
const struct app_measurement *app_story_point(const struct app_story *story,
                                              enum krn_backend_id backend, int at,
                                              struct app_state *state);

/* --- pure functions behind the measurement --- */

/* Fills order with 0..count-1, coarse first: the ends, the middle, the middles of the halves. */
void app_story_order(int count, int order[APP_SWEEP_COUNTS]);

/* Predicts the time of a frame in ms at counts[at] from the times of the same mode at other counts;
 * ms[i] > 0 where one was measured. From the next lower measured count, the time grows in
 * proportion to the count; over a short step it may grow more slowly, as between the two lower
 * ones. It is no longer than at a higher measured count. < 0: nothing was measured. */
double app_story_predict_ms(const int *counts, const double *ms, int count, int at);

/* --- a duel without a window: both modes on every frame until the verdict is in --- */

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
void app_duel_judge(const struct app_engine *engine, const struct app_conditions *conditions,
                    struct app_duel_result *duel_result);

/* Returns the verdict, or why there is none: WRONG, DO_NOT_QUOTE, SAME_CACHES, or NOT_TRUSTED when
 * the A/A duel shows a difference as well. */
enum app_verdict app_duel_verdict(const struct app_duel_result *duel_result);

/* --- the kernels of a folder, ranked (class_run.c) --- */

/* The kernels of a folder: one after another is tried in a process of its own, timed in turns with
 * the book's kernel, and verified. A class has a device of its own beside the picture's, as the
 * story plot has, and takes turns with the picture's frames: while it times or verifies a kernel,
 * nothing else may use the device. It renders the scene of the state that it was opened with,
 * standing still. */
struct app_class;

/* Creates the class of a folder's files; engine: the picture's, which must outlive it. A size that
 * follows a window is the book's. settle(who), unless NULL: as for app_story_open. */
struct app_class *app_class_open(struct app_engine *engine, const struct app_state *state,
                                 const char *folder, void (*settle)(void *who), void *who);
void app_class_close(struct app_class *self); /* accepts NULL */

/* Looks what has come, changed and gone, and takes a step for the kernel whose turn it is, on a
 * backend; another one begins anew. Errors: KRN_LOST; others become a row's `why`. */
enum krn_code app_class_frame(struct app_class *self, enum krn_backend_id backend, double now_s,
                              struct krn_error *error);

/* Returns true from when a kernel has passed its trial until its row is complete. */
bool app_class_measures(const struct app_class *self);

/* Returns the board; valid until the next call of another function. */
const struct app_class_view *app_class_current(struct app_class *self, double now_s);
