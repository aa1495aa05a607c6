/* The strip kernel with the spheres in constant memory: KRN_CONSTANT_PACKED spheres fill its own
 * bank.
 *
 * Constant memory serves one address at a time, so all lanes read the same sphere. They test 32
 * spheres at a time: first against the row alone, which gives one bit per sphere (the sign of the
 * row residual, shifted in), then they intersect those that the row hits. The first step has no
 * branch, so its loads overlap; the second is rare. The loads are LDC.64 with a register as the
 * address, the same for every K, so the time falls with every doubling of K.
 *
 * A scene of a few KiB costs the same as from L1. A larger one costs about 8 cycles per load and
 * multiprocessor (H200), which 16 pixels per thread hide and few do not. Warps share what one of
 * them has loaded as long as they run in lockstep. With many spheres, barriers keep them in
 * lockstep: all warps of a block every STEP spheres, and the lanes of a warp after every candidate.
 * This halved the time of K = 1 and 2 with 2339 spheres; docs/kernels.md has the numbers.
 */
#include "cuda/trace/strip_launch.cuh"

namespace
{

using krn_strip::LANES;
using krn_strip::pixels;

enum { GROUP = 32, SMALL_GROUP = KRN_CUDA_SMALL_GROUP, STEP = 128 };

__constant__ krn_packed bank[KRN_CONSTANT_PACKED];

/* Load the part of a sphere that the row test needs, y and r^2, and the part that pixels need, x
 * and z. */
__device__ __forceinline__ float2 load_row(int s)
{
    return make_float2(bank[s].y, bank[s].square);
}

__device__ __forceinline__ float2 load_pixel(int s)
{
    return make_float2(bank[s].x, bank[s].z);
}

/* Intersects a sphere that the row hits with the K pixels, if it is a candidate. */
template <bool SMALL, int K, bool KEEP, class Costs>
__device__ __forceinline__ void intersect(pixels<K, KEEP> &strip, int s, Costs &costs)
{
    const float2 y_square = load_row(s), x_z = load_pixel(s);
    const float row = krn_row_residual(strip.y - y_square.x, y_square.y);
    if (!(krn_strip::nearest_residual(strip, x_z.x, row) > 0.0f))
        return;
    strip.any_candidate = true;
    costs.count(1);
    /* With at most four pixels per thread, intersecting them in turn is faster here, unlike in
     * strip.cu. With eight, votes need four more registers, and fewer warps fit (H200). */
    if constexpr (K >= 8)
        krn_strip::intersect<false>(strip, x_z.x, x_z.y, row, s);
    else
        krn_strip::intersect_in_turn(strip, x_z.x, x_z.y, row, s);
    /* With 8 pixels per thread, and only with 8, this costs more than it saves (H200). */
    if constexpr (!SMALL && K != 8)
        __syncwarp();
}

/* Tests N spheres from s on against the row, one bit per sphere, then intersects those that the row
 * hits. */
template <int N, bool SMALL, int K, bool KEEP, class Costs>
__device__ __forceinline__ void intersect_group(pixels<K, KEEP> &strip, int s, Costs &costs)
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
        intersect<SMALL>(strip, s + i, costs);
    }
}

template <bool SMALL, int K, bool KEEP, class Costs>
__device__ __forceinline__ void intersect_all(pixels<K, KEEP> &strip, int count, Costs &costs)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP) {
        if (!SMALL && s % STEP == 0)
            __syncthreads();
        intersect_group<GROUP, SMALL>(strip, s, costs);
    }
    /* The remainder of a large scene costs little, but a small scene may consist of it. */
    for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
        intersect_group<SMALL_GROUP, SMALL>(strip, s, costs);
    for (; s < count; s++) {
        const float2 y_square = load_row(s);
        if (krn_row_residual(strip.y - y_square.x, y_square.y) > 0.0f)
            intersect<SMALL>(strip, s, costs);
    }
}

/* BY_ROW is a template parameter because a choice at run time cost K = 8 registers and up to 17 %
 * (H200). */
template <int K, bool SMALL, bool BY_ROW, class Costs>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    trace(krn_cuda_scene scene, krn_cuda_frame frame, Costs costs)
{
    costs.begin();
    const int column = (int)(BY_ROW ? blockIdx.x : blockIdx.y),
              line = (int)(BY_ROW ? blockIdx.y : blockIdx.x);
    const krn_strip::run run = {column * LANES * K, line * (int)blockDim.y + (int)threadIdx.y};
    pixels<K, krn_strip::keeps(K, SMALL)> strip;
    krn_strip::begin(strip, run, frame);
    intersect_all<SMALL>(strip, frame.count, costs);
    /* Rows beyond the edge of the image leave only here. With a large scene, every thread must
     * reach the barriers; with a small one, leaving early made K = 8 slower by 3 to 8 % (H200). */
    if (run.row < frame.height) {
        krn_strip::store(strip, scene, run, frame);
        krn_strip::write_costs<K>(run, frame, costs);
    }
}

krn_strip::shape shape_of(int k, const krn_cuda_frame &frame)
{
    /* With more spheres than the multiprocessor's own constant cache holds, blocks are large, so
     * that more warps share what one of them has loaded. */
    const int rows = frame.count <= 64 ? krn_strip::rows_of(k, frame) : (int)krn_strip::ROWS;
    /* Warps in lockstep should be neighbours, so blocks are ordered by column only where that
     * avoids empty sides. */
    const bool by_row = !krn_strip::is_wide(frame);
    return {krn_strip::grid_of(k, rows, by_row, frame), dim3(LANES, (unsigned)rows)};
}

} // namespace

cudaError_t krn_cuda_strip_constant(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                    uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const krn_strip::shape shape = shape_of(K, frame);
        return krn_strip::by_scene(frame, cycles, [&](auto small, auto costs) {
            constexpr bool SMALL = decltype(small)::value;
            if (krn_strip::is_wide(frame))
                trace<K, SMALL, false>
                    <<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame, costs);
            else
                trace<K, SMALL, true>
                    <<<shape.grid, shape.block, 0, stream>>>(posed->scene, frame, costs);
        });
    });
}

cudaError_t krn_cuda_strip_constant_tests(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                          uint32_t *costs, cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_per_thread) {
        constexpr int K = decltype(pixels_per_thread)::value;
        const dim3 grid = krn_strip::grid_of(K, krn_strip::ROWS, true, frame);
        trace<K, true, true><<<grid, dim3(LANES, krn_strip::ROWS), 0, stream>>>(
            posed->scene, frame, krn_costs::tests{{costs, 0}});
        return cudaPeekAtLastError();
    });
}

cudaError_t krn_cuda_strip_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
