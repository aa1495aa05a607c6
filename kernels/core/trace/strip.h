/* kernels/core/trace/strip.h - one sphere against pixels of one row, written once for both
 * backends.
 *
 * All pixels of a row have the same y, so the row residual r^2 - dy^2 is computed once per row. A
 * sphere that the row misses, or whose x is too far from a run of pixels, is rejected without
 * testing the pixels. On the GPU, K pixels of a row are independent instructions of a thread; on
 * the CPU, they are SIMD lanes.
 *
 * Rejection is exact, because rounding is monotonic: fl(a - x) never falls as a grows, and fma(-d,
 * d, row) never grows as |d| grows. So when the nearest pixel of a run misses, all of them do, and
 * every kernel gives the same bytes as the book's. Common subset of C11 and C++17.
 */
#pragma once

#include "core/trace/pixel.h"

#if defined(__CUDACC__)
#define KRN_ALIGN_16 __align__(16)
#else
#define KRN_ALIGN_16 __attribute__((aligned(16)))
#endif

/* The part of a sphere that decides whether it is hit, and how deep. Most tests read nothing else.
 * The pair that the row test needs comes first. */
struct KRN_ALIGN_16 krn_packed {
    float y, square; /* square: r * r */
    float x, z;
};

/* The part of a sphere that a pixel needs once, when the sphere has won it. */
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

/* krn_hit in two steps. When the row residual is <= 0, no pixel of the row hits. */
KRN_FN float krn_row_residual(float dy, float square)
{
    return krn_fma(-dy, dy, square);
}

KRN_FN float krn_pixel_residual(float dx, float row_residual)
{
    return krn_fma(-dx, dx, row_residual);
}

/* Returns the distance of a centre from the nearest coordinate in first..last; 0 when it is between
 * them. */
KRN_FN float krn_axis_distance(float first, float last, float centre)
{
    const float below = first - centre, above = centre - last;
    const float distance = below > above ? below : above;
    return distance > 0.0f ? distance : 0.0f;
}

/* The winner of a pixel that no sphere covers yet. */
#define KRN_NO_SPHERE (-1)

#if defined(__CUDACC__)
/* Returns krn_byte in the lowest eight bits and any value in the others, for 0 <= shaded * 255 <
 * 2^23. On the GPU an addition costs less than a conversion: 2^23 added and rounded towards zero
 * leaves the truncated number in the bits of the float. */
static __device__ __forceinline__ uint32_t krn_byte_low(float shaded)
{
    return __float_as_uint(__fadd_rz(shaded * 255.0f, 0x1p23f));
}
#endif

/* Returns the bytes of a shaded pixel, red in the lowest. */
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

/* Returns the bytes of the pixel with the ray (ox, oy) from the sphere that won it, shaded as in
 * the book. */
KRN_FN uint32_t krn_rgba(struct krn_packed sphere, struct krn_material material, float ox, float oy)
{
    const float chord = sqrtf(krn_hit(ox - sphere.x, oy - sphere.y, sphere.square));
    return krn_rgba_of(material, chord / material.radius);
}

#define KRN_RGBA_BLACK 0xff000000u
