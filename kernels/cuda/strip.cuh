/* strip.cuh - K pixels of one row a thread: what the strip's kernels have in common.
 *
 * Pixels of a thread lie 32 apart, so a warp owns a run of 32 K neighbours of a row and passes over
 * a sphere as one: whether the run meets a sphere is one question for all of the warp. How it is
 * asked depends on where the spheres are read from: strip.cu and strip_constant.cu.
 *
 * With many pixels a thread there are few threads, and not enough warps to hide what one waits for:
 * of a sphere that is met four pixels take their roots together, with one branch for all.
 */
#ifndef KRN_STRIP_CUH
#define KRN_STRIP_CUH

#include "cuda_kernels.h"
#include "strip.h"

#include <type_traits>

namespace krn_strip
{

enum { LANES = 32, ROWS = 8 };

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

/* Of the pixel of the run that is nearest to a sphere; > 0: the run meets it. */
template <int K, bool KEEP>
__device__ __forceinline__ float nearest_rest(const pixels<K, KEEP> &own, float x, float row)
{
    return krn_rest_of_pixel(krn_beside(own.first, own.last, x), row);
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

/* K as a number that the host chooses, to K as one that the compiler knows: launch(K) with
 * K.value. */
template <class Launch>
cudaError_t with_k(int k, const Launch &launch)
{
    switch (k) {
    case 1:
        return launch(std::integral_constant<int, 1>());
    case 2:
        return launch(std::integral_constant<int, 2>());
    case 4:
        return launch(std::integral_constant<int, 4>());
    case 8:
        return launch(std::integral_constant<int, 8>());
    case 16:
        return launch(std::integral_constant<int, 16>());
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace krn_strip

#endif
