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
 * are better spent on more warps. LIGHT_SCENE: up to here, at K = 8, blocks go in order, and are
 * smaller where they are few; with more spheres they go from the middle. */
enum { SMALL_SCENE = 320, LIGHT_SCENE = 128 };

__host__ __device__ constexpr bool keeps(int k, bool small)
{
    return small && k > 1;
}

/* Threads with many pixels are few: in small blocks they spread evenly over the multiprocessors,
 * and none waits for the slowest of eight. */
constexpr int rows_of(int k)
{
    return k < 8 ? (int)ROWS : 32 / k;
}

inline dim3 grid_of(int k, int rows, const krn_cuda_frame &frame)
{
    const int wide = LANES * k;
    return dim3((unsigned)((frame.width + wide - 1) / wide),
                (unsigned)((frame.height + rows - 1) / rows));
}

/* Half the rows where a picture makes fewer blocks than `few`. */
inline int halved_if_few(int rows, int k, const krn_cuda_frame &frame, unsigned few)
{
    const dim3 grid = grid_of(k, rows, frame);
    return grid.x * grid.y < few ? rows / 2 : rows;
}

/* The row of blocks that this block is in: with 8 pixels a thread and more than LIGHT_SCENE spheres
 * from the middle outwards. Pictures are fullest in the middle; dealt in this order every
 * multiprocessor gets as many full rows as empty ones. With other K it did not help, nor from
 * constant memory. */
template <int K>
__device__ __forceinline__ int block_row(const krn_cuda_frame &frame)
{
    const int n = (int)blockIdx.y;
    if (K != 8 || frame.count <= LIGHT_SCENE)
        return n;
    const int middle = (int)gridDim.y / 2;
    return n % 2 != 0 ? middle - (n + 1) / 2 : middle + n / 2;
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
