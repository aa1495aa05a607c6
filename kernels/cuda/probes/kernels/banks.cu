/* Reads of shared memory with a stride between the lanes of a warp. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

namespace
{

/* A read moves all lanes by as many words, around a table that is a multiple of all banks and
 * longer than the warp is wide. So no two lanes ever read the same word, and the banks of a read
 * are those of the one before, rotated. */
__global__ void __launch_bounds__(1024)
    read_banks(unsigned stride, int steps, uint32_t *out, long long *cycles)
{
    __shared__ uint32_t table[KRN_CUDA_BANKS_WORDS];
    for (uint32_t word = threadIdx.x; word < KRN_CUDA_BANKS_WORDS; word += blockDim.x)
        table[word] = krn_probe_next(word, KRN_CUDA_BANKS_WORDS);
    uint32_t at = 4 * stride * (threadIdx.x % KRN_LANES);
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++)
        at = *(const volatile uint32_t *)((const unsigned char *)table + at);
    out[threadIdx.x] = at; /* waits for the last read, before the barrier */
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
}

} // namespace

cudaError_t krn_cuda_banks(unsigned stride, int threads, int steps, uint32_t *out,
                           long long *cycles, cudaStream_t stream)
{
    read_banks<<<1, (unsigned)threads, 0, stream>>>(stride, steps, out, cycles);
    return cudaPeekAtLastError();
}
