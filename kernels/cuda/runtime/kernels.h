/* kernels/cuda/runtime/kernels.h - narrow C wrappers over the kernels that serve every frame and
 * that nobody times. Each only launches, on the stream given, and returns what a peek after the
 * launch says. */
#ifndef KRN_CUDA_RUNTIME_KERNELS_H
#define KRN_CUDA_RUNTIME_KERNELS_H

#include "krn/device.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds up *sum (device memory), the hash of the image's pixels. */
cudaError_t krn_cuda_hash(const struct krn_image *image, unsigned long long *sum,
                          cudaStream_t stream);

/* Holds the stream until *ticket (host memory mapped into the device) reaches `number`, or until
 * `cycles` of the multiprocessor's clock have passed, whatever comes first. */
cudaError_t krn_cuda_gate(const volatile unsigned *ticket, unsigned number, long long cycles,
                          cudaStream_t stream);

/* Does nothing: the launch floor, and the proof that this build has code for the device. */
cudaError_t krn_cuda_empty(cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
