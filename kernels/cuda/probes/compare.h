/* kernels/cuda/probes/compare.h - comparisons on the device, and the arrays that they expect
 * (private to kernels/cuda/probes). */
#pragma once

#include "cuda/probes/data.h"

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a run leaves, and what it has to be: element i equals element i % period of both arrays, or
 * krn_probe_word(i, 0) where the elements are words. */
enum krn_cuda_type {
    KRN_CUDA_WORDS,
    KRN_CUDA_UINTS,
    KRN_CUDA_FLOATS,
    KRN_CUDA_DOUBLES,
    KRN_CUDA_SUMS
};
struct krn_cuda_results {
    enum krn_cuda_type type;
    size_t count, period;
    const void *device, *host; /* host: for the default of verify alone */
    void *actual;              /* on the device; NULL: `result` of struct krn_cuda_probes */
};

/* Compares the elements bit by bit with their expected values and then writes the verdict. */
cudaError_t krn_cuda_compare(struct krn_cuda_comparison comparison, struct krn_cuda_results results,
                             cudaStream_t stream);

/* Reads `bytes` bytes, a multiple of 16, and drops them: this loads them into the L2 cache or
 * evicts others. A value that it writes to *unread has no meaning. */
cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream);

/* Fills `words` with krn_probe_word(i, salt). */
cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
