/* The tree kernel with nodes and spheres in global memory, read through the read-only path, and
 * through textures. */
#include "cuda/light/tree.cuh"

namespace
{

using krn_tree::node_of;

/* Neither const nor __restrict__, so that the compiler cannot turn the loads into read-only
 * ones. */
struct global_storage {
    float4 *nodes, *balls, *suns;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return node_of(nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2], nodes[4 * i + 3]);
    }
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return krn_paths::ball_of(balls[s]);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return krn_paths::ball_of(suns[s]);
    }
};

struct texture_storage {
    cudaTextureObject_t nodes, balls, suns;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return node_of(tex1Dfetch<float4>(nodes, 4 * i), tex1Dfetch<float4>(nodes, 4 * i + 1),
                       tex1Dfetch<float4>(nodes, 4 * i + 2), tex1Dfetch<float4>(nodes, 4 * i + 3));
    }
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return krn_paths::ball_of(tex1Dfetch<float4>(balls, s));
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return krn_paths::ball_of(tex1Dfetch<float4>(suns, s));
    }
};

} // namespace

cudaError_t krn_cuda_tree_global(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                 const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    const global_storage storage = {(float4 *)tree->nodes, (float4 *)lit->balls,
                                    (float4 *)lit->suns};
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
    const texture_storage storage = {tree->texture, lit->balls_texture, lit->suns_texture};
    return krn_tree::launch(storage, *lit, *frame, stream);
}
