/* kernels/cuda/trace/strip_shade.cuh - shades a thread's pixels and stores them in the image. */
#ifndef KRN_STRIP_SHADE_CUH
#define KRN_STRIP_SHADE_CUH

#include "cuda/trace/strip.cuh"

namespace krn_strip
{

/* Computes the bytes of pixels first..first+N-1. */
template <int N, int K, bool KEEP>
__device__ __forceinline__ void shade(const pixels<K, KEEP> &strip, int first,
                                      const krn_cuda_scene &scene, uint32_t rgba[N])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        rgba[i] = KRN_RGBA_BLACK;
        any = any || strip.winner[first + i] >= 0;
    }
    if constexpr (KEEP) {
        if (__any_sync(all_lanes, any))
            krn_batch::bytes<N>(strip.winner + first, strip.chord + first, scene.material, rgba);
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int s = strip.winner[first + i];
            if (s >= 0)
                rgba[i] = krn_rgba(scene.packed[s], scene.material[s], strip.x[first + i], strip.y);
        }
    }
}

/* Stores the pixels of a run in the image. All lanes of the warp must call. */
template <int K, bool KEEP>
__device__ __forceinline__ void store(const pixels<K, KEEP> &strip, const krn_cuda_scene &scene,
                                      const run &run, const krn_cuda_frame &frame)
{
    constexpr int N = pixels<K, KEEP>::BATCH;
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)run.row * (size_t)frame.pitch_bytes);
    if (!strip.any_candidate) {
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
        shade<N>(strip, k, scene, rgba);
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
