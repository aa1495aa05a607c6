/* kernels/cuda/probes/compare.h - comparisons on the device, and the arrays that they expect
 * (private to kernels/cuda/probes). */
#ifndef KRN_CUDA_COMPARE_H
#define KRN_CUDA_COMPARE_H

#include "cuda/probes/data.h"

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each compares `count` elements bit by bit with their expected values and then writes the verdict.
 * With a period, element i must equal expected[i % period]. */
cudaError_t krn_cuda_compare_words(struct krn_cuda_comparison comparison, const uint32_t *words,
                                   size_t count, uint32_t salt, cudaStream_t stream);
cudaError_t krn_cuda_compare_floats(struct krn_cuda_comparison comparison, const float *actual,
                                    size_t count, const float *expected, size_t period,
                                    cudaStream_t stream);
cudaError_t krn_cuda_compare_doubles(struct krn_cuda_comparison comparison, const double *actual,
                                     size_t count, const double *expected, size_t period,
                                     cudaStream_t stream);
cudaError_t krn_cuda_compare_uints(struct krn_cuda_comparison comparison, const uint32_t *actual,
                                   size_t count, const uint32_t *expected, size_t period,
                                   cudaStream_t stream);
cudaError_t krn_cuda_compare_sums(struct krn_cuda_comparison comparison,
                                  const unsigned long long *actual, size_t count,
                                  const unsigned long long *expected, size_t period,
                                  cudaStream_t stream);

/* Reads `bytes` bytes, a multiple of 16, and drops them: this loads them into the L2 cache or
 * evicts others. A value that it writes to *unread has no meaning. */
cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream);

/* Fills `words` with krn_probe_word(i, salt). */
cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
