/* kernels/cuda/heat/kernels.h - C wrappers over the kernels that sum up and colour the costs of the
 * heat map; those of cuda/trace find the costs out. Launches use the given stream and return
 * cudaPeekAtLastError(). */
#ifndef KRN_CUDA_HEAT_KERNELS_H
#define KRN_CUDA_HEAT_KERNELS_H

#include "cuda/trace/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums of costs in device memory. */
struct krn_cuda_heat_sums {
    unsigned long long sum;
    unsigned least, most;
};
cudaError_t krn_cuda_heat_sum(const uint32_t *costs, size_t pixels, struct krn_cuda_heat_sums *sums,
                              cudaStream_t stream);

/* Writes the palette's colours (KRN_PALETTE_STEPS, in device memory) of the costs into the image.
 */
cudaError_t krn_cuda_heat_colours(const uint32_t *costs, uint32_t scale, const uint32_t *palette,
                                  const struct krn_image *image, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
