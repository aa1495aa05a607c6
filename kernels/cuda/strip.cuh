/* strip.cuh - K pixels of one row a thread, with storage and K as parameters.
 *
 * Pixels of a thread lie 32 apart, so a warp owns 32 K neighbours of a row and passes over a sphere
 * as one. Spheres are looked at 32 at a time: first their rows alone, which leaves one bit each
 * (the sign of the rest, shifted in), then those whose bit says that the row meets them. The first
 * step has no branch, so its loads run ahead of each other; the second is rare.
 *
 * Threads with many pixels are few, and there are not enough warps to hide what one waits for. From
 * K = Storage::WIDE_FROM on a thread therefore does more at once: those met take four pixels
 * together, and, until K = Storage::FEW_UNTIL, spheres that make no 32 are looked at 8 at a time.
 * Elsewhere the registers for it would keep warps away, and time would rise.
 */
#ifndef KRN_STRIP_CUH
#define KRN_STRIP_CUH

#include "cuda_kernels.h"
#include "strip.h"

namespace krn_strip
{

enum { LANES = 32, ROWS = 8, GROUP = 32, SMALL_GROUP = 8 };

template <int K>
struct pixels {
    float x[K], y, first, last;
    float deepest[K];
    int winner[K];
};

template <int K>
__device__ __forceinline__ void begin(pixels<K> &own, int left, int j, const krn_cuda_frame &frame)
{
    own.y = krn_ray(j, frame.height, frame.unit);
    own.first = krn_ray(left, frame.width, frame.unit);
    own.last = krn_ray(left + LANES * K - 1, frame.width, frame.unit);
#pragma unroll
    for (int k = 0; k < K; k++) {
        own.x[k] = krn_ray(left + (int)threadIdx.x + LANES * k, frame.width, frame.unit);
        own.deepest[k] = -INFINITY;
        own.winner[k] = KRN_NOBODY;
    }
}

/* The root of x >= 2^-101, correctly rounded: an estimate, then Newton's step on the exact residue
 * (P. Markstein, IA-64 and Elementary Functions, 2000). sqrtf gives the same, but branches for
 * other operands, and between branches the roots of several pixels cannot overlap. NaN for x <= 0.
 */
__device__ __forceinline__ float root(float x)
{
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float near = x * inverse;
    return krn_fma(krn_fma(-near, near, x), 0.5f * inverse, near);
}

/* As bits less one, which puts 0 and everything negative behind: what `root` cannot take, and what
 * is no square of a pixel that hits. */
const unsigned too_small = 0x0cffffffu, not_positive = 0x7f800000u;

template <int K>
__device__ __forceinline__ void offer(pixels<K> &own, int k, float depth, int number)
{
    if (depth > own.deepest[k]) {
        own.deepest[k] = depth;
        own.winner[k] = number;
    }
}

/* Four pixels with one branch: of a sphere at x and z, whose rest of the row is `row`. */
template <int K>
__device__ __forceinline__ void meet_four(pixels<K> &own, int first, float x, float z, float row,
                                          int number)
{
    float square[4];
    unsigned least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        square[i] = krn_rest_of_pixel(own.x[first + i] - x, row);
        least = min(least, __float_as_uint(square[i]) - 1u);
    }
    if (least >= not_positive)
        return;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float depth = root(square[i]) + z;
        if (least < too_small)
            depth = square[i] > 0.0f ? sqrtf(square[i]) + z : -INFINITY;
        offer(own, first + i, depth, number);
    }
}

/* A sphere that the row meets against the K pixels. */
template <int K, class Storage>
__device__ __forceinline__ void meet(pixels<K> &own, const Storage &storage, int s, int number)
{
    const float2 rows = storage.row(s), rest = storage.rest(s);
    const float row = krn_rest_of_row(own.y - rows.x, rows.y);
    const float x = rest.x, z = rest.y;
    if (!(krn_rest_of_pixel(krn_beside(own.first, own.last, x), row) > 0.0f))
        return;
    if constexpr (K >= 4 && K >= Storage::WIDE_FROM) {
#pragma unroll
        for (int k = 0; k < K; k += 4)
            meet_four(own, k, x, z, row, number);
    } else {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const float square = krn_rest_of_pixel(own.x[k] - x, row);
            if (square > 0.0f)
                offer(own, k, sqrtf(square) + z, number);
        }
    }
}

