/* The brute kernel with the spheres in constant memory. Its bank of 64 KiB belongs to this file
 * alone: the balls lie in the first half, those of sun space in the second. */
#include "cuda/light/every.cuh"

namespace
{

__constant__ float4 bank[2 * KRN_CUDA_CONSTANT_BALLS];

struct constant_storage {
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return krn_paths::ball_of(bank[s]);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return krn_paths::ball_of(bank[KRN_CUDA_CONSTANT_BALLS + s]);
    }
};

} // namespace

cudaError_t krn_cuda_brute_constant(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                    cudaStream_t stream)
{
    return krn_every::launch(constant_storage{}, *lit, *frame, stream);
}

cudaError_t krn_cuda_brute_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
