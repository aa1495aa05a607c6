#include "cuda/trace/tracer.h"

#include "cuda/runtime/runtime.h"

#include <math.h>
#include <string.h>

/* Memory of the binned kernel's lists. A plan bounds their size for every pose, so they are
 * allocated once per scene and view, outside of all time stamps, and a frame can neither overrun
 * them nor wait for an allocation. */

static void bins_free(struct krn_cuda_binning *binning)
{
    cudaFree(binning->bins.start);
    cudaFree(binning->bins.end);
    cudaFree(binning->bins.entries);
    binning->bins = (struct krn_cuda_bins){NULL, NULL, NULL, KRN_CUDA_SHARE_FEW};
    binning->tiles_held = binning->entries_held = 0;
    binning->planned.width = 0;
}

static enum krn_code grow(struct krn_cuda_binning *binning, size_t tiles, size_t entries,
                          struct krn_error *error)
{
    if (tiles <= binning->tiles_held && entries <= binning->entries_held)
        return KRN_OK;
    /* Frames in flight may still read the old lists; freeing waits for them. */
    bins_free(binning);
    const size_t tile_bytes = (tiles + 1) * sizeof *binning->bins.start,
                 entry_bytes = entries * sizeof *binning->bins.entries;
    void *start = NULL, *end = NULL, *list = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&start, tile_bytes), error);
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&end, tile_bytes), error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&list, entry_bytes), error));
    binning->bins.start = start;
    binning->bins.end = end;
    binning->bins.entries = list;
    if (code == KRN_OK) {
        binning->tiles_held = tiles;
        binning->entries_held = entries;
        return KRN_OK;
    }
    bins_free(binning);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(
            error, KRN_NO_MEMORY,
            "The binned kernel's lists need %zu MiB of memory for this scene and size, more than "
            "the device has free.",
            ((2 * tile_bytes + entry_bytes) >> 20) + 1);
    return code;
}

/* Makes the lists large enough for the scene and the view. Errors: KRN_NO_MEMORY; the message gives
 * the size. */
static enum krn_code prepare_bins(struct krn_cuda_tracer *tracer, const struct krn_view *view,
                                  struct krn_error *error)
{
    struct krn_cuda_binning *binning = &tracer->binning;
    if (binning->planned.width == view->width && binning->planned.height == view->height &&
        binning->planned.unit == view->unit)
        return KRN_OK;
    const struct krn_tile_plan plan = krn_tiles_plan_cuda(&binning->sizes, view);
    const size_t tiles = (size_t)plan.tiles.columns * (size_t)plan.tiles.rows;
    const enum krn_code code = grow(binning, tiles, plan.entries, error);
    if (code != KRN_OK)
        return code;
    binning->plan = plan;
    binning->bins.share =
        plan.per_sphere > KRN_CUDA_SHARE_ENTRIES ? KRN_CUDA_SHARE_MANY : KRN_CUDA_SHARE_FEW;
    binning->planned = *view;
    return KRN_OK;
}

static void splat_free(struct krn_cuda_splatting *splatting)
{
    cudaFree(splatting->splat.keys);
    cudaFree(splatting->splat.least);
    cudaFree(splatting->splat.state);
    memset(splatting, 0, sizeof *splatting);
}

