/* Checks every call of a device before its backend gets it; the quantities of the heat map. */
#include "core/device/backend.h"

#include "core/trace/strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Here, since a build without nvcc has them, too. */
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

static const char *const backend_names[KRN_BACKEND_COUNT] = {"cuda", "cpu", "gl"};

const char *krn_backend_name(enum krn_backend_id id)
{
    return (int)id >= 0 && id < KRN_BACKEND_COUNT ? backend_names[id] : "n/a";
}

void krn_device_close(struct krn_device *device)
{
    if (device)
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
    memset(device->kept_kernels, 0, sizeof device->kept_kernels);
    if (code != KRN_OK)
        return code;
    const struct krn_bounds before = device->bounds;
    device->bounds = krn_bounds_of(scene);
    code = device->ops->set_scene(device, scene, error);
    KRN_THEN(code, device->ops->set_pose(device, (struct krn_pose){1.0f, 0.0f}, error));
    if (code != KRN_OK)
        device->bounds = before;
    return code;
}

enum krn_code krn_device_set_pose(struct krn_device *device, struct krn_pose pose,
                                  struct krn_error *error)
{
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
    const size_t pitch = 4 * (size_t)width;
    void *pixels = NULL;
    enum krn_code code = check_size(width, height, error);
    KRN_THEN(code, device->ops->alloc_image(device, pitch * (size_t)height, &pixels, error));
    if (code == KRN_OK)
        *image = (struct krn_image){pixels, pitch, width, height};
    return code;
}

void krn_device_free_image(struct krn_device *device, struct krn_image *image)
{
    if (image->pixels)
        device->ops->free_image(device, image->pixels);
    memset(image, 0, sizeof *image);
}

bool krn_device_offers(const struct krn_device *device, struct krn_mode mode)
{
    return mode.kernel != KRN_KERNEL_MINE ||
           (device->mine.block_x > 0 && mode.storage == device->mine.storage);
}

enum krn_code krn_device_check_mode(const struct krn_device *device, struct krn_mode mode,
                                    struct krn_error *error)
{
    const enum krn_code code = krn_mode_check(mode, device->spheres, error);
    const struct krn_mine_loaded *mine = &device->mine;
    if (code == KRN_OK && !krn_device_offers(device, mode))
        return mine->block_x == 0
                   ? KRN_FAIL(error, KRN_REFUSED,
                              "The mine kernel is the user's own: --kernel-file names its file.")
                   : KRN_FAIL(error, KRN_REFUSED,
                              "The file of the mine kernel decides its storage, which is %s.",
                              krn_storage_name(mine->storage));
    if (code == KRN_OK && mode.kernel == KRN_KERNEL_MINE && mine->room > 0 &&
        device->spheres > mine->room)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The scene of the mine kernel's file has room for %d spheres, not %d.",
                        mine->room, device->spheres);
    if (code != KRN_OK || device->ops->renders(device, mode))
        return code;
    if (device->ops->check)
        return device->ops->check(device, mode, error);
    return KRN_FAIL(error, KRN_REFUSED,
                    "The %s backend has no launcher for the %s kernel with %s storage.",
                    krn_backend_name(device->info.backend), krn_kernel_name(mode.kernel),
                    krn_storage_name(mode.storage));
}

/* Checks the size of a picture, and that there is a scene for it. */
static enum krn_code check_picture(const struct krn_device *device, const struct krn_view *view,
                                   struct krn_error *error)
{
    const enum krn_code code = check_size(view->width, view->height, error);
    if (code == KRN_OK && device->spheres == 0)
        return KRN_FAIL(error, KRN_REFUSED, "The device has no scene yet.");
    return code;
}

/* Checks that the device can render its scene in this mode for this view. Errors: KRN_REFUSED. */
static enum krn_code check_launch(const struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_error *error)
{
    const enum krn_code code = check_picture(device, view, error);
    if (code != KRN_OK)
        return code;
    if (!(view->unit > 0.0f))
        return KRN_FAIL(error, KRN_REFUSED, "A pixel is larger than %g units.", (double)view->unit);
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT && krn_light_check(&view->light, error) != KRN_OK)
        return KRN_REFUSED;
    return krn_device_check_mode(device, mode, error);
}

