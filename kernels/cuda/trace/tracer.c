/* Memory, constant bank and textures of the book view, and its table of launchers. */
#include "cuda/trace/tracer.h"

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
    const size_t tile_bytes = (tiles + 1) * sizeof *binning->bins.start;
    void *arrays[3];
    const enum krn_code code = krn_cuda_alloc(
        "The binned kernel's lists need", 3,
        (size_t[]){tile_bytes, tile_bytes, entries * sizeof *binning->bins.entries}, arrays, error);
    if (code != KRN_OK)
        return code;
    binning->bins.start = arrays[0];
    binning->bins.end = arrays[1];
    binning->bins.entries = arrays[2];
    binning->tiles_held = tiles;
    binning->entries_held = entries;
    return KRN_OK;
}

/* Makes the lists large enough for the scene and the view. Errors: KRN_NO_MEMORY; the message gives
 * the size. */
static enum krn_code prepare_bins(struct krn_cuda_tracer *tracer, const struct krn_view *view,
                                  struct krn_error *error)
{
    struct krn_cuda_binning *binning = &tracer->binning;
    if (krn_same_rays(&binning->planned, view))
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
    const size_t bytes[] = {keys * sizeof *splatting->splat.keys,
                            blocks * sizeof *splatting->splat.least, sizeof first};
    void *arrays[3];
    enum krn_code code = krn_cuda_alloc("The splat kernel's keys need", 3, bytes, arrays, error);
    splatting->splat =
        (struct krn_cuda_splat){.keys = arrays[0], .least = arrays[1], .state = arrays[2]};
    KRN_THEN(code, KRN_CUDA(error, cudaMemset(arrays[0], 0, bytes[0])));
    KRN_THEN(code,
             KRN_CUDA(error, cudaMemcpy(arrays[2], &first, sizeof first, cudaMemcpyHostToDevice)));
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(NULL))); /* frames are on another stream */
    splatting->keys_held = keys;
    splatting->blocks_held = blocks;
    if (code != KRN_OK)
        splat_free(splatting);
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
    if (krn_same_rays(&splatting->planned, view))
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
        return KRN_CUDA(error, cudaMemsetAsync(mirrors, 0, bytes, stream));
    return KRN_CUDA(
        error, cudaMemcpyAsync(mirrors, scene->mirrors, bytes, cudaMemcpyHostToDevice, stream));
}

enum krn_code krn_cuda_tracer_set_scene(struct krn_cuda_tracer *tracer,
                                        const struct krn_scene *scene, cudaStream_t stream,
                                        struct krn_error *error)
{
    enum { SOURCE, MIRRORS, SPHERES, PACKED, MATERIAL, ARRAYS };
    const struct krn_cuda_scene *posed = &tracer->posed.scene;
    const size_t n = (size_t)scene->count,
                 bytes[ARRAYS] = {n * sizeof *scene->spheres, n * sizeof *tracer->mirrors,
                                  n * sizeof *posed->spheres, n * sizeof *posed->packed,
                                  n * sizeof *posed->material};
    void *arrays[ARRAYS];
    enum krn_code code = krn_cuda_alloc(NULL, ARRAYS, bytes, arrays, error);
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(arrays[SOURCE], scene->spheres, bytes[SOURCE],
                                                   cudaMemcpyHostToDevice, stream)));
    KRN_THEN(code, copy_mirrors(arrays[MIRRORS], scene, stream, error));
    /* Also waits for the frames that still read the old scene. */
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(stream)));
    if (code != KRN_OK) {
        for (int i = 0; i < ARRAYS; i++)
            cudaFree(arrays[i]);
        return code;
    }
    cudaFree(tracer->source);
    cudaFree(tracer->mirrors);
    free_posed(&tracer->posed);
    tracer->source = arrays[SOURCE];
    tracer->mirrors = arrays[MIRRORS];
    tracer->posed = (struct krn_cuda_posed){
        .scene = {arrays[SPHERES], arrays[PACKED], arrays[MATERIAL]}, .count = scene->count};
    tracer->posed_valid = false;
    krn_sizes_count(&tracer->binning.sizes, scene);
    tracer->binning.planned.width = 0; /* the next frame makes a new plan */
    tracer->splatting.planned.width = 0;
    return KRN_OK;
}

bool krn_cuda_tracer_has_pose(const struct krn_cuda_tracer *tracer, struct krn_pose pose)
{
    return tracer->posed_valid && tracer->pose.cosine == pose.cosine &&
           tracer->pose.sine == pose.sine;
}

