/* Clock cycles and sphere tests of the binned kernel's trace from sorted lists. The functions are
 * those of cuda/trace/binned.cu, which explains them. */
#include "core/trace/tiles.h"
#include "cuda/heat/cycles.cuh"
#include "cuda/heat/kernels.h"
#include "cuda/trace/batch_math.cuh"
#include "cuda/trace/warp.cuh"

namespace
{

using krn_warp::all_lanes;
using krn_warp::ordered;

enum { LANES = krn_warp::LANES, K = krn_batch::PIXELS };
enum { BOX_WIDTH = KRN_CUDA_BOX_WIDTH, BOX_HEIGHT = KRN_CUDA_BOX_HEIGHT };
enum { BOXES = 4 };

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

/* CYCLES: the cost of a pixel is the time of its warp, else the spheres that the warp intersects
 * with its box. */
template <bool CYCLES>
__global__ void __launch_bounds__(LANES *BOXES)
    trace(krn_cuda_scene scene, krn_cuda_frame frame, krn_tiles tiles, krn_cuda_bins bins,
          uint32_t *costs)
{
    const uint32_t start = CYCLES ? krn_heat::clock_now() : 0;
    uint32_t tests = 0;
    const int lane = (int)threadIdx.x;
    const int box_x = (int)blockIdx.x * BOX_WIDTH;
    const int box_y = (int)(blockIdx.y * BOXES + threadIdx.y) * BOX_HEIGHT;
    if (box_y >= frame.height)
        return;
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

    const int tile = (box_y >> tiles.shift) * tiles.columns + (box_x >> tiles.shift);
    const unsigned end = bins.end[tile];
    int least = ordered(-INFINITY); /* least depth of the box */
    bool any_candidate = false;     /* else the box is black */
    for (unsigned first = bins.start[tile]; first < end; first += LANES) {
        int s = 0, bound = 0;
        krn_packed sphere;
        bool candidate = first + (unsigned)lane < end;
        if (candidate) {
            s = bins.entries[first + (unsigned)lane];
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
            tests++;
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
    const uint32_t cost = CYCLES ? krn_heat::clock_now() - start : tests;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (i + k < frame.width)
            costs[(size_t)j * (size_t)frame.width + (size_t)(i + k)] = cost;
}

} // namespace

cudaError_t krn_cuda_heat_binned(krn_cuda_scene scene, krn_tiles tiles, krn_cuda_bins bins,
                                 krn_cuda_frame frame, uint32_t *costs, bool cycles,
                                 cudaStream_t stream)
{
    const dim3 grid((unsigned)(frame.width + BOX_WIDTH - 1) / BOX_WIDTH,
                    (unsigned)(frame.height + BOX_HEIGHT * BOXES - 1) / (BOX_HEIGHT * BOXES));
    const dim3 block(LANES, BOXES);
    if (cycles)
        trace<true><<<grid, block, 0, stream>>>(scene, frame, tiles, bins, costs);
    else
        trace<false><<<grid, block, 0, stream>>>(scene, frame, tiles, bins, costs);
    return cudaPeekAtLastError();
}
