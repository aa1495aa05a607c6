/* The tree kernel with nodes and spheres in constant memory, in a bank of its own. */
#include "cuda/light/tree_constant.cuh"

cudaError_t krn_cuda_tree_constant(const krn_cuda_lit *lit, const krn_cuda_tree *,
                                   const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    return krn_tree::launch(constant_storage{}, *lit, *frame, stream);
}

cudaError_t krn_cuda_tree_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
