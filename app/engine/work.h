/* app/engine/work.h - the work of the engine's frames: operations and bytes of the book view
 * (krn/work.h), counted on the host, and rays of the light view, counted on the device that
 * renders.
 *
 * The rays of a picture are the same for every mode, so that rays over a mode's kernel time are its
 * rate. A device counts them by tracing the picture once more, outside of every timed kernel.
 */
#ifndef APP_WORK_H
#define APP_WORK_H

#include "engine/engine.h"
#include "model/estimate.h"

#include "krn/work.h"

/* The count of the scene and view on screen, zero-initialised. */
struct app_work {
    bool begun, counted; /* for this epoch and backend */
    uint32_t epoch;
    enum krn_backend_id backend;
    double since_s; /* when the epoch began */
    struct krn_works works;
};

/* Counts the frame that the state asks for, in at most some 20 ms for most scenes. Returns false
 * when memory is full, or when an interrupt ends the count of a large scene; *works is zeroed then.
 */
bool app_work_count(const struct app_engine *engine, const struct app_state *state,
                    enum krn_backend_id backend, struct krn_works *works);

/* Follows the screen: counts the work of a scene and view that have stood for half a second, once,
 * in a few milliseconds. Scenes that would take longer are not counted. Writes the modes whose work
 * and time are known; returns their number. */
int app_work_follow(struct app_work *work, const struct app_engine *engine,
                    const struct app_state *state, double now_s,
                    struct app_mode_work modes[KRN_MODES_MAX]);

/* The count of the picture on screen, zero-initialised. */
struct app_rays {
    double sum;    /* rays of one picture; 0: not counted yet, or the book view */
    bool sampled;  /* scene or camera move: the count is that of one frame among many */
    bool followed; /* the members below are valid */
    uint32_t epoch;
    enum krn_backend_id backend;
    struct krn_view view;
    double motion_s;
    double next_s; /* no count before this time */
    bool failed;   /* the device cannot count this view */
};

/* Counts the rays of the state's picture in the light view, whichever view the state shows, on its
 * device, and waits for the count: about as long as for one frame. Returns 0 where the device
 * cannot count. */
double app_rays_count(const struct app_engine *engine, const struct app_state *state);

/* Follows the screen: counts the rays of a picture that has stood for a moment, once. While scene
 * or camera move, it counts those of a frame from time to time, within a small share of the time.
 * Call it between frames. */
void app_rays_follow(struct app_rays *rays, const struct app_engine *engine,
                     const struct app_state *state, double now_s);

#endif
