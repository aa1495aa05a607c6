#include "cuda/light/light.h"

#include "cuda/runtime/runtime.h"

#include <string.h>

/* Memory of the tree: allocated once per scene, outside of all time stamps, so a frame can neither
 * overrun it nor wait for an allocation. */
static void free_tree(struct krn_cuda_tree *tree)
{
    if (tree->texture)
        cudaDestroyTextureObject(tree->texture);
    cudaFree(tree->nodes);
    cudaFree(tree->codes);
    cudaFree(tree->codes_sorted);
    cudaFree(tree->spheres);
    cudaFree(tree->spheres_sorted);
    cudaFree(tree->parents);
    cudaFree(tree->visits);
    cudaFree(tree->scratch);
    memset(tree, 0, sizeof *tree);
}

/* Allocates what the tree of `count` spheres and its build need, unless *tree has it. Errors:
 * KRN_NO_MEMORY (the message gives the size), KRN_FAILED; *tree stays empty. */
static enum krn_code alloc_tree(struct krn_cuda_tree *tree, int count, struct krn_error *error)
{
    enum { NODES, CODES, CODES_SORTED, SPHERES, SPHERES_SORTED, PARENTS, VISITS, SCRATCH, PARTS };
    if (tree->nodes)
        return KRN_OK;
    const size_t n = (size_t)count;
    size_t scratch_bytes = 0, sum = 0;
    enum krn_code code = KRN_CUDA(krn_cuda_tree_scratch(count, &scratch_bytes), error);
    const size_t bytes[PARTS] = {
        [NODES] = n * sizeof *tree->nodes,
        [CODES] = n * sizeof *tree->codes,
        [CODES_SORTED] = n * sizeof *tree->codes_sorted,
        [SPHERES] = n * sizeof *tree->spheres,
        [SPHERES_SORTED] = n * sizeof *tree->spheres_sorted,
        [PARENTS] = 2 * n * sizeof *tree->parents,
        [VISITS] = n * sizeof *tree->visits,
        [SCRATCH] = scratch_bytes,
    };
    void *parts[PARTS] = {NULL};
    for (int i = 0; code == KRN_OK && i < PARTS; i++) {
        sum += bytes[i];
        code = KRN_CUDA(cudaMalloc(&parts[i], bytes[i]), error);
    }
    if (code == KRN_OK) {
        *tree = (struct krn_cuda_tree){
            .nodes = parts[NODES],
            .codes = parts[CODES],
            .codes_sorted = parts[CODES_SORTED],
            .spheres = parts[SPHERES],
            .spheres_sorted = parts[SPHERES_SORTED],
            .parents = parts[PARENTS],
            .visits = parts[VISITS],
            .scratch = parts[SCRATCH],
            .scratch_bytes = scratch_bytes,
        };
        return KRN_OK;
    }
    for (int i = 0; i < PARTS; i++)
        cudaFree(parts[i]);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(error, KRN_NO_MEMORY,
                        "The tree kernel needs more than %zu MiB of memory for this scene, which "
                        "the device does not have free.",
                        (sum >> 20) + 1);
    return code;
}

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
    free_tree(&light->tree);
    free_lit(&light->lit);
    cudaFree(light->lit.table);
    cudaFree(light->lit.rays);
    memset(light, 0, sizeof *light);
}

void krn_cuda_light_new_scene(struct krn_cuda_light *light)
{
    if (light->allocated)
        free_lit(&light->lit);
    free_tree(&light->tree);
    light->allocated = light->posed = false;
}

struct krn_cuda_lit_frame krn_cuda_light_frame(const struct krn_view *view,
                                               struct krn_bounds bounds,
                                               struct krn_cuda_frame image)
{
    struct krn_cuda_lit_frame frame = {.bounds = bounds, .image = image};
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
    enum krn_code code = KRN_CUDA(krn_cuda_brute_constant_bank(&light->brute_bank), error);
    KRN_THEN(code, KRN_CUDA(krn_cuda_tree_constant_bank(&light->tree_bank), error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&table, sizeof light->srgb), error));
    KRN_THEN(code, KRN_CUDA(cudaMemcpyAsync(table, &light->srgb, sizeof light->srgb,
                                            cudaMemcpyHostToDevice, stream),
                            error));
    KRN_THEN(code,
             KRN_CUDA(cudaMalloc(&rays, KRN_CUDA_RAY_COUNTS * sizeof *light->lit.rays), error));
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
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&suns, n * sizeof *lit->suns), error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&tints, n * sizeof *lit->tints), error));
    lit->balls = balls;
    lit->suns = suns;
    lit->tints = tints;
    lit->mirrors = tracer->mirrors;
    light->allocated = code == KRN_OK;
    if (code == KRN_OK)
        return KRN_OK;
    free_lit(lit);
    if (code == KRN_NO_MEMORY)
        code =
            KRN_FAIL(error, KRN_NO_MEMORY,
                     "The light view needs %zu MiB of memory for this scene, more than the "
                     "device has free.",
                     (n * (sizeof *lit->balls + sizeof *lit->suns + sizeof *lit->tints) >> 20) + 1);
    return code;
}

