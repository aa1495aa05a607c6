/* Atomic adds to counters in global and in shared memory. */
#include "cuda/probes/kernels/kernels.h"

namespace
{

enum { THREADS_MAX = 1024, BODY = 16 };

/* Adds to a counter whose address the caller computes with a shift that the compiler does not know,
 * for every kind of counters: the compiler must not combine the adds of a warp to one counter,
 * which are what the probe measures. */
__device__ void add(uint32_t *counter, uint32_t addend, int rounds)
{
#pragma unroll 1
    for (int round = 0; round < rounds; round += BODY) {
#pragma unroll
        for (int i = 0; i < BODY; i++)
            atomicAdd(counter, addend);
    }
}

__global__ void __launch_bounds__(THREADS_MAX)
    add_global(uint32_t *counters, unsigned shift, int rounds)
{
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x;
    add(counters + (thread >> shift), 1 + threadIdx.x % 32, rounds);
}

__global__ void __launch_bounds__(THREADS_MAX)
    add_shared(uint32_t *counters, unsigned shift, int rounds)
{
    __shared__ uint32_t in_block[THREADS_MAX];
    const unsigned thread = threadIdx.x, count = ((blockDim.x - 1) >> shift) + 1;
    in_block[thread] = 0;
    __syncthreads();
    add(in_block + (thread >> shift), 1 + thread % 32, rounds);
    __syncthreads();
    if (thread < count)
        counters[thread + blockIdx.x * count] = in_block[thread];
}

} // namespace

cudaError_t krn_cuda_atomics(bool shared, krn_cuda_counters shift, int blocks, int threads,
                             int rounds, uint32_t *counters, cudaStream_t stream)
{
    const unsigned grid = (unsigned)blocks, block = (unsigned)threads;
    if (shared)
        add_shared<<<grid, block, 0, stream>>>(counters, shift, rounds);
    else
        add_global<<<grid, block, 0, stream>>>(counters, shift, rounds);
    return cudaPeekAtLastError();
}
