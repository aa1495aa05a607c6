#include "cpu/device/cpu.h"

#include "krn/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A quarter of a leaf's side is best for 10^4 and 10^5 spheres, and twice or half of it hardly
 * worse (Zen 4, 1280x720). */
static const float leaf_share = 0.25f;

/* The sort has a part per thread, but few where spheres are few: each has a table to add up. */
enum { PARTS_MAX = 16, SPHERES_PER_PART = 4096 };

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
    light->balls = krn_cpu_aligned(padded * sizeof *light->balls);
    light->sun_balls = krn_cpu_aligned(padded * sizeof *light->sun_balls);
    light->surfaces = krn_cpu_aligned(n * sizeof *light->surfaces);
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
        tree->leaves = krn_cpu_aligned((size_t)tree->leaf_count * sizeof *tree->leaves);
        tree->nodes[0] = krn_cpu_aligned((size_t)nodes * sizeof *tree->nodes[0]);
        tree->digits =
            krn_cpu_aligned(((size_t)PARTS_MAX << KRN_CPU_TREE_DIGIT) * sizeof *tree->digits);
        for (int i = 0; i < 2; i++) {
            tree->keys[i] = krn_cpu_aligned(n * sizeof *tree->keys[i]);
            tree->order[i] = krn_cpu_aligned(n * sizeof *tree->order[i]);
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
