/* app/hud/plot.h - draws times of the ray tracer against the number of spheres or bounces:
 * the story plot with its card, and the plot of a sweep's record.
 */
#ifndef APP_STORY_PLOT_H
#define APP_STORY_PLOT_H

#include "hud/draw.h"
#include "measure/mode_run.h"
#include "measure/panels.h"
#include "model/sweep.h"

#include <stdbool.h>
#include <stddef.h>

/* Draws curves of kernel time against spheres (app_sweep_has_curve), with their intervals, and
 * their names at the right, in type of `size` units. The colour of a curve is that of its storage;
 * the book's kernel is dashed, and the one that sorts spheres is thick. few: the book's kernel from
 * global and from constant memory, and the others from whatever storage is fastest. Curves that are
 * not there yet are left out. Bands mark where the spheres no longer fit into the fast part of the
 * constant cache (cache_bytes; 0: unknown, no band) and into constant memory, for 28 and for 16
 * bytes per sphere. own: a time of the user's kernel, or NULL. Returns false, and draws nothing,
 * when there is no point or no room. */
bool app_story_plot(const struct app_brush *brush, struct ren_rect area, float size,
                    const struct app_sweep *sweep, double cache_bytes, bool few,
                    const struct app_mark *users);

/* Draws a title, what was measured on which device, and the curves: in the book view the story
 * plot's. In the light view, time and rays per second against the spheres or the bounces, for each
 * kernel and storage; when both vary, rays per second against the spheres, for up to five numbers
 * of bounces, a chart per kernel. `state` has the picture's size. */
void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state);

#endif
