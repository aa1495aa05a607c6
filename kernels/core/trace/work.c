#include "krn/work.h"

#include "core/trace/work_parts.h"
#include "krn/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = KRN_CPU_LANES, CPU_BAND_IS_BAND = 1 / (KRN_CPU_BAND == (int)KRN_WORK_BAND) };

/* Counting more steps than these takes longer than some 20 ms. */
static const double large_steps = 5e6;

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* --- the CPU's kernels (cpu/trace), of a level with fused multiply-add --- */

/* Pixels x0..x1-1, y0..y1-1. */
struct box {
    int x0, x1, y0, y1;
};

/* Returns the operations of one sphere that a row of the box hits: the range of its vectors, and
 * their lanes. */
static double row_ops(const struct krn_work_frame *frame, struct krn_packed sphere, float residual,
                      struct box box)
{
    int first, last;
    krn_pixel_reach(sphere.x, sqrtf(residual), 1.0f / frame->view.unit, frame->view.width, &first,
                    &last);
    first = (first > box.x0 ? first : box.x0) - box.x0;
    last = least_of(last, box.x1 - 1) - box.x0;
    const int from = first & ~(LANES - 1), to = (last | (LANES - 1)) + 1;
    const int lanes = last < first ? 0 : to - from;
    return 1 + KRN_OPS_REACH + (double)lanes * (KRN_OPS_PIXEL + KRN_OPS_DEPTH);
}

/* Returns the operations of one sphere of a box's list. */
static double sphere_ops(const struct krn_work_frame *frame, struct krn_packed sphere,
                         struct box box)
{
    const float unit = frame->view.unit;
    const int width = frame->view.width, height = frame->view.height;
    double ops = KRN_OPS_BOX;
    if (!(krn_box_residual(sphere, krn_ray(box.x0, width, unit), krn_ray(box.x1 - 1, width, unit),
                           krn_ray(box.y0, height, unit),
                           krn_ray(box.y1 - 1, height, unit)) > 0.0f))
        return ops;
    for (int j = box.y0; j < box.y1; j++) {
        const float row = krn_row_residual(krn_ray(j, height, unit) - sphere.y, sphere.square);
        ops += KRN_OPS_ROW;
        if (row > 0.0f)
            ops += row_ops(frame, sphere, row, box);
    }
    return ops;
}

/* Returns the operations of a box of the band from y0 on whose list has `count` spheres, all when
 * it is NULL: the rays of its corners, columns and rows, and the spheres. */
static double box_ops(const struct krn_work_frame *frame, int x0, int x1, int y0, const int *list,
                      int count)
{
    const struct box box = {x0, least_of(x1, frame->view.width), y0,
                            least_of(y0 + KRN_WORK_BAND, frame->view.height)};
    const int vectors = (box.x1 - x0 + LANES - 1) / LANES;
    double ops = KRN_OPS_RAY * (4.0 + vectors * LANES + (box.y1 - y0));
    for (int i = 0; i < count; i++)
        ops += sphere_ops(frame, frame->spheres[list ? list[i] : i], box);
    return ops;
}

static double tile_ops(const struct krn_work_frame *frame, int x0, int y0, int count)
{
    return box_ops(frame, x0, x0 + (1 << frame->tiles.shift), y0, frame->list, count);
}

/* Adds the book's kernel in row j, and the shades of the other kernels there, which depend on what
 * the pixels show. */
static void count_row(const struct krn_work_frame *frame, int j, struct krn_work_sums *sums,
                      double *shades)
{
    const int width = frame->view.width;
    const float y = krn_ray(j, frame->view.height, frame->view.unit);
    double hits = 0.0, wins = 0.0;
    for (int i = 0; i < frame->padded; i++)
        frame->depth[i] = -INFINITY;
    for (int s = 0; s < frame->count; s++) {
        const struct krn_packed sphere = frame->spheres[s];
        const float row = krn_row_residual(y - sphere.y, sphere.square);
        if (!(row > 0.0f))
            continue;
        const struct krn_work_span span = krn_work_hits(frame, sphere, row);
        const int last = least_of(span.last, width - 1);
        hits += span.first <= last ? last - span.first + 1 : 0;
        wins += krn_work_win(frame, sphere, row, span);
    }
    sums->book += KRN_OPS_RAY + (double)width * (KRN_OPS_RAY + KRN_OPS_BYTES) +
                  (double)width * frame->count * KRN_OPS_HIT +
                  hits * (KRN_OPS_SQUARE + KRN_OPS_HIT + KRN_OPS_DEPTH) +
                  wins * (KRN_OPS_SHADE + KRN_OPS_COLOUR);
    for (int i = 0; i < width; i += LANES) {
        bool any = false;
        for (int k = i; k < i + LANES; k++)
            any = any || frame->depth[k] > -INFINITY;
        *shades += any ? LANES * (KRN_OPS_SHADE + KRN_OPS_RGBA_CPU) : 0;
    }
}

