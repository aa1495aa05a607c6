/* Counts the rays of a picture, and those of each pixel: the paths of the tree kernel, told to a
 * counter. Counts the reads of a picture's warps, and at how many addresses: each lane notes the
 * addresses that its ray reads, and the warp then compares the notes step by step. */
#include "cuda/light/every.cuh"
#include "cuda/light/tree.cuh"

namespace
{

/* Counts the rays of a block, and those of a thread's pixel. A block has at most THREADS times 16
 * rays of a kind, so 32 bits are enough. */
struct counter {
    unsigned *counts, *of_pixel;
    __device__ __forceinline__ void traced(int bounce) const
    {
        atomicAdd(&counts[bounce], 1u);
        ++*of_pixel;
    }
    __device__ __forceinline__ void shadow(int bounce) const
    {
        traced(KRN_BOUNCES_MAX + 1 + bounce);
    }
};

/* Adds the rays to lit.rays or, with pixel_rays, writes those of each pixel there. */
__global__ void __launch_bounds__(krn_paths::THREADS, krn_paths::ROOMY)
    count_rays(krn_tree::finder<krn_tree::readonly_storage> tree, krn_cuda_lit lit,
               krn_cuda_lit_frame frame, uint32_t *pixel_rays)
{
    __shared__ unsigned counts[KRN_CUDA_RAY_COUNTS];
    unsigned of_pixel = 0;
    if (threadIdx.x < KRN_CUDA_RAY_COUNTS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    const krn_paths::pixel at = krn_paths::pixel_of_thread();
    const bool inside = at.i < frame.image.width && at.j < frame.image.height;
    for (int sample = 0; sample < frame.light.samples; sample++)
        krn_paths::trace_sample(tree, counter{counts, &of_pixel}, lit, frame.light, at, sample,
                                inside);
    __syncthreads();
    if (pixel_rays != nullptr && inside)
        pixel_rays[(size_t)at.j * (size_t)frame.image.width + (size_t)at.i] = of_pixel;
    if (pixel_rays == nullptr && threadIdx.x < KRN_CUDA_RAY_COUNTS && counts[threadIdx.x] > 0)
        atomicAdd(&lit.rays[threadIdx.x], (unsigned long long)counts[threadIdx.x]);
}

static_assert((int)KRN_CUDA_RAY_COUNTS <= (int)krn_paths::THREADS, "one thread per count");

using krn_paths::LANES;

enum { STEPS = KRN_CUDA_READS_SPHERES, KINDS = 3 };
static_assert(sizeof(krn_cuda_warp_reads) == KINDS * sizeof(unsigned long long),
              "an array of counts");
static_assert(STEPS <= 1 << 16, "an address is the number of a node or a sphere, in 16 bits");

/* The notes of a warp: an address for every lane and step. A ray reads a node or a sphere at most
 * once, so no lane takes more than STEPS. */
struct notes {
    unsigned short (*addresses)[LANES];
    int *steps; /* of each lane */

    __device__ __forceinline__ void add(int address) const
    {
        const int lane = (int)threadIdx.x;
        addresses[steps[lane]++][lane] = (unsigned short)address;
    }
};

/* Notes the nodes that the tree kernel reads. */
struct noting_tree : krn_tree::readonly_storage {
    notes taken;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        taken.add(i);
        return krn_tree::readonly_storage::node(i);
    }
};

/* Notes the spheres that the brute kernel reads. */
struct noting_balls : krn_paths::readonly_balls {
    notes taken;
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        taken.add(s);
        return krn_paths::readonly_balls::ball(s);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        taken.add(s);
        return krn_paths::readonly_balls::sun(s);
    }
};

/* Returns the number of different addresses of a step; 0: no lane takes it. */
__device__ int addresses_at(const notes &taken, int step)
{
    const unsigned short *addresses = taken.addresses[step];
    int different = 0;
    for (int lane = 0; lane < LANES; lane++) {
        bool first = step < taken.steps[lane];
        for (int before = 0; before < lane && first; before++)
            first = step >= taken.steps[before] || addresses[before] != addresses[lane];
        different += first;
    }
    return different;
}

/* A finder over a storage that takes notes. All lanes of the warp stay in the loop of bounces, so
 * that they can compare the notes. */
template <class Finder>
struct counting_finder {
    Finder finder;
    notes taken;
    unsigned (*counts)[KINDS]; /* of each bounce */
    int *bounce;               /* of the thread */

