/* kernels/cuda/trace/batch_math.cuh - several pixels of a thread at a time, with one branch for
 * all.
 *
 * Where each pixel has a branch of its own, even one that is never taken, the compiler puts their
 * roots and quotients one after the other, and each waits for the one before. sqrtf and / have such
 * a branch, for operands that do not occur here, or hardly.
 *
 * Which operands occur: a radius is 0.01 or more, so r * r is a multiple of 2^-37. A centre 2^-7 or
 * more beside a pixel's row is there by a multiple of 2^-30, and what the row leaves of r * r is a
 * multiple of 2^-60; nearer to the row, more than 2^-15 is left, a multiple of 2^-38. A centre
 * 2^-31 or more beside the pixel is there by a multiple of 2^-54, and the pixel's square, what is
 * left in the end, is one of 2^-108; nearer, more than half is left of what the row left. So in a
 * row that leaves anything a square is 0 or at least 2^-108 from it, and half a chord is 2^-54 or
 * more. It is no longer than the radius: the root of r * r, each rounded, is r. Views and poses do
 * not matter.
 */
#ifndef KRN_TOGETHER_CUH
#define KRN_TOGETHER_CUH

#include "core/trace/strip.h"
#include "cuda/trace/warp.cuh"

namespace krn_batch
{

static_assert(KRN_RADIUS_MIN > 0x1p-7f && KRN_RADIUS_MAX < 0x1p60f, "the ranges of above");

enum { AT_ONCE = 4 }; /* pixels, or fewer */

/* The root of a finite x >= KRN_ROOT_LEAST, correctly rounded: an estimate, then Newton's step on
 * the exact residue (P. Markstein, IA-64 and Elementary Functions, 2000). sqrtf gives the same, but
 * branches for other operands. NaN for 0 and for x <= -2^-126. tests/test_batch_math.cu tries every
 * x.
 */
#define KRN_ROOT_LEAST 0x1p-101f

__device__ __forceinline__ float root(float x)
{
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float near = x * inverse;
    return krn_fma(krn_fma(-near, near, x), 0.5f * inverse, near);
}

/* Half the chords that N pixels of a row cut, from their squares: false where none of them hits. A
 * pixel that does not hit gets NaN or -infinity, and no depth is made of that. With VOTE all lanes
 * of a warp ask, each for a row that leaves something, and false is where none hits in any of them:
 * a branch that no lane takes alone is shorter. */
template <bool VOTE, int N>
__device__ __forceinline__ bool chords(const float (&square)[N], float (&chord)[N])
{
    /* Bits less one, unsigned: 0, what is negative and NaN come after all that is positive. */
    const unsigned infinite = 0x7f800000u, too_small = 0x0d000000u - 1u; /* KRN_ROOT_LEAST */
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < N; i++)
        least = min(least, __float_as_uint(square[i]) - 1u);
    if (!krn_warp::any<VOTE>(least < infinite))
        return false;
#pragma unroll
    for (int i = 0; i < N; i++)
        chord[i] = root(square[i]);
    if (krn_warp::any<VOTE>(least < too_small)) {
#pragma unroll
        for (int i = 0; i < N; i++)
            chord[i] = square[i] > 0.0f ? sqrtf(square[i]) : -INFINITY;
    }
    return true;
}

/* a / b, correctly rounded, for a = 0 and for a <= b that lie in 2^-60..2^60: as the language's
 * own, without its branch for other operands. */
__device__ __forceinline__ float quotient(float a, float b)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    inverse = krn_fma(krn_fma(-b, inverse, 1.0f), inverse, inverse);
    float near = a * inverse;
    near = krn_fma(krn_fma(-b, near, a), inverse, near);
    return krn_fma(krn_fma(-b, near, a), inverse, near);
}

/* N pixels' bytes, from the spheres that won them and half the chords that they cut: without a
 * branch. Where nothing was hit that is 0, and 0 of any colour is black. */
template <int N>
__device__ __forceinline__ void bytes(const int *winner, const float *chord,
                                      const krn_material *paints, uint32_t *rgba)
{
    krn_material material[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        material[i] = paints[max(winner[i], 0)];
#pragma unroll
    for (int i = 0; i < N; i++)
        rgba[i] = krn_rgba_of(material[i], quotient(chord[i], material[i].radius));
}

} // namespace krn_batch

#endif
