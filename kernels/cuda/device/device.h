/* kernels/cuda/device/device.h - a connected CUDA device (inside kernels/cuda only). */
#ifndef KRN_CUDA_DEVICE_H
#define KRN_CUDA_DEVICE_H

#include "core/device/backend.h"
#include "cuda/runtime/timer.h"
#include "cuda/trace/kernels.h"

#include <cuda_runtime_api.h>

struct krn_cuda_device {
    struct krn_device base;
    cudaStream_t stream;
    struct krn_cuda_timer *timer;
    struct krn_sphere *spheres;   /* device memory, as given */
    struct krn_cuda_scene turned; /* device memory, as rendered */
    void *book_bank, *strip_bank; /* device memory, where the constant storages keep their copies */
    unsigned long long *hash;     /* device memory, one; NULL until it is wanted */
    struct krn_pose pose;
    bool posed; /* turned and the banks are spheres under pose */

    /* The binned kernel's lists: made when it first meets a scene and view. */
    struct krn_sizes sizes;
    struct krn_tile_plan plan;
    struct krn_cuda_bins bins;
    size_t tiles_held, entries_held;
    struct krn_view planned; /* width 0: no plan yet */
};

extern const struct krn_device_ops krn_cuda_ops;

/* Makes the lists fit scene and view. Errors: KRN_NO_MEMORY, with how much it would take. */
enum krn_code krn_cuda_bins_prepare(struct krn_cuda_device *cuda, const struct krn_view *view,
                                    struct krn_error *error);
void krn_cuda_bins_free(struct krn_cuda_device *cuda);

#endif
