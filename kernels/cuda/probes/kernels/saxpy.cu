/* SAXPY as the article has it, one element per thread, and with 16 bytes per load; its arrays.
 * Source: M. Harris, How to Implement Performance Metrics in CUDA C/C++. */
#include "cuda/probes/elements.cuh"
#include "cuda/probes/kernels/kernels.h"

namespace
{

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    const int i = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

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

struct saxpy_item {
    const float *y;
    krn_cuda_updates updates;
    __device__ float expected(unsigned i) const
    {
        unsigned count = 0;
        for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
            count += i < updates.end[k] ? updates.count[k] : 0;
        return krn_probe_y(i, count);
    }
    __device__ bool wrong(unsigned i) const
    {
        return __float_as_uint(y[i]) != __float_as_uint(expected(i));
    }
    __device__ void values(unsigned i, double *actual_value, double *expected_value) const
    {
        *actual_value = y[i];
        *expected_value = expected(i);
    }
};

struct make_x {
    __device__ float operator()(unsigned i) const
    {
        return krn_probe_x(i);
    }
};

struct make_y {
    __device__ float operator()(unsigned i) const
    {
        return krn_probe_y(i, 0);
    }
};

} // namespace

cudaError_t krn_cuda_saxpy(int n, int threads, float a, const float *x, float *y,
                           cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((n + threads - 1) / threads);
    saxpy<<<blocks, (unsigned)threads, 0, stream>>>(n, a, x, y);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_saxpy_vector(size_t n, float a, const float *x, float *y, cudaStream_t stream)
{
    saxpy_vector<<<(unsigned)(n / KRN_CUDA_VECTOR_TILE), KRN_CUDA_VECTOR_THREADS, 0, stream>>>(
        a, (const float4 *)x, (float4 *)y);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_compare_saxpy(krn_cuda_comparison comparison, const float *y, size_t count,
                                   krn_cuda_updates updates, cudaStream_t stream)
{
    const saxpy_item item = {y, updates};
    return krn_elements::compare_by(comparison, item, count, stream);
}

cudaError_t krn_cuda_fill_x(float *x, size_t count, cudaStream_t stream)
{
    return krn_elements::fill_by(x, count, make_x(), stream);
}

cudaError_t krn_cuda_fill_y(float *y, size_t count, cudaStream_t stream)
{
    return krn_elements::fill_by(y, count, make_y(), stream);
}
