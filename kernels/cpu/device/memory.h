/* kernels/cpu/device/memory.h - what the CPU backend's kernels read and work in, taken before they
 * are timed. */
#ifndef KRN_CPU_MEMORY_H
#define KRN_CPU_MEMORY_H

#include "cpu/trace/kernels.h"

struct krn_cpu_memory {
    struct krn_sphere *given; /* the scene as it was set */
    struct krn_sphere *turned;
    struct krn_packed *packed;
    struct krn_material *material;
    float *reaches; /* of the spheres, for the book's kernel */
    int count;

    struct krn_cpu_scratch *scratch; /* one a thread; NULL: none yet */
    int threads, scratch_pixels, scratch_spheres;

    struct krn_sizes sizes;
    struct krn_view planned; /* width 0: no plan yet */
    struct krn_cpu_bins bins;
    size_t counts_held, entries_held;
};

/* Takes a copy of the scene. Errors: KRN_NO_MEMORY; the old scene stays. */
enum krn_code krn_cpu_memory_scene(struct krn_cpu_memory *memory, const struct krn_scene *scene,
                                   struct krn_error *error);

/* Allocates scratch for each of the threads, for rows of the view. */
enum krn_code krn_cpu_memory_scratch(struct krn_cpu_memory *memory, const struct krn_view *view,
                                     int threads, struct krn_error *error);

/* The binned kernel's lists, for scene and view. Errors: KRN_NO_MEMORY, with how much it takes. */
enum krn_code krn_cpu_memory_bins(struct krn_cpu_memory *memory, const struct krn_view *view,
                                  int threads, struct krn_error *error);

/* Every piece of it. */
void krn_cpu_memory_free(struct krn_cpu_memory *memory);

#endif
