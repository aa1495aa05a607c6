/* Reads the same numbers in different orders. Source of the sum of cubes: a tutorial on access
 * patterns, whose two kernels are sum_chunk and sum_strided. */
#include "core/probes/pattern.h"
#include "cuda/probes/data.h"
#include "cuda/probes/elements.cuh"
#include "cuda/probes/kernels/kernels.h"
#include "cuda/runtime/constants.cuh"

namespace
{

const int elements = KRN_CUDA_SUM_ELEMENTS, sum_threads = KRN_CUDA_SUM_THREADS;
const int whole_threads = KRN_CUDA_WHOLE_THREADS;

/* The numbers: read from memory or, for the expected sums, computed from their index. */
struct read_numbers {
    const int *numbers;
    __device__ int at(int i) const
    {
        return numbers[i];
    }
    __device__ int4 four(int i) const
    {
        return ((const int4 *)numbers)[i];
    }
};

struct made_numbers {
    __device__ int at(int i) const
    {
        return krn_probe_digit((uint32_t)i);
    }
    __device__ int4 four(int i) const
    {
        return make_int4(at(4 * i), at(4 * i + 1), at(4 * i + 2), at(4 * i + 3));
    }
};

__device__ int cube(int v)
{
    return v * v * v;
}

template <class Numbers>
__global__ void sum_chunk(Numbers num, unsigned long long *result, long long *cycles)
{
    const int tid = (int)threadIdx.x, size = elements / sum_threads;
    int sum = 0;
    long long start = 0;
    if (tid == 0)
        start = clock64();
    for (int i = tid * size; i < (tid + 1) * size; i++)
        sum += cube(num.at(i));
    result[tid] = (unsigned long long)sum;
    if (tid == 0)
        *cycles = clock64() - start;
}

template <class Numbers>
__global__ void sum_strided(Numbers num, unsigned long long *result, long long *cycles)
{
    const int tid = (int)threadIdx.x;
    int sum = 0;
    long long start = 0;
    if (tid == 0)
        start = clock64();
    for (int i = tid; i < elements; i += sum_threads)
        sum += cube(num.at(i));
    result[tid] = (unsigned long long)sum;
    if (tid == 0)
        *cycles = clock64() - start;
}

template <class Numbers>
__global__ void sum_loads8(Numbers num, unsigned long long *result, long long *cycles)
{
    const int tid = (int)threadIdx.x, loads = 8;
    int sum = 0;
    long long start = 0;
    if (tid == 0)
        start = clock64();
#pragma unroll 1
    for (int i = tid; i < elements / 4; i += loads * sum_threads) {
        int4 held[loads];
#pragma unroll
        for (int l = 0; l < loads; l++)
            held[l] = num.four(i + l * sum_threads);
#pragma unroll
        for (int l = 0; l < loads; l++)
            sum += cube(held[l].x) + cube(held[l].y) + cube(held[l].z) + cube(held[l].w);
    }
    result[tid] = (unsigned long long)sum;
    if (tid == 0)
        *cycles = clock64() - start;
}

/* Adds up the sums of the block's threads and writes the result to result[blockIdx.x]. */
__device__ void add_up(unsigned long long sum, unsigned long long *result)
{
    const int warps = whole_threads / KRN_LANES;
    __shared__ unsigned long long of_warp[warps];
    for (int lanes = KRN_LANES / 2; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)lanes);
    if (threadIdx.x % KRN_LANES == 0)
        of_warp[threadIdx.x / KRN_LANES] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int warp = 0; warp < warps; warp++)
            sum += of_warp[warp];
        result[blockIdx.x] = sum;
    }
}

template <class Numbers>
__global__ void __launch_bounds__(whole_threads)
    whole_strided(Numbers num, unsigned long long *result)
{
    const unsigned loads = KRN_CUDA_WHOLE_TILE / (4 * whole_threads);
    const unsigned first = blockIdx.x * loads * whole_threads + threadIdx.x;
    int4 held[loads];
#pragma unroll
    for (unsigned l = 0; l < loads; l++)
        held[l] = num.four((int)(first + l * whole_threads));
    int sum = 0;
#pragma unroll
    for (unsigned l = 0; l < loads; l++)
        sum += cube(held[l].x) + cube(held[l].y) + cube(held[l].z) + cube(held[l].w);
    add_up((unsigned long long)sum, result);
}