/* Copies balls, and those of sun space, to arrays of `most` in a constant bank, if they fit. */
static enum krn_code fill_bank(struct krn_ball *bank, int most, const struct krn_cuda_lit *lit,
                               int count, cudaStream_t stream, struct krn_error *error)
{
    const size_t bytes = (size_t)count * sizeof *bank;
    if (count > most)
        return KRN_OK;
    enum krn_code code =
        KRN_CUDA(cudaMemcpyAsync(bank, lit->balls, bytes, cudaMemcpyDeviceToDevice, stream), error);
    KRN_THEN(code, KRN_CUDA(cudaMemcpyAsync(bank + most, lit->suns, bytes, cudaMemcpyDeviceToDevice,
                                            stream),
                            error));
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
    struct krn_cuda_node *const nodes = light->tree_bank;
    enum krn_code code = KRN_CUDA(
        krn_cuda_light_pose(tracer->posed.scene.spheres, count, &frame->light, lit, stream), error);
    KRN_THEN(code,
             fill_bank(light->brute_bank, KRN_CUDA_CONSTANT_BALLS, lit, count, stream, error));
    KRN_THEN(code, fill_bank((struct krn_ball *)(nodes + KRN_CUDA_CONSTANT_LEAVES),
                             KRN_CUDA_CONSTANT_LEAVES, lit, count, stream, error));
    light->posed = code == KRN_OK;
    return code;
}

static enum krn_code prepare_textures(struct krn_cuda_light *light, int count, bool tree,
                                      struct krn_error *error)
{
    enum { NODE_TEXELS = sizeof(struct krn_cuda_node) / (4 * sizeof(float)) };
    const struct cudaChannelFormatDesc format =
        cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
    struct krn_cuda_lit *lit = &light->lit;
    enum krn_code code = KRN_OK;
    if (!lit->balls_texture)
        code = krn_cuda_bind_texture(&lit->balls_texture, lit->balls, count, 1, format, error);
    if (code == KRN_OK && !lit->suns_texture)
        code = krn_cuda_bind_texture(&lit->suns_texture, lit->suns, count, 1, format, error);
    if (code == KRN_OK && tree && !light->tree.texture)
        code = krn_cuda_bind_texture(&light->tree.texture, light->tree.nodes, count, NODE_TEXELS,
                                     format, error);
    return code;
}

/* The launchers of the modes: `brute`, or `tree` after the build. A mode without either has no
 * launcher. */
static const struct launcher {
    krn_cuda_brute *brute;
    krn_cuda_tree_trace *tree;
} launchers[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT] = {
    [KRN_KERNEL_BRUTE][KRN_STORAGE_GLOBAL] = {.brute = krn_cuda_brute_global},
    [KRN_KERNEL_BRUTE][KRN_STORAGE_READONLY] = {.brute = krn_cuda_brute_readonly},
    [KRN_KERNEL_BRUTE][KRN_STORAGE_CONSTANT] = {.brute = krn_cuda_brute_constant},
    [KRN_KERNEL_BRUTE][KRN_STORAGE_SHARED] = {.brute = krn_cuda_brute_shared},
    [KRN_KERNEL_BRUTE][KRN_STORAGE_TEXTURE] = {.brute = krn_cuda_brute_texture},
    [KRN_KERNEL_TREE][KRN_STORAGE_GLOBAL] = {.tree = krn_cuda_tree_global},
    [KRN_KERNEL_TREE][KRN_STORAGE_READONLY] = {.tree = krn_cuda_tree_readonly},
    [KRN_KERNEL_TREE][KRN_STORAGE_CONSTANT] = {.tree = krn_cuda_tree_constant},
    [KRN_KERNEL_TREE][KRN_STORAGE_TEXTURE] = {.tree = krn_cuda_tree_texture},
};

static const struct launcher *launcher_of(struct krn_mode mode)
{
    return &launchers[mode.kernel][mode.storage];
}

bool krn_cuda_light_renders(struct krn_mode mode)
{
    return krn_mode_index(mode) >= 0 &&
           (launcher_of(mode)->brute != NULL || launcher_of(mode)->tree != NULL);
}

int krn_cuda_light_launches(struct krn_mode mode)
{
    return launcher_of(mode)->brute ? 1 : KRN_CUDA_TREE_LAUNCHES_MAX;
}

