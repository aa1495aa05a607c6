/* app/engine/work.h - the work of the engine's frames, counted on the device that renders, outside
 * of every timed kernel: operations and bytes of the book view, and rays of the light view.
 *
 * Operations follow from the sphere tests that the kernels of the heat map count (krn/heat.h), and
 * from what the kernels' source computes for each of them: an addition, a subtraction, a product, a
 * division and a root count 1, a fused multiply-add 2. Counted are
 *
 * - the book's kernel: 7 per test (on a CPU, which squares the radii beforehand, 6), 5 per pixel;
 * - strip and binned: 5 per test, as if every test hit, and 8 per pixel, as if every one showed a
 *   sphere: its ray and its shade;
 * - strip on a GPU, for the rejection of a sphere for K pixels: 3 from constant memory, where every
 *   lane tests it, else 7 per 32 spheres, one per lane.
 *
 * Not counted are further roots and shades of the book's hits, the rest of what rejects spheres for
 * many pixels at once, what sorts them, and the rotation. A profiler reports more, because a GPU
 * computes a division or a root with several instructions.
 *
 * Bytes are the compulsory traffic with memory: the image written once, 4 bytes per pixel, and each
 * sphere read once in the layout that the kernel reads, a packed one with its material. Caches
 * serve every further read, and the binned kernel's lists.
 *
 * The rays of a picture are the same for every mode, so that rays over a mode's kernel time are its
 * rate.
 */
#pragma once

#include "engine/engine.h"
#include "model/estimate.h"

/* The work of one frame; 0: unknown, as of the light view, of the user's kernel and of the splat
 * kernel, which also rejects pixels by the depths of other spheres. */
struct app_work {
    double flops, bytes;
};

/* Counts the work of a mode whose kernel takes `ms` in the frame that the state asks for, on the
 * state's backend, and waits: about as long as for one frame. Counts nothing that takes more than
 * some 20 ms, or more memory than 4096 x 4096 pixels do, and nothing while a heat map is shown,
 * whose costs it would overwrite. */
struct app_work app_work_count(const struct app_engine *engine, const struct app_state *state,
                               struct krn_mode mode, double ms);

/* The counts of the scene and view on screen, zero-initialised. */
struct app_works {
    bool begun; /* the members below are valid */
    uint32_t epoch;
    enum krn_backend_id backend;
    double since_s; /* when the epoch began */
    bool counted[KRN_MODES_MAX];
    struct app_work modes[KRN_MODES_MAX]; /* indexed by krn_mode_index */
};

/* Follows the screen: counts the modes of a scene and view that have stood for half a second, once
 * they have a time, one mode per call. Writes the modes whose work and time are known; returns
 * their number. */
int app_work_follow(struct app_works *works, const struct app_engine *engine,
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
