/* app/measure/report.h - makes a record of measurements: begins it, and adds results. Sort it
 * (app_results_sort) before it is read. */
#pragma once

#include "base/environment.h"
#include "engine/engine.h"
#include "measure/mode_run.h"
#include "measure/sampler.h"
#include "model/anatomy.h"
#include "model/estimate.h"
#include "model/probe_result.h"
#include "model/trust.h"
#include "records/recorded.h"
#include "topics/claims.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/probe.h"
#include "krn/stats.h"
#include "krn/telemetry.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdbool.h>
#include <stdint.h>

/* The OpenGL side of a run. */
struct app_screen {
    const struct ren_gl_info *gl;
    const char *context; /* "GLFW window, X11", "EGL surfaceless" */
    const struct ren_blit_status *blit;
};

/* Begins a record of this machine, its devices and the state. screen NULL: nothing is drawn. */
void app_report_begin(struct app_results *results, struct app_environment *environment,
                      const struct app_engine *engine, const struct app_state *state,
                      const struct app_screen *screen);

/* Adds a result with the reasons to doubt it, enum app_trust_reason bits. */
void app_report_add(struct app_results *results, const struct app_result *result, unsigned trust);

/* The items of a benchmark that lack first samples because the time was up. */
struct app_report_few {
    int few, all;
    int none;       /* those of `few` without any sample */
    char first[96]; /* the first of them */
};

/* Counts an item with n samples, which the rule `stop` ended. */
void app_report_count(struct app_report_few *few, size_t n, enum krn_stop stop, const char *name);

/* Adds a sentence about the items that were counted, if some of them lack samples. Marks the record
 * as incomplete if one has no sample. */
void app_report_note_few(struct app_results *results, const char *benchmark,
                         const struct app_report_few *few);

/* Renders the state's mode once more, untimed, into an image of its own, and computes its hash.
 * Blocks until it is complete. The engine has adopted the state. Errors: those of
 * krn_device_render, KRN_NO_MEMORY. */
enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error);

/* Adds this hash to the record. A picture that cannot be rendered leaves it out. */
void app_report_picture(struct app_results *results, const struct app_engine *engine,
                        const struct app_state *state);

/* Adds the phases as one result, medians in milliseconds: cpu_X_ms and gpu_X_ms for each phase X,
 * the gaps of both lanes, and what the overlay takes. Adds none when no frame was collected. */
void app_report_add_anatomy(struct app_results *results, const struct app_state *state,
                            const struct app_anatomy_view *view);

/* Copies a series, oldest sample first; returns how many samples it has. */
size_t app_report_samples(const struct krn_series *series, double samples[KRN_SERIES_CAPACITY]);

/* Adds the times of whole frames, if there are any. */
void app_report_add_frames(struct app_results *results, const struct app_engine *engine,
                           const struct app_state *state, const struct app_screen *screen,
                           const struct krn_series *frames);

/* Adds one result "duel"; its samples are the newest pairs, A's and B's in turn. */
void app_report_add_duel(struct app_results *results, const struct app_state *state,
                         const struct app_duel_result *duel, enum app_regime regime);

/* Adds the claims: one result "claims" each. Its outcome has the published number, this device's
 * number with the ends of its interval, and the verdict. */
void app_report_add_claims(struct app_results *results, enum krn_backend_id backend,
                           const struct app_claim claims[APP_CLAIM_COUNT]);

/* Judges the claims from the results of a record and adds them to it. The intervals of several
 * processes are across them. */
void app_report_judge_claims(struct app_results *results, double band_percent);

/* What the result of a probe that is being measured consists of. */
struct app_probe_sum {
    struct app_result_process process;
    struct app_pair metrics[24];
    struct krn_check check; /* of the latest run, or of the first wrong one */
    struct krn_overhead overhead;
    double tick_ms;          /* of the clock behind ms; 0: unknown, or it is another clock */
    char verified_text[160]; /* what was compared, or what is wrong */
};

/* Sets the metrics of a result from its samples: the summaries, and intervals of the medians, of ms
 * and of cycles. */
void app_probe_sum_up(struct app_result *result, struct app_probe_sum *sum,
                      const struct krn_summary summaries[2], const struct krn_interval intervals[2],
                      unsigned long gate_drops);

/* Adds the result of a probe that was measured here, with all metrics that
 * apply to it; without samples adds nothing. */
void app_report_add_probe(struct app_results *results, const struct app_probes_view *view,
                          const struct app_result *measured);

/* Adds all modes of a measurement of the state that have samples, which it adds, too. */
void app_report_add_measurement(struct app_results *results, const struct app_state *state,
                                const struct app_measurement *measurement);

