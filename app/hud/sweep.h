/* app/hud/sweep.h - draws the picture of a sweep's record. */
#ifndef APP_SWEEP_PICTURE_H
#define APP_SWEEP_PICTURE_H

#include "hud/draw.h"
#include "model/sweep.h"
#include "spec/state.h"

/* Draws a title, what was measured on which device, and the curves (print/plot.h). `state` has the
 * picture's size. */
void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state);

#endif
