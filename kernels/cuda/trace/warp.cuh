/* kernels/cuda/trace/warp.cuh - minimum, maximum and vote of a warp. All lanes must call. */
#pragma once

namespace krn_warp
{

enum { LANES = 32 };

const unsigned all_lanes = 0xffffffffu;

/* Converts floats to integers of the same order, which a warp reduces in one instruction, and
 * back. */
__device__ __forceinline__ int ordered(float value)
{
    const int bits = __float_as_int(value);
    return bits ^ (int)((unsigned)(bits >> 31) >> 1);
}

__device__ __forceinline__ float unordered(int value)
{
    return __int_as_float(value ^ (int)((unsigned)(value >> 31) >> 1));
}

__device__ __forceinline__ int greatest(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(all_lanes, value);
#else
    for (int step = 1; step < LANES; step *= 2)
        value = max(value, __shfl_xor_sync(all_lanes, value, step));
    return value;
#endif
}

__device__ __forceinline__ int least(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all_lanes, value);
#else
    return ~greatest(~value);
#endif
}

/* Returns `mine` or, with VOTE, true if it is true in any lane. */
template <bool VOTE>
__device__ __forceinline__ bool any(bool mine)
{
    if constexpr (VOTE)
        return __any_sync(all_lanes, mine);
    else
        return mine;
}

} // namespace krn_warp
