/* tests/support/cuda_standin/device.h - what nvcc gives to device code, for the host compiler.
 *
 * Every file that launches.py has rewritten includes this header first. A block runs on one thread
 * of the host; its threads take turns, and give way where they wait for each other (threads.cpp).
 */
#pragma once

#include <cuda_runtime_api.h>
#include <vector_functions.h>

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <functional>
#include <type_traits>

#undef __shared__
#undef __constant__
#undef __launch_bounds__
/* One block runs at a time, so its shared memory can be static. */
#define __shared__ static
#define __constant__ static
#define __launch_bounds__(...)

/* The thread that runs. */
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

/* A file that reads headers as nvcc does needs it declared, and does not call it. */
float __fadd_rz(float x, float y);

namespace standin
{

/* Queues a kernel; `thread` runs one thread of it. */
void launch(const char *kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
            std::function<void()> thread);
/* Records a symbol as device memory, and returns its address. */
void *symbol(const void *address, size_t bytes);

void *dynamic_shared();
void wait_for_block();
void wait_for_warp();
/* Gives `mine` to the warp and returns the words of all 32 lanes. *lanes: those that took part. */
const uint64_t *exchange(uint64_t mine, unsigned *lanes);
unsigned lane();

/* The approximations of the GPU err by an ulp or so; these are rounded correctly. Like them, they
 * take a subnormal number for 0. */
float inverse_root(float x);
float inverse(float x);

template <class T>
uint64_t bits_of(T value)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a word per lane");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T>
T from_lane(T mine, unsigned from)
{
    unsigned lanes;
    const uint64_t *all = exchange(bits_of(mine), &lanes);
    T value = mine;
    if (from < 32 && (lanes >> from & 1))
        memcpy(&value, &all[from], sizeof value);
    return value;
}

} // namespace standin

/* A kernel's threads, with the arguments as they are at the launch. */
template <class Thread, class... Given>
void standin_launch(const char *kernel, Thread thread, dim3 grid, dim3 block, size_t shared_bytes,
                    cudaStream_t stream, Given... given)
{
    standin::launch(kernel, grid, block, shared_bytes, stream, [=] { thread(given...); });
}

/* In clocks of the device, which has 10 MHz (answers.cpp). */
long long clock64();

inline void __syncthreads()
{
    standin::wait_for_block();
}
/* The threads run one after another between barriers. */
inline int __syncthreads_or(int mine)
{
    static int any;
    standin::wait_for_block();
    any = 0;
    standin::wait_for_block();
    any |= mine;
    standin::wait_for_block();
    return any != 0;
}
inline void __syncwarp(unsigned = 0xffffffffu)
{
    standin::wait_for_warp();
}
inline void __threadfence()
{
}
inline void __threadfence_system()
{
}

template <class T>
T __shfl_sync(unsigned, T mine, int from)
{
    return standin::from_lane(mine, (unsigned)from);
}
template <class T>
T __shfl_down_sync(unsigned, T mine, unsigned by)
{
    return standin::from_lane(mine, standin::lane() + by);
}
template <class T>
T __shfl_up_sync(unsigned, T mine, unsigned by)
{
    return standin::from_lane(mine, standin::lane() - by);
}
template <class T>
T __shfl_xor_sync(unsigned, T mine, int by)
{
    return standin::from_lane(mine, standin::lane() ^ (unsigned)by);
}
inline unsigned __ballot_sync(unsigned, bool mine)
{
    unsigned lanes, votes = 0;
    const uint64_t *all = standin::exchange(mine, &lanes);
    for (unsigned lane = 0; lane < 32; lane++)
        votes |= (unsigned)((lanes >> lane & 1) && all[lane]) << lane;
    return votes;
}
inline bool __any_sync(unsigned mask, bool mine)
{
    return __ballot_sync(mask, mine) != 0;
}

template <class T>
T __ldg(const T *from)
{
    return *from;
}
template <class T>
T __ldcg(const T *from)
{
    return *from;
}
template <class T>
T tex1Dfetch(cudaTextureObject_t texture, int at);
extern const void *standin_texel(cudaTextureObject_t texture, int at, size_t bytes);
template <class T>
T tex1Dfetch(cudaTextureObject_t texture, int at)
{
    return *(const T *)standin_texel(texture, at, sizeof(T));
}

/* One thread of the device runs at a time. */
template <class T, class V>
T atomicAdd(T *at, V value)
{
    const T before = *at;
    *at = (T)(before + (T)value);
    return before;
}
template <class T, class V>
T atomicMin(T *at, V value)
{
    const T before = *at;
    *at = before < (T)value ? before : (T)value;
    return before;
}
template <class T, class V>
T atomicMax(T *at, V value)
{
    const T before = *at;
    *at = before > (T)value ? before : (T)value;
    return before;
}

template <class To, class From>
To standin_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
inline unsigned __float_as_uint(float value)
{
    return standin_as<unsigned>(value);
}
inline int __float_as_int(float value)
{
    return standin_as<int>(value);
}
inline float __int_as_float(int value)
{
    return standin_as<float>(value);
}
inline long long __double_as_longlong(double value)
{
    return standin_as<long long>(value);
}
inline double __longlong_as_double(long long value)
{
    return standin_as<double>(value);
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return (by & 31) == 0 ? high : high << (by & 31) | low >> (32 - (by & 31));
}
inline int __clz(int value)
{
    return value == 0 ? 32 : __builtin_clz((unsigned)value);
}
inline int __ffs(int value)
{
    return __builtin_ffs(value);
}
inline int __popc(unsigned value)
{
    return __builtin_popcount(value);
}

template <class A, class B>
typename std::common_type<A, B>::type min(A a, B b)
{
    return b < a ? b : a;
}
template <class A, class B>
typename std::common_type<A, B>::type max(A a, B b)
{
    return a < b ? b : a;
}

/* The templates of cuda_runtime.h, which the host compiler cannot read. */
template <class T>
cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    *address = standin::symbol(&symbol, sizeof symbol);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes)
{
    return cudaMemcpy(standin::symbol(&symbol, sizeof symbol), from, bytes, cudaMemcpyHostToDevice);
}
template <class... Of>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(Of...))
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... Of>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Of...), cudaFuncAttribute name, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, name, value);
}
template <class... Of>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(Of...),
                                                          int threads, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared_bytes);
}
