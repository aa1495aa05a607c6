#include "cuda/light/light.h"

#include "cuda/runtime/check.h"

#include <string.h>

static void free_lit(struct krn_cuda_lit *lit)
{
    if (lit->balls_texture)
        cudaDestroyTextureObject(lit->balls_texture);
    if (lit->suns_texture)
        cudaDestroyTextureObject(lit->suns_texture);
    cudaFree(lit->balls);
    cudaFree(lit->suns);
    cudaFree(lit->tints);
    lit->balls_texture = lit->suns_texture = 0;
    lit->balls = lit->suns = NULL;
    lit->tints = NULL;
    lit->mirrors = NULL; /* the tracer's */
}

void krn_cuda_light_close(struct krn_cuda_light *light)
{
    free_lit(&light->lit);
    cudaFree(light->lit.table);
    cudaFree(light->lit.rays);
    memset(light, 0, sizeof *light);
}

void krn_cuda_light_new_scene(struct krn_cuda_light *light)
{
    if (light->allocated)
        free_lit(&light->lit);
    light->allocated = light->posed = false;
}

void krn_cuda_light_new_pose(struct krn_cuda_light *light)
{
    light->posed = false;
}

bool krn_cuda_light_has_pose(const struct krn_cuda_light *light)
{
    return light->posed;
}

struct krn_cuda_lit_frame krn_cuda_light_frame(const struct krn_view *view,
                                               struct krn_bounds bounds,
                                               struct krn_cuda_frame image)
{
    struct krn_cuda_lit_frame frame = {.image = image};
    krn_light_frame_make(&frame.light, &view->light, bounds, view->width, view->height);
    return frame;
}

/* Allocates what does not depend on the scene. */
static enum krn_code open_once(struct krn_cuda_light *light, cudaStream_t stream,
                               struct krn_error *error)
{
    if (light->lit.rays)
        return KRN_OK;
    void *table = NULL, *rays = NULL;
    krn_srgb_make(&light->srgb);
    enum krn_code code = KRN_CUDA(krn_cuda_brute_constant_bank(&light->bank), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&table, sizeof light->srgb), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMemcpyAsync(table, &light->srgb, sizeof light->srgb,
                                        cudaMemcpyHostToDevice, stream),
                        error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&rays, KRN_CUDA_RAY_COUNTS * sizeof *light->lit.rays), error);
    if (code != KRN_OK) {
        cudaFree(table);
        return code;
    }
    light->lit.table = table;
    light->lit.rays = rays;
    return KRN_OK;
}

static enum krn_code alloc_lit(struct krn_cuda_light *light, const struct krn_cuda_tracer *tracer,
                               struct krn_error *error)
{
    if (light->allocated)
        return KRN_OK;
    const size_t n = (size_t)tracer->posed.count;
    struct krn_cuda_lit *lit = &light->lit;
    void *balls = NULL, *suns = NULL, *tints = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&balls, n * sizeof *lit->balls), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&suns, n * sizeof *lit->suns), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&tints, n * sizeof *lit->tints), error);
    lit->balls = balls;
    lit->suns = suns;
    lit->tints = tints;
    lit->mirrors = tracer->mirrors;
    light->allocated = code == KRN_OK;
    if (code == KRN_OK)
        return KRN_OK;
    free_lit(lit);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(error, KRN_NO_MEMORY,
                        "The light view needs %zu MiB of memory for this scene, more than the "
                        "device has free.",
                        n * (sizeof *lit->balls + sizeof *lit->suns + sizeof *lit->tints) >> 20);
    return code;
}

/* Writes the posed scene in every form. */
static enum krn_code pose(struct krn_cuda_light *light, const struct krn_cuda_tracer *tracer,
                          const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                          struct krn_error *error)
{
    if (light->posed)
        return KRN_OK;
    const struct krn_cuda_lit *lit = &light->lit;
    const int count = tracer->posed.count;
    const size_t bytes = (size_t)count * sizeof *lit->balls;
    const bool fits = count <= KRN_CUDA_CONSTANT_BALLS;
    char *const bank = light->bank;
    enum krn_code code = KRN_CUDA(
        krn_cuda_light_pose(tracer->posed.scene.spheres, count, &frame->light, lit, stream), error);
    if (code == KRN_OK && fits)
        code = KRN_CUDA(cudaMemcpyAsync(bank, lit->balls, bytes, cudaMemcpyDeviceToDevice, stream),
                        error);
    if (code == KRN_OK && fits)
        code = KRN_CUDA(cudaMemcpyAsync(bank + KRN_CUDA_CONSTANT_BALLS * sizeof *lit->balls,
                                        lit->suns, bytes, cudaMemcpyDeviceToDevice, stream),
                        error);
    light->posed = code == KRN_OK;
    return code;
}

