/* The functions of a CUDA device. A frame is only queued when render returns. */
#include "cuda/device/cuda.h"

#include "cuda/probes/topic.h"

#include <stdlib.h>

static void cuda_close(struct krn_device *device)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    krn_cuda_stamps_close(cuda->stamps);
    krn_cuda_timer_close(cuda->timer);
    krn_cuda_light_close(&cuda->light);
    krn_cuda_tracer_close(&cuda->tracer);
    krn_cuda_heat_close(&cuda->heat);
    cudaFree(cuda->hash);
    if (cuda->stream)
        cudaStreamDestroy(cuda->stream);
    (void)cudaGetLastError();
    free(cuda);
}

static enum krn_code cuda_compile_mine(const struct krn_device *device, const char *file,
                                       const char *text, const char *folder, struct krn_mine *mine,
                                       struct krn_error *error)
{
    (void)folder;
    return krn_mine_compile_cuda(device->info.compute_major, device->info.compute_minor, file, text,
                                 mine, error);
}

static enum krn_code cuda_load_mine(struct krn_device *device, const struct krn_mine *mine,
                                    struct krn_mine_loaded *loaded, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const enum krn_code code = krn_cuda_tracer_load_mine(&cuda->tracer, mine, cuda->stream, error);
    const struct krn_cuda_mine *made = &cuda->tracer.mine;
    loaded->block_x = made->shape[0];
    loaded->block_y = made->shape[1];
    loaded->pixels = made->shape[2];
    loaded->room = made->room;
    memset(cuda->launched, 0, sizeof cuda->launched);
    return code;
}

static enum krn_code cuda_set_pose(struct krn_device *device, struct krn_pose pose,
                                   struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    if (krn_cuda_tracer_has_pose(&cuda->tracer, pose))
        return KRN_OK;
    cuda->light.posed = false;
    krn_device_stamp_begin(device, KRN_PART_POSE);
    const enum krn_code code = krn_cuda_tracer_set_pose(&cuda->tracer, pose, cuda->stream, error);
    krn_device_stamp_close(device);
    return code;
}

static enum krn_code cuda_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                    struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const enum krn_code code = krn_cuda_tracer_set_scene(&cuda->tracer, scene, cuda->stream, error);
    if (code != KRN_OK)
        return code;
    krn_cuda_light_new_scene(&cuda->light);
    device->spheres = scene->count;
    memset(cuda->launched, 0, sizeof cuda->launched);
    krn_cuda_overhead_forget(krn_cuda_timer_overhead(cuda->timer));
    return KRN_OK;
}

static enum krn_code cuda_alloc_image(struct krn_device *device, size_t bytes, void **pixels,
                                      struct krn_error *error)
{
    (void)device;
    return KRN_CUDA(error, cudaMalloc(pixels, bytes));
}

static void cuda_free_image(struct krn_device *device, void *pixels)
{
    (void)device;
    cudaFree(pixels);
}

static bool cuda_renders(const struct krn_device *device, struct krn_mode mode)
{
    (void)device;
    return krn_mode_view(mode) == KRN_VIEW_LIGHT ? krn_cuda_light_renders(mode)
                                                 : krn_cuda_tracer_renders(mode);
}

/* What the launches of a frame need, for either view. */
struct frame {
    struct krn_mode mode;
    bool light;                    /* a mode of the light view, which reads `lit` */
    struct krn_cuda_frame image;   /* what a mode of the book view reads */
    struct krn_cuda_lit_frame lit; /* contains `image` */
};

static struct frame frame_of(const struct krn_device *device, struct krn_mode mode,
                             const struct krn_view *view, const struct krn_image *image)
{
    struct frame frame = {.mode = mode,
                          .light = krn_mode_view(mode) == KRN_VIEW_LIGHT,
                          .image = krn_cuda_image_frame(device, view, image)};
    if (frame.light)
        frame.lit = krn_cuda_light_frame(view, device->bounds, frame.image);
    return frame;
}

