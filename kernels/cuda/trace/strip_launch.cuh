/* kernels/cuda/trace/strip_launch.cuh - how the strip's pixels are dealt to blocks, and numbers
 * that the host knows to numbers that the compiler knows. Every limit here was measured on an H200:
 * docs/kernels.md. */
#ifndef KRN_STRIP_LAUNCH_CUH
#define KRN_STRIP_LAUNCH_CUH

#include "cuda/trace/strip.cuh"

#include <type_traits>

namespace krn_strip
{

/* Rows of a block, each a warp's. */
enum { ROWS = 8 };

/* SMALL_SCENE: with so many spheres, or fewer, chords are kept, for K > 1: much of the time goes
 * into shades, and into waiting for them. With more it goes into meeting spheres, and the registers
 * are better spent on more warps. LIGHT_SCENE: with so few a warp is soon done; how full its row is
 * hardly matters, and that a block waits for its slowest warp does. */
enum { SMALL_SCENE = 320, LIGHT_SCENE = 128 };

__host__ __device__ constexpr bool keeps(int k, bool small)
{
    return small && k > 1;
}

/* Threads with many pixels are few, and so are the warps of a light scene for long: in small blocks
 * they spread evenly over the multiprocessors, and none waits for the slowest of eight. Not smaller
 * than four, or the four parts of a multiprocessor get unequal work. */
inline int rows_of(int k, const krn_cuda_frame &frame)
{
    return k >= 8 || (k == 4 && frame.count <= LIGHT_SCENE) ? ROWS / 2 : (int)ROWS;
}

/* Pictures so wide are nearly empty at both sides. */
__host__ __device__ inline bool is_wide(const krn_cuda_frame &frame)
{
    return 4 * frame.width > 5 * frame.height;
}

/* Blocks are dealt one column of the picture after the other, so that a multiprocessor gets rows of
 * every column: row by row it would get most of them in one. But with K = 8 and more than a light
 * scene, pictures that are not wide are dealt row by row, from the middle outwards. Where nearly
 * all blocks run at once, as at 1024x1024, every multiprocessor then gets as many full rows as
 * empty ones, and in a larger picture the lightest come last. */
__host__ __device__ inline bool from_middle(int k, const krn_cuda_frame &frame)
{
    return k == 8 && frame.count > LIGHT_SCENE && !is_wide(frame);
}

/* Blocks of `rows` warps for all of a picture, its columns along x if by_row, else its rows. */
inline dim3 grid_of(int k, int rows, bool by_row, const krn_cuda_frame &frame)
{
    const int wide = LANES * k;
    const unsigned columns = (unsigned)((frame.width + wide - 1) / wide),
                   lines = (unsigned)((frame.height + rows - 1) / rows);
    return by_row ? dim3(columns, lines) : dim3(lines, columns);
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
