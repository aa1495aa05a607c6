/* spherescope.h - what the kernel of `spherescope --kernel-file FILE.cu` gets. The program puts
 * this text before the file; include it for nvcc and for your editor.
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

/* A C++ compiler takes the part of CUDA C that has a meaning without a GPU. */
#include <math.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __maxnreg__(...)

struct uint3 {
    unsigned x, y, z;
};
struct uchar4 {
    unsigned char x, y, z, w;
};
struct float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static thread_local uint3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1},
                          gridDim = {1, 1, 1};

static inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w)
{
    return {x, y, z, w};
}
static inline float2 make_float2(float x, float y)
{
    return {x, y};
}
static inline float3 make_float3(float x, float y, float z)
{
    return {x, y, z};
}
static inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}
template <class T>
static inline T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T>
static inline T max(T a, T b)
{
    return a < b ? b : a;
}
template <class T>
static inline T __ldg(const T *at)
{
    return *at;
}
static inline void __trap()
{
    __builtin_trap();
}
static inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}

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
