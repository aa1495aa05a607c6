#include "cuda/device/device.h"

#include "cuda/probes/probes.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/kernels.h"

#include <stdlib.h>
#include <string.h>

static struct krn_cuda_device *own(const struct krn_device *device)
{
    return (struct krn_cuda_device *)device;
}

static void free_posed(struct krn_cuda_scene *posed)
{
    cudaFree(posed->spheres);
    cudaFree(posed->packed);
    cudaFree(posed->material);
    memset(posed, 0, sizeof *posed);
}

/* One piece of device memory for each form. */
static enum krn_code alloc_posed(struct krn_cuda_scene *posed, int count, struct krn_error *error)
{
    const size_t n = (size_t)count;
    void *spheres = NULL, *packed = NULL, *material = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&spheres, n * sizeof *posed->spheres), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&packed, n * sizeof *posed->packed), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&material, n * sizeof *posed->material), error);
    *posed = (struct krn_cuda_scene){spheres, packed, material};
    if (code != KRN_OK)
        free_posed(posed);
    return code;
}

static void cuda_close(struct krn_device *device)
{
    struct krn_cuda_device *cuda = own(device);
    krn_cuda_timer_close(cuda->timer);
    krn_cuda_bins_free(&cuda->binning);
    cudaFree(cuda->spheres);
    free_posed(&cuda->turned);
    cudaFree(cuda->hash);
    if (cuda->stream)
        cudaStreamDestroy(cuda->stream);
    (void)cudaGetLastError();
    free(cuda);
}

static enum krn_code cuda_set_pose(struct krn_device *device, struct krn_pose pose,
                                   struct krn_error *error)
{
    struct krn_cuda_device *cuda = own(device);
    if (cuda->posed && cuda->pose.cosine == pose.cosine && cuda->pose.sine == pose.sine)
        return KRN_OK;
    enum krn_code code = KRN_CUDA(
        krn_cuda_rotate(cuda->spheres, cuda->turned, device->spheres, pose, cuda->stream), error);
    if (code == KRN_OK && device->spheres <= KRN_CONSTANT_SPHERES)
        code = KRN_CUDA(cudaMemcpyAsync(cuda->book_bank, cuda->turned.spheres,
                                        (size_t)device->spheres * sizeof *cuda->turned.spheres,
                                        cudaMemcpyDeviceToDevice, cuda->stream),
                        error);
    if (code == KRN_OK && device->spheres <= KRN_CONSTANT_PACKED)
        code = KRN_CUDA(cudaMemcpyAsync(cuda->strip_bank, cuda->turned.packed,
                                        (size_t)device->spheres * sizeof *cuda->turned.packed,
                                        cudaMemcpyDeviceToDevice, cuda->stream),
                        error);
    cuda->pose = pose;
    cuda->posed = code == KRN_OK;
    return code;
}

static enum krn_code cuda_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                    struct krn_error *error)
{
    struct krn_cuda_device *cuda = own(device);
    const size_t bytes = (size_t)scene->count * sizeof *scene->spheres;
    void *spheres = NULL;
    struct krn_cuda_scene turned = {NULL, NULL, NULL};
    enum krn_code code = KRN_CUDA(cudaMalloc(&spheres, bytes), error);
    if (code == KRN_OK)
        code = alloc_posed(&turned, scene->count, error);
    if (code == KRN_OK)
        code = KRN_CUDA(
            cudaMemcpyAsync(spheres, scene->spheres, bytes, cudaMemcpyHostToDevice, cuda->stream),
            error);
    /* Also waits for the frames that still read the old scene. */
    if (code == KRN_OK)
        code = KRN_CUDA(cudaStreamSynchronize(cuda->stream), error);
    if (code != KRN_OK) {
        cudaFree(spheres);
        free_posed(&turned);
        return code;
    }
    cudaFree(cuda->spheres);
    free_posed(&cuda->turned);
    cuda->spheres = spheres;
    cuda->turned = turned;
    cuda->base.spheres = scene->count;
    cuda->posed = false;
    krn_cuda_bins_set_scene(&cuda->binning, scene);
    const struct krn_pose still = {1.0f, 0.0f};
    return cuda_set_pose(device, still, error);
}

