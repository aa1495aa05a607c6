/* kernels/cuda/published/saxpy.h - SAXPY as the text has it (inside kernels/cuda only). */
#ifndef KRN_CUDA_PUBLISHED_SAXPY_H
#define KRN_CUDA_PUBLISHED_SAXPY_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = a x + y, one element per thread; and x and y filled with one value each. */
cudaError_t krn_cuda_saxpy(int n, int threads, float a, const float *x, float *y,
                           cudaStream_t stream);
cudaError_t krn_cuda_saxpy_fill(int n, float x_value, float y_value, float *x, float *y,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
