/* kernels/cuda/trace/strip.cuh - K pixels of one row per thread: the parts that the strip kernels
 * share.
 *
 * The pixels of a thread are 32 apart, so a warp owns a run of 32 K adjacent pixels of a row, and
 * one test rejects a sphere for the whole run. The test depends on the storage of the spheres: see
 * strip_scan.cuh and strip_constant.cu.
 *
 * With many pixels per thread there are few threads, and not enough warps to hide latencies, so
 * that a thread works on several pixels at a time (batch_math.cuh).
 */
#pragma once

#include "cuda/trace/batch_math.cuh"
#include "cuda/trace/costs.cuh"
#include "cuda/trace/warp.cuh"

namespace krn_strip
{

using krn_warp::all_lanes;
using krn_warp::LANES;

/* KEEP: the half chord of each winner is kept and not computed again for its shade. */
template <int K, bool KEEP>
struct pixels {
    enum { CHORDS = KEEP ? K : 1, BATCH = K < krn_batch::PIXELS ? K : krn_batch::PIXELS };
    float x[K], y, first, last;      /* of the rays; first, last: the ends of the run */
    float deepest[K], chord[CHORDS]; /* -infinity and 0: no hit */
    int winner[K];
    bool any_candidate; /* else the run is black */
};

/* The run of a warp: its first pixel, and its row, which may be beyond the image. */
struct run {
    int left, row;
};

template <int K, bool KEEP>
__device__ __forceinline__ void begin(pixels<K, KEEP> &strip, const run &run,
                                      const krn_cuda_frame &frame)
{
    strip.any_candidate = false;
    strip.y = krn_ray(run.row, frame.height, frame.unit);
    strip.first = krn_ray(run.left, frame.width, frame.unit);
    strip.last = krn_ray(run.left + LANES * K - 1, frame.width, frame.unit);
#pragma unroll
    for (int k = 0; k < K; k++) {
        strip.x[k] = krn_ray(run.left + (int)threadIdx.x + LANES * k, frame.width, frame.unit);
        strip.deepest[k] = -INFINITY;
        strip.winner[k] = KRN_NO_SPHERE;
        if constexpr (KEEP)
            strip.chord[k] = 0.0f;
    }
}

/* Makes a sphere the winner of pixel k if it is the deepest so far. */
template <int K, bool KEEP>
__device__ __forceinline__ void update(pixels<K, KEEP> &strip, int k, float chord, float z,
                                       int number)
{
    const float depth = chord + z;
    if (depth > strip.deepest[k]) {
        strip.deepest[k] = depth;
        strip.winner[k] = number;
        if constexpr (KEEP)
            strip.chord[k] = chord;
    }
}

/* Intersects a sphere at x and z, whose row residual is `row`, with the batch of N pixels from
 * `first` on. */
template <bool VOTE, int N, int K, bool KEEP>
__device__ __forceinline__ void intersect_batch(pixels<K, KEEP> &strip, int first, float x, float z,
                                                float row, int number)
{
    float residual[N], chord[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        residual[i] = krn_pixel_residual(strip.x[first + i] - x, row);
    if (!krn_batch::chords<VOTE>(residual, chord))
        return;
#pragma unroll
    for (int i = 0; i < N; i++)
        update(strip, first + i, chord[i], z, number);
}

/* Intersects a sphere with all pixels, one after the other: this needs fewer registers, so more
 * warps fit. */
template <int K, bool KEEP>
__device__ __forceinline__ void intersect_in_turn(pixels<K, KEEP> &strip, float x, float z,
                                                  float row, int number)
{
#pragma unroll
    for (int k = 0; k < K; k++) {
        const float residual = krn_pixel_residual(strip.x[k] - x, row);
        if (residual > 0.0f)
            update(strip, k, sqrtf(residual), z, number);
    }
}

/* Intersects a candidate with all pixels. VOTE: as for krn_batch::chords. */
template <bool VOTE, int K, bool KEEP>
__device__ __forceinline__ void intersect(pixels<K, KEEP> &strip, float x, float z, float row,
                                          int number)
{
    if constexpr (K == 1) {
        intersect_in_turn(strip, x, z, row, number);
    } else {
        constexpr int N = pixels<K, KEEP>::BATCH;
#pragma unroll
        for (int k = 0; k < K; k += N)
            intersect_batch<VOTE, N>(strip, k, x, z, row, number);
    }
}

/* Returns the residual of the pixel of the run that is nearest to a sphere; when it is positive,
 * the sphere is a candidate. */
template <int K, bool KEEP>
__device__ __forceinline__ float nearest_residual(const pixels<K, KEEP> &strip, float x, float row)
{
    return krn_pixel_residual(krn_axis_distance(strip.first, strip.last, x), row);
}

/* Returns the least depth of the run. */
template <int K, bool KEEP>
__device__ __forceinline__ float least_depth(const pixels<K, KEEP> &strip)
{
    float least = strip.deepest[0];
#pragma unroll
    for (int k = 1; k < K; k++)
        least = fminf(least, strip.deepest[k]);
    return krn_warp::unordered(krn_warp::least(krn_warp::ordered(least)));
}

/* Computes the bytes of pixels first..first+N-1. */
template <int N, int K, bool KEEP>
__device__ __forceinline__ void shade(const pixels<K, KEEP> &strip, int first,
                                      const krn_cuda_scene &scene, uint32_t rgba[N])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        rgba[i] = KRN_RGBA_BLACK;
        any = any || strip.winner[first + i] >= 0;
    }
    if constexpr (KEEP) {
        if (__any_sync(all_lanes, any))
            krn_batch::bytes<N>(strip.winner + first, strip.chord + first, scene.material, rgba);
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int s = strip.winner[first + i];
            if (s >= 0)
                rgba[i] = krn_rgba(scene.packed[s], scene.material[s], strip.x[first + i], strip.y);
        }
    }
}

/* Stores the pixels of a run in the image. All lanes of the warp must call. */
template <int K, bool KEEP>
__device__ __forceinline__ void store(const pixels<K, KEEP> &strip, const krn_cuda_scene &scene,
                                      const run &run, const krn_cuda_frame &frame)
{
    constexpr int N = pixels<K, KEEP>::BATCH;
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)run.row * (size_t)frame.pitch_bytes);
    if (!strip.any_candidate) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = run.left + (int)threadIdx.x + LANES * k;
            if (i < frame.width)
                row[i] = KRN_RGBA_BLACK;
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < K; k += N) {
        uint32_t rgba[N];
        shade<N>(strip, k, scene, rgba);
#pragma unroll
        for (int n = 0; n < N; n++) {
            const int i = run.left + (int)threadIdx.x + LANES * (k + n);
            if (i < frame.width)
                row[i] = rgba[n];
        }
    }
}

/* Ends the costs and writes them for all K pixels of a lane of a run. */
template <int K, class Costs>
__device__ __forceinline__ void write_costs(const run &run, const krn_cuda_frame &frame,
                                            Costs &costs)
{
    costs.end();
#pragma unroll
    for (int k = 0; k < K; k++) {
        const int i = run.left + (int)threadIdx.x + LANES * k;
        if (i < frame.width)
            costs.write(frame, i, run.row);
    }
}

} // namespace krn_strip
