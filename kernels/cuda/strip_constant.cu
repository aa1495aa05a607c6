/* The strip from constant memory: a bank of its own, full with KRN_CONSTANT_PACKED spheres.
 *
 * The loads are LDC.64 by a register, the same for every K, 32 of them ahead of their use, so time
 * falls with every doubling of K. A scene of some KiB costs what it costs from L1; a larger one
 * about 8 cycles a load and multiprocessor (H200), which few pixels a thread cannot hide and 16
 * can: docs/kernels.md has the numbers. */
#include "strip.cuh"

namespace
{

__constant__ krn_packed bank[KRN_CONSTANT_PACKED];

struct constant_storage {
    enum { BY_LANES = 0 };
    __device__ __forceinline__ float2 row(int s) const
    {
        return make_float2(bank[s].y, bank[s].square);
    }
    __device__ __forceinline__ float2 rest(int s) const
    {
        return make_float2(bank[s].x, bank[s].z);
    }
};

} // namespace

cudaError_t krn_cuda_strip_constant(krn_cuda_scene scene, int k, krn_cuda_frame frame,
                                    cudaStream_t stream)
{
    /* More spheres than the multiprocessor's own constant cache holds: warps that go through them
     * in step share what one of them brought, and those of a block do. */
    const int rows = frame.count <= 64 ? krn_strip::rows_of(k) : krn_strip::ROWS;
    return krn_strip::launch_k(constant_storage{}, k, rows, scene, frame, stream);
}

cudaError_t krn_cuda_strip_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
