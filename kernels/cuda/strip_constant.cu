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
 * them brought as long as they go in step: whatever lets some finish early (passing over what is
 * hidden, as strip.cu does, or another order of the last stores) made K = 4 with 2339 spheres take
 * twice the time. docs/kernels.md has the numbers. */
#include "strip.cuh"

namespace
{

enum { LANES = krn_strip::LANES, GROUP = 32, SMALL_GROUP = 8 };

template <int K>
using pixels = krn_strip::pixels<K, false>;

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
template <int K>
__device__ __forceinline__ void meet(pixels<K> &own, int s)
{
    const float2 rows = row_of(s), rest = rest_of(s);
    const float row = krn_rest_of_row(own.y - rows.x, rows.y);
    const float x = rest.x, z = rest.y;
    if (!(krn_strip::nearest_rest(own, x, row) > 0.0f))
        return;
    if constexpr (K >= 4) {
#pragma unroll
        for (int k = 0; k < K; k += 4)
            krn_strip::meet_four(own, k, x, z, row, s);
    } else {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const float square = krn_rest_of_pixel(own.x[k] - x, row);
            if (square > 0.0f)
                krn_strip::offer(own, k, sqrtf(square), z, s);
        }
    }
}

/* N spheres from s on: one bit each, then those whose bit says so. */
template <int N, int K>
__device__ __forceinline__ void meet_group(pixels<K> &own, int s)
{
    unsigned missed = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const float2 rows = row_of(s + i);
        const float row = krn_rest_of_row(own.y - rows.x, rows.y);
        missed = __funnelshift_l(__float_as_uint(row), missed, 1);
    }
    for (unsigned met = ~missed << (32 - N); met != 0;) {
        const int i = __clz((int)met);
        met &= ~(0x80000000u >> i);
        meet(own, s + i);
    }
}

template <int K>
__device__ __forceinline__ void meet_all(pixels<K> &own, int count)
{
    int s = 0;
    for (; s + GROUP <= count; s += GROUP)
        meet_group<GROUP>(own, s);
    /* What is left of a large scene costs little; a small one may be nothing else. */
    for (; s + SMALL_GROUP <= count; s += SMALL_GROUP)
        meet_group<SMALL_GROUP>(own, s);
    for (; s < count; s++) {
        const float2 rows = row_of(s);
        if (krn_rest_of_row(own.y - rows.x, rows.y) > 0.0f)
            meet(own, s);
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

template <int K>
__global__ void __launch_bounds__(LANES *krn_strip::ROWS)
    trace(krn_cuda_scene scene, krn_cuda_frame frame)
{
    const int left = (int)blockIdx.x * LANES * K;
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (j >= frame.height)
        return;
    pixels<K> own;
    krn_strip::begin(own, left, j, frame);
    meet_all(own, frame.count);
    store(own, scene, left, j, frame);
}

} // namespace

cudaError_t krn_cuda_strip_constant(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    /* More spheres than the multiprocessor's own constant cache holds: warps that go through them
     * in step share what one of them brought, and those of a block do. */
    const int rows = frame.count <= 64 ? krn_strip::rows_of(k) : krn_strip::ROWS;
    return krn_strip::with_k(k, [&](auto pixels_a_thread) {
        constexpr int K = decltype(pixels_a_thread)::value;
        trace<K><<<krn_strip::grid_of(K, rows, frame), dim3(LANES, (unsigned)rows), 0, stream>>>(
            scene, frame);
        return cudaPeekAtLastError();
    });
}

cudaError_t krn_cuda_strip_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