/* Creates what the mode needs, outside of all time stamps. */
static enum krn_code prepare(struct krn_device *device, const struct frame *frame,
                             const struct krn_view *view, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    if (!frame->light)
        return krn_cuda_tracer_prepare(&cuda->tracer, frame->mode, view, error);
    const bool stamped = !cuda->light.posed;
    if (stamped)
        krn_device_stamp_begin(device, KRN_PART_POSE);
    const enum krn_code code = krn_cuda_light_prepare(&cuda->light, &cuda->tracer, frame->mode,
                                                      &frame->lit, cuda->stream, error);
    if (stamped)
        krn_device_stamp_close(device);
    return code;
}

static int launches_of(const struct frame *frame)
{
    return frame->light ? krn_cuda_light_launches(frame->mode)
                        : krn_cuda_tracer_launches(frame->mode);
}

static enum krn_code launch(const struct krn_cuda_device *cuda, const struct frame *frame,
                            struct krn_cuda_timer *timer, struct krn_error *error)
{
    return frame->light ? krn_cuda_light_launch(&cuda->light, frame->mode, &frame->lit,
                                                cuda->stream, timer, error)
                        : krn_cuda_tracer_launch(&cuda->tracer, frame->mode, frame->image,
                                                 cuda->stream, timer, error);
}

/* Returns true when a mode is launched for the first time with this scene and view, which decide
 * between variants of its kernel. */
static bool first_launch(struct krn_cuda_device *cuda, struct krn_mode mode,
                         const struct krn_view *view)
{
    if (!krn_same_rays(view, &cuda->launched_view))
        memset(cuda->launched, 0, sizeof cuda->launched);
    cuda->launched_view = *view;
    bool *launched = &cuda->launched[krn_mode_index(mode)];
    const bool first = !*launched;
    *launched = true;
    return first;
}

static enum krn_code cuda_render(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, const struct krn_image *image,
                                 uint64_t tag, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const struct frame frame = frame_of(device, mode, view, image);
    bool timed = false;
    enum krn_code code = prepare(device, &frame, view, error);
    if (code == KRN_OK && tag != KRN_UNTIMED)
        code = krn_cuda_timer_start(cuda->timer, launches_of(&frame),
                                    first_launch(cuda, mode, view), &timed, error);
    if (code != KRN_OK)
        return code;
    code = launch(cuda, &frame, timed ? cuda->timer : NULL, error);
    if (!timed) {
        krn_cuda_timer_note_untimed(cuda->timer);
        return code;
    }
    if (code != KRN_OK) {
        krn_cuda_timer_abandon(cuda->timer);
        return code;
    }
    code = krn_cuda_timer_stop(cuda->timer, mode, tag, error);
    if (code == KRN_OK && device->stamping) {
        cudaEvent_t start, stop;
        krn_cuda_timer_newest(cuda->timer, &start, &stop);
        krn_cuda_stamps_add(cuda->stamps, KRN_PART_KERNEL, start, stop);
    }
    return code;
}

static bool cuda_poll(struct krn_device *device, struct krn_reading *reading)
{
    return krn_cuda_timer_poll(krn_cuda_of(device)->timer, reading, &device->gate_drops);
}

/* Renders `count` times between one pair of events. *read: the pair gave a reading. */
static enum krn_code run_batch(struct krn_device *device, const struct frame *frame, int count,
                               struct krn_reading *reading, bool *read, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    bool timed = false;
    enum krn_code code =
        krn_cuda_timer_start(cuda->timer, launches_of(frame) * count, false, &timed, error);
    for (int i = 0; code == KRN_OK && i < count; i++)
        code = launch(cuda, frame, NULL, error);
    if (code == KRN_OK && timed)
        code = krn_cuda_timer_stop(cuda->timer, frame->mode, 0, error);
    else if (timed)
        krn_cuda_timer_abandon(cuda->timer);
    KRN_THEN(code, krn_device_sync(device, error));
    *read = code == KRN_OK && cuda_poll(device, reading);
    return code;
}

