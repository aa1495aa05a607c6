#include "cuda/runtime/mapped.h"

#include "cuda/runtime/check.h"

#include <string.h>

enum krn_code krn_cuda_alloc_mapped(size_t bytes, void **host, void **device,
                                    struct krn_error *error)
{
    *host = *device = NULL;
    enum krn_code code = KRN_CUDA(cudaHostAlloc(host, bytes, cudaHostAllocMapped), error);
    if (code == KRN_OK && *host) {
        memset(*host, 0, bytes);
        code = KRN_CUDA(cudaHostGetDevicePointer(device, *host, 0), error);
    }
    return code;
}
