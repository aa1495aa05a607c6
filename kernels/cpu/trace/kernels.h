/* kernels/cpu/trace/kernels.h - the kernels of the CPU backend, one set per instruction-set level.
 */
#pragma once

#include "core/trace/pixel.h"
#include "core/trace/tiles.h"
#include "cpu/runtime/team.h"
#include "krn/device.h"

#include <stdbool.h>

/* Names of functions that are compiled once per instruction-set level. */
#define KRN_JOIN_(a, b) a##b
#define KRN_JOIN(a, b) KRN_JOIN_(a, b)
#define KRN_LEVEL(name) KRN_JOIN(name##_, KRN_CPU_LEVEL)

/* Unrolls the loop that follows whole, so that an array that it indexes can stay in registers. With
 * a count, clang unrolls only after it has placed arrays in memory. */
#ifdef __clang__
#define KRN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define KRN_UNROLL _Pragma("GCC unroll 16")
#endif

/* The rotated scene in every layout that a kernel reads. */
struct krn_cpu_scene {
    const struct krn_sphere *spheres;
    const struct krn_packed *packed;
    const struct krn_material *material;
    int count;
};

/* The scratch memory of one thread. The arrays of pixels hold one image row plus one vector, or for
 * the splat kernel, all but x, KRN_CPU_SPLAT_ROWS of them. */
struct krn_cpu_scratch {
    int *candidates; /* room for every sphere */
    float *x, *deepest, *chord;
    int *winner;
};

enum { KRN_CPU_ALIGN = 64 };

/* The bins: tile t has the spheres entries[start[t]] to entries[start[t + 1] - 1]. The scene is
 * sorted in `parts` slices at once; `counts` is scratch memory for parts times all tiles. */
struct krn_cpu_bins {
    struct krn_tiles tiles;
    size_t *start;
    int *entries;
    unsigned *counts;
    int parts;
};

/* Return the pieces of a kernel's job; those of the two jobs that sort are bins->parts. */
enum { KRN_CPU_BOOK_ROWS = 4, KRN_CPU_TASKS_TOGETHER = 4, KRN_CPU_SPLAT_ROWS = 32 };

static inline int krn_cpu_book_pieces(const struct krn_view *view)
{
    return (view->height + KRN_CPU_BOOK_ROWS - 1) / KRN_CPU_BOOK_ROWS;
}

static inline int krn_cpu_strip_pieces(const struct krn_view *view)
{
    return (view->height + KRN_CPU_BAND - 1) / KRN_CPU_BAND;
}

/* Returns the bands of a tile. Tiles may be large, so a piece of work is a few bands of a tile. */
static inline int krn_cpu_tile_bands(struct krn_tiles tiles, const struct krn_view *view)
{
    const int side = 1 << tiles.shift;
    return (side < view->height ? side : view->height) / KRN_CPU_BAND + 1;
}

static inline int krn_cpu_binned_pieces(struct krn_tiles tiles, const struct krn_view *view)
{
    const int tasks = tiles.columns * tiles.rows * krn_cpu_tile_bands(tiles, view);
    return (tasks + KRN_CPU_TASKS_TOGETHER - 1) / KRN_CPU_TASKS_TOGETHER;
}

static inline int krn_cpu_splat_pieces(const struct krn_view *view)
{
    return (view->height + KRN_CPU_SPLAT_ROWS - 1) / KRN_CPU_SPLAT_ROWS;
}

struct krn_cpu_kernels {
    /* reaches is the output of .reach for the spheres, which rotation does not change. */
    void (*book)(struct krn_cpu_team *team, const struct krn_sphere *spheres, const float *reaches,
                 int count, const struct krn_view *view, const struct krn_image *image);
    void (*reach)(const struct krn_sphere *spheres, float *reaches, int count);
    /* Processes 32 * pixels_per_thread neighbours of a row at a time, as a warp does on the GPU.
     * scratch has one element per thread. */
    void (*strip)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                  int pixels_per_thread, const struct krn_view *view, const struct krn_image *image,
                  const struct krn_cpu_scratch *scratch);
    void (*sort)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                 const struct krn_cpu_bins *bins);
    void (*binned)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                   const struct krn_cpu_bins *bins, const struct krn_view *view,
                   const struct krn_image *image, const struct krn_cpu_scratch *scratch);
    void (*splat)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                  const struct krn_view *view, const struct krn_image *image,
                  const struct krn_cpu_scratch *scratch);
    void (*rotate)(struct krn_cpu_team *team, const struct krn_sphere *spheres,
                   struct krn_sphere *rotated, struct krn_packed *packed,
                   struct krn_material *material, int count, struct krn_pose pose);
};

/* The strip, binned and splat kernels of one instruction-set level. */
void KRN_LEVEL(krn_cpu_strip)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                              int pixels_per_thread, const struct krn_view *view,
                              const struct krn_image *image, const struct krn_cpu_scratch *scratch);
void KRN_LEVEL(krn_cpu_sort)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                             const struct krn_cpu_bins *bins);
void KRN_LEVEL(krn_cpu_binned)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                               const struct krn_cpu_bins *bins, const struct krn_view *view,
                               const struct krn_image *image,
                               const struct krn_cpu_scratch *scratch);
void KRN_LEVEL(krn_cpu_splat)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                              const struct krn_view *view, const struct krn_image *image,
                              const struct krn_cpu_scratch *scratch);
