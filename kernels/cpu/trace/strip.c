/* The strip kernel on the CPU, where the pixels of a row are SIMD lanes.
 * For each box of the image (a band of rows, or a tile), the kernel collects the candidate spheres
 * that can touch the box. Each row of the box then selects the candidates that intersect it,
 * computes the range of pixels that each can cover, and processes the row in blocks of 32 K
 * pixels. */
#include "cpu/trace/vectors.h"

enum { CHUNK = 512 };

/* Pixels x0..x1-1, y0..y1-1. */
struct box {
    int x0, x1, y0, y1;
};

/* Spheres that intersect a row: their row residuals, and the pixels from..to-1 of the box that they
 * can cover, rounded to whole vectors. */
struct hits {
    float x[CHUNK], z[CHUNK], residual[CHUNK];
    int sphere[CHUNK], from[CHUNK], to[CHUNK];
    int count;
};

/* Collects the candidates from *next on that intersect the row, until the chunk is full. */
static void collect(const struct krn_cpu_scene *scene, const int *candidates, int count, int *next,
                    float oy, struct hits *hits)
{
    int n = 0, i = *next;
    for (; i < count && n < CHUNK; i++) {
        const struct krn_packed sphere = scene->packed[candidates[i]];
        const float residual = krn_row_residual(oy - sphere.y, sphere.square);
        hits->x[n] = sphere.x;
        hits->z[n] = sphere.z;
        hits->residual[n] = residual;
        hits->sphere[n] = candidates[i];
        n += residual > 0.0f;
    }
    *next = i;
    hits->count = n;
}

/* Computes the range of vectors of the box that each hit can cover in this row. */
static void set_ranges(struct hits *hits, const struct krn_view *view, struct box box)
{
    const float per_unit = 1.0f / view->unit;
#pragma omp simd
    for (int i = 0; i < hits->count; i++) {
        int first, last;
        /* NOLINTNEXTLINE(clang-analyzer-core.*): collect() has filled `count` hits. */
        krn_pixel_reach(hits->x[i], sqrtf(hits->residual[i]), per_unit, view->width, &first, &last);
        first = (first > box.x0 ? first : box.x0) - box.x0;
        last = (last < box.x1 - 1 ? last : box.x1 - 1) - box.x0;
        hits->from[i] = first & ~(LANES - 1);
        hits->to[i] = last < first ? hits->from[i] : (last | (LANES - 1)) + 1;
    }
}

static void intersect_block(const struct hits *hits, const struct krn_cpu_scratch *own, int start,
                            int end)
{
    for (int i = 0; i < hits->count; i++) {
        const int from = hits->from[i] > start ? hits->from[i] : start;
        const int to = hits->to[i] < end ? hits->to[i] : end;
        for (int at = from; at < to; at += LANES)
            intersect(own, at, hits->x[i], hits->z[i], hits->residual[i], hits->sphere[i]);
    }
}

static void trace_row(const struct krn_cpu_scene *scene, int candidates,
                      const struct krn_view *view, struct box box, int j, int block,
                      const struct krn_cpu_scratch *own, uint32_t *row)
{
    const int pixels = vectors_up(box.x1 - box.x0);
    for (int k = 0; k < pixels; k++) {
        own->deepest[k] = -INFINITY;
        own->winner[k] = KRN_NO_SPHERE;
    }
    const float oy = krn_ray(j, view->height, view->unit);
    struct hits hits;
    for (int next = 0; next < candidates && !krn_cancelled();) {
        collect(scene, own->candidates, candidates, &next, oy, &hits);
        set_ranges(&hits, view, box);
        for (int start = 0; start < pixels; start += block)
            intersect_block(&hits, own, start, start + block < pixels ? start + block : pixels);
    }
    finish_row(scene, own, box.x1 - box.x0, row);
}

/* Collects the spheres of list (NULL: all) that can touch the box, then traces its rows. */
static void trace_box(const struct krn_cpu_scene *scene, const int *list, int count,
                      const struct krn_view *view, const struct krn_image *image, struct box box,
                      int block, const struct krn_cpu_scratch *own)
{
    const float x0 = krn_ray(box.x0, view->width, view->unit);
    const float x1 = krn_ray(box.x1 - 1, view->width, view->unit);
    const float y0 = krn_ray(box.y0, view->height, view->unit);
    const float y1 = krn_ray(box.y1 - 1, view->height, view->unit);
    int candidates = 0;
    for (int i = 0; i < count; i++) {
        const int s = list ? list[i] : i;
        own->candidates[candidates] = s;
        candidates += krn_box_residual(scene->packed[s], x0, x1, y0, y1) > 0.0f;
    }
    const int pixels = vectors_up(box.x1 - box.x0);
    for (int k = 0; k < pixels; k++)
        own->x[k] = krn_ray(box.x0 + k, view->width, view->unit);
    for (int j = box.y0; j < box.y1; j++) {
        unsigned char *row = (unsigned char *)image->pixels + (size_t)j * image->pitch_bytes;
        trace_row(scene, candidates, view, box, j, block, own, (uint32_t *)(void *)row + box.x0);
    }
}

/* The data that all pieces of a frame share. */
struct frame {
    const struct krn_cpu_scene *scene;
    const struct krn_cpu_bins *bins;
    const struct krn_view *view;
    const struct krn_image *image;
    const struct krn_cpu_scratch *scratch;
    int block;
};

