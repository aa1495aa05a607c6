/* app/story/headline.h - writes the sentences that follow from the curves.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_STORY_HEADLINE_H
#define APP_STORY_HEADLINE_H

#include "story/curves.h"

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
