/* kernels/cuda/light/path.cuh - the paths of a pixel's samples, with the way to find hits as a
 * template parameter.
 *
 * A finder has three functions. any(alive) returns true while the thread must stay in the loop of
 * bounces; nearest(alive, ray, least) returns the nearest hit; hidden(wanted, point, the same point
 * in sun space) returns true for a point in shadow. A finder that stages spheres for its block has
 * barriers, so all threads of the block call it; those that are not alive, or want no answer, only
 * help.
 *
 * A counter receives one call per ray.
 */
#pragma once

#include "cuda/light/kernels.h"

namespace krn_paths
{

/* A warp owns 8 x 4 pixels, so that its rays stay close; a block owns 2 x 2 warps. */
enum {
    TILE_WIDTH = 8,
    TILE_HEIGHT = 4,
    LANES = TILE_WIDTH * TILE_HEIGHT,
    ACROSS = 2,
    DOWN = 2,
    THREADS = LANES * ACROSS * DOWN
};
/* Blocks per multiprocessor that leave a thread 64 registers. Without this number, the compiler
 * chooses 40 or 48 for some kernels and spills. */
enum { ROOMY = 8 };

struct pixel {
    int i, j;
};

/* Returns the pixel of a lane of the warp that owns a tile. */
__device__ __forceinline__ pixel pixel_of_lane(int lane, int column, int row)
{
    return {column * TILE_WIDTH + lane % TILE_WIDTH, row * TILE_HEIGHT + lane / TILE_WIDTH};
}

__device__ __forceinline__ pixel pixel_of_thread()
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    return pixel_of_lane(lane, (int)blockIdx.x * ACROSS + warp % ACROSS,
                         (int)blockIdx.y * DOWN + warp / ACROSS);
}

inline dim3 grid_of(const krn_cuda_frame &image)
{
    const int wide = TILE_WIDTH * ACROSS, high = TILE_HEIGHT * DOWN;
    return dim3((unsigned)((image.width + wide - 1) / wide),
                (unsigned)((image.height + high - 1) / high));
}

/* The counter of kernels that render. */
struct uncounted {
    __device__ __forceinline__ void traced(int) const
    {
    }
    __device__ __forceinline__ void shadow(int) const
    {
    }
};

__device__ __forceinline__ krn_ball ball_of(float4 v)
{
    const krn_ball ball = {v.x, v.y, v.z, v.w};
    return ball;
}

/* Reads what a hit needs, as 128 bits and 32. */
__device__ __forceinline__ krn_surface surface_of(const krn_cuda_lit &lit, int sphere)
{
    const float4 tint = __ldg(lit.tints + sphere);
    const krn_surface surface = {tint.x, tint.y, tint.z, tint.w, __ldg(lit.mirrors + sphere)};
    return surface;
}

/* Returns the light of one sample of a pixel. inside: the pixel lies in the image; the others of a
 * block only help. */
template <class Finder, class Counter>
__device__ __forceinline__ krn_vec trace_sample(const Finder &finder, const Counter &counter,
                                                const krn_cuda_lit &lit,
                                                const krn_light_frame &light, pixel at, int sample,
                                                bool inside)
{
    krn_path path = {
        krn_primary(&light, at.i, at.j, sample), {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    bool alive = inside;
    for (int b = 0; finder.any(alive); b++) {
        krn_bounce bounce = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, false, false};
        const struct krn_hit hit = finder.nearest(alive, path.ray, light.nearest);
        if (alive) {
            counter.traced(b);
            if (hit.sphere < 0)
                bounce = krn_shade_miss(&light, &path);
            else
                bounce = krn_shade_sphere(&light, &path, hit.distance,
                                          ball_of(__ldg((const float4 *)lit.balls + hit.sphere)),
                                          surface_of(lit, hit.sphere), b == light.bounces);
            if (bounce.faces_sun)
                counter.shadow(b);
        }
        const bool hidden =
            finder.hidden(bounce.faces_sun, bounce.point, krn_sun_space(&light, bounce.point));
        if (bounce.faces_sun && !hidden)
            path.gathered = krn_along(path.gathered, 1.0f, bounce.lit);
        alive = bounce.reflects;
    }
    return path.gathered;
}

/* Traces the samples of the thread's pixel and writes it. */
template <class Finder>
__device__ __forceinline__ void trace_pixel(const Finder &finder, const krn_cuda_lit &lit,
                                            const krn_cuda_lit_frame &frame)
{
    const pixel at = pixel_of_thread();
    const bool inside = at.i < frame.image.width && at.j < frame.image.height;
    krn_vec sum = {0.0f, 0.0f, 0.0f};
    for (int sample = 0; sample < frame.light.samples; sample++)
        sum = krn_along(sum, 1.0f,
                        trace_sample(finder, uncounted{}, lit, frame.light, at, sample, inside));
    if (!inside)
        return;
    unsigned char *row = frame.image.pixels + (size_t)at.j * (size_t)frame.image.pitch_bytes;
    ((uint32_t *)row)[at.i] = krn_light_rgba(&frame.light, lit.table, sum);
}

/* The kernel of a finder whose threads work alone. */
template <class Finder>
__global__ void __launch_bounds__(THREADS, ROOMY)
    trace(Finder finder, krn_cuda_lit lit, krn_cuda_lit_frame frame)
{
    trace_pixel(finder, lit, frame);
}

template <class Finder>
cudaError_t launch(const Finder &finder, const krn_cuda_lit &lit, const krn_cuda_lit_frame &frame,
                   cudaStream_t stream)
{
    trace<<<grid_of(frame.image), THREADS, 0, stream>>>(finder, lit, frame);
    return cudaPeekAtLastError();
}

/* The balls in the storages that both kernels read as they are; constant and shared memory have
 * layouts of their own. */

/* Neither const nor __restrict__, so that the compiler cannot turn the loads into read-only
 * ones. */
struct global_balls {
    float4 *balls, *suns;
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return ball_of(balls[s]);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return ball_of(suns[s]);
    }
};

struct readonly_balls {
    const float4 *balls, *suns;
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return ball_of(__ldg(balls + s));
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return ball_of(__ldg(suns + s));
    }
};

struct texture_balls {
    cudaTextureObject_t balls, suns;
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return ball_of(tex1Dfetch<float4>(balls, s));
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return ball_of(tex1Dfetch<float4>(suns, s));
    }
};

inline global_balls global_of(const krn_cuda_lit &lit)
{
    return {(float4 *)lit.balls, (float4 *)lit.suns};
}

inline readonly_balls readonly_of(const krn_cuda_lit &lit)
{
    return {(const float4 *)lit.balls, (const float4 *)lit.suns};
}

inline texture_balls texture_of(const krn_cuda_lit &lit)
{
    return {lit.balls_texture, lit.suns_texture};
}

} // namespace krn_paths
