/* What the kernels take from CUB, in one file: its headers take longer to compile than the kernels
 * of any other. */
#include "cuda/runtime/kernels.h"

/* No half floats are sorted: without their headers, a sixth of the time is saved. */
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
/* They include <iostream> without using it, which would need the C++ library. */
#define _GLIBCXX_IOSTREAM 1
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace
{

enum { THREADS = 256 };

/* Each block reserves its part of the array with one atomic addition. */
__global__ void __launch_bounds__(THREADS) place(int count, krn_cuda_ranges ranges)
{
    typedef cub::BlockScan<unsigned, THREADS> scan;
    __shared__ typename scan::TempStorage storage;
    __shared__ unsigned base;
    const int range = (int)(threadIdx.x + blockIdx.x * THREADS);
    const unsigned size = range < count ? ranges.end[range] : 0;
    unsigned before, all;
    scan(storage).ExclusiveSum(size, before, all);
    if (threadIdx.x == 0)
        base = atomicAdd(&ranges.end[count], all);
    __syncthreads();
    if (range < count)
        ranges.start[range] = ranges.end[range] = base + before;
}

} // namespace

cudaError_t krn_cuda_place(int count, krn_cuda_ranges ranges, cudaStream_t stream)
{
    place<<<((unsigned)count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(count, ranges);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_sort_pairs(void *scratch, size_t *bytes, const unsigned *keys,
                                unsigned *keys_sorted, const int *values, int *values_sorted,
                                int count, int bits, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, keys, keys_sorted, values,
                                           values_sorted, count, 0, bits, stream);
}
