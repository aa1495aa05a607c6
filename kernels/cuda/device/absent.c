/* Replaces the CUDA backend in a build without nvcc. */
#include "core/device/backend.h"

static enum krn_code absent(struct krn_error *error)
{
    return KRN_FAIL(
        error, KRN_UNAVAILABLE,
        "This build has no CUDA backend: install NVIDIA's driver and CUDA Toolkit, and build "
        "again.");
}

static enum krn_code absent_count(int *devices, struct krn_error *error)
{
    *devices = 0;
    return absent(error);
}

static enum krn_code absent_describe(int ordinal, struct krn_device_info *info,
                                     struct krn_error *error)
{
    (void)ordinal;
    (void)info;
    return absent(error);
}

enum krn_code krn_cuda_properties(int ordinal, struct krn_property_list *list,
                                  struct krn_error *error)
{
    (void)ordinal;
    (void)list;
    return absent(error);
}

static enum krn_code absent_connect(int ordinal, struct krn_device **device,
                                    struct krn_error *error)
{
    (void)ordinal;
    *device = NULL;
    return absent(error);
}

const struct krn_backend krn_cuda_backend = {
    .id = KRN_BACKEND_CUDA,
    .name = "cuda",
    .can = &krn_cuda_capabilities,
    .count = absent_count,
    .describe = absent_describe,
    .connect = absent_connect,
};
