/* Multiply-adds whose operands all come from registers, or one of them from shared memory. Source:
 * V. Volkov, Better Performance at Lower Occupancy, which calls "shared memory is as fast as
 * registers" a fallacy. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

namespace
{

const int chains = KRN_CUDA_OPERAND_CHAINS;
const unsigned words = KRN_CUDA_OPERAND_WORDS;

__device__ void start_chains(float a[chains])
{
#pragma unroll
    for (int c = 0; c < chains; c++)
        a[c] = krn_probe_operand_start(c);
}

__device__ void write_chains(const float a[chains], float *out)
{
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x;
#pragma unroll
    for (int c = 0; c < chains; c++)
        out[thread * chains + c] = a[c];
}

/* Every multiply-add reads three registers: its chain, the factor, and the addend of its chain.
 * Factor and addends are read from memory by the lane, so that the compiler neither knows them nor
 * puts them into registers that the lanes share. */
__global__ void __launch_bounds__(1024) from_registers(const float *table, int rounds, float *out)
{
    const unsigned lane = threadIdx.x % KRN_LANES;
    const float factor = table[words + lane];
    float a[chains], addend[chains];
    start_chains(a);
#pragma unroll
    for (int c = 0; c < chains; c++)
        addend[c] = table[c * KRN_LANES + lane];
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int s = 0; s < KRN_CUDA_REGISTER_BODY / chains; s++) {
#pragma unroll
            for (int c = 0; c < chains; c++)
                a[c] = fmaf(a[c], factor, addend[c]);
        }
    }
    write_chains(a, out);
}

/* Reads the addends of four multiply-adds in a row of the loop's body, with one load of 16 bytes or
 * four of 4 bytes. The lanes of a warp read adjacent memory, without a bank conflict. */
template <bool WIDE>
__device__ float4 four_addends(const float4 *window, unsigned base, unsigned lane, int four)
{
    if (WIDE)
        return window[base / 4 + four * KRN_LANES + lane];
    const float *at = (const float *)window + base + 4 * four * KRN_LANES + lane;
    return make_float4(at[0], at[KRN_LANES], at[2 * KRN_LANES], at[3 * KRN_LANES]);
}

/* Every multiply-add reads two registers, and its addend from shared memory. The addresses change
 * with the round, so that no load can be moved out of the loop. */
template <bool WIDE>
__global__ void __launch_bounds__(1024) from_shared(const float *table, int rounds, float *out)
{
    __shared__ float4 window[words / 4];
    const unsigned lane = threadIdx.x % KRN_LANES;
    const float factor = table[words + lane];
    float a[chains];
    start_chains(a);
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < words / 4; i += blockDim.x)
        window[i] = ((const float4 *)table)[i];
    __syncthreads();
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        const unsigned base = krn_probe_operand_base((uint32_t)round);
#pragma unroll
        for (int four = 0; four < KRN_CUDA_SHARED_BODY / 4; four++) {
            const float4 addends = four_addends<WIDE>(window, base, lane, four);
            const int c = 4 * four % chains;
            a[c] = fmaf(a[c], factor, addends.x);
            a[c + 1] = fmaf(a[c + 1], factor, addends.y);
            a[c + 2] = fmaf(a[c + 2], factor, addends.z);
            a[c + 3] = fmaf(a[c + 3], factor, addends.w);
        }
    }
    write_chains(a, out);
}

} // namespace

cudaError_t krn_cuda_operands(krn_cuda_operand_memory memory, const float *table, int blocks,
                              int threads, int rounds, float *out, cudaStream_t stream)
{
    const unsigned grid = (unsigned)blocks, block = (unsigned)threads;
    switch (memory) {
    case KRN_CUDA_FROM_REGISTERS:
        from_registers<<<grid, block, 0, stream>>>(table, rounds, out);
        break;
    case KRN_CUDA_FROM_SHARED:
        from_shared<false><<<grid, block, 0, stream>>>(table, rounds, out);
        break;
    default:
        from_shared<true><<<grid, block, 0, stream>>>(table, rounds, out);
        break;
    }
    return cudaPeekAtLastError();
}
