/* Kernels that run before and after the timed part of every probe: they fill arrays, flush caches
 * and compare results. */
#include "cuda/probes/elements.cuh"
#include "cuda/probes/kernels/kernels.h"

using krn_elements::blocks_for;
using krn_elements::compare_by;
using krn_elements::fill_by;
using krn_elements::threads;

namespace
{

struct word_item {
    const uint32_t *words;
    uint32_t salt;
    __device__ bool wrong(unsigned i) const
    {
        return words[i] != krn_probe_word(i, salt);
    }
    __device__ void values(unsigned i, double *actual_value, double *expected_value) const
    {
        *actual_value = words[i];
        *expected_value = krn_probe_word(i, salt);
    }
};

__device__ unsigned bits_of(float value)
{
    return __float_as_uint(value);
}

__device__ unsigned long long bits_of(double value)
{
    return (unsigned long long)__double_as_longlong(value);
}

__device__ unsigned bits_of(uint32_t value)
{
    return value;
}

__device__ unsigned long long bits_of(unsigned long long value)
{
    return value;
}

template <class T>
struct periodic_item {
    const T *actual, *expected;
    unsigned period;
    __device__ bool wrong(unsigned i) const
    {
        return bits_of(actual[i]) != bits_of(expected[i % period]);
    }
    __device__ void values(unsigned i, double *actual_value, double *expected_value) const
    {
        *actual_value = (double)actual[i];
        *expected_value = (double)expected[i % period];
    }
};

template <class T>
cudaError_t compare_as(krn_cuda_comparison comparison, const krn_cuda_results &results,
                       cudaStream_t stream)
{
    const periodic_item<T> item = {(const T *)results.actual, (const T *)results.device,
                                   (unsigned)results.period};
    return compare_by(comparison, item, results.count, stream);
}

__global__ void touch(const uint4 *memory, unsigned count, unsigned *unread)
{
    const unsigned step = gridDim.x * blockDim.x;
    unsigned seen = 0;
#pragma unroll 4
    for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += step) {
        const uint4 v = memory[i];
        seen ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    /* Without a use of the result, the compiler or the assembler would remove the loads. */
    if (seen == 0x9e3779b9u)
        *unread = seen;
}

struct make_word {
    uint32_t salt;
    __device__ uint32_t operator()(unsigned i) const
    {
        return krn_probe_word(i, salt);
    }
};

} // namespace

cudaError_t krn_cuda_compare(krn_cuda_comparison comparison, krn_cuda_results results,
                             cudaStream_t stream)
{
    const word_item words = {(const uint32_t *)results.actual, 0};
    switch (results.type) {
    case KRN_CUDA_WORDS:
        return compare_by(comparison, words, results.count, stream);
    case KRN_CUDA_UINTS:
        return compare_as<uint32_t>(comparison, results, stream);
    case KRN_CUDA_FLOATS:
        return compare_as<float>(comparison, results, stream);
    case KRN_CUDA_DOUBLES:
        return compare_as<double>(comparison, results, stream);
    default:
        return compare_as<unsigned long long>(comparison, results, stream);
    }
}

cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream)
{
    const size_t count = bytes / sizeof(uint4);
    touch<<<blocks_for(count), threads, 0, stream>>>((const uint4 *)memory, (unsigned)count,
                                                     unread);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream)
{
    const make_word make = {salt};
    return fill_by(words, count, make, stream);
}
