/* app/story/plan.h - the order in which the story plot fills, and the predicted times of its
 * points.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_STORY_PLAN_H
#define APP_STORY_PLAN_H

#include "judge/verified.h"
#include "story/curves.h"

#include <stdint.h>

/* The workload: the book's recipe with other numbers of spheres, at fit zoom, standing still. */
struct app_story_plan {
    int counts[APP_CURVE_COUNTS]; /* ascending */
    int count;
    int width, height; /* pixels of the image */
};

/* Returns 10, 20, 50 ... 5000 spheres at the book's image size. */
struct app_story_plan app_story_plan_default(void);

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
