/* Counts the rays of a picture, and those of each pixel: the paths of the tree kernel, told to a
 * counter. */
#include "cuda/light/tree.cuh"

namespace
{

/* A block has at most THREADS times 16 rays of a kind, so 32 bits are enough. */
struct counter {
    unsigned *counts;
    __device__ __forceinline__ void traced(int bounce) const
    {
        atomicAdd(&counts[bounce], 1u);
    }
    __device__ __forceinline__ void shadow(int bounce) const
    {
        atomicAdd(&counts[KRN_BOUNCES_MAX + 1 + bounce], 1u);
    }
};

__global__ void __launch_bounds__(krn_paths::THREADS, krn_paths::ROOMY)
    count_rays(krn_tree::finder<krn_tree::readonly_storage> tree, krn_cuda_lit lit,
               krn_cuda_lit_frame frame)
{
    __shared__ unsigned counts[KRN_CUDA_RAY_COUNTS];
    if (threadIdx.x < KRN_CUDA_RAY_COUNTS)
        counts[threadIdx.x] = 0;
    __syncthreads();
    const krn_paths::pixel at = krn_paths::pixel_of_thread();
    const bool inside = at.i < frame.image.width && at.j < frame.image.height;
    for (int sample = 0; sample < frame.light.samples; sample++)
        krn_paths::trace_sample(tree, counter{counts}, lit, frame.light, at, sample, inside);
    __syncthreads();
    if (threadIdx.x < KRN_CUDA_RAY_COUNTS && counts[threadIdx.x] > 0)
        atomicAdd(&lit.rays[threadIdx.x], (unsigned long long)counts[threadIdx.x]);
}
/* Counts the rays of a thread's pixel. */
struct pixel_counter {
    unsigned *rays;
    __device__ __forceinline__ void traced(int) const
    {
        ++*rays;
    }
    __device__ __forceinline__ void shadow(int) const
    {
        ++*rays;
    }
};

__global__ void __launch_bounds__(krn_paths::THREADS, krn_paths::ROOMY)
    count_pixel_rays(krn_tree::finder<krn_tree::readonly_storage> tree, krn_cuda_lit lit,
                     krn_cuda_lit_frame frame, uint32_t *pixel_rays)
{
    const krn_paths::pixel at = krn_paths::pixel_of_thread();
    unsigned rays = 0;
    if (at.i >= frame.image.width || at.j >= frame.image.height)
        return;
    for (int sample = 0; sample < frame.light.samples; sample++)
        krn_paths::trace_sample(tree, pixel_counter{&rays}, lit, frame.light, at, sample, true);
    pixel_rays[(size_t)at.j * (size_t)frame.image.width + (size_t)at.i] = rays;
}

static_assert((int)KRN_CUDA_RAY_COUNTS <= (int)krn_paths::THREADS, "one thread per count");

} // namespace

cudaError_t krn_cuda_light_rays(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                const krn_cuda_lit_frame *frame, cudaStream_t stream)
{
    count_rays<<<krn_paths::grid_of(frame->image), krn_paths::THREADS, 0, stream>>>(
        krn_tree::finder_of(krn_tree::readonly_of(*lit, *tree), *frame), *lit, *frame);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_light_pixel_rays(const krn_cuda_lit *lit, const krn_cuda_tree *tree,
                                      const krn_cuda_lit_frame *frame, uint32_t *pixel_rays,
                                      cudaStream_t stream)
{
    count_pixel_rays<<<krn_paths::grid_of(frame->image), krn_paths::THREADS, 0, stream>>>(
        krn_tree::finder_of(krn_tree::readonly_of(*lit, *tree), *frame), *lit, *frame, pixel_rays);
    return cudaPeekAtLastError();
}
