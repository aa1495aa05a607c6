/* kernels/core/trace/tiles.h - the spheres that can touch each tile of the image, for kernels that
 * sort spheres first.
 *
 * Tiles are squares of 1 << shift pixels. A sphere's range of tiles is a superset, computed with a
 * margin for every rounding; each tile of it is then tested exactly, as a run of pixels is in
 * strip.h, so that no list lacks a sphere that a pixel would have hit. Plans are made on the host,
 * from radii alone, so they hold under every pose.
 */
#pragma once

#include "core/trace/strip.h"

/* A view that is divided into tiles. */
struct krn_tiles {
    int shift;
    int columns, rows;
    int width, height;
    float unit, per_unit; /* scene units per pixel, and 1 / that */
};

/* Tiles left..right, low..high, inclusive; none when right < left or high < low. */
struct krn_tile_range {
    int left, right, low, high;
};

/* Computes a superset of the pixels along one axis that a sphere may touch; *last < *first:
 * none. */
KRN_FN void krn_pixel_reach(float centre, float radius, float per_unit, int pixels, int *first,
                            int *last)
{
    const float half = (float)(pixels / 2);
    const float size = centre < 0.0f ? radius - centre : radius + centre;
    const float margin = 1.5f + 2e-6f * (size * per_unit + half);
    const float low = (centre - radius) * per_unit + half - margin;
    const float high = (centre + radius) * per_unit + half + margin;
    const float most = (float)pixels;
    /* Clips floats, because an int cannot hold distant coordinates. */
    *first = low < 0.0f ? 0 : low > most ? pixels : (int)low;
    *last = high < 0.0f ? -1 : high > most - 1.0f ? pixels - 1 : (int)high;
}

/* Computes the same closely: at most one pixel more than a sphere touches, at each end. The margin
 * is that of 16 roundings of the greatest number on the way. */
KRN_FN void krn_pixel_span(float centre, float radius, float per_unit, int pixels, int *first,
                           int *last)
{
    const float half = (float)(pixels / 2);
    const float size = centre < 0.0f ? radius - centre : radius + centre;
    const float margin = 2e-6f * (size * per_unit + half);
    const float low = ceilf((centre - radius) * per_unit + half - margin);
    const float high = floorf((centre + radius) * per_unit + half + margin);
    const float most = (float)pixels;
    *first = !(low >= 0.0f) ? 0 : low > most ? pixels : (int)low;
    *last = !(high >= 0.0f) ? -1 : high > most - 1.0f ? pixels - 1 : (int)high;
}

KRN_FN struct krn_tile_range krn_tile_reach(struct krn_tiles tiles, struct krn_packed sphere)
{
    const float radius = sqrtf(sphere.square);
    struct krn_tile_range range;
    int left, right, low, high;
    krn_pixel_reach(sphere.x, radius, tiles.per_unit, tiles.width, &left, &right);
    krn_pixel_reach(sphere.y, radius, tiles.per_unit, tiles.height, &low, &high);
    range.left = left >> tiles.shift;
    range.right = right < left ? range.left - 1 : right >> tiles.shift;
    range.low = low >> tiles.shift;
    range.high = high < low ? range.low - 1 : high >> tiles.shift;
    return range;
}

/* Returns the greatest residual of the sphere over all rays in x0..x1, y0..y1; when it is <= 0, all
 * of them miss. Its root plus z is an upper bound of the depth there. */
KRN_FN float krn_box_residual(struct krn_packed sphere, float x0, float x1, float y0, float y1)
{
    const float row = krn_row_residual(krn_axis_distance(y0, y1, sphere.y), sphere.square);
    return krn_pixel_residual(krn_axis_distance(x0, x1, sphere.x), row);
}

KRN_FN int krn_tile_hit(struct krn_tiles tiles, struct krn_packed sphere, int column, int row)
{
    const int side = 1 << tiles.shift, x = column << tiles.shift, y = row << tiles.shift;
    return krn_box_residual(sphere, krn_ray(x, tiles.width, tiles.unit),
                            krn_ray(x + side - 1, tiles.width, tiles.unit),
                            krn_ray(y, tiles.height, tiles.unit),
                            krn_ray(y + side - 1, tiles.height, tiles.unit)) > 0.0f;
}

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of spheres in a scene by radius, in quarter octaves from KRN_RADIUS_MIN on. */
enum { KRN_SIZES = 96 };
struct krn_sizes {
    int count[KRN_SIZES];
    float coordinate; /* upper bound of all coordinates under any pose */
    float upright;    /* of y, which no pose changes */
};

void krn_sizes_count(struct krn_sizes *sizes, const struct krn_scene *scene);

/* How densely spheres cover the part of a view where spheres are, if they are spread evenly. */
struct krn_cover {
    double layers; /* the mean number of spheres that a ray hits */
    double pixels; /* the mean diameter of a sphere */
};
struct krn_cover krn_sizes_cover(const struct krn_sizes *sizes, const struct krn_view *view);

/* A plan: the tiles of a view, and the maximum number of list entries under any pose. */
struct krn_tile_plan {
    struct krn_tiles tiles;
    size_t entries;
    double per_sphere; /* maximum of the mean number of entries per sphere */
    bool scanned;      /* the kernel scans all spheres for every tile instead of sorting them */
};

/* Returns the cheapest tiles, of 1 << shift_least pixels or more, when an entry of a list costs 1
 * and testing it against all pixels of a tile costs per_pixel times their number. */
struct krn_tile_plan krn_tiles_plan(const struct krn_sizes *sizes, const struct krn_view *view,
                                    int shift_least, double per_pixel);

/* Returns the plan of the CUDA backend, which sorts no small scene. */
struct krn_tile_plan krn_tiles_plan_cuda(const struct krn_sizes *sizes,
                                         const struct krn_view *view);

#ifdef __cplusplus
}
#endif
