#include "krn/work.h"

#include "core/trace/work_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counting more steps than these takes longer than some 20 ms. */
static const double large_steps = 5e6;

static int least_of(int a, int b)
{
    return a < b ? a : b;
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
        if (!gpu) {
            krn_work_cpu_band(frame, y0, sums);
            continue;
        }
        krn_work_gpu_band(frame, y0, sums);
        krn_work_gpu_boxes(frame, y0, sums);
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

static void fill(const struct krn_work_frame *frame, const struct krn_work_sums *sums, int rows,
                 double sort, struct krn_works *works)
{
    const double scale = (double)frame->view.height / rows;
    memset(works, 0, sizeof *works);
    works->rows = rows;
    works->rows_all = frame->view.height;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        works->modes[m].flops = ops_of(sums, mode, scale, sort);
        if (krn_mode_view(mode) == KRN_VIEW_BOOK)
            works->modes[m].bytes = bytes_of(frame, mode.kernel);
    }
}

enum krn_code krn_work_count(enum krn_backend_id backend, const struct krn_scene *scene,
                             struct krn_pose pose, const struct krn_view *view, double steps_max,
                             struct krn_works *works, struct krn_error *error)
{
    const bool gpu = backend == KRN_BACKEND_CUDA;
    const size_t count = (size_t)scene->count;
    struct krn_work_frame frame = {.count = scene->count, .view = *view};
    frame.padded = (view->width + KRN_WORK_RUN - 1) / KRN_WORK_RUN * KRN_WORK_RUN;
    const size_t padded = (size_t)frame.padded;
    struct krn_packed *spheres = malloc(count * sizeof *spheres);
    frame.spheres = spheres;
    frame.x = malloc(padded * sizeof *frame.x);
    frame.depth = malloc(padded * sizeof *frame.depth);
    frame.least = malloc(padded * sizeof *frame.least);
    frame.stale = malloc(padded * sizeof *frame.stale);
    frame.listed = malloc(count * sizeof *frame.listed);
    frame.list = malloc(count * sizeof *frame.list);
    enum krn_code code = KRN_OK;
    if (!spheres || !frame.x || !frame.depth || !frame.least || !frame.stale || !frame.listed ||
        !frame.list) {
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to count the work of %d spheres.",
                        scene->count);
    } else {
        for (size_t s = 0; s < count; s++)
            spheres[s] = krn_pack(krn_rotate(scene->spheres[s], pose));
        for (int i = 0; i < frame.padded; i++)
            frame.x[i] = krn_ray(i, view->width, view->unit);
        const int threads = plan_tiles(&frame, scene, gpu);
        const double steps = krn_work_steps_per_row(scene, view);
        const double rows = steps_max > 0.0 ? steps_max / steps : (double)view->height;
        frame.large = steps * fmin(fmax(rows, KRN_WORK_BAND), view->height) > large_steps;
        struct krn_work_sums sums;
        memset(&sums, 0, sizeof sums);
        const int counted = count_bands(&frame, gpu, (int)fmin(rows, (double)view->height), &sums);
        if (krn_work_abandoned(&frame))
            code = KRN_FAIL(error, KRN_CANCELLED, "The work was not counted to its end.");
        else
            fill(&frame, &sums, counted, sort_ops(&frame, threads), works);
    }
    free(spheres);
    free(frame.x);
    free(frame.depth);
    free(frame.least);
    free(frame.stale);
    free(frame.listed);
    free(frame.list);
    return code;
}
