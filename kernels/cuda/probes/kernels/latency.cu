/* Chains of dependent reads through tables in global and in shared memory. Every line of a table
 * has one word that is part of the chain; it holds the index of the next line's word. And a kernel
 * that takes a chosen time, for the steps of the events' clock. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

namespace
{

/* Words per line of a table in global memory. */
enum { STRIDE = KRN_CUDA_CHAIN_LINE / 4 };

/* The compiler neither moves nor joins these reads. */
struct through_l1 {
    const uint32_t *table;
    __device__ uint32_t at(uint32_t word) const
    {
        uint32_t value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(table + word) : "memory");
        return value;
    }
};

struct from_l2 {
    const uint32_t *table;
    __device__ uint32_t at(uint32_t word) const
    {
        uint32_t value;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(table + word) : "memory");
        return value;
    }
};

struct from_shared {
    __device__ uint32_t at(uint32_t word) const
    {
        extern __shared__ uint32_t copy[];
        return ((const volatile uint32_t *)copy)[word];
    }
};

/* Follows the chain with one thread: steps + 1 reads, of which the clock covers `steps`. Each clock
 * reading follows the start of a read at once and does not wait for its value, so the difference
 * begins with the first read's value on its way and ends with the last one's. */
template <class Memory>
__device__ void follow(Memory memory, uint32_t start, int steps, uint32_t *out, long long *cycles)
{
    uint32_t word = memory.at(start);
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++)
        word = memory.at(word);
    const long long end = clock64();
    *out = word;
    *cycles = end - begin;
}

/* All threads first read `warm` lines of the chain, for a table that fits into the L1 cache. */
template <class Memory>
__global__ void chase(Memory memory, uint32_t slot, uint32_t warm, uint32_t start, int steps,
                      uint32_t *out, long long *cycles)
{
    uint32_t seen = 0;
    for (uint32_t line = threadIdx.x; line < warm; line += blockDim.x)
        seen ^= memory.at(line * STRIDE + slot);
    /* Without this store, the reads could still be under way. */
    *(volatile uint32_t *)&out[1 + threadIdx.x] = seen;
    __syncthreads();
    if (threadIdx.x == 0)
        follow(memory, start, steps, out, cycles);
}

/* The chain in shared memory has one word per line of STRIDE words in global memory, without
 * gaps. */
__global__ void chase_shared(const uint32_t *table, uint32_t slot, uint32_t lines, uint32_t start,
                             int steps, uint32_t *out, long long *cycles)
{
    extern __shared__ uint32_t copy[];
    for (uint32_t line = threadIdx.x; line < lines; line += blockDim.x)
        copy[line] = table[line * STRIDE + slot] / STRIDE;
    __syncthreads();
    if (threadIdx.x == 0)
        follow(from_shared(), start, steps, out, cycles);
}

__global__ void fill_chain(struct krn_cycle cycle, uint32_t slot, uint32_t *table)
{
    const uint32_t lines = krn_cycle_lines(cycle);
    for (uint32_t place = blockIdx.x * blockDim.x + threadIdx.x; place < lines;
         place += gridDim.x * blockDim.x)
        table[(size_t)krn_cycle_line(cycle, place) * STRIDE + slot] =
            krn_cycle_line(cycle, (size_t)place + 1) * STRIDE + slot;
}

__global__ void expect_word(uint32_t word, uint32_t *expected, uint32_t *out)
{
    *expected = word;
    *out = ~word;
}

/* One multiprocessor reads all bytes of a table. */
__global__ void warm_l2(const uint4 *memory, size_t count, uint32_t *out)
{
    uint32_t seen = 0;
#pragma unroll 8
    for (size_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint4 read = __ldcg(memory + i);
        seen ^= read.x ^ read.y ^ read.z ^ read.w;
    }
    out[1 + threadIdx.x] = seen;
}

__global__ void wait_and_write(long long cycles, unsigned index, uint32_t *words)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
    words[index] = krn_probe_word(index, 0);
}

} // namespace

cudaError_t krn_cuda_chain_prepare(int shared)
{
    cudaError_t status =
        cudaFuncSetAttribute(chase<through_l1>, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxL1);
    KRN_THEN(status, cudaFuncSetAttribute(chase_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          shared));
    return status;
}

cudaError_t krn_cuda_chain_fill(struct krn_cycle cycle, uint32_t slot, uint32_t *table,
                                cudaStream_t stream)
{
    const unsigned threads = 256, blocks = 1024;
    fill_chain<<<blocks, threads, 0, stream>>>(cycle, slot, table);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_chain_expect(uint32_t word, uint32_t *expected, uint32_t *out,
                                  cudaStream_t stream)
{
    expect_word<<<1, 1, 0, stream>>>(word, expected, out);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_chain_warm(const void *memory, size_t bytes, uint32_t *out,
                                cudaStream_t stream)
{
    warm_l2<<<1, KRN_CUDA_CHAIN_THREADS, 0, stream>>>((const uint4 *)memory, bytes / sizeof(uint4),
                                                      out);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_chain(enum krn_cuda_chain_memory where, const uint32_t *table, uint32_t slot,
                           uint32_t lines, uint32_t start, int steps, uint32_t *out,
                           long long *cycles, cudaStream_t stream)
{
    const through_l1 l1 = {table};
    const from_l2 l2 = {table};
    if (where == KRN_CUDA_CHAIN_SHARED)
        chase_shared<<<1, KRN_CUDA_CHAIN_THREADS, 4 * lines, stream>>>(table, slot, lines, start,
                                                                       steps, out, cycles);
    else if (where == KRN_CUDA_CHAIN_L1)
        chase<<<1, KRN_CUDA_CHAIN_THREADS, 0, stream>>>(l1, slot, lines, start, steps, out, cycles);
    else
        chase<<<1, KRN_CUDA_CHAIN_THREADS, 0, stream>>>(l2, slot, lines, start, steps, out, cycles);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_wait_and_write(long long cycles, unsigned index, uint32_t *words,
                                    cudaStream_t stream)
{
    wait_and_write<<<1, 1, 0, stream>>>(cycles, index, words);
    return cudaPeekAtLastError();
}