/* Checks in addition that the image has the view's size. Errors: KRN_REFUSED. */
static enum krn_code check_render(const struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, const struct krn_image *image,
                                  struct krn_error *error)
{
    const enum krn_code code = check_launch(device, mode, view, error);
    if (code == KRN_OK && (image->width != view->width || image->height != view->height ||
                           image->pitch_bytes < 4 * (size_t)view->width ||
                           image->pitch_bytes % 4 != 0 || !image->pixels))
        return KRN_FAIL(error, KRN_REFUSED, "The image does not fit the view (%dx%d, %dx%d).",
                        image->width, image->height, view->width, view->height);
    return code;
}

enum krn_code krn_device_rays(struct krn_device *device, const struct krn_view *view,
                              struct krn_rays *rays, struct krn_error *error)
{
    memset(rays, 0, sizeof *rays);
    enum krn_code code = check_picture(device, view, error);
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    KRN_THEN(code, krn_light_check(&view->light, error));
    KRN_THEN(code, krn_mode_check(tree, device->spheres, error));
    if (code != KRN_OK)
        return code;
    if (!device->ops->rays)
        return KRN_FAIL(error, KRN_REFUSED, "The %s backend does not have the light view.",
                        krn_backend_name(device->info.backend));
    return device->ops->rays(device, view, rays, error);
}

enum krn_code krn_device_render(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                uint64_t tag, struct krn_error *error)
{
    const enum krn_code code = check_render(device, mode, view, image, error);
    return code == KRN_OK ? device->ops->render(device, mode, view, image, tag, error) : code;
}

enum krn_code krn_device_render_batch(struct krn_device *device, struct krn_mode mode,
                                      const struct krn_view *view, const struct krn_image *image,
                                      int count, double *ms, struct krn_error *error)
{
    if (count < 1)
        return KRN_FAIL(error, KRN_REFUSED, "A batch has at least 1 frame, not %d.", count);
    const enum krn_code code = check_render(device, mode, view, image, error);
    return code == KRN_OK ? device->ops->batch(device, mode, view, image, count, ms, error) : code;
}

enum krn_code krn_device_overhead(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_overhead *overhead,
                                  struct krn_error *error)
{
    const enum krn_code code = check_launch(device, mode, view, error);
    *overhead = (struct krn_overhead){.ms = 0.0};
    return code == KRN_OK ? device->ops->overhead(device, mode, view, overhead, error) : code;
}

enum krn_code krn_device_limit(struct krn_device *device, const struct krn_view *view,
                               struct krn_limit *limit, struct krn_error *error)
{
    struct krn_limit_samples samples = {.n = 0, .batch = 1};
    enum krn_code code = check_picture(device, view, error);
    memset(limit, 0, sizeof *limit);
    KRN_THEN(code, device->ops->limit(device, view, &samples, error));
    if (code != KRN_OK)
        return code;
    if (samples.n < KRN_LIMIT_LEAST)
        return KRN_FAIL(error, KRN_FAILED,
                        "The host was late nearly every time: the limit is not known.");
    const size_t n = (size_t)samples.n;
    const double net_ms = krn_summarise(samples.net_ms, n).median;
    limit->net_ms = net_ms > 0.0 ? net_ms : 0.0;
    limit->raw_ms = limit->net_ms + samples.overhead_ms;
    limit->interval = krn_interval_widen(krn_interval_of(samples.net_ms, n),
                                         device->overheads.tick_ms / samples.batch);
    return KRN_OK;
}

bool krn_device_poll(struct krn_device *device, struct krn_reading *reading)
{
    return device->ops->poll(device, reading);
}

unsigned long krn_device_gate_drops(const struct krn_device *device)
{
    return device->gate_drops;
}

