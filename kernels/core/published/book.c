/* The book's kernel alone, on the book's scene, from both storages in turns; and the book's window
 * of host code around it. */
#include "core/base/clock.h"
#include "core/device/backend.h"

#include "krn/published.h"
#include "krn/reference.h"
#include "krn/stats.h"

#include <stdlib.h>
#include <string.h>

/* Frames at the beginning of a turn, which find the caches filled by the other storage. */
enum { WARM_UP = 3, SAMPLES = KRN_BOOK_TURNS * KRN_BOOK_TURN_FRAMES, TRIES = 20 };

const enum krn_storage krn_book_storages[KRN_BOOK_STORAGES] = {KRN_STORAGE_GLOBAL,
                                                               KRN_STORAGE_CONSTANT};

static struct krn_view book_view(void)
{
    return (struct krn_view){.width = KRN_BOOK_SIDE, .height = KRN_BOOK_SIDE, .unit = 1.0f};
}

enum krn_code krn_book_wrong(const void *rgba, size_t *wrong, struct krn_error *error)
{
    const struct krn_scene_recipe book = krn_scene_book();
    const struct krn_view view = book_view();
    struct krn_scene scene = {.spheres = NULL};
    struct krn_reference reference;
    memset(&reference, 0, sizeof reference);
    enum krn_code code = krn_scene_generate(&scene, &book, error);
    KRN_THEN(code,
             krn_reference_render(&reference, &scene, krn_pose_at(0.0), &view, NULL, NULL, error));
    if (code == KRN_OK)
        *wrong = krn_reference_compare(&reference, rgba).wrong;
    krn_reference_free(&reference);
    krn_scene_free(&scene);
    return code;
}

/* Renders one frame and waits for it. *ms: its time. */
static enum krn_code render_frame(struct krn_device *device, int storage,
                                  const struct krn_image *image, double *ms,
                                  struct krn_error *error)
{
    const struct krn_view view = book_view();
    const struct krn_mode mode = {KRN_KERNEL_BOOK, krn_book_storages[storage], 1};
    /* A frame for which the host was late gives no reading. */
    for (int tries = 0; tries < TRIES; tries++) {
        struct krn_reading reading;
        enum krn_code code = krn_device_render(device, mode, &view, image, 0, error);
        KRN_THEN(code, krn_device_sync(device, error));
        if (code != KRN_OK)
            return code;
        if (krn_device_poll(device, &reading)) {
            *ms = reading.ms;
            return KRN_OK;
        }
    }
    return KRN_FAIL(error, KRN_FAILED, "The device returned no kernel time.");
}

/* Measures what a time contains besides the kernel. */
static enum krn_code measure_overheads(struct krn_device *device, struct krn_book_kernel *kernel,
                                       struct krn_error *error)
{
    const struct krn_view view = book_view();
    enum krn_code code = KRN_OK;
    kernel->tick_ms = krn_device_overheads(device).tick_ms;
    for (int storage = 0; code == KRN_OK && storage < KRN_BOOK_STORAGES; storage++) {
        const struct krn_mode mode = {KRN_KERNEL_BOOK, krn_book_storages[storage], 1};
        struct krn_overhead overhead;
        code = krn_device_overhead(device, mode, &view, &overhead, error);
        kernel->overhead_ms[storage] = overhead.ms;
    }
    return code;
}

/* Takes the samples of both storages, turn by turn. *n: how many of each. */
static enum krn_code take_turns(struct krn_device *device, int first, const struct krn_image *image,
                                double samples[KRN_BOOK_STORAGES][SAMPLES], size_t *n,
                                struct krn_error *error)
{
    const double start_ms = krn_clock_ms();
    enum krn_code code = KRN_OK;
    for (*n = 0; code == KRN_OK && *n < SAMPLES; *n += KRN_BOOK_TURN_FRAMES) {
        if (*n > 0 && krn_clock_ms() - start_ms > KRN_BOOK_KERNEL_MS)
            break;
        for (int turn = 0; turn < KRN_BOOK_STORAGES; turn++) {
            const int storage = (first + turn) % KRN_BOOK_STORAGES;
            double *ms = samples[storage] + *n;
            for (int i = -WARM_UP; code == KRN_OK && i < KRN_BOOK_TURN_FRAMES; i++)
                code = render_frame(device, storage, image, ms + (i > 0 ? i : 0), error);
        }
    }
    return code;
}

