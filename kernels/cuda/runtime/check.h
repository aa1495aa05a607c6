/* kernels/cuda/runtime/check.h - checked calls of the CUDA runtime (private to kernels/cuda). */
#ifndef KRN_CUDA_CHECK_H
#define KRN_CUDA_CHECK_H

#include "krn/error.h"

#include <cuda_runtime_api.h>

/* Makes a call of the runtime and evaluates to its enum krn_code. A failure fills *error with the
 * call, the source line and a message. Injected failures (krn_fail_calls) occur here: allocations
 * report that memory is full, other calls an unknown error. */
#define KRN_CUDA(call, error)                                                                      \
    krn_cuda_check(krn_call_fails(KRN_API_CUDA, #call) ? krn_cuda_failure(#call) : (call), #call,  \
                   __FILE__, __LINE__, (error))

/* Returns the status of an injected failure of a call. */
cudaError_t krn_cuda_failure(const char *expression);

enum krn_code krn_cuda_check(cudaError_t status, const char *expression, const char *file, int line,
                             struct krn_error *error);

/* Returns a sentence that tells why no CUDA device can be used and what to do about it, for the
 * statuses that connecting can return; NULL for others. */
const char *krn_cuda_reason(cudaError_t status);

#endif