template <class Numbers>
__global__ void __launch_bounds__(whole_threads)
    whole_chunk(Numbers num, unsigned chunk, unsigned long long *result)
{
    const unsigned first = (threadIdx.x + blockIdx.x * whole_threads) * chunk;
    unsigned long long sum = 0;
    for (unsigned i = first; i < first + chunk; i++)
        sum += (unsigned long long)cube(num.at((int)i));
    add_up(sum, result);
}

template <krn_pattern PATTERN, class Numbers>
__global__ void __launch_bounds__(whole_threads)
    by_pattern(Numbers num, unsigned parameter, unsigned long long count,
               unsigned long long *result)
{
    const int loads = KRN_CUDA_PATTERN_TILE / whole_threads;
    const unsigned first = blockIdx.x * KRN_CUDA_PATTERN_TILE + threadIdx.x;
    int sum = 0;
#pragma unroll
    for (int l = 0; l < loads; l++)
        sum += cube(num.at((int)krn_pattern_element(PATTERN, parameter,
                                                    first + (unsigned)l * whole_threads, count)));
    add_up((unsigned long long)sum, result);
}

template <class Numbers>
cudaError_t launch_sum(krn_cuda_order order, Numbers num, unsigned long long *result,
                       long long *cycles, cudaStream_t stream)
{
    if (order == KRN_CUDA_SUM_CHUNK)
        sum_chunk<<<1, sum_threads, 0, stream>>>(num, result, cycles);
    else if (order == KRN_CUDA_SUM_STRIDED)
        sum_strided<<<1, sum_threads, 0, stream>>>(num, result, cycles);
    else
        sum_loads8<<<1, sum_threads, 0, stream>>>(num, result, cycles);
    return cudaPeekAtLastError();
}

template <class Numbers>
cudaError_t launch_pattern(krn_pattern pattern, Numbers num, unsigned parameter, size_t count,
                           unsigned blocks, unsigned long long *result, cudaStream_t stream)
{
    return krn_constants::with<KRN_PATTERN_OFFSET, KRN_PATTERN_STRIDE, KRN_PATTERN_RANDOM,
                               KRN_PATTERN_BROADCAST>(pattern, [&](auto which) {
        by_pattern<(krn_pattern) decltype(which)::value>
            <<<blocks, whole_threads, 0, stream>>>(num, parameter, count, result);
    });
}

struct make_digit {
    __device__ int operator()(unsigned i) const
    {
        return krn_probe_digit(i);
    }
};

} // namespace

cudaError_t krn_cuda_sum(krn_cuda_order order, const int *numbers, unsigned long long *result,
                         long long *cycles, cudaStream_t stream)
{
    const read_numbers read = {numbers};
    return numbers ? launch_sum(order, read, result, cycles, stream)
                   : launch_sum(order, made_numbers(), result, cycles, stream);
}

cudaError_t krn_cuda_whole_strided(const int *numbers, size_t count, unsigned long long *result,
                                   cudaStream_t stream)
{
    const read_numbers read = {numbers};
    const unsigned blocks = (unsigned)(count / KRN_CUDA_WHOLE_TILE);
    if (numbers)
        whole_strided<<<blocks, whole_threads, 0, stream>>>(read, result);
    else
        whole_strided<<<blocks, whole_threads, 0, stream>>>(made_numbers(), result);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_whole_chunk(const int *numbers, unsigned chunk, unsigned blocks,
                                 unsigned long long *result, cudaStream_t stream)
{
    const read_numbers read = {numbers};
    if (numbers)
        whole_chunk<<<blocks, whole_threads, 0, stream>>>(read, chunk, result);
    else
        whole_chunk<<<blocks, whole_threads, 0, stream>>>(made_numbers(), chunk, result);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_pattern(krn_pattern pattern, unsigned parameter, const int *numbers,
                             size_t count, size_t reads, unsigned long long *result,
                             cudaStream_t stream)
{
    const read_numbers read = {numbers};
    const unsigned blocks = (unsigned)(reads / KRN_CUDA_PATTERN_TILE);
    return numbers
               ? launch_pattern(pattern, read, parameter, count, blocks, result, stream)
               : launch_pattern(pattern, made_numbers(), parameter, count, blocks, result, stream);
}

cudaError_t krn_cuda_fill_digits(int *digits, size_t count, cudaStream_t stream)
{
    return krn_elements::fill_by(digits, count, make_digit(), stream);
}