enum krn_code krn_device_sync(struct krn_device *device, struct krn_error *error)
{
    return device->ops->sync ? device->ops->sync(device, error) : KRN_OK;
}

enum krn_code krn_device_read(struct krn_device *device, const struct krn_image *image,
                              void *pixels, struct krn_error *error)
{
    return device->ops->read(device, image, pixels, error);
}

enum krn_code krn_device_fill(struct krn_device *device, const struct krn_image *image,
                              uint8_t byte, struct krn_error *error)
{
    return device->ops->fill(device, image, byte, error);
}

enum krn_code krn_device_hash(struct krn_device *device, const struct krn_image *image,
                              uint64_t *hash, struct krn_error *error)
{
    return device->ops->hash(device, image, hash, error);
}

enum krn_code krn_host_alloc(struct krn_device *device, size_t bytes, void **memory,
                             struct krn_error *error)
{
    (void)device;
    enum { CACHE_LINE = 64 };
    *memory = aligned_alloc(CACHE_LINE, (bytes / CACHE_LINE + 1) * CACHE_LINE);
    return *memory ? KRN_OK : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %zu KiB.", bytes >> 10);
}

void krn_host_free(struct krn_device *device, void *memory)
{
    (void)device;
    free(memory);
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
    return device->ops->stream ? device->ops->stream(device) : NULL;
}

bool krn_device_is_host(const struct krn_device *device)
{
    return device->info.can.host_images;
}

const struct krn_kernel_attributes *krn_kernels_main(const struct krn_kernels *kernels)
{
    return kernels->count > 0 ? &kernels->list[kernels->count - 1] : NULL;
}

bool krn_kernel_known(const struct krn_kernel_attributes *kernel)
{
    return kernel != NULL && kernel->registers > 0;
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
    const enum krn_code code = check_launch(device, mode, view, error);
    if (code != KRN_OK)
        return code;
    struct krn_kept_kernels *kept = &device->kept_kernels[krn_mode_index(mode)];
    if (kept->spheres != device->spheres || !krn_same_rays(&kept->view, view)) {
        *kept = (struct krn_kept_kernels){.spheres = device->spheres, .view = *view};
        kept->code = device->ops->kernels(device, mode, view, &kept->kernels, &kept->error);
    }
    if (kept->code != KRN_OK && error != NULL)
        *error = kept->error;
    *kernels = kept->kernels;
    return kept->code;
}

struct krn_property *krn_property_add(struct krn_property_list *list,
                                      const struct krn_property *property)
{
    if (list->count == KRN_PROPERTIES_MAX)
        return NULL;
    struct krn_property *added = &list->properties[list->count++];
    *added = *property;
    return added;
}

void krn_property_add_text(struct krn_property_list *list, const char *key, const char *words,
                           const char *text)
{
    struct krn_property *added = krn_property_add(
        list, &(struct krn_property){key, words, KRN_PROPERTY_TEXT, .known = text[0] != '\0'});
    if (added != NULL)
        snprintf(added->text, sizeof added->text, "%s", text);
}

void krn_property_add_number(struct krn_property_list *list, const char *key, const char *words,
                             enum krn_property_kind kind, int64_t value)
{
    (void)krn_property_add(list, &(struct krn_property){key, words, kind, .known = value >= 0,
                                                        .count = 1, .values = {value}});
}

bool krn_device_stamp_frame(struct krn_device *device, uint64_t frame)
{
    device->stamping = device->ops->stamps != NULL && device->ops->stamps->frame(device, frame);
    return device->stamping;
}

void krn_device_stamp_begin(struct krn_device *device, enum krn_part part)
{
    if (device->stamping)
        device->ops->stamps->begin(device, part);
}

void krn_device_stamp_close(struct krn_device *device)
{
    if (device->stamping)
        device->ops->stamps->close(device);
}

void krn_device_stamp_end(struct krn_device *device)
{
    if (device->stamping)
        device->ops->stamps->end(device);
    device->stamping = false;
}

bool krn_device_stamp_poll(struct krn_device *device, struct krn_stamps *stamps)
{
    return device->ops->stamps != NULL && device->ops->stamps->poll(device, stamps);
}

