/* The strip from constant memory: a bank of its own, full with KRN_CONSTANT_PACKED spheres.
 *
 * Constant memory serves one address at a time, so all lanes read the same sphere. Spheres are
 * looked at 32 at a time: first their rows alone, which leaves one bit each (the sign of the rest,
 * shifted in), then those whose bit says that the row meets them. The first step has no branch, so
 * its loads run ahead of each other; the second is rare. Those are LDC.64 by a register, the same
 * for every K, so time falls with every doubling of K.
 *
 * A scene of some KiB costs what it costs from L1; a larger one about 8 cycles a load and
 * multiprocessor (H200), which few pixels a thread cannot hide and 16 can. Warps share what one of
 * them brought as long as they go in step, and where spheres are many they are kept in step: a
 * block's warps wait for each other every so many spheres, a warp's lanes after every sphere that
 * it met. That halved K = 1 and 2 with 2339 spheres; docs/kernels.md has the numbers. */
#include "cuda/trace/strip_launch.cuh"
#include "cuda/trace/strip_shade.cuh"

namespace
{

using krn_strip::LANES;
using krn_strip::pixels;

enum { GROUP = 32, SMALL_GROUP = 8, STEP = 128 };

__constant__ krn_packed bank[KRN_CONSTANT_PACKED];

/* What a row needs of a sphere, and the rest. */
__device__ __forceinline__ float2 row_of(int s)
{
    return make_float2(bank[s].y, bank[s].square);
}

__device__ __forceinline__ float2 rest_of(int s)
{
    return make_float2(bank[s].x, bank[s].z);
}

/* A sphere that the row meets against the K pixels. */
template <bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void meet(pixels<K, KEEP> &own, int s)
{
    const float2 rows = row_of(s), rest = rest_of(s);
    const float row = krn_row_residual(own.y - rows.x, rows.y);
    if (!(krn_strip::nearest_rest(own, rest.x, row) > 0.0f))
        return;
    own.met = true;
    /* With four pixels or fewer a thread, all are faster in turn here, unlike in strip.cu; with
     * eight, votes take four registers more, and fewer warps fit. */
    if constexpr (K >= 8)
        krn_strip::meet<false>(own, rest.x, rest.y, row, s);
    else
        krn_strip::meet_in_turn(own, rest.x, rest.y, row, s);
    /* With 8 pixels a thread, and with 8 alone, this costs more than it gives. */
    if constexpr (!SMALL && K != 8)
        __syncwarp();
}

/* N spheres from s on: one bit each, then those whose bit says so. */
template <int N, bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void meet_group(pixels<K, KEEP> &own, int s)
{
    unsigned missed = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const float2 rows = row_of(s + i);
        const float row = krn_row_residual(own.y - rows.x, rows.y);
        missed = __funnelshift_l(__float_as_uint(row), missed, 1);
    }
    for (unsigned met = ~missed << (32 - N); met != 0;) {
        const int i = __clz((int)met);
        met &= ~(0x80000000u >> i);
        meet<SMALL>(own, s + i);
    }
}

template <bool SMALL, int K, bool KEEP>
__device__ __forceinline__ void meet_all(pixels<K, KEEP> &own, int count)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP) {
        if (!SMALL && s % STEP == 0)
            __syncthreads();
        meet_group<GROUP, SMALL>(own, s);
    }
    /* What is left of a large scene costs little; a small one may be nothing else. */
    for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
        meet_group<SMALL_GROUP, SMALL>(own, s);
    for (; s < count; s++) {
        const float2 rows = row_of(s);
        if (krn_row_residual(own.y - rows.x, rows.y) > 0.0f)
            meet<SMALL>(own, s);
    }
}

/* BY_ROW: known to the compiler; a choice here cost K = 8 registers, and up to 17 %. */
template <int K, bool SMALL, bool BY_ROW>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    trace(krn_cuda_scene scene, krn_cuda_frame frame)
{
    const int column = (int)(BY_ROW ? blockIdx.x : blockIdx.y),
              line = (int)(BY_ROW ? blockIdx.y : blockIdx.x);
    const krn_strip::run run = {column * LANES * K, line * (int)blockDim.y + (int)threadIdx.y};
    pixels<K, krn_strip::keeps(K, SMALL)> own;
    krn_strip::begin(own, run, frame);
    meet_all<SMALL>(own, frame.count);
    /* Rows beyond the image's edge came along. With a large scene every thread must reach the
     * barriers; with a small one leaving early made K = 8 3 to 8 % slower. */
    if (run.row < frame.height)
        krn_strip::store(own, scene, run, frame);
}

} // namespace

cudaError_t krn_cuda_strip_constant(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        return krn_strip::by_scene(frame, [&](auto small) {
            constexpr bool SMALL = decltype(small)::value;
            /* More spheres than the multiprocessor's own constant cache holds: a block's warps
             * share what one of them brought. */
            const int rows =
                frame.count <= 64 ? krn_strip::rows_of(K, frame) : (int)krn_strip::ROWS;
            /* Warps in step are neighbours: by columns only where that spares empty sides. */
            const bool by_row = !krn_strip::is_wide(frame);
            const dim3 grid = krn_strip::grid_of(K, rows, by_row, frame),
                       block(LANES, (unsigned)rows);
            if (by_row)
                trace<K, SMALL, true><<<grid, block, 0, stream>>>(posed->scene, frame);
            else
                trace<K, SMALL, false><<<grid, block, 0, stream>>>(posed->scene, frame);
        });
    });
}

cudaError_t krn_cuda_strip_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
