/* kernels/cuda/heat/strip.cuh - the strip kernel over a storage that lanes scan
 * (cuda/trace/strip_scan.cuh) between two readings of the clock. */
#ifndef KRN_HEAT_STRIP_CUH
#define KRN_HEAT_STRIP_CUH

#include "cuda/heat/cycles.cuh"
#include "cuda/heat/kernels.h"
#include "cuda/trace/strip_scan.cuh"

namespace krn_heat
{

using krn_strip::LANES;

template <int K, bool KEEP, class Storage>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS, krn_strip::blocks_of(K, KEEP))
    strip_cycles(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame, uint32_t *costs)
{
    const uint32_t start = clock_now();
    const krn_strip::run run = krn_strip::run_of<K>(frame);
    if (run.row >= frame.height)
        return;
    krn_strip::pixels<K, KEEP> strip;
    krn_strip::begin(strip, run, frame);
    krn_strip::intersect_all(strip, storage, frame.count, 0);
    krn_strip::store(strip, scene, run, frame);
    write_run<K>(run, frame, costs, clock_now() - start);
}

template <class Storage>
cudaError_t launch_strip(Storage storage, int k, const krn_cuda_scene &scene,
                         const krn_cuda_frame &frame, uint32_t *costs, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = krn_strip::shape_of(K, frame);
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool KEEP = krn_strip::keeps(K, decltype(small)::value);
            strip_cycles<K, KEEP>
                <<<shape.grid, shape.block, 0, stream>>>(storage, scene, frame, costs);
        });
    });
}

} // namespace krn_heat

#endif
