/* The capabilities of CUDA devices. A build without nvcc compiles this file too, because the entry
 * of the backend table has them even when there is no device. */
#include "core/device/backend.h"
#include "core/trace/strip.h"

const struct krn_capabilities krn_cuda_capabilities = {
    .noun = "GPU",
    .asynchronous = true,
    .distinct_storages = true,
    .telemetry = true,
    .warps = true,
    .cycle_counters = true,
    .tests_per_ms = 5e7,
    .sphere_bytes = 2 * sizeof(struct krn_sphere) + sizeof(struct krn_packed) +
                    sizeof(struct krn_material) + sizeof(float),
};
