#include "backend.h"

const struct krn_backend *krn_backend_get(enum krn_backend_id id)
{
    static const struct krn_backend *const backends[KRN_BACKEND_COUNT] = {
        [KRN_BACKEND_CUDA] = &krn_cuda_backend,
        [KRN_BACKEND_CPU] = &krn_cpu_backend,
    };
    return (int)id >= 0 && id < KRN_BACKEND_COUNT ? backends[id] : backends[KRN_BACKEND_CPU];
}
