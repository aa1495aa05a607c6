/* kernels/core/trace/pixel.h - the arithmetic of one sphere and one pixel, written once.
 *
 * nvcc compiles it for the device, the C compiler for every x86-64 level. All of them must give the
 * same bytes, so: fused multiply-adds are written out and happen nowhere else (contraction is off
 * in both compilers), sqrt and division are IEEE in both, and no operation is left to the
 * compiler's order. Common subset of C11 and C++17.
 *
 * Source of the picture: CUDA by Example, 6.2: the ray of a pixel is parallel to z; the sphere hit
 * at the greatest depth wins, the first of equals stays; its colour is shaded by the cosine to the
 * viewer.
 */
#pragma once

#include "krn/device.h"
#include "krn/scene.h"

#include <math.h>

#ifdef __CUDACC__
#define KRN_FN static __host__ __device__ __forceinline__
#else
#include <string.h>
#define KRN_FN static inline
#endif

/* Numbers that decide how much work the kernels do.
 *
 * CUDA: lanes per warp; pixels of a batch; scenes up to this size keep the chords of winners; the
 * group of spheres whose row test is unrolled; the box of pixels of a warp of the binned kernel;
 * log2 of the least side of a tile; the threads that sort one sphere, few or many, and the mean
 * number of list entries per sphere above which they are many. The spheres of a scene up to
 * KRN_CUDA_SCAN_SPHERES are not sorted: every block scans them for those of its tile, which has
 * 1 << KRN_CUDA_SCAN_SHIFT_FEW pixels a side for up to KRN_CUDA_SCAN_FEW spheres, and
 * 1 << KRN_CUDA_SCAN_SHIFT for more. */
enum {
    KRN_CUDA_LANES = 32,
    KRN_CUDA_BATCH = 4,
    KRN_CUDA_SMALL_SCENE = 320,
    KRN_CUDA_SMALL_GROUP = 8,
    KRN_CUDA_BOX_WIDTH = 16,
    KRN_CUDA_BOX_HEIGHT = 8,
    KRN_CUDA_TILE_SHIFT = 4,
    KRN_CUDA_SHARE_FEW = 4,
    KRN_CUDA_SHARE_MANY = 32,
    KRN_CUDA_SHARE_ENTRIES = 8,
    KRN_CUDA_SCAN_SPHERES = 4096,
    KRN_CUDA_SCAN_FEW = 512,
    KRN_CUDA_SCAN_SHIFT_FEW = 5,
    KRN_CUDA_SCAN_SHIFT = 6
};

/* CPU: pixels of a vector; rows of a band; log2 of the least side of a tile, which is two vectors
 * of the widest level. */
enum { KRN_CPU_LANES = 16, KRN_CPU_BAND = 8, KRN_CPU_TILE_SHIFT = 5 };

/* The cost of testing a list entry per pixel of its tile, relative to the cost of making the entry.
 * On an H200, making an entry costs about as much as 20 tests of 32 spheres, one per lane. On a
 * CPU, it costs about 40 ns, and rejecting it in one band of the tile a few ns. */
#define KRN_CUDA_ENTRY_OVER_PIXEL 3e-4
#define KRN_CPU_ENTRY_OVER_PIXEL 2e-4

#if !defined(__CUDACC__) && !defined(__FP_FAST_FMAF)
/* Returns the product plus z, rounded once. The sum is rounded to odd in double, by means of its
 * own error; 53 bits are then enough that only the rounding to float counts (S. Boldo, G.
 * Melquiond, Emulation of FMA and Correctly Rounded Sums, 2008). */
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

/* Returns x * y + z, rounded once. Where the target has no such instruction, the library's function
 * is slow. The product is exact in double, and rounding the sum twice, to double and to float,
 * gives a wrong result only when the double lies halfway between two floats; then, and where floats
 * are subnormal, krn_fma_by_odd computes it. */
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

/* Converts a pixel index to scene units along one axis. */
KRN_FN float krn_ray(int pixel, int pixels, float unit)
{
    return (float)(pixel - pixels / 2) * unit;
}

/* Returns r^2 - dx^2 - dy^2, the square of the half chord along z; it is > 0 when the ray hits. */
KRN_FN float krn_hit(float dx, float dy, float radius_squared)
{
    return krn_fma(-dx, dx, krn_fma(-dy, dy, radius_squared));
}

/* Returns the squared distance from a sphere's centre within which rays are tested with krn_hit.
 * With fused multiply-add it is the squared radius; without, it is slightly more, so that plain
 * sums, whose rounding errors are far below 2^-20 of the square, never reject a hit. */
KRN_FN float krn_reach(float radius)
{
#if defined(__CUDACC__) || defined(__FP_FAST_FMAF)
    return radius * radius;
#else
    return radius * radius * (1.0f + 0x1p-20f);
#endif
}

/* Returns true only when krn_hit is not > 0, and nearly always then. On targets without fused
 * multiply-add, this avoids the slow krn_fma for most spheres. */
KRN_FN bool krn_misses(float dx, float dy, float reach)
{
#if defined(__CUDACC__) || defined(__FP_FAST_FMAF)
    return krn_hit(dx, dy, reach) <= 0.0f;
#else
    return dx * dx + dy * dy > reach;
#endif
}

/* Converts a shaded colour in 0..1 to a byte, truncated. */
KRN_FN unsigned char krn_byte(float shaded)
{
    return (unsigned char)(int)(shaded * 255.0f);
}

/* Rotates a sphere about the vertical axis. */
KRN_FN struct krn_sphere krn_rotate(struct krn_sphere sphere, struct krn_pose pose)
{
    const float x = sphere.x, z = sphere.z;
    sphere.x = krn_fma(x, pose.cosine, z * pose.sine);
    sphere.z = krn_fma(z, pose.cosine, -(x * pose.sine));
    return sphere;
}

/* The hash of a picture, the same on every backend: returns the term of a pixel. place: its number
 * in row order; rgba: its bytes, the first one lowest.
 *
 * The hash is the sum, modulo 2^64, of every pixel mixed with its place. A GPU may add the terms in
 * any order. The mixing is the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast
 * Splittable Pseudorandom Number Generators, 2014). */
KRN_FN unsigned long long krn_hash_pixel(unsigned long long place, unsigned rgba)
{
    unsigned long long x = (place + 1) * 0x9e3779b97f4a7c15ull + rgba;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
