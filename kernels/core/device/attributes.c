#include "core/device/backend.h"

const struct krn_kernel_attributes *krn_kernels_main(const struct krn_kernels *kernels)
{
    return kernels->count > 0 ? &kernels->list[kernels->count - 1] : NULL;
}

bool krn_kernel_known(const struct krn_kernel_attributes *kernel)
{
    return kernel != NULL && kernel->registers > 0;
}

static bool same_view(const struct krn_view *a, const struct krn_view *b)
{
    return a->width == b->width && a->height == b->height && !(a->unit < b->unit) &&
           !(a->unit > b->unit);
}

enum krn_code krn_device_kernels(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, struct krn_kernels *kernels,
                                 struct krn_error *error)
{
    kernels->count = 0;
    if (device->ops->kernels == NULL)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "A %s has no registers per thread, no shared memory and no occupancy.",
                        device->info.can.noun);
    const enum krn_code code = krn_device_check_launch(device, mode, view, error);
    if (code != KRN_OK)
        return code;
    struct krn_kept_kernels *kept = &device->kept_kernels[krn_mode_index(mode)];
    if (kept->spheres != device->spheres || !same_view(&kept->view, view)) {
        *kept = (struct krn_kept_kernels){.spheres = device->spheres, .view = *view};
        kept->code = device->ops->kernels(device, mode, view, &kept->kernels, &kept->error);
    }
    if (kept->code != KRN_OK && error != NULL)
        *error = kept->error;
    *kernels = kept->kernels;
    return kept->code;
}
