/* The capabilities of CUDA devices. A build without nvcc compiles this file too, because the entry
 * of the backend table has them even when there is no device. */
#include "core/device/backend.h"

const struct krn_capabilities krn_cuda_capabilities = {
    .noun = "GPU",
    .asynchronous = true,
    .distinct_storages = true,
    .telemetry = true,
    .warps = true,
    .cycle_counters = true,
    .tests_per_ms = 5e7,
};
