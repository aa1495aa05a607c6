/* kernels/core/trace/strip.h - one sphere against pixels of one row, written once for both
 * backends.
 *
 * A row fixes y: what is left of r^2 - dy^2 is worked out once for a whole row, and a sphere that
 * the row misses, or whose x lies too far beside a run of pixels, is passed over without looking at
 * the pixels. On the GPU K pixels of a row are a thread's independent instructions, on the CPU they
 * are SIMD lanes.
 *
 * Skips are exact, not about right. Rounding never turns an order around: fl(a - x) grows with a,
 * and fma(-d, d, row) falls as |d| grows. So when the nearest pixel of a run misses, all of it
 * does, and every kernel gives the bytes of the book's. Common subset of C11 and C++17.
 */
#ifndef KRN_STRIP_H
#define KRN_STRIP_H

#include "core/trace/pixel.h"

#if defined(__CUDACC__)
#define KRN_ALIGN_16 __align__(16)
#else
#define KRN_ALIGN_16 __attribute__((aligned(16)))
#endif

/* What decides whether a sphere is hit and how deep: all that most tests read. The pair that the
 * row needs comes first. */
struct KRN_ALIGN_16 krn_packed {
    float y, square; /* square: r * r */
    float x, z;
};

/* What a pixel needs once, of the sphere that won it. */
struct KRN_ALIGN_16 krn_material {
    float r, g, b, radius;
};

KRN_FN struct krn_packed krn_pack(struct krn_sphere sphere)
{
    struct krn_packed packed;
    packed.y = sphere.y;
    packed.square = sphere.radius * sphere.radius;
    packed.x = sphere.x;
    packed.z = sphere.z;
    return packed;
}

KRN_FN struct krn_material krn_material_of(struct krn_sphere sphere)
{
    struct krn_material material;
    material.r = sphere.r;
    material.g = sphere.g;
    material.b = sphere.b;
    material.radius = sphere.radius;
    return material;
}

/* krn_hit in two steps. A row's rest <= 0: no pixel of the row hits. */
KRN_FN float krn_row_residual(float dy, float square)
{
    return krn_fma(-dy, dy, square);
}

KRN_FN float krn_pixel_residual(float dx, float row_residual)
{
    return krn_fma(-dx, dx, row_residual);
}

/* How far a centre lies from the nearest coordinate in first..last; 0: between them. */
KRN_FN float krn_axis_distance(float first, float last, float centre)
{
    const float before = first - centre, behind = centre - last;
    const float beside = before > behind ? before : behind;
    return beside > 0.0f ? beside : 0.0f;
}

/* The winner of a pixel that no sphere covers yet. */
#define KRN_NO_SPHERE (-1)

#if defined(__CUDACC__)
/* krn_byte in the lowest eight bits, anything in the others, for 0 <= shaded * 255 < 2^23. On the
 * GPU an addition costs less than a conversion: 2^23 added and rounded towards zero leaves the
 * truncated number in the float's own bits. */
static __device__ __forceinline__ uint32_t krn_byte_low(float shaded)
{
    return __float_as_uint(__fadd_rz(shaded * 255.0f, 0x1p23f));
}
#endif

/* A shaded pixel's bytes, red in the lowest. */
KRN_FN uint32_t krn_rgba_of(struct krn_material material, float shade)
{
#if defined(__CUDA_ARCH__)
    const uint32_t r = krn_byte_low(material.r * shade), g = krn_byte_low(material.g * shade),
                   b = krn_byte_low(material.b * shade);
    return __byte_perm(__byte_perm(r, g, 0x0040), b, 0x0410) | 0xff000000u;
#else
    return (uint32_t)krn_byte(material.r * shade) | (uint32_t)krn_byte(material.g * shade) << 8 |
           (uint32_t)krn_byte(material.b * shade) << 16 | 0xff000000u;
#endif
}

/* The same from the sphere that won the pixel: its colour, shaded as in the book. */
KRN_FN uint32_t krn_rgba(struct krn_packed sphere, struct krn_material material, float ox, float oy)
{
    const float chord = sqrtf(krn_hit(ox - sphere.x, oy - sphere.y, sphere.square));
    return krn_rgba_of(material, chord / material.radius);
}

#define KRN_RGBA_BLACK 0xff000000u

#endif
