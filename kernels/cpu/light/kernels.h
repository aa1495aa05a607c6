/* kernels/cpu/light/kernels.h - the light view's kernels, one set per instruction-set level. */
#pragma once

#include "core/light/light.h"
#include "cpu/runtime/team.h"
#include "krn/device.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Balls are tested in groups, so the arrays of balls have room for another group, which holds balls
 * that no ray hits. */
enum { KRN_CPU_LIGHT_GROUP = 4 };

/* The rotated scene as the kernels read it. */
struct krn_cpu_light_scene {
    const struct krn_ball *balls;
    const struct krn_ball *sun_balls; /* in sun space */
    const struct krn_surface *surfaces;
    int count;
};

/* The tree: leaves of eight balls that lie next to each other on a Hilbert curve, and nodes of
 * eight children. Child c of node i of a level is number 8 i + c of the level below; level 0 has
 * leaves as children. Boxes are larger than their balls by frame.slack, so that no rounding error
 * hides a ball that a ray hits. */
enum {
    KRN_CPU_TREE_WIDE = 8,
    KRN_CPU_TREE_LEVELS = 7, /* of nodes: enough for 8^8 balls */
    KRN_CPU_TREE_DIGIT = 10, /* bits that one pass of the sort looks at */
    KRN_CPU_TREE_PASSES = 3
};

/* Eight balls, each in scene units and in sun space. reach is the half side of their boxes; that of
 * a place without a ball is negative. */
struct krn_cpu_leaf {
    float x[KRN_CPU_TREE_WIDE], y[KRN_CPU_TREE_WIDE], z[KRN_CPU_TREE_WIDE];
    float square[KRN_CPU_TREE_WIDE], reach[KRN_CPU_TREE_WIDE];
    float sun_x[KRN_CPU_TREE_WIDE], sun_y[KRN_CPU_TREE_WIDE], sun_z[KRN_CPU_TREE_WIDE];
    int sphere[KRN_CPU_TREE_WIDE];
};

enum krn_cpu_side { KRN_CPU_LOW, KRN_CPU_HIGH, KRN_CPU_SIDES };

/* The sides of the boxes of eight children, by axis, and their rectangles in sun space with the
 * greatest sun_z. */
struct krn_cpu_node {
    float box[KRN_CPU_SIDES][3][KRN_CPU_TREE_WIDE];
    float sun_low[2][KRN_CPU_TREE_WIDE], sun_high[2][KRN_CPU_TREE_WIDE];
    float sun_top[KRN_CPU_TREE_WIDE];
};

struct krn_cpu_tree {
    struct krn_cpu_leaf *leaves;
    struct krn_cpu_node *nodes[KRN_CPU_TREE_LEVELS];
    int leaf_count, counts[KRN_CPU_TREE_LEVELS];
    int levels; /* the highest one has one node */
    /* Greatest distance in x and y of sun space from the first shadow ray of a batch, scene units:
     * a batch walks the tree as one. A fraction of the average side of a leaf. */
    float batch_reach;
    /* Scratch memory of the sort: keys and balls of two orders, and a table of counts per part. */
    uint32_t *keys[2];
    int *order[2];
    unsigned *digits;
    int parts;
};

/* Number of nodes of level 0 that one piece of work makes, with their leaves. */
enum { KRN_CPU_TREE_NODES_PER_PIECE = 16 };

static inline int krn_cpu_tree_pieces(const struct krn_cpu_tree *tree)
{
    return (tree->counts[0] + KRN_CPU_TREE_NODES_PER_PIECE - 1) / KRN_CPU_TREE_NODES_PER_PIECE;
}

/* Rays are counted by all threads at once. */
struct krn_cpu_ray_counts {
    _Atomic unsigned long long traced[KRN_BOUNCES_MAX + 1], shadow[KRN_BOUNCES_MAX + 1];
};

/* What a picture is made from, and where it goes to. */
struct krn_cpu_light_picture {
    struct krn_light_frame frame;
    struct krn_srgb srgb;
    struct krn_cpu_light_scene scene;
    const struct krn_cpu_tree *tree;
    const struct krn_image *image;     /* NULL: no pixel is written */
    struct krn_cpu_ray_counts *counts; /* NULL: rays are not counted */
    uint32_t *pixel_rays;              /* for each pixel, row by row; NULL: not counted */
};

/* A picture is divided into tiles of this side. */
enum { KRN_CPU_LIGHT_TILE = 16 };

static inline int krn_cpu_light_tiles(int width, int height)
{
    const int side = KRN_CPU_LIGHT_TILE;
    return ((width + side - 1) / side) * ((height + side - 1) / side);
}

struct krn_cpu_rays;
struct krn_cpu_shadows;

struct krn_cpu_light_kernels {
    /* Writes balls, sun balls and surfaces of a rotated scene. mirrors: one share per sphere. */
    void (*arrange)(struct krn_cpu_team *team, const struct krn_light_frame *frame,
                    const struct krn_sphere *spheres, const float *mirrors, int count,
                    struct krn_ball *balls, struct krn_ball *sun_balls,
                    struct krn_surface *surfaces);
    void (*brute)(struct krn_cpu_team *team, const struct krn_cpu_light_picture *picture);
    /* Builds the tree, whose counts and memory are set. */
    void (*build)(struct krn_cpu_team *team, const struct krn_cpu_light_scene *scene,
                  const struct krn_light_frame *frame, struct krn_bounds bounds,
                  const struct krn_cpu_tree *tree);
    void (*tree)(struct krn_cpu_team *team, const struct krn_cpu_light_picture *picture);
    /* How `tree` traces the rays of a tile (rays.h), for tests and measurements of rays alone. */
    void (*tree_nearest)(const struct krn_cpu_light_picture *picture, struct krn_cpu_rays *rays);
    void (*tree_shadows)(const struct krn_cpu_light_picture *picture,
                         struct krn_cpu_shadows *shadows);
};
