/* Memory, constant banks and textures of the light view, and its table of launchers. */
#include "cuda/light/light.h"

/* Memory of the tree: allocated once per scene, outside of all time stamps, so a frame can neither
 * overrun it nor wait for an allocation. */
static void free_tree(struct krn_cuda_tree *tree)
{
    if (tree->texture)
        cudaDestroyTextureObject(tree->texture);
#define FREE(array, each) cudaFree(tree->array)
    KRN_CUDA_TREE_ARRAYS(FREE);
    cudaFree(tree->scratch);
    memset(tree, 0, sizeof *tree);
}

/* Allocates what the tree of `count` spheres and its build need, unless *tree has it. Errors:
 * KRN_NO_MEMORY (the message gives the size), KRN_FAILED; *tree stays empty. */
static enum krn_code alloc_tree(struct krn_cuda_tree *tree, int count, struct krn_error *error)
{
    if (tree->nodes)
        return KRN_OK;
    const size_t n = (size_t)count;
    size_t scratch_bytes = 0;
    enum krn_code code = KRN_CUDA(error, krn_cuda_tree_scratch(count, &scratch_bytes));
#define BYTES(array, each) (each) * n * sizeof *tree->array
    const size_t bytes[] = {KRN_CUDA_TREE_ARRAYS(BYTES), scratch_bytes};
    enum { PARTS = sizeof bytes / sizeof *bytes };
    void *parts[PARTS] = {NULL}, **next = parts;
    KRN_THEN(code, krn_cuda_alloc("The tree kernel needs", PARTS, bytes, parts, error));
#define TAKE(array, each) tree->array = *next++
    KRN_CUDA_TREE_ARRAYS(TAKE);
    tree->scratch = *next;
    tree->scratch_bytes = scratch_bytes;
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
    *lit = (struct krn_cuda_lit){.table = lit->table, .rays = lit->rays}; /* of every scene */
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
    krn_srgb_make(&light->srgb);
    void *arrays[2] = {NULL, NULL};
    const size_t bytes[] = {sizeof light->srgb, KRN_CUDA_RAY_COUNTS * sizeof *light->lit.rays};
    enum krn_code code = KRN_CUDA(error, krn_cuda_brute_constant_bank(&light->brute_bank));
    KRN_THEN(code, KRN_CUDA(error, krn_cuda_tree_constant_bank(&light->tree_bank)));
    KRN_THEN(code, krn_cuda_alloc(NULL, 2, bytes, arrays, error));
    light->lit.table = arrays[0];
    light->lit.rays = arrays[1];
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(arrays[0], &light->srgb, bytes[0],
                                                   cudaMemcpyHostToDevice, stream)));
    if (code != KRN_OK)
        krn_cuda_light_close(light);
    return code;
}

static enum krn_code alloc_lit(struct krn_cuda_light *light, const struct krn_cuda_tracer *tracer,
                               struct krn_error *error)
{
    if (light->allocated)
        return KRN_OK;
    const size_t n = (size_t)tracer->posed.count;
    struct krn_cuda_lit *lit = &light->lit;
    const size_t bytes[] = {n * sizeof *lit->balls, n * sizeof *lit->suns, n * sizeof *lit->tints};
    void *arrays[3];
    const enum krn_code code = krn_cuda_alloc("The light view needs", 3, bytes, arrays, error);
    lit->balls = arrays[0];
    lit->suns = arrays[1];
    lit->tints = arrays[2];
    lit->mirrors = tracer->mirrors;
    light->allocated = code == KRN_OK;
    return code;
}

/* Returns the arrays of the light view. The nodes' bank is filled by the tree's build. */
static struct krn_cuda_arrays arrays_of(struct krn_cuda_light *light, int count)
{
    enum { BALLS = KRN_CUDA_CONSTANT_BALLS, LEAVES = KRN_CUDA_CONSTANT_LEAVES };
    struct krn_cuda_lit *lit = &light->lit;
    const size_t ball = sizeof *lit->balls;
    struct krn_ball *brute = light->brute_bank,
                    *leaves = (void *)((struct krn_cuda_node *)light->tree_bank + LEAVES);
    return (struct krn_cuda_arrays){
        count,
        {{lit->balls, ball, brute, BALLS, &lit->balls_texture},
         {lit->suns, ball, brute + BALLS, BALLS, &lit->suns_texture},
         {lit->balls, ball, leaves, LEAVES, NULL},
         {lit->suns, ball, leaves + LEAVES, LEAVES, NULL},
         {light->tree.nodes, sizeof *light->tree.nodes, NULL, 0, &light->tree.texture}}};
}

