/* strip_shade.cuh - from what won a thread's pixels to the bytes in the image. */
#ifndef KRN_STRIP_SHADE_CUH
#define KRN_STRIP_SHADE_CUH

#include "strip.cuh"

namespace krn_strip
{

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

/* N pixels' bytes from the chords that were kept, without a branch. Where nothing was hit the chord
 * is 0, and 0 of any colour is black.
 *
 * No quotient leaves its range. A radius is 0.01 or more, so r^2 is a multiple of 2^-37. A centre
 * 2^-7 or more beside the row is there by a multiple of 2^-30, so what the row leaves of r^2 is one
 * of 2^-60; nearer to the row more is left. In the same way a pixel that hits leaves 2^-108 or more
 * of that, and its chord is 2^-54 or more. No chord is longer than its radius. */
template <int N, int K>
__device__ __forceinline__ void shade_together(const pixels<K, true> &own, int first,
                                               const krn_paint *paints, uint32_t *rgba)
{
    static_assert(KRN_RADIUS_LEAST > 0x1p-7f && KRN_RADIUS_MOST < 0x1p60f, "see above");
    krn_paint paint[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        paint[i] = paints[max(own.winner[first + i], 0)];
#pragma unroll
    for (int i = 0; i < N; i++)
        rgba[i] = krn_rgba_of(paint[i], quotient(own.chord[first + i], paint[i].radius));
}

/* What pixels first..first+N-1 show. */
template <int N, int K, bool KEEP>
__device__ __forceinline__ void shade(const pixels<K, KEEP> &own, int first,
                                      const krn_cuda_scene &scene, uint32_t rgba[N])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        rgba[i] = KRN_RGBA_BLACK;
        any = any || own.winner[first + i] >= 0;
    }
    if constexpr (KEEP) {
        if (__any_sync(all_lanes, any))
            shade_together<N>(own, first, scene.paint, rgba);
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int s = own.winner[first + i];
            if (s >= 0)
                rgba[i] = krn_rgba(scene.packed[s], scene.paint[s], own.x[first + i], own.y);
        }
    }
}

/* All lanes of a warp: a run's pixels, from `left` on in row j, into the image. */
template <int K, bool KEEP>
__device__ __forceinline__ void store(const pixels<K, KEEP> &own, const krn_cuda_scene &scene,
                                      int left, int j, const krn_cuda_frame &frame)
{
    constexpr int N = K < 4 ? K : 4;
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)j * (size_t)frame.pitch_bytes);
    if (!own.met) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = left + (int)threadIdx.x + LANES * k;
            if (i < frame.width)
                row[i] = KRN_RGBA_BLACK;
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < K; k += N) {
        uint32_t rgba[N];
        shade<N>(own, k, scene, rgba);
#pragma unroll
        for (int n = 0; n < N; n++) {
            const int i = left + (int)threadIdx.x + LANES * (k + n);
            if (i < frame.width)
                row[i] = rgba[n];
        }
    }
}

} // namespace krn_strip

#endif
