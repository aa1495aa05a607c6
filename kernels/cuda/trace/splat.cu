/* The splat kernel: each sphere writes its pixels, in place of each pixel reading its spheres.
 *
 * A pixel has a key of 64 bits: the frame's turn in the top 8, the depth as an integer of the same
 * order in 32, and the complement of the sphere's number in 24. The greatest key is that of the
 * deepest sphere, and of equals that of the first, as in the book, in whatever order atomicMax sees
 * them. The turn makes every key of an older frame smaller than all of this one, so keys are
 * cleared in one frame of 255 alone; the last block of the shading counts it.
 *
 * A warp reads 32 spheres, one per lane, and keeps in shared memory those that it cannot reject;
 * LANES lanes then walk over the box of one of them, a column each. A plain read of the key spares
 * most of the atomics; a stale one costs one that changes nothing.
 *
 * Where many spheres cover a pixel, those before a plane are splatted first: a sample of the depths
 * tells where the plane is. Then the least key of each block of BLOCK x BLOCK pixels rejects a
 * sphere behind it that is hidden in every block it touches. The planes decide which spheres are
 * tested, never what is shown.
 */
#include "core/trace/tiles.h"
#include "cuda/trace/batch_math.cuh"
#include "cuda/trace/kernels.h"

namespace
{

using krn_warp::all_lanes;

enum { WARP = krn_warp::LANES, THREADS = 256, WARPS = THREADS / WARP, BINS = 1024 };
enum { BLOCK = KRN_CUDA_SPLAT_BLOCK, K = krn_batch::PIXELS };
typedef unsigned long long key_t;
const unsigned last_turn = 255, last_sphere = 0xffffff;
static_assert(KRN_SPHERES_MAX <= last_sphere, "24 bits hold the number of a sphere");

/* Returns an unsigned number of the same order as the depth. */
__device__ __forceinline__ unsigned order(float depth)
{
    return (unsigned)krn_warp::ordered(depth) ^ 0x80000000u;
}

/* Finds the depths before which lie the wanted shares of the spheres, from a sample of them. */
__global__ void __launch_bounds__(BINS)
    find_planes(const krn_packed *packed, int count, krn_cuda_splat splat)
{
    __shared__ unsigned bins[BINS], warps[WARP];
    const unsigned t = threadIdx.x, lane = t % WARP;
    const int sample = min(count, (int)BINS), step = count / sample;
    bins[t] = 0;
    __syncthreads();
    if ((int)t < sample) {
        const float share = (packed[(size_t)t * (size_t)step].z / splat.far + 1.0f) * 0.5f;
        const int bin = min(max((int)((1.0f - share) * BINS), 0), BINS - 1);
        atomicAdd(&bins[bin], 1u);
    }
    __syncthreads();
    const unsigned own = bins[t];
    unsigned sum = own;
    for (unsigned by = 1; by < WARP; by *= 2) {
        const unsigned before = __shfl_up_sync(all_lanes, sum, by);
        sum += lane >= by ? before : 0;
    }
    if (lane == WARP - 1)
        warps[t / WARP] = sum;
    __syncthreads();
    for (unsigned w = 0; w < t / WARP; w++)
        sum += warps[w];
    for (int i = 0; i < splat.planes; i++) {
        const unsigned wanted = max(1u, (unsigned)(splat.share[i] * (float)sample));
        if (sum >= wanted && sum - own < wanted)
            splat.state->plane[i] = splat.far * (1.0f - 2.0f * (float)(t + 1) / BINS);
    }
}

/* The pixels of a sphere's box: columns left..right - 1, rows low..end - 1. */
struct box {
    int left, right, low, end;
};

/* Splats one sphere's column of pixels. With IN_BLOCKS, which pays for large spheres, steps of rows
 * begin where blocks do, and where `rejects`, rows of a block that hides the sphere are left out;
 * `bound` is the upper half of a key that none of its keys exceeds. */
template <int ROWS, bool IN_BLOCKS, bool COUNT>
__device__ __forceinline__ void
splat_column(const krn_cuda_frame &frame, const krn_cuda_splat &splat, const float4 &sphere,
             const box &box, int column, unsigned turn, unsigned low, bool rejects, unsigned bound,
             uint32_t *costs)
{
    static_assert(BLOCK % ROWS == 0, "the rows of a step lie in one block");
    const float dx = krn_ray(column, frame.width, frame.unit) - sphere.x;
    if (!(krn_pixel_residual(dx, sphere.w) > 0.0f))
        return;
    int j = IN_BLOCKS ? box.low / ROWS * ROWS : box.low;
    float row = (float)(j - frame.height / 2); /* counts faster than an integer converts */
    key_t *to = splat.keys + (size_t)j * (size_t)splat.pitch + (size_t)column;
    const unsigned *least = splat.least + column / BLOCK;
    for (; j < box.end; j += ROWS, to += ROWS * splat.pitch, row += (float)ROWS) {
        if (IN_BLOCKS && rejects && bound < least[j / BLOCK * (splat.pitch / BLOCK)])
            continue;
        float residual[ROWS], chord[ROWS];
        key_t old[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float dy = (row + (float)r) * frame.unit - sphere.y;
            residual[r] = krn_pixel_residual(dx, krn_row_residual(dy, sphere.w));
            if (j + r >= box.end)
                residual[r] = 0.0f;
            if (residual[r] > 0.0f)
                old[r] = to[r * splat.pitch];
            if (COUNT && j + r >= box.low && j + r < box.end)
                atomicAdd(&costs[(size_t)(j + r) * (size_t)frame.width + (size_t)column], 1u);
        }
        if (!krn_batch::chords<false>(residual, chord))
            continue;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (!(residual[r] > 0.0f))
                continue;
            const unsigned depth = order(chord[r] + sphere.z);
            const key_t key = (key_t)(turn | depth >> 8) << 32 | (depth << 24 | low);
            if (key > old[r])
                atomicMax(to + r * splat.pitch, key);
        }
    }
}

