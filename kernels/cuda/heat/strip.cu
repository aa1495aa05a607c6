/* Clock cycles of the strip kernel with the spheres in global memory, read through the read-only
 * path, and staged in shared memory, as in cuda/trace/strip.cu. */
#include "cuda/heat/strip.cuh"

namespace
{

using krn_heat::LANES;
using krn_strip::packed_of;

struct global_storage {
    krn_packed *spheres;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(((float4 *)spheres)[s]);
    }
};

struct readonly_storage {
    const krn_packed *spheres;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(__ldg((const float4 *)spheres + s));
    }
};

struct shared_storage {
    const krn_packed *staged;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(((const float4 *)staged)[s]);
    }
};

enum { STAGE = 1024 };

constexpr int shared_blocks_of(int k, bool keep)
{
    return k == 4 && !keep ? 1 : krn_strip::blocks_of(k, keep);
}

template <int K, bool KEEP>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS, shared_blocks_of(K, KEEP))
    strip_cycles_shared(krn_cuda_scene scene, krn_cuda_frame frame, uint32_t *costs)
{
    __shared__ krn_packed staged[STAGE];
    const uint32_t start = krn_heat::clock_now();
    const krn_strip::run run = krn_strip::run_of<K>(frame);
    const int rank = (int)(threadIdx.x + threadIdx.y * LANES);
    krn_strip::pixels<K, KEEP> strip;
    krn_strip::begin(strip, run, frame);
    const shared_storage storage = {staged};
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        __syncthreads();
        for (int s = rank; s < count; s += LANES * (int)blockDim.y)
            ((float4 *)staged)[s] = ((const float4 *)(scene.packed + first))[s];
        __syncthreads();
        krn_strip::intersect_all(strip, storage, count, first);
    }
    if (run.row >= frame.height)
        return;
    krn_strip::store(strip, scene, run, frame);
    krn_heat::write_run<K>(run, frame, costs, krn_heat::clock_now() - start);
}

} // namespace

cudaError_t krn_cuda_heat_strip_global(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                       uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_strip(global_storage{posed->scene.packed}, k, posed->scene, frame,
                                  costs, stream);
}

cudaError_t krn_cuda_heat_strip_readonly(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                         uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_strip(readonly_storage{posed->scene.packed}, k, posed->scene, frame,
                                  costs, stream);
}

cudaError_t krn_cuda_heat_strip_shared(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                       uint32_t *costs, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = krn_strip::shape_of(K, frame);
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool KEEP = krn_strip::keeps(K, decltype(small)::value);
            strip_cycles_shared<K, KEEP>
                <<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame, costs);
        });
    });
}