static void count_band_cpu(struct krn_work_frame *frame, int y0, struct krn_work_sums *sums)
{
    double shades = 0.0;
    for (int j = y0; j < least_of(y0 + KRN_WORK_BAND, frame->view.height); j++)
        if (!krn_work_abandoned(frame))
            count_row(frame, j, sums, &shades);
    const double strip = box_ops(frame, 0, frame->view.width, y0, NULL, frame->count);
    for (int k = 0; k < KRN_PIXELS_COUNT; k++) {
        sums->strip[k] += strip + shades;
        sums->strip_constant[k] += strip + shades;
    }
    sums->binned += shades;
}

/* --- both backends --- */

/* Adds the operations of the binned kernel in one band: `ops_of_box` returns those of a box of
 * pixels, `step` wide, whose tile has `count` spheres in frame->list. */
static void count_tiles(struct krn_work_frame *frame, int y0, int step,
                        double (*ops_of_box)(const struct krn_work_frame *, int x0, int y0,
                                             int count),
                        struct krn_work_sums *sums)
{
    const struct krn_tiles tiles = frame->tiles;
    const int tile_row = y0 >> tiles.shift, side = 1 << tiles.shift;
    int listed_count = 0;
    for (int s = 0; s < frame->count; s++) {
        const struct krn_tile_range range = krn_tile_reach(tiles, frame->spheres[s]);
        if (range.low <= tile_row && tile_row <= range.high && range.left <= range.right)
            frame->listed[listed_count++] = (struct krn_work_listed){s, range.left, range.right};
    }
    for (int column = 0; column < tiles.columns && !krn_work_abandoned(frame); column++) {
        int count = 0;
        for (int i = 0; i < listed_count; i++) {
            const struct krn_work_listed listed = frame->listed[i];
            if (column >= listed.left && column <= listed.right &&
                krn_tile_hit(tiles, frame->spheres[listed.sphere], column, tile_row))
                frame->list[count++] = listed.sphere;
        }
        for (int x = column * side; x < (column + 1) * side && x < frame->view.width; x += step)
            sums->binned += ops_of_box(frame, x, y0, count);
    }
}

/* Returns the operations that sort the spheres into tiles: two passes, in which `threads` threads
 * compute the tiles of each sphere. Without threads, every tile scans all spheres. */
static double sort_ops(const struct krn_work_frame *frame, int threads)
{
    if (threads == 0)
        return (double)frame->tiles.columns * frame->tiles.rows * frame->count * KRN_OPS_BOX;
    double tests = 0.0;
    for (int s = 0; s < frame->count; s++) {
        const struct krn_tile_range range = krn_tile_reach(frame->tiles, frame->spheres[s]);
        if (range.left <= range.right && range.low <= range.high)
            tests += (double)(range.right - range.left + 1) * (range.high - range.low + 1);
    }
    return 2.0 * (tests * KRN_OPS_TILE + (double)frame->count * threads * KRN_OPS_TILES);
}

/* Plans the tiles as the backend does; returns the threads that sort one sphere, 0 when none are
 * sorted. */
static int plan_tiles(struct krn_work_frame *frame, const struct krn_scene *scene, bool gpu)
{
    struct krn_sizes sizes;
    krn_sizes_count(&sizes, scene);
    const struct krn_tile_plan plan =
        gpu ? krn_tiles_plan_cuda(&sizes, &frame->view)
            : krn_tiles_plan(&sizes, &frame->view, KRN_CPU_TILE_SHIFT, KRN_CPU_ENTRY_OVER_PIXEL);
    frame->tiles = plan.tiles;
    if (!gpu)
        return 1;
    if (plan.scanned)
        return 0;
    return plan.per_sphere > KRN_CUDA_SHARE_ENTRIES ? KRN_CUDA_SHARE_MANY : KRN_CUDA_SHARE_FEW;
}

double krn_work_steps_per_row(const struct krn_scene *scene, const struct krn_view *view)
{
    const double unit = (double)view->unit, height = view->height, width = view->width;
    double pixels = 0.0;
    for (int s = 0; s < scene->count; s++) {
        const double radius = (double)scene->spheres[s].radius / unit;
        pixels += fmin(2.0 * radius, height) * fmin(1.6 * radius, width);
    }
    return pixels / height + width + scene->count;
}

/* Sums up the rows of bands that are spread evenly over the image; returns how many rows. */
static int count_bands(struct krn_work_frame *frame, bool gpu, int rows_wanted,
                       struct krn_work_sums *sums)
{
    const int height = frame->view.height;
    const int all = (height + KRN_WORK_BAND - 1) / KRN_WORK_BAND;
    const int wanted = rows_wanted > height ? height : rows_wanted < 1 ? 1 : rows_wanted;
    const int bands = (wanted + KRN_WORK_BAND - 1) / KRN_WORK_BAND;
    int rows = 0;
    for (int i = 0; i < bands && !krn_work_abandoned(frame); i++) {
        const int y0 = (int)((2LL * i + 1) * all / (2LL * bands)) * KRN_WORK_BAND;
        rows += least_of(KRN_WORK_BAND, height - y0);
        if (gpu) {
            krn_work_gpu_band(frame, y0, sums);
            count_tiles(frame, y0, KRN_CUDA_BOX_WIDTH, krn_work_gpu_box, sums);
        } else {
            count_band_cpu(frame, y0, sums);
            count_tiles(frame, y0, 1 << frame->tiles.shift, tile_ops, sums);
        }
    }
    return rows;
}

