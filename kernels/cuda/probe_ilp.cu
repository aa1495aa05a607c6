/* Dependent multiply-adds, several chains a thread. Source: V. Volkov, Better Performance at Lower
 * Occupancy, 1. */
#include "cuda_probe_kernels.h"
#include "probe_data.h"

namespace
{

/* b is a parameter and so uniform: with three registers a multiply-add would wait for their bank.
 * The body is long, so that the loop's own instructions are a hundredth of it. */
template <int CHAINS>
__global__ void __launch_bounds__(1024) ilp(float b, int rounds, float *out, long long *cycles)
{
    const int steps = KRN_CUDA_ILP_BODY / CHAINS;
    __shared__ long long times[KRN_LANES]; /* one a warp */
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x;
    float a[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        a[c] = krn_probe_chain_start(thread * CHAINS + c);
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int s = 0; s < steps; s++) {
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                a[c] = fmaf(a[c], a[c], b);
        }
    }
    const long long stop = clock64();
    if (threadIdx.x % KRN_LANES == 0)
        times[threadIdx.x / KRN_LANES] = stop - start;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        out[thread * CHAINS + c] = a[c];
    __syncthreads();
    if (thread != 0)
        return;
    /* Throughput is the sum of the warps' own rates, so the time for all of the work is the
     * harmonic mean of theirs. From the first start to the last stop would be longer where the
     * schedulers have unequal numbers of warps: those with fewer are done early and then stand
     * idle, which says something of how work was dealt out, and nothing of what hides latency. */
    const unsigned warps = blockDim.x / KRN_LANES;
    double rates = 0.0;
    for (unsigned warp = 0; warp < warps; warp++)
        rates += 1.0 / (double)times[warp];
    *cycles = llrint(warps / rates);
}

} // namespace

cudaError_t krn_cuda_ilp(int chains, int blocks, int threads, int rounds, float *out,
                         long long *cycles, cudaStream_t stream)
{
    const float b = KRN_PROBE_B;
    const unsigned grid = (unsigned)blocks, block = (unsigned)threads;
    switch (chains) {
    case 1:
        ilp<1><<<grid, block, 0, stream>>>(b, rounds, out, cycles);
        break;
    case 2:
        ilp<2><<<grid, block, 0, stream>>>(b, rounds, out, cycles);
        break;
    case 3:
        ilp<3><<<grid, block, 0, stream>>>(b, rounds, out, cycles);
        break;
    case 4:
        ilp<4><<<grid, block, 0, stream>>>(b, rounds, out, cycles);
        break;
    case 8:
        ilp<8><<<grid, block, 0, stream>>>(b, rounds, out, cycles);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaPeekAtLastError();
}
