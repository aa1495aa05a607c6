/* app/heat/heat.h - the heat map of the picture on screen: decides when its costs are found
 * again, keeps its scale, and paints it over the picture.
 *
 * The kernels of a heat map run after the frame's timed kernel and outside of its time stamps. They
 * leave other data in the caches, so they do not run on every frame: at most ten times per second,
 * in a fifth of the time at most, and not again while the picture stands still.
 */
#ifndef APP_HEAT_H
#define APP_HEAT_H

#include "engine/engine.h"

#include "krn/heat.h"

/* All members 0 is a valid initial state. */
struct app_heat {
    bool valid; /* the members below belong to a picture */
    enum krn_heat quantity;
    enum krn_backend_id backend;
    struct krn_mode mode;
    uint32_t epoch;  /* of scene and view */
    double motion_s; /* the pose whose costs are kept */
    struct krn_heat_costs costs;
    uint32_t scale; /* the cost at the upper end of the colours: that of 99 % of pixels or more */
    double found_s, duration_s; /* when the costs were found, and how long that took */
    struct {                    /* the pixel under the mouse pointer */
        bool valid;
        int column, row; /* from the upper left corner */
        uint32_t cost;
        double found_s; /* of the costs that it was read from */
    } at;
};

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
