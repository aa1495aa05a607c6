/* Writes the rotated scene in every form that the light view reads, outside of all time stamps, and
 * builds the tree in three steps. It sorts the spheres along a Morton curve. It makes all inner
 * nodes in parallel, one thread per node (T. Karras, Maximizing Parallelism in the Construction of
 * BVHs, Octrees, and k-d Trees, 2012). It computes the boxes from the leaves up: of the two threads
 * that reach a node, the second continues with the parent. The sort is stable, so the tree is the
 * same every time. */
#include "cuda/light/kernels.h"

namespace
{

enum { THREADS = 256, AXIS_BITS = KRN_CUDA_CODE_BITS / 3 };

unsigned blocks_of(int count)
{
    return ((unsigned)count + THREADS - 1) / THREADS;
}

__global__ void pose(const krn_sphere *posed, int count, krn_light_frame light, krn_cuda_lit lit)
{
    const int s = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (s >= count)
        return;
    const krn_sphere sphere = posed[s];
    lit.balls[s] = krn_ball_of(sphere);
    lit.suns[s] = krn_sun_ball_of(&light, sphere);
    lit.tints[s] = make_float4(sphere.r, sphere.g, sphere.b, sphere.radius);
}

/* Spreads 10 bits, so that two zeros follow each. */
__device__ __forceinline__ unsigned spread(unsigned bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

__device__ __forceinline__ unsigned cell_of(float x, float scale)
{
    const float cells = (float)(1 << AXIS_BITS);
    const float cell = krn_fma(x, scale, 0.5f) * cells;
    return (unsigned)fminf(fmaxf(cell, 0.0f), cells - 1.0f);
}

/* centre, scale: the height of the scene's centre, and 1 / its diameter. */
__global__ void __launch_bounds__(THREADS)
    encode(const krn_ball *balls, int count, float centre, float scale, krn_cuda_tree tree)
{
    const int s = (int)(threadIdx.x + blockIdx.x * THREADS);
    if (s >= count)
        return;
    const krn_ball ball = balls[s];
    tree.codes[s] = spread(cell_of(ball.x, scale)) << 2 |
                    spread(cell_of(ball.y - centre, scale)) << 1 | spread(cell_of(ball.z, scale));
    tree.spheres[s] = s;
}

/* Returns the number of leading bits that two leaves have in common; -1 beyond the ends. Equal
 * codes are told apart by their places. */
__device__ __forceinline__ int common(const unsigned *codes, int count, int i, int j)
{
    if (j < 0 || j >= count)
        return -1;
    const unsigned difference = codes[i] ^ codes[j];
    return difference != 0 ? __clz((int)difference) : 32 + __clz(i ^ j);
}

/* Makes node i of count - 1: finds the range of leaves that begins or ends there, and where it
 * splits. */
__global__ void __launch_bounds__(THREADS) connect(int count, krn_cuda_tree tree)
{
    const int i = (int)(threadIdx.x + blockIdx.x * THREADS);
    if (i >= count - 1)
        return;
    const unsigned *codes = tree.codes_sorted;
    const int step = common(codes, count, i, i + 1) > common(codes, count, i, i - 1) ? 1 : -1;
    const int least = common(codes, count, i, i - step);
    int longest = 2;
    while (common(codes, count, i, i + longest * step) > least)
        longest *= 2;
    int length = 0;
    for (int by = longest / 2; by > 0; by /= 2)
        if (common(codes, count, i, i + (length + by) * step) > least)
            length += by;
    const int end = i + length * step, shared = common(codes, count, i, end);
    int split = 0;
    for (int by = length; by > 1;) {
        by = (by + 1) / 2;
        if (split + by < length && common(codes, count, i, i + (split + by) * step) > shared)
            split += by;
    }
    const int left = i + split * step + min(step, 0);
    const bool leaf0 = min(i, end) == left, leaf1 = max(i, end) == left + 1;
    krn_cuda_node *node = &tree.nodes[i];
    node->child0 = leaf0 ? ~tree.spheres_sorted[left] : left;
    node->child1 = leaf1 ? ~tree.spheres_sorted[left + 1] : left + 1;
    node->unused0 = node->unused1 = 0;
    /* Twice the parent, plus one for its second child. Leaves come after the nodes. */
    tree.parents[leaf0 ? count + left : left] = 2 * i;
    tree.parents[leaf1 ? count + left + 1 : left + 1] = 2 * i + 1;
    tree.visits[i] = 0;
    if (i == 0)
        tree.parents[0] = -1;
}

struct box {
    krn_vec low, high;
};

/* The box of a sphere, larger by `slack` than the sphere. */
__device__ __forceinline__ box box_of(krn_ball ball, float radius, float slack)
{
    const float reach = radius + slack;
    return {{ball.x - reach, ball.y - reach, ball.z - reach},
            {ball.x + reach, ball.y + reach, ball.z + reach}};
}

__device__ __forceinline__ void store(krn_cuda_node *node, int side, const box &box)
{
    ((float4 *)node)[side] = make_float4(box.low.x, box.high.x, box.low.y, box.high.y);
    ((float2 *)node)[4 + side] = make_float2(box.low.z, box.high.z);
}

/* Reads a box that another thread of the kernel has stored: from L2, because L1 may be older. */
__device__ __forceinline__ box load(const krn_cuda_node *node, int side)
{
    const float4 xy = __ldcg((const float4 *)node + side);
    const float2 z = __ldcg((const float2 *)node + 4 + side);
    return {{xy.x, xy.z, z.x}, {xy.y, xy.w, z.y}};
}

__device__ __forceinline__ box both(const box &a, const box &b)
{
    return {{fminf(a.low.x, b.low.x), fminf(a.low.y, b.low.y), fminf(a.low.z, b.low.z)},
            {fmaxf(a.high.x, b.high.x), fmaxf(a.high.y, b.high.y), fmaxf(a.high.z, b.high.z)}};
}

__global__ void __launch_bounds__(THREADS)
    enclose(const krn_ball *balls, const float4 *tints, int count, float slack, krn_cuda_tree tree)
{
    const int leaf = (int)(threadIdx.x + blockIdx.x * THREADS);
    if (leaf >= count)
        return;
    const int sphere = tree.spheres_sorted[leaf];
    box box = box_of(balls[sphere], tints[sphere].w, slack);
    for (int parent = tree.parents[count + leaf]; parent >= 0;) {
        krn_cuda_node *node = &tree.nodes[parent / 2];
        store(node, parent % 2, box);
        __threadfence();
        if (atomicAdd(&tree.visits[parent / 2], 1u) == 0)
            return; /* the thread of the other child goes on */
        __threadfence();
        box = both(box, load(node, 1 - parent % 2));
        parent = tree.parents[parent / 2];
    }
}

/* A scene of one sphere: both children of the root are that sphere. */
__global__ void enclose_one(const krn_ball *balls, const float4 *tints, float slack,
                            krn_cuda_tree tree)
{
    krn_cuda_node *node = &tree.nodes[0];
    const box box = box_of(balls[0], tints[0].w, slack);
    store(node, 0, box);
    store(node, 1, box);
    node->child0 = node->child1 = ~0;
    node->unused0 = node->unused1 = 0;
}

/* With tree.scratch NULL, finds the size of the scratch memory. */
cudaError_t sort(int count, const krn_cuda_tree &tree, size_t *bytes, cudaStream_t stream)
{
    return krn_cuda_sort_pairs(tree.scratch, bytes, tree.codes, tree.codes_sorted, tree.spheres,
                               tree.spheres_sorted, count, (int)KRN_CUDA_CODE_BITS, stream);
}

} // namespace

cudaError_t krn_cuda_tree_scratch(int count, size_t *bytes)
{
    const krn_cuda_tree none = {};
    *bytes = 0;
    return sort(count, none, bytes, nullptr);
}

cudaError_t krn_cuda_tree_build(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    const int count = frame->image.count;
    if (count == 1) {
        enclose_one<<<1, 1, 0, stream>>>(lit->balls, lit->tints, frame->light.slack, *tree);
        return cudaPeekAtLastError();
    }
    const unsigned blocks = blocks_of(count);
    encode<<<blocks, THREADS, 0, stream>>>(lit->balls, count, frame->bounds.centre,
                                           0.5f / frame->bounds.extent, *tree);
    size_t bytes = tree->scratch_bytes;
    const cudaError_t sorted = sort(count, *tree, &bytes, stream);
    if (sorted != cudaSuccess)
        return sorted;
    connect<<<blocks, THREADS, 0, stream>>>(count, *tree);
    enclose<<<blocks, THREADS, 0, stream>>>(lit->balls, lit->tints, count, frame->light.slack,
                                            *tree);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_light_pose(const krn_sphere *posed, int count, const krn_light_frame *light,
                                const krn_cuda_lit *lit, cudaStream_t stream)
{
    const unsigned threads = 256;
    pose<<<((unsigned)count + threads - 1) / threads, threads, 0, stream>>>(posed, count, *light,
                                                                            *lit);
    return cudaPeekAtLastError();
}
