/* app/model/sweep.h - the ray tracer's times over a size: of every mode at several numbers of
 * spheres, of bounces, or both; the fastest mode at each; and the sentences that follow.
 *
 * What is measured between frames (measure/mode_run.h), a recorded run and a record of --sweep fill
 * the same structure, from which plots, tables and sentences are made. Every function is pure and
 * thread safe.
 */
#pragma once

#include "model/model.h"

#include "krn/light.h"
#include "krn/mode.h"

enum {
    APP_SWEEP_COUNTS = 24, /* enough for 1, 2, 5, 10 ... 1000000 and two ends between them */
    APP_SWEEP_BOUNCE_COUNTS = KRN_BOUNCES_MAX + 1,
    APP_SWEEP_POINTS = APP_SWEEP_COUNTS * APP_SWEEP_BOUNCE_COUNTS
};

/* --- which points are measured --- */

/* What a sweep varies. */
enum app_sweep_axis { APP_SWEEP_SPHERES, APP_SWEEP_BOUNCES, APP_SWEEP_AXES };

_Static_assert((int)APP_SWEEP_AXES == (int)APP_SPANS_MAX, "an option stores a span for every axis");

enum { APP_SWEEP_KEPT = -1 }; /* what a point leaves as it is */

struct app_sweep_point {
    int spheres; /* of a new random scene; APP_SWEEP_KEPT: the state's scene */
    int bounces; /* APP_SWEEP_KEPT: the state's */
};

/* Returns the axes of --record and of the story plot: 10, 20, 50 ... 5000 spheres. */
const struct app_span *app_sweep_record_axes(void);

/* Fills points with every combination of the axes that are on, in ascending order, bounces fastest:
 * the low end, the numbers of spheres 1, 2 and 5 times a power of ten between, and the high end,
 * and every number of bounces. Returns the number of points. */
int app_sweep_points(const struct app_span axes[APP_SWEEP_AXES],
                     struct app_sweep_point points[APP_SWEEP_POINTS]);

/* --- their times --- */

/* One mode at one point. */
struct app_sweep_cell {
    struct app_estimate median;      /* ms, with every reason to doubt it; not valid: none */
    const struct app_result *result; /* NULL: refused, not measured, or measured in this session */
};

/* The values of one axis, ascending. */
struct app_sweep_values {
    int at[APP_SWEEP_COUNTS];
    int count;
};

/* A point is a pair of a number of spheres and a number of bounces; its index is that of the
 * spheres times bounces.count, plus that of the bounces. A curve is the fastest mode of a kernel
 * and storage at each point. */
struct app_sweep {
    struct app_sweep_values spheres, bounces; /* bounces of the book view: 0 alone */
    int points;                               /* spheres.count * bounces.count */
    enum krn_view_kind view;                  /* of all modes */
    const struct app_result *one;             /* of the results that it was read from; NULL: none */
    bool one_storage;                  /* all storages use the same caches: one curve per kernel */
    double limit_ms[APP_SWEEP_POINTS]; /* limit_raw_ms of a point; 0: unknown */
    bool measured[KRN_MODES_MAX];      /* at some point */
    bool wrong[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT]; /* the picture of one of the curve's modes */
    struct app_sweep_cell cells[][KRN_MODES_MAX];    /* by point and krn_mode_at's number */
};

/* Inserts a value into an axis that has room for `most`; returns false when it is full. */
bool app_sweep_add(struct app_sweep_values *values, int most, int value);

/* Returns the index of a value; values->count when the axis does not have it. */
int app_sweep_index(const struct app_sweep_values *values, int value);

/* Makes a sweep without times, to be freed. bounces NULL: 0 alone. */
struct app_sweep *app_sweep_new(enum krn_view_kind view, const struct app_sweep_values *spheres,
                                const struct app_sweep_values *bounces);

/* Sets the median time of a mode at a point. result: where it comes from, or NULL. */
void app_sweep_put(struct app_sweep *sweep, int mode, int point, const struct app_estimate *median,
                   const struct app_result *result);

/* Makes the sweep of the results of the ray tracer that differ from the last one in nothing but the
 * numbers of spheres and bounces; they stay in *results. NULL when there are none, or too many
 * values. */
struct app_sweep *app_sweep_read(const struct app_results *results);

/* Returns true when a result is one of the sweep's. */
bool app_sweep_has(const struct app_sweep *sweep, const struct app_result *result);

/* Returns true when the cell's time may be compared with others: it was measured, the picture is
 * right, and no red reason speaks against it (app_trust_no_verdict). */
bool app_sweep_has_verdict(const struct app_sweep_cell *cell);

/* Returns the number of spheres and of bounces of a point. */
int app_sweep_spheres(const struct app_sweep *sweep, int point);
int app_sweep_bounces(const struct app_sweep *sweep, int point);

/* Returns true when both the spheres and the bounces vary. */
bool app_sweep_has_both(const struct app_sweep *sweep);

/* Returns what tells a point from the others: "20", or "20, 4" when both axes vary. */
struct app_phrase app_sweep_point_text(const struct app_sweep *sweep, int point);

/* Returns the rays per second of a cell; not valid where no rays were counted. */
struct app_estimate app_sweep_rate(const struct app_sweep_cell *cell);

/* Returns the index (krn_mode_at) of the fastest mode at a point, among the modes of one kernel
 * and storage, of all its storages with storage -1, or among all with kernel -1; but for the mode
 * `but` and its equals in other storages of the same memory, -1: for none. Ignores times without a
 * verdict; -1: none is left. */
int app_sweep_fastest(const struct app_sweep *sweep, int point, int kernel, int storage, int but);

/* Returns the time of a curve at a point; NULL: it has none. */
const struct app_estimate *app_sweep_time(const struct app_sweep *sweep, enum krn_kernel kernel,
                                          enum krn_storage storage, int point);

/* --- sentences --- */

enum { APP_HEADLINES = 3 };

/* The most important one first. */
struct app_story_headline {
    char text[APP_HEADLINES][128];
    int count;
    int sorted_from; /* the point from which on sorting pays; -1: none, or not known */
};

/* Finds what times of the book view over the spheres say: which storage is fastest for the book's
 * kernel, and up to which number of spheres; how far the storages differ for the strip kernel; from
 * which number of spheres on sorting pays. "Fastest" means that the interval of every other
 * storage's ratio lies beyond the band of indifference, band_percent. */
void app_story_headline_of(const struct app_sweep *sweep, double band_percent,
                           struct app_story_headline *headline);

struct app_recorded_view; /* records/recorded.h */

/* The story plot on screen. */
struct app_story_view {
    struct app_sweep *sweep; /* owned; NULL: nothing was measured */
    struct app_story_headline headline;
    bool begun, done;
    bool paused;       /* the plot is hidden, so nothing is measured */
    double progress;   /* 0..1, without the points that are left out */
    size_t least;      /* the fewest samples of a point on a curve; 0: there is none */
    int width, height; /* pixels of the image */
    unsigned trust;    /* enum app_trust_reason bits of all points */
    const struct app_recorded_view *recorded; /* the run that it is from; NULL: measured here */
    char left_out[160];       /* which points are left out as too long, a sentence; "": none */
    char why[APP_NOTICE_MAX]; /* why it cannot continue, a sentence; "": it can */
};
