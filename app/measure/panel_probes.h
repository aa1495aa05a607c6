/* app/measure/panel_probes.h - one backend's probes on the panels: a source whose runs are short
 * enough to fit between frames; and the time that they may take (inside app/measure only). */
#pragma once

#include "engine/engine.h"
#include "measure/report.h"
#include "measure/sampler.h"
#include "model/probe_result.h"
#include "model/trust.h"

#include "krn/probe.h"
#include "krn/stats.h"

#include <stdbool.h>

/* --- the time of the slices between frames --- */

/* Slices earn a share of the time that passes. A slice pays its predicted time when it starts; when
 * it has ended, its measured time replaces the predicted one. */

/* Outside a round, no slice runs between frames that is known to take longer, and all slices of one
 * frame together take no longer. */
#define APP_SLICE_MS 2.0

/* The time that slices have used, without those of rounds. */
struct app_panels_spent {
    double slices_ms, longest_ms;
    double since_s; /* start of the period in which they ran */
    int slices;
};

/* Zero-initialised except for the share, it has earned nothing. */
struct app_budget {
    double share;        /* fraction of the time that slices may take */
    double credit_ms;    /* earned and not spent */
    double burst_ms;     /* slices of this frame so far */
    double predicted_ms; /* of the slice under way */
    bool asked;          /* that slice belongs to a round */
    struct app_panels_spent spent;
};

/* Longest burst of one frame in a round, ms. */
extern const double app_budget_asked_ms;

/* Earns the share of the time since the last frame. Of what earlier frames left, the price of one
 * slice is kept, so that a pause is not followed by a burst. asked: a full round is under way. */
void app_budget_earn(struct app_budget *budget, double since_ms, bool asked);

/* Begins the slices of one frame. */
void app_budget_begin_burst(struct app_budget *budget);

/* True when a slice that takes predicted_ms may start now. */
bool app_budget_affords(const struct app_budget *budget, double predicted_ms, bool asked);

/* Pays for a slice that is about to start; gives the price back when it did not start. */
void app_budget_pay(struct app_budget *budget, double predicted_ms, bool asked);
void app_budget_give_back(struct app_budget *budget);

/* Replaces a slice's predicted time by its measured one. */
void app_budget_settle(struct app_budget *budget, double took_ms);

/* Ends the slices of one frame, which took took_ms with all that was waited for. */
void app_budget_end_burst(struct app_budget *budget, double took_ms);

/* --- the probes --- */

/* The newest runs that decide whether a probe is long: a single one may have been disturbed. */
enum { APP_PANEL_LAST = 5 };

/* One probe's newest samples, and how long its runs are. */
struct app_panel_slot {
    struct krn_series ms, cycles;
    struct app_probe_sum sum;
    double samples_ms[KRN_SERIES_CAPACITY]; /* those of `ms`, in the order of measurement */
    unsigned runs;                          /* readings taken since the probes were opened */
    double slice_ms;                        /* of the newest run; 0: there is none yet */
    double
        last_ms[APP_PANEL_LAST]; /* slices of the newest runs: run r in place r modulo the size */
    /* Its slices take longer than APP_SLICE_MS: by the median of those (the lower one of two); the
     * first one alone counts only where the probe's own guess agrees. */
    bool is_long;
    bool overhead_tried; /* its overhead was measured, or could not be */
};

struct app_panel_probes {
    struct krn_probes *probes; /* NULL: there are none; `why` says so once opening was tried */
    bool tried, all;
    char why[APP_NOTICE_MAX + 16];
    struct app_result *results;
    struct app_panel_slot *slots;
    int count;
    struct app_sampler sampler;      /* its items are the probes; a turn of theirs is a round */
    struct krn_check check;          /* of the newest run */
    unsigned long drops;             /* runs that gave no reading because the host was late */
    struct app_trust_facts evidence; /* about the device, during the newest run */
    bool hold;                 /* numbers stand still: readings only tell how long they took */
    int next[KRN_TOPIC_COUNT]; /* the probe with which each topic goes on */
    char refused[KRN_TOPIC_COUNT][APP_NOTICE_MAX]; /* why its first refused probe was; "" */
    struct krn_device_info device;
};

/* Opens the device's probes and takes all the memory they need; a failure becomes `why`. all: with
 * those that only a round has, as they take long to open (app_probes_add_gl). The struct must stay
 * where it is until it is closed. */
void app_panel_probes_open(struct app_panel_probes *side, struct krn_device *device, bool all);
void app_panel_probes_close(struct app_panel_probes *side);

/* Predicts how long a slice of a probe takes, ms: as long as its newest one did. */
double app_panel_slice_ms(const struct app_panel_probes *side, int index);

/* Returns the topic's next probe that may run, and moves on to the one behind it; -1: none may.
 * again: in a round that was asked for. */
int app_panel_next(struct app_panel_probes *side, int topic, bool again);

/* True when every probe is refused or was never short enough to run. */
bool app_panel_all_refused(const struct app_panel_probes *side);

/* Returns why a topic's probes, or some of them, are missing; NULL: none was refused. */
const char *app_panel_refusal(const struct app_panel_probes *side, int topic);

/* Begins a round: drops all numbers and refusals. */
void app_panel_forget(struct app_panel_probes *side);

/* Returns the topic that a round measures now, whose probes take turns: first those that the board
 * judges, and the one that lacks the least time; -1: none lacks a run. *runs: those that all lack.
 * A probe lacks runs until it has the samples of the board's interval, where the board does not
 * judge its topic also only until its 95 % interval is narrow, or until it is refused. */
int app_panel_round(const struct app_panel_probes *side, int *runs);

/* Zero-initialised, nothing is known. Must not be moved. */
struct app_background_frames {
    /* State of the newest frame; set by app_background_frames_follow. */
    struct app_engine *engine;
    const struct app_state *state;
    double now_s;

    struct app_sampler sampler;
    struct app_item items[APP_BACKGROUND_COUNT];
    /* Tests (pixels x spheres) per ms of the newest run of the book's kernel; 0: unknown. Kept
     * across scenes, so that it predicts the first frame of the next one. */
    double rate[KRN_BACKEND_COUNT][APP_BACKGROUND_COUNT];
    char why[KRN_BACKEND_COUNT][APP_NOTICE_MAX]; /* why the last one failed, with this scene; "" */
    uint32_t epoch;                              /* of the engine, that `why` is about */
    enum app_background next;
    int asked[APP_BACKGROUND_COUNT]; /* frames of this round */
    double started_s;
};

/* Begins a frame of the window: stores its state and learns the rates. */
void app_background_frames_follow(struct app_background_frames *background,
                                  struct app_engine *engine, const struct app_state *state,
                                  double now_s);

/* Predicts the time of the next background frame in ms, the slower of the two; < 0: none runs, and
 * *why has the reason (NULL: it has enough runs). again: a round is running. */
double app_background_frames_ms(const struct app_background_frames *background,
                                const struct app_engine *engine, const struct app_state *state,
                                bool again, const char **why);

/* Begins a round: drops the numbers of that backend, and reasons. */
void app_background_frames_forget(struct app_background_frames *background,
                                  struct app_engine *engine, enum krn_backend_id backend);
