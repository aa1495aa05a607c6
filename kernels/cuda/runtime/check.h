/* kernels/cuda/runtime/check.h - the one way to call the CUDA runtime from C (inside kernels/cuda
 * only). */
#ifndef KRN_CUDA_CHECK_H
#define KRN_CUDA_CHECK_H

#include "krn/error.h"

#include <cuda_runtime_api.h>

/* Runs a call of the runtime and gives its enum krn_code; a failure fills *error with the call, the
 * place and what it means for a person. Calls fail on purpose here (krn_fail_calls): allocations
 * because memory is full, others for reasons unknown. */
#define KRN_CUDA(call, error)                                                                      \
    krn_cuda_check(krn_call_fails(#call) ? krn_cuda_failure(#call) : (call), #call, __FILE__,      \
                   __LINE__, (error))

cudaError_t krn_cuda_failure(const char *expression);

enum krn_code krn_cuda_check(cudaError_t status, const char *expression, const char *file, int line,
                             struct krn_error *error);

/* Why no CUDA device can be used, as a sentence with its cure: for the statuses that connecting can
 * meet. NULL for others. */
const char *krn_cuda_reason(cudaError_t status);

#endif