/* Allocates the keys of an image, all of turn 0, which no frame has, and the least of `blocks`. */
static enum krn_code splat_alloc(struct krn_cuda_splatting *splatting, size_t keys, size_t blocks,
                                 struct krn_error *error)
{
    splat_free(splatting); /* waits for frames in flight */
    const struct krn_cuda_splat_state first = {.turn = 1};
    const size_t bytes = keys * sizeof *splatting->splat.keys,
                 least_bytes = blocks * sizeof *splatting->splat.least;
    void *all = NULL, *least = NULL, *state = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&all, bytes), error);
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&least, least_bytes), error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&state, sizeof first), error));
    splatting->splat = (struct krn_cuda_splat){.keys = all, .least = least, .state = state};
    KRN_THEN(code, KRN_CUDA(cudaMemset(all, 0, bytes), error));
    KRN_THEN(code,
             KRN_CUDA(cudaMemcpy(state, &first, sizeof first, cudaMemcpyHostToDevice), error));
    KRN_THEN(code, KRN_CUDA(cudaStreamSynchronize(NULL), error)); /* frames are on another stream */
    splatting->keys_held = keys;
    splatting->blocks_held = blocks;
    if (code != KRN_OK)
        splat_free(splatting);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(error, KRN_NO_MEMORY,
                        "The splat kernel's keys need %zu MiB of memory at this size, more than "
                        "the device has free.",
                        ((bytes + least_bytes) >> 20) + 1);
    return code;
}

/* The layers of spheres before each plane, and how many there must be in all for it to pay (H100,
 * docs/kernels.md); the pixels of boxes that a warp is given. */
static const double layers_before[KRN_CUDA_SPLAT_PLANES] = {6.0, 12.0},
                    layers_least[KRN_CUDA_SPLAT_PLANES] = {10.0, 60.0}, pixels_per_warp = 1024.0;

static enum krn_code prepare_splat(struct krn_cuda_tracer *tracer, const struct krn_view *view,
                                   struct krn_error *error)
{
    struct krn_cuda_splatting *splatting = &tracer->splatting;
    const struct krn_view *planned = &splatting->planned;
    if (planned->width == view->width && planned->height == view->height &&
        planned->unit == view->unit)
        return KRN_OK;
    enum { UP = KRN_CUDA_SPLAT_BLOCK };
    _Static_assert((int)UP % (int)KRN_CUDA_BATCH == 0, "a row is whole blocks and whole batches");
    const int pitch = (view->width + UP - 1) / UP * UP;
    const size_t keys = (size_t)pitch * (size_t)view->height;
    const size_t high = ((size_t)view->height + UP - 1) / UP, blocks = (size_t)pitch / UP * high;
    /* Always as many keys as an image has: the last turn clears those alone, and others would keep
     * turns that come again. */
    const enum krn_code code = keys != splatting->keys_held || blocks > splatting->blocks_held
                                   ? splat_alloc(splatting, keys, blocks, error)
                                   : KRN_OK;
    if (code != KRN_OK)
        return code;
    const struct krn_sizes *sizes = &tracer->binning.sizes;
    const struct krn_cover cover = krn_sizes_cover(sizes, view);
    struct krn_cuda_splat *splat = &splatting->splat;
    splat->pitch = pitch;
    splat->far = sizes->coordinate > 0.0f ? sizes->coordinate : 1.0f;
    const double box = cover.pixels * cover.pixels;
    splat->lanes = cover.pixels <= 12.0 ? 8 : cover.pixels <= 32.0 ? 16 : 32;
    splat->per_warp = (int)fmin(fmax(pixels_per_warp / box, 1.0), KRN_CUDA_LANES);
    splat->shares = (int)fmin(fmax(box / pixels_per_warp, 1.0), 64.0);
    splat->planes = 0;
    for (int i = 0; i < KRN_CUDA_SPLAT_PLANES && cover.layers >= layers_least[i]; i++)
        splat->share[splat->planes++] = (float)(layers_before[i] / cover.layers);
    splatting->planned = *view;
    return KRN_OK;
}

static void free_posed(struct krn_cuda_posed *posed)
{
    if (posed->spheres_texture)
        cudaDestroyTextureObject(posed->spheres_texture);
    if (posed->packed_texture)
        cudaDestroyTextureObject(posed->packed_texture);
    cudaFree(posed->scene.spheres);
    cudaFree(posed->scene.packed);
    cudaFree(posed->scene.material);
    memset(posed, 0, sizeof *posed);
}