/* Returns the operations of a mode, from the sums of the counted rows. */
static double ops_of(const struct krn_work_sums *sums, struct krn_mode mode, double scale,
                     double sort)
{
    const int k = krn_pixels_index(mode.pixels_per_thread);
    switch (mode.kernel) {
    case KRN_KERNEL_BOOK:
        return scale * sums->book;
    case KRN_KERNEL_STRIP:
        return scale *
               (mode.storage == KRN_STORAGE_CONSTANT ? sums->strip_constant[k] : sums->strip[k]);
    case KRN_KERNEL_BINNED:
        return scale * sums->binned + sort;
    case KRN_KERNEL_SPLAT: /* which spheres it rejects depends on the depths of all */
    case KRN_KERNEL_BRUTE: /* what rays of the light view hit decides; rays are counted instead */
    case KRN_KERNEL_TREE:
    case KRN_KERNEL_MINE: /* whatever its file says */
    case KRN_KERNEL_COUNT:
        break;
    }
    return 0.0;
}

/* Returns the compulsory traffic: the image and, once, the spheres in the kernel's layout. */
static double bytes_of(const struct krn_work_frame *frame, enum krn_kernel kernel)
{
    const int packed = (int)sizeof(struct krn_packed),
              read = krn_kernel_describe(kernel)->sphere_bytes;
    const int sphere = read == packed ? packed + (int)sizeof(struct krn_material) : read;
    return 4.0 * frame->view.width * frame->view.height + (double)frame->count * sphere;
}

/* Counts the rows of a frame whose memory is allocated. */
static enum krn_code count(struct krn_work_frame *frame, const struct krn_scene *scene, bool gpu,
                           double steps_max, struct krn_works *works, struct krn_error *error)
{
    const struct krn_view *view = &frame->view;
    const int threads = plan_tiles(frame, scene, gpu);
    const double steps = krn_work_steps_per_row(scene, view);
    const double rows = steps_max > 0.0 ? steps_max / steps : (double)view->height;
    frame->large = steps * fmin(fmax(rows, KRN_WORK_BAND), view->height) > large_steps;
    struct krn_work_sums sums;
    memset(&sums, 0, sizeof sums);
    const int counted = count_bands(frame, gpu, (int)fmin(rows, (double)view->height), &sums);
    if (krn_work_abandoned(frame))
        return KRN_FAIL(error, KRN_CANCELLED, "The work was not counted to its end.");
    const double scale = (double)view->height / counted, sort = sort_ops(frame, threads);
    memset(works, 0, sizeof *works);
    works->rows = counted;
    works->rows_all = view->height;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        works->modes[m].flops = ops_of(&sums, mode, scale, sort);
        if (krn_mode_view(mode) == KRN_VIEW_BOOK)
            works->modes[m].bytes = bytes_of(frame, mode.kernel);
    }
    return KRN_OK;
}

enum krn_code krn_work_count(enum krn_backend_id backend, const struct krn_scene *scene,
                             struct krn_pose pose, const struct krn_view *view, double steps_max,
                             struct krn_works *works, struct krn_error *error)
{
    const size_t n = (size_t)scene->count;
    struct krn_work_frame frame = {.count = scene->count, .view = *view};
    frame.padded = (view->width + KRN_WORK_RUN - 1) / KRN_WORK_RUN * KRN_WORK_RUN;
    const size_t padded = (size_t)frame.padded;
    struct krn_packed *spheres = malloc(n * sizeof *spheres);
    float *pixels = malloc(padded * (3 * sizeof *pixels + sizeof *frame.stale));
    frame.listed = malloc(n * sizeof *frame.listed);
    frame.list = malloc(n * sizeof *frame.list);
    enum krn_code code = KRN_OK;
    if (!spheres || !pixels || !frame.listed || !frame.list) {
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to count the work of %d spheres.",
                        scene->count);
    } else {
        frame.spheres = spheres;
        frame.x = pixels;
        frame.depth = pixels + padded;
        frame.least = pixels + 2 * padded;
        frame.stale = (bool *)(pixels + 3 * padded);
        for (size_t s = 0; s < n; s++)
            spheres[s] = krn_pack(krn_rotate(scene->spheres[s], pose));
        for (int i = 0; i < frame.padded; i++)
            frame.x[i] = krn_ray(i, view->width, view->unit);
        code = count(&frame, scene, backend == KRN_BACKEND_CUDA, steps_max, works, error);
    }
    free(spheres);
    free(pixels);
    free(frame.listed);
    free(frame.list);
    return code;
}
