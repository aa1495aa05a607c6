/* app/measure/sampler.h - runs the items of a source and decides which of their times count.
 *
 * A source is whatever can be started again and again and then gives a time: the modes of the ray
 * tracer, the probes of a topic, the two sides of a duel, the background frames between those on
 * screen. The sampler knows none of them. Without a window it measures all items in turns until
 * each has enough samples (app_sampler_run). Between the frames of a window, the caller chooses and
 * starts the next item, and the same sampler takes its reading (app_sampler_start and the calls
 * below it).
 */
#pragma once

#include "base/complain.h"
#include "base/value.h"

#include "krn/error.h"
#include "krn/stats.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The result of one run. */
struct app_reading {
    double ms;       /* the time that is measured */
    double second;   /* what is measured with it, as the source defines it; else 0 */
    double slice_ms; /* all that the device did for the run */
    bool busy;       /* earlier work was queued or running when the run was queued */
};

enum app_poll {
    APP_POLL_BUSY,  /* the run is in progress */
    APP_POLL_TAKEN, /* its reading has been taken */
    APP_POLL_LOST,  /* it ended without a reading, or no run is in progress */
    APP_POLL_LATE,  /* it ended without a reading, because the host was late */
};

/* The functions of a source; those marked optional may be NULL. self is the sampler's. */
struct app_source {
    /* Starts a run. It may wait for the run's end where a nap between two polls would let the
     * device idle. Errors: KRN_REFUSED when this item cannot run, KRN_LOST, KRN_FAILED. */
    enum krn_code (*start)(void *self, int item, struct krn_error *error);
    /* Takes the reading of the run that was started when it is ready. Never waits. */
    enum app_poll (*poll)(void *self, int item, struct app_reading *reading);
    /* Optional. Says why a run was lost; KRN_OK: it does not matter. */
    enum krn_code (*explain)(void *self, int item, struct krn_error *error);
    /* Optional. Takes note of a reading. counts: it is one of the item's samples. */
    void (*take)(void *self, int item, const struct app_reading *reading, bool counts);
    /* Optional. Decides whether the item is done, `seconds` after the beginning, in place of the
     * stop rule. */
    enum krn_stop (*judge)(void *self, int item, double seconds);
    /* Optional. Writes a line about an item for a terminal. */
    void (*describe)(void *self, int item, size_t samples, char *text, size_t size);
    /* Optional. The time in seconds; NULL: the monotonic clock. */
    double (*clock_s)(void *self);
};

/* One item: its samples, and what the sampler knows of it. Zeroed, it has not run yet. */
struct app_item {
    double *ms, *second;   /* the caller's arrays of `room` values; NULL with room 0 */
    size_t room;           /* samples beyond it are counted, not kept */
    size_t n;              /* samples, in the order in which they were taken */
    size_t readings, busy; /* all readings, also those that are no samples, and the busy ones */
    unsigned runs;         /* started in this turn */
    double each_s;         /* average time of a run of its last turn */
    int lost;              /* runs in a row that gave no reading */
    unsigned long late;    /* runs that gave no reading because the host was late */
    bool settled;          /* samples from before that are dropped */
    enum krn_stop stop;
    char refused[APP_NOTICE_MAX]; /* why it cannot run, a sentence; "": it can */
};

/* The rules by which items take turns, so that drift affects all of them alike. The first runs of a
 * turn load the kernel and find the caches filled by another item: they do not count. */
struct app_turns {
    /* Samples that every item has before any item has more: an item's first turn ends with them.
     * Items whose runs are long get them after all others. 0: an item's first turn is as long as
     * its other ones. */
    int first;
    int samples; /* of one item before the next one has its turn; its interval is computed anew
                  * whenever their number is a multiple of this */
    int warm_up; /* runs at the beginning of a turn that do not count */
    /* A turn ends after this many seconds as soon as the item has a sample; 0: never. */
    double limit_s;
    /* A warm-up run counts when it ends this many seconds after its turn began: loading is
     * negligible compared with such a time; 0: never. */
    double long_s;
    /* A warm-up run counts when the time is up and it took long, or the item has no sample yet. */
    bool late_counts;
    size_t settle_every; /* samples between two checks whether an item has settled; 0: never */
};