static enum krn_code prepare_textures(struct krn_cuda_light *light, int count,
                                      struct krn_error *error)
{
    const struct cudaChannelFormatDesc format =
        cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
    struct krn_cuda_lit *lit = &light->lit;
    enum krn_code code = KRN_OK;
    if (!lit->balls_texture)
        code = krn_cuda_bind_texture(&lit->balls_texture, lit->balls, count, 1, format, error);
    if (code == KRN_OK && !lit->suns_texture)
        code = krn_cuda_bind_texture(&lit->suns_texture, lit->suns, count, 1, format, error);
    return code;
}

/* The launchers of the modes. A mode without one has none. */
static krn_cuda_brute *const launchers[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT] = {
    [KRN_KERNEL_BRUTE] =
        {
            [KRN_STORAGE_GLOBAL] = krn_cuda_brute_global,
            [KRN_STORAGE_READONLY] = krn_cuda_brute_readonly,
            [KRN_STORAGE_CONSTANT] = krn_cuda_brute_constant,
            [KRN_STORAGE_SHARED] = krn_cuda_brute_shared,
            [KRN_STORAGE_TEXTURE] = krn_cuda_brute_texture,
        },
};

bool krn_cuda_light_renders(struct krn_mode mode)
{
    return krn_mode_index(mode) >= 0 && launchers[mode.kernel][mode.storage] != NULL;
}

int krn_cuda_light_launches(struct krn_mode mode)
{
    (void)mode;
    return 1;
}

enum krn_code krn_cuda_light_prepare(struct krn_cuda_light *light,
                                     const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                     struct krn_error *error)
{
    enum krn_code code = open_once(light, stream, error);
    if (code == KRN_OK)
        code = alloc_lit(light, tracer, error);
    if (code == KRN_OK)
        code = pose(light, tracer, frame, stream, error);
    if (code == KRN_OK && mode.storage == KRN_STORAGE_TEXTURE)
        code = prepare_textures(light, tracer->posed.count, error);
    return code;
}

void krn_cuda_light_shapes(const struct krn_cuda_light *light, struct krn_mode mode,
                           const struct krn_cuda_lit_frame *frame,
                           struct krn_cuda_launches *launches)
{
    (void)light;
    (void)mode;
    memset(launches, 0, sizeof *launches);
    launches->count = 1;
    launches->shapes[0] = krn_cuda_light_shape(frame);
}

enum krn_code krn_cuda_light_launch(const struct krn_cuda_light *light, struct krn_mode mode,
                                    const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                    struct krn_cuda_timer *timer, struct krn_error *error)
{
    (void)timer;
    return KRN_CUDA(launchers[mode.kernel][mode.storage](&light->lit, frame, stream), error);
}

enum krn_code krn_cuda_light_count(struct krn_cuda_light *light,
                                   const struct krn_cuda_tracer *tracer,
                                   const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                   struct krn_rays *rays, struct krn_error *error)
{
    const struct krn_mode mode = {KRN_KERNEL_BRUTE, KRN_STORAGE_READONLY, 1};
    unsigned long long counts[KRN_CUDA_RAY_COUNTS];
    enum krn_code code = krn_cuda_light_prepare(light, tracer, mode, frame, stream, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMemsetAsync(light->lit.rays, 0, sizeof counts, stream), error);
    if (code == KRN_OK)
        code = KRN_CUDA(krn_cuda_light_rays(&light->lit, frame, stream), error);
    if (code == KRN_OK)
        code = KRN_CUDA(
            cudaMemcpyAsync(counts, light->lit.rays, sizeof counts, cudaMemcpyDeviceToHost, stream),
            error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaStreamSynchronize(stream), error);
    for (int b = 0; code == KRN_OK && b <= KRN_BOUNCES_MAX; b++) {
        rays->traced[b] = counts[b];
        rays->shadow[b] = counts[KRN_BOUNCES_MAX + 1 + b];
    }
    return code;
}
