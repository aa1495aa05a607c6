/* What CUDA devices can do. Compiled without nvcc too: the row of the backend's table says it
 * whether or not there is a device. */
#include "core/device/backend.h"

const struct krn_capabilities krn_cuda_capabilities = {
    .noun = "GPU",
    .asynchronous = true,
    .distinct_storages = true,
    .telemetry = true,
    .launches = true,
    .warps = true,
    .tests_per_ms = 5e7,
};
