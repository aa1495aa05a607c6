/* kernels/cuda/device/device.h - a connected CUDA device (private to kernels/cuda). */
#ifndef KRN_CUDA_DEVICE_H
#define KRN_CUDA_DEVICE_H

#include "core/device/backend.h"
#include "cuda/heat/heat.h"
#include "cuda/light/light.h"
#include "cuda/trace/tracer.h"

#include <cuda_runtime_api.h>

struct krn_cuda_stamps;

struct krn_cuda_device {
    struct krn_device base;
    cudaStream_t stream;
    struct krn_cuda_timer *timer;
    struct krn_cuda_tracer tracer;
    struct krn_cuda_light light;
    struct krn_cuda_heat heat;
    /* The modes that were launched with this scene and view: their kernels are loaded. */
    bool launched[KRN_MODES];
    struct krn_view launched_view;
    unsigned long long *hash;       /* device memory; NULL until the first hash */
    struct krn_cuda_stamps *stamps; /* NULL until a frame's parts are stamped */
};

extern const struct krn_device_ops krn_cuda_ops;

#endif
