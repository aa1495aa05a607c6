/* app/print/plot.h - draws times of the ray tracer against the number of spheres or bounces, with
 * any pen: on the screen, and on a page.
 */
#ifndef APP_PLOT_H
#define APP_PLOT_H

#include "model/sweep.h"
#include "topics/chart.h"

#include <stdbool.h>

/* Draws curves of kernel time against spheres (app_sweep_has_curve), with their intervals, and
 * their names at the right, in type of `size` pixels. The colour of a curve is that of its storage;
 * the book's kernel is dashed, and the one that sorts spheres is thick. few: the book's kernel from
 * global and from constant memory, the others from whatever storage is fastest, and a mark where
 * its sentence says that sorting pays; NULL: all lines. Curves that are
 * not there yet are left out. Bands mark where the spheres no longer fit into the fast part of the
 * constant cache (cache_bytes; 0: unknown, no band) and into constant memory, for 28 and for 16
 * bytes per sphere. users: a time of the user's kernel, or NULL. Returns false, and draws nothing,
 * when there is no point or no room. */
bool app_story_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep, double cache_bytes,
                    const struct app_story_headline *few, const struct app_mark *users);

/* More lines than these cannot be told apart in the last row: the table has them all. */
enum { APP_PLOT_BOUNCES = 5 };

/* Draws a sweep of the light view: time and rays per second against the spheres or the bounces, for
 * each kernel and storage; when both vary, rays per second against the spheres, for up to
 * APP_PLOT_BOUNCES numbers of bounces, a chart per kernel. Returns as app_story_plot. */
bool app_light_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep);

#endif
