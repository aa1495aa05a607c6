/* The work of the CPU's kernels (cpu/trace): of a level with fused multiply-add. */
#include "core/trace/work_parts.h"

#include <math.h>

enum { LANES = KRN_CPU_LANES, CPU_BAND_IS_BAND = 1 / (KRN_CPU_BAND == (int)KRN_WORK_BAND) };

/* Pixels x0..x1-1, y0..y1-1. */
struct box {
    int x0, x1, y0, y1;
};

static int vectors_up(int pixels)
{
    return (pixels + LANES - 1) / LANES * LANES;
}

/* Returns the operations of one sphere that a row of the box hits: the range of its vectors, and
 * their lanes. */
static double row_ops(const struct krn_work_frame *frame, struct krn_packed sphere, float residual,
                      struct box box)
{
    int first, last;
    krn_pixel_reach(sphere.x, sqrtf(residual), 1.0f / frame->view.unit, frame->view.width, &first,
                    &last);
    first = (first > box.x0 ? first : box.x0) - box.x0;
    last = (last < box.x1 - 1 ? last : box.x1 - 1) - box.x0;
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

/* Returns the operations that a box needs without any sphere: rays of its corners, columns and
 * rows. */
static double box_ops(struct box box)
{
    return KRN_OPS_RAY * (4.0 + vectors_up(box.x1 - box.x0) + (box.y1 - box.y0));
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
        const int last = span.last < width ? span.last : width - 1;
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

void krn_work_cpu_band(struct krn_work_frame *frame, int y0, struct krn_work_sums *sums)
{
    const int height = frame->view.height, width = frame->view.width;
    const int y1 = y0 + KRN_WORK_BAND < height ? y0 + KRN_WORK_BAND : height;
    const struct box whole = {0, width, y0, y1};
    double shades = 0.0, strip = box_ops(whole);
    for (int j = y0; j < y1 && !krn_work_abandoned(frame); j++)
        count_row(frame, j, sums, &shades);
    for (int s = 0; s < frame->count; s++)
        strip += sphere_ops(frame, frame->spheres[s], whole);
    for (int k = 0; k < KRN_PIXELS_COUNT; k++) {
        sums->strip[k] += strip + shades;
        sums->strip_constant[k] += strip + shades;
    }
    const struct krn_tiles tiles = frame->tiles;
    const int tile_row = y0 >> tiles.shift, side = 1 << tiles.shift;
    sums->binned += shades;
    krn_work_list(frame, tile_row);
    for (int column = 0; column < tiles.columns && !krn_work_abandoned(frame); column++) {
        const int x0 = column * side, x1 = x0 + side < width ? x0 + side : width;
        const struct box box = {x0, x1, y0, y1};
        sums->binned += box_ops(box);
        for (int i = 0; i < frame->listed_count; i++) {
            const struct krn_work_listed *listed = &frame->listed[i];
            const struct krn_packed sphere = frame->spheres[listed->sphere];
            if (column >= listed->range.left && column <= listed->range.right &&
                krn_tile_hit(tiles, sphere, column, tile_row))
                sums->binned += sphere_ops(frame, sphere, box);
        }
    }
}
