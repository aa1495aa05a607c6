/* kernels/cuda/trace/tracer.h - the ray tracer of a CUDA device: the scene in every form that a
 * kernel reads, and the table of launchers (private to kernels/cuda). */
#pragma once

#include "cuda/runtime/runtime.h"
#include "cuda/trace/kernels.h"

/* The lists, allocated when the binned kernel first renders a scene and view. All members 0 is a
 * valid initial state. */
struct krn_cuda_binning {
    struct krn_sizes sizes; /* numbers of spheres by radius */
    struct krn_tile_plan plan;
    struct krn_cuda_bins bins;
    size_t tiles_held, entries_held; /* capacity of the lists */
    struct krn_view planned;         /* width 0: no plan yet */
};

/* The memory and the plan of the splat kernel, likewise. */
struct krn_cuda_splatting {
    struct krn_cuda_splat splat;
    size_t keys_held, blocks_held;
    struct krn_view planned; /* width 0: no plan yet */
};

struct krn_cuda_tracer {
    struct krn_sphere *source;    /* device memory: the scene without rotation */
    float *mirrors;               /* likewise: one per sphere, for the light view */
    struct krn_cuda_posed posed;  /* the scene rotated by `pose` */
    void *book_bank, *strip_bank; /* device memory: the banks of the constant storages */
    struct krn_pose pose;
    bool posed_valid; /* `posed` and the banks contain the scene under `pose` */
    struct krn_cuda_binning binning;
    struct krn_cuda_splatting splatting;
    struct krn_cuda_mine mine;
};

/* Gets the addresses of the constant banks for a tracer whose members are all 0. */
cudaError_t krn_cuda_tracer_open(struct krn_cuda_tracer *tracer);
void krn_cuda_tracer_close(struct krn_cuda_tracer *tracer);

/* Same contracts as the calls of krn/device.h, on a stream. */
enum krn_code krn_cuda_tracer_set_scene(struct krn_cuda_tracer *tracer,
                                        const struct krn_scene *scene, cudaStream_t stream,
                                        struct krn_error *error);
enum krn_code krn_cuda_tracer_set_pose(struct krn_cuda_tracer *tracer, struct krn_pose pose,
                                       cudaStream_t stream, struct krn_error *error);

/* Loads the user's kernel (krn_cuda_mine_load). */
enum krn_code krn_cuda_tracer_load_mine(struct krn_cuda_tracer *tracer, const struct krn_mine *mine,
                                        cudaStream_t stream, struct krn_error *error);

/* Returns true when the scene is in this pose already. */
bool krn_cuda_tracer_has_pose(const struct krn_cuda_tracer *tracer, struct krn_pose pose);

/* The arrays of a posed scene, one element per sphere, and where kernels read them from besides
 * global memory. */
enum { KRN_CUDA_ARRAYS = 5 };
struct krn_cuda_arrays {
    int spheres;
    struct krn_cuda_array {
        void *memory; /* NULL: there is no such array */
        size_t bytes; /* of an element; a texel is 16 of them where that divides it, else 4 */
        void *bank;   /* constant memory for `room` elements; NULL: none that a pose fills */
        int room;
        cudaTextureObject_t *texture; /* 0: not bound yet; NULL: no kernel reads one */
    } each[KRN_CUDA_ARRAYS];
};

/* Copies a new pose into the constant banks that it fits. */
enum krn_code krn_cuda_fill_banks(const struct krn_cuda_arrays *arrays, cudaStream_t stream,
                                  struct krn_error *error);
/* Creates what a storage needs in addition, unless it is there, outside of all time stamps. Errors:
 * KRN_REFUSED (too many spheres for it), KRN_FAILED. */
enum krn_code krn_cuda_prepare_storage(enum krn_storage storage,
                                       const struct krn_cuda_arrays *arrays,
                                       struct krn_error *error);

/* Returns true if the table has a launcher for this mode. The calls below require one. */
bool krn_cuda_tracer_renders(struct krn_mode mode);
/* Returns the launch of a mode of one kernel, else NULL. */
krn_cuda_launch *krn_cuda_tracer_kernel(struct krn_mode mode);
/* Returns the number of kernels and memsets that a frame queues, without the gate. */
int krn_cuda_tracer_launches(struct krn_mode mode);
/* Creates what the mode needs in addition to the scene, outside of all time stamps. Errors:
 * KRN_REFUSED, KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_cuda_tracer_prepare(struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                      const struct krn_view *view, struct krn_error *error);
/* Launches one frame. With a timer, launchers of several kernels record a time stamp between their
 * parts. */
enum krn_code krn_cuda_tracer_launch(const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     struct krn_cuda_frame frame, cudaStream_t stream,
                                     struct krn_cuda_timer *timer, struct krn_error *error);
