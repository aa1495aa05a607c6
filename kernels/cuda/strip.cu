/* The strip from global memory, through the read-only path, and from shared memory. */
#include "strip.cuh"

namespace
{

/* Spheres as they lie in memory, 16 bytes in one load. */
__device__ __forceinline__ krn_packed packed_of(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}

/* Not const, not __restrict__: as in the book's kernel, loads that may not become read-only. */
struct global_storage {
    enum { BY_LANES = 1 };
    krn_packed *spheres;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(((float4 *)spheres)[s]);
    }
};

struct readonly_storage {
    enum { BY_LANES = 1 };
    const krn_packed *spheres;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(__ldg((const float4 *)spheres + s));
    }
};

struct shared_storage {
    enum { BY_LANES = 1 };
    const krn_packed *staged;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return packed_of(((const float4 *)staged)[s]);
    }
};

enum { STAGE = 1024, THREADS = krn_strip::LANES * krn_strip::ROWS }; /* 16 KiB at a time */

template <int K, bool KEEP>
__global__ void __launch_bounds__(THREADS) trace_shared(krn_cuda_scene scene, krn_cuda_frame frame)
{
    __shared__ krn_packed staged[STAGE];
    const int left = (int)blockIdx.x * krn_strip::LANES * K;
    const int j = (int)(blockIdx.y * krn_strip::ROWS + threadIdx.y);
    const int rank = (int)(threadIdx.x + threadIdx.y * krn_strip::LANES);
    krn_strip::pixels<K, KEEP> own;
    krn_strip::begin(own, left, j, frame);
    const shared_storage storage = {staged};

    /* Rows beyond the image's edge stage too: every thread must reach the barriers. */
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        __syncthreads();
        for (int s = rank; s < count; s += THREADS)
            ((float4 *)staged)[s] = ((const float4 *)(scene.packed + first))[s];
        __syncthreads();
        krn_strip::meet_all(own, storage, count, first);
    }
    if (j < frame.height)
        krn_strip::store(own, scene, left, j, frame);
}

template <int K>
cudaError_t launch_shared(const krn_cuda_scene &scene, const krn_cuda_frame &frame,
                          cudaStream_t stream)
{
    const dim3 grid = krn_strip::grid_of(K, krn_strip::ROWS, frame);
    const dim3 block(krn_strip::LANES, krn_strip::ROWS);
    if constexpr (K == 8) {
        if (frame.count <= krn_strip::SMALL_SCENE) {
            trace_shared<K, true><<<grid, block, 0, stream>>>(scene, frame);
            return cudaPeekAtLastError();
        }
    }
    trace_shared<K, false><<<grid, block, 0, stream>>>(scene, frame);
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t krn_cuda_strip_global(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    return krn_strip::launch_k(global_storage{scene.packed}, k, krn_strip::rows_of(k), scene, frame,
                               stream);
}

cudaError_t krn_cuda_strip_readonly(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    return krn_strip::launch_k(readonly_storage{scene.packed}, k, krn_strip::rows_of(k), scene,
                               frame, stream);
}

cudaError_t krn_cuda_strip_shared(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    switch (k) {
    case 1:
        return launch_shared<1>(scene, frame, stream);
    case 2:
        return launch_shared<2>(scene, frame, stream);
    case 4:
        return launch_shared<4>(scene, frame, stream);
    case 8:
        return launch_shared<8>(scene, frame, stream);
    case 16:
        return launch_shared<16>(scene, frame, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
