/* The kernels of V. Volkov, Better Performance at Lower Occupancy: 1, dependent multiply-adds in
 * several chains per thread; and 2, a copy with a given number of loads in flight. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

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

template <int LOADS, class T>
struct variant {
    static cudaError_t prepare(int shared)
    {
        return cudaFuncSetAttribute(memlat<LOADS, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    shared);
    }
    static cudaError_t launch(int blocks, int threads, int shared, int rounds, const void *from,
                              void *to, cudaStream_t stream)
    {
        memlat<LOADS, T><<<(unsigned)blocks, (unsigned)threads, (size_t)shared, stream>>>(
            (const T *)from, (T *)to, rounds);
        return cudaPeekAtLastError();
    }
};

struct entry {
    int loads, width;
    cudaError_t (*prepare)(int);
    cudaError_t (*launch)(int, int, int, int, const void *, void *, cudaStream_t);
};

template <int LOADS, class T>
entry entry_of()
{
    const entry made = {LOADS, (int)sizeof(T), variant<LOADS, T>::prepare,
                        variant<LOADS, T>::launch};
    return made;
}

bool find(int loads, int width, entry *found)
{
    const entry entries[] = {entry_of<1, float>(),  entry_of<2, float>(),  entry_of<4, float>(),
                             entry_of<8, float>(),  entry_of<1, float4>(), entry_of<2, float4>(),
                             entry_of<4, float4>(), entry_of<8, float4>()};
    for (const entry &e : entries) {
        if (e.loads == loads && e.width == width) {
            *found = e;
            return true;
        }
    }
    return false;
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

cudaError_t krn_cuda_memlat_prepare(int loads, int width, int shared)
{
    entry e;
    return find(loads, width, &e) ? e.prepare(shared) : cudaErrorInvalidValue;
}

cudaError_t krn_cuda_memlat(int loads, int width, int blocks, int threads, int shared, int rounds,
                            const void *from, void *to, cudaStream_t stream)
{
    entry e;
    return find(loads, width, &e) ? e.launch(blocks, threads, shared, rounds, from, to, stream)
                                  : cudaErrorInvalidValue;
}
