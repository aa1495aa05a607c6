#include "krn/device.h"

#include <stdio.h>

static const char *const storage_names[KRN_STORAGE_COUNT] = {"global", "readonly", "constant",
                                                             "shared"};
static const char *const kernel_names[KRN_KERNEL_COUNT] = {"book", "strip", "binned"};

static const char *name_of(const char *const *names, int index, int count)
{
    return index >= 0 && index < count ? names[index] : "n/a";
}

const char *krn_storage_name(enum krn_storage storage)
{
    return name_of(storage_names, (int)storage, KRN_STORAGE_COUNT);
}

const char *krn_kernel_name(enum krn_kernel kernel)
{
    return name_of(kernel_names, (int)kernel, KRN_KERNEL_COUNT);
}

static const int all_pixels[KRN_PIXELS_COUNT] = {1, 2, 4, 8, KRN_PIXELS_MAX};

int krn_pixels_at(int index)
{
    return index >= 0 && index < KRN_PIXELS_COUNT ? all_pixels[index] : 1;
}

int krn_pixels_index(int count)
{
    for (int i = 0; i < KRN_PIXELS_COUNT; i++)
        if (all_pixels[i] == count)
            return i;
    return -1;
}

struct krn_mode krn_mode_at(int index)
{
    const int strip = index - KRN_STORAGE_COUNT;
    struct krn_mode mode = {KRN_KERNEL_BOOK, (enum krn_storage)index, 1};
    if (index == KRN_MODES - 1) {
        mode.kernel = KRN_KERNEL_BINNED;
        mode.storage = KRN_STORAGE_GLOBAL;
    } else if (strip >= 0) {
        mode.kernel = KRN_KERNEL_STRIP;
        mode.storage = (enum krn_storage)(strip / KRN_PIXELS_COUNT);
        mode.pixels_per_thread = krn_pixels_at(strip % KRN_PIXELS_COUNT);
    }
    return mode;
}

bool krn_mode_equal(struct krn_mode a, struct krn_mode b)
{
    return a.kernel == b.kernel && a.storage == b.storage &&
           a.pixels_per_thread == b.pixels_per_thread;
}

int krn_mode_index(struct krn_mode mode)
{
    for (int i = 0; i < KRN_MODES; i++)
        if (krn_mode_equal(krn_mode_at(i), mode))
            return i;
    return -1;
}

void krn_mode_name(struct krn_mode mode, char *text, size_t size)
{
    const int used =
        snprintf(text, size, "%s/%s", krn_kernel_name(mode.kernel), krn_storage_name(mode.storage));
    if (mode.pixels_per_thread != 1 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%d", mode.pixels_per_thread);
}

/* Spheres of the kernel's own layout that constant memory holds. */
static enum krn_code check_constant(struct krn_mode mode, int spheres, struct krn_error *error)
{
    const bool packed = mode.kernel == KRN_KERNEL_STRIP;
    const int most = packed ? KRN_CONSTANT_PACKED : KRN_CONSTANT_SPHERES;
    if (mode.storage == KRN_STORAGE_CONSTANT && spheres > most)
        return KRN_FAIL(error, KRN_REFUSED,
                        "Constant memory holds 64 KiB: %d %sspheres of %d bytes at most, not %d.",
                        most, packed ? "packed " : "", packed ? 16 : 28, spheres);
    return KRN_OK;
}

enum krn_code krn_mode_check(struct krn_mode mode, int spheres, struct krn_error *error)
{
    if ((int)mode.kernel < 0 || mode.kernel >= KRN_KERNEL_COUNT || (int)mode.storage < 0 ||
        mode.storage >= KRN_STORAGE_COUNT)
        return KRN_FAIL(error, KRN_REFUSED, "There is no kernel %d with storage %d.",
                        (int)mode.kernel, (int)mode.storage);
    if (mode.kernel == KRN_KERNEL_STRIP && krn_pixels_index(mode.pixels_per_thread) < 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The strip kernel takes 1, 2, 4, 8 or 16 pixels a thread, not %d.",
                        mode.pixels_per_thread);
    if (mode.kernel != KRN_KERNEL_STRIP && mode.pixels_per_thread != 1)
        return KRN_FAIL(
            error, KRN_REFUSED,
            "The %s kernel takes 1 pixel a thread, not %d; the strip kernel takes more.",
            krn_kernel_name(mode.kernel), mode.pixels_per_thread);
    if (mode.kernel == KRN_KERNEL_BINNED && mode.storage != KRN_STORAGE_GLOBAL)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The binned kernel writes its lists in every frame and reads them from "
                        "global memory: there is no %s storage.",
                        krn_storage_name(mode.storage));
    return check_constant(mode, spheres, error);
}
