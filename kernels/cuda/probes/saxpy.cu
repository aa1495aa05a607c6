/* SAXPY with 16 bytes a load; the text's own is in saxpy.cu. */
#include "cuda/probes/kernels.h"

namespace
{

__global__ void __launch_bounds__(KRN_CUDA_VECTOR_THREADS)
    saxpy_vector(float a, const float4 *x, float4 *y)
{
    const unsigned i = threadIdx.x + blockIdx.x * KRN_CUDA_VECTOR_THREADS;
    const float4 from = x[i];
    float4 to = y[i];
    to.x = a * from.x + to.x;
    to.y = a * from.y + to.y;
    to.z = a * from.z + to.z;
    to.w = a * from.w + to.w;
    y[i] = to;
}

} // namespace

cudaError_t krn_cuda_saxpy_vector(size_t n, float a, const float *x, float *y, cudaStream_t stream)
{
    saxpy_vector<<<(unsigned)(n / KRN_CUDA_VECTOR_TILE), KRN_CUDA_VECTOR_THREADS, 0, stream>>>(
        a, (const float4 *)x, (float4 *)y);
    return cudaPeekAtLastError();
}
