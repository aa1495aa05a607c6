/* Memory of the binned kernel's lists. A plan bounds their size for every pose, so they are
 * allocated once per scene and view, outside of all time stamps, and a frame can neither overrun
 * them nor wait for an allocation. */
#include "cuda/trace/bins.h"

#include "cuda/runtime/check.h"

void krn_cuda_bins_free(struct krn_cuda_binning *binning)
{
    cudaFree(binning->bins.start);
    cudaFree(binning->bins.end);
    cudaFree(binning->bins.entries);
    binning->bins = (struct krn_cuda_bins){NULL, NULL, NULL, KRN_CUDA_SHARE_FEW};
    binning->tiles_held = binning->entries_held = 0;
    binning->planned.width = 0;
}

void krn_cuda_bins_set_scene(struct krn_cuda_binning *binning, const struct krn_scene *scene)
{
    krn_sizes_count(&binning->sizes, scene);
    binning->planned.width = 0;
}

static enum krn_code grow(struct krn_cuda_binning *binning, size_t tiles, size_t entries,
                          struct krn_error *error)
{
    if (tiles <= binning->tiles_held && entries <= binning->entries_held)
        return KRN_OK;
    /* Frames in flight may still read the old lists; freeing waits for them. */
    krn_cuda_bins_free(binning);
    const size_t tile_bytes = (tiles + 1) * sizeof *binning->bins.start,
                 entry_bytes = entries * sizeof *binning->bins.entries;
    void *start = NULL, *end = NULL, *list = NULL;
    enum krn_code code = KRN_CUDA(cudaMalloc(&start, tile_bytes), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&end, tile_bytes), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMalloc(&list, entry_bytes), error);
    binning->bins.start = start;
    binning->bins.end = end;
    binning->bins.entries = list;
    if (code == KRN_OK) {
        binning->tiles_held = tiles;
        binning->entries_held = entries;
        return KRN_OK;
    }
    krn_cuda_bins_free(binning);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(
            error, KRN_NO_MEMORY,
            "The binned kernel's lists need %zu MiB of memory for this scene and size, more than "
            "the device has free.",
            ((2 * tile_bytes + entry_bytes) >> 20) + 1);
    return code;
}

enum krn_code krn_cuda_bins_prepare(struct krn_cuda_binning *binning, const struct krn_view *view,
                                    struct krn_error *error)
{
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
