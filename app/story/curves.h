/* app/story/curves.h - the ray tracer's kernel time against the number of spheres, as curves: one
 * per kernel and storage; and the sentences that follow from them.
 *
 * The live measurement (story/story.h) and a record of --sweep both fill them; one function draws
 * them (hud/story/plot.h). Every function is pure and thread safe.
 */
#ifndef APP_CURVES_H
#define APP_CURVES_H

#include "judge/estimate.h"

#include "krn/mode.h"

#include <stdbool.h>

enum {
    APP_CURVE_COUNTS = 24, /* numbers of spheres; as many as a sweep has */
    APP_CURVES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT
};

/* One kernel and storage, with its fastest K at each count. */
struct app_curve {
    enum krn_kernel kernel;
    enum krn_storage storage;
    bool wrong;                               /* the picture of one of its modes is wrong */
    struct app_estimate ms[APP_CURVE_COUNTS]; /* median kernel time; not valid: none yet */
    int pixels_per_thread[APP_CURVE_COUNTS];  /* K of that time */
};

struct app_curves {
    int counts[APP_CURVE_COUNTS]; /* numbers of spheres, ascending */
    int count;
    bool one_storage; /* all storages use the same caches: one curve per kernel */
    struct app_curve curves[APP_CURVES];
    int n; /* curves, in the order of modes */
};

/* Lists a curve without points for every kernel and storage of a view. */
void app_curves_begin(struct app_curves *curves, enum krn_view_kind view, const int *counts,
                      int count, bool one_storage);

/* Returns the curve of a kernel and a storage; NULL when there is none. */
const struct app_curve *app_curves_find(const struct app_curves *curves, enum krn_kernel kernel,
                                        enum krn_storage storage);

/* Offers the median time of a mode at counts[at]: the curve keeps the fastest K. A time that allows
 * no verdict is not kept; one of a wrong picture marks the curve. */
void app_curves_offer(struct app_curves *curves, struct krn_mode mode, int at,
                      const struct app_estimate *ms);

/* Returns the number of counts at which a curve has a time. */
int app_curve_points(const struct app_curve *curve, int count);

enum { APP_HEADLINES = 3 };

/* Sentences that follow from the data, the most important one first. */
struct app_story_headline {
    char text[APP_HEADLINES][128];
    int count;
};

/* Finds the sentences: which storage is fastest for the book's kernel, and up to which number of
 * spheres; how far the storages differ for the strip kernel; from which number of spheres on
 * sorting pays. "Fastest" means that the interval of every other storage's ratio lies beyond the
 * band of indifference, band_percent. */
void app_story_headline_of(const struct app_curves *curves, double band_percent,
                           struct app_story_headline *headline);

#endif
