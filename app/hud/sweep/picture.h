/* app/hud/sweep/picture.h - draws the plot of a sweep's record over the whole picture. */
#ifndef APP_SWEEP_PICTURE_H
#define APP_SWEEP_PICTURE_H

#include "hud/draw.h"
#include "print/sweep.h"

/* Draws a title, what was measured on which device, and the curves: in the book view kernel time
 * against the spheres, for each kernel and storage. In the light view, time and rays per second
 * against the spheres or the bounces, for each kernel and storage; when both vary, rays per second
 * against the spheres, for up to five numbers of bounces, a chart per kernel. `state` has the
 * picture's size. */
void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state);

#endif
