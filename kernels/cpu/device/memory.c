/* The scene in aligned arrays, one per member, and the threads' scratch memory. */
#include "cpu/device/cpu.h"

#include "krn/memory.h"

#include <stdlib.h>

/* Sorting has a part per thread, in the tree but few where spheres are few: each has a table to add
 * up. */
enum { PARTS_MAX = 16, SPHERES_PER_PART = 4096 };

/* Allocates memory for vectors; NULL: there is none. free() frees it. */
static void *aligned(size_t bytes)
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
    made.given = aligned(n * sizeof *made.given);
    made.rotated = aligned(n * sizeof *made.rotated);
    made.packed = aligned(n * sizeof *made.packed);
    made.material = aligned(n * sizeof *made.material);
    made.mirrors = aligned(n * sizeof *made.mirrors);
    made.reaches = aligned(n * sizeof *made.reaches);
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
                                     int rows, int threads, struct krn_error *error)
{
    if (threads <= memory->threads && view->width <= memory->scratch_pixels &&
        rows <= memory->scratch_rows && memory->count <= memory->scratch_spheres)
        return KRN_OK;
    free_scratch(memory);
    const size_t row = (size_t)view->width + KRN_CPU_LANES, all = row * (size_t)rows;
    memory->scratch = krn_alloc((size_t)threads, sizeof *memory->scratch);
    memory->threads = threads;
    bool whole = true;
    for (int i = 0; i < threads; i++) {
        struct krn_cpu_scratch *own = &memory->scratch[i];
        own->candidates = aligned(((size_t)memory->count + 1) * sizeof *own->candidates);
        own->x = aligned(row * sizeof *own->x);
        own->deepest = aligned(all * sizeof *own->deepest);
        own->chord = aligned(all * sizeof *own->chord);
        own->winner = aligned(all * sizeof *own->winner);
        whole = whole && own->candidates && own->x && own->deepest && own->chord && own->winner;
    }
    if (!whole) {
        free_scratch(memory);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %d threads to work in.", threads);
    }
    memory->scratch_pixels = view->width;
    memory->scratch_rows = rows;
    memory->scratch_spheres = memory->count;
    return KRN_OK;
}

