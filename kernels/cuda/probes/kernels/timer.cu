/* A kernel that takes a chosen time, for the steps of the events' clock. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels/kernels.h"

namespace
{

__global__ void wait_and_write(long long cycles, unsigned index, uint32_t *words)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
    words[index] = krn_probe_word(index, 0);
}

} // namespace

cudaError_t krn_cuda_wait_and_write(long long cycles, unsigned index, uint32_t *words,
                                    cudaStream_t stream)
{
    wait_and_write<<<1, 1, 0, stream>>>(cycles, index, words);
    return cudaPeekAtLastError();
}