/* Adds the kernels of a folder, those that have no time with the reason. */
void app_report_add_class(struct app_results *results, const struct app_class_view *view);

/* Counts every mode of a measurement (app_report_count). */
void app_report_count_modes(struct app_report_few *few, const struct app_measurement *measurement);

/* Notes the choice of --modes; NULL and "" choose every mode. */
void app_report_note_chosen(struct app_results *results, const char *modes);

/* Notes the reasons why modes cannot render the scene. */
void app_report_note_refused(struct app_results *results,
                             const struct app_measurement *measurement);

/* --- one topic's probes, measured without a window and verified against the host --- */

/* Seconds of the samples of a topic when the caller sets no limit; of one in pairs three times as
 * many. */
#define APP_PROBE_SECONDS 2.0

/* Measures all probes of a topic and adds their results, and notes on what is missing. They take
 * turns of a few runs, or of one where they are compared in pairs, so that drift affects all of
 * them alike. The first run of a turn finds another probe's caches and is dropped, and so are a
 * probe's first samples once its newest ones have settled. A probe ends when the interval of its
 * median is narrower than APP_MEASURE_WIDTH, or with 300 samples; all end when the plan's time is
 * up. Before any probe has more, every probe has APP_FIRST_SAMPLES. 0 < plan->frames < 300: takes
 * exactly that many samples instead, unless the time is up. Then each probe runs once more, and its
 * whole result is compared with the host's. Errors: those of krn_probes_open and krn_probe_start;
 * then nothing is added. */
enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic topic, const struct app_plan *plan,
                                  struct app_results *results, struct krn_error *error);

/* Puts OpenGL's probes of the topic `where` beside those of CUDA, where an OpenGL context of this
 * process computes on the same GPU. */
void app_probes_add_gl(struct krn_probes *probes, const struct krn_device *device);

/* Begins the result of a probe, which points into *sum, both zeroed. */
void app_probe_begin(struct app_result *result, struct app_probe_sum *sum,
                     const struct krn_probes *probes, int index);

/* Returns the verdict on a run: FALSE when a value is wrong or the largest error is not zero, which
 * includes NaN; UNKNOWN when nothing was compared. */
enum app_verified app_check_verdict(const struct krn_check *check);

/* Writes the result of a check in words. */
void app_check_text(const struct krn_check *check, char *text, size_t size);

/* Takes the reading of the run under way; its second number is the clock cycles. *check: what the
 * check of the run saw. *drops: the number of dropped runs before this one (krn_probe_gate_drops);
 * updated. */
enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops);

/* Returns the reasons to doubt a probe's result. facts: what is known of the device and of the
 * result's samples; the rest follows from the probe. */
unsigned app_probe_judge(const struct app_probes_view *view, const struct app_result *result,
                         struct app_trust_facts facts);

/* --- the record of a session with a window (session_record.c) --- */

struct app_panels_live;

/* Adds every mode that was recorded at the state's scene, size and zoom: copies of the numbers of a
 * recorded run, each with its samples and the reason `recorded`, for pictures that show them. */
void app_report_recorded_modes(struct app_results *results, const struct app_recorded *recorded,
                               const struct app_state *state);

/* Names the device and the time of the recorded results, for programs and in a sentence. */
void app_report_recorded_origin(struct app_results *results, const struct app_recorded *recorded);

/* The session that a record is made of. */
struct app_session_record {
    struct app_environment *environment;
    const struct app_engine *engine;
    const struct app_state *state;
    struct app_screen screen;
    const struct app_verify *const *verify; /* two: of the backend on screen, and of a duel's B */
    bool display_waits;                     /* the device idles until the display takes a frame */
    struct app_panels_live *panels;         /* NULL: none are shown */
    const struct app_story *story;          /* what was measured for the story plot */
    const struct krn_series *frames;        /* whole frames, ms */
    const struct app_anatomy_view *anatomy; /* of the last frames; NULL: none */
    double now_s;                           /* when the frame began */
    const struct app_recorded *recorded;    /* the recorded run on screen; NULL: none */
    const struct app_measurement *measured; /* takes the place of times on screen; NULL: none */
    const struct app_state *played; /* whose recorded times stand in for the session's own; NULL:
                                       none do */
    bool cut_short; /* the session has ended before its time: the record is incomplete */
};

/* Returns the record, to be freed with app_results_free: one result for each mode that was timed,
 * on screen and at each point of the story plot, for the duel, for every topic of the panels, and
 * for whole frames. */
struct app_results app_report_session(const struct app_session_record *session);
