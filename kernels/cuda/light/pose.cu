/* Writes the rotated scene in every form that the light view reads, outside of all time stamps. */
#include "cuda/light/kernels.h"

namespace
{

__global__ void pose(const krn_sphere *posed, int count, krn_light_frame light, krn_cuda_lit lit)
{
    const int s = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (s >= count)
        return;
    const krn_sphere sphere = posed[s];
    lit.balls[s] = krn_ball_of(sphere);
    lit.suns[s] = krn_sun_ball_of(&light, sphere);
    lit.tints[s] = make_float4(sphere.r, sphere.g, sphere.b, sphere.radius);
}

} // namespace

cudaError_t krn_cuda_light_pose(const krn_sphere *posed, int count, const krn_light_frame *light,
                                const krn_cuda_lit *lit, cudaStream_t stream)
{
    const unsigned threads = 256;
    pose<<<((unsigned)count + threads - 1) / threads, threads, 0, stream>>>(posed, count, *light,
                                                                            *lit);
    return cudaPeekAtLastError();
}
