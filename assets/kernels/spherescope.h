/* spherescope.h - what the kernel of `spherescope --kernel-file FILE.cu` gets. The program puts
 * this text before the file; include it for nvcc and for your editor. Headers in quotes are found
 * beside the file, which has the kernel and `scene` itself.
 *
 * The file has one kernel, with these arguments and any name:
 *
 *     extern "C" __global__ void NAME(const sphere *spheres, frame frame)
 *
 * It writes every pixel of the frame and nothing else. What it may define:
 *
 *     #define MINE_BLOCK_X 16   threads of a block, 16 x 16 unless defined, 1024 at most in all
 *     #define MINE_BLOCK_Y 16
 *     #define MINE_PIXELS 1     neighbouring pixels of a row that each thread writes, up to 64
 *     __constant__ sphere scene[2340];   the spheres are here, and `spheres` is a null pointer
 *
 * A ray is parallel to z. That of pixel (i, j) passes through ((i - width / 2) * unit,
 * (j - height / 2) * unit), and shows the sphere that it hits at the greatest z.
 */
#ifndef SPHERESCOPE_H
#define SPHERESCOPE_H

struct sphere {
    float r, b, g; /* 0 to 1 */
    float radius;
    float x, y, z;
};

struct frame {
    unsigned char *pixels; /* red, green, blue, 255: pixel (i, j) is at j * pitch + 4 * i */
    int pitch;             /* bytes of a row */
    int width, height;
    float unit; /* per pixel, of the spheres' coordinates */
    int count;  /* spheres */
};

#ifndef __CUDACC__

/* A C++ compiler gets the part of CUDA C that has a meaning without a GPU, rounded as on one. The
 * precise functions stand for those that a GPU approximates: __sinf, __expf and their kind,
 * __fdividef, rsqrtf. A cast to an integer that cannot hold the number clamps on a GPU alone. */
#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)

/* The C library declares some of these names, too. */
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __sincosf sincosf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
#define __ldca __ldg
#define __ldcg __ldg
#define __ldcs __ldg

