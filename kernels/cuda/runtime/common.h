/* kernels/cuda/runtime/common.h - kernels that nobody times (inside kernels/cuda only). */
#ifndef KRN_CUDA_COMMON_H
#define KRN_CUDA_COMMON_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Holds the stream until *ticket (host memory mapped into the device) reaches `number`, or until
 * `cycles` of the multiprocessor's clock have passed, whatever comes first. */
cudaError_t krn_cuda_gate(const volatile unsigned *ticket, unsigned number, long long cycles,
                          cudaStream_t stream);

/* Does nothing: the empty-kernel time, and the proof that this build has code for the device. */
cudaError_t krn_cuda_empty(cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
