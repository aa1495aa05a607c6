/* The strip from global memory, through the read-only path, and from shared memory.
 *
 * Lanes read different spheres as fast as one: each asks for a sphere of its own whether the run
 * meets it, 32 at a time, and a ballot tells all.
 *
 * Of those met many lie behind what the run shows already. The nearest pixel's depth is the most
 * that a sphere reaches in the run, since rounding keeps order (strip.h); when no pixel of the run
 * shows less, the sphere is passed over too. What the run shows is looked at again after every 32
 * spheres. With fewer than four pixels a thread that costs more than it saves.
 */
#include "cuda/trace/strip_launch.cuh"
#include "cuda/trace/strip_shade.cuh"

namespace
{

using krn_strip::all_lanes;
using krn_strip::LANES;
using krn_strip::pixels;

/* Spheres as they lie in memory, 16 bytes in one load. */
__device__ __forceinline__ krn_packed packed_of(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}

/* Not const, not __restrict__: as in the book's kernel, loads that may not become read-only. */
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

/* Spheres 0..count-1 of a storage, which the scene numbers from `number` on: one a lane. */
template <int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_all(pixels<K, KEEP> &own, const Storage &storage, int count,
                                         int number)
{
    constexpr bool look_behind = K >= 4;
    const int lane = (int)threadIdx.x;
    /* No pixel of the run shows less depth. */
    float behind = look_behind && number > 0 ? krn_strip::least_depth(own) : -INFINITY;
    const krn_packed nothing = {0.0f, -1.0f, 0.0f, 0.0f}; /* y, r^2: no row meets it */
    krn_packed next = lane < count ? storage.at(lane) : nothing;
    for (int s = 0; s < count; s += LANES) {
        const krn_packed mine = next;
        const int ahead = s + LANES + lane;
        next = ahead < count ? storage.at(ahead) : nothing;
        const float row = krn_row_residual(own.y - mine.y, mine.square);
        const float nearest = krn_strip::nearest_rest(own, mine.x, row);
        bool seen = nearest > 0.0f;
        if constexpr (look_behind)
            seen =
                seen && !(nearest >= KRN_ROOT_LEAST && krn_batch::root(nearest) + mine.z <= behind);
        const unsigned met = __ballot_sync(all_lanes, seen);
        for (unsigned left = met; left != 0; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, mine.x, i),
                        z = __shfl_sync(all_lanes, mine.z, i),
                        rest = __shfl_sync(all_lanes, row, i);
            own.met = true;
            krn_strip::meet<true>(own, x, z, rest, number + s + i);
        }
        if (look_behind && met != 0 && s + LANES < count)
            behind = krn_strip::least_depth(own);
    }
}

/* The run of this warp in a grid of shape_of. With a way out for each order K = 8 was up to 4 %
 * slower. */
template <int K>
__device__ __forceinline__ krn_strip::run run_of(const krn_cuda_frame &frame)
{
    int column = (int)blockIdx.y, line = (int)blockIdx.x;
    if (K == 8 && krn_strip::from_middle(K, frame)) {
        const int n = (int)blockIdx.y, middle = (int)gridDim.y / 2;
        column = (int)blockIdx.x;
        line = n % 2 != 0 ? middle - (n + 1) / 2 : middle + n / 2;
    }
    return {column * LANES * K, line * (int)blockDim.y + (int)threadIdx.y};
}

template <int K, bool KEEP, class Storage>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS, krn_strip::blocks_of(K, KEEP))
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame)
{
    const krn_strip::run run = run_of<K>(frame);
    if (run.row >= frame.height)
        return;
    pixels<K, KEEP> own;
    krn_strip::begin(own, run, frame);
    meet_all(own, storage, frame.count, 0);
    krn_strip::store(own, scene, run, frame);
}

enum { STAGE = 1024 }; /* 16 KiB at a time */

/* With 4 pixels a thread and many spheres, more registers do more than another block. */
constexpr int shared_blocks_of(int k, bool keep)
{
    return k == 4 && !keep ? 1 : krn_strip::blocks_of(k, keep);
}

template <int K, bool KEEP>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS, shared_blocks_of(K, KEEP))
    trace_shared(krn_cuda_scene scene, krn_cuda_frame frame)
{
    __shared__ krn_packed staged[STAGE];
    const krn_strip::run run = run_of<K>(frame);
    const int rank = (int)(threadIdx.x + threadIdx.y * LANES);
    pixels<K, KEEP> own;
    krn_strip::begin(own, run, frame);
    const shared_storage storage = {staged};

    /* Rows beyond the image's edge stage too: every thread must reach the barriers. */
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        __syncthreads();
        for (int s = rank; s < count; s += LANES * (int)blockDim.y)
            ((float4 *)staged)[s] = ((const float4 *)(scene.packed + first))[s];
        __syncthreads();
        meet_all(own, storage, count, first);
    }
    if (run.row < frame.height)
        krn_strip::store(own, scene, run, frame);
}

struct shape {
    dim3 grid, block;
};

shape shape_of(int k, const krn_cuda_frame &frame)
{
    const int rows = krn_strip::rows_of(k, frame);
    const bool by_row = krn_strip::from_middle(k, frame);
    return {krn_strip::grid_of(k, rows, by_row, frame), dim3(LANES, (unsigned)rows)};
}

template <class Storage>
cudaError_t launch_from(Storage storage, int k, const krn_cuda_scene &scene,
                        const krn_cuda_frame &frame, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        const shape shape = shape_of(K, frame);
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool KEEP = krn_strip::keeps(K, decltype(small)::value);
            trace<K, KEEP><<<shape.grid, shape.block, 0, stream>>>(storage, scene, frame);
        });
    });
}

} // namespace

cudaError_t krn_cuda_strip_global(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    return launch_from(global_storage{posed->scene.packed}, k, posed->scene, frame, stream);
}

cudaError_t krn_cuda_strip_readonly(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    return launch_from(readonly_storage{posed->scene.packed}, k, posed->scene, frame, stream);
}

cudaError_t krn_cuda_strip_shared(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        const shape shape = shape_of(K, frame);
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool KEEP = krn_strip::keeps(K, decltype(small)::value);
            trace_shared<K, KEEP><<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame);
        });
    });
}
