/* kernels/cuda/device/device.h - a connected CUDA device (inside kernels/cuda only). */
#ifndef KRN_CUDA_DEVICE_H
#define KRN_CUDA_DEVICE_H

#include "core/device/backend.h"
#include "cuda/runtime/timer.h"
#include "cuda/trace/bins.h"

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
    struct krn_cuda_binning binning;
};

extern const struct krn_device_ops krn_cuda_ops;

#endif