/* Allocates one array per form of the scene. */
static enum krn_code alloc_posed(struct krn_cuda_posed *posed, int count, struct krn_error *error)
{
    const size_t n = (size_t)count;
    void *spheres = NULL, *packed = NULL, *material = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&spheres, n * sizeof *posed->scene.spheres), error);
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&packed, n * sizeof *posed->scene.packed), error));
    KRN_THEN(code, KRN_CUDA(cudaMalloc(&material, n * sizeof *posed->scene.material), error));
    *posed = (struct krn_cuda_posed){.scene = {spheres, packed, material}, .count = count};
    if (code != KRN_OK)
        free_posed(posed);
    return code;
}

cudaError_t krn_cuda_tracer_open(struct krn_cuda_tracer *tracer)
{
    const cudaError_t status = krn_cuda_book_constant_bank(&tracer->book_bank);
    return status == cudaSuccess ? krn_cuda_strip_constant_bank(&tracer->strip_bank) : status;
}

void krn_cuda_tracer_close(struct krn_cuda_tracer *tracer)
{
    bins_free(&tracer->binning);
    splat_free(&tracer->splatting);
    krn_cuda_mine_close(&tracer->mine);
    cudaFree(tracer->source);
    cudaFree(tracer->mirrors);
    free_posed(&tracer->posed);
}

/* Queues the mirrors' way to the device; a scene without has zeros. */
static enum krn_code copy_mirrors(float *mirrors, const struct krn_scene *scene,
                                  cudaStream_t stream, struct krn_error *error)
{
    const size_t bytes = (size_t)scene->count * sizeof *mirrors;
    if (!scene->mirrors)
        return KRN_CUDA(cudaMemsetAsync(mirrors, 0, bytes, stream), error);
    return KRN_CUDA(cudaMemcpyAsync(mirrors, scene->mirrors, bytes, cudaMemcpyHostToDevice, stream),
                    error);
}

enum krn_code krn_cuda_tracer_set_scene(struct krn_cuda_tracer *tracer,
                                        const struct krn_scene *scene, cudaStream_t stream,
                                        struct krn_error *error)
{
    const size_t bytes = (size_t)scene->count * sizeof *scene->spheres;
    void *source = NULL, *mirrors = NULL;
    struct krn_cuda_posed posed = {.count = 0};
    enum krn_code code = KRN_CUDA(cudaMalloc(&source, bytes), error);
    KRN_THEN(code,
             KRN_CUDA(cudaMalloc(&mirrors, (size_t)scene->count * sizeof *tracer->mirrors), error));
    KRN_THEN(code, alloc_posed(&posed, scene->count, error));
    KRN_THEN(code, KRN_CUDA(cudaMemcpyAsync(source, scene->spheres, bytes, cudaMemcpyHostToDevice,
                                            stream),
                            error));
    KRN_THEN(code, copy_mirrors(mirrors, scene, stream, error));
    /* Also waits for the frames that still read the old scene. */
    KRN_THEN(code, KRN_CUDA(cudaStreamSynchronize(stream), error));
    if (code != KRN_OK) {
        cudaFree(source);
        cudaFree(mirrors);
        free_posed(&posed);
        return code;
    }
    cudaFree(tracer->source);
    cudaFree(tracer->mirrors);
    free_posed(&tracer->posed);
    tracer->source = source;
    tracer->mirrors = mirrors;
    tracer->posed = posed;
    tracer->posed_valid = false;
    krn_sizes_count(&tracer->binning.sizes, scene);
    tracer->binning.planned.width = 0; /* the next frame makes a new plan */
    tracer->splatting.planned.width = 0;
    return KRN_OK;
}

/* Copies posed spheres into a constant bank if all of them fit. */
static enum krn_code fill_bank(void *bank, const void *from, int count, int most, size_t bytes_each,
                               cudaStream_t stream, struct krn_error *error)
{
    if (count > most)
        return KRN_OK;
    return KRN_CUDA(
        cudaMemcpyAsync(bank, from, (size_t)count * bytes_each, cudaMemcpyDeviceToDevice, stream),
        error);
}

