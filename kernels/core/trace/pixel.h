/* kernels/core/trace/pixel.h - what a sphere does to a pixel, written once.
 *
 * Compiled by nvcc for the device and by the C compiler for every x86-64 level. All of them must
 * give the same bytes, so: fused multiply-adds are written out and happen nowhere else
 * (contraction is off in both compilers), sqrt and division are IEEE in both, and no operation is
 * left to the compiler's order. Common subset of C11 and C++17.
 *
 * Source of the picture: CUDA by Example, 6.2: the ray of a pixel is parallel to z; the sphere hit
 * at the greatest depth wins, the first of equals stays; its colour is shaded by the cosine to
 * the viewer.
 */
#ifndef KRN_PIXEL_H
#define KRN_PIXEL_H

#include "krn/device.h"
#include "krn/scene.h"

#include <math.h>

#ifdef __CUDACC__
#define KRN_FN static __host__ __device__ __forceinline__
#else
#include <string.h>
#define KRN_FN static inline
#endif

#if !defined(__CUDACC__) && !defined(__FP_FAST_FMAF)
/* The exact product plus z, rounded to odd in double by means of the sum's own error; 53 bits are
 * then enough for the rounding to float to be the only one (S. Boldo, G. Melquiond, Emulation of
 * FMA and Correctly Rounded Sums, 2008). */
static inline float krn_fma_by_odd(double product, double z)
{
    const double sum = product + z;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (z - back);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    /* Even and inexact: one step towards the error. */
    if (error != 0.0 && (bits & 1) == 0)
        bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}
#endif

/* x * y + z, rounded once. Where the target has no such instruction, the library's is a slow call.
 * The product is exact in double, and rounding the sum twice, to double and to float, goes wrong
 * only where the first lands in the middle between two floats: then, and where floats are
 * subnormal, the long way is taken. */
KRN_FN float krn_fma(float x, float y, float z)
{
#if defined(__CUDACC__) || defined(__FP_FAST_FMAF)
    return fmaf(x, y, z);
#else
    const double product = (double)x * (double)y;
    const double sum = product + (double)z;
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const bool middle = (bits & 0x1fffffff) == 0x10000000;
    if (__builtin_expect(middle || fabs(sum) < 0x1p-100, 0))
        return krn_fma_by_odd(product, (double)z);
    return (float)sum;
#endif
}

/* Pixel index to scene units along one axis. */
KRN_FN float krn_ray(int pixel, int pixels, float unit)
{
    return (float)(pixel - pixels / 2) * unit;
}

/* r^2 - dx^2 - dy^2: the square of the half chord along z, > 0 where the ray hits. */
KRN_FN float krn_hit(float dx, float dy, float radius_squared)
{
    return krn_fma(-dx, dx, krn_fma(-dy, dy, radius_squared));
}

/* How far from a sphere's centre, squared, a ray may pass and still be looked at with krn_hit. With
 * fused multiply-add that is the radius squared; without, it is a little more, so that plain sums,
 * whose rounding errors are far below 2^-20 of the square, turn away nothing that hits. */
KRN_FN float krn_reach(float radius)
{
#if defined(__CUDACC__) || defined(__FP_FAST_FMAF)
    return radius * radius;
#else
    return radius * radius * (1.0f + 0x1p-20f);
#endif
}

/* True only where krn_hit is not > 0, and nearly always then: spares targets without fused
 * multiply-add the long way for most spheres. */
KRN_FN bool krn_misses(float dx, float dy, float reach)
{
#if defined(__CUDACC__) || defined(__FP_FAST_FMAF)
    return krn_hit(dx, dy, reach) <= 0.0f;
#else
    return dx * dx + dy * dy > reach;
#endif
}

/* A shaded colour in 0..1 as a byte, truncated. */
KRN_FN unsigned char krn_byte(float shaded)
{
    return (unsigned char)(int)(shaded * 255.0f);
}

/* A sphere turned about the vertical axis. */
KRN_FN struct krn_sphere krn_rotate(struct krn_sphere sphere, struct krn_pose pose)
{
    const float x = sphere.x, z = sphere.z;
    sphere.x = krn_fma(x, pose.cosine, z * pose.sine);
    sphere.z = krn_fma(z, pose.cosine, -(x * pose.sine));
    return sphere;
}

#endif