    __device__ __forceinline__ void count() const
    {
        __syncwarp();
        for (int step = (int)threadIdx.x; step < STEPS; step += LANES) {
            const int addresses = addresses_at(taken, step);
            if (addresses == 0)
                break;
            atomicAdd(&counts[*bounce][0], 1u);
            atomicAdd(&counts[*bounce][1], addresses == 1 ? 1u : 0u);
            atomicAdd(&counts[*bounce][2], (unsigned)addresses);
        }
        __syncwarp();
    }
    __device__ __forceinline__ bool any(bool alive) const
    {
        ++*bounce;
        return __any_sync(0xffffffffu, alive);
    }
    __device__ __forceinline__ struct krn_hit nearest(bool alive, const struct krn_ray &ray,
                                                      float least) const
    {
        struct krn_hit hit = {INFINITY, -1};
        taken.steps[threadIdx.x] = 0;
        if (alive)
            hit = finder.nearest(alive, ray, least);
        count();
        return hit;
    }
    __device__ __forceinline__ bool hidden(bool wanted, krn_vec point, krn_vec in_sun_space) const
    {
        bool found = false;
        taken.steps[threadIdx.x] = 0;
        if (wanted)
            found = finder.hidden(wanted, point, in_sun_space);
        count();
        return found;
    }
};

__device__ __forceinline__ krn_tree::finder<noting_tree>
finder_over(const krn_cuda_lit &lit, const krn_cuda_tree &tree, const krn_cuda_lit_frame &frame,
            const notes &taken)
{
    const noting_tree storage = {
        {{(const float4 *)lit.balls, (const float4 *)lit.suns}, (const float4 *)tree.nodes}, taken};
    return {storage, frame.light.sun, frame.light.slack};
}

/* Without a tree: every sphere. */
struct no_tree {
};

__device__ __forceinline__ krn_every::finder<noting_balls>
finder_over(const krn_cuda_lit &lit, no_tree, const krn_cuda_lit_frame &frame, const notes &taken)
{
    return {{{(const float4 *)lit.balls, (const float4 *)lit.suns}, taken}, frame.image.count};
}

/* A block is one warp, since its notes fill the shared memory. */
template <class Tree>
__global__ void __launch_bounds__(LANES)
    count_reads(Tree tree, krn_cuda_lit lit, krn_cuda_lit_frame frame, krn_cuda_warp_reads *reads)
{
    __shared__ unsigned short addresses[STEPS][LANES];
    __shared__ int steps[LANES];
    __shared__ unsigned counts[KRN_BOUNCES_MAX + 1][KINDS];
    const int lane = (int)threadIdx.x;
    const krn_paths::pixel at = krn_paths::pixel_of_lane(lane, (int)blockIdx.x, (int)blockIdx.y);
    const bool inside = at.i < frame.image.width && at.j < frame.image.height;
    if (lane <= KRN_BOUNCES_MAX)
        for (int kind = 0; kind < KINDS; kind++)
            counts[lane][kind] = 0;
    const notes taken = {addresses, steps};
    for (int sample = 0; sample < frame.light.samples; sample++) {
        int bounce = -1;
        const auto finder = finder_over(lit, tree, frame, taken);
        const counting_finder<decltype(finder)> counting = {finder, taken, counts, &bounce};
        krn_paths::trace_sample(counting, krn_paths::uncounted{}, lit, frame.light, at, sample,
                                inside);
    }
    __syncwarp();
    if (lane <= KRN_BOUNCES_MAX)
        for (int kind = 0; kind < KINDS; kind++)
            atomicAdd((unsigned long long *)&reads[lane] + kind,
                      (unsigned long long)counts[lane][kind]);
}
static_assert((int)KRN_BOUNCES_MAX < (int)LANES, "one lane per bounce");

template <class Tree>
cudaError_t launch_count(const Tree &tree, const krn_cuda_lit &lit, const krn_cuda_lit_frame &frame,
                         krn_cuda_warp_reads *reads, cudaStream_t stream)
{
    const int wide = krn_paths::TILE_WIDTH, high = krn_paths::TILE_HEIGHT;
    const dim3 grid((unsigned)((frame.image.width + wide - 1) / wide),
                    (unsigned)((frame.image.height + high - 1) / high));
    count_reads<<<grid, LANES, 0, stream>>>(tree, lit, frame, reads);
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t krn_cuda_light_rays(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                const krn_cuda_lit_frame *frame, uint32_t *pixel_rays,
                                cudaStream_t stream)
{
    count_rays<<<krn_paths::grid_of(frame->image), krn_paths::THREADS, 0, stream>>>(
        krn_tree::finder_of(krn_tree::readonly_of(*lit, *tree), *frame), *lit, *frame, pixel_rays);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_tree_reads(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                const krn_cuda_lit_frame *frame, krn_cuda_warp_reads *reads,
                                cudaStream_t stream)
{
    return launch_count(*tree, *lit, *frame, reads, stream);
}

cudaError_t krn_cuda_brute_reads(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                 krn_cuda_warp_reads *reads, cudaStream_t stream)
{
    return launch_count(no_tree{}, *lit, *frame, reads, stream);
}
