/* kernels/cuda/trace/strip_scan.cuh - the strip kernel over a storage from which lanes read
 * different spheres at once, and its launch. A storage is a type with a member at(s), which returns
 * packed sphere s.
 *
 * Lanes read 32 different spheres as fast as one, so each lane tests its own sphere against the
 * run, and a ballot collects the candidates.
 *
 * Many candidates are occluded by what the run already shows. A sphere's depth at the pixel nearest
 * to its centre is its greatest depth in the run, since rounding is monotonic (strip.h); when no
 * pixel of the run shows less, the sphere is rejected too. The least depth of the run is computed
 * again after every 32 spheres. With fewer than four pixels per thread this costs more than it
 * saves.
 */
#pragma once

#include "cuda/trace/strip_launch.cuh"

namespace krn_strip
{

/* Converts 16 bytes, read with one load, to a sphere. */
__device__ __forceinline__ krn_packed packed_of(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}

/* Intersects spheres 0..count-1 of a storage, one per lane at a time, with the run. Their numbers
 * in the scene start at `number`. The candidates count as tests. */
template <int K, bool KEEP, class Storage, class Costs>
__device__ __forceinline__ void intersect_all(pixels<K, KEEP> &strip, const Storage &storage,
                                              int count, int number, Costs &costs)
{
    constexpr bool test_occlusion = K >= 4;
    const int lane = (int)threadIdx.x;
    /* The least depth that a pixel of the run shows. */
    float least = test_occlusion && number > 0 ? least_depth(strip) : -INFINITY;
    const krn_packed none = {0.0f, -1.0f, 0.0f, 0.0f}; /* r^2 < 0: no row hits it */
    krn_packed next = lane < count ? storage.at(lane) : none;
    for (int s = 0; s < count; s += LANES) {
        const krn_packed mine = next;
        const int ahead = s + LANES + lane;
        next = ahead < count ? storage.at(ahead) : none;
        const float row = krn_row_residual(strip.y - mine.y, mine.square);
        const float nearest = nearest_residual(strip, mine.x, row);
        bool candidate = nearest > 0.0f;
        if constexpr (test_occlusion)
            candidate = candidate &&
                        !(nearest >= KRN_ROOT_LEAST && krn_batch::root(nearest) + mine.z <= least);
        const unsigned candidates = __ballot_sync(all_lanes, candidate);
        costs.count(__popc(candidates));
        for (unsigned left = candidates; left != 0; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, mine.x, i),
                        z = __shfl_sync(all_lanes, mine.z, i),
                        row_i = __shfl_sync(all_lanes, row, i);
            strip.any_candidate = true;
            intersect<true>(strip, x, z, row_i, number + s + i);
        }
        if (test_occlusion && candidates != 0 && s + LANES < count)
            least = least_depth(strip);
    }
}

/* Returns the run of this warp in a grid of shape_of. It has one return for both orders, because K
 * = 8 was up to 4 % slower with two (H200). */
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

template <int K, bool KEEP, class Storage, class Costs>
__global__ void __launch_bounds__(LANES *ROWS, blocks_of(K, KEEP))
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame, Costs costs)
{
    costs.begin();
    const run run = run_of<K>(frame);
    if (run.row >= frame.height)
        return;
    pixels<K, KEEP> strip;
    begin(strip, run, frame);
    intersect_all(strip, storage, frame.count, 0, costs);
    store(strip, scene, run, frame);
    write_costs<K>(run, frame, costs);
}

inline shape shape_of(int k, const krn_cuda_frame &frame)
{
    const int rows = rows_of(k, frame);
    const bool by_row = from_middle(k, frame);
    return {grid_of(k, rows, by_row, frame), dim3(LANES, (unsigned)rows)};
}

template <class Storage>
cudaError_t launch_from(Storage storage, int k, const krn_cuda_scene &scene,
                        const krn_cuda_frame &frame, uint32_t *cycles, cudaStream_t stream)
{
    return with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const shape shape = shape_of(K, frame);
        return by_scene(frame, cycles, [&](auto small, auto costs) {
            constexpr bool KEEP = keeps(K, decltype(small)::value);
            trace<K, KEEP><<<shape.grid, shape.block, 0, stream>>>(storage, scene, frame, costs);
        });
    });
}

} // namespace krn_strip
