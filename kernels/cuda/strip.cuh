/* strip.cuh - K pixels of one row a thread, with storage and K as parameters.
 *
 * Pixels of a thread lie 32 apart, so a warp owns a run of 32 K neighbours of a row and passes over
 * a sphere as one: whether the run meets a sphere is one question for all of the warp. Where lanes
 * can read different spheres at no extra cost, each asks it for a sphere of its own, 32 at a time,
 * and a ballot says which are met. Constant memory serves one address at a time, so there a warp
 * asks for 32 spheres one after another, of their rows alone and without a branch: one bit each
 * (the sign of the rest, shifted in), and the loads run ahead of each other.
 *
 * Of those met many lie behind what the run shows already. The nearest pixel's depth is the most
 * that a sphere reaches in the run, since rounding keeps order (strip.h); when no pixel of the run
 * shows less, the sphere is passed over too. What the run shows is looked at again after every 32
 * spheres. With one or two pixels a thread to spare that costs more than it saves; and with
 * constant memory it lets warps fall out of step, which then no longer share what one of them
 * brought into the cache (K = 4, 2339 spheres: twice the time).
 *
 * With K = 8 and more threads are few, and there are not enough warps to hide what one waits for:
 * those met take four pixels together. In small scenes at K = 8 the pixels are also shaded by four,
 * from the chords that were kept; with more spheres or pixels the registers for that keep warps
 * away, and time rises.
 */
#ifndef KRN_STRIP_CUH
#define KRN_STRIP_CUH

#include "cuda_kernels.h"
#include "strip.h"

namespace krn_strip
{

enum { LANES = 32, ROWS = 8, GROUP = 32, SMALL_GROUP = 8, SMALL_SCENE = 128 };

const unsigned all_lanes = 0xffffffffu;

/* KEEP: the half chord of what a pixel shows is kept, and not computed again for its shade. */
template <int K, bool KEEP>
struct pixels {
    enum { CHORDS = KEEP ? K : 1 };
    float x[K], y, first, last;
    float deepest[K], chord[CHORDS];
    int winner[K];
    bool met; /* a sphere, by the run */
};

template <int K, bool KEEP>
__device__ __forceinline__ void begin(pixels<K, KEEP> &own, int left, int j,
                                      const krn_cuda_frame &frame)
{
    own.met = false;
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

template <int K, bool KEEP>
__device__ __forceinline__ void offer(pixels<K, KEEP> &own, int k, float chord, float z, int number)
{
    const float depth = chord + z;
    if (depth > own.deepest[k]) {
        own.deepest[k] = depth;
        own.winner[k] = number;
        if constexpr (KEEP)
            own.chord[k] = chord;
    }
}

/* Four pixels with one branch: of a sphere at x and z, whose rest of the row is `row`. */
template <int K, bool KEEP>
__device__ __forceinline__ void meet_four(pixels<K, KEEP> &own, int first, float x, float z,
                                          float row, int number)
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
        float chord = root(square[i]);
        if (least < too_small)
            chord = square[i] > 0.0f ? sqrtf(square[i]) : -INFINITY;
        offer(own, first + i, chord, z, number);
    }
}

/* A sphere that the run meets against the K pixels. */
template <bool BY_FOUR, int K, bool KEEP>
__device__ __forceinline__ void meet(pixels<K, KEEP> &own, float x, float z, float row, int number)
{
    own.met = true;
    if constexpr (BY_FOUR) {
#pragma unroll
        for (int k = 0; k < K; k += 4)
            meet_four(own, k, x, z, row, number);
    } else {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const float square = krn_rest_of_pixel(own.x[k] - x, row);
            if (square > 0.0f)
                offer(own, k, sqrtf(square), z, number);
        }
    }
}

/* Of the pixel of the run that is nearest to a sphere; > 0: the run meets it. */
template <int K, bool KEEP>
__device__ __forceinline__ float nearest_rest(const pixels<K, KEEP> &own, float x, float row)
{
    return krn_rest_of_pixel(krn_beside(own.first, own.last, x), row);
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
__device__ __forceinline__ void meet_by_lanes(pixels<K, KEEP> &own, const Storage &storage,
                                              int count, int number)
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
        const float nearest = nearest_rest(own, mine.x, row);
        bool seen = nearest > 0.0f;
        if constexpr (look_behind)
            seen = seen && !(nearest >= 0x1p-100f && root(nearest) + mine.z <= behind);
        const unsigned met = __ballot_sync(all_lanes, seen);
        for (unsigned left = met; left != 0; left &= left - 1) {
            const int i = __ffs((int)left) - 1;
            const float x = __shfl_sync(all_lanes, mine.x, i),
                        z = __shfl_sync(all_lanes, mine.z, i),
                        rest = __shfl_sync(all_lanes, row, i);
            meet<(K >= 8)>(own, x, z, rest, number + s + i);
        }
        if (look_behind && met != 0 && s + LANES < count)
            behind = least_depth(own);
    }
}

/* The same where all lanes read one sphere: one. */
template <int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_one(pixels<K, KEEP> &own, const Storage &storage, int s,
                                         int number)
{
    const float2 rows = storage.row(s), rest = storage.rest(s);
    const float row = krn_rest_of_row(own.y - rows.x, rows.y);
    if (nearest_rest(own, rest.x, row) > 0.0f)
        meet<(K >= 4)>(own, rest.x, rest.y, row, number);
}

/* N from s on: one bit each, then those whose bit says so. */
template <int N, int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_group(pixels<K, KEEP> &own, const Storage &storage, int s,
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
        meet_one(own, storage, s + i, number + s + i);
    }
}

/* All, groups first: a small scene may be little else than what is left of them. */
template <int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_by_rows(pixels<K, KEEP> &own, const Storage &storage,
                                             int count, int number)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP)
        meet_group<GROUP>(own, storage, s, number);
    for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
        meet_group<SMALL_GROUP>(own, storage, s, number);
    for (; s < count; s++) {
        const float2 rows = storage.row(s);
        if (krn_rest_of_row(own.y - rows.x, rows.y) > 0.0f)
            meet_one(own, storage, s, number + s);
    }
}

template <int K, bool KEEP, class Storage>
__device__ __forceinline__ void meet_all(pixels<K, KEEP> &own, const Storage &storage, int count,
                                         int number)
{
    if constexpr (Storage::BY_LANES)
        meet_by_lanes(own, storage, count, number);
    else
        meet_by_rows(own, storage, count, number);
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
__global__ void __launch_bounds__(LANES *ROWS)
    trace(Storage storage, krn_cuda_scene scene, krn_cuda_frame frame)
{
    const int left = (int)blockIdx.x * LANES * K;
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (j >= frame.height)
        return;
    pixels<K, KEEP> own;
    begin(own, left, j, frame);
    meet_all(own, storage, frame.count, 0);
    store(own, scene, left, j, frame);
}

/* Rows of a block, each a warp's. Threads with many pixels are few: in small blocks they spread
 * evenly over the multiprocessors, and none waits for the slowest of eight. */
inline int rows_of(int k)
{
    return k < 8 ? ROWS : 32 / k;
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
    const dim3 grid = grid_of(K, rows, frame), block(LANES, (unsigned)rows);
    if constexpr (K == 8) {
        if (frame.count <= SMALL_SCENE) {
            trace<K, true><<<grid, block, 0, stream>>>(storage, scene, frame);
            return cudaPeekAtLastError();
        }
    }
    trace<K, false><<<grid, block, 0, stream>>>(storage, scene, frame);
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
