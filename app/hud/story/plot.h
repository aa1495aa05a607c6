/* app/hud/story/plot.h - draws curves of kernel time against the number of spheres, both
 * logarithmic.
 */
#ifndef APP_STORY_PLOT_H
#define APP_STORY_PLOT_H

#include "hud/draw.h"
#include "measure/panels.h"
#include "story/curves.h"
#include "story/story.h"

#include "ren/plot.h"

#include <stdbool.h>
#include <stddef.h>

/* Draws the axes, the curves with their intervals, and their names at the right, none over another.
 * The colour of a curve is that of its storage; the book's kernel is dashed, and the one that sorts
 * spheres is thick. Curves that are not there yet are left out. Bands mark where the spheres no
 * longer fit into the fast part of the constant cache (cache_bytes; 0: unknown, no band) and into
 * constant memory, for 28 and for 16 bytes per sphere. Returns false, and draws nothing, when there
 * is no point or no room. */
bool app_story_plot(const struct app_brush *brush, struct ren_rect area,
                    const struct app_curves *curves, double cache_bytes);

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

/* Draws the card into `area`, in pixels; its text scales with the area. view NULL: nothing was
 * measured. device: the name of the one that measures. panels: measurements of the constant cache;
 * NULL: there are none. In a small area, captions are left out. */
void app_story_panel(const struct app_brush *brush, struct ren_rect area,
                     const struct app_story_view *view, const char *device,
                     const struct app_panels_view *panels);

#endif
