/* app/engine/verify.h - verifies the picture of the scene by every mode of the view on screen.
 *
 * Once per scene and view, every mode renders its picture again, untimed. The device computes a
 * hash of each, and a thread compares each distinct picture with the double-precision reference. In
 * a window, one picture is rendered per frame; where storages are different memories, the hashes
 * are compared again every few seconds. What would cost too much is left out, and its text gives
 * the reason.
 */
#pragma once

#include "engine/engine.h"
#include "model/estimate.h"
#include "model/trust.h"
#include "spec/state.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/reference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_verify;

/* Creates a verifier for a window. */
struct app_verify *app_verify_open(void);

/* Ends the thread and frees the images. Call it before the engine's devices are closed. */
void app_verify_close(struct app_verify *verify);

/* Frees what lies on a device that is about to be closed. */
void app_verify_release(struct app_verify *verify);

/* Takes one step, after the frame's own kernel was launched: at most, it renders one more picture.
 * facts: rates that predict its cost. A failure ends the verification of this scene, not the frame.
 */
void app_verify_frame(struct app_verify *verify, struct app_engine *engine,
                      const struct app_state *state, const struct app_facts *facts, double now_s);

/* Replaces app_verify_frame in frames that may launch nothing: drops what is known of another scene
 * or view. */
void app_verify_follow(struct app_verify *verify, const struct app_engine *engine,
                       const struct app_state *state, double now_s);

/* Begins a verification that waits for a new scene to stay: nobody changes this one. */
void app_verify_hurry(struct app_verify *verify);

/* Returns true when no verification is in progress. */
bool app_verify_settled(const struct app_verify *verify);

/* Returns true while the thread computes and so disturbs what is measured on the processors. */
bool app_verify_computes(const struct app_verify *verify);

/* Fills in what is known of one mode. */
void app_verify_status(const struct app_verify *verify, enum krn_backend_id backend,
                       struct krn_mode mode, double now_s, struct app_verify_status *status);

/* Begins to verify the pictures of `count` modes of one view, in the state's size, light and pose,
 * whatever it costs, in place of app_verify_frame. */
void app_verify_begin(struct app_verify *verify, const struct app_engine *engine,
                      const struct app_state *state, const struct krn_mode *modes, int count);

/* Takes one step of that: renders one more picture, on the device that still has the scene, or
 * finds that the thread is done (app_verify_computes), for which it never waits. Returns false when
 * nothing is left to do (app_verify_settled). */
bool app_verify_step(struct app_verify *verify, const struct app_engine *engine,
                     const struct app_state *state);

/* Limits of a verification that the caller waits for. */
struct app_verify_limits {
    double end_s; /* by app_clock_s: it is left incomplete then; HUGE_VAL: never */
    /* Another process compares with the reference: this one compares only where that is cheap, or
     * where the modes do not have the same bytes. */
    bool repeats;
};

/* Verifies the pictures of `count` modes of one view, in the state's size, light and pose, and
 * waits for the result: for runs without a window. statuses: one per mode; what costs too much,
 * takes too long or is interrupted stays unknown, with the reason in its text. Errors: those of
 * krn_device_render but KRN_CANCELLED, KRN_NO_MEMORY. */
enum krn_code app_verify_now(const struct app_engine *engine, const struct app_state *state,
                             const struct krn_mode *modes, int count,
                             const struct app_verify_limits *limits,
                             struct app_verify_status *statuses, struct krn_error *error);

/* Returns the number of pixels that the reference would draw; each costs about 10 ns. In the light
 * view it follows rays through a tree, and a large scene is compared with the CPU's splat kernel
 * and, in 64 rows, by brute force: the number is that of pixels which cost as much. */
double app_verify_pixels(const struct krn_scene *scene, enum krn_view_kind kind,
                         const struct krn_view *view);

/* --- the facts by which numbers are trusted (model/trust.h), gathered in one place --- */

/* The machine while something was measured. */
struct app_conditions {
    const struct krn_telemetry_reading *telemetry; /* NULL: the newest reading */
    bool since; /* the measurement began with krn_telemetry_mark: its worst clocks count */
    bool on_battery;
    bool display_waits, heat_map;       /* as struct app_trust_facts has them */
    const struct ren_gl_info *gl;       /* of the picture; NULL: it does not count */
    const struct ren_blit_status *blit; /* likewise */
};

/* Returns the facts about a backend's device and machine: clocks, throttling, cores, battery, and
 * the share of the newest launches that were late. The overhead is the launch floor, for numbers
 * whose own overhead is unknown. */
struct app_trust_facts app_evidence_of_device(const struct app_engine *engine,
                                              enum krn_backend_id backend,
                                              const struct app_conditions *conditions);

/* Returns the same with what is known of a mode: whether its pictures are right, and the overhead
 * of its own grid. Its samples follow by app_trust_samples or app_trust_series. */
struct app_trust_facts app_evidence_of_mode(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode,
                                            const struct app_conditions *conditions,
                                            enum app_verified verified);

/* Returns a mode's time by these samples, with everything that the engine knows of it, and the
 * reasons to doubt it. */
struct app_mode_time app_evidence_time(const struct app_engine *engine, enum krn_backend_id backend,
                                       struct krn_mode mode, const struct krn_series *series,
                                       const struct app_conditions *conditions,
                                       const struct app_verify_status *verified);