/* --- the quantities of the heat map, and round ends of its scale --- */

const char *krn_heat_name(enum krn_heat quantity)
{
    static const char *const names[KRN_HEAT_COUNT] = {"off", "tests", "cycles", "rays"};
    return (int)quantity >= 0 && quantity < KRN_HEAT_COUNT ? names[quantity] : "n/a";
}

enum krn_view_kind krn_heat_view(enum krn_heat quantity)
{
    return quantity == KRN_HEAT_RAYS ? KRN_VIEW_LIGHT : KRN_VIEW_BOOK;
}

bool krn_heat_offered(const struct krn_capabilities *can, enum krn_heat quantity)
{
    return quantity == KRN_HEAT_CYCLES ? can->cycle_counters
                                       : (int)quantity >= 0 && quantity < KRN_HEAT_COUNT;
}

const char *krn_heat_reason(void)
{
    return "The CPU backend counts sphere tests only: a clock read around a pixel would cost more "
           "than the pixel and would count other programs, too.";
}

/* Returns the first round number that is at least `most`. */
static uint32_t round_up(uint32_t most)
{
    static const unsigned digits[] = {1, 2, 3, 4, 5, 6, 8};
    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
            if (power * digits[i] >= most)
                return power * digits[i] < UINT32_MAX ? (uint32_t)(power * digits[i]) : UINT32_MAX;
}

uint32_t krn_heat_scale(uint32_t before, uint32_t most)
{
    static const double lowest_share = 0.45;
    if (before > 0 && most <= before && most >= lowest_share * before)
        return before;
    return round_up(most);
}

enum krn_code krn_device_heat(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, enum krn_heat quantity,
                              const struct krn_image *image, struct krn_heat_costs *costs,
                              struct krn_error *error)
{
    memset(costs, 0, sizeof *costs);
    if (device->ops->heat == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "The %s backend has no heat map.",
                        krn_backend_name(device->info.backend));
    if (!krn_heat_offered(&device->info.can, quantity))
        return KRN_FAIL(error, KRN_REFUSED, "%s", krn_heat_reason());
    if (quantity == KRN_HEAT_OFF)
        return KRN_FAIL(error, KRN_REFUSED, "A heat map shows tests, cycles or rays.");
    if (krn_mode_view(mode) != krn_heat_view(quantity))
        return KRN_FAIL(error, KRN_REFUSED, "A heat map of %s does not show the %s kernel.",
                        krn_heat_name(quantity), krn_kernel_name(mode.kernel));
    enum krn_code code = check_render(device, mode, view, image, error);
    if (code == KRN_OK) {
        device->heat_width = device->heat_height = 0;
        code = device->ops->heat(device, mode, view, quantity, image, costs, error);
    }
    if (code != KRN_OK)
        return code;
    device->heat_width = view->width;
    device->heat_height = view->height;
    costs->pixels = (size_t)view->width * (size_t)view->height;
    costs->mean = (double)costs->sum / (double)costs->pixels;
    return KRN_OK;
}

enum krn_code krn_device_heat_paint(struct krn_device *device, uint32_t scale,
                                    const struct krn_image *image, struct krn_error *error)
{
    if (device->heat_width == 0 || image->width != device->heat_width ||
        image->height != device->heat_height || scale == 0)
        return KRN_FAIL(error, KRN_REFUSED, "No costs of %dx%d pixels are kept for the heat map.",
                        image->width, image->height);
    return device->ops->heat_paint(device, scale, image, error);
}

enum krn_code krn_device_heat_read(struct krn_device *device, size_t first, size_t count,
                                   uint32_t *costs, struct krn_error *error)
{
    const size_t kept = (size_t)device->heat_width * (size_t)device->heat_height;
    if (kept == 0 || first > kept || count > kept - first)
        return KRN_FAIL(error, KRN_REFUSED, "The heat map has %zu pixels.", kept);
    return device->ops->heat_read(device, first, count, costs, error);
}
