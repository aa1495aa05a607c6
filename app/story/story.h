/* app/story/story.h - measures the story plot between frames: the kernel time of the book view's
 * kernels from every storage, against the number of spheres.
 *
 * The points are measured on a device of their own, which this module connects: the same backend
 * and the same physical device, with its own scene, image and timer. The picture on screen keeps
 * its scene, its epoch and its statistics, and no reading of a point can be taken for one of a
 * frame. A process of its own would do the same, but two processes share a GPU by time slices that
 * the program does not control, so the times of either would depend on the other; in one process,
 * frames and points strictly take turns. What both devices share are the constant banks, one per
 * process. After every burst the module makes the engine forget its upload, so that the next frame
 * uploads its scene again, and every burst begins with an upload of its own.
 *
 * The user asks for the measurement with a key, so a burst between two frames may be far longer
 * than that of the panels: APP_STORY_BURST_MS, which leaves about 10 frames per second. A point
 * whose frame is predicted to take longer than APP_STORY_FRAME_MS is left out, and the view says
 * so. Coarse counts come first, and all modes take turns, so the plot fills evenly.
 */
#ifndef APP_STORY_H
#define APP_STORY_H

#include "engine/engine.h"
#include "judge/trust.h"
#include "story/curves.h"

#include "krn/mode.h"

#include <stdbool.h>
#include <stdint.h>

/* New runs start until a burst has taken this long; the longest frame of a point, ms. */
#define APP_STORY_BURST_MS 40.0
#define APP_STORY_FRAME_MS 100.0

/* The samples of a point: at first, and at most. */
enum { APP_STORY_FIRST = 6, APP_STORY_SAMPLES = 24 };

/* The workload: the book's recipe with other numbers of spheres, at fit zoom, standing still. */
struct app_story_plan {
    int counts[APP_CURVE_COUNTS]; /* ascending */
    int count;
    int width, height; /* pixels of the image */
};

struct app_recorded_view; /* recorded/recorded.h */

/* What the screen shows. */
struct app_story_view {
    struct app_curves curves;
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

struct app_story;

/* Returns 10, 20, 50 ... 5000 spheres at the book's image size. */
struct app_story_plan app_story_plan_default(void);

/* Creates the story; nothing is measured and no device is connected yet. */
struct app_story *app_story_open(const struct app_story_plan *plan, double band_percent);
void app_story_close(struct app_story *story); /* accepts NULL */

/* Sets a function that is called before a frame's burst. It waits until no other work uses the
 * device, so that no point shares it with the drawing of a frame. */
void app_story_set_idle_hook(struct app_story *story, void (*settle)(void *who), void *who);

/* Runs one burst between two frames for the state's backend, and waits for its end. The first call
 * connects the device. Does nothing during a hold, when the story is complete, or after a failure.
 * Errors: KRN_LOST; others become the view's `why`. */
enum krn_code app_story_frame(struct app_story *story, struct app_engine *engine,
                              const struct app_state *state, struct krn_error *error);

/* Returns true when the newest frame began with a burst, whose time is not the frame's own. */
bool app_story_ran(const struct app_story *story);

/* Notes that no burst precedes the next frame. hidden: because the plot is not shown. */
void app_story_pause(struct app_story *story, bool hidden);

/* Returns true when there is nothing left to measure on a backend. */
bool app_story_over(const struct app_story *story, enum krn_backend_id backend);

/* Drops the numbers of a backend, so that they are measured again. */
void app_story_again(struct app_story *story, enum krn_backend_id backend);

/* Closes the device of a backend, because the backend is lost, and drops its numbers. */
void app_story_release(struct app_story *story, enum krn_backend_id backend);

/* Returns the curves and the state of the measurement on a backend; valid until the next call. */
const struct app_story_view *app_story_current(struct app_story *story,
                                               enum krn_backend_id backend);

/* --- pure functions behind the measurement --- */

/* Fills order with 0..count-1, coarse first: the ends, the middle, the middles of the halves. */
void app_story_order(int count, int order[APP_CURVE_COUNTS]);

/* Predicts the time of a frame in ms at counts[at] from the times of the same mode at other counts;
 * ms[i] > 0 where one was measured. From the next lower measured count, the time grows in
 * proportion to the count; over a short step it may grow more slowly, as between the two lower
 * ones. It is no longer than at a higher measured count. < 0: nothing was measured. */
double app_story_predict_ms(const int *counts, const double *ms, int count, int at);

/* Compares the pictures of `count` modes by their hashes; hashes[i] counts where hashed[i]. Those
 * that differ from the most frequent one are wrong; of two that are equally frequent, the earlier
 * one counts as right. A single picture stays unverified. */
void app_story_compare(const uint64_t *hashes, const bool *hashed, int count,
                       enum app_verified *verified);

#endif
