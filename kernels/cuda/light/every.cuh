/* kernels/cuda/light/every.cuh - tests every ray against every sphere, with the storage of the
 * spheres as a template parameter: the compiler knows the address space and selects the loads. */
#pragma once

#include "cuda/light/path.cuh"

namespace krn_every
{

/* Spheres whose loads are started together. */
enum { GROUP = 4 };

/* Tests a ray against spheres first to first + count - 1, which the storage numbers from 0. */
template <class Storage>
__device__ __forceinline__ void nearest_of(const Storage &storage, int first, int count,
                                           const struct krn_ray &ray, float least,
                                           struct krn_hit &hit)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP) {
        krn_ball balls[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            balls[g] = storage.ball(s + g);
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            krn_nearest(ray, balls[g], first + s + g, least, &hit);
    }
    for (; s < count; s++)
        krn_nearest(ray, storage.ball(s), first + s, least, &hit);
}

/* Returns true when one of the storage's first `count` spheres hides the sun from a point. */
template <class Storage>
__device__ __forceinline__ bool hidden_by(const Storage &storage, int count, krn_vec point)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP) {
        bool hidden = false;
#pragma unroll
        for (int g = 0; g < GROUP; g++)
            hidden |= krn_hides(point, storage.sun(s + g));
        if (hidden)
            return true;
    }
    for (; s < count; s++)
        if (krn_hides(point, storage.sun(s)))
            return true;
    return false;
}

/* The finder over a storage that holds all spheres: each thread works alone. */
template <class Storage>
struct finder {
    Storage storage;
    int count;

    __device__ __forceinline__ bool any(bool alive) const
    {
        return alive;
    }
    __device__ __forceinline__ struct krn_hit nearest(bool, const struct krn_ray &ray,
                                                      float least) const
    {
        struct krn_hit hit = {INFINITY, -1};
        nearest_of(storage, 0, count, ray, least, hit);
        return hit;
    }
    __device__ __forceinline__ bool hidden(bool wanted, krn_vec, krn_vec point) const
    {
        return wanted && hidden_by(storage, count, point);
    }
};

template <class Storage>
cudaError_t launch(const Storage &storage, const krn_cuda_lit &lit, const krn_cuda_lit_frame &frame,
                   cudaStream_t stream)
{
    const finder<Storage> all = {storage, frame.image.count};
    return krn_paths::launch(all, lit, frame, stream);
}

} // namespace krn_every