enum krn_code krn_cuda_light_prepare(struct krn_cuda_light *light,
                                     const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                     struct krn_error *error)
{
    enum krn_code code = open_once(light, stream, error);
    KRN_THEN(code, alloc_lit(light, tracer, error));
    KRN_THEN(code, pose(light, tracer, frame, stream, error));
    const bool tree = launcher_of(mode)->tree != NULL;
    if (code == KRN_OK && tree)
        code = alloc_tree(&light->tree, tracer->posed.count, error);
    if (code == KRN_OK && mode.storage == KRN_STORAGE_TEXTURE)
        code = prepare_textures(light, tracer->posed.count, tree, error);
    return code;
}

/* What a build is queued with. */
struct build {
    const struct krn_cuda_light *light;
    const struct krn_cuda_lit_frame *frame;
    bool constant; /* the nodes are copied to the bank */
    cudaStream_t stream;
};

static enum krn_code queue_build(void *context, struct krn_error *error)
{
    const struct build *build = context;
    const struct krn_cuda_light *light = build->light;
    const int count = build->frame->image.count;
    const size_t nodes = count > 1 ? (size_t)count - 1 : 1;
    enum krn_code code = KRN_CUDA(
        krn_cuda_tree_build(&light->lit, &light->tree, build->frame, build->stream), error);
    if (code == KRN_OK && build->constant)
        code = KRN_CUDA(cudaMemcpyAsync(light->tree_bank, light->tree.nodes,
                                        nodes * sizeof *light->tree.nodes, cudaMemcpyDeviceToDevice,
                                        build->stream),
                        error);
    return code;
}

enum krn_code krn_cuda_light_shapes(const struct krn_cuda_light *light, struct krn_mode mode,
                                    const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                    struct krn_cuda_launches *launches, struct krn_error *error)
{
    struct build build = {light, frame, mode.storage == KRN_STORAGE_CONSTANT, stream};
    enum krn_code code = KRN_OK;
    memset(launches, 0, sizeof *launches);
    if (launcher_of(mode)->tree)
        code = krn_cuda_capture_shapes(stream, queue_build, &build, KRN_CUDA_LAUNCHES_MAX - 1,
                                       launches->shapes, &launches->count, error);
    launches->part = launches->count;
    launches->shapes[launches->count++] = krn_cuda_light_shape(frame);
    return code;
}

enum krn_code krn_cuda_light_launch(const struct krn_cuda_light *light, struct krn_mode mode,
                                    const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                    struct krn_cuda_timer *timer, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    if (launcher->brute)
        return KRN_CUDA(launcher->brute(&light->lit, frame, stream), error);
    struct build build = {light, frame, mode.storage == KRN_STORAGE_CONSTANT, stream};
    enum krn_code code = queue_build(&build, error);
    if (code == KRN_OK && timer)
        code = krn_cuda_timer_part(timer, error);
    KRN_THEN(code, KRN_CUDA(launcher->tree(&light->lit, &light->tree, frame, stream), error));
    return code;
}

enum krn_code krn_cuda_light_count_pixels(struct krn_cuda_light *light,
                                          const struct krn_cuda_tracer *tracer,
                                          const struct krn_cuda_lit_frame *frame,
                                          uint32_t *pixel_rays, cudaStream_t stream,
                                          struct krn_error *error)
{
    const struct krn_mode mode = {KRN_KERNEL_TREE, KRN_STORAGE_READONLY, 1};
    const size_t bytes = KRN_CUDA_RAY_COUNTS * sizeof *light->lit.rays;
    struct build build = {light, frame, false, stream};
    enum krn_code code = krn_cuda_light_prepare(light, tracer, mode, frame, stream, error);
    KRN_THEN(code, queue_build(&build, error));
    KRN_THEN(code, KRN_CUDA(cudaMemsetAsync(light->lit.rays, 0, bytes, stream), error));
    return KRN_THEN(
        code,
        KRN_CUDA(krn_cuda_light_rays(&light->lit, &light->tree, frame, pixel_rays, stream), error));
}

enum krn_code krn_cuda_light_count(struct krn_cuda_light *light,
                                   const struct krn_cuda_tracer *tracer,
                                   const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                   struct krn_rays *rays, struct krn_error *error)
{
    unsigned long long counts[KRN_CUDA_RAY_COUNTS] = {0};
    enum krn_code code = krn_cuda_light_count_pixels(light, tracer, frame, NULL, stream, error);
    KRN_THEN(code, KRN_CUDA(cudaMemcpyAsync(counts, light->lit.rays, sizeof counts,
                                            cudaMemcpyDeviceToHost, stream),
                            error));
    KRN_THEN(code, KRN_CUDA(cudaStreamSynchronize(stream), error));
    for (int b = 0; code == KRN_OK && b <= KRN_BOUNCES_MAX; b++) {
        rays->traced[b] = counts[b];
        rays->shadow[b] = counts[KRN_BOUNCES_MAX + 1 + b];
    }
    return code;
}