bool krn_cuda_tracer_has_pose(const struct krn_cuda_tracer *tracer, struct krn_pose pose)
{
    return tracer->posed_valid && tracer->pose.cosine == pose.cosine &&
           tracer->pose.sine == pose.sine;
}

enum krn_code krn_cuda_tracer_set_pose(struct krn_cuda_tracer *tracer, struct krn_pose pose,
                                       cudaStream_t stream, struct krn_error *error)
{
    if (krn_cuda_tracer_has_pose(tracer, pose))
        return KRN_OK;
    const struct krn_cuda_scene *scene = &tracer->posed.scene;
    const int count = tracer->posed.count;
    enum krn_code code =
        KRN_CUDA(krn_cuda_rotate(tracer->source, *scene, count, pose, stream), error);
    KRN_THEN(code, fill_bank(tracer->book_bank, scene->spheres, count, KRN_CONSTANT_SPHERES,
                             sizeof *scene->spheres, stream, error));
    KRN_THEN(code, fill_bank(tracer->strip_bank, scene->packed, count, KRN_CONSTANT_PACKED,
                             sizeof *scene->packed, stream, error));
    if (tracer->mine.scene != NULL)
        KRN_THEN(code, fill_bank(tracer->mine.scene, scene->spheres, count, tracer->mine.room,
                                 sizeof *scene->spheres, stream, error));
    tracer->pose = pose;
    tracer->posed_valid = code == KRN_OK;
    return code;
}

enum krn_code krn_cuda_bind_texture(cudaTextureObject_t *texture, void *memory, int count,
                                    int texels, struct cudaChannelFormatDesc format,
                                    struct krn_error *error)
{
    const size_t needed = (size_t)count * (size_t)texels;
    const size_t texel_bytes = (size_t)(format.x + format.y + format.z + format.w) / 8;
    int ordinal = 0;
    size_t most = 0;
    enum krn_code code = KRN_CUDA(cudaGetDevice(&ordinal), error);
    KRN_THEN(code, KRN_CUDA(cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, ordinal), error));
    if (code == KRN_OK && needed > most)
        code = KRN_FAIL(error, KRN_REFUSED,
                        "A linear texture of this GPU holds %zu texels: at most %zu spheres, not "
                        "%d.",
                        most, most / (size_t)texels, count);
    if (code != KRN_OK)
        return code;
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypeLinear,
        .res.linear = {.devPtr = memory, .desc = format, .sizeInBytes = needed * texel_bytes}};
    const struct cudaTextureDesc access = {.readMode = cudaReadModeElementType};
    return KRN_CUDA(cudaCreateTextureObject(texture, &resource, &access, NULL), error);
}

static enum krn_code prepare_textures(struct krn_cuda_tracer *tracer, struct krn_error *error)
{
    const enum cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
    struct krn_cuda_posed *posed = &tracer->posed;
    enum krn_code code = KRN_OK;
    if (!posed->spheres_texture)
        code = krn_cuda_bind_texture(&posed->spheres_texture, posed->scene.spheres, posed->count,
                                     KRN_CUDA_SPHERE_TEXELS,
                                     cudaCreateChannelDesc(32, 0, 0, 0, kind), error);
    if (code == KRN_OK && !posed->packed_texture)
        code = krn_cuda_bind_texture(&posed->packed_texture, posed->scene.packed, posed->count, 1,
                                     cudaCreateChannelDesc(32, 32, 32, 32, kind), error);
    return code;
}