#define MINE_CPU(T, name, arguments, ...)                                                          \
    static inline T name arguments                                                                 \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define MINE_VECTOR(T, name, bytes, arguments, ...)                                                \
    struct alignas(bytes) name {                                                                   \
        T __VA_ARGS__;                                                                             \
    };                                                                                             \
    MINE_CPU(name, make_##name, arguments, {__VA_ARGS__})
#define MINE_VECTORS(T, name)                                                                      \
    MINE_VECTOR(T, name##1, sizeof(T), (T x), x)                                                   \
    MINE_VECTOR(T, name##2, 2 * sizeof(T), (T x, T y), x, y)                                       \
    MINE_VECTOR(T, name##3, sizeof(T), (T x, T y, T z), x, y, z)                                   \
    MINE_VECTOR(T, name##4, sizeof(T) < 4 ? 4 * sizeof(T) : 16, (T x, T y, T z, T w), x, y, z, w)
MINE_VECTORS(signed char, char)
MINE_VECTORS(unsigned char, uchar)
MINE_VECTORS(short, short)
MINE_VECTORS(unsigned short, ushort)
MINE_VECTORS(int, int)
MINE_VECTORS(unsigned, uint)
MINE_VECTORS(long, long)
MINE_VECTORS(unsigned long, ulong)
MINE_VECTORS(long long, longlong)
MINE_VECTORS(unsigned long long, ulonglong)
MINE_VECTORS(float, float)
MINE_VECTORS(double, double)

struct dim3 : uint3 {
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : uint3{x, y, z}
    {
    }
    constexpr dim3(uint3 v) : uint3(v)
    {
    }
};
static thread_local uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};
static thread_local dim3 blockDim, gridDim;

/* Return the other value where one is not a number. */
template <class A, class B>
static inline auto min(A a, B b) -> decltype(a + b)
{
    return b < a || a != a ? b : a;
}
template <class A, class B>
static inline auto max(A a, B b) -> decltype(a + b)
{
    return a < b || a != a ? b : a;
}
template <class T>
static inline T __ldg(const T *at)
{
    return *at;
}
template <class To, class From>
static inline To mine_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
MINE_CPU(int, __float_as_int, (float x), mine_bits<int>(x))
MINE_CPU(unsigned, __float_as_uint, (float x), mine_bits<unsigned>(x))
MINE_CPU(float, __int_as_float, (int x), mine_bits<float>(x))
MINE_CPU(float, __uint_as_float, (unsigned x), mine_bits<float>(x))
MINE_CPU(long long, __double_as_longlong, (double x), mine_bits<long long>(x))
MINE_CPU(double, __longlong_as_double, (long long x), mine_bits<double>(x))

#define MINE_PAIR ((unsigned long long)y << 32 | x)
#define MINE_PICK(n) ((unsigned)(MINE_PAIR >> 8 * (s >> 4 * n & 7) & 255) << 8 * n)
#define MINE_FUNNEL(name, ...)                                                                     \
    MINE_CPU(unsigned, __funnelshift_##name, (unsigned x, unsigned y, unsigned by), __VA_ARGS__)
static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
MINE_CPU(unsigned long long, __brevll, (unsigned long long x),
         __brev(x) + 0ull << 32 | __brev(x >> 32))
MINE_CPU(int, __popc, (unsigned x), __builtin_popcount(x))
MINE_CPU(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
MINE_CPU(int, __clz, (int x), x == 0 ? 32 : __builtin_clz(x))
MINE_CPU(int, __clzll, (long long x), x == 0 ? 64 : __builtin_clzll(x))
MINE_CPU(int, __ffs, (int x), __builtin_ffs(x))
MINE_CPU(int, __ffsll, (long long x), __builtin_ffsll(x))
MINE_CPU(int, __mul24, (int x, int y), (unsigned)(x << 8 >> 8) * (y << 8 >> 8))
MINE_CPU(unsigned, __umul24, (unsigned x, unsigned y), (x & 0xffffff) * (y & 0xffffff))
MINE_CPU(int, __mulhi, (int x, int y), (x + 0ll) * y >> 32)
MINE_CPU(unsigned, __umulhi, (unsigned x, unsigned y), (x + 0ull) * y >> 32)
MINE_CPU(long long, __mul64hi, (long long x, long long y), (x + (__int128)0) * y >> 64)
MINE_CPU(unsigned long long, __umul64hi, (unsigned long long x, unsigned long long y),
         (x + (unsigned __int128)0) * y >> 64)
MINE_CPU(unsigned, __sad, (int x, int y, unsigned z), z + max(x, y) - min(x, y))
MINE_CPU(unsigned, __usad, (unsigned x, unsigned y, unsigned z), z + max(x, y) - min(x, y))
MINE_CPU(int, __hadd, (int x, int y), (x + 0ll + y) >> 1)
MINE_CPU(int, __rhadd, (int x, int y), (x + 1ll + y) >> 1)
MINE_CPU(unsigned, __uhadd, (unsigned x, unsigned y), (x + 0ull + y) >> 1)
MINE_CPU(unsigned, __urhadd, (unsigned x, unsigned y), (x + 1ull + y) >> 1)
MINE_CPU(unsigned, __byte_perm, (unsigned x, unsigned y, unsigned s),
         MINE_PICK(0) | MINE_PICK(1) | MINE_PICK(2) | MINE_PICK(3))
MINE_FUNNEL(l, MINE_PAIR << (by & 31) >> 32)
MINE_FUNNEL(r, MINE_PAIR >> (by & 31))
MINE_FUNNEL(lc, MINE_PAIR << min(by, 32) >> 32)
MINE_FUNNEL(rc, MINE_PAIR >> min(by, 32))

/* Converts a whole number, or the nearest that the type holds. */
template <class To, class From>
static inline To mine_clamp(From x)
{
    const To half = (To)1 << (8 * sizeof(To) - 1), least = (To)-1 < 0 ? half : 0, most = ~least;
    if (x != x)
        return sizeof(To) + sizeof(From) == 8 ? 0 : half;
    return x < least ? least : x >= 2 * (From)(most / 2 + 1) ? most : (To)x;
}

/* Defines what rounds, in each way. Compilers assume the nearest; for others, `in` is volatile. */
#define MINE_ROUND(in, mode, T, name, arguments, value, ...)                                       \
    static inline T name arguments                                                                 \
    {                                                                                              \
        in __VA_ARGS__;                                                                            \
        if (mode != FE_TONEAREST)                                                                  \
            fesetround(mode);                                                                      \
        in T result = value;                                                                       \
        if (mode != FE_TONEAREST)                                                                  \
            fesetround(FE_TONEAREST);                                                              \
        return result;                                                                             \
    }
#define MINE_TYPE(in, mode, way, whole, T, t, fused)                                               \
    MINE_ROUND(in, mode, T, __##t##add_##way, (T x, T y), a + b, T a = x, b = y)                   \
    MINE_ROUND(in, mode, T, __##t##sub_##way, (T x, T y), a - b, T a = x, b = y)                   \
    MINE_ROUND(in, mode, T, __##t##mul_##way, (T x, T y), 1 * a * b, T a = x, b = y)               \
    MINE_ROUND(in, mode, T, __##t##div_##way, (T x, T y), a / b, T a = x, b = y)                   \
    MINE_ROUND(in, mode, T, __##t##rcp_##way, (T x), 1 / a, T a = x)                               \
    MINE_ROUND(in, mode, T, __##t##sqrt_##way, (T x), sqrt(a), T a = x)                            \
    MINE_ROUND(in, mode, T, fused##_##way, (T x, T y, T z), fma(a, b, c), T a = x, b = y, c = z)   \
    MINE_ROUND(in, mode, T, __ll2##T##_##way, (long long x), a, long long a = x)                   \
    MINE_ROUND(in, mode, T, __ull2##T##_##way, (unsigned long long x), a,                          \
               unsigned long long a = x)                                                           \
    MINE_CPU(int, __##T##2int_##way, (T x), mine_clamp<int>(whole(x)))                             \
    MINE_CPU(unsigned, __##T##2uint_##way, (T x), mine_clamp<unsigned>(whole(x)))                  \
    MINE_CPU(long long, __##T##2ll_##way, (T x), mine_clamp<long long>(whole(x)))                  \
    MINE_CPU(unsigned long long, __##T##2ull_##way, (T x), mine_clamp<unsigned long long>(whole(x)))
#define MINE_WAY(in, mode, way, whole)                                                             \
    MINE_TYPE(in, mode, way, whole, float, f, __fmaf)                                              \
    MINE_TYPE(in, mode, way, whole, double, d, __fma)                                              \
    MINE_ROUND(in, mode, float, __int2float_##way, (int x), a, int a = x)                          \
    MINE_ROUND(in, mode, float, __uint2float_##way, (unsigned x), a, unsigned a = x)               \
    MINE_ROUND(in, mode, float, __double2float_##way, (double x), a, double a = x)
MINE_WAY(, FE_TONEAREST, rn, rint)
MINE_WAY(volatile, FE_TOWARDZERO, rz, trunc)
MINE_WAY(volatile, FE_UPWARD, ru, ceil)
MINE_WAY(volatile, FE_DOWNWARD, rd, floor)
MINE_CPU(double, __int2double_rn, (int x), x)
MINE_CPU(double, __uint2double_rn, (unsigned x), x)
MINE_CPU(float, __frsqrt_rn, (float x), 1 / sqrt((double)x))
MINE_CPU(float, rsqrtf, (float x), 1 / sqrtf(x))
MINE_CPU(double, rsqrt, (double x), 1 / sqrt(x))
MINE_CPU(float, __fdividef, (float x, float y), x / y)
MINE_CPU(float, __saturatef, (float x), x > 0 ? min(x, 1.0f) : 0)
MINE_CPU(void, __trap, (), __builtin_trap())

#elif defined __CUDACC_RTC__ && !defined INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif

/* What the teaching versions of the program's kernels are written with. */
namespace teaching
{

/* A ray, with the depth and the shaded colour of what it shows so far. */
struct ray {
    float x, y, depth;
    float red, green, blue;
};

/* Returns the ray of pixel (i, j), which has hit nothing. */
inline __device__ ray ray_at(const frame &f, int i, int j)
{
    return {(i - f.width / 2) * f.unit, (j - f.height / 2) * f.unit, -INFINITY, 0, 0, 0};
}

/* Lets the ray show a sphere that it hits nearer than what it shows so far. */
inline __device__ void hit(ray &ray, const sphere &s)
{
    const float dx = ray.x - s.x, dy = ray.y - s.y;
    const float square = fmaf(-dx, dx, fmaf(-dy, dy, s.radius * s.radius));
    if (!(square > 0))
        return;
    const float chord = sqrtf(square), shade = chord / s.radius;
    if (chord + s.z > ray.depth)
        ray = {ray.x, ray.y, chord + s.z, s.r * shade, s.g * shade, s.b * shade};
}

/* Returns the bytes of the pixel that shows the ray, red the lowest. */
inline __device__ unsigned bytes_of(const ray &ray)
{
    const unsigned char red = ray.red * 255, green = ray.green * 255, blue = ray.blue * 255;
    return red | green << 8 | blue << 16 | 255u << 24;
}

/* Writes what the ray of pixel (i, j) shows, unless that lies outside of the frame. */
inline __device__ void paint(const frame &f, int i, int j, const ray &ray)
{
    if (i < f.width && j < f.height)
        *(unsigned *)(f.pixels + j * f.pitch + 4 * i) = bytes_of(ray);
}

/* Do the same for K pixels of a row, from (i, j) on. */
template <int K>
inline __device__ void aim(ray (&rays)[K], const frame &f, int i, int j)
{
    for (int k = 0; k < K; k++)
        rays[k] = ray_at(f, i + k, j);
}

template <int K>
inline __device__ void paint(const frame &f, int i, int j, const ray (&rays)[K])
{
#ifdef __CUDACC__ /* four pixels in one store, where they lie within the frame and at 16 bytes */
    uint4 *const fours = (uint4 *)(f.pixels + j * f.pitch + 4 * i);
    if (K % 4 == 0 && i + K <= f.width && j < f.height && (unsigned long long)fours % 16 == 0) {
        for (int k = 0; k + 3 < K; k += 4)
            fours[k / 4] = make_uint4(bytes_of(rays[k]), bytes_of(rays[k + 1]),
                                      bytes_of(rays[k + 2]), bytes_of(rays[k + 3]));
        return;
    }
#endif
    for (int k = 0; k < K; k++)
        paint(f, i + k, j, rays[k]);
}

#ifdef __CUDACC__
/* Reads a sphere through the read-only path. */
inline __device__ sphere __ldg(const sphere *s)
{
    return {::__ldg(&s->r), ::__ldg(&s->b), ::__ldg(&s->g), ::__ldg(&s->radius),
            ::__ldg(&s->x), ::__ldg(&s->y), ::__ldg(&s->z)};
}

/* Copies the next spheres, at most N, into shared memory, by all threads of a block together. */
template <int N>
inline __device__ void stage(sphere (&tile)[N], const sphere *next, int count)
{
    __syncthreads();
    for (int t = threadIdx.x + threadIdx.y * blockDim.x; t < min(N, count);
         t += blockDim.x * blockDim.y)
        tile[t] = next[t];
    __syncthreads();
}
#endif

} // namespace teaching
#endif
