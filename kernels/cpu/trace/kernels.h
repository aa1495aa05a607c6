/* kernels/cpu/trace/kernels.h - the kernels of the CPU backend, one set for every instruction-set
 * level. */
#ifndef KRN_CPU_KERNELS_H
#define KRN_CPU_KERNELS_H

#include "core/trace/tiles.h"
#include "cpu/runtime/team.h"
#include "krn/device.h"

#include <stdbool.h>

/* The scene, posed, in every form that a kernel reads. */
struct krn_cpu_scene {
    const struct krn_sphere *spheres;
    const struct krn_packed *packed;
    const struct krn_material *material;
    int count;
};

/* What one thread works in. The arrays by pixel hold a row of the image and a vector more. */
struct krn_cpu_scratch {
    int *candidates; /* room for every sphere */
    float *x, *deepest, *chord;
    int *winner;
};

enum { KRN_CPU_LANES = 16, KRN_CPU_ALIGN = 64, KRN_CPU_BAND = 8 };

/* The binned kernel's lists: tile t has entries[start[t]] up to entries[start[t + 1]]. `counts` is
 * scratch of `parts` times all tiles, parts being how many slices of the scene are sorted at once.
 */
struct krn_cpu_bins {
    struct krn_tiles tiles;
    size_t *start;
    int *entries;
    unsigned *counts;
    int parts;
};

struct krn_cpu_kernels {
    /* reaches is what .reach makes of the spheres; no turn changes it. */
    void (*book)(struct krn_cpu_team *team, const struct krn_sphere *spheres, const float *reaches,
                 int count, const struct krn_view *view, const struct krn_image *image);
    void (*reach)(const struct krn_sphere *spheres, float *reaches, int count);
    /* 32 * pixels_per_thread neighbours of a row at a time, as a warp has them on the GPU. One
     * scratch a thread. */
    void (*strip)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                  int pixels_per_thread, const struct krn_view *view, const struct krn_image *image,
                  const struct krn_cpu_scratch *scratch);
    void (*sort)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                 const struct krn_cpu_bins *bins);
    void (*binned)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                   const struct krn_cpu_bins *bins, const struct krn_view *view,
                   const struct krn_image *image, const struct krn_cpu_scratch *scratch);
    void (*turn)(struct krn_cpu_team *team, const struct krn_sphere *spheres,
                 struct krn_sphere *turned, struct krn_packed *packed,
                 struct krn_material *material, int count, struct krn_pose pose);
};

#endif
