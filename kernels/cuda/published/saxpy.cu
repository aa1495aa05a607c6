/* SAXPY as the article has it: one element per thread. Source: M. Harris, How to Implement
 * Performance Metrics in CUDA C/C++. */
#include "cuda/published/kernels.h"

namespace
{

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    const int i = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

unsigned blocks_for(int n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

} // namespace

cudaError_t krn_cuda_saxpy(int n, int threads, float a, const float *x, float *y,
                           cudaStream_t stream)
{
    saxpy<<<blocks_for(n, threads), (unsigned)threads, 0, stream>>>(n, a, x, y);
    return cudaPeekAtLastError();
}
