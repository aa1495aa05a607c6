/* kernels/cuda/light/light.h - the light view of a CUDA device: the scene in every form that its
 * kernels read, and the table of launchers (private to kernels/cuda). */
#pragma once

#include "cuda/light/kernels.h"
#include "cuda/trace/tracer.h"

/* All members 0 is a valid initial state. A scene's memory is allocated and filled when a kernel
 * of the light view is first prepared for it, so the book view pays nothing for it. */
struct krn_cuda_light {
    struct krn_cuda_lit lit;
    struct krn_cuda_tree tree;    /* allocated when the tree kernel is first prepared for a scene */
    void *brute_bank, *tree_bank; /* device memory: the banks of the constant storages */
    bool allocated;               /* `lit` has the arrays of the tracer's scene */
    bool posed;                   /* they contain the scene in the tracer's pose */
    struct krn_srgb srgb;         /* the source of lit.table */
};

void krn_cuda_light_close(struct krn_cuda_light *light);

/* Invalidates what was made for the tracer's previous scene, which no queued kernel still reads. */
void krn_cuda_light_new_scene(struct krn_cuda_light *light);

/* Returns true if the table has a launcher for this mode. The calls below require one. */
bool krn_cuda_light_renders(struct krn_mode mode);
/* Returns the most kernels, memsets and copies that a frame queues, without the gate. */
int krn_cuda_light_launches(struct krn_mode mode);

/* Returns what a launch needs for this view of a scene with these bounds. */
struct krn_cuda_lit_frame krn_cuda_light_frame(const struct krn_view *view,
                                               struct krn_bounds bounds,
                                               struct krn_cuda_frame image);

/* Writes the tracer's scene in every form, if it is not there yet, and creates what the mode needs
 * in addition, outside of all time stamps. Errors: KRN_REFUSED, KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_cuda_light_prepare(struct krn_cuda_light *light,
                                     const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                     struct krn_error *error);
/* Launches one frame. With a timer, records a time stamp between the tree's build and the trace. */
enum krn_code krn_cuda_light_launch(const struct krn_cuda_light *light, struct krn_mode mode,
                                    const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                    struct krn_cuda_timer *timer, struct krn_error *error);

/* Queues the count of each pixel's rays, which is written to device memory, row by row; NULL: of
 * all pixels' rays by bounce, in lit.rays. Errors: as krn_cuda_light_prepare. */
enum krn_code krn_cuda_light_count_pixels(struct krn_cuda_light *light,
                                          const struct krn_cuda_tracer *tracer,
                                          const struct krn_cuda_lit_frame *frame,
                                          uint32_t *pixel_rays, cudaStream_t stream,
                                          struct krn_error *error);

/* As krn_device_rays; blocks. */
enum krn_code krn_cuda_light_count(struct krn_cuda_light *light,
                                   const struct krn_cuda_tracer *tracer,
                                   const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                   struct krn_rays *rays, struct krn_error *error);
