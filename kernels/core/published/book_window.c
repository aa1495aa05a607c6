#include "krn/published.h"

#include "core/base/clock.h"
#include "core/device/backend.h"

#include <stdlib.h>

const char *const krn_book_window_item[KRN_BOOK_WINDOW_ITEMS] = {
    "host_alloc_ms", "device_alloc_ms", "scene_ms", "upload_ms", "launch_ms", "read_back_ms"};

double krn_book_window_value(const struct krn_book_window *w, int item)
{
    const double values[KRN_BOOK_WINDOW_ITEMS] = {w->host_alloc_ms, w->device_alloc_ms,
                                                  w->scene_ms,      w->upload_ms,
                                                  w->launch_ms,     w->read_back_ms};
    return values[item];
}

const char *krn_book_window_scope(enum krn_backend_id backend)
{
    return backend == KRN_BACKEND_CUDA
               ? "one pair of CUDA events around allocation on host and device, scene, upload, "
                 "first launch and read-back; the kernel is loaded before, as the book's runtime "
                 "did; the book itself warns that events are unreliable around host code"
               : "two readings of the monotonic clock around allocation, scene, upload, first "
                 "launch and read-back; on the CPU, device memory is host memory";
}

enum krn_code krn_book_window_any(struct krn_device *device, enum krn_storage storage,
                                  struct krn_book_window *window, struct krn_error *error)
{
    const struct krn_scene_recipe book = krn_scene_book();
    const struct krn_view view = {.width = KRN_BOOK_SIDE, .height = KRN_BOOK_SIDE, .unit = 1.0f};
    const struct krn_mode mode = {KRN_KERNEL_BOOK, storage, 1};
    struct krn_image image = {NULL, 0, 0, 0};
    struct krn_scene scene = {.spheres = NULL};
    struct krn_reading reading = {.ms = 0.0};
    double at[KRN_BOOK_WINDOW_ITEMS + 1];

    at[0] = krn_clock_ms();
    void *bitmap = malloc(4 * (size_t)KRN_BOOK_SIDE * KRN_BOOK_SIDE);
    enum krn_code code =
        bitmap ? KRN_OK : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a bitmap.");
    at[1] = krn_clock_ms();
    if (code == KRN_OK)
        code = krn_device_alloc_image(device, KRN_BOOK_SIDE, KRN_BOOK_SIDE, &image, error);
    at[2] = krn_clock_ms();
    if (code == KRN_OK)
        code = krn_scene_generate(&scene, &book, error);
    at[3] = krn_clock_ms();
    if (code == KRN_OK)
        code = krn_device_set_scene(device, &scene, error);
    at[4] = krn_clock_ms();
    if (code == KRN_OK)
        code = krn_device_render(device, mode, &view, &image, 0, error);
    at[5] = krn_clock_ms();
    if (code == KRN_OK)
        code = krn_device_read(device, &image, bitmap, error);
    at[6] = krn_clock_ms();

    if (code == KRN_OK && !krn_device_poll(device, &reading))
        code = KRN_FAIL(error, KRN_FAILED, "The device returned no kernel time.");
    *window = (struct krn_book_window){.window_ms = at[6] - at[0],
                                       .host_alloc_ms = at[1] - at[0],
                                       .device_alloc_ms = at[2] - at[1],
                                       .scene_ms = at[3] - at[2],
                                       .upload_ms = at[4] - at[3],
                                       .launch_ms = at[5] - at[4],
                                       .read_back_ms = at[6] - at[5],
                                       .kernel_ms = reading.ms};
    if (code == KRN_OK)
        code = krn_book_wrong(bitmap, &window->wrong, error);
    krn_scene_free(&scene);
    krn_device_free_image(device, &image);
    free(bitmap);
    return code;
}
