/* Reads a small table from constant and from global memory. The constant bank belongs to this file
 * alone. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

namespace
{

__constant__ unsigned char bank[KRN_CUDA_TABLE_BYTES];

/* The memory of the words is a type, so that the compiler knows the address space. */
struct in_constant {
    __device__ uint32_t at(uint32_t offset) const
    {
        return *(const uint32_t *)(bank + offset);
    }
};

struct in_global {
    const unsigned char *table;
    __device__ uint32_t at(uint32_t offset) const
    {
        return *(const uint32_t *)(table + offset);
    }
};

/* Reads words at addresses that do not depend on earlier reads. The addresses of a warp are
 * adjacent words, so that global memory has no bank conflict. */
template <class Table>
__global__ void reads(Table table, unsigned addresses, int rounds, uint32_t *out)
{
    const uint32_t group = krn_probe_group(threadIdx.x % KRN_LANES, addresses);
    uint32_t sum = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (uint32_t read = 0; read < KRN_PROBE_READS; read++)
            sum += table.at(4u * krn_probe_read_at((uint32_t)round, read, group));
    }
    out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

/* Reads words, each at the offset that the one before gave. First the lanes read every sector of
 * the table, so that it is in the caches that are large enough. Both clock readings are one read
 * too early, so their difference is right. */
template <class Table>
__global__ void walk(Table table, unsigned bytes, int steps, uint32_t *out, long long *cycles)
{
    uint32_t seen = 0, at = 0;
    for (unsigned near = threadIdx.x * KRN_SECTOR_BYTES; near < bytes;
         near += KRN_LANES * KRN_SECTOR_BYTES)
        seen ^= table.at(near);
    /* Without this store, the compiler would remove the loads. It also waits for them. */
    *(volatile uint32_t *)&out[threadIdx.x] = seen;
    __syncwarp();
    const long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++)
        at = table.at(at);
    const long long stop = clock64();
    out[threadIdx.x] = at;
    if (threadIdx.x == 0)
        *cycles = stop - start;
}

} // namespace

cudaError_t krn_cuda_reads_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}

cudaError_t krn_cuda_reads(const uint32_t *table, int addresses, int blocks, int threads,
                           int rounds, uint32_t *out, cudaStream_t stream)
{
    const in_global global = {(const unsigned char *)table};
    if (table)
        reads<<<(unsigned)blocks, (unsigned)threads, 0, stream>>>(global, (unsigned)addresses,
                                                                  rounds, out);
    else
        reads<<<(unsigned)blocks, (unsigned)threads, 0, stream>>>(in_constant(),
                                                                  (unsigned)addresses, rounds, out);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_walk(const uint32_t *table, unsigned bytes, int steps, uint32_t *out,
                          long long *cycles, cudaStream_t stream)
{
    const in_global global = {(const unsigned char *)table};
    if (table)
        walk<<<1, KRN_LANES, 0, stream>>>(global, bytes, steps, out, cycles);
    else
        walk<<<1, KRN_LANES, 0, stream>>>(in_constant(), bytes, steps, out, cycles);
    return cudaPeekAtLastError();
}
