/* kernels/cuda/trace/costs.cuh - what a ray-tracing kernel can find out beside its picture, for the
 * heat map. The last parameter of every kernel is one of these types. The timed launches pass
 * krn_costs::none, whose functions are empty: their machine code is that of a kernel without the
 * parameter. */
#pragma once

#include "cuda/trace/kernels.h"

namespace krn_costs
{

struct none {
    __device__ __forceinline__ void begin()
    {
    }
    __device__ __forceinline__ void count(int)
    {
    }
    __device__ __forceinline__ void end()
    {
    }
    __device__ __forceinline__ void write(const krn_cuda_frame &, int, int) const
    {
    }
};

/* Writes its value to costs[row * width + column]. */
struct map {
    uint32_t *costs, value;
    __device__ __forceinline__ void write(const krn_cuda_frame &frame, int column, int row) const
    {
        costs[(size_t)row * (size_t)frame.width + (size_t)column] = value;
    }
};

/* Reads the low 32 bits of the multiprocessor's clock, which cost one register. The compiler moves
 * no access to memory across this. */
__device__ __forceinline__ uint32_t clock_now()
{
    uint32_t cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) : : "memory");
    return cycles;
}

/* The clock cycles from begin() to end(). */
struct cycles : map {
    __device__ __forceinline__ void begin()
    {
        value = clock_now();
    }
    __device__ __forceinline__ void count(int)
    {
    }
    __device__ __forceinline__ void end()
    {
        value = clock_now() - value;
    }
};

/* The sphere tests that count() has been told. */
struct tests : map {
    __device__ __forceinline__ void begin()
    {
        value = 0;
    }
    __device__ __forceinline__ void count(int more)
    {
        value += (uint32_t)more;
    }
    __device__ __forceinline__ void end()
    {
    }
};

/* Calls launch(costs) with the costs of a frame: none where no cycles are wanted. Returns
 * cudaPeekAtLastError(). */
template <class Launch>
cudaError_t with(uint32_t *wanted, const Launch &launch)
{
    if (wanted != nullptr)
        launch(cycles{{wanted, 0}});
    else
        launch(none{});
    return cudaPeekAtLastError();
}

} // namespace krn_costs
