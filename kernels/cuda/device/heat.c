/* Queues the kernels of the heat map, which count what the timed ones do. */
#include "cuda/device/cuda.h"

#include "core/trace/palette.h"

void krn_cuda_heat_close(struct krn_cuda_heat *heat)
{
    cudaFree(heat->costs);
    cudaFree(heat->palette);
    cudaFree(heat->sums);
    memset(heat, 0, sizeof *heat);
}

/* Allocates what does not depend on the size of the image. */
static enum krn_code open_once(struct krn_cuda_heat *heat, struct krn_error *error)
{
    if (heat->sums)
        return KRN_OK;
    struct krn_palette palette;
    void *colours = NULL, *sums = NULL;
    krn_palette_make(&palette);
    enum krn_code code = KRN_CUDA(error, cudaMalloc(&colours, sizeof palette.rgba));
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpy(colours, palette.rgba, sizeof palette.rgba,
                                              cudaMemcpyHostToDevice)));
    KRN_THEN(code, KRN_CUDA(error, cudaMalloc(&sums, sizeof *heat->sums)));
    heat->palette = colours;
    heat->sums = sums;
    if (code != KRN_OK)
        krn_cuda_heat_close(heat);
    return code;
}

static enum krn_code grow(struct krn_cuda_heat *heat, size_t pixels, struct krn_error *error)
{
    if (pixels <= heat->held)
        return KRN_OK;
    void *costs = NULL;
    cudaFree(heat->costs);
    const enum krn_code code = KRN_CUDA(error, cudaMalloc(&costs, pixels * sizeof *heat->costs));
    heat->costs = costs;
    heat->held = code == KRN_OK ? pixels : 0;
    return code;
}

static enum krn_code run_binned(const struct krn_cuda_device *cuda, bool cycles,
                                struct krn_cuda_frame frame, struct krn_error *error)
{
    const struct krn_cuda_scene scene = cuda->tracer.posed.scene;
    const struct krn_tiles tiles = cuda->tracer.binning.plan.tiles;
    const struct krn_cuda_bins bins = cuda->tracer.binning.bins;
    enum krn_code code =
        KRN_CUDA(error, krn_cuda_binned_sort(scene, frame.count, tiles, bins, cuda->stream));
    return KRN_THEN(
        code, KRN_CUDA(error, (cycles ? krn_cuda_binned_trace : krn_cuda_binned_tests)(
                                  scene, tiles, bins, frame, cuda->heat.costs, cuda->stream)));
}

static enum krn_code run_splat(const struct krn_cuda_device *cuda, enum krn_heat quantity,
                               struct krn_cuda_frame frame, struct krn_error *error)
{
    if (quantity == KRN_HEAT_CYCLES)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The splat kernel has no thread for each pixel whose clock cycles it could "
                        "count.");
    uint32_t *costs = cuda->heat.costs;
    const size_t bytes = (size_t)frame.width * (size_t)frame.height * sizeof *costs;
    enum krn_code code = KRN_CUDA(error, cudaMemsetAsync(costs, 0, bytes, cuda->stream));
    return KRN_THEN(code, KRN_CUDA(error, krn_cuda_splat_launch(cuda->tracer.posed.scene,
                                                                cuda->tracer.splatting.splat, frame,
                                                                costs, cuda->stream)));
}

static enum krn_code run_mode(const struct krn_cuda_device *cuda, struct krn_mode mode,
                              enum krn_heat quantity, struct krn_cuda_frame frame,
                              struct krn_error *error)
{
    if (mode.kernel == KRN_KERNEL_SPLAT)
        return run_splat(cuda, quantity, frame, error);
    if (mode.kernel == KRN_KERNEL_BINNED)
        return run_binned(cuda, quantity == KRN_HEAT_CYCLES, frame, error);
    krn_cuda_launch *launch = krn_cuda_tracer_kernel(mode);
    if (launch == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "The %s kernel with %s storage has no heat map.",
                        krn_kernel_name(mode.kernel), krn_storage_name(mode.storage));
    if (quantity == KRN_HEAT_TESTS)
        launch = mode.kernel == KRN_KERNEL_BOOK         ? krn_cuda_book_tests
                 : mode.storage == KRN_STORAGE_CONSTANT ? krn_cuda_strip_constant_tests
                                                        : krn_cuda_strip_tests;
    return KRN_CUDA(error, launch(&cuda->tracer.posed, mode.pixels_per_thread, frame,
                                  cuda->heat.costs, cuda->stream));
}

/* Queues the count of the light view's rays. */
static enum krn_code run_rays(struct krn_cuda_device *cuda, const struct krn_view *view,
                              struct krn_cuda_frame image, struct krn_error *error)
{
    const struct krn_cuda_lit_frame frame = krn_cuda_light_frame(view, cuda->base.bounds, image);
    return krn_cuda_light_count_pixels(&cuda->light, &cuda->tracer, &frame, cuda->heat.costs,
                                       cuda->stream, error);
}

enum krn_code krn_cuda_heat(struct krn_device *device, struct krn_mode mode,
                            const struct krn_view *view, enum krn_heat quantity,
                            const struct krn_image *image, struct krn_heat_costs *costs,
                            struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    struct krn_cuda_heat *heat = &cuda->heat;
    const struct krn_cuda_frame frame = krn_cuda_image_frame(device, view, image);
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    const bool rays = quantity == KRN_HEAT_RAYS;
    struct krn_cuda_heat_sums sums = {0, 0, 0};
    enum krn_code code = rays ? KRN_OK : krn_cuda_tracer_prepare(&cuda->tracer, mode, view, error);
    if (code != KRN_OK)
        return code;
    krn_cuda_timer_note_untimed(cuda->timer);
    KRN_THEN(code, open_once(heat, error));
    KRN_THEN(code, grow(heat, pixels, error));
    KRN_THEN(code, rays ? run_rays(cuda, view, frame, error)
                        : run_mode(cuda, mode, quantity, frame, error));
    KRN_THEN(code,
             KRN_CUDA(error, krn_cuda_heat_sum(heat->costs, pixels, heat->sums, cuda->stream)));
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(&sums, heat->sums, sizeof sums,
                                                   cudaMemcpyDeviceToHost, cuda->stream)));
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(cuda->stream)));
    costs->sum = sums.sum;
    costs->least = sums.least;
    costs->most = sums.most;
    return code;
}

enum krn_code krn_cuda_heat_paint(struct krn_device *device, uint32_t scale,
                                  const struct krn_image *image, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    krn_cuda_timer_note_untimed(cuda->timer);
    return KRN_CUDA(error, krn_cuda_heat_colours(cuda->heat.costs, scale, cuda->heat.palette, image,
                                                 cuda->stream));
}

enum krn_code krn_cuda_heat_read(struct krn_device *device, size_t first, size_t count,
                                 uint32_t *costs, struct krn_error *error)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    if (count == 0)
        return KRN_OK;
    enum krn_code code =
        KRN_CUDA(error, cudaMemcpyAsync(costs, cuda->heat.costs + first, count * sizeof *costs,
                                        cudaMemcpyDeviceToHost, cuda->stream));
    return KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(cuda->stream)));
}
