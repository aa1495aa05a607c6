/* The gate, the empty kernel, and one that waits, which the timer launches; and the hash of an
 * image. No time stamp counts them. */
#include "core/trace/pixel.h"
#include "cuda/runtime/kernels.h"

namespace
{

__global__ void gate(const volatile unsigned *ticket, volatile unsigned *gave_up, unsigned number,
                     long long cycles)
{
    const long long start = clock64();
    /* Compares by a signed difference, because tickets may wrap around. */
    bool closed = (int)(*ticket - number) < 0;
    while (closed && clock64() - start < cycles)
        closed = (int)(*ticket - number) < 0;
    /* The host queues everything before it opens the gate, so a gate that reads the ticket in time
     * once more has held long enough. */
    if (closed && (int)(*ticket - number) < 0) {
        *gave_up = number;
        __threadfence_system();
    }
}

__global__ void empty()
{
}

__global__ void wait(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
}

const unsigned threads = 256, most_blocks = 1024;

__global__ void hash(const unsigned char *pixels, size_t pitch, unsigned width,
                     unsigned long long count, unsigned long long *sum)
{
    unsigned long long partial = 0;
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long p = threadIdx.x + (unsigned long long)blockIdx.x * blockDim.x;
         p < count; p += step) {
        const unsigned long long row = p / width;
        partial += krn_hash_pixel(p, ((const unsigned *)(pixels + row * pitch))[p - row * width]);
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        partial += __shfl_down_sync(0xffffffffu, partial, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, partial);
}

} // namespace

cudaError_t krn_cuda_gate(const volatile unsigned *ticket, volatile unsigned *gave_up,
                          unsigned number, long long cycles, cudaStream_t stream)
{
    gate<<<1, 1, 0, stream>>>(ticket, gave_up, number, cycles);
    return cudaPeekAtLastError();
}

static cudaError_t allow_shared(unsigned bytes)
{
    const unsigned always_allowed = 48 << 10;
    return bytes <= always_allowed
               ? cudaSuccess
               : cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)bytes);
}

cudaError_t krn_cuda_first_wave(krn_cuda_shape *shape, unsigned resident)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t status = allow_shared(shape->shared_bytes);
    KRN_THEN(status, cudaGetDevice(&device));
    KRN_THEN(status, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    KRN_THEN(status,
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                 &each, empty, (int)(shape->threads_x * shape->threads_y), shape->shared_bytes));
    if (resident > 0 && resident < (unsigned)each)
        each = (int)resident;
    const unsigned long long blocks = (unsigned long long)shape->blocks_x * shape->blocks_y,
                             at_once = (unsigned long long)processors * (unsigned)each;
    if (status == cudaSuccess && at_once > 0 && blocks > at_once) {
        shape->blocks_x = (unsigned)at_once;
        shape->blocks_y = 1;
    }
    return status;
}

cudaError_t krn_cuda_empty(const krn_cuda_shape *shape, cudaStream_t stream)
{
    const cudaError_t allowed = allow_shared(shape->shared_bytes);
    if (allowed != cudaSuccess)
        return allowed;
    empty<<<dim3(shape->blocks_x, shape->blocks_y), dim3(shape->threads_x, shape->threads_y),
            shape->shared_bytes, stream>>>();
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_wait(long long cycles, cudaStream_t stream)
{
    wait<<<1, 1, 0, stream>>>(cycles);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_hash(const krn_image *image, unsigned long long *sum, cudaStream_t stream)
{
    const cudaError_t cleared = cudaMemsetAsync(sum, 0, sizeof *sum, stream);
    if (cleared != cudaSuccess)
        return cleared;
    const unsigned long long count =
        (unsigned long long)image->width * (unsigned long long)image->height;
    const unsigned long long blocks = (count + threads - 1) / threads;
    const unsigned launched = blocks < most_blocks ? (unsigned)blocks : most_blocks;
    hash<<<launched, threads, 0, stream>>>((const unsigned char *)image->pixels, image->pitch_bytes,
                                           (unsigned)image->width, count, sum);
    return cudaPeekAtLastError();
}