static enum krn_code cuda_alloc_image(struct krn_device *device, int width, int height,
                                      struct krn_image *image, struct krn_error *error)
{
    (void)device;
    void *pixels;
    const size_t pitch = 4 * (size_t)width;
    const enum krn_code code = KRN_CUDA(cudaMalloc(&pixels, pitch * (size_t)height), error);
    if (code == KRN_OK)
        *image = (struct krn_image){pixels, pitch, width, height};
    return code;
}

static void cuda_free_image(struct krn_device *device, struct krn_image *image)
{
    (void)device;
    cudaFree(image->pixels);
}

/* The storages of the book's kernel, in the order of enum krn_storage. */
static cudaError_t (*const book_launch[KRN_STORAGE_COUNT])(struct krn_sphere *,
                                                           struct krn_cuda_frame, cudaStream_t) = {
    [KRN_STORAGE_GLOBAL] = krn_cuda_book_global,
    [KRN_STORAGE_READONLY] = krn_cuda_book_readonly,
    [KRN_STORAGE_CONSTANT] = krn_cuda_book_constant,
    [KRN_STORAGE_SHARED] = krn_cuda_book_shared,
};

/* The same of the strip. */
static cudaError_t (*const strip_launch[KRN_STORAGE_COUNT])(struct krn_cuda_scene, int,
                                                            struct krn_cuda_frame, cudaStream_t) = {
    [KRN_STORAGE_GLOBAL] = krn_cuda_strip_global,
    [KRN_STORAGE_READONLY] = krn_cuda_strip_readonly,
    [KRN_STORAGE_CONSTANT] = krn_cuda_strip_constant,
    [KRN_STORAGE_SHARED] = krn_cuda_strip_shared,
};

/* What a frame puts into the queue, the gate aside; a clearing counts like a kernel. */
static int launches_of(struct krn_mode mode)
{
    return mode.kernel == KRN_KERNEL_BINNED ? 6 : 1;
}

static enum krn_code launch_binned(struct krn_cuda_device *cuda, struct krn_cuda_frame frame,
                                   bool timed, struct krn_error *error)
{
    enum krn_code code =
        KRN_CUDA(krn_cuda_binned_sort(cuda->turned, frame.count, cuda->binning.plan.tiles,
                                      cuda->binning.bins, cuda->stream),
                 error);
    if (code == KRN_OK && timed)
        code = krn_cuda_timer_part(cuda->timer, error);
    if (code == KRN_OK)
        code = KRN_CUDA(krn_cuda_binned_trace(cuda->turned, cuda->binning.plan.tiles,
                                              cuda->binning.bins, frame, cuda->stream),
                        error);
    return code;
}

static enum krn_code launch(struct krn_cuda_device *cuda, struct krn_mode mode,
                            struct krn_cuda_frame frame, bool timed, struct krn_error *error)
{
    switch (mode.kernel) {
    case KRN_KERNEL_STRIP:
        return KRN_CUDA(
            strip_launch[mode.storage](cuda->turned, mode.pixels_per_thread, frame, cuda->stream),
            error);
    case KRN_KERNEL_BINNED:
        return launch_binned(cuda, frame, timed, error);
    default:
        return KRN_CUDA(book_launch[mode.storage](cuda->turned.spheres, frame, cuda->stream),
                        error);
    }
}

static enum krn_code cuda_render(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, const struct krn_image *image,
                                 uint64_t tag, struct krn_error *error)
{
    struct krn_cuda_device *cuda = own(device);
    const struct krn_cuda_frame frame = {image->pixels, (int)image->pitch_bytes,
                                         view->width,   view->height,
                                         view->unit,    device->spheres};
    bool timed = false;
    enum krn_code code = mode.kernel == KRN_KERNEL_BINNED
                             ? krn_cuda_bins_prepare(&cuda->binning, view, error)
                             : KRN_OK;
    if (code == KRN_OK && tag != KRN_UNTIMED)
        code = krn_cuda_timer_start(cuda->timer, launches_of(mode), &timed, error);
    if (code != KRN_OK)
        return code;
    code = launch(cuda, mode, frame, timed, error);
    if (!timed)
        return code;
    if (code != KRN_OK) {
        krn_cuda_timer_abandon(cuda->timer);
        return code;
    }
    return krn_cuda_timer_stop(cuda->timer, mode, tag, error);
}

