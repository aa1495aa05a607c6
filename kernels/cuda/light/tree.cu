/* The tree kernel with nodes and spheres in global memory, read through the read-only path, and
 * through textures. */
#include "cuda/light/tree.cuh"

namespace
{

using krn_tree::node_of;

/* The pointer is neither const nor __restrict__, as those of global_balls. */
struct global_storage : krn_paths::global_balls {
    float4 *nodes;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return node_of(nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2], nodes[4 * i + 3]);
    }
};

struct texture_storage : krn_paths::texture_balls {
    cudaTextureObject_t nodes;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return node_of(tex1Dfetch<float4>(nodes, 4 * i), tex1Dfetch<float4>(nodes, 4 * i + 1),
                       tex1Dfetch<float4>(nodes, 4 * i + 2), tex1Dfetch<float4>(nodes, 4 * i + 3));
    }
};

} // namespace

cudaError_t krn_cuda_tree_global(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                 const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    const global_storage storage = {krn_paths::global_of(*lit), (float4 *)tree->nodes};
    return krn_tree::launch(storage, *lit, *frame, stream);
}

cudaError_t krn_cuda_tree_readonly(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                   const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    return krn_tree::launch(krn_tree::readonly_of(*lit, *tree), *lit, *frame, stream);
}

cudaError_t krn_cuda_tree_texture(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                  const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    const texture_storage storage = {krn_paths::texture_of(*lit), tree->texture};
    return krn_tree::launch(storage, *lit, *frame, stream);
}