static void trace_band(const void *context, int band, int thread)
{
    const struct frame *f = context;
    const int y0 = band * KRN_CPU_BAND, y1 = y0 + KRN_CPU_BAND;
    const struct box box = {0, f->view->width, y0, y1 < f->view->height ? y1 : f->view->height};
    trace_box(f->scene, NULL, f->scene->count, f->view, f->image, box, f->block,
              &f->scratch[thread]);
}

void KRN_LEVEL(krn_cpu_strip)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                              int pixels_per_thread, const struct krn_view *view,
                              const struct krn_image *image, const struct krn_cpu_scratch *scratch)
{
    const struct frame frame = {scene, NULL, view, image, scratch, 32 * pixels_per_thread};
    krn_cpu_team_share(team, krn_cpu_strip_pieces(view), trace_band, &frame);
}

/* Counts the spheres of slice `part` per tile (entries NULL) or writes them into the bins. Slices
 * are in order, so every bin has its spheres in the scene's order. */
static void sort_part(const struct krn_cpu_scene *scene, const struct krn_cpu_bins *bins, int part,
                      int *entries)
{
    const struct krn_tiles tiles = bins->tiles;
    const size_t all = (size_t)tiles.columns * (size_t)tiles.rows;
    unsigned *counts = bins->counts + (size_t)part * all;
    const int first = (int)((long long)scene->count * part / bins->parts);
    const int end = (int)((long long)scene->count * (part + 1) / bins->parts);
    for (int s = first; s < end && (s % CHUNK != 0 || !krn_cancelled()); s++) {
        const struct krn_packed sphere = scene->packed[s];
        const struct krn_tile_range range = krn_tile_reach(tiles, sphere);
        for (int row = range.low; row <= range.high; row++)
            for (int column = range.left; column <= range.right; column++) {
                if (!krn_tile_hit(tiles, sphere, column, row))
                    continue;
                const size_t tile = (size_t)row * (size_t)tiles.columns + (size_t)column;
                if (entries)
                    entries[counts[tile]] = s;
                counts[tile]++;
            }
    }
}

static void count_part(const void *context, int part, int thread)
{
    (void)thread;
    const struct frame *f = context;
    const size_t all = (size_t)f->bins->tiles.columns * (size_t)f->bins->tiles.rows;
    memset(f->bins->counts + (size_t)part * all, 0, all * sizeof *f->bins->counts);
    sort_part(f->scene, f->bins, part, NULL);
}

static void fill_part(const void *context, int part, int thread)
{
    (void)thread;
    const struct frame *f = context;
    sort_part(f->scene, f->bins, part, f->bins->entries);
}

void KRN_LEVEL(krn_cpu_sort)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                             const struct krn_cpu_bins *bins)
{
    const struct frame frame = {.scene = scene, .bins = bins};
    const size_t all = (size_t)bins->tiles.columns * (size_t)bins->tiles.rows;
    krn_cpu_team_share(team, bins->parts, count_part, &frame);
    /* Turn each count into the index at which its slice starts in the tile's bin. */
    unsigned place = 0;
    for (size_t tile = 0; tile < all; tile++) {
        bins->start[tile] = place;
        for (int part = 0; part < bins->parts; part++) {
            unsigned *count = &bins->counts[(size_t)part * all + tile];
            const unsigned own = *count;
            *count = place;
            place += own;
        }
    }
    bins->start[all] = place;
    krn_cpu_team_share(team, bins->parts, fill_part, &frame);
}

static void trace_tasks(const void *context, int index, int thread)
{
    const struct frame *f = context;
    const struct krn_cpu_bins *bins = f->bins;
    const struct krn_view *view = f->view;
    const struct krn_tiles tiles = bins->tiles;
    const int side = 1 << tiles.shift, bands = krn_cpu_tile_bands(tiles, view);
    const int tasks = tiles.columns * tiles.rows * bands;
    const int first = index * KRN_CPU_TASKS_TOGETHER, end = first + KRN_CPU_TASKS_TOGETHER;
    for (int task = first; task < end && task < tasks; task++) {
        const int tile = task / bands, band = task % bands;
        const int x0 = tile % tiles.columns * side, x1 = x0 + side;
        const int top = tile / tiles.columns * side, bottom = top + side;
        const int limit = bottom < view->height ? bottom : view->height;
        const int y0 = top + band * KRN_CPU_BAND, y1 = y0 + KRN_CPU_BAND;
        const struct box box = {x0, x1 < view->width ? x1 : view->width, y0,
                                y1 < limit ? y1 : limit};
        if (box.y0 < box.y1)
            trace_box(f->scene, bins->entries + bins->start[tile],
                      (int)(bins->start[tile + 1] - bins->start[tile]), view, f->image, box, side,
                      &f->scratch[thread]);
    }
}

void KRN_LEVEL(krn_cpu_binned)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                               const struct krn_cpu_bins *bins, const struct krn_view *view,
                               const struct krn_image *image, const struct krn_cpu_scratch *scratch)
{
    const struct frame frame = {scene, bins, view, image, scratch, 0};
    krn_cpu_team_share(team, krn_cpu_binned_pieces(bins->tiles, view), trace_tasks, &frame);
}