static enum krn_code cuda_batch(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                int count, double *ms, struct krn_error *error)
{
    struct krn_cuda_device *cuda = own(device);
    const struct krn_cuda_frame frame = {image->pixels, (int)image->pitch_bytes,
                                         view->width,   view->height,
                                         view->unit,    device->spheres};
    struct krn_reading reading = {.ms = 0.0};
    bool timed = false;
    enum krn_code code = krn_device_sync(device, error);
    if (code == KRN_OK && mode.kernel == KRN_KERNEL_BINNED)
        code = krn_cuda_bins_prepare(&cuda->binning, view, error);
    while (krn_cuda_timer_poll(cuda->timer, &reading))
        ;
    if (code == KRN_OK)
        code = krn_cuda_timer_start(cuda->timer, launches_of(mode) * count, &timed, error);
    for (int i = 0; code == KRN_OK && i < count; i++)
        code = launch(cuda, mode, frame, false, error);
    if (code == KRN_OK && timed)
        code = krn_cuda_timer_stop(cuda->timer, mode, 0, error);
    else if (timed)
        krn_cuda_timer_abandon(cuda->timer);
    if (code == KRN_OK)
        code = krn_device_sync(device, error);
    if (code == KRN_OK && !krn_cuda_timer_poll(cuda->timer, &reading))
        code = KRN_FAIL(error, KRN_FAILED, "The time of a batch could not be read.");
    *ms = reading.ms / count;
    return code;
}

static bool cuda_poll(struct krn_device *device, struct krn_reading *reading)
{
    return krn_cuda_timer_poll(own(device)->timer, reading);
}

static enum krn_code cuda_sync(struct krn_device *device, struct krn_error *error)
{
    return KRN_CUDA(cudaStreamSynchronize(own(device)->stream), error);
}

static enum krn_code cuda_read(struct krn_device *device, const struct krn_image *image,
                               void *pixels, struct krn_error *error)
{
    const size_t row = 4 * (size_t)image->width;
    const enum krn_code code = KRN_CUDA(
        cudaMemcpy2DAsync(pixels, row, image->pixels, image->pitch_bytes, row,
                          (size_t)image->height, cudaMemcpyDeviceToHost, own(device)->stream),
        error);
    return code == KRN_OK ? cuda_sync(device, error) : code;
}

static enum krn_code cuda_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                     struct krn_error *error)
{
    (void)device;
    return KRN_CUDA(cudaHostAlloc(memory, bytes, cudaHostAllocDefault), error);
}

static void cuda_free_host(struct krn_device *device, void *memory)
{
    (void)device;
    cudaFreeHost(memory);
}

static enum krn_code cuda_hash(struct krn_device *device, const struct krn_image *image,
                               uint64_t *hash, struct krn_error *error)
{
    struct krn_cuda_device *cuda = own(device);
    unsigned long long sum = 0;
    enum krn_code code = KRN_OK;
    if (!cuda->hash)
        code = KRN_CUDA(cudaMalloc((void **)&cuda->hash, sizeof *cuda->hash), error);
    if (code == KRN_OK)
        code = KRN_CUDA(krn_cuda_hash(image, cuda->hash, cuda->stream), error);
    if (code == KRN_OK)
        code = KRN_CUDA(
            cudaMemcpyAsync(&sum, cuda->hash, sizeof sum, cudaMemcpyDeviceToHost, cuda->stream),
            error);
    if (code == KRN_OK)
        code = cuda_sync(device, error);
    *hash = sum;
    return code;
}

static void *cuda_stream(const struct krn_device *device)
{
    return own(device)->stream;
}

const struct krn_device_ops krn_cuda_ops = {
    .close = cuda_close,
    .set_scene = cuda_set_scene,
    .set_pose = cuda_set_pose,
    .alloc_image = cuda_alloc_image,
    .free_image = cuda_free_image,
    .render = cuda_render,
    .batch = cuda_batch,
    .poll = cuda_poll,
    .sync = cuda_sync,
    .read = cuda_read,
    .alloc_host = cuda_alloc_host,
    .free_host = cuda_free_host,
    .stream = cuda_stream,
    .hash = cuda_hash,
    .open_probes = krn_cuda_open_probes,
};
