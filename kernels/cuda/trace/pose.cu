/* Rotates the scene and writes it in every form that a kernel reads, outside of all time stamps;
 * and the limit of every kernel that reads it. */
#include "core/trace/strip.h"
#include "cuda/trace/kernels.h"

namespace
{

__global__ void rotate(const krn_sphere *spheres, krn_cuda_scene posed, int count, krn_pose pose)
{
    const int s = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (s >= count)
        return;
    const krn_sphere rotated = krn_rotate(spheres[s], pose);
    posed.spheres[s] = rotated;
    posed.packed[s] = krn_pack(rotated);
    posed.material[s] = krn_material_of(rotated);
}

const unsigned limit_threads = 512;

/* Reads the spheres and writes the pixels, KRN_CUDA_BATCH at a time. What is read must be used, or
 * the compiler leaves it out: a sum is never this NaN. */
__global__ void limit(const float4 *spheres, int count, uint4 *pixels, int batches)
{
    const unsigned no_sum = 0x7fc00001u;
    const int i = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (i < batches)
        pixels[i] = make_uint4(0u, 0u, 0u, 0u);
    if (i >= count)
        return;
    const float4 sphere = __ldg(&spheres[i]);
    if (__float_as_uint(sphere.x + sphere.y + sphere.z + sphere.w) == no_sum)
        pixels[0].x = no_sum;
}

} // namespace

cudaError_t krn_cuda_rotate(const krn_sphere *spheres, krn_cuda_scene posed, int count,
                            krn_pose pose, cudaStream_t stream)
{
    const unsigned threads = 256;
    rotate<<<((unsigned)count + threads - 1) / threads, threads, 0, stream>>>(spheres, posed, count,
                                                                              pose);
    return cudaPeekAtLastError();
}

krn_cuda_shape krn_cuda_limit_shape(int count, int batches)
{
    const unsigned items = (unsigned)(count > batches ? count : batches);
    return {(items + limit_threads - 1) / limit_threads, 1, limit_threads, 1, 0};
}

cudaError_t krn_cuda_limit(krn_cuda_scene posed, int count, void *pixels, int batches,
                           cudaStream_t stream)
{
    static_assert(sizeof(krn_packed) == sizeof(float4), "a sphere is read by one load");
    const krn_cuda_shape shape = krn_cuda_limit_shape(count, batches);
    limit<<<shape.blocks_x, shape.threads_x, 0, stream>>>((const float4 *)posed.packed, count,
                                                          (uint4 *)pixels, batches);
    return cudaPeekAtLastError();
}
