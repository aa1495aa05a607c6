/* together.cuh - several pixels of a thread at a time, with one branch for all.
 *
 * Where each pixel has a branch of its own, even one that is never taken, the compiler lines their
 * roots and quotients up, and each waits for the one before. sqrtf and / have such a branch, for
 * operands that do not occur here, or hardly.
 */
#ifndef KRN_TOGETHER_CUH
#define KRN_TOGETHER_CUH

#include "strip.h"

namespace krn_together
{

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

/* Half the chords that N pixels cut, from their squares, what is left of r^2: false where none of
 * them hits. NaN or -infinity for a pixel that does not hit, which no depth is behind. */
template <int N>
__device__ __forceinline__ bool chords(const float (&square)[N], float (&chord)[N])
{
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < N; i++)
        least = min(least, __float_as_uint(square[i]) - 1u);
    if (least >= not_positive)
        return false;
#pragma unroll
    for (int i = 0; i < N; i++)
        chord[i] = root(square[i]);
    if (least < too_small) {
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

/* N pixels' bytes, from the spheres that won them and the chords that they cut: without a branch.
 * Where nothing was hit the chord is 0, and 0 of any colour is black.
 *
 * No quotient leaves its range. A radius is 0.01 or more, so r^2 is a multiple of 2^-37. A centre
 * 2^-7 or more beside the row is there by a multiple of 2^-30, so what the row leaves of r^2 is one
 * of 2^-60; nearer to the row more is left. In the same way a pixel that hits leaves 2^-108 or more
 * of that, and its chord is 2^-54 or more. No chord is longer than its radius. */
template <int N>
__device__ __forceinline__ void bytes(const int *winner, const float *chord,
                                      const krn_paint *paints, uint32_t *rgba)
{
    static_assert(KRN_RADIUS_LEAST > 0x1p-7f && KRN_RADIUS_MOST < 0x1p60f, "see above");
    krn_paint paint[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        paint[i] = paints[max(winner[i], 0)];
#pragma unroll
    for (int i = 0; i < N; i++)
        rgba[i] = krn_rgba_of(paint[i], quotient(chord[i], paint[i].radius));
}

} // namespace krn_together

#endif
