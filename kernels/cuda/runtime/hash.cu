/* Computes the hash of an image in device memory. No time stamp counts this kernel. */
#include "core/trace/hash.h"
#include "cuda/runtime/kernels.h"

namespace
{

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
