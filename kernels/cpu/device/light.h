/* kernels/cpu/device/light.h - what the light view's kernels read, allocated and arranged before
 * they are timed. The book view needs none of it, so it is made when the first frame asks for it.
 */
#ifndef KRN_CPU_DEVICE_LIGHT_H
#define KRN_CPU_DEVICE_LIGHT_H

#include "cpu/device/memory.h"
#include "cpu/light/kernels.h"

struct krn_cpu_light_memory {
    struct krn_ball *balls, *sun_balls;
    struct krn_surface *surfaces;
    int held;      /* spheres that fit */
    bool arranged; /* they are those of the scene in its pose */
    struct krn_cpu_tree tree;
    int tree_held;                        /* spheres that fit */
    struct krn_cpu_light_picture picture; /* of the newest frame, without image and counts */
    bool toned;                           /* picture.srgb is filled in */
};

/* Prepares a frame of the view. m: the scene, rotated. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_light_prepare(struct krn_cpu_light_memory *light,
                                    const struct krn_cpu_memory *m,
                                    const struct krn_cpu_light_kernels *kernels,
                                    struct krn_cpu_team *team, struct krn_bounds bounds,
                                    const struct krn_view *view, struct krn_error *error);

/* Allocates in addition the tree of the prepared scene. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_light_prepare_tree(struct krn_cpu_light_memory *light, int threads,
                                         struct krn_bounds bounds, struct krn_error *error);

void krn_cpu_light_free(struct krn_cpu_light_memory *light);

#endif
