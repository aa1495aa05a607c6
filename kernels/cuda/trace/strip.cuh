/* kernels/cuda/trace/strip.cuh - K pixels of one row a thread: what the strip's kernels have in
 * common.
 *
 * Pixels of a thread lie 32 apart, so a warp owns a run of 32 K neighbours of a row and passes over
 * a sphere as one: whether the run meets a sphere is one question for all of the warp. How it is
 * asked depends on where the spheres are read from: strip_scan.cuh and strip_constant.cu.
 *
 * With many pixels a thread there are few threads, and not enough warps to hide what one waits for:
 * pixels are worked on several at a time (batch_math.cuh).
 */
#ifndef KRN_STRIP_CUH
#define KRN_STRIP_CUH

#include "cuda/trace/batch_math.cuh"
#include "cuda/trace/kernels.h"
#include "cuda/trace/warp.cuh"

namespace krn_strip
{

using krn_warp::all_lanes;
using krn_warp::LANES;

/* KEEP: the half chord of what a pixel shows is kept, and not computed again for its shade. */
template <int K, bool KEEP>
struct pixels {
    enum { CHORDS = KEEP ? K : 1, BATCH = K < krn_batch::AT_ONCE ? K : krn_batch::AT_ONCE };
    float x[K], y, first, last;
    float deepest[K], chord[CHORDS]; /* -infinity and 0 where nothing is hit */
    int winner[K];
    bool met; /* a sphere, by the run */
};

/* Where a warp's run lies: its first pixel, and its row, which may be below the picture. */
struct run {
    int left, row;
};

template <int K, bool KEEP>
__device__ __forceinline__ void begin(pixels<K, KEEP> &own, const run &run,
                                      const krn_cuda_frame &frame)
{
    own.met = false;
    own.y = krn_ray(run.row, frame.height, frame.unit);
    own.first = krn_ray(run.left, frame.width, frame.unit);
    own.last = krn_ray(run.left + LANES * K - 1, frame.width, frame.unit);
#pragma unroll
    for (int k = 0; k < K; k++) {
        own.x[k] = krn_ray(run.left + (int)threadIdx.x + LANES * k, frame.width, frame.unit);
        own.deepest[k] = -INFINITY;
        own.winner[k] = KRN_NO_SPHERE;
        if constexpr (KEEP)
            own.chord[k] = 0.0f;
    }
}

template <int K, bool KEEP>
__device__ __forceinline__ void offer(pixels<K, KEEP> &own, int k, float chord, float z, int number)
{
    const float depth = chord + z;
    if (depth > own.deepest[k]) {
        own.deepest[k] = depth;
        own.winner[k] = number;
        if constexpr (KEEP)
            own.chord[k] = chord;
    }
}

/* N pixels from `first` on, together, against a sphere at x and z, whose rest of the row is `row`.
 */
template <bool VOTE, int N, int K, bool KEEP>
__device__ __forceinline__ void hit_batch(pixels<K, KEEP> &own, int first, float x, float z,
                                          float row, int number)
{
    float square[N], chord[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        square[i] = krn_pixel_residual(own.x[first + i] - x, row);
    if (!krn_batch::chords<VOTE>(square, chord))
        return;
#pragma unroll
    for (int i = 0; i < N; i++)
        offer(own, first + i, chord[i], z, number);
}

/* All pixels, one after the other: fewer registers, and so more warps. */
template <int K, bool KEEP>
__device__ __forceinline__ void meet_in_turn(pixels<K, KEEP> &own, float x, float z, float row,
                                             int number)
{
#pragma unroll
    for (int k = 0; k < K; k++) {
        const float square = krn_pixel_residual(own.x[k] - x, row);
        if (square > 0.0f)
            offer(own, k, sqrtf(square), z, number);
    }
}

/* A sphere that the run meets against all pixels. VOTE: as for krn_batch::chords. */
template <bool VOTE, int K, bool KEEP>
__device__ __forceinline__ void meet(pixels<K, KEEP> &own, float x, float z, float row, int number)
{
    if constexpr (K == 1) {
        meet_in_turn(own, x, z, row, number);
    } else {
        constexpr int N = pixels<K, KEEP>::BATCH;
#pragma unroll
        for (int k = 0; k < K; k += N)
            hit_batch<VOTE, N>(own, k, x, z, row, number);
    }
}

/* Of the pixel of the run that is nearest to a sphere; > 0: the run meets it. */
template <int K, bool KEEP>
__device__ __forceinline__ float nearest_rest(const pixels<K, KEEP> &own, float x, float row)
{
    return krn_pixel_residual(krn_axis_distance(own.first, own.last, x), row);
}

/* The least depth that a pixel of the run shows. */
template <int K, bool KEEP>
__device__ __forceinline__ float least_depth(const pixels<K, KEEP> &own)
{
    float least = own.deepest[0];
#pragma unroll
    for (int k = 1; k < K; k++)
        least = fminf(least, own.deepest[k]);
    return krn_warp::unordered(krn_warp::least(krn_warp::ordered(least)));
}

} // namespace krn_strip

#endif