/* Samples that every item of a measurement has before any item has more. */
enum { APP_FIRST_SAMPLES = 6 };

/* The limits of a measurement without a window. */
struct app_plan {
    int frames;        /* samples of each item; 0: the stop rule ends it */
    double seconds;    /* for all of it, with preparation and verification; 0: the usual time */
    const char *modes; /* the modes that are measured (app_mode_chosen); NULL: all */
    uint64_t seed;     /* of the order in which the items have their turns; 0: as they are listed */
    bool repeats;      /* another process compares whole results with the host's */
    struct app_progress *progress; /* NULL: none */
};

/* A plan's times, by app_clock_s. With plan.seconds 0, items that lack their first samples may take
 * several times the usual time, and verification takes as long as it needs. */
struct app_times {
    double seconds; /* for all samples */
    double most_s;  /* for an item's first samples */
    double end_s;   /* when verification ends */
};

/* Divides the time that the plan leaves of a measurement that began at start_s. usual_s: the time
 * for all samples without plan.seconds. */
struct app_times app_plan_times(const struct app_plan *plan, double start_s, double usual_s);

/* Returns the seed of a shuffled order, or of the same order reversed, so that what depends on the
 * place in the order cancels over two processes. */
uint64_t app_plan_seed(uint64_t seed, bool reversed);

/* Fills order with 0..count-1: as they are for seed 0, else shuffled. */
void app_plan_order(uint64_t seed, int *order, int count);

struct app_sampler {
    const struct app_source *source;
    void *self; /* handed to the source's functions */
    struct app_item *items;
    int count;
    struct app_turns turns;
    /* The stop rule of each item; rule.seconds limits all of them together. With rule.width 0, no
     * early samples are dropped. */
    struct krn_stop_rule rule;
    /* With turns.first, an item that lacks first samples may go on after rule.seconds, until this
     * time at most; 0: without limit. */
    double most_s;
    const int *order;              /* the items in the order of their turns; NULL: as they are */
    struct app_progress *progress; /* NULL: none */

    double seconds; /* duration of app_sampler_run without the wait for telemetry */

    /* Its own: */
    int running;                   /* 1 + the item whose run is under way; 0: none */
    double start_s, turn_s, run_s; /* when app_sampler_run, the turn and the run began */
};

/* Measures all items in turns, until each is done, refused, or app_must_stop. An item is done when
 * the interval of its median is narrow, with rule.at_most samples, or when the time is up and it
 * has its first samples, at least one. After most_s it may end with less, even without a sample.
 * Samples from before an item settled are dropped. Telemetry: throttling is counted from the
 * beginning, and *telemetry is read at the end, before the device cools down; monitor may be NULL.
 * Errors: those of the source but KRN_REFUSED, which leaves out the item; KRN_FAILED when run after
 * run gives no reading, with a sentence that tells whether the host was late; what was measured
 * until then stays. */
enum krn_code app_sampler_run(struct app_sampler *sampler, struct krn_telemetry *monitor,
                              struct krn_telemetry_reading *telemetry, struct krn_error *error);

/* Starts one run of an item. KRN_OK with app_sampler_busy false: the source refused the item, and
 * says why in its `refused`. Errors: those of the source but KRN_REFUSED. */
enum krn_code app_sampler_start(struct app_sampler *sampler, int item, struct krn_error *error);

/* True while a run is under way or its reading has not been taken. */
bool app_sampler_busy(const struct app_sampler *sampler);

/* Takes the reading of the run under way when it is ready. Never waits. */
enum app_poll app_sampler_poll(struct app_sampler *sampler, struct app_reading *reading);

/* Begins a new turn of an item: its next runs warm up. */
void app_sampler_begin_turn(struct app_sampler *sampler, int item);
