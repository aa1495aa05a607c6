/* Multiply-adds of single and double precision on all multiprocessors. Source of the question: M.
 * Harris, How to Implement Performance Metrics in CUDA C/C++. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"
#include "cuda/runtime/constants.cuh"

namespace
{

/* b is a kernel parameter and so uniform: with three registers, a multiply-add would wait for their
 * bank. */
template <class T, int CHAINS>
__global__ void __launch_bounds__(KRN_CUDA_PEAK_THREADS) peak(T b, int rounds, T *out)
{
    const int steps = KRN_CUDA_PEAK_BODY / CHAINS;
    const unsigned thread = threadIdx.x + blockIdx.x * blockDim.x;
    T a[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        a[c] = (T)krn_probe_chain_start(thread * CHAINS + c);
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int s = 0; s < steps; s++) {
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                a[c] = fma(a[c], a[c], b);
        }
    }
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        out[thread * CHAINS + c] = a[c];
}

template <class T>
cudaError_t launch(int chains, int blocks, int rounds, T *out, cudaStream_t stream)
{
    const T b = (T)KRN_PROBE_B;
    return krn_constants::with<1, 2, 4, 8>(chains, [&](auto count) {
        peak<T, decltype(count)::value>
            <<<(unsigned)blocks, KRN_CUDA_PEAK_THREADS, 0, stream>>>(b, rounds, out);
    });
}

} // namespace

cudaError_t krn_cuda_peak(bool dual, int chains, int blocks, int rounds, void *out,
                          cudaStream_t stream)
{
    return dual ? launch(chains, blocks, rounds, (double *)out, stream)
                : launch(chains, blocks, rounds, (float *)out, stream);
}
