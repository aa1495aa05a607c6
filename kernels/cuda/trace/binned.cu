/* The binned kernel: sorts the spheres into tiles on the GPU in every frame, then traces from the
 * tiles' lists.
 *
 * Three launches sort. Threads count the spheres of every tile; a scan assigns each tile a range of
 * one array; the same threads fill the ranges. Then each warp traces a box of 16 x 8 pixels, 4
 * adjacent pixels per lane. It reads its tile's list 32 spheres at a time, one per lane: each lane
 * tests whether its sphere can hit the box and computes an upper bound of its depth there. The warp
 * intersects the candidate with the greatest bound first and rejects, as occluded, those whose
 * bound is below the least depth of the box. The order of a list is not deterministic, so at equal
 * depth the lower sphere number wins: the first of equals stays, as in the book.
 *
 * With few spheres, these launches cost more than the picture. Then one kernel does everything:
 * each block tests all spheres against its tile, and lists in shared memory those that hit it.
 */
#include "core/trace/tiles.h"
#include "cuda/trace/batch_math.cuh"
#include "cuda/trace/costs.cuh"
#include "cuda/trace/warp.cuh"

namespace
{

using krn_warp::all_lanes;
using krn_warp::ordered;

enum { LANES = krn_warp::LANES, K = krn_batch::PIXELS };
enum { BOX_WIDTH = KRN_CUDA_BOX_WIDTH, BOX_HEIGHT = KRN_CUDA_BOX_HEIGHT };
enum { THREADS = 256, BOXES = 4 };
static_assert(BOX_WIDTH * BOX_HEIGHT == LANES * K, "a box is a warp's pixels");
static_assert(BOX_WIDTH <= 1 << KRN_CUDA_TILE_SHIFT && BOX_HEIGHT <= 1 << KRN_CUDA_TILE_SHIFT,
              "a box lies in one tile");

/* Counts the spheres of each tile or, with FILL, lists them, with SHARE threads per sphere, so that
 * one thread does not handle all tiles of a large sphere. */
template <int SHARE, bool FILL>
__global__ void __launch_bounds__(THREADS)
    sort(const krn_packed *packed, int count, krn_tiles tiles, krn_cuda_bins bins)
{
    const int rank = (int)(threadIdx.x + blockIdx.x * THREADS);
    const int s = rank / SHARE;
    if (s >= count)
        return;
    const krn_packed sphere = packed[s];
    const krn_tile_range range = krn_tile_reach(tiles, sphere);
    const int wide = range.right - range.left + 1, high = range.high - range.low + 1;
    if (wide <= 0 || high <= 0)
        return;
    for (int i = rank % SHARE; i < wide * high; i += SHARE) {
        const int column = range.left + i % wide, row = range.low + i / wide;
        if (!krn_tile_hit(tiles, sphere, column, row))
            continue;
        const unsigned place = atomicAdd(&bins.end[row * tiles.columns + column], 1u);
        if (FILL)
            bins.entries[place] = s;
    }
}

/* The pixels of a lane. */
struct lane_pixels {
    float x[K], y;
    float deepest[K], chord[K]; /* half chord of the winner; 0: no hit */
    int winner[K];
};

__device__ __forceinline__ void intersect(lane_pixels &strip, float x, float y, float z,
                                          float square, int s)
{
    const float row = krn_row_residual(strip.y - y, square);
    float residual[K], chord[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        residual[k] = krn_pixel_residual(strip.x[k] - x, row);
    /* No vote: a lane's row residual may be negative or 0, and its pixel residuals are then outside
     * of the range of the roots. */
    if (!krn_batch::chords<false>(residual, chord))
        return;
#pragma unroll
    for (int k = 0; k < K; k++) {
        const float depth = chord[k] + z;
        if (depth > strip.deepest[k] || (depth == strip.deepest[k] && s < strip.winner[k])) {
            strip.deepest[k] = depth;
            strip.chord[k] = chord[k];
            strip.winner[k] = s;
        }
    }
}

/* Traces a box of pixels from entries begin to end - 1 of a list. The spheres that the warp
 * intersects with the box count as tests. */
template <class Entry, class Costs>
__device__ __forceinline__ void trace_box(const krn_cuda_scene &scene, const krn_cuda_frame &frame,
                                          int lane, int box_x, int box_y, const Entry *entries,
                                          unsigned begin, unsigned end, Costs &costs)
{
    const int i = box_x + lane % (BOX_WIDTH / K) * K, j = box_y + lane / (BOX_WIDTH / K);

    lane_pixels strip;
    strip.y = krn_ray(j, frame.height, frame.unit);
#pragma unroll
    for (int k = 0; k < K; k++) {
        strip.x[k] = krn_ray(i + k, frame.width, frame.unit);
        /* Pixels outside the image must not lower the least depth of the box. */
        strip.deepest[k] = i + k < frame.width && j < frame.height ? -INFINITY : INFINITY;
        strip.chord[k] = 0.0f;
        strip.winner[k] = KRN_NO_SPHERE;
    }
    const float x0 = krn_ray(box_x, frame.width, frame.unit);
    const float x1 = krn_ray(box_x + BOX_WIDTH - 1, frame.width, frame.unit);
    const float y0 = krn_ray(box_y, frame.height, frame.unit);
    const float y1 = krn_ray(box_y + BOX_HEIGHT - 1, frame.height, frame.unit);

    int least = ordered(-INFINITY); /* least depth of the box */
    bool any_candidate = false;     /* else the box is black */
    for (unsigned first = begin; first < end; first += LANES) {
        int s = 0, bound = 0;
        krn_packed sphere;
        bool candidate = first + (unsigned)lane < end;
        if (candidate) {
            s = entries[first + (unsigned)lane];
            sphere = scene.packed[s];
            const float residual = krn_box_residual(sphere, x0, x1, y0, y1);
            bound = ordered(sqrtf(residual) + sphere.z);
            candidate = residual > 0.0f && bound >= least;
        }
        while (__any_sync(all_lanes, candidate)) {
            any_candidate = true;
            const int deepest = krn_warp::greatest(candidate ? bound : INT_MIN);
            const unsigned lanes = __ballot_sync(all_lanes, candidate && bound == deepest);
            const int next = __ffs((int)lanes) - 1;
            costs.count(1);
            intersect(strip, __shfl_sync(all_lanes, sphere.x, next),
                      __shfl_sync(all_lanes, sphere.y, next),
                      __shfl_sync(all_lanes, sphere.z, next),
                      __shfl_sync(all_lanes, sphere.square, next), __shfl_sync(all_lanes, s, next));
            float low = strip.deepest[0];
#pragma unroll
            for (int k = 1; k < K; k++)
                low = fminf(low, strip.deepest[k]);
            least = krn_warp::least(ordered(low));
            candidate = candidate && lane != next && bound >= least;
        }
    }

    if (j >= frame.height)
        return;
    uint32_t rgba[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        rgba[k] = KRN_RGBA_BLACK;
    if (any_candidate)
        krn_batch::bytes<K>(strip.winner, strip.chord, scene.material, rgba);
    unsigned char *row = frame.pixels + (size_t)j * (size_t)frame.pitch_bytes;
    uint32_t *to = (uint32_t *)row + i;
    if (i + K <= frame.width && ((size_t)to & 15) == 0) {
        *(uint4 *)to = make_uint4(rgba[0], rgba[1], rgba[2], rgba[3]);
    } else {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (i + k < frame.width)
                to[k] = rgba[k];
    }
    costs.end();
#pragma unroll
    for (int k = 0; k < K; k++)
        if (i + k < frame.width)
            costs.write(frame, i + k, j);
}

template <class Costs>
__global__ void __launch_bounds__(LANES *BOXES)
    trace(krn_cuda_scene scene, krn_cuda_frame frame, krn_tiles tiles, krn_cuda_bins bins,
          Costs costs)
{
    costs.begin();
    const int lane = (int)threadIdx.x;
    const int box_x = (int)blockIdx.x * BOX_WIDTH;
    const int box_y = (int)(blockIdx.y * BOXES + threadIdx.y) * BOX_HEIGHT;
    if (box_y >= frame.height)
        return;
    const int tile = (box_y >> tiles.shift) * tiles.columns + (box_x >> tiles.shift);
    trace_box(scene, frame, lane, box_x, box_y, bins.entries, bins.start[tile], bins.end[tile],
              costs);
}

/* The warps of a block that scans, by the side of its tile. */
__host__ __device__ constexpr int scan_warps(int shift)
{
    return shift == KRN_CUDA_SCAN_SHIFT ? 16 : 4;
}

/* Lists the spheres that hit the block's tile in shared memory, and then traces the boxes of the
 * tile. The test is that of krn_tile_hit, so the lists have the same members as the sorted ones. */
template <int SHIFT>
__global__ void __launch_bounds__(LANES *scan_warps(SHIFT))
    scan(krn_cuda_scene scene, krn_cuda_frame frame)
{
    constexpr int WARPS = scan_warps(SHIFT), SIDE = 1 << SHIFT;
    constexpr int ACROSS = SIDE / BOX_WIDTH, ALL = ACROSS * (SIDE / BOX_HEIGHT);
    static_assert(KRN_CUDA_SCAN_SPHERES <= 1 << 16, "16 bits hold the number of a sphere");
    __shared__ unsigned short
        entries[SHIFT == KRN_CUDA_SCAN_SHIFT ? KRN_CUDA_SCAN_SPHERES : KRN_CUDA_SCAN_FEW];
    __shared__ unsigned listed;
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int left = (int)blockIdx.x * SIDE, low = (int)blockIdx.y * SIDE;
    if (threadIdx.x == 0)
        listed = 0;
    __syncthreads();
    const float x0 = krn_ray(left, frame.width, frame.unit);
    const float x1 = krn_ray(left + SIDE - 1, frame.width, frame.unit);
    const float y0 = krn_ray(low, frame.height, frame.unit);
    const float y1 = krn_ray(low + SIDE - 1, frame.height, frame.unit);
    for (int first = 0; first < frame.count; first += LANES * WARPS) {
        const int s = first + (int)threadIdx.x;
        const bool hit =
            s < frame.count && krn_box_residual(scene.packed[s], x0, x1, y0, y1) > 0.0f;
        const unsigned hits = __ballot_sync(all_lanes, hit);
        if (hits == 0)
            continue;
        unsigned place = 0;
        if (lane == 0)
            place = atomicAdd(&listed, (unsigned)__popc(hits));
        place = __shfl_sync(all_lanes, place, 0) + (unsigned)__popc(hits & ((1u << lane) - 1));
        if (hit)
            entries[place] = (unsigned short)s;
    }
    __syncthreads();
    krn_costs::none costs;
    for (int box = warp; box < ALL; box += WARPS) {
        const int x = left + box % ACROSS * BOX_WIDTH, y = low + box / ACROSS * BOX_HEIGHT;
        if (x < frame.width && y < frame.height)
            trace_box(scene, frame, lane, x, y, entries, 0, listed, costs);
    }
}

dim3 grid_of_trace(const krn_cuda_frame &frame)
{
    return dim3((unsigned)(frame.width + BOX_WIDTH - 1) / BOX_WIDTH,
                (unsigned)(frame.height + BOX_HEIGHT * BOXES - 1) / (BOX_HEIGHT * BOXES));
}

template <int SHARE, bool FILL>
void launch_sort(const krn_packed *packed, int count, const krn_tiles &tiles,
                 const krn_cuda_bins &bins, cudaStream_t stream)
{
    const unsigned blocks = ((unsigned)count * SHARE + THREADS - 1) / THREADS;
    sort<SHARE, FILL><<<blocks, THREADS, 0, stream>>>(packed, count, tiles, bins);
}

} // namespace

cudaError_t krn_cuda_binned_sort(krn_cuda_scene scene, int count, krn_tiles tiles,
                                 krn_cuda_bins bins, cudaStream_t stream)
{
    const int all = tiles.columns * tiles.rows;
    const cudaError_t cleared =
        cudaMemsetAsync(bins.end, 0, ((size_t)all + 1) * sizeof *bins.end, stream);
    if (cleared != cudaSuccess)
        return cleared;
    if (bins.share > 4)
        launch_sort<32, false>(scene.packed, count, tiles, bins, stream);
    else
        launch_sort<4, false>(scene.packed, count, tiles, bins, stream);
    const cudaError_t placed = krn_cuda_place(all, {bins.start, bins.end}, stream);
    if (placed != cudaSuccess)
        return placed;
    if (bins.share > 4)
        launch_sort<32, true>(scene.packed, count, tiles, bins, stream);
    else
        launch_sort<4, true>(scene.packed, count, tiles, bins, stream);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_binned_trace(krn_cuda_scene scene, krn_tiles tiles, krn_cuda_bins bins,
                                  krn_cuda_frame frame, uint32_t *cycles, cudaStream_t stream)
{
    return krn_costs::with(cycles, [&](auto costs) {
        trace<<<grid_of_trace(frame), dim3(LANES, BOXES), 0, stream>>>(scene, frame, tiles, bins,
                                                                       costs);
    });
}

cudaError_t krn_cuda_binned_tests(krn_cuda_scene scene, krn_tiles tiles, krn_cuda_bins bins,
                                  krn_cuda_frame frame, uint32_t *costs, cudaStream_t stream)
{
    trace<<<grid_of_trace(frame), dim3(LANES, BOXES), 0, stream>>>(scene, frame, tiles, bins,
                                                                   krn_costs::tests{{costs, 0}});
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_binned_scan(krn_cuda_scene scene, krn_tiles tiles, krn_cuda_frame frame,
                                 cudaStream_t stream)
{
    const dim3 grid((unsigned)tiles.columns, (unsigned)tiles.rows);
    const unsigned threads = (unsigned)(LANES * scan_warps(tiles.shift));
    if (tiles.shift == KRN_CUDA_SCAN_SHIFT)
        scan<KRN_CUDA_SCAN_SHIFT><<<grid, threads, 0, stream>>>(scene, frame);
    else
        scan<KRN_CUDA_SCAN_SHIFT_FEW><<<grid, threads, 0, stream>>>(scene, frame);
    return cudaPeekAtLastError();
}
