/* kernels/cuda/published/kernels.h - C wrappers over the published kernels. Each launches on the
 * given stream and returns cudaPeekAtLastError(). */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = a x + y, one element per thread. */
cudaError_t krn_cuda_saxpy(int n, int threads, float a, const float *x, float *y,
                           cudaStream_t stream);

#ifdef __cplusplus
}
#endif
