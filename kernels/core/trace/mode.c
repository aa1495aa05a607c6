/* Indices, names and refusals of modes, all from the two lists of krn/mode.h. */
#include "krn/mode.h"

#include <stdio.h>
#include <string.h>

#define STORAGE(id, name_, memory_, bytes_max_, help_)                                             \
    [KRN_STORAGE_##                                                                                \
        id] = {.name = (name_), .memory = (memory_), .help = (help_), .bytes_max = (bytes_max_)}
#define KERNEL(id, name_, view_, storages_, pixels_, start_, bytes_, bins_, help_)                 \
    [KRN_KERNEL_##id] = {.name = (name_),                                                          \
                         .help = (help_),                                                          \
                         .view = (view_),                                                          \
                         .storages = (storages_),                                                  \
                         .pixels = (pixels_),                                                      \
                         .pixels_start = (start_),                                                 \
                         .sphere_bytes = (bytes_),                                                 \
                         .bins = (bins_)}

static const struct krn_storage_info storages[KRN_STORAGE_COUNT] = {
    KRN_STORAGES(STORAGE, KRN_COMMA)};
static const struct krn_kernel_info kernels[KRN_KERNEL_COUNT] = {KRN_KERNELS(KERNEL, KRN_COMMA)};

static const int all_pixels[KRN_PIXELS_COUNT] = {1, 2, 4, 8, KRN_PIXELS_MAX};

const struct krn_storage_info *krn_storage_describe(enum krn_storage storage)
{
    return (int)storage >= 0 && storage < KRN_STORAGE_COUNT ? &storages[storage] : NULL;
}

const struct krn_kernel_info *krn_kernel_describe(enum krn_kernel kernel)
{
    return (int)kernel >= 0 && kernel < KRN_KERNEL_COUNT ? &kernels[kernel] : NULL;
}

const char *krn_storage_name(enum krn_storage storage)
{
    const struct krn_storage_info *info = krn_storage_describe(storage);
    return info ? info->name : "n/a";
}

const char *krn_kernel_name(enum krn_kernel kernel)
{
    const struct krn_kernel_info *info = krn_kernel_describe(kernel);
    return info ? info->name : "n/a";
}

int krn_pixels_at(int index)
{
    return index >= 0 && index < KRN_PIXELS_COUNT ? all_pixels[index] : 1;
}

int krn_pixels_index(int pixels)
{
    for (int i = 0; i < KRN_PIXELS_COUNT; i++)
        if (all_pixels[i] == pixels)
            return i;
    return -1;
}

const char *krn_view_name(enum krn_view_kind view)
{
#define VIEW_NAME(id, name, help) name
    static const char *const names[KRN_VIEW_COUNT] = {KRN_VIEWS(VIEW_NAME, KRN_COMMA)};
    return (int)view >= 0 && view < KRN_VIEW_COUNT ? names[view] : "n/a";
}

bool krn_kernel_has_pixels(enum krn_kernel kernel)
{
    const struct krn_kernel_info *info = krn_kernel_describe(kernel);
    return info && KRN_BITS(info->pixels) > 1;
}

/* Returns true if the sets of the kernel contain the storage and the K with these indices. */
static bool exists(int kernel, int storage, int pixels)
{
    return (kernels[kernel].storages >> storage & 1) && (kernels[kernel].pixels >> pixels & 1);
}

struct krn_mode krn_mode_at(int index)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            for (int p = 0; p < KRN_PIXELS_COUNT; p++)
                if (exists(k, s, p) && index-- == 0)
                    return (struct krn_mode){(enum krn_kernel)k, (enum krn_storage)s,
                                             all_pixels[p]};
    return (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
}

bool krn_mode_equal(struct krn_mode a, struct krn_mode b)
{
    return a.kernel == b.kernel && a.storage == b.storage &&
           a.pixels_per_thread == b.pixels_per_thread;
}

int krn_mode_index(struct krn_mode mode)
{
    int index = 0;
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            for (int p = 0; p < KRN_PIXELS_COUNT; p++) {
                if (!exists(k, s, p))
                    continue;
                if (krn_mode_equal(mode, (struct krn_mode){(enum krn_kernel)k, (enum krn_storage)s,
                                                           all_pixels[p]}))
                    return index;
                index++;
            }
    return -1;
}