enum krn_code krn_cuda_fill_banks(const struct krn_cuda_arrays *arrays, cudaStream_t stream,
                                  struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int i = 0; i < KRN_CUDA_ARRAYS; i++) {
        const struct krn_cuda_array *array = &arrays->each[i];
        const size_t bytes = (size_t)arrays->spheres * array->bytes;
        if (array->bank != NULL && arrays->spheres <= array->room)
            KRN_THEN(code, KRN_CUDA(error, cudaMemcpyAsync(array->bank, array->memory, bytes,
                                                           cudaMemcpyDeviceToDevice, stream)));
    }
    return code;
}

/* Creates a linear texture over an array. */
static enum krn_code bind_texture(const struct krn_cuda_array *array, int spheres,
                                  struct krn_error *error)
{
    if (array->texture == NULL || *array->texture)
        return KRN_OK;
    const bool wide = array->bytes % 16 == 0;
    const int more = wide ? 32 : 0;
    const struct cudaChannelFormatDesc format =
        cudaCreateChannelDesc(32, more, more, more, cudaChannelFormatKindFloat);
    const size_t bytes = (size_t)spheres * array->bytes, texel_bytes = wide ? 16 : 4;
    int ordinal = 0;
    size_t most = 0;
    enum krn_code code = KRN_CUDA(error, cudaGetDevice(&ordinal));
    KRN_THEN(code, KRN_CUDA(error, cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, ordinal)));
    if (code == KRN_OK && bytes / texel_bytes > most)
        code = KRN_FAIL(error, KRN_REFUSED,
                        "A linear texture of this GPU holds %zu texels: at most %zu spheres, not "
                        "%d.",
                        most, most * texel_bytes / array->bytes, spheres);
    if (code != KRN_OK)
        return code;
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypeLinear,
        .res.linear = {.devPtr = array->memory, .desc = format, .sizeInBytes = bytes}};
    const struct cudaTextureDesc access = {.readMode = cudaReadModeElementType};
    return KRN_CUDA(error, cudaCreateTextureObject(array->texture, &resource, &access, NULL));
}

/* What a storage needs of an array in global memory, besides a constant bank. */
static enum krn_code (*const storages[KRN_STORAGE_COUNT])(const struct krn_cuda_array *,
                                                          int spheres, struct krn_error *) = {
    [KRN_STORAGE_TEXTURE] = bind_texture,
};

enum krn_code krn_cuda_prepare_storage(enum krn_storage storage,
                                       const struct krn_cuda_arrays *arrays,
                                       struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int i = 0; i < KRN_CUDA_ARRAYS && storages[storage] != NULL; i++)
        if (arrays->each[i].memory != NULL)
            KRN_THEN(code, storages[storage](&arrays->each[i], arrays->spheres, error));
    return code;
}

/* Returns the arrays of the book view; the last one is what the user's kernel reads. */
static struct krn_cuda_arrays arrays_of(struct krn_cuda_tracer *tracer)
{
    struct krn_cuda_posed *posed = &tracer->posed;
    const struct krn_cuda_scene *scene = &posed->scene;
    const size_t sphere = sizeof *scene->spheres, packed = sizeof *scene->packed;
    return (struct krn_cuda_arrays){
        posed->count,
        {{scene->spheres, sphere, tracer->book_bank, KRN_CONSTANT_SPHERES, &posed->spheres_texture},
         {scene->packed, packed, tracer->strip_bank, KRN_CONSTANT_PACKED, &posed->packed_texture},
         {scene->spheres, sphere, tracer->mine.scene, tracer->mine.room, NULL}}};
}

enum krn_code krn_cuda_tracer_set_pose(struct krn_cuda_tracer *tracer, struct krn_pose pose,
                                       cudaStream_t stream, struct krn_error *error)
{
    if (krn_cuda_tracer_has_pose(tracer, pose))
        return KRN_OK;
    const struct krn_cuda_arrays arrays = arrays_of(tracer);
    enum krn_code code = KRN_CUDA(
        error, krn_cuda_rotate(tracer->source, tracer->posed.scene, arrays.spheres, pose, stream));
    KRN_THEN(code, krn_cuda_fill_banks(&arrays, stream, error));
    tracer->pose = pose;
    tracer->posed_valid = code == KRN_OK;
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
        return KRN_CUDA(error, krn_cuda_binned_scan(scene, tiles, frame, stream));
    enum krn_code code =
        KRN_CUDA(error, krn_cuda_binned_sort(scene, frame.count, tiles, bins, stream));
    if (code == KRN_OK && timer)
        code = krn_cuda_timer_part(timer, error);
    KRN_THEN(code, KRN_CUDA(error, krn_cuda_binned_trace(scene, tiles, bins, frame, NULL, stream)));
    return code;
}

