/* A copy with a given number of loads in flight. Source: V. Volkov, Better Performance at Lower
 * Occupancy, 2. */
#include "cuda/probes/kernels/kernels.h"

namespace
{

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