static enum krn_code cuda_batch(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                int count, double *ms, struct krn_error *error)
{
    enum { TRIES = 10 };
    const struct frame frame = frame_of(device, mode, view, image);
    struct krn_reading reading = {.ms = 0.0};
    bool read = false;
    enum krn_code code = krn_device_sync(device, error);
    KRN_THEN(code, prepare(device, &frame, view, error));
    while (cuda_poll(device, &reading))
        ;
    for (int i = 0; code == KRN_OK && !read && i < TRIES; i++)
        code = run_batch(device, &frame, count, &reading, &read, error);
    *ms = read ? reading.ms / count : 0.0;
    return code;
}

/* The arguments of a launch that is captured. */
struct captured {
    const struct krn_cuda_device *cuda;
    const struct frame *frame;
};

static enum krn_code queue_frame(void *context, struct krn_error *error)
{
    const struct captured *captured = context;
    return launch(captured->cuda, captured->frame, NULL, error);
}

static enum krn_code cuda_overhead(struct krn_device *device, struct krn_mode mode,
                                   const struct krn_view *view, struct krn_overhead *overhead,
                                   struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const struct krn_image none = {.pixels = NULL};
    const struct frame frame = frame_of(device, mode, view, &none);
    struct captured captured = {cuda, &frame};
    struct krn_cuda_launches launches = {.count = 1};
    struct krn_kernels kernels = {.count = 0};
    enum krn_code code = prepare(device, &frame, view, error);
    if (mode.kernel == KRN_KERNEL_MINE)
        launches.shapes[0] = krn_cuda_mine_shape(&cuda->tracer.mine, frame.image);
    else
        KRN_THEN(code, krn_cuda_capture_shapes(cuda->stream, queue_frame, &captured,
                                               KRN_CUDA_LAUNCHES_MAX, launches.shapes,
                                               &launches.count, error));
    if (code != KRN_OK)
        return code;
    if (krn_kernel_describe(mode.kernel)->bins) /* the picture is the last launch */
        launches.part = launches.count - 1;
    /* A launch without attributes, such as a memset, leaves open which kernel is which. */
    (void)krn_device_kernels(device, mode, view, &kernels, NULL);
    for (int i = 0; kernels.count == launches.count && i < kernels.count; i++)
        launches.resident[i] = (unsigned)kernels.list[i].blocks_per_processor;
    return krn_cuda_overhead_of(krn_cuda_timer_overhead(cuda->timer), &launches, overhead, error);
}

/* The arguments of the limit's launches. */
struct limit {
    const struct krn_cuda_device *cuda;
    void *pixels;
    int batches;
};

static enum krn_code queue_limit(void *context, struct krn_error *error)
{
    const struct limit *limit = context;
    const struct krn_cuda_posed *posed = &limit->cuda->tracer.posed;
    return KRN_CUDA(error, krn_cuda_limit(posed->scene, posed->count, limit->pixels, limit->batches,
                                          limit->cuda->stream));
}

static enum krn_code cuda_limit(struct krn_device *device, const struct krn_view *view,
                                struct krn_limit_samples *samples, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const int pixels = view->width * view->height;
    struct limit limit = {cuda, NULL, (pixels + KRN_CUDA_BATCH - 1) / KRN_CUDA_BATCH};
    const size_t bytes = 4 * (size_t)limit.batches * KRN_CUDA_BATCH;
    enum krn_code code = KRN_CUDA(error, cudaMalloc(&limit.pixels, bytes));
    KRN_THEN(code, krn_cuda_overhead_net(krn_cuda_timer_overhead(cuda->timer), queue_limit, &limit,
                                         krn_cuda_limit_shape(device->spheres, limit.batches),
                                         samples, error));
    cudaFree(limit.pixels);
    return code;
}

static enum krn_code cuda_kernels(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_kernels *kernels,
                                  struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const struct krn_image none = {.pixels = NULL};
    const struct frame frame = frame_of(device, mode, view, &none);
    const enum krn_code code = prepare(device, &frame, view, error);
    if (code != KRN_OK)
        return code;
    kernels->count = 1;
    if (mode.kernel == KRN_KERNEL_MINE)
        return krn_cuda_mine_describe(&cuda->tracer.mine, frame.image, &kernels->list[0], error);
    struct captured captured = {cuda, &frame};
    return krn_cuda_capture(cuda->stream, queue_frame, &captured, kernels, error);
}

