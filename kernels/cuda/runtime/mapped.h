/* kernels/cuda/runtime/mapped.h - host memory that kernels can reach (private to kernels/cuda). */
#ifndef KRN_CUDA_MAPPED_H
#define KRN_CUDA_MAPPED_H

#include "krn/error.h"

#include <stddef.h>

/* Allocates zeroed host memory, *host, which kernels reach as *device. The caller frees *host with
 * cudaFreeHost, also after a failure, which may leave it allocated; NULL is fine. */
enum krn_code krn_cuda_alloc_mapped(size_t bytes, void **host, void **device,
                                    struct krn_error *error);

#endif
