/* Rotates the scene and writes it in every form that a kernel reads, outside of all time stamps. */
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

} // namespace

cudaError_t krn_cuda_rotate(const krn_sphere *spheres, krn_cuda_scene posed, int count,
                            krn_pose pose, cudaStream_t stream)
{
    const unsigned threads = 256;
    rotate<<<((unsigned)count + threads - 1) / threads, threads, 0, stream>>>(spheres, posed, count,
                                                                              pose);
    return cudaPeekAtLastError();
}