static enum krn_code cuda_sync(struct krn_device *device, struct krn_error *error)
{
    return KRN_CUDA(error, cudaStreamSynchronize(krn_cuda_of(device)->stream));
}

static enum krn_code cuda_read(struct krn_device *device, const struct krn_image *image,
                               void *pixels, struct krn_error *error)
{
    const size_t row = 4 * (size_t)image->width;
    enum krn_code code =
        KRN_CUDA(error, cudaMemcpy2DAsync(pixels, row, image->pixels, image->pitch_bytes, row,
                                          (size_t)image->height, cudaMemcpyDeviceToHost,
                                          krn_cuda_of(device)->stream));
    return KRN_THEN(code, cuda_sync(device, error));
}

static enum krn_code cuda_fill(struct krn_device *device, const struct krn_image *image,
                               uint8_t byte, struct krn_error *error)
{
    krn_cuda_timer_note_fill(krn_cuda_of(device)->timer);
    return KRN_CUDA(error, cudaMemset2DAsync(image->pixels, image->pitch_bytes, byte,
                                             4 * (size_t)image->width, (size_t)image->height,
                                             krn_cuda_of(device)->stream));
}

static enum krn_code cuda_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                     struct krn_error *error)
{
    (void)device;
    return KRN_CUDA(error, cudaHostAlloc(memory, bytes, cudaHostAllocDefault));
}

static void cuda_free_host(struct krn_device *device, void *memory)
{
    (void)device;
    cudaFreeHost(memory);
}

static enum krn_code cuda_hash(struct krn_device *device, const struct krn_image *image,
                               uint64_t *hash, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    unsigned long long sum = 0;
    enum krn_code code = KRN_OK;
    if (!cuda->hash)
        code = KRN_CUDA(error, cudaMalloc((void **)&cuda->hash, sizeof *cuda->hash));
    KRN_THEN(code, KRN_CUDA(error, krn_cuda_hash(image, cuda->hash, cuda->stream)));
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(&sum, cuda->hash, sizeof sum,
                                                   cudaMemcpyDeviceToHost, cuda->stream)));
    KRN_THEN(code, cuda_sync(device, error));
    *hash = sum;
    return code;
}

static enum krn_code cuda_rays(struct krn_device *device, const struct krn_view *view,
                               struct krn_rays *rays, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    const struct krn_image none = {.pixels = NULL};
    const struct krn_cuda_lit_frame frame =
        krn_cuda_light_frame(view, device->bounds, krn_cuda_image_frame(device, view, &none));
    krn_cuda_timer_note_untimed(cuda->timer);
    return krn_cuda_light_count(&cuda->light, &cuda->tracer, &frame, cuda->stream, rays, error);
}

static void *cuda_stream(const struct krn_device *device)
{
    return krn_cuda_of(device)->stream;
}

const struct krn_device_ops krn_cuda_ops = {
    .close = cuda_close,
    .set_scene = cuda_set_scene,
    .set_pose = cuda_set_pose,
    .alloc_image = cuda_alloc_image,
    .free_image = cuda_free_image,
    .renders = cuda_renders,
    .render = cuda_render,
    .batch = cuda_batch,
    .overhead = cuda_overhead,
    .limit = cuda_limit,
    .kernels = cuda_kernels,
    .poll = cuda_poll,
    .sync = cuda_sync,
    .read = cuda_read,
    .fill = cuda_fill,
    .alloc_host = cuda_alloc_host,
    .free_host = cuda_free_host,
    .stream = cuda_stream,
    .hash = cuda_hash,
    .open_probes = krn_cuda_open_probes,
    .heat = krn_cuda_heat,
    .heat_paint = krn_cuda_heat_paint,
    .heat_read = krn_cuda_heat_read,
    .rays = cuda_rays,
    .stamps = &krn_cuda_stamp_ops,
    .compile_mine = cuda_compile_mine,
    .load_mine = cuda_load_mine,
};
