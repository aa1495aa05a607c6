/* The brute kernel with the spheres in global memory, read through the read-only path, through
 * textures, and staged in shared memory. */
#include "cuda/light/every.cuh"

namespace
{

struct shared_storage {
    const float4 *balls, *suns;
    __device__ __forceinline__ krn_ball ball(int s) const
    {
        return krn_paths::ball_of(balls[s]);
    }
    __device__ __forceinline__ krn_ball sun(int s) const
    {
        return krn_paths::ball_of(suns[s]);
    }
};

/* Spheres of a kind staged at a time: 8 KiB, so that many blocks share a multiprocessor. */
enum { STAGE = 512 };

__device__ __forceinline__ void stage(float4 *staged, const float4 *from, int count)
{
    for (int s = (int)threadIdx.x; s < count; s += krn_paths::THREADS)
        staged[s] = from[s];
}

/* A scene that fits is staged once, in both spaces, and then every thread works alone. */
__global__ void __launch_bounds__(krn_paths::THREADS, krn_paths::ROOMY)
    trace_staged(krn_cuda_lit lit, krn_cuda_lit_frame frame)
{
    __shared__ float4 balls[STAGE], suns[STAGE];
    stage(balls, (const float4 *)lit.balls, frame.image.count);
    stage(suns, (const float4 *)lit.suns, frame.image.count);
    __syncthreads();
    const krn_every::finder<shared_storage> all = {{balls, suns}, frame.image.count};
    krn_paths::trace_pixel(all, lit, frame);
}

/* Stages a larger scene piece by piece for every bounce of the block's paths. All threads help
 * until the last path of the block has ended. */
struct staging_finder {
    float4 *staged;
    const float4 *balls, *suns;
    int count;

    __device__ __forceinline__ bool any(bool alive) const
    {
        return __syncthreads_or(alive) != 0;
    }
    __device__ __forceinline__ struct krn_hit nearest(bool alive, const struct krn_ray &ray,
                                                      float least) const
    {
        struct krn_hit hit = {INFINITY, -1};
        for (int first = 0; first < count; first += STAGE) {
            const int part = min((int)STAGE, count - first);
            __syncthreads();
            stage(staged, balls + first, part);
            __syncthreads();
            if (alive)
                krn_every::nearest_of(shared_storage{staged, staged}, first, part, ray, least, hit);
        }
        return hit;
    }
    __device__ __forceinline__ bool hidden(bool wanted, krn_vec, krn_vec point) const
    {
        bool found = false;
        for (int first = 0; first < count && __syncthreads_or(wanted && !found); first += STAGE) {
            const int part = min((int)STAGE, count - first);
            stage(staged, suns + first, part);
            __syncthreads();
            if (wanted && !found)
                found = krn_every::hidden_by(shared_storage{staged, staged}, part, point);
        }
        return found;
    }
};

__global__ void __launch_bounds__(krn_paths::THREADS, krn_paths::ROOMY)
    trace_staging(krn_cuda_lit lit, krn_cuda_lit_frame frame)
{
    __shared__ float4 staged[STAGE];
    const staging_finder finder = {staged, (const float4 *)lit.balls, (const float4 *)lit.suns,
                                   frame.image.count};
    krn_paths::trace_pixel(finder, lit, frame);
}

} // namespace

krn_cuda_shape krn_cuda_light_shape(const krn_cuda_lit_frame *frame)
{
    const dim3 grid = krn_paths::grid_of(frame->image);
    return {grid.x, grid.y, krn_paths::THREADS, 1, 0};
}

cudaError_t krn_cuda_brute_global(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                  cudaStream_t stream)
{
    return krn_every::launch(krn_paths::global_of(*lit), *lit, *frame, stream);
}

cudaError_t krn_cuda_brute_readonly(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                    cudaStream_t stream)
{
    return krn_every::launch(krn_paths::readonly_of(*lit), *lit, *frame, stream);
}

cudaError_t krn_cuda_brute_texture(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                   cudaStream_t stream)
{
    return krn_every::launch(krn_paths::texture_of(*lit), *lit, *frame, stream);
}

cudaError_t krn_cuda_brute_shared(const krn_cuda_lit *lit, const krn_cuda_lit_frame *frame,
                                  cudaStream_t stream)
{
    const dim3 grid = krn_paths::grid_of(frame->image);
    if (frame->image.count <= STAGE)
        trace_staged<<<grid, krn_paths::THREADS, 0, stream>>>(*lit, *frame);
    else
        trace_staging<<<grid, krn_paths::THREADS, 0, stream>>>(*lit, *frame);
    return cudaPeekAtLastError();
}
