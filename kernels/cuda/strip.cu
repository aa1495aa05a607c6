/* The strip from global memory, through the read-only path, and from shared memory.
 *
 * Lanes read different spheres as fast as one: each asks for a sphere of its own whether the run
 * meets it, 32 at a time, and a ballot tells all.
 *
 * Of those met many lie behind what the run shows already. The nearest pixel's depth is the most
 * that a sphere reaches in the run, since rounding keeps order (strip.h); when no pixel of the run
 * shows less, the sphere is passed over too. What the run shows is looked at again after every 32
 * spheres. With fewer than four pixels a thread that costs more than it saves.
 *
 * Small scenes at K = 8 shade four pixels together, from chords that were kept; with more spheres
 * the registers for it keep warps away.
 */
#include "strip.cuh"

namespace
{

using krn_strip::pixels;

enum { LANES = krn_strip::LANES, SMALL_SCENE = 128 };

const unsigned all_lanes = 0xffffffffu;

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

/* A sphere that the run meets against the K pixels. */
template <int K, bool KEEP>
__device__ __forceinline__ void meet(pixels<K, KEEP> &own, float x, float z, float row, int number)
{
    own.met = true;
    if constexpr (K >= 8) {
#pragma unroll
        for (int k = 0; k < K; k += 4)
            krn_strip::meet_four(own, k, x, z, row, number);
    } else {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const float square = krn_rest_of_pixel(own.x[k] - x, row);
            if (square > 0.0f)
                krn_strip::offer(own, k, sqrtf(square), z, number);
        }
    }
}

__device__ __forceinline__ float least_of_warp(float x)
{
#if __CUDA_ARCH__ >= 800
    /* As integers that have the order of the floats, and back. */
    const int bits = __float_as_int(x), most = 0x7fffffff;
    const int least = __reduce_min_sync(all_lanes, bits ^ (bits >> 31 & most));
    return __int_as_float(least ^ (least >> 31 & most));
#else
    for (int other = LANES / 2; other > 0; other /= 2)
        x = fminf(x, __shfl_xor_sync(all_lanes, x, other));
    return x;
#endif
}

/* The least depth that a pixel of the run shows. */
template <int K, bool KEEP>
__device__ __forceinline__ float least_depth(const pixels<K, KEEP> &own)
{
    float least = own.deepest[0];
#pragma unroll
    for (int k = 1; k < K; k++)
        least = fminf(least, own.deepest[k]);
    return least_of_warp(least);
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
        const float row = krn_rest_of_row(own.y - mine.y, mine.square);
        const float nearest = krn_strip::nearest_rest(own, mine.x, row);
        bool seen = nearest > 0.0f;
        if constexpr (look_behind)
            seen = seen && !(nearest >= 0x1p-100f && krn_strip::root(nearest) + mine.z <= behind);
        const unsigned met = __ballot_sync(all_lanes, seen);
        for (unsigned left = met; left != 0; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, mine.x, i),
                        z = __shfl_sync(all_lanes, mine.z, i),
                        rest = __shfl_sync(all_lanes, row, i);
            meet(own, x, z, rest, number + s + i);
        }
        if (look_behind && met != 0 && s + LANES < count)
            behind = least_depth(own);
    }
}

/* a / b, correctly rounded, for `ordinary` a <= b: as the language's own, without its branch for
 * other operands. */
__device__ __forceinline__ float quotient(float a, float b)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    inverse = krn_fma(krn_fma(-b, inverse, 1.0f), inverse, inverse);
    float near = a * inverse;
    near = krn_fma(krn_fma(-b, near, a), inverse, near);
    return krn_fma(krn_fma(-b, near, a), inverse, near);
}

/* From 2^-60 to 2^60. */
__device__ __forceinline__ bool ordinary(float x)
{
    const unsigned least = 0x21800000u, most = 0x5d800000u;
    return __float_as_uint(x) - least <= most - least;
}

/* Four pixels' bytes from the chords that were kept, with one branch. */
template <int K>
__device__ __forceinline__ void shade_four(const pixels<K, true> &own, int first,
                                           const krn_paint *paints, uint32_t rgba[4])
{
    krn_paint paint[4];
    bool plain = true;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int s = own.winner[first + i];
        paint[i] = paints[max(s, 0)];
        plain = plain && (s < 0 || (ordinary(own.chord[first + i]) && ordinary(paint[i].radius)));
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float shade = quotient(own.chord[first + i], paint[i].radius);
        if (!plain)
            shade = own.chord[first + i] / paint[i].radius;
        rgba[i] = own.winner[first + i] < 0 ? KRN_RGBA_BLACK : krn_rgba_of(paint[i], shade);
    }
}

