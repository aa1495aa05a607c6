/* kernels/cpu/device/memory.h - memory of the CPU backend's kernels, allocated before they are
 * timed. */
#ifndef KRN_CPU_MEMORY_H
#define KRN_CPU_MEMORY_H

#include "cpu/trace/kernels.h"

struct krn_cpu_memory {
    struct krn_sphere *given; /* the scene before rotation */
    struct krn_sphere *rotated;
    struct krn_packed *packed;
    struct krn_material *material;
    float *mirrors; /* as in krn_scene, but never NULL */
    float *reaches; /* output of krn_cpu_kernels.reach, for the book kernel */
    int count;

    struct krn_cpu_scratch *scratch; /* one per thread; NULL: not allocated yet */
    int threads, scratch_pixels, scratch_spheres;

    struct krn_sizes sizes;
    struct krn_view planned; /* the view that the bins are planned for; width 0: none yet */
    struct krn_cpu_bins bins;
    size_t counts_held, entries_held;
};

/* Allocates memory for vectors; NULL: there is none. free() frees it. */
void *krn_cpu_aligned(size_t bytes);

/* Copies the scene. Errors: KRN_NO_MEMORY; the old scene stays. */
enum krn_code krn_cpu_memory_scene(struct krn_cpu_memory *memory, const struct krn_scene *scene,
                                   struct krn_error *error);

/* Allocates scratch for each of the threads, for rows of the view. */
enum krn_code krn_cpu_memory_scratch(struct krn_cpu_memory *memory, const struct krn_view *view,
                                     int threads, struct krn_error *error);

/* Plans and allocates the bins for scene and view. Errors: KRN_NO_MEMORY; the message gives the
 * required size. */
enum krn_code krn_cpu_memory_bins(struct krn_cpu_memory *memory, const struct krn_view *view,
                                  int threads, struct krn_error *error);

/* Frees all of it. */
void krn_cpu_memory_free(struct krn_cpu_memory *memory);

#endif
