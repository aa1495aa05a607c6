/* Sphere tests of the strip kernel: the candidates that a warp intersects with its run. They depend
 * on the storage only in that a kernel that lanes scan also rejects what the run already occludes,
 * with four or more pixels per thread (cuda/trace/strip_scan.cuh), and the one from constant memory
 * does not. */
#include "cuda/heat/strip.cuh"

namespace
{

using krn_heat::LANES;
using krn_warp::all_lanes;

/* Counts in krn_strip::intersect_all; OCCLUSION as its test_occlusion. */
template <int K, bool OCCLUSION>
__device__ __forceinline__ uint32_t intersect_all(krn_strip::pixels<K, false> &strip,
                                                  const krn_packed *spheres, int count)
{
    const int lane = (int)threadIdx.x;
    const krn_packed none = {0.0f, -1.0f, 0.0f, 0.0f}; /* r^2 < 0: no row hits it */
    float least = -INFINITY;
    uint32_t tests = 0;
    for (int s = 0; s < count; s += LANES) {
        const krn_packed mine = s + lane < count ? spheres[s + lane] : none;
        const float row = krn_row_residual(strip.y - mine.y, mine.square);
        const float nearest = krn_strip::nearest_residual(strip, mine.x, row);
        bool candidate = nearest > 0.0f;
        if constexpr (OCCLUSION)
            candidate = candidate &&
                        !(nearest >= KRN_ROOT_LEAST && krn_batch::root(nearest) + mine.z <= least);
        const unsigned candidates = __ballot_sync(all_lanes, candidate);
        tests += (uint32_t)__popc(candidates);
        for (unsigned left = candidates; left != 0; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, mine.x, i),
                        z = __shfl_sync(all_lanes, mine.z, i),
                        row_i = __shfl_sync(all_lanes, row, i);
            strip.any_candidate = true;
            krn_strip::intersect<true>(strip, x, z, row_i, s + i);
        }
        if (OCCLUSION && candidates != 0)
            least = krn_strip::least_depth(strip);
    }
    return tests;
}

template <int K, bool OCCLUSION>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    strip_tests(krn_cuda_scene scene, krn_cuda_frame frame, uint32_t *costs)
{
    const krn_strip::run run = krn_strip::run_of<K>(frame);
    if (run.row >= frame.height)
        return;
    krn_strip::pixels<K, false> strip;
    krn_strip::begin(strip, run, frame);
    const uint32_t tests = intersect_all<K, OCCLUSION>(strip, scene.packed, frame.count);
    krn_strip::store(strip, scene, run, frame);
    krn_heat::write_run<K>(run, frame, costs, tests);
}

template <bool SCAN>
cudaError_t launch(const krn_cuda_posed *posed, int k, const krn_cuda_frame &frame, uint32_t *costs,
                   cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = krn_strip::shape_of(K, frame);
        strip_tests<K, SCAN && K >= 4>
            <<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame, costs);
        return cudaPeekAtLastError();
    });
}

} // namespace

cudaError_t krn_cuda_heat_scan_tests(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                     uint32_t *costs, cudaStream_t stream)
{
    return launch<true>(posed, k, frame, costs, stream);
}

cudaError_t krn_cuda_heat_constant_tests(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                         uint32_t *costs, cudaStream_t stream)
{
    return launch<false>(posed, k, frame, costs, stream);
}