/* What pixels first..first+3 show, or fewer where K is less. */
template <int K, bool KEEP>
__device__ __forceinline__ void shade(const pixels<K, KEEP> &own, int first,
                                      const krn_cuda_scene &scene, uint32_t rgba[4])
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < 4 && first + i < K; i++) {
        rgba[i] = KRN_RGBA_BLACK;
        any = any || own.winner[first + i] >= 0;
    }
    if constexpr (KEEP) {
        if (__any_sync(all_lanes, any))
            shade_four(own, first, scene.paint, rgba);
    } else {
#pragma unroll
        for (int i = 0; i < 4 && first + i < K; i++) {
            const int s = own.winner[first + i];
            if (s >= 0)
                rgba[i] = krn_rgba(scene.packed[s], scene.paint[s], own.x[first + i], own.y);
        }
    }
}

template <int K, bool KEEP>
__device__ __forceinline__ void store(const pixels<K, KEEP> &own, const krn_cuda_scene &scene,
                                      int left, int j, const krn_cuda_frame &frame)
{
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)j * (size_t)frame.pitch_bytes);
    if (!own.met) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int i = left + (int)threadIdx.x + LANES * k;
            if (i < frame.width)
                row[i] = KRN_RGBA_BLACK;
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < K; k += 4) {
        uint32_t rgba[4];
        shade(own, k, scene, rgba);
#pragma unroll
        for (int n = 0; n < 4 && k + n < K; n++) {
            const int i = left + (int)threadIdx.x + LANES * (k + n);
            if (i < frame.width)
                row[i] = rgba[n];
        }
    }
}

template <int K, bool KEEP, class Storage>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame)
{
    const int left = (int)blockIdx.x * LANES * K;
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (j >= frame.height)
        return;
    pixels<K, KEEP> own;
    krn_strip::begin(own, left, j, frame);
    meet_all(own, storage, frame.count, 0);
    store(own, scene, left, j, frame);
}

enum { STAGE = 1024, THREADS = LANES * krn_strip::ROWS }; /* 16 KiB at a time */

template <int K, bool KEEP>
__global__ void __launch_bounds__(THREADS) trace_shared(krn_cuda_scene scene, krn_cuda_frame frame)
{
    __shared__ krn_packed staged[STAGE];
    const int left = (int)blockIdx.x * LANES * K;
    const int j = (int)(blockIdx.y * krn_strip::ROWS + threadIdx.y);
    const int rank = (int)(threadIdx.x + threadIdx.y * LANES);
    pixels<K, KEEP> own;
    krn_strip::begin(own, left, j, frame);
    const shared_storage storage = {staged};

    /* Rows beyond the image's edge stage too: every thread must reach the barriers. */
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        __syncthreads();
        for (int s = rank; s < count; s += THREADS)
            ((float4 *)staged)[s] = ((const float4 *)(scene.packed + first))[s];
        __syncthreads();
        meet_all(own, storage, count, first);
    }
    if (j < frame.height)
        store(own, scene, left, j, frame);
}

/* launch(keep) with keep.value, whether K pixels a thread keep their chords. */
template <int K, class Launch>
cudaError_t by_scene(const krn_cuda_frame &frame, const Launch &launch)
{
    if constexpr (K == 8) {
        if (frame.count <= SMALL_SCENE) {
            launch(std::true_type());
            return cudaPeekAtLastError();
        }
    }
    launch(std::false_type());
    return cudaPeekAtLastError();
}

template <class Storage>
cudaError_t launch_from(Storage storage, int k, const krn_cuda_scene &scene,
                        const krn_cuda_frame &frame, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        const int rows = krn_strip::rows_of(K);
        const dim3 grid = krn_strip::grid_of(K, rows, frame), block(LANES, (unsigned)rows);
        return by_scene<K>(frame, [&](auto keep) {
            trace<K, decltype(keep)::value><<<grid, block, 0, stream>>>(storage, scene, frame);
        });
    });
}

} // namespace

cudaError_t krn_cuda_strip_global(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    return launch_from(global_storage{scene.packed}, k, scene, frame, stream);
}

cudaError_t krn_cuda_strip_readonly(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    return launch_from(readonly_storage{scene.packed}, k, scene, frame, stream);
}

cudaError_t krn_cuda_strip_shared(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                  cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        const dim3 grid = krn_strip::grid_of(K, krn_strip::ROWS, frame);
        return by_scene<K>(frame, [&](auto keep) {
            trace_shared<K, decltype(keep)::value>
                <<<grid, dim3(LANES, krn_strip::ROWS), 0, stream>>>(scene, frame);
        });
    });
}
