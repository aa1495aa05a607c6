/* app/window/heat.h - the heat map of the picture on screen: decides when its costs are found
 * again, keeps its scale, and paints it over the picture.
 *
 * The kernels of a heat map run after the frame's timed kernel and outside of its time stamps. They
 * leave other data in the caches, so they do not run on every frame: at most ten times per second,
 * in a fifth of the time at most, and not again while the picture stands still.
 */
#ifndef APP_HEAT_H
#define APP_HEAT_H

#include "engine/engine.h"
#include "hud/contents.h"

/* Paints the state's heat map over `image`, which contains the newest frame; finds the costs first
 * when they are due. After an error, `image` may contain any of the two. Errors: as krn_device_heat
 * and krn_device_heat_paint. */
enum krn_code app_heat_frame(struct app_heat *heat, const struct app_engine *engine,
                             const struct app_state *state, const struct krn_image *image,
                             double now_s, struct krn_error *error);

/* Brings `at` up to date: the cost of a pixel, counted from the upper left corner of the picture,
 * or none where it lies outside. Reads from the device only when the pixel or the costs are new. */
void app_heat_point(struct app_heat *heat, const struct app_engine *engine,
                    const struct app_state *state, int column, int row);

#endif
