/* kernels/cuda/probes/elements.cuh - templates that fill and compare arrays on the device, for
 * contents that only one topic has (private to kernels/cuda/probes).
 *
 * An item defines a comparison: wrong(i) compares element i bit by bit, so that NaN is wrong, and
 * is cheap; values(i, &actual, &expected) gives both values of a wrong element.
 */
#pragma once

#include "cuda/probes/data.h"

namespace krn_elements
{

const unsigned threads = 256, most_blocks = 2048;

inline unsigned blocks_for(size_t count)
{
    const size_t blocks = (count + threads - 1) / threads;
    return blocks < most_blocks ? (unsigned)(blocks > 0 ? blocks : 1) : most_blocks;
}

template <class Item>
__global__ void compare(Item item, unsigned count, krn_cuda_tally *tally)
{
    const unsigned start = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
    unsigned wrong = 0, first = 0xffffffffu;
#pragma unroll 4
    for (unsigned i = start; i < count; i += step) {
        const bool is_wrong = item.wrong(i);
        wrong += is_wrong;
        first = is_wrong && i < first ? i : first;
    }
    if (wrong == 0)
        return;
    double worst = 0.0;
    for (unsigned i = start; i < count; i += step) {
        double actual, expected;
        item.values(i, &actual, &expected);
        const double off = fabs(actual - expected);
        if (!(off <= worst))
            worst = isnan(off) ? (double)INFINITY : off;
    }
    atomicAdd(&tally->wrong, (unsigned long long)wrong);
    atomicMin(&tally->first, (unsigned long long)first);
    /* Non-negative doubles have the same order as their bits. */
    atomicMax(&tally->max_error, (unsigned long long)__double_as_longlong(worst));
}

template <class Item>
__global__ void write_verdict(Item item, unsigned count, const krn_cuda_tally *tally,
                              const long long *cycles, krn_cuda_verdict *verdict)
{
    krn_cuda_verdict made = {count, tally->wrong, 0, 0.0, 0.0, 0.0, *cycles};
    if (made.wrong > 0) {
        made.first = tally->first;
        made.max_error = __longlong_as_double((long long)tally->max_error);
        item.values((unsigned)made.first, &made.actual, &made.expected);
    }
    *verdict = made;
}

template <class Item>
cudaError_t compare_by(krn_cuda_comparison comparison, Item item, size_t count, cudaStream_t stream)
{
    compare<<<blocks_for(count), threads, 0, stream>>>(item, (unsigned)count, comparison.tally);
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaSuccess)
        return status;
    write_verdict<<<1, 1, 0, stream>>>(item, (unsigned)count, comparison.tally, comparison.cycles,
                                       comparison.verdict);
    return cudaPeekAtLastError();
}

template <class T, class Make>
__global__ void fill(T *array, unsigned count, Make make)
{
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += step)
        array[i] = make(i);
}

template <class T, class Make>
cudaError_t fill_by(T *array, size_t count, Make make, cudaStream_t stream)
{
    fill<<<blocks_for(count), threads, 0, stream>>>(array, (unsigned)count, make);
    return cudaPeekAtLastError();
}

} // namespace krn_elements
