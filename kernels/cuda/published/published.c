/* The book's timing window: its calls in their order, on the default stream. */
#include "core/device/backend.h"

#include "core/base/clock.h"
#include "cuda/runtime/runtime.h"
#include "cuda/trace/kernels.h"

#include <stdlib.h>
#include <string.h>

enum { START, KERNEL, KERNEL_END, STOP, EVENTS };

static enum krn_code between(cudaEvent_t start, cudaEvent_t stop, double *ms,
                             struct krn_error *error)
{
    float elapsed = 0.0f;
    const enum krn_code code = KRN_CUDA(error, cudaEventElapsedTime(&elapsed, start, stop));
    *ms = (double)elapsed;
    return code;
}

/* Loads the kernel, which today's runtime would do within the window, at the first launch. */
static enum krn_code load_kernel(enum krn_storage storage, double *ms, struct krn_error *error)
{
    const double start = krn_clock_ms();
    const enum krn_code code = storage == KRN_STORAGE_CONSTANT
                                   ? KRN_CUDA(error, krn_cuda_book_constant_load())
                                   : KRN_CUDA(error, krn_cuda_book_global_load());
    *ms = krn_clock_ms() - start;
    return code;
}

/* The memory that the window allocates. */
struct window_memory {
    void *bitmap;
    void *image, *spheres; /* on the device */
    struct krn_scene scene;
};

static enum krn_code launch_kernel(const struct window_memory *memory, enum krn_storage storage,
                                   struct krn_error *error)
{
    const struct krn_cuda_frame frame = {
        memory->image, 4 * KRN_BOOK_SIDE, KRN_BOOK_SIDE, KRN_BOOK_SIDE, 1.0f, KRN_BOOK_SPHERES};
    const struct krn_cuda_posed posed = {.scene.spheres = memory->spheres};
    return storage == KRN_STORAGE_CONSTANT
               ? KRN_CUDA(error, krn_cuda_book_constant(&posed, 1, frame, NULL, NULL))
               : KRN_CUDA(error, krn_cuda_book_global(&posed, 1, frame, NULL, NULL));
}

static enum krn_code run_window(const cudaEvent_t *events, enum krn_storage storage,
                                struct window_memory *memory, double *at, struct krn_error *error)
{
    const struct krn_scene_recipe book = krn_scene_book();
    const bool constant = storage == KRN_STORAGE_CONSTANT;
    const size_t bytes = 4 * (size_t)KRN_BOOK_SIDE * KRN_BOOK_SIDE,
                 scene_bytes = KRN_BOOK_SPHERES * sizeof(struct krn_sphere);
    enum krn_code code = KRN_CUDA(error, cudaEventRecord(events[START], NULL));
    at[0] = krn_clock_ms();
    memory->bitmap = malloc(bytes);
    if (code == KRN_OK && !memory->bitmap)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a bitmap.");
    at[1] = krn_clock_ms();
    KRN_THEN(code, KRN_CUDA(error, cudaMalloc(&memory->image, bytes)));
    if (code == KRN_OK && !constant)
        code = KRN_CUDA(error, cudaMalloc(&memory->spheres, scene_bytes));
    at[2] = krn_clock_ms();
    KRN_THEN(code, krn_scene_generate(&memory->scene, &book, error));
    at[3] = krn_clock_ms();
    KRN_THEN(code, constant ? KRN_CUDA(error, krn_cuda_book_constant_upload(memory->scene.spheres,
                                                                            KRN_BOOK_SPHERES))
                            : KRN_CUDA(error, cudaMemcpy(memory->spheres, memory->scene.spheres,
                                                         scene_bytes, cudaMemcpyHostToDevice)));
    at[4] = krn_clock_ms();
    KRN_THEN(code, KRN_CUDA(error, cudaEventRecord(events[KERNEL], NULL)));
    KRN_THEN(code, launch_kernel(memory, storage, error));
    KRN_THEN(code, KRN_CUDA(error, cudaEventRecord(events[KERNEL_END], NULL)));
    at[5] = krn_clock_ms();
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpy(memory->bitmap, memory->image, bytes,
                                              cudaMemcpyDeviceToHost)));
    at[6] = krn_clock_ms();
    KRN_THEN(code, KRN_CUDA(error, cudaEventRecord(events[STOP], NULL)));
    return KRN_THEN(code, KRN_CUDA(error, cudaEventSynchronize(events[STOP])));
}

enum krn_code krn_cuda_book_window(int ordinal, enum krn_storage storage,
                                   struct krn_book_window *window, struct krn_error *error)
{
    cudaEvent_t events[EVENTS] = {NULL};
    struct window_memory memory = {NULL, NULL, NULL, {.spheres = NULL}};
    double at[KRN_BOOK_WINDOW_ITEMS + 1] = {0};
    memset(window, 0, sizeof *window);
    enum krn_code code = KRN_CUDA(error, cudaSetDevice(ordinal));
    KRN_THEN(code, krn_cuda_events_create(events, EVENTS, error));
    KRN_THEN(code, load_kernel(storage, &window->load_ms, error));
    KRN_THEN(code, run_window(events, storage, &memory, at, error));
    for (int i = 0; code == KRN_OK && i < KRN_BOOK_WINDOW_ITEMS; i++)
        window->item_ms[i] = at[i + 1] - at[i];
    KRN_THEN(code, between(events[START], events[STOP], &window->window_ms, error));
    KRN_THEN(code, between(events[KERNEL], events[KERNEL_END], &window->kernel_ms, error));
    KRN_THEN(code, krn_book_wrong(memory.bitmap, &window->wrong, error));
    krn_cuda_events_destroy(events, EVENTS);
    cudaFree(memory.image);
    cudaFree(memory.spheres);
    free(memory.bitmap);
    krn_scene_free(&memory.scene);
    return code;
}
