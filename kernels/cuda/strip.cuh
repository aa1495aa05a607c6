/* strip.cuh - K pixels of one row a thread: what the strip's kernels have in common.
 *
 * Pixels of a thread lie 32 apart, so a warp owns a run of 32 K neighbours of a row and passes over
 * a sphere as one: whether the run meets a sphere is one question for all of the warp. How it is
 * asked depends on where the spheres are read from: strip.cu and strip_constant.cu.
 *
 * With many pixels a thread there are few threads, and not enough warps to hide what one waits for.
 * So pixels are worked on several at a time, with one branch for all: where each has a branch of
 * its own, even one that is never taken, the compiler lines their roots and quotients up, and each
 * waits for the one before.
 */
#ifndef KRN_STRIP_CUH
#define KRN_STRIP_CUH

#include "cuda_kernels.h"
#include "strip.h"

namespace krn_strip
{

enum { LANES = 32 };

const unsigned all_lanes = 0xffffffffu;

/* KEEP: the half chord of what a pixel shows is kept, and not computed again for its shade. */
template <int K, bool KEEP>
struct pixels {
    enum { CHORDS = KEEP ? K : 1 };
    float x[K], y, first, last;
    float deepest[K], chord[CHORDS]; /* -infinity and 0 where nothing is hit */
    int winner[K];
    bool met; /* a sphere, by the run */
};

/* The run that starts at pixel `left` of row j. */
template <int K, bool KEEP>
__device__ __forceinline__ void begin(pixels<K, KEEP> &own, int left, int j,
                                      const krn_cuda_frame &frame)
{
    own.met = false;
    own.y = krn_ray(j, frame.height, frame.unit);
    own.first = krn_ray(left, frame.width, frame.unit);
    own.last = krn_ray(left + LANES * K - 1, frame.width, frame.unit);
#pragma unroll
    for (int k = 0; k < K; k++) {
        own.x[k] = krn_ray(left + (int)threadIdx.x + LANES * k, frame.width, frame.unit);
        own.deepest[k] = -INFINITY;
        own.winner[k] = KRN_NOBODY;
        if constexpr (KEEP)
            own.chord[k] = 0.0f;
    }
}

/* The root of x >= 2^-101, correctly rounded: an estimate, then Newton's step on the exact residue
 * (P. Markstein, IA-64 and Elementary Functions, 2000). sqrtf gives the same, but branches for
 * other operands. NaN for x <= 0.
 */
__device__ __forceinline__ float root(float x)
{
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float near = x * inverse;
    return krn_fma(krn_fma(-near, near, x), 0.5f * inverse, near);
}

/* As bits less one, which puts 0 and everything negative behind: what `root` cannot take, and what
 * is no square of a pixel that hits. */
const unsigned too_small = 0x0cffffffu, not_positive = 0x7f800000u;

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

/* N pixels from `first` on, together, against a sphere at x and z, whose rest of the row is `row`:
 * one branch where none of them hits, one where an operand is not for `root`. */
template <int N, int K, bool KEEP>
__device__ __forceinline__ void meet_together(pixels<K, KEEP> &own, int first, float x, float z,
                                              float row, int number)
{
    float square[N], chord[N];
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < N; i++) {
        square[i] = krn_rest_of_pixel(own.x[first + i] - x, row);
        least = min(least, __float_as_uint(square[i]) - 1u);
    }
    if (least >= not_positive)
        return;
#pragma unroll
    for (int i = 0; i < N; i++)
        chord[i] = root(square[i]);
    if (least < too_small) {
#pragma unroll
        for (int i = 0; i < N; i++)
            chord[i] = square[i] > 0.0f ? sqrtf(square[i]) : -INFINITY;
    }
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
        const float square = krn_rest_of_pixel(own.x[k] - x, row);
        if (square > 0.0f)
            offer(own, k, sqrtf(square), z, number);
    }
}

/* A sphere that the run meets against all pixels, four together. */
template <int K, bool KEEP>
__device__ __forceinline__ void meet(pixels<K, KEEP> &own, float x, float z, float row, int number)
{
    if constexpr (K == 1) {
        meet_in_turn(own, x, z, row, number);
    } else {
        constexpr int N = K < 4 ? K : 4;
#pragma unroll
        for (int k = 0; k < K; k += N)
            meet_together<N>(own, k, x, z, row, number);
    }
}

/* Of the pixel of the run that is nearest to a sphere; > 0: the run meets it. */
template <int K, bool KEEP>
__device__ __forceinline__ float nearest_rest(const pixels<K, KEEP> &own, float x, float row)
{
    return krn_rest_of_pixel(krn_beside(own.first, own.last, x), row);
}

__device__ __forceinline__ float least_of_warp(float x)
{
#if __CUDA_ARCH__ >= 800
    /* As integers that have the order of the floats, and back. */
    const int bits = __float_as_int(x), most = 0x7fffffff;
    const int least = __reduce_min_sync(all_lanes, bits ^ (bits >> 31 & most));
    return __int_as_float(least ^ (least >> 31 & most));
#else
    for (int other = LANES / 2; other > 0; other /= 2)
        x = fminf(x, __shfl_xor_sync(all_lanes, x, other));
    return x;
#endif
}

/* The least depth that a pixel of the run shows. */
template <int K, bool KEEP>
__device__ __forceinline__ float least_depth(const pixels<K, KEEP> &own)
{
    float least = own.deepest[0];
#pragma unroll
    for (int k = 1; k < K; k++)
        least = fminf(least, own.deepest[k]);
    return least_of_warp(least);
}

} // namespace krn_strip

#endif
