/* app/hud/story/plot.h - draws curves of kernel time against the number of spheres, both
 * logarithmic.
 */
#ifndef APP_STORY_PLOT_H
#define APP_STORY_PLOT_H

#include "hud/draw.h"
#include "story/curves.h"

/* Draws the axes, the curves with their intervals, and their names at the right, none over another.
 * The colour of a curve is that of its storage; the book's kernel is dashed, and the one that sorts
 * spheres is thick. Curves that are not there yet are left out. Bands mark where the spheres no
 * longer fit into the fast part of the constant cache (cache_bytes; 0: unknown, no band) and into
 * constant memory, for 28 and for 16 bytes per sphere. Returns false, and draws nothing, when there
 * is no point or no room. */
bool app_story_plot(const struct app_brush *brush, struct ren_rect area,
                    const struct app_curves *curves, double cache_bytes);

#endif
