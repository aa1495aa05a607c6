/* kernels/cuda/trace/book.cuh - the book's ray-tracing kernel, with the storage of the spheres as a
 * template parameter.
 *
 * Source: CUDA by Example, 6.2.1 (global) and 6.2.2 (constant): one thread per pixel, 16 x 16
 * threads per block, all spheres in order, four byte stores. A storage is a type, so that the
 * compiler knows the address space and selects the loads; the kernel does not branch on it.
 */
#pragma once

#include "core/trace/pixel.h"
#include "cuda/trace/costs.cuh"

namespace krn_book
{

enum { SIDE = 16 }; /* threads along each side of a block */

/* The state of a pixel: its ray, and the shaded colour and the depth of the deepest sphere so
 * far. */
struct ray {
    float x, y;
    float red, green, blue, deepest;
};

__device__ __forceinline__ ray ray_at(int i, int j, const krn_cuda_frame &frame)
{
    const ray start = {krn_ray(i, frame.width, frame.unit),
                       krn_ray(j, frame.height, frame.unit),
                       0.0f,
                       0.0f,
                       0.0f,
                       -INFINITY};
    return start;
}

/* The book's hit(): returns the depth at which the ray hits sphere s and writes the shade; returns
 * -infinity when the ray misses. */
template <class Storage>
__device__ __forceinline__ float hit(const ray &ray, const Storage &storage, int s, float *shade)
{
    const float radius = storage.get(s, &krn_sphere::radius);
    const float square = krn_hit(ray.x - storage.get(s, &krn_sphere::x),
                                 ray.y - storage.get(s, &krn_sphere::y), radius * radius);
    if (square > 0.0f) {
        const float chord = sqrtf(square);
        *shade = chord / radius;
        return chord + storage.get(s, &krn_sphere::z);
    }
    return -INFINITY;
}

/* Intersects the ray with sphere s as the book does: reads and shades the colour as soon as the
 * sphere is the deepest so far. A kernel that keeps the shade and multiplies once at the end is a
 * different one: on an H200, 20 spheres at 1024 x 1024 then take 17.2 us instead of 20 from global
 * memory and 16.3 us instead of 24 from constant memory, and 2339 spheres from constant memory take
 * longer. The reference stays the book's kernel. */
template <class Storage>
__device__ __forceinline__ void intersect(ray &ray, const Storage &storage, int s)
{
    float shade;
    const float depth = hit(ray, storage, s, &shade);
    if (depth > ray.deepest) {
        ray.red = storage.get(s, &krn_sphere::r) * shade;
        ray.green = storage.get(s, &krn_sphere::g) * shade;
        ray.blue = storage.get(s, &krn_sphere::b) * shade;
        ray.deepest = depth;
    }
}

__device__ __forceinline__ void store(const ray &ray, int i, int j, const krn_cuda_frame &frame)
{
    unsigned char *pixel = frame.pixels + (size_t)j * (size_t)frame.pitch_bytes + 4 * (size_t)i;
    pixel[0] = krn_byte(ray.red);
    pixel[1] = krn_byte(ray.green);
    pixel[2] = krn_byte(ray.blue);
    pixel[3] = 255;
}

template <class Storage, class Costs>
__global__ void __launch_bounds__(SIDE *SIDE)
    trace(Storage storage, krn_cuda_frame frame, Costs costs)
{
    costs.begin();
    const int i = (int)(threadIdx.x + blockIdx.x * SIDE);
    const int j = (int)(threadIdx.y + blockIdx.y * SIDE);
    if (i >= frame.width || j >= frame.height)
        return;
    ray ray = ray_at(i, j, frame);
    for (int s = 0; s < frame.count; s++) {
        intersect(ray, storage, s);
        costs.count(1);
    }
    store(ray, i, j, frame);
    costs.end();
    costs.write(frame, i, j);
}

inline dim3 grid_of(const krn_cuda_frame &frame)
{
    return dim3((unsigned)(frame.width + SIDE - 1) / SIDE,
                (unsigned)(frame.height + SIDE - 1) / SIDE);
}

template <class Storage>
cudaError_t launch(Storage storage, const krn_cuda_frame &frame, uint32_t *cycles,
                   cudaStream_t stream)
{
    return krn_costs::with(cycles, [&](auto costs) {
        trace<<<grid_of(frame), dim3(SIDE, SIDE), 0, stream>>>(storage, frame, costs);
    });
}

/* Loads the kernel into the context; without this, the runtime does so at the first launch. */
template <class Storage>
cudaError_t load()
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, trace<Storage, krn_costs::none>);
}

} // namespace krn_book
