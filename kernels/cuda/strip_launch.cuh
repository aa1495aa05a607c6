/* strip_launch.cuh - how the strip's pixels are dealt to blocks, and numbers that the host knows to
 * numbers that the compiler knows. Every limit here was measured on an H200: docs/kernels.md. */
#ifndef KRN_STRIP_LAUNCH_CUH
#define KRN_STRIP_LAUNCH_CUH

#include "strip.cuh"

#include <type_traits>

namespace krn_strip
{

/* Rows of a block, each a warp's. */
enum { ROWS = 8 };

/* SMALL_SCENE: with so many spheres, or fewer, chords are kept, for K > 1: much of the time goes
 * into shades, and into waiting for them. With more it goes into meeting spheres, and the registers
 * are better spent on more warps. LIGHT_SCENE: with so few a warp has little to do, and how full
 * its row is hardly matters. */
enum { SMALL_SCENE = 320, LIGHT_SCENE = 128 };

__host__ __device__ constexpr bool keeps(int k, bool small)
{
    return small && k > 1;
}

/* Threads with many pixels are few: in small blocks they spread evenly over the multiprocessors,
 * and none waits for the slowest of eight. Not smaller than four, or the four parts of a
 * multiprocessor get unequal work. */
inline int rows_of(int k, const krn_cuda_frame &frame)
{
    return k >= 8 || (k == 4 && frame.count <= LIGHT_SCENE) ? ROWS / 2 : (int)ROWS;
}

/* Blocks are dealt one column of the picture after the other, so that a multiprocessor gets rows of
 * every column: row by row it would get most of them in one, and wide pictures are empty at both
 * sides. But with K = 8 and more than a few spheres, a picture that is not wide is dealt row by
 * row, from the middle outwards: nearly all blocks run at once then, and pictures are fullest in
 * the middle, so every multiprocessor gets as many full rows as empty ones. */
__host__ __device__ inline bool from_middle(int k, const krn_cuda_frame &frame)
{
    return k == 8 && frame.count > LIGHT_SCENE && 4 * frame.width <= 5 * frame.height;
}

inline dim3 grid_of(int k, int rows, const krn_cuda_frame &frame)
{
    const int wide = LANES * k;
    const unsigned columns = (unsigned)((frame.width + wide - 1) / wide),
                   lines = (unsigned)((frame.height + rows - 1) / rows);
    return from_middle(k, frame) ? dim3(columns, lines) : dim3(lines, columns);
}

/* The run of this warp, in a grid of grid_of. */
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

/* Blocks of LANES * ROWS threads that must fit on a multiprocessor at a time: where the compiler
 * has to save a few registers for it, and one block more fits. For sm_90 alone, where it was
 * measured: elsewhere registers might spill. */
constexpr int blocks_of(int k, bool keep)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
    return k == 4 ? 5 : k == 8 && !keep ? 4 : 1;
#else
    (void)k, (void)keep;
    return 1;
#endif
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

/* launch(small) with small.value, whether the scene is one; what a peek after it says. */
template <class Launch>
cudaError_t by_scene(const krn_cuda_frame &frame, const Launch &launch)
{
    if (frame.count <= SMALL_SCENE)
        launch(std::true_type());
    else
        launch(std::false_type());
    return cudaPeekAtLastError();
}

} // namespace krn_strip

#endif
