/* The tree kernel and the brute kernel of the light view with their scene in constant memory. */
#include "cuda/probes/kernels/kernels.h"

#include "cuda/light/every.cuh"
#include "cuda/light/tree_constant.cuh"

cudaError_t krn_cuda_bounces_tree(const krn_cuda_lit *lit, const krn_cuda_tree *,
                                  const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    return krn_tree::launch(constant_storage{}, *lit, *frame, stream);
}

cudaError_t krn_cuda_bounces_brute(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                   cudaStream_t stream)
{
    return krn_every::launch(constant_storage{}, *lit, *frame, stream);
}

cudaError_t krn_cuda_bounces_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