enum krn_code krn_cpu_memory_bins(struct krn_cpu_memory *memory, const struct krn_view *view,
                                  int threads, struct krn_error *error)
{
    if (krn_same_rays(&memory->planned, view))
        return KRN_OK;
    const struct krn_tile_plan plan =
        krn_tiles_plan(&memory->sizes, view, KRN_CPU_TILE_SHIFT, KRN_CPU_ENTRY_OVER_PIXEL);
    const size_t tiles = (size_t)plan.tiles.columns * (size_t)plan.tiles.rows;
    const int parts = threads < PARTS_MAX ? threads : PARTS_MAX;
    const size_t counts = tiles * (size_t)parts;
    struct krn_cpu_bins *bins = &memory->bins;
    if (counts > memory->counts_held || plan.entries > memory->entries_held) {
        free_bins(memory);
        bins->start = aligned((counts + 1) * sizeof *bins->start);
        bins->counts = aligned(counts * sizeof *bins->counts);
        bins->entries = aligned(plan.entries * sizeof *bins->entries);
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

/* A quarter of a leaf's side is best for 10^4 and 10^5 spheres, and twice or half of it hardly
 * worse (Zen 4, 1280x720). */
static const float leaf_share = 0.25f;

static void free_arrays(struct krn_cpu_light_memory *light)
{
    free(light->balls);
    free(light->sun_balls);
    free(light->surfaces);
    light->balls = light->sun_balls = NULL;
    light->surfaces = NULL;
    light->held = 0;
    light->arranged = false;
}

static void free_tree(struct krn_cpu_light_memory *light)
{
    struct krn_cpu_tree *tree = &light->tree;
    free(tree->leaves);
    free(tree->nodes[0]); /* those of all levels */
    for (int i = 0; i < 2; i++) {
        free(tree->keys[i]);
        free(tree->order[i]);
    }
    free(tree->digits);
    memset(tree, 0, sizeof *tree);
    light->tree_held = 0;
}

void krn_cpu_light_free(struct krn_cpu_light_memory *light)
{
    free_arrays(light);
    free_tree(light);
}

static enum krn_code hold(struct krn_cpu_light_memory *light, int count, struct krn_error *error)
{
    if (count <= light->held)
        return KRN_OK;
    free_arrays(light);
    const size_t n = (size_t)count, padded = n + KRN_CPU_LIGHT_GROUP;
    light->balls = aligned(padded * sizeof *light->balls);
    light->sun_balls = aligned(padded * sizeof *light->sun_balls);
    light->surfaces = aligned(n * sizeof *light->surfaces);
    if (!light->balls || !light->sun_balls || !light->surfaces) {
        free_arrays(light);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the light view of %d spheres.", count);
    }
    light->held = count;
    return KRN_OK;
}

enum krn_code krn_cpu_light_prepare(struct krn_cpu_light_memory *light,
                                    const struct krn_cpu_memory *m,
                                    const struct krn_cpu_light_kernels *kernels,
                                    struct krn_cpu_team *team, struct krn_bounds bounds,
                                    const struct krn_view *view, struct krn_error *error)
{
    struct krn_cpu_light_picture *picture = &light->picture;
    const enum krn_code code = hold(light, m->count, error);
    if (code != KRN_OK)
        return code;
    krn_light_frame_make(&picture->frame, &view->light, bounds, view->width, view->height);
    if (!light->toned)
        krn_srgb_make(&picture->srgb);
    light->toned = true;
    picture->scene =
        (struct krn_cpu_light_scene){light->balls, light->sun_balls, light->surfaces, m->count};
    picture->tree = &light->tree;
    if (!light->arranged)
        kernels->arrange(team, &picture->frame, m->rotated, m->mirrors, m->count, light->balls,
                         light->sun_balls, light->surfaces);
    light->arranged = !krn_cancelled();
    return KRN_OK;
}

/* Sets the numbers of leaves and nodes for a number of spheres; returns that of all nodes. */
static int plan(struct krn_cpu_tree *tree, int spheres)
{
    enum { WIDE = KRN_CPU_TREE_WIDE };
    int nodes = 0, below = (spheres + WIDE - 1) / WIDE;
    tree->leaf_count = below;
    tree->levels = 0;
    do {
        below = (below + WIDE - 1) / WIDE;
        tree->counts[tree->levels++] = below;
        nodes += below;
    } while (below > 1);
    return nodes;
}

enum krn_code krn_cpu_light_prepare_tree(struct krn_cpu_light_memory *light, int threads,
                                         struct krn_bounds bounds, struct krn_error *error)
{
    struct krn_cpu_tree *tree = &light->tree;
    const int count = light->picture.scene.count;
    if (count > light->tree_held) {
        free_tree(light);
        const int nodes = plan(tree, count);
        const size_t n = (size_t)count;
        bool whole = true;
        tree->leaves = aligned((size_t)tree->leaf_count * sizeof *tree->leaves);
        tree->nodes[0] = aligned((size_t)nodes * sizeof *tree->nodes[0]);
        tree->digits = aligned(((size_t)PARTS_MAX << KRN_CPU_TREE_DIGIT) * sizeof *tree->digits);
        for (int i = 0; i < 2; i++) {
            tree->keys[i] = aligned(n * sizeof *tree->keys[i]);
            tree->order[i] = aligned(n * sizeof *tree->order[i]);
            whole = whole && tree->keys[i] && tree->order[i];
        }
        if (!whole || !tree->leaves || !tree->nodes[0] || !tree->digits) {
            free_tree(light);
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a tree of %d spheres.", count);
        }
        light->tree_held = count;
    }
    plan(tree, count);
    tree->batch_reach = leaf_share * bounds.extent / cbrtf((float)tree->leaf_count);
    for (int level = 1; level < tree->levels; level++)
        tree->nodes[level] = tree->nodes[level - 1] + tree->counts[level - 1];
    const int most = threads < PARTS_MAX ? threads : PARTS_MAX,
              useful = count / SPHERES_PER_PART + 1;
    tree->parts = useful < most ? useful : most;
    return KRN_OK;
}