static enum krn_code launch_binned(const struct krn_cuda_tracer *tracer,
                                   struct krn_cuda_frame frame, cudaStream_t stream,
                                   struct krn_cuda_timer *timer, struct krn_error *error)
{
    const struct krn_cuda_scene scene = tracer->posed.scene;
    const struct krn_tiles tiles = tracer->binning.plan.tiles;
    const struct krn_cuda_bins bins = tracer->binning.bins;
    if (tracer->binning.plan.scanned)
        return KRN_CUDA(krn_cuda_binned_scan(scene, tiles, frame, stream), error);
    enum krn_code code =
        KRN_CUDA(krn_cuda_binned_sort(scene, frame.count, tiles, bins, stream), error);
    if (code == KRN_OK && timer)
        code = krn_cuda_timer_part(timer, error);
    KRN_THEN(code, KRN_CUDA(krn_cuda_binned_trace(scene, tiles, bins, frame, NULL, stream), error));
    return code;
}

static void binned_shapes(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                          struct krn_cuda_launches *launches)
{
    if (tracer->binning.plan.scanned) {
        launches->count = 1;
        launches->shapes[0] = krn_cuda_binned_scan_shape(tracer->binning.plan.tiles);
        return;
    }
    launches->count = KRN_CUDA_BINNED_LAUNCHES;
    launches->part = KRN_CUDA_BINNED_SORTS;
    krn_cuda_binned_shapes(tracer->binning.plan.tiles, tracer->binning.bins, frame,
                           launches->shapes);
}

static enum krn_code launch_splat(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                                  cudaStream_t stream, struct krn_cuda_timer *timer,
                                  struct krn_error *error)
{
    (void)timer;
    return KRN_CUDA(
        krn_cuda_splat_launch(tracer->posed.scene, tracer->splatting.splat, frame, NULL, stream),
        error);
}

static void splat_shapes(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                         struct krn_cuda_launches *launches)
{
    launches->count = krn_cuda_splat_shapes(tracer->splatting.splat, frame, launches->shapes);
}

enum krn_code krn_cuda_tracer_load_mine(struct krn_cuda_tracer *tracer, const struct krn_mine *mine,
                                        cudaStream_t stream, struct krn_error *error)
{
    const enum krn_code code = krn_cuda_mine_load(&tracer->mine, mine, stream, error);
    tracer->posed_valid = false; /* its constant memory is filled with the next pose */
    return code;
}

static enum krn_code launch_mine(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                                 cudaStream_t stream, struct krn_cuda_timer *timer,
                                 struct krn_error *error)
{
    (void)timer;
    return krn_cuda_mine_launch(&tracer->mine, tracer->posed.scene.spheres, frame, stream, error);
}

static void mine_shapes(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                        struct krn_cuda_launches *launches)
{
    launches->count = 1;
    launches->shapes[0] = krn_cuda_mine_shape(&tracer->mine, frame);
}

#define ONE(launcher, its_shape) .launch = launcher, .shape = its_shape
#define MINE .launch_parts = launch_mine, .shapes_of_parts = mine_shapes, .parts = 1

/* The launchers of the modes: `launch` with its shape for a mode of one kernel, else `launch_parts`
 * with theirs. A mode without either has no launcher. */
