#include "cpu/device/cpu.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 16 };

void *krn_cpu_aligned(size_t bytes)
{
    if (krn_call_fails(KRN_API_ALLOC, "aligned_alloc()"))
        return NULL;
    const size_t rounded = (bytes + KRN_CPU_ALIGN - 1) / KRN_CPU_ALIGN * KRN_CPU_ALIGN;
    return aligned_alloc(KRN_CPU_ALIGN, rounded > 0 ? rounded : KRN_CPU_ALIGN);
}

static void free_scene(struct krn_cpu_memory *memory)
{
    free(memory->given);
    free(memory->rotated);
    free(memory->packed);
    free(memory->material);
    free(memory->mirrors);
    free(memory->reaches);
}

static void free_scratch(struct krn_cpu_memory *memory)
{
    for (int i = 0; memory->scratch && i < memory->threads; i++) {
        free(memory->scratch[i].candidates);
        free(memory->scratch[i].x);
        free(memory->scratch[i].deepest);
        free(memory->scratch[i].chord);
        free(memory->scratch[i].winner);
    }
    free(memory->scratch);
    memory->scratch = NULL;
    memory->threads = memory->scratch_pixels = memory->scratch_spheres = 0;
}

static void free_bins(struct krn_cpu_memory *memory)
{
    free(memory->bins.start);
    free(memory->bins.entries);
    free(memory->bins.counts);
    memset(&memory->bins, 0, sizeof memory->bins);
    memory->counts_held = memory->entries_held = 0;
    memory->planned.width = 0;
}

void krn_cpu_memory_free(struct krn_cpu_memory *memory)
{
    free_scene(memory);
    free_scratch(memory);
    free_bins(memory);
}

enum krn_code krn_cpu_memory_scene(struct krn_cpu_memory *memory, const struct krn_scene *scene,
                                   struct krn_error *error)
{
    const size_t n = (size_t)scene->count;
    struct krn_cpu_memory made = *memory;
    made.given = krn_cpu_aligned(n * sizeof *made.given);
    made.rotated = krn_cpu_aligned(n * sizeof *made.rotated);
    made.packed = krn_cpu_aligned(n * sizeof *made.packed);
    made.material = krn_cpu_aligned(n * sizeof *made.material);
    made.mirrors = krn_cpu_aligned(n * sizeof *made.mirrors);
    made.reaches = krn_cpu_aligned(n * sizeof *made.reaches);
    if (!made.given || !made.rotated || !made.packed || !made.material || !made.mirrors ||
        !made.reaches) {
        free_scene(&made);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a scene of %d spheres.", scene->count);
    }
    memcpy(made.given, scene->spheres, n * sizeof *made.given);
    if (scene->mirrors)
        memcpy(made.mirrors, scene->mirrors, n * sizeof *made.mirrors);
    else
        memset(made.mirrors, 0, n * sizeof *made.mirrors);
    free_scene(memory);
    *memory = made;
    memory->count = scene->count;
    krn_sizes_count(&memory->sizes, scene);
    memory->planned.width = 0;
    return KRN_OK;
}

enum krn_code krn_cpu_memory_scratch(struct krn_cpu_memory *memory, const struct krn_view *view,
                                     int threads, struct krn_error *error)
{
    if (threads <= memory->threads && view->width <= memory->scratch_pixels &&
        memory->count <= memory->scratch_spheres)
        return KRN_OK;
    free_scratch(memory);
    const size_t row = (size_t)view->width + KRN_CPU_LANES;
    memory->scratch = calloc((size_t)threads, sizeof *memory->scratch);
    memory->threads = memory->scratch ? threads : 0;
    bool whole = memory->scratch != NULL;
    for (int i = 0; i < memory->threads; i++) {
        struct krn_cpu_scratch *own = &memory->scratch[i];
        own->candidates = krn_cpu_aligned(((size_t)memory->count + 1) * sizeof *own->candidates);
        own->x = krn_cpu_aligned(row * sizeof *own->x);
        own->deepest = krn_cpu_aligned(row * sizeof *own->deepest);
        own->chord = krn_cpu_aligned(row * sizeof *own->chord);
        own->winner = krn_cpu_aligned(row * sizeof *own->winner);
        whole = whole && own->candidates && own->x && own->deepest && own->chord && own->winner;
    }
    if (!whole) {
        free_scratch(memory);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %d threads to work in.", threads);
    }
    memory->scratch_pixels = view->width;
    memory->scratch_spheres = memory->count;
    return KRN_OK;
}

enum krn_code krn_cpu_memory_bins(struct krn_cpu_memory *memory, const struct krn_view *view,
                                  int threads, struct krn_error *error)
{
    if (memory->planned.width == view->width && memory->planned.height == view->height &&
        memory->planned.unit == view->unit)
        return KRN_OK;
    const struct krn_tile_plan plan =
        krn_tiles_plan(&memory->sizes, view, KRN_CPU_TILE_SHIFT, KRN_CPU_ENTRY_OVER_PIXEL);
    const size_t tiles = (size_t)plan.tiles.columns * (size_t)plan.tiles.rows;
    const int parts = threads < PARTS_MAX ? threads : PARTS_MAX;
    const size_t counts = tiles * (size_t)parts;
    struct krn_cpu_bins *bins = &memory->bins;
    if (counts > memory->counts_held || plan.entries > memory->entries_held) {
        free_bins(memory);
        bins->start = krn_cpu_aligned((counts + 1) * sizeof *bins->start);
        bins->counts = krn_cpu_aligned(counts * sizeof *bins->counts);
        bins->entries = krn_cpu_aligned(plan.entries * sizeof *bins->entries);
        if (!bins->start || !bins->counts || !bins->entries) {
            free_bins(memory);
            return KRN_FAIL(error, KRN_NO_MEMORY,
                            "The binned kernel's lists need %zu MiB of memory for this scene and "
                            "size, more than is free.",
                            ((counts * (sizeof *bins->start + sizeof *bins->counts) +
                              plan.entries * sizeof *bins->entries) >>
                             20) +
                                1);
        }
        memory->counts_held = counts;
        memory->entries_held = plan.entries;
    }
    bins->tiles = plan.tiles;
    bins->parts = parts;
    memory->planned = *view;
    return KRN_OK;
}
