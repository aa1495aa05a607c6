/* A copy with a given number of loads in flight. Source: V. Volkov, Better Performance at Lower
 * Occupancy, 2. */
#include "cuda/probes/topics/kernels.h"

namespace
{

/* The next round's loads cannot pass the stores of this one: the compiler does not know that the
 * arrays are two. */
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

struct row {
    int loads, width;
    cudaError_t (*prepare)(int);
    cudaError_t (*launch)(int, int, int, int, const void *, void *, cudaStream_t);
};

template <int LOADS, class T>
row row_of()
{
    const row made = {LOADS, (int)sizeof(T), variant<LOADS, T>::prepare, variant<LOADS, T>::launch};
    return made;
}

bool find(int loads, int width, row *found)
{
    const row rows[] = {row_of<1, float>(),  row_of<2, float>(),  row_of<4, float>(),
                        row_of<8, float>(),  row_of<1, float4>(), row_of<2, float4>(),
                        row_of<4, float4>(), row_of<8, float4>()};
    for (const row &r : rows) {
        if (r.loads == loads && r.width == width) {
            *found = r;
            return true;
        }
    }
    return false;
}

} // namespace

cudaError_t krn_cuda_memlat_prepare(int loads, int width, int shared)
{
    row r;
    return find(loads, width, &r) ? r.prepare(shared) : cudaErrorInvalidValue;
}

cudaError_t krn_cuda_memlat(int loads, int width, int blocks, int threads, int shared, int rounds,
                            const void *from, void *to, cudaStream_t stream)
{
    row r;
    return find(loads, width, &r) ? r.launch(blocks, threads, shared, rounds, from, to, stream)
                                  : cudaErrorInvalidValue;
}
