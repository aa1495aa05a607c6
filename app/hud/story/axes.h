/* app/hud/story/axes.h - axes of plots over spheres or bounces: ranges, levels, ticks. */
#ifndef APP_STORY_AXES_H
#define APP_STORY_AXES_H

#include "hud/draw.h"

#include "ren/plot.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets the ends of y, decimal logarithms, to 1, 2 or 5 times a power of ten about low and high. */
void app_story_span_y(struct ren_axes *axes, double low, double high);

/* Returns the place of a value on the x axis: its decimal logarithm, or itself. */
double app_story_x(int value, bool logarithmic);

/* Sets the ends of x about the values, which ascend; count >= 1. */
void app_story_span_x(struct ren_axes *axes, const int *values, int count, bool logarithmic);

/* Draws a level at 1, 2 and 5 times every power of ten, and what it is at the left, in `size`
 * units. */
void app_story_levels(const struct app_brush *brush, const struct ren_axes *axes,
                      void (*write)(double value, char *text, size_t size), float size);

/* Draws a tick at every value, and its number, in `size` units, where it stands clear of its
 * neighbour and of the last number. */
void app_story_ticks(const struct app_brush *brush, const struct ren_axes *axes, const int *values,
                     int count, bool logarithmic, float size);

#endif