static enum krn_code launch_splat(const struct krn_cuda_tracer *tracer, struct krn_cuda_frame frame,
                                  cudaStream_t stream, struct krn_cuda_timer *timer,
                                  struct krn_error *error)
{
    (void)timer;
    return KRN_CUDA(error, krn_cuda_splat_launch(tracer->posed.scene, tracer->splatting.splat,
                                                 frame, NULL, stream));
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

/* The launchers of the modes: `launch` for a mode of one kernel, else `launch_parts`. A mode
 * without either has no launcher. */
static const struct launcher {
    krn_cuda_launch *launch;
    enum krn_code (*prepare)(struct krn_cuda_tracer *, const struct krn_view *, struct krn_error *);
    enum krn_code (*launch_parts)(const struct krn_cuda_tracer *, struct krn_cuda_frame,
                                  cudaStream_t, struct krn_cuda_timer *, struct krn_error *);
    int parts; /* kernels, memsets and events that launch_parts queues */
} launchers[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT] = {
    [KRN_KERNEL_BOOK][KRN_STORAGE_GLOBAL] = {.launch = krn_cuda_book_global},
    [KRN_KERNEL_BOOK][KRN_STORAGE_READONLY] = {.launch = krn_cuda_book_readonly},
    [KRN_KERNEL_BOOK][KRN_STORAGE_CONSTANT] = {.launch = krn_cuda_book_constant},
    [KRN_KERNEL_BOOK][KRN_STORAGE_SHARED] = {.launch = krn_cuda_book_shared},
    [KRN_KERNEL_BOOK][KRN_STORAGE_TEXTURE] = {.launch = krn_cuda_book_texture},
    [KRN_KERNEL_STRIP][KRN_STORAGE_GLOBAL] = {.launch = krn_cuda_strip_global},
    [KRN_KERNEL_STRIP][KRN_STORAGE_READONLY] = {.launch = krn_cuda_strip_readonly},
    [KRN_KERNEL_STRIP][KRN_STORAGE_CONSTANT] = {.launch = krn_cuda_strip_constant},
    [KRN_KERNEL_STRIP][KRN_STORAGE_SHARED] = {.launch = krn_cuda_strip_shared},
    [KRN_KERNEL_STRIP][KRN_STORAGE_TEXTURE] = {.launch = krn_cuda_strip_texture},
    [KRN_KERNEL_BINNED][KRN_STORAGE_GLOBAL] = {NULL, prepare_bins, launch_binned, 6},
    [KRN_KERNEL_SPLAT][KRN_STORAGE_GLOBAL] = {NULL, prepare_splat, launch_splat,
                                              KRN_CUDA_SPLAT_LAUNCHES},
    [KRN_KERNEL_MINE][KRN_STORAGE_GLOBAL] = {NULL, NULL, launch_mine, 1},
    [KRN_KERNEL_MINE][KRN_STORAGE_CONSTANT] = {NULL, NULL, launch_mine, 1},
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

enum krn_code krn_cuda_tracer_prepare(struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                      const struct krn_view *view, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    const struct krn_cuda_arrays arrays = arrays_of(tracer);
    enum krn_code code = krn_cuda_prepare_storage(mode.storage, &arrays, error);
    if (launcher->prepare)
        KRN_THEN(code, launcher->prepare(tracer, view, error));
    return code;
}

enum krn_code krn_cuda_tracer_launch(const struct krn_cuda_tracer *tracer, struct krn_mode mode,
                                     struct krn_cuda_frame frame, cudaStream_t stream,
                                     struct krn_cuda_timer *timer, struct krn_error *error)
{
    const struct launcher *launcher = launcher_of(mode);
    if (launcher->launch)
        return KRN_CUDA(
            error, launcher->launch(&tracer->posed, mode.pixels_per_thread, frame, NULL, stream));
    return launcher->launch_parts(tracer, frame, stream, timer, error);
}