enum krn_view_kind krn_mode_view(struct krn_mode mode)
{
    const struct krn_kernel_info *info = krn_kernel_describe(mode.kernel);
    return info ? info->view : KRN_VIEW_BOOK;
}

void krn_mode_name(struct krn_mode mode, char *text, size_t size)
{
    const int used =
        snprintf(text, size, "%s/%s", krn_kernel_name(mode.kernel), krn_storage_name(mode.storage));
    if (mode.pixels_per_thread != 1 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%d", mode.pixels_per_thread);
}

/* Appends item `at` of `count` to a list such as "1, 2 or 4". */
static void join(char *text, size_t size, int at, int count, const char *item)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s",
             at == 0           ? ""
             : at == count - 1 ? " or "
                               : ", ",
             item);
}

static enum krn_code refuse_pixels(struct krn_mode mode, struct krn_error *error)
{
    const struct krn_kernel_info *kernel = &kernels[mode.kernel];
    const int count = KRN_BITS(kernel->pixels);
    char list[64] = "", others[64] = "";
    for (int p = 0, at = 0; p < KRN_PIXELS_COUNT; p++)
        if (kernel->pixels >> p & 1) {
            char number[16];
            snprintf(number, sizeof number, "%d", all_pixels[p]);
            join(list, sizeof list, at++, count, number);
        }
    for (int k = 0; count == 1 && !others[0] && k < KRN_KERNEL_COUNT; k++)
        if (krn_kernel_has_pixels((enum krn_kernel)k))
            snprintf(others, sizeof others, "; the %s kernel takes more", kernels[k].name);
    return KRN_FAIL(error, KRN_REFUSED, "The %s kernel takes %s pixel%s per thread, not %d%s.",
                    kernel->name, list, count == 1 ? "" : "s", mode.pixels_per_thread, others);
}

static enum krn_code refuse_storage(struct krn_mode mode, struct krn_error *error)
{
    const struct krn_kernel_info *kernel = &kernels[mode.kernel];
    char list[128] = "";
    for (int s = 0, at = 0; s < KRN_STORAGE_COUNT; s++)
        if (kernel->storages >> s & 1)
            join(list, sizeof list, at++, KRN_BITS(kernel->storages), storages[s].name);
    return KRN_FAIL(error, KRN_REFUSED,
                    "The %s kernel reads its spheres from %s storage, not from %s storage.",
                    kernel->name, list, storages[mode.storage].name);
}

enum krn_code krn_mode_check(struct krn_mode mode, int spheres, struct krn_error *error)
{
    const struct krn_kernel_info *kernel = krn_kernel_describe(mode.kernel);
    const struct krn_storage_info *storage = krn_storage_describe(mode.storage);
    if (!kernel || !storage)
        return KRN_FAIL(error, KRN_REFUSED, "There is no kernel %d with storage %d.",
                        (int)mode.kernel, (int)mode.storage);
    const int pixels = krn_pixels_index(mode.pixels_per_thread);
    if (pixels < 0 || !(kernel->pixels >> pixels & 1))
        return refuse_pixels(mode, error);
    if (!(kernel->storages >> mode.storage & 1))
        return refuse_storage(mode, error);
    if (kernel->view == KRN_VIEW_LIGHT && spheres > KRN_LARGE_SPHERES)
        return KRN_FAIL(error, KRN_REFUSED, "The light view shows at most %d spheres, not %d.",
                        KRN_LARGE_SPHERES, spheres);
    const size_t most = storage->bytes_max / (size_t)kernel->sphere_bytes;
    if (storage->bytes_max == 0 || spheres <= 0 || (size_t)spheres <= most)
        return KRN_OK;
    const bool large = storage->bytes_max >= (size_t)1 << 20;
    return KRN_FAIL(error, KRN_REFUSED,
                    "%s holds %zu %s: at most %zu %sspheres of %d bytes, not %d.", storage->memory,
                    storage->bytes_max >> (large ? 20 : 10), large ? "MiB" : "KiB", most,
                    kernel->sphere_bytes == sizeof(struct krn_sphere) ? "" : "packed ",
                    kernel->sphere_bytes, spheres);
}
