/* kernels/cuda/trace/tracer.h - the ray tracer of a CUDA device: the scene in every form that a
 * kernel reads, and the table of launchers (inside kernels/cuda only). */
#ifndef KRN_CUDA_TRACER_H
#define KRN_CUDA_TRACER_H

#include "cuda/runtime/timer.h"
#include "cuda/trace/bins.h"

struct krn_cuda_tracer {
    struct krn_sphere *given;     /* device memory: the scene as it was set */
    struct krn_cuda_posed posed;  /* the same under `pose` */
    void *book_bank, *strip_bank; /* device memory: where the constant storages keep their copies */
    struct krn_pose pose;
    bool in_place; /* posed and the banks are given under pose */
    struct krn_cuda_binning binning;
};

/* Finds the constant banks of a tracer that is all 0. */
cudaError_t krn_cuda_tracer_open(struct krn_cuda_tracer *tracer);
void krn_cuda_tracer_close(struct krn_cuda_tracer *tracer);

/* As the calls of krn/device.h, on a stream. */
enum krn_code krn_cuda_tracer_set_scene(struct krn_cuda_tracer *tracer,
                                        const struct krn_scene *scene, cudaStream_t stream,
                                        struct krn_error *error);
enum krn_code krn_cuda_tracer_set_pose(struct krn_cuda_tracer *tracer, struct krn_pose pose,
                                       cudaStream_t stream, struct krn_error *error);

/* Whether the table has a launcher for this mode. The calls below are for modes that it has. */
bool krn_cuda_tracer_renders(struct krn_mode mode);
/* What a frame puts into the queue, the gate aside; a clearing counts like a kernel. */
int krn_cuda_tracer_launches(struct krn_mode mode);
/* Makes what the mode needs besides the scene, outside all time stamps.
 * Errors: KRN_REFUSED, KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_cuda_tracer_prepare(struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                      const struct krn_view *view, struct krn_error *error);
/* Launches one frame. With a timer, kernels of several parts put a time stamp between them. */
enum krn_code krn_cuda_tracer_launch(const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     struct krn_cuda_frame frame, cudaStream_t stream,
                                     struct krn_cuda_timer *timer, struct krn_error *error);

#endif