/* N spheres of a storage from s on: one bit each, then those whose bit says so. */
template <int N, int K, class Storage>
__device__ __forceinline__ void meet_group(pixels<K> &own, const Storage &storage, int s,
                                           int number)
{
    unsigned missed = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const float2 rows = storage.row(s + i);
        const float row = krn_rest_of_row(own.y - rows.x, rows.y);
        missed = __funnelshift_l(__float_as_uint(row), missed, 1);
    }
    for (unsigned met = ~missed << (32 - N); met != 0;) {
        const int i = __clz((int)met);
        met &= ~(0x80000000u >> i);
        meet(own, storage, s + i, number + s + i);
    }
}

/* Spheres 0..count-1 of a storage, which the scene numbers from `number` on. */
template <int K, class Storage>
__device__ __forceinline__ void meet_all(pixels<K> &own, const Storage &storage, int count,
                                         int number)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP)
        meet_group<GROUP>(own, storage, s, number);
    /* What is left of a large scene costs little; a small one may be nothing else. */
    if constexpr (K >= Storage::WIDE_FROM && K <= Storage::FEW_UNTIL)
        for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
            meet_group<SMALL_GROUP>(own, storage, s, number);
    for (; s < count; s++) {
        const float2 rows = storage.row(s);
        if (krn_rest_of_row(own.y - rows.x, rows.y) > 0.0f)
            meet(own, storage, s, number + s);
    }
}

template <int K>
__device__ __forceinline__ void store(const pixels<K> &own, const krn_cuda_scene &scene, int left,
                                      int j, const krn_cuda_frame &frame)
{
    uint32_t *row = (uint32_t *)(frame.pixels + (size_t)j * (size_t)frame.pitch_bytes);
#pragma unroll
    for (int k = 0; k < K; k++) {
        const int i = left + (int)threadIdx.x + LANES * k;
        if (i >= frame.width)
            return;
        const int s = own.winner[k];
        row[i] =
            s < 0 ? KRN_RGBA_BLACK : krn_rgba(scene.packed[s], scene.paint[s], own.x[k], own.y);
    }
}

template <int K, class Storage>
__global__ void __launch_bounds__(LANES *ROWS)
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame)
{
    const int left = (int)blockIdx.x * LANES * K;
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (j >= frame.height)
        return;
    pixels<K> own;
    begin(own, left, j, frame);
    meet_all(own, storage, frame.count, 0);
    store(own, scene, left, j, frame);
}

/* Rows of a block, each a warp's. Threads with many pixels are few: in blocks of two warps they
 * spread evenly over the multiprocessors, and none waits for the slowest of eight. */
inline int rows_of(int k)
{
    return k < 8 ? ROWS : 2;
}

inline dim3 grid_of(int k, int rows, const krn_cuda_frame &frame)
{
    const int wide = LANES * k;
    return dim3((unsigned)((frame.width + wide - 1) / wide),
                (unsigned)((frame.height + rows - 1) / rows));
}

template <int K, class Storage>
cudaError_t launch(Storage storage, int rows, const krn_cuda_scene &scene,
                   const krn_cuda_frame &frame, cudaStream_t stream)
{
    trace<K><<<grid_of(K, rows, frame), dim3(LANES, (unsigned)rows), 0, stream>>>(storage, scene,
                                                                                  frame);
    return cudaPeekAtLastError();
}

/* K as a number that the host chooses, to K as one that the compiler knows. */
template <class Storage>
cudaError_t launch_k(Storage storage, int k, int rows, const krn_cuda_scene &scene,
                     const krn_cuda_frame &frame, cudaStream_t stream)
{
    switch (k) {
    case 1:
        return launch<1>(storage, rows, scene, frame, stream);
    case 2:
        return launch<2>(storage, rows, scene, frame, stream);
    case 4:
        return launch<4>(storage, rows, scene, frame, stream);
    case 8:
        return launch<8>(storage, rows, scene, frame, stream);
    case 16:
        return launch<16>(storage, rows, scene, frame, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace krn_strip

#endif