/* Returns false when a sphere is hidden in every block of pixels that it touches. */
__device__ __forceinline__ bool may_show(const krn_cuda_splat &splat, const box &box,
                                         unsigned bound)
{
    bool shows = false;
    for (int j = box.low / BLOCK; j * BLOCK < box.end && !shows; j++)
        for (int i = box.left / BLOCK; i * BLOCK < box.right; i++)
            shows |= bound >= splat.least[j * (splat.pitch / BLOCK) + i];
    return shows;
}

/* Keeps of a box the rows of one of `shares` blocks of threads. */
__device__ __forceinline__ void share_rows(box &box, int share, int shares)
{
    const int low = box.low, rows = box.end - box.low;
    if (share > 0)
        box.low = (low + rows * share / shares) / BLOCK * BLOCK;
    if (share < shares - 1)
        box.end = (low + rows * (share + 1) / shares) / BLOCK * BLOCK;
    box.low = max(box.low, low);
}

/* Splats the spheres between planes part - 1 and part: before the first one, behind the last one.
 * Behind a plane, hidden ones are rejected. */
template <int LANES, int ROWS, bool COUNT>
__global__ void __launch_bounds__(THREADS)
    splat_part(const krn_packed *__restrict__ packed, krn_cuda_frame frame, krn_cuda_splat splat,
               int part, uint32_t *costs)
{
    __shared__ float4 spheres[WARPS][WARP];
    __shared__ int4 boxes[WARPS][WARP];
    __shared__ uint2 numbers[WARPS][WARP];
    const int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP;
    const int s = (int)(blockIdx.x * WARPS + (unsigned)warp) * splat.per_warp + lane;
    const unsigned turn = splat.state->turn << 24;
    const float front = part > 0 ? splat.state->plane[part - 1] : INFINITY,
                back = part < splat.planes ? splat.state->plane[part] : -INFINITY;
    krn_packed sphere;
    box box;
    unsigned bound = 0;
    bool kept = lane < splat.per_warp && s < frame.count;
    if (kept) {
        sphere = packed[s];
        kept = sphere.z >= back && sphere.z < front;
    }
    if (kept) {
        const float radius = sqrtf(sphere.square), per_unit = 1.0f / frame.unit;
        krn_pixel_span(sphere.x, radius, per_unit, frame.width, &box.left, &box.right);
        krn_pixel_span(sphere.y, radius, per_unit, frame.height, &box.low, &box.end);
        box.right++;
        box.end++;
        share_rows(box, (int)blockIdx.y, (int)gridDim.y);
        bound = turn | order(radius + sphere.z) >> 8;
        kept =
            box.left < box.right && box.low < box.end && (part == 0 || may_show(splat, box, bound));
    }
    const unsigned all = __ballot_sync(all_lanes, kept);
    if (kept) {
        const int at = __popc(all & ((1u << lane) - 1));
        spheres[warp][at] = make_float4(sphere.x, sphere.y, sphere.z, sphere.square);
        boxes[warp][at] = make_int4(box.left, box.right, box.low, box.end);
        numbers[warp][at] = make_uint2(last_sphere - (unsigned)s, bound);
    }
    __syncwarp();
    for (int at = lane / LANES; at < __popc(all); at += WARP / LANES) {
        const int4 of = boxes[warp][at];
        const uint2 number = numbers[warp][at];
        const struct box own = {of.x, of.y, of.z, of.w};
        for (int column = own.left + lane % LANES; column < own.right; column += LANES)
            splat_column<ROWS, (LANES > 8), COUNT>(frame, splat, spheres[warp][at], own, column,
                                                   turn, number.x, part > 0, number.y, costs);
    }
}

/* Finds the least key of every block of pixels, its upper half. */
__global__ void __launch_bounds__(THREADS) find_least(krn_cuda_frame frame, krn_cuda_splat splat)
{
    const int t = (int)(blockIdx.x * THREADS + threadIdx.x), column = t % splat.pitch,
              first = t / splat.pitch * BLOCK;
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int r = 0; r < BLOCK; r++)
        if (column < frame.width && first + r < frame.height)
            least = min(
                least,
                (unsigned)(splat.keys[(size_t)(first + r) * (size_t)splat.pitch + (size_t)column] >>
                           32));
    for (int by = 1; by < BLOCK; by *= 2)
        least = min(least, __shfl_xor_sync(all_lanes, least, by));
    if (column % BLOCK == 0 && first < frame.height)
        splat.least[t / splat.pitch * (splat.pitch / BLOCK) + column / BLOCK] = least;
}

