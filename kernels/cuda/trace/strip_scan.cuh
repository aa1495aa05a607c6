/* kernels/cuda/trace/strip_scan.cuh - the strip's kernel over a storage whose lanes can read
 * different spheres at once, and its launch. A storage is a type with at(s), the packed sphere s.
 *
 * Lanes read different spheres as fast as one: each tests a sphere of its own against the run, 32
 * at a time, and a ballot tells which of them the run hits.
 *
 * Of those many are occluded by what the run shows already. The nearest pixel's depth is the
 * greatest that a sphere reaches in the run, since rounding keeps order (strip.h); when no pixel of
 * the run shows less, the sphere is rejected too. The least depth of the run is computed again
 * after every 32 spheres. With fewer than four pixels per thread that costs more than it saves.
 */
#ifndef KRN_STRIP_SCAN_CUH
#define KRN_STRIP_SCAN_CUH

#include "cuda/trace/strip_launch.cuh"
#include "cuda/trace/strip_shade.cuh"

namespace krn_strip
{

/* Spheres as they lie in memory, 16 bytes in one load. */
__device__ __forceinline__ krn_packed packed_of(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}

/* Spheres 0..count-1 of a storage, which the scene numbers from `number` on: one a lane. */
template <int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_all(pixels<K, KEEP> &own, const Storage &storage, int count,
                                         int number)
{
    constexpr bool look_behind = K >= 4;
    const int lane = (int)threadIdx.x;
    /* No pixel of the run shows less depth. */
    float behind = look_behind && number > 0 ? least_depth(own) : -INFINITY;
    const krn_packed nothing = {0.0f, -1.0f, 0.0f, 0.0f}; /* y, r^2: no row meets it */
    krn_packed next = lane < count ? storage.at(lane) : nothing;
    for (int s = 0; s < count; s += LANES) {
        const krn_packed mine = next;
        const int ahead = s + LANES + lane;
        next = ahead < count ? storage.at(ahead) : nothing;
        const float row = krn_row_residual(own.y - mine.y, mine.square);
        const float nearest = nearest_rest(own, mine.x, row);
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
            meet<true>(own, x, z, rest, number + s + i);
        }
        if (look_behind && met != 0 && s + LANES < count)
            behind = least_depth(own);
    }
}

/* The run of this warp in a grid of shape_of. With a way out for each order K = 8 was up to 4 %
 * slower. */
template <int K>
__device__ __forceinline__ run run_of(const krn_cuda_frame &frame)
{
    int column = (int)blockIdx.y, line = (int)blockIdx.x;
    if (K == 8 && from_middle(K, frame)) {
        const int n = (int)blockIdx.y, middle = (int)gridDim.y / 2;
        column = (int)blockIdx.x;
        line = n % 2 != 0 ? middle - (n + 1) / 2 : middle + n / 2;
    }
    return {column * LANES * K, line * (int)blockDim.y + (int)threadIdx.y};
}

template <int K, bool KEEP, class Storage>
__global__ void __launch_bounds__(LANES *ROWS, blocks_of(K, KEEP))
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame)
{
    const run run = run_of<K>(frame);
    if (run.row >= frame.height)
        return;
    pixels<K, KEEP> own;
    begin(own, run, frame);
    meet_all(own, storage, frame.count, 0);
    store(own, scene, run, frame);
}

struct shape {
    dim3 grid, block;
};

inline shape shape_of(int k, const krn_cuda_frame &frame)
{
    const int rows = rows_of(k, frame);
    const bool by_row = from_middle(k, frame);
    return {grid_of(k, rows, by_row, frame), dim3(LANES, (unsigned)rows)};
}

template <class Storage>
cudaError_t launch_from(Storage storage, int k, const krn_cuda_scene &scene,
                        const krn_cuda_frame &frame, cudaStream_t stream)
{
    return with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        const shape shape = shape_of(K, frame);
        return by_scene(frame, [&](auto small) {
            constexpr bool KEEP = keeps(K, decltype(small)::value);
            trace<K, KEEP><<<shape.grid, shape.block, 0, stream>>>(storage, scene, frame);
        });
    });
}

} // namespace krn_strip

#endif
