/* Clock cycles of the strip kernel with the spheres in constant memory, in the bank of this file.
 * The functions are those of cuda/trace/strip_constant.cu, which explains them; a bank belongs to
 * one file, so they cannot be shared. */
#include "cuda/heat/cycles.cuh"
#include "cuda/heat/kernels.h"
#include "cuda/trace/strip_launch.cuh"

namespace
{

using krn_strip::LANES;
using krn_strip::pixels;

enum { GROUP = 32, SMALL_GROUP = KRN_CUDA_SMALL_GROUP, STEP = 128 };

__constant__ krn_packed bank[KRN_CONSTANT_PACKED];

__device__ __forceinline__ float2 load_row(int s)
{
    return make_float2(bank[s].y, bank[s].square);
}

__device__ __forceinline__ float2 load_pixel(int s)
{
    return make_float2(bank[s].x, bank[s].z);
}

template <bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void intersect(pixels<K, KEEP> &strip, int s)
{
    const float2 y_square = load_row(s), x_z = load_pixel(s);
    const float row = krn_row_residual(strip.y - y_square.x, y_square.y);
    if (!(krn_strip::nearest_residual(strip, x_z.x, row) > 0.0f))
        return;
    strip.any_candidate = true;
    if constexpr (K >= 8)
        krn_strip::intersect<false>(strip, x_z.x, x_z.y, row, s);
    else
        krn_strip::intersect_in_turn(strip, x_z.x, x_z.y, row, s);
    if constexpr (!SMALL && K != 8)
        __syncwarp();
}

template <int N, bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void intersect_group(pixels<K, KEEP> &strip, int s)
{
    unsigned missed = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const float2 y_square = load_row(s + i);
        const float row = krn_row_residual(strip.y - y_square.x, y_square.y);
        missed = __funnelshift_l(__float_as_uint(row), missed, 1);
    }
    for (unsigned hits = ~missed << (32 - N); hits != 0;) {
        const int i = __clz((int)hits);
        hits &= ~(0x80000000u >> i);
        intersect<SMALL>(strip, s + i);
    }
}

template <bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void intersect_all(pixels<K, KEEP> &strip, int count)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP) {
        if (!SMALL && s % STEP == 0)
            __syncthreads();
        intersect_group<GROUP, SMALL>(strip, s);
    }
    for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
        intersect_group<SMALL_GROUP, SMALL>(strip, s);
    for (; s < count; s++) {
        const float2 y_square = load_row(s);
        if (krn_row_residual(strip.y - y_square.x, y_square.y) > 0.0f)
            intersect<SMALL>(strip, s);
    }
}

template <int K, bool SMALL, bool BY_ROW>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    strip_cycles_constant(krn_cuda_scene scene, krn_cuda_frame frame, uint32_t *costs)
{
    const uint32_t start = krn_heat::clock_now();
    const int column = (int)(BY_ROW ? blockIdx.x : blockIdx.y),
              line = (int)(BY_ROW ? blockIdx.y : blockIdx.x);
    const krn_strip::run run = {column * LANES * K, line * (int)blockDim.y + (int)threadIdx.y};
    pixels<K, krn_strip::keeps(K, SMALL)> strip;
    krn_strip::begin(strip, run, frame);
    intersect_all<SMALL>(strip, frame.count);
    if (run.row >= frame.height)
        return;
    krn_strip::store(strip, scene, run, frame);
    krn_heat::write_run<K>(run, frame, costs, krn_heat::clock_now() - start);
}

} // namespace

cudaError_t krn_cuda_heat_strip_constant(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                         uint32_t *costs, cudaStream_t stream)
{
    const krn_cuda_shape shape = krn_cuda_strip_constant_shape(k, frame);
    const dim3 grid(shape.blocks_x, shape.blocks_y), block(shape.threads_x, shape.threads_y);
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool SMALL = decltype(small)::value;
            if (krn_strip::is_wide(frame))
                strip_cycles_constant<K, SMALL, false>
                    <<<grid, block, 0, stream>>>(posed->scene, frame, costs);
            else
                strip_cycles_constant<K, SMALL, true>
                    <<<grid, block, 0, stream>>>(posed->scene, frame, costs);
        });
    });
}

cudaError_t krn_cuda_heat_strip_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
