/* kernels/cuda/light/tree_constant.cuh - nodes and spheres in constant memory: 64 bytes of a node,
 * 16 of a ball and 16 of a ball in sun space for each sphere. Each file that includes it has a bank
 * of its own.
 */
#pragma once

#include "cuda/light/tree.cuh"

namespace
{

enum { SPHERES = KRN_CUDA_CONSTANT_LEAVES };

/* The nodes, four words each, then the balls, then those of sun space. */
__constant__ float4 bank[6 * SPHERES];
static_assert(sizeof bank <= KRN_CONSTANT_BYTES, "the bank holds the largest scene");
static_assert(sizeof(krn_cuda_node) == 4 * sizeof(float4), "a node is four words");

struct constant_storage {
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return krn_tree::node_of(bank[4 * i], bank[4 * i + 1], bank[4 * i + 2], bank[4 * i + 3]);
    }
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return krn_paths::ball_of(bank[4 * SPHERES + s]);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return krn_paths::ball_of(bank[5 * SPHERES + s]);
    }
};

} // namespace