static const struct launcher {
    krn_cuda_launch *launch;
    struct krn_cuda_shape (*shape)(int k, struct krn_cuda_frame frame);
    enum krn_code (*prepare)(struct krn_cuda_tracer *, const struct krn_view *, struct krn_error *);
    enum krn_code (*launch_parts)(const struct krn_cuda_tracer *, struct krn_cuda_frame,
                                  cudaStream_t, struct krn_cuda_timer *, struct krn_error *);
    void (*shapes_of_parts)(const struct krn_cuda_tracer *, struct krn_cuda_frame,
                            struct krn_cuda_launches *);
    int parts; /* kernels, memsets and events that launch_parts queues */
} launchers[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT] = {
    [KRN_KERNEL_BOOK][KRN_STORAGE_GLOBAL] = {ONE(krn_cuda_book_global, krn_cuda_book_shape)},
    [KRN_KERNEL_BOOK][KRN_STORAGE_READONLY] = {ONE(krn_cuda_book_readonly, krn_cuda_book_shape)},
    [KRN_KERNEL_BOOK][KRN_STORAGE_CONSTANT] = {ONE(krn_cuda_book_constant, krn_cuda_book_shape)},
    [KRN_KERNEL_BOOK][KRN_STORAGE_SHARED] = {ONE(krn_cuda_book_shared, krn_cuda_book_shape)},
    [KRN_KERNEL_BOOK][KRN_STORAGE_TEXTURE] = {ONE(krn_cuda_book_texture, krn_cuda_book_shape)},
    [KRN_KERNEL_STRIP][KRN_STORAGE_GLOBAL] = {ONE(krn_cuda_strip_global, krn_cuda_strip_shape)},
    [KRN_KERNEL_STRIP][KRN_STORAGE_READONLY] = {ONE(krn_cuda_strip_readonly, krn_cuda_strip_shape)},
    [KRN_KERNEL_STRIP][KRN_STORAGE_CONSTANT] = {ONE(krn_cuda_strip_constant,
                                                    krn_cuda_strip_constant_shape)},
    [KRN_KERNEL_STRIP][KRN_STORAGE_SHARED] = {ONE(krn_cuda_strip_shared, krn_cuda_strip_shape)},
    [KRN_KERNEL_STRIP][KRN_STORAGE_TEXTURE] = {ONE(krn_cuda_strip_texture, krn_cuda_strip_shape)},
    [KRN_KERNEL_BINNED][KRN_STORAGE_GLOBAL] = {.prepare = prepare_bins,
                                               .launch_parts = launch_binned,
                                               .shapes_of_parts = binned_shapes,
                                               .parts = 6},
    [KRN_KERNEL_SPLAT][KRN_STORAGE_GLOBAL] = {.prepare = prepare_splat,
                                              .launch_parts = launch_splat,
                                              .shapes_of_parts = splat_shapes,
                                              .parts = KRN_CUDA_SPLAT_LAUNCHES},
    [KRN_KERNEL_MINE][KRN_STORAGE_GLOBAL] = {MINE},
    [KRN_KERNEL_MINE][KRN_STORAGE_CONSTANT] = {MINE},
};

static const struct launcher *launcher_of(struct krn_mode mode)
{
    return &launchers[mode.kernel][mode.storage];
}

bool krn_cuda_tracer_renders(struct krn_mode mode)
{
    return krn_mode_index(mode) >= 0 &&
           (launcher_of(mode)->launch != NULL || launcher_of(mode)->launch_parts != NULL);
}

krn_cuda_launch *krn_cuda_tracer_kernel(struct krn_mode mode)
{
    return launcher_of(mode)->launch;
}

int krn_cuda_tracer_launches(struct krn_mode mode)
{
    return launcher_of(mode)->launch ? 1 : launcher_of(mode)->parts;
}

void krn_cuda_tracer_shapes(const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                            struct krn_cuda_frame frame, struct krn_cuda_launches *launches)
{
    const struct launcher *launcher = launcher_of(mode);
    memset(launches, 0, sizeof *launches);
    if (launcher->launch == NULL) {
        launcher->shapes_of_parts(tracer, frame, launches);
        return;
    }
    launches->count = 1;
    launches->shapes[0] = launcher->shape(mode.pixels_per_thread, frame);
}

enum krn_code krn_cuda_tracer_prepare(struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                      const struct krn_view *view, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    if (mode.storage == KRN_STORAGE_TEXTURE)
        return prepare_textures(tracer, error);
    return launcher->prepare ? launcher->prepare(tracer, view, error) : KRN_OK;
}

enum krn_code krn_cuda_tracer_launch(const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     struct krn_cuda_frame frame, cudaStream_t stream,
                                     struct krn_cuda_timer *timer, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    if (launcher->launch)
        return KRN_CUDA(
            launcher->launch(&tracer->posed, mode.pixels_per_thread, frame, NULL, stream), error);
    return launcher->launch_parts(tracer, frame, stream, timer, error);
}
