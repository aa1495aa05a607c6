/* cuda_device.h - a connected CUDA device (inside kernels/cuda only). */
#ifndef KRN_CUDA_DEVICE_H
#define KRN_CUDA_DEVICE_H

#include "backend.h"
#include "cuda_timer.h"

#include <cuda_runtime_api.h>

struct krn_cuda_device {
    struct krn_device base;
    cudaStream_t stream;
    struct krn_cuda_timer *timer;
    struct krn_sphere *spheres; /* device memory, as given */
    struct krn_sphere *turned;  /* device memory, as rendered */
    void *constant_bank;        /* device memory, where the constant storage keeps its copy */
    unsigned long long *hash;   /* device memory, one; NULL until it is wanted */
    struct krn_pose pose;
    bool posed; /* turned and the bank are spheres under pose */
};

extern const struct krn_device_ops krn_cuda_ops;

#endif
