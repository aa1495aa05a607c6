/* Rotates the scene, and brings it into every form that a kernel reads. No time stamp counts it. */
#include "core/trace/strip.h"
#include "cuda/trace/kernels.h"

namespace
{

__global__ void rotate(const krn_sphere *spheres, krn_cuda_scene posed, int count, krn_pose pose)
{
    const int s = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (s >= count)
        return;
    const krn_sphere turned = krn_rotate(spheres[s], pose);
    posed.spheres[s] = turned;
    posed.packed[s] = krn_pack(turned);
    posed.material[s] = krn_material_of(turned);
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
