/* kernels/cuda/trace/strip_shade.cuh - from what won a thread's pixels to the bytes in the image.
 */
#ifndef KRN_STRIP_SHADE_CUH
#define KRN_STRIP_SHADE_CUH

#include "cuda/trace/strip.cuh"

namespace krn_strip
{

/* What pixels first..first+N-1 show. */
template <int N, int K, bool KEEP>
__device__ __forceinline__ void shade(const pixels<K, KEEP> &own, int first,
                                      const krn_cuda_scene &scene, uint32_t rgba[N])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        rgba[i] = KRN_RGBA_BLACK;
        any = any || own.winner[first + i] >= 0;
    }
    if constexpr (KEEP) {
        if (__any_sync(all_lanes, any))
            krn_batch::bytes<N>(own.winner + first, own.chord + first, scene.material, rgba);
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int s = own.winner[first + i];
            if (s >= 0)
                rgba[i] = krn_rgba(scene.packed[s], scene.material[s], own.x[first + i], own.y);
        }
    }
}

/* All lanes of a warp: a run's pixels into the image. */
template <int K, bool KEEP>
__device__ __forceinline__ void store(const pixels<K, KEEP> &own, const krn_cuda_scene &scene,
                                      const run &run, const krn_cuda_frame &frame)
{
    constexpr int N = pixels<K, KEEP>::BATCH;
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)run.row * (size_t)frame.pitch_bytes);
    if (!own.met) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = run.left + (int)threadIdx.x + LANES * k;
            if (i < frame.width)
                row[i] = KRN_RGBA_BLACK;
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < K; k += N) {
        uint32_t rgba[N];
        shade<N>(own, k, scene, rgba);
#pragma unroll
        for (int n = 0; n < N; n++) {
            const int i = run.left + (int)threadIdx.x + LANES * (k + n);
            if (i < frame.width)
                row[i] = rgba[n];
        }
    }
}

} // namespace krn_strip

#endif