/* Writes the posed scene in every form. */
static enum krn_code pose(struct krn_cuda_light *light, const struct krn_cuda_tracer *tracer,
                          const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                          struct krn_error *error)
{
    if (light->posed)
        return KRN_OK;
    const struct krn_cuda_arrays arrays = arrays_of(light, tracer->posed.count);
    enum krn_code code =
        KRN_CUDA(error, krn_cuda_light_pose(tracer->posed.scene.spheres, arrays.spheres,
                                            &frame->light, &light->lit, stream));
    KRN_THEN(code, krn_cuda_fill_banks(&arrays, stream, error));
    light->posed = code == KRN_OK;
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
    if (launcher_of(mode)->tree)
        KRN_THEN(code, alloc_tree(&light->tree, tracer->posed.count, error));
    if (code != KRN_OK)
        return code;
    const struct krn_cuda_arrays arrays = arrays_of(light, tracer->posed.count);
    return krn_cuda_prepare_storage(mode.storage, &arrays, error);
}

/* Queues the build; constant: the nodes are copied to the bank. */
static enum krn_code build(const struct krn_cuda_light *light,
                           const struct krn_cuda_lit_frame *frame, bool constant,
                           cudaStream_t stream, struct krn_error *error)
{
    const int count = frame->image.count;
    const size_t nodes = count > 1 ? (size_t)count - 1 : 1;
    enum krn_code code =
        KRN_CUDA(error, krn_cuda_tree_build(&light->lit, &light->tree, frame, stream));
    if (code == KRN_OK && constant)
        code = KRN_CUDA(error, cudaMemcpyAsync(light->tree_bank, light->tree.nodes,
                                               nodes * sizeof *light->tree.nodes,
                                               cudaMemcpyDeviceToDevice, stream));
    return code;
}

enum krn_code krn_cuda_light_launch(const struct krn_cuda_light *light, struct krn_mode mode,
                                    const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                    struct krn_cuda_timer *timer, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    if (launcher->brute)
        return KRN_CUDA(error, launcher->brute(&light->lit, frame, stream));
    enum krn_code code = build(light, frame, mode.storage == KRN_STORAGE_CONSTANT, stream, error);
    if (code == KRN_OK && timer)
        code = krn_cuda_timer_part(timer, error);
    KRN_THEN(code, KRN_CUDA(error, launcher->tree(&light->lit, &light->tree, frame, stream)));
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
    enum krn_code code = krn_cuda_light_prepare(light, tracer, mode, frame, stream, error);
    KRN_THEN(code, build(light, frame, false, stream, error));
    KRN_THEN(code, KRN_CUDA(error, cudaMemsetAsync(light->lit.rays, 0, bytes, stream)));
    return KRN_THEN(code, KRN_CUDA(error, krn_cuda_light_rays(&light->lit, &light->tree, frame,
                                                              pixel_rays, stream)));
}

enum krn_code krn_cuda_light_count(struct krn_cuda_light *light,
                                   const struct krn_cuda_tracer *tracer,
                                   const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                   struct krn_rays *rays, struct krn_error *error)
{
    unsigned long long counts[KRN_CUDA_RAY_COUNTS] = {0};
    enum krn_code code = krn_cuda_light_count_pixels(light, tracer, frame, NULL, stream, error);
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(counts, light->lit.rays, sizeof counts,
                                                   cudaMemcpyDeviceToHost, stream)));
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(stream)));
    for (int b = 0; code == KRN_OK && b <= KRN_BOUNCES_MAX; b++) {
        rays->traced[b] = counts[b];
        rays->shadow[b] = counts[KRN_BOUNCES_MAX + 1 + b];
    }
    return code;
}
