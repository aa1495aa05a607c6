/* Sizes of the binned kernel's lists, before anything is sorted. */
#include "core/trace/tiles.h"

/* Maximum number of entries: longer lists take too much memory, and larger tiles need shorter
 * ones. */
static const double entries_most = 64e6;

/* The same for scenes that are not sorted: only the heat map lists their spheres. */
static const double scanned_entries_most = 1e6;

static double bucket_radius(int bucket)
{
    return (double)KRN_RADIUS_MIN * exp2((bucket + 1) / 4.0) * 1.001;
}

void krn_sizes_count(struct krn_sizes *sizes, const struct krn_scene *scene)
{
    memset(sizes, 0, sizeof *sizes);
    for (int i = 0; i < scene->count; i++) {
        const struct krn_sphere *s = &scene->spheres[i];
        const double octaves = log2((double)s->radius / (double)KRN_RADIUS_MIN);
        const int bucket = octaves > 0.0 ? (int)(4.0 * octaves) : 0;
        sizes->count[bucket < KRN_SIZES ? bucket : KRN_SIZES - 1]++;
        /* Rotation mixes x and z. */
        const float rotated = fabsf(s->x) + fabsf(s->z), upright = fabsf(s->y);
        const float far = rotated > upright ? rotated : upright;
        sizes->coordinate = far > sizes->coordinate ? far : sizes->coordinate;
        sizes->upright = upright > sizes->upright ? upright : sizes->upright;
    }
}

/* Returns the maximum number of tiles along one axis that `pixels` adjacent pixels touch. */
static double tiles_of(double pixels, int side, int tiles)
{
    const double most = ceil(pixels / side) + 1.0;
    return most < tiles ? most : tiles;
}

/* Returns an upper bound of the number of entries, from krn_pixel_reach with its margin. */
static double entries_of(const struct krn_sizes *sizes, const struct krn_tiles *tiles)
{
    double entries = 0.0;
    for (int bucket = 0; bucket < KRN_SIZES; bucket++) {
        if (sizes->count[bucket] == 0)
            continue;
        const double radius = bucket_radius(bucket), per_unit = (double)tiles->per_unit;
        const double wide = tiles->width > tiles->height ? tiles->width : tiles->height;
        const double margin = 3.0 + 4e-6 * (((double)sizes->coordinate + radius) * per_unit + wide);
        const double pixels = 2.0 * radius * per_unit + 2.0 * margin;
        const int side = 1 << tiles->shift;
        entries += sizes->count[bucket] * tiles_of(pixels, side, tiles->columns) *
                   tiles_of(pixels, side, tiles->rows);
    }
    return entries;
}

static struct krn_tiles tiles_of_view(const struct krn_view *view, int shift)
{
    const int side = 1 << shift;
    const struct krn_tiles tiles = {shift,
                                    (view->width + side - 1) / side,
                                    (view->height + side - 1) / side,
                                    view->width,
                                    view->height,
                                    view->unit,
                                    1.0f / view->unit};
    return tiles;
}

static int spheres_of(const struct krn_sizes *sizes)
{
    int spheres = 0;
    for (int bucket = 0; bucket < KRN_SIZES; bucket++)
        spheres += sizes->count[bucket];
    return spheres;
}

struct krn_tile_plan krn_tiles_plan(const struct krn_sizes *sizes, const struct krn_view *view,
                                    int shift_least, double per_pixel)
{
    struct krn_tile_plan best;
    memset(&best, 0, sizeof best);
    double least = INFINITY;
    const int spheres = spheres_of(sizes);
    const int longer = view->width > view->height ? view->width : view->height;
    for (int shift = shift_least;; shift++) {
        const int side = 1 << shift;
        const struct krn_tiles tiles = tiles_of_view(view, shift);
        const double entries = entries_of(sizes, &tiles);
        const double cost = entries * (1.0 + per_pixel * side * side);
        /* One tile for the whole image lists every sphere once, which always fits. */
        const int last = side >= longer;
        if (cost < least && (entries <= entries_most || (last && isinf(least)))) {
            least = cost;
            best.tiles = tiles;
            best.entries = (size_t)entries;
            best.per_sphere = spheres > 0 ? entries / spheres : 0.0;
        }
        if (last)
            return best;
    }
}

struct krn_tile_plan krn_tiles_plan_cuda(const struct krn_sizes *sizes, const struct krn_view *view)
{
    const int spheres = spheres_of(sizes);
    struct krn_tile_plan plan = {.scanned = spheres <= KRN_CUDA_SCAN_SPHERES};
    if (plan.scanned) {
        plan.tiles = tiles_of_view(view, spheres <= KRN_CUDA_SCAN_FEW ? KRN_CUDA_SCAN_SHIFT_FEW
                                                                      : KRN_CUDA_SCAN_SHIFT);
        const double entries = entries_of(sizes, &plan.tiles);
        plan.entries = (size_t)entries;
        plan.per_sphere = spheres > 0 ? entries / spheres : 0.0;
        if (entries <= scanned_entries_most)
            return plan;
    }
    return krn_tiles_plan(sizes, view, KRN_CUDA_TILE_SHIFT, KRN_CUDA_ENTRY_OVER_PIXEL);
}

struct krn_cover krn_sizes_cover(const struct krn_sizes *sizes, const struct krn_view *view)
{
    const double unit = (double)view->unit, extent = 2.0 * (double)sizes->upright + unit;
    const double area = fmin(view->width * unit, extent) * fmin(view->height * unit, extent);
    double discs = 0.0, diameters = 0.0;
    for (int bucket = 0; bucket < KRN_SIZES; bucket++) {
        const double radius = bucket_radius(bucket) * 0.9; /* of its middle */
        discs += sizes->count[bucket] * 3.14159265358979 * radius * radius;
        diameters += sizes->count[bucket] * 2.0 * radius;
    }
    return (struct krn_cover){discs / area, diameters / unit / fmax(spheres_of(sizes), 1.0)};
}
