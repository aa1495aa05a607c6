#include "core/device/backend.h"
#include "core/inject/inject_image.h"

#include <stdio.h>
#include <string.h>

static const char *const backend_names[KRN_BACKEND_COUNT] = {"cuda", "cpu"};
static const char *const storage_names[KRN_STORAGE_COUNT] = {"global", "readonly", "constant",
                                                             "shared"};
static const char *const kernel_names[KRN_KERNEL_COUNT] = {"book", "strip", "binned"};

static const char *name_of(const char *const *names, int index, int count)
{
    return index >= 0 && index < count ? names[index] : "n/a";
}

const char *krn_backend_name(enum krn_backend_id id)
{
    return name_of(backend_names, (int)id, KRN_BACKEND_COUNT);
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

void krn_device_close(struct krn_device *device)
{
    if (!device)
        return;
    krn_inject_image_close(device);
    device->ops->close(device);
}

const struct krn_device_info *krn_device_describe(const struct krn_device *device)
{
    return &device->info;
}

struct krn_overheads krn_device_overheads(const struct krn_device *device)
{
    return device->overheads;
}

enum krn_code krn_device_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                   struct krn_error *error)
{
    enum krn_code code = krn_scene_check(scene, error);
    if (code == KRN_OK)
        code = device->ops->set_scene(device, scene, error);
    return code == KRN_OK ? krn_inject_image_set_scene(device, scene, error) : code;
}

enum krn_code krn_device_set_pose(struct krn_device *device, struct krn_pose pose,
                                  struct krn_error *error)
{
    if (device->fault)
        krn_inject_image_set_pose(device->fault, pose);
    return device->ops->set_pose(device, pose, error);
}

static enum krn_code check_size(int width, int height, struct krn_error *error)
{
    if (width < 1 || height < 1 || width > KRN_SIZE_MAX || height > KRN_SIZE_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "An image is 1x1 to %dx%d pixels, not %dx%d.",
                        KRN_SIZE_MAX, KRN_SIZE_MAX, width, height);
    return KRN_OK;
}

enum krn_code krn_device_alloc_image(struct krn_device *device, int width, int height,
                                     struct krn_image *image, struct krn_error *error)
{
    const enum krn_code code = check_size(width, height, error);
    return code == KRN_OK ? device->ops->alloc_image(device, width, height, image, error) : code;
}

void krn_device_free_image(struct krn_device *device, struct krn_image *image)
{
    if (image->pixels)
        device->ops->free_image(device, image);
    memset(image, 0, sizeof *image);
}

static enum krn_code check_render(const struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, const struct krn_image *image,
                                  struct krn_error *error)
{
    const enum krn_code code = check_size(view->width, view->height, error);
    if (code != KRN_OK)
        return code;
    if (!(view->unit > 0.0f) || image->width != view->width || image->height != view->height ||
        image->pitch_bytes < 4 * (size_t)view->width || image->pitch_bytes % 4 != 0 ||
        !image->pixels)
        return KRN_FAIL(error, KRN_REFUSED, "The image does not fit the view (%dx%d, %dx%d).",
                        image->width, image->height, view->width, view->height);
    if (device->spheres == 0)
        return KRN_FAIL(error, KRN_REFUSED, "The device has no scene yet.");
    return krn_mode_check(mode, device->spheres, error);
}

enum krn_code krn_device_render(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                uint64_t tag, struct krn_error *error)
{
    enum krn_code code = check_render(device, mode, view, image, error);
    if (code == KRN_OK && device->fault)
        code = krn_inject_image_prepare(device, mode, error);
    return code == KRN_OK ? device->ops->render(device, mode, view, image, tag, error) : code;
}

enum krn_code krn_device_render_batch(struct krn_device *device, struct krn_mode mode,
                                      const struct krn_view *view, const struct krn_image *image,
                                      int count, double *ms, struct krn_error *error)
{
    if (count < 1)
        return KRN_FAIL(error, KRN_REFUSED, "A batch is 1 frame at least, not %d.", count);
    const enum krn_code code = check_render(device, mode, view, image, error);
    return code == KRN_OK ? device->ops->batch(device, mode, view, image, count, ms, error) : code;
}

bool krn_device_poll(struct krn_device *device, struct krn_reading *reading)
{
    return device->ops->poll(device, reading);
}

enum krn_code krn_device_sync(struct krn_device *device, struct krn_error *error)
{
    return device->ops->sync(device, error);
}

enum krn_code krn_device_read(struct krn_device *device, const struct krn_image *image,
                              void *pixels, struct krn_error *error)
{
    return device->ops->read(device, image, pixels, error);
}

enum krn_code krn_device_hash(struct krn_device *device, const struct krn_image *image,
                              uint64_t *hash, struct krn_error *error)
{
    return device->ops->hash(device, image, hash, error);
}

enum krn_code krn_device_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                    struct krn_error *error)
{
    return device->ops->alloc_host(device, bytes, memory, error);
}

void krn_device_free_host(struct krn_device *device, void *memory)
{
    if (memory)
        device->ops->free_host(device, memory);
}

void *krn_device_stream(const struct krn_device *device)
{
    return device->ops->stream(device);
}

bool krn_device_is_host(const struct krn_device *device)
{
    return device->info.can.host_images;
}
