/* kernels/cuda/probes/compare.h - comparisons on the device, and arrays to compare with (inside
 * kernels/cuda/probes only). */
#ifndef KRN_CUDA_COMPARE_H
#define KRN_CUDA_COMPARE_H

#include "cuda/probes/verdict.h"

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each compares `count` elements with what they must be, bit by bit, and then writes the verdict.
 * Those with a period take element i % period of what is expected. */
cudaError_t krn_cuda_compare_words(struct krn_cuda_judge judge, const uint32_t *words, size_t count,
                                   uint32_t salt, cudaStream_t stream);
cudaError_t krn_cuda_compare_floats(struct krn_cuda_judge judge, const float *actual, size_t count,
                                    const float *expected, size_t period, cudaStream_t stream);
cudaError_t krn_cuda_compare_uints(struct krn_cuda_judge judge, const uint32_t *actual,
                                   size_t count, const uint32_t *expected, size_t period,
                                   cudaStream_t stream);
cudaError_t krn_cuda_compare_sums(struct krn_cuda_judge judge, const unsigned long long *actual,
                                  size_t count, const unsigned long long *expected, size_t period,
                                  cudaStream_t stream);

/* Reads so many bytes (a multiple of 16) and keeps nothing: into the L2 cache, or others out. What
 * may land at *unread means nothing. */
cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream);

/* Words as data.h has them. */
cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
