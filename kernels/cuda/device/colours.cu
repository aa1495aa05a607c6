/* Sums the costs of a frame and turns them into colours. No time stamp counts these kernels. */
#include "core/trace/palette.h"
#include "cuda/trace/kernels.h"
#include "cuda/trace/warp.cuh"

namespace
{

enum { THREADS = 256, MOST_BLOCKS = 1024 };

__global__ void begin_sums(krn_cuda_heat_sums *sums)
{
    sums->sum = 0;
    sums->least = 0xffffffffu;
    sums->most = 0;
}

__global__ void __launch_bounds__(THREADS)
    add(const uint32_t *costs, size_t pixels, krn_cuda_heat_sums *sums)
{
    unsigned long long sum = 0;
    unsigned least = 0xffffffffu, most = 0;
    const size_t step = (size_t)gridDim.x * THREADS;
    for (size_t p = threadIdx.x + (size_t)blockIdx.x * THREADS; p < pixels; p += step) {
        const unsigned cost = costs[p];
        sum += cost;
        least = min(least, cost);
        most = max(most, cost);
    }
    for (int lanes = krn_warp::LANES / 2; lanes > 0; lanes /= 2) {
        sum += __shfl_down_sync(krn_warp::all_lanes, sum, lanes);
        least = min(least, __shfl_down_sync(krn_warp::all_lanes, least, lanes));
        most = max(most, __shfl_down_sync(krn_warp::all_lanes, most, lanes));
    }
    if (threadIdx.x % krn_warp::LANES == 0) {
        atomicAdd(&sums->sum, sum);
        atomicMin(&sums->least, least);
        atomicMax(&sums->most, most);
    }
}

__global__ void __launch_bounds__(THREADS)
    colour(const uint32_t *costs, uint32_t scale, const uint32_t *palette, krn_image image)
{
    const int i = (int)(threadIdx.x + blockIdx.x * THREADS), j = (int)blockIdx.y;
    if (i >= image.width)
        return;
    uint32_t *row = (uint32_t *)((unsigned char *)image.pixels + (size_t)j * image.pitch_bytes);
    const uint32_t cost = costs[(size_t)j * (size_t)image.width + (size_t)i];
    row[i] = krn_palette_shade(palette[krn_palette_step(cost, scale)], row[i]);
}

} // namespace

cudaError_t krn_cuda_heat_sum(const uint32_t *costs, size_t pixels, krn_cuda_heat_sums *sums,
                              cudaStream_t stream)
{
    const size_t blocks = (pixels + THREADS - 1) / THREADS;
    begin_sums<<<1, 1, 0, stream>>>(sums);
    add<<<(unsigned)(blocks < MOST_BLOCKS ? blocks : (size_t)MOST_BLOCKS), THREADS, 0, stream>>>(
        costs, pixels, sums);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_heat_colours(const uint32_t *costs, uint32_t scale, const uint32_t *palette,
                                  const krn_image *image, cudaStream_t stream)
{
    const dim3 grid((unsigned)(image->width + THREADS - 1) / THREADS, (unsigned)image->height);
    colour<<<grid, THREADS, 0, stream>>>(costs, scale, palette, *image);
    return cudaPeekAtLastError();
}
