/* kernels/cuda/trace/batch_math.cuh - roots and quotients for several pixels of a thread at a time,
 * with at most one branch for all of them.
 *
 * sqrtf and the operator / contain a branch for operands that are rare here or do not occur. When
 * each pixel has such a branch, even one that is never taken, the compiler serialises the roots and
 * quotients: each waits for the one before. The functions below compute a batch of pixels with one
 * branch or without any.
 *
 * The ranges of the operands follow from the smallest radius and hold for every view and pose. A
 * radius is at least 0.01, so r * r is a multiple of 2^-37. The row residual r * r - dy * dy is a
 * multiple of 2^-60: when |dy| >= 2^-7, dy is a multiple of 2^-30; when |dy| is smaller, the
 * residual is greater than 2^-15 and a multiple of 2^-38. In a row with a positive residual, the
 * pixel residual, which subtracts dx * dx, is a multiple of 2^-108: when |dx| >= 2^-31, dx is a
 * multiple of 2^-54; when |dx| is smaller, more than half of the row residual is left. So a pixel
 * residual in such a row is 0 or at least 2^-108 away from 0, and a half chord is at least 2^-54.
 * It is at most the radius, because the root of r * r, each rounded, is r.
 */
#pragma once

#include "core/trace/pixel.h"
#include "core/trace/strip.h"
#include "cuda/trace/warp.cuh"

namespace krn_batch
{

static_assert(KRN_RADIUS_MIN > 0x1p-7f && KRN_RADIUS_MAX < 0x1p60f, "the ranges above");

enum { PIXELS = KRN_CUDA_BATCH }; /* maximum size of a batch */

/* Returns the correctly rounded root of a finite x >= KRN_ROOT_LEAST: an estimate, then one Newton
 * step on the exact remainder (P. Markstein, IA-64 and Elementary Functions, 2000). sqrtf returns
 * the same but branches for other operands. Returns NaN for 0 and for x <= -2^-126.
 * tests/kernels/trace/test_batch_math.cu tests every x. */
#define KRN_ROOT_LEAST 0x1p-101f

__device__ __forceinline__ float root(float x)
{
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float estimate = x * inverse;
    return krn_fma(krn_fma(-estimate, estimate, x), 0.5f * inverse, estimate);
}

/* Computes the half chords of N pixels of a row from their residuals. Returns false when no pixel
 * hits. A pixel that does not hit gets NaN or -infinity, which never wins a comparison of depths.
 * With VOTE, all lanes of a warp must call, each with a row whose residual is positive, and the
 * result is false when no pixel of any lane hits: a branch that the whole warp takes alike is
 * shorter. */
template <bool VOTE, int N>
__device__ __forceinline__ bool chords(const float (&residual)[N], float (&chord)[N])
{
    /* Compares bits minus 1 as unsigned numbers, so that 0, negative numbers and NaN are greater
     * than every positive number. */
    const unsigned infinite = 0x7f800000u, too_small = 0x0d000000u - 1u; /* KRN_ROOT_LEAST */
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < N; i++)
        least = min(least, __float_as_uint(residual[i]) - 1u);
    if (!krn_warp::any<VOTE>(least < infinite))
        return false;
#pragma unroll
    for (int i = 0; i < N; i++)
        chord[i] = root(residual[i]);
    if (krn_warp::any<VOTE>(least < too_small)) {
#pragma unroll
        for (int i = 0; i < N; i++)
            chord[i] = residual[i] > 0.0f ? sqrtf(residual[i]) : -INFINITY;
    }
    return true;
}

/* Returns a / b, correctly rounded, for a <= b with b in 2^-60..2^60 and a in the same range or 0.
 * It equals the operator /, without its branch for other operands. */
__device__ __forceinline__ float quotient(float a, float b)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    inverse = krn_fma(krn_fma(-b, inverse, 1.0f), inverse, inverse);
    float estimate = a * inverse;
    estimate = krn_fma(krn_fma(-b, estimate, a), inverse, estimate);
    return krn_fma(krn_fma(-b, estimate, a), inverse, estimate);
}

/* Computes the bytes of N pixels, without a branch, from their winners and half chords. A pixel
 * without a hit has the chord 0, and 0 times any colour is black. */
template <int N>
__device__ __forceinline__ void bytes(const int *winner, const float *chord,
                                      const krn_material *materials, uint32_t *rgba)
{
    krn_material material[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        material[i] = materials[max(winner[i], 0)];
#pragma unroll
    for (int i = 0; i < N; i++)
        rgba[i] = krn_rgba_of(material[i], quotient(chord[i], material[i].radius));
}

} // namespace krn_batch