/* Shades K neighbouring pixels per thread from their keys. */
__global__ void __launch_bounds__(THREADS)
    shade(krn_cuda_scene scene, krn_cuda_frame frame, krn_cuda_splat splat)
{
    const int t = (int)(blockIdx.x * THREADS + threadIdx.x), across = splat.pitch / K,
              i = t % across * K, j = t / across;
    const unsigned turn = splat.state->turn;
    if (j < frame.height) {
        uint4 *keys = (uint4 *)(splat.keys + (size_t)j * (size_t)splat.pitch + (size_t)i);
        const uint4 first = keys[0], second = keys[1];
        const unsigned upper[K] = {first.y, first.w, second.y, second.w},
                       lower[K] = {first.x, first.z, second.x, second.z};
        if (turn == last_turn)
            keys[0] = keys[1] = make_uint4(0, 0, 0, 0);
        int winner[K];
        uint32_t rgba[K];
        float residual[K], chord[K];
        bool any = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            const bool hit = upper[k] >> 24 == turn;
            winner[k] = hit ? (int)(last_sphere - (lower[k] & last_sphere)) : KRN_NO_SPHERE;
            rgba[k] = KRN_RGBA_BLACK;
            any |= hit;
        }
        if (any) {
            const float y = krn_ray(j, frame.height, frame.unit);
#pragma unroll
            for (int k = 0; k < K; k++) {
                const krn_packed sphere = scene.packed[max(winner[k], 0)];
                residual[k] =
                    winner[k] < 0
                        ? 0.0f
                        : krn_pixel_residual(krn_ray(i + k, frame.width, frame.unit) - sphere.x,
                                             krn_row_residual(y - sphere.y, sphere.square));
            }
            krn_batch::chords<false>(residual, chord);
#pragma unroll
            for (int k = 0; k < K; k++)
                chord[k] = winner[k] < 0 ? 0.0f : chord[k];
            krn_batch::bytes<K>(winner, chord, scene.material, rgba);
        }
        uint32_t *to = (uint32_t *)(frame.pixels + (size_t)j * (size_t)frame.pitch_bytes) + i;
        if (i + K <= frame.width && ((size_t)to & 15) == 0) {
            *(uint4 *)to = make_uint4(rgba[0], rgba[1], rgba[2], rgba[3]);
        } else {
#pragma unroll
            for (int k = 0; k < K; k++)
                if (i + k < frame.width)
                    to[k] = rgba[k];
        }
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&splat.state->blocks, 1u) == gridDim.x - 1) {
        splat.state->blocks = 0;
        splat.state->turn = turn == last_turn ? 1 : turn + 1;
    }
}

unsigned blocks_for(int threads)
{
    return ((unsigned)threads + THREADS - 1) / THREADS;
}

dim3 grid_of_spheres(const krn_cuda_splat &splat, int count)
{
    const unsigned spheres = (unsigned)(WARPS * splat.per_warp);
    return dim3(((unsigned)count + spheres - 1) / spheres, (unsigned)splat.shares);
}

template <bool COUNT>
void launch_part(krn_cuda_scene scene, const krn_cuda_frame &frame, const krn_cuda_splat &splat,
                 int part, uint32_t *costs, cudaStream_t stream)
{
    const dim3 grid = grid_of_spheres(splat, frame.count);
    if (splat.lanes == 8)
        splat_part<8, 2, COUNT>
            <<<grid, THREADS, 0, stream>>>(scene.packed, frame, splat, part, costs);
    else if (splat.lanes == 16)
        splat_part<16, 4, COUNT>
            <<<grid, THREADS, 0, stream>>>(scene.packed, frame, splat, part, costs);
    else
        splat_part<32, 4, COUNT>
            <<<grid, THREADS, 0, stream>>>(scene.packed, frame, splat, part, costs);
}

} // namespace

cudaError_t krn_cuda_splat_launch(krn_cuda_scene scene, krn_cuda_splat splat, krn_cuda_frame frame,
                                  uint32_t *costs, cudaStream_t stream)
{
    const int high = (frame.height + BLOCK - 1) / BLOCK;
    if (splat.planes > 0)
        find_planes<<<1, BINS, 0, stream>>>(scene.packed, frame.count, splat);
    for (int part = 0; part <= splat.planes; part++) {
        if (part > 0)
            find_least<<<blocks_for(splat.pitch * high), THREADS, 0, stream>>>(frame, splat);
        if (costs != nullptr)
            launch_part<true>(scene, frame, splat, part, costs, stream);
        else
            launch_part<false>(scene, frame, splat, part, costs, stream);
    }
    shade<<<blocks_for(splat.pitch / K * frame.height), THREADS, 0, stream>>>(scene, frame, splat);
    return cudaPeekAtLastError();
}
