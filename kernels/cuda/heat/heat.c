#include "cuda/heat/heat.h"

#include "core/trace/palette.h"
#include "cuda/runtime/runtime.h"

#include <string.h>

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
    enum krn_code code = KRN_CUDA(cudaMalloc(&colours, sizeof palette.rgba), error);
    KRN_THEN(code, KRN_CUDA(cudaMemcpy(colours, palette.rgba, sizeof palette.rgba,
                                       cudaMemcpyHostToDevice),
                            error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&sums, sizeof *heat->sums), error));
    if (code != KRN_OK) {
        cudaFree(colours);
        return code;
    }
    heat->palette = colours;
    heat->sums = sums;
    return KRN_OK;
}

static enum krn_code grow(struct krn_cuda_heat *heat, size_t pixels, struct krn_error *error)
{
    if (pixels <= heat->held)
        return KRN_OK;
    void *costs = NULL;
    cudaFree(heat->costs);
    heat->costs = NULL;
    heat->held = 0;
    const enum krn_code code = KRN_CUDA(cudaMalloc(&costs, pixels * sizeof *heat->costs), error);
    if (code != KRN_OK)
        return code;
    heat->costs = costs;
    heat->held = pixels;
    return KRN_OK;
}

static enum krn_code run_binned(const struct krn_cuda_heat *heat,
                                const struct krn_cuda_tracer *tracer, bool cycles,
                                struct krn_cuda_frame frame, cudaStream_t stream,
                                struct krn_error *error)
{
    const struct krn_cuda_scene scene = tracer->posed.scene;
    const struct krn_tiles tiles = tracer->binning.plan.tiles;
    const struct krn_cuda_bins bins = tracer->binning.bins;
    const enum krn_code code =
        KRN_CUDA(krn_cuda_binned_sort(scene, frame.count, tiles, bins, stream), error);
    if (code != KRN_OK)
        return code;
    return KRN_CUDA((cycles ? krn_cuda_binned_trace : krn_cuda_binned_tests)(
                        scene, tiles, bins, frame, heat->costs, stream),
                    error);
}

static enum krn_code run_splat(const struct krn_cuda_heat *heat,
                               const struct krn_cuda_tracer *tracer, enum krn_heat quantity,
                               struct krn_cuda_frame frame, cudaStream_t stream,
                               struct krn_error *error)
{
    if (quantity == KRN_HEAT_CYCLES)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The splat kernel has no thread for each pixel whose clock cycles it could "
                        "count.");
    const size_t bytes = (size_t)frame.width * (size_t)frame.height * sizeof *heat->costs;
    const enum krn_code code = KRN_CUDA(cudaMemsetAsync(heat->costs, 0, bytes, stream), error);
    return code != KRN_OK
               ? code
               : KRN_CUDA(krn_cuda_splat_launch(tracer->posed.scene, tracer->splatting.splat, frame,
                                                heat->costs, stream),
                          error);
}

static enum krn_code run_mode(const struct krn_cuda_heat *heat,
                              const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                              enum krn_heat quantity, struct krn_cuda_frame frame,
                              cudaStream_t stream, struct krn_error *error)
{
    if (mode.kernel == KRN_KERNEL_SPLAT)
        return run_splat(heat, tracer, quantity, frame, stream, error);
    if (mode.kernel == KRN_KERNEL_BINNED)
        return run_binned(heat, tracer, quantity == KRN_HEAT_CYCLES, frame, stream, error);
    krn_cuda_launch *launch = krn_cuda_tracer_kernel(mode);
    if (launch == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "The %s kernel with %s storage has no heat map.",
                        krn_kernel_name(mode.kernel), krn_storage_name(mode.storage));
    if (quantity == KRN_HEAT_TESTS)
        launch = mode.kernel == KRN_KERNEL_BOOK         ? krn_cuda_book_tests
                 : mode.storage == KRN_STORAGE_CONSTANT ? krn_cuda_strip_constant_tests
                                                        : krn_cuda_strip_tests;
    return KRN_CUDA(launch(&tracer->posed, mode.pixels_per_thread, frame, heat->costs, stream),
                    error);
}

static enum krn_code prepare(struct krn_cuda_heat *heat, size_t pixels, struct krn_error *error)
{
    enum krn_code code = open_once(heat, error);
    return KRN_THEN(code, grow(heat, pixels, error));
}

/* Sums the costs up and waits for the sums. */
static enum krn_code sum_up(const struct krn_cuda_heat *heat, size_t pixels, cudaStream_t stream,
                            struct krn_heat_costs *costs, struct krn_error *error)
{
    struct krn_cuda_heat_sums sums = {0, 0, 0};
    enum krn_code code =
        KRN_CUDA(krn_cuda_heat_sum(heat->costs, pixels, heat->sums, stream), error);
    KRN_THEN(code, KRN_CUDA(cudaMemcpyAsync(&sums, heat->sums, sizeof sums, cudaMemcpyDeviceToHost,
                                            stream),
                            error));
    KRN_THEN(code, KRN_CUDA(cudaStreamSynchronize(stream), error));
    costs->sum = sums.sum;
    costs->least = sums.least;
    costs->most = sums.most;
    return code;
}

enum krn_code krn_cuda_heat_run(struct krn_cuda_heat *heat, const struct krn_cuda_tracer *tracer,
                                struct krn_mode mode, enum krn_heat quantity,
                                struct krn_cuda_frame frame, cudaStream_t stream,
                                struct krn_heat_costs *costs, struct krn_error *error)
{
    const size_t pixels = (size_t)frame.width * (size_t)frame.height;
    enum krn_code code = prepare(heat, pixels, error);
    KRN_THEN(code, run_mode(heat, tracer, mode, quantity, frame, stream, error));
    return KRN_THEN(code, sum_up(heat, pixels, stream, costs, error));
}

enum krn_code krn_cuda_heat_rays(struct krn_cuda_heat *heat, struct krn_cuda_light *light,
                                 const struct krn_cuda_tracer *tracer,
                                 const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                 struct krn_heat_costs *costs, struct krn_error *error)
{
    const size_t pixels = (size_t)frame->image.width * (size_t)frame->image.height;
    enum krn_code code = prepare(heat, pixels, error);
    KRN_THEN(code, krn_cuda_light_count_pixels(light, tracer, frame, heat->costs, stream, error));
    return KRN_THEN(code, sum_up(heat, pixels, stream, costs, error));
}

enum krn_code krn_cuda_heat_paint(const struct krn_cuda_heat *heat, uint32_t scale,
                                  const struct krn_image *image, cudaStream_t stream,
                                  struct krn_error *error)
{
    return KRN_CUDA(krn_cuda_heat_colours(heat->costs, scale, heat->palette, image, stream), error);
}

enum krn_code krn_cuda_heat_read(const struct krn_cuda_heat *heat, size_t first, size_t count,
                                 uint32_t *costs, cudaStream_t stream, struct krn_error *error)
{
    if (count == 0)
        return KRN_OK;
    enum krn_code code = KRN_CUDA(cudaMemcpyAsync(costs, heat->costs + first, count * sizeof *costs,
                                                  cudaMemcpyDeviceToHost, stream),
                                  error);
    return KRN_THEN(code, KRN_CUDA(cudaStreamSynchronize(stream), error));
}
