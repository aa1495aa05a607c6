/* The kernels of V. Volkov, Better Performance at Lower Occupancy: 1, dependent multiply-adds in
 * several chains per thread; and 2, a copy with a given number of loads in flight. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"
#include "cuda/runtime/constants.cuh"

namespace
{

/* The schedulers of a multiprocessor. Each has its own lanes, and warps are assigned to them in
 * turn. Source: Z. Jia and others, Dissecting the NVIDIA Volta GPU Architecture via
 * Microbenchmarking (2018), 2. */
const unsigned schedulers = 4;

/* Returns the cycles that all of the work takes at the sum of the rates of the schedulers, each
 * measured from the start of its first warp to the stop of its last one. The time from the first
 * start of all to the last stop of all would be longer when schedulers have unequal numbers of
 * warps: those with fewer finish early and idle, which tells how the work was distributed, not what
 * hides latency. */
__device__ long long cycles_of(const long long *starts, const long long *stops, unsigned warps)
{
    double rates = 0.0;
    for (unsigned s = 0; s < schedulers && s < warps; s++) {
        long long first = starts[s], last = stops[s], count = 0;
        for (unsigned warp = s; warp < warps; warp += schedulers, count++) {
            first = starts[warp] < first ? starts[warp] : first;
            last = stops[warp] > last ? stops[warp] : last;
        }
        rates += (double)count / (double)(last - first);
    }
    return llrint(warps / rates);
}

/* b is a kernel parameter and so uniform: with three registers, a multiply-add would wait for their
 * bank. The body is so long that the instructions of the loop itself are about 1 % of it. */
template <int CHAINS>
__global__ void __launch_bounds__(1024) ilp(float b, int rounds, float *out, long long *cycles)
{
    const int steps = KRN_CUDA_ILP_BODY / CHAINS;
    __shared__ long long starts[KRN_LANES], stops[KRN_LANES]; /* one per warp */
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
    if (threadIdx.x % KRN_LANES == 0) {
        starts[threadIdx.x / KRN_LANES] = start;
        stops[threadIdx.x / KRN_LANES] = stop;
    }
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        out[thread * CHAINS + c] = a[c];
    __syncthreads();
    if (thread != 0)
        return;
    *cycles = cycles_of(starts, stops, blockDim.x / KRN_LANES);
}

/* The compiler does not know that the arrays do not overlap, so it cannot move the loads of the
 * next round before the stores of this one. */
template <int LOADS, class T>
__global__ void __launch_bounds__(1024) memlat(const T *from, T *to, int rounds)
{
    const size_t tile = (size_t)blockDim.x * LOADS, step = tile * gridDim.x;
    size_t at = blockIdx.x * tile + threadIdx.x;
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        T held[LOADS];
#pragma unroll
        for (int l = 0; l < LOADS; l++)
            held[l] = from[at + (size_t)l * blockDim.x];
#pragma unroll
        for (int l = 0; l < LOADS; l++)
            to[at + (size_t)l * blockDim.x] = held[l];
        at += step;
    }
}

template <class T>
cudaError_t prepare(int loads, int shared)
{
    cudaError_t status = cudaErrorInvalidValue;
    (void)krn_constants::with<1, 2, 4, 8>(loads, [&](auto count) {
        status = cudaFuncSetAttribute(memlat<decltype(count)::value, T>,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    });
    return status;
}

template <class T>
cudaError_t copy(int loads, int blocks, int threads, int shared, int rounds, const void *from,
                 void *to, cudaStream_t stream)
{
    return krn_constants::with<1, 2, 4, 8>(loads, [&](auto count) {
        memlat<decltype(count)::value, T>
            <<<(unsigned)blocks, (unsigned)threads, (size_t)shared, stream>>>((const T *)from,
                                                                              (T *)to, rounds);
    });
}

} // namespace

cudaError_t krn_cuda_ilp(int chains, int blocks, int threads, int rounds, float *out,
                         long long *cycles, cudaStream_t stream)
{
    const float b = KRN_PROBE_B;
    return krn_constants::with<1, 2, 3, 4, 8>(chains, [&](auto count) {
        ilp<decltype(count)::value>
            <<<(unsigned)blocks, (unsigned)threads, 0, stream>>>(b, rounds, out, cycles);
    });
}

cudaError_t krn_cuda_memlat_prepare(int loads, int width, int shared)
{
    return width == 4 ? prepare<float>(loads, shared) : prepare<float4>(loads, shared);
}

cudaError_t krn_cuda_memlat(int loads, int width, int blocks, int threads, int shared, int rounds,
                            const void *from, void *to, cudaStream_t stream)
{
    return (width == 4 ? copy<float> : copy<float4>)(loads, blocks, threads, shared, rounds, from,
                                                     to, stream);
}
