/* The strip kernel with the spheres in global memory, read through the read-only path, staged in
 * shared memory; and through a linear texture: CUDA by Example, chapter 7, with texture objects
 * instead of its texture references. A texture is a view of the rotated spheres in global memory,
 * so nothing is copied; tex1Dfetch neither filters nor converts, so every bit is kept. */
#include "cuda/trace/strip_scan.cuh"

namespace
{

using krn_strip::LANES;
using krn_strip::packed_of;
using krn_strip::pixels;

/* Neither const nor __restrict__, so that the compiler cannot turn the loads into read-only
 * ones. */
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

/* One texel of four floats per packed sphere. */
struct texture_storage {
    cudaTextureObject_t texture;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(tex1Dfetch<float4>(texture, s));
    }
};

enum { STAGE = 1024 }; /* spheres staged at a time: 16 KiB */

/* With 4 pixels per thread and many spheres, more registers save more time than one more resident
 * block (H200). */
constexpr int shared_blocks_of(int k, bool keep)
{
    return k == 4 && !keep ? 1 : krn_strip::blocks_of(k, keep);
}

template <int K, bool KEEP, class Costs>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS, shared_blocks_of(K, KEEP))
    trace_shared(krn_cuda_scene scene, krn_cuda_frame frame, Costs costs)
{
    __shared__ krn_packed staged[STAGE];
    costs.begin();
    const krn_strip::run run = krn_strip::run_of<K>(frame);
    const int rank = (int)(threadIdx.x + threadIdx.y * LANES);
    pixels<K, KEEP> strip;
    krn_strip::begin(strip, run, frame);
    const shared_storage storage = {staged};

    /* Rows beyond the edge of the image stage spheres too, because every thread must reach the
     * barriers. */
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        __syncthreads();
        for (int s = rank; s < count; s += LANES * (int)blockDim.y)
            ((float4 *)staged)[s] = ((const float4 *)(scene.packed + first))[s];
        __syncthreads();
        krn_strip::intersect_all(strip, storage, count, first, costs);
    }
    if (run.row < frame.height) {
        krn_strip::store(strip, scene, run, frame);
        krn_strip::write_costs<K>(run, frame, costs);
    }
}

} // namespace

cudaError_t krn_cuda_strip_global(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                  uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::launch_from(global_storage{posed->scene.packed}, k, posed->scene, frame,
                                  cycles, stream);
}

cudaError_t krn_cuda_strip_readonly(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                    uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::launch_from(readonly_storage{posed->scene.packed}, k, posed->scene, frame,
                                  cycles, stream);
}

cudaError_t krn_cuda_strip_shared(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                  uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = krn_strip::shape_of(K, frame);
        return krn_strip::by_scene(frame, cycles, [&](auto small, auto costs) {
            constexpr bool KEEP = krn_strip::keeps(K, decltype(small)::value);
            trace_shared<K, KEEP>
                <<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame, costs);
        });
    });
}

cudaError_t krn_cuda_strip_texture(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                   uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::launch_from(texture_storage{posed->packed_texture}, k, posed->scene, frame,
                                  cycles, stream);
}

cudaError_t krn_cuda_strip_tests(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                 uint32_t *costs, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = krn_strip::shape_of(K, frame);
        krn_strip::trace<K, false><<<shape.grid, shape.block, 0, stream>>>(
            global_storage{posed->scene.packed}, posed->scene, frame, krn_costs::tests{{costs, 0}});
        return cudaPeekAtLastError();
    });
}