/* Renders the picture of each storage once more and compares it with the reference, which takes a
 * tenth of a second: equal pictures once. */
static enum krn_code verify(struct krn_device *device, const struct krn_image *image,
                            struct krn_book_kernel *kernel, struct krn_error *error)
{
    const size_t bytes = 4 * (size_t)KRN_BOOK_SIDE * KRN_BOOK_SIDE;
    double ms;
    unsigned char *rgba = malloc(KRN_BOOK_STORAGES * bytes);
    enum krn_code code = rgba ? KRN_OK : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture.");
    for (int storage = 0; code == KRN_OK && storage < KRN_BOOK_STORAGES; storage++) {
        unsigned char *picture = rgba + (size_t)storage * bytes;
        code = render_frame(device, storage, image, &ms, error);
        KRN_THEN(code, krn_device_read(device, image, picture, error));
        kernel->wrong[storage] = kernel->wrong[0];
        if (storage == 0 || memcmp(picture, rgba, bytes) != 0)
            KRN_THEN(code, krn_book_wrong(picture, &kernel->wrong[storage], error));
    }
    free(rgba);
    return code;
}

enum krn_code krn_book_kernel_any(struct krn_device *device, int first,
                                  struct krn_book_kernel *kernel, struct krn_error *error)
{
    const struct krn_scene_recipe book = krn_scene_book();
    struct krn_image image = {NULL, 0, 0, 0};
    struct krn_scene scene = {.spheres = NULL};
    double samples[KRN_BOOK_STORAGES][SAMPLES];
    size_t n = 0;
    memset(kernel, 0, sizeof *kernel);
    enum krn_code code = krn_scene_generate(&scene, &book, error);
    KRN_THEN(code, krn_device_set_scene(device, &scene, error));
    KRN_THEN(code, krn_device_set_pose(device, krn_pose_at(0.0), error));
    KRN_THEN(code, krn_device_alloc_image(device, KRN_BOOK_SIDE, KRN_BOOK_SIDE, &image, error));
    KRN_THEN(code, take_turns(device, first, &image, samples, &n, error));
    KRN_THEN(code, measure_overheads(device, kernel, error));
    KRN_THEN(code, verify(device, &image, kernel, error));
    for (int storage = 0; code == KRN_OK && storage < KRN_BOOK_STORAGES; storage++) {
        kernel->n[storage] = n;
        kernel->median_ms[storage] = krn_summarise(samples[storage], n).median;
    }
    krn_device_free_image(device, &image);
    krn_scene_free(&scene);
    return code;
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
    KRN_THEN(code, krn_device_alloc_image(device, KRN_BOOK_SIDE, KRN_BOOK_SIDE, &image, error));
    at[2] = krn_clock_ms();
    KRN_THEN(code, krn_scene_generate(&scene, &book, error));
    at[3] = krn_clock_ms();
    KRN_THEN(code, krn_device_set_scene(device, &scene, error));
    at[4] = krn_clock_ms();
    KRN_THEN(code, krn_device_render(device, mode, &view, &image, 0, error));
    at[5] = krn_clock_ms();
    KRN_THEN(code, krn_device_read(device, &image, bitmap, error));
    at[6] = krn_clock_ms();

    if (code == KRN_OK && !krn_device_poll(device, &reading))
        code = KRN_FAIL(error, KRN_FAILED, "The device returned no kernel time.");
    *window = (struct krn_book_window){.window_ms = at[6] - at[0], .kernel_ms = reading.ms};
    for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++)
        window->item_ms[i] = at[i + 1] - at[i];
    KRN_THEN(code, krn_book_wrong(bitmap, &window->wrong, error));
    krn_scene_free(&scene);
    krn_device_free_image(device, &image);
    free(bitmap);
    return code;
}
