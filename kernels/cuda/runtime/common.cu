/* Kernels that every frame needs and none is timed: the turn, the gate, the empty one. */
#include "core/trace/strip.h"
#include "cuda/trace/kernels.h"

namespace
{

__global__ void turn(const krn_sphere *spheres, krn_cuda_scene posed, int count, krn_pose pose)
{
    const int s = (int)(threadIdx.x + blockIdx.x * blockDim.x);
    if (s >= count)
        return;
    const krn_sphere turned = krn_rotate(spheres[s], pose);
    posed.spheres[s] = turned;
    posed.packed[s] = krn_pack(turned);
    posed.material[s] = krn_material_of(turned);
}

__global__ void gate(const volatile unsigned *ticket, unsigned number, long long cycles)
{
    const long long start = clock64();
    /* The difference as a signed number: tickets may wrap around. */
    while ((int)(*ticket - number) < 0 && clock64() - start < cycles)
        ;
}

__global__ void empty()
{
}

} // namespace

cudaError_t krn_cuda_rotate(const krn_sphere *spheres, krn_cuda_scene posed, int count,
                            krn_pose pose, cudaStream_t stream)
{
    const unsigned threads = 256;
    turn<<<((unsigned)count + threads - 1) / threads, threads, 0, stream>>>(spheres, posed, count,
                                                                            pose);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_gate(const volatile unsigned *ticket, unsigned number, long long cycles,
                          cudaStream_t stream)
{
    gate<<<1, 1, 0, stream>>>(ticket, number, cycles);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_empty(cudaStream_t stream)
{
    empty<<<1, 1, 0, stream>>>();
    return cudaPeekAtLastError();
}
