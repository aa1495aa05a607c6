/* kernels/cuda/trace/strip_launch.cuh - distributes the strip's pixels over blocks, and turns
 * numbers of the host into template arguments. All limits here were measured on an H200:
 * docs/kernels.md. */
#pragma once

#include "cuda/runtime/constants.cuh"
#include "cuda/trace/strip.cuh"

namespace krn_strip
{

/* Rows per block, one per warp. */
enum { ROWS = 8 };

/* SMALL_SCENE: with this many spheres or fewer, chords are kept, for K > 1, because shades, and
 * waiting for them, take much of the time. With more spheres, intersections take most of it, and
 * the registers are better spent on more warps. LIGHT_SCENE: with this many spheres or fewer, a
 * warp ends so early that the number of hits in its row hardly matters, but waiting for the slowest
 * warp of the block does. */
enum { SMALL_SCENE = KRN_CUDA_SMALL_SCENE, LIGHT_SCENE = 128 };

__host__ __device__ constexpr bool keeps(int k, bool small)
{
    return small && k > 1;
}

/* Returns the rows per block. With many pixels per thread there are few warps, and in a light scene
 * warps end early: small blocks spread them evenly over the multiprocessors, and no warp waits for
 * the slowest of eight. Four is the minimum, so that the four parts of a multiprocessor get equal
 * work. */
inline int rows_of(int k, const krn_cuda_frame &frame)
{
    return k >= 8 || (k == 4 && frame.count <= LIGHT_SCENE) ? ROWS / 2 : (int)ROWS;
}

/* Returns true for images so wide that both sides are nearly empty. */
__host__ __device__ inline bool is_wide(const krn_cuda_frame &frame)
{
    return 4 * frame.width > 5 * frame.height;
}

/* Returns true when blocks are ordered by row, from the middle outwards. Otherwise they are ordered
 * by column, so that a multiprocessor gets rows of every column; ordered by row, it would get most
 * of them in one column. The exception is K = 8 with more than a light scene in an image that is
 * not wide. Where nearly all blocks run at once, as at 1024x1024, every multiprocessor then gets as
 * many full rows as empty ones, and in a larger image the lightest rows come last. */
__host__ __device__ inline bool from_middle(int k, const krn_cuda_frame &frame)
{
    return k == 8 && frame.count > LIGHT_SCENE && !is_wide(frame);
}

/* Returns a grid of blocks of `rows` warps for the whole image: x counts columns if by_row, else
 * rows. */
inline dim3 grid_of(int k, int rows, bool by_row, const krn_cuda_frame &frame)
{
    const int wide = LANES * k;
    const unsigned columns = (unsigned)((frame.width + wide - 1) / wide),
                   lines = (unsigned)((frame.height + rows - 1) / rows);
    return by_row ? dim3(columns, lines) : dim3(lines, columns);
}

struct shape {
    dim3 grid, block;
};

/* Returns the number of blocks of LANES * ROWS threads that must fit on a multiprocessor. It is
 * more than 1 where the compiler can save a few registers so that one more block fits. This holds
 * for sm_90 alone, where it was measured; on other architectures registers might spill. */
constexpr int blocks_of(int k, bool keep)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
    return k == 4 ? 5 : k == 8 && !keep ? 4 : 1;
#else
    (void)k, (void)keep;
    return 1;
#endif
}

/* Calls launch(K), where K.value is k as a compile-time constant. */
template <class Launch>
cudaError_t with_k(int k, const Launch &launch)
{
    return krn_constants::with<1, 2, 4, 8, 16>(k, launch);
}

/* Calls launch(small, costs), where small.value tells at compile time whether the scene is small.
 * Returns cudaPeekAtLastError(). */
template <class Launch>
cudaError_t by_scene(const krn_cuda_frame &frame, uint32_t *cycles, const Launch &launch)
{
    return krn_costs::with(cycles, [&](auto costs) {
        if (frame.count <= SMALL_SCENE)
            launch(std::true_type(), costs);
        else
            launch(std::false_type(), costs);
    });
}

} // namespace krn_strip
