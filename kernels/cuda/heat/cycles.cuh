/* kernels/cuda/heat/cycles.cuh - reads the clock of a multiprocessor, and writes the costs of a
 * run. */
#ifndef KRN_HEAT_CYCLES_CUH
#define KRN_HEAT_CYCLES_CUH

#include "cuda/trace/strip.cuh"

namespace krn_heat
{

/* Reads the low 32 bits, which cost one register. The compiler moves no access to memory across
 * this. */
__device__ __forceinline__ uint32_t clock_now()
{
    uint32_t cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) : : "memory");
    return cycles;
}

/* Writes the cost of all K pixels of a lane of a run. */
template <int K>
__device__ __forceinline__ void write_run(const krn_strip::run &run, const krn_cuda_frame &frame,
                                          uint32_t *costs, uint32_t cost)
{
    uint32_t *row = costs + (size_t)run.row * (size_t)frame.width;
#pragma unroll
    for (int k = 0; k < K; k++) {
        const int i = run.left + (int)threadIdx.x + krn_strip::LANES * k;
        if (i < frame.width)
            row[i] = cost;
    }
}

} // namespace krn_heat

#endif
