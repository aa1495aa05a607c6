/* The gate and the empty kernel, which the timer launches. */
#include "cuda/runtime/kernels.h"

namespace
{

__global__ void gate(const volatile unsigned *ticket, unsigned number, long long cycles)
{
    const long long start = clock64();
    /* Compares by a signed difference, because tickets may wrap around. */
    while ((int)(*ticket - number) < 0 && clock64() - start < cycles)
        ;
}

__global__ void empty()
{
}

} // namespace

cudaError_t krn_cuda_gate(const volatile unsigned *ticket, unsigned number, long long cycles,
                          cudaStream_t stream)
{
    gate<<<1, 1, 0, stream>>>(ticket, number, cycles);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_empty(cudaStream_t stream)
{
    empty<<<1, 1, 0, stream>>>();
    return cudaPeekAtLastError();
}
