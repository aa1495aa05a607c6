/* The work of the GPU's kernels: book and strip (cuda/trace/book.cuh, strip*.cu*), then binned. */
#include "core/trace/work_parts.h"

#include <math.h>

enum { LANES = KRN_CUDA_LANES, BLOCK = LANES * KRN_CUDA_BATCH };

/* The lowest half chord whose square the occlusion test takes (KRN_ROOT_LEAST). */
static const float root_least = 0x1p-101f;

/* A sphere in a row that it hits. */
struct met {
    struct krn_packed sphere;
    float row;                 /* its residual in the row */
    struct krn_work_span span; /* the pixels that it hits */
    int beside;                /* the last pixel left of the centre; -1: none is */
};

static int runs_of(const struct krn_work_frame *frame, int wide)
{
    return (frame->view.width + wide - 1) / wide;
}

/* Returns the last pixel whose ray is not right of the sphere's centre; -1: there is none. */
static int pixel_beside(const struct krn_work_frame *frame, float x)
{
    const double at = (double)x / (double)frame->view.unit + frame->view.width / 2;
    int p = (int)fmin(fmax(at, -1.0), frame->padded - 1.0);
    while (p >= 0 && frame->x[p] > x)
        p--;
    while (p + 1 < frame->padded && frame->x[p + 1] <= x)
        p++;
    return p;
}

/* Finds the runs that take the sphere as a candidate: those with a pixel that hits, or the one
 * around its centre. Returns false when there are none. */
static bool candidate_runs(const struct krn_work_frame *frame, const struct met *met, int wide,
                           int *first, int *last)
{
    const int runs = runs_of(frame, wide), beside = met->beside;
    if (met->span.first <= met->span.last) {
        *first = met->span.first / wide;
        *last = met->span.last / wide < runs ? met->span.last / wide : runs - 1;
        return *first <= *last;
    }
    *first = *last = beside / wide;
    return beside >= 0 && beside + 1 < runs * wide && (beside + 1) / wide == *first;
}

/* Returns true when the run already shows more than the sphere's greatest depth in it. */
static bool is_occluded(const struct krn_work_frame *frame, const struct met *met, int run,
                        int wide)
{
    const float first = frame->x[run * wide], last = frame->x[run * wide + wide - 1];
    const float nearest =
        krn_pixel_residual(krn_axis_distance(first, last, met->sphere.x), met->row);
    float least = INFINITY;
    for (int block = run * wide / BLOCK; block < (run + 1) * wide / BLOCK; block++)
        least = fminf(least, frame->least[block]);
    return nearest >= root_least && sqrtf(nearest) + met->sphere.z <= least;
}

/* Returns the pixels of the span that lie in a run. */
static struct krn_work_span part_of(struct krn_work_span span, int run, int wide)
{
    const int first = run * wide, last = first + wide - 1;
    return (struct krn_work_span){span.first > first ? span.first : first,
                                  span.last < last ? span.last : last};
}

static int length_of(struct krn_work_span span)
{
    return span.first <= span.last ? span.last - span.first + 1 : 0;
}

/* Returns the operations of a warp that scans: the candidates that are not occluded, with all
 * pixels, and their depths in every batch that a pixel of any lane hits. */
static double scan_ops(const struct krn_work_frame *frame, const struct met *met, int k)
{
    const int wide = LANES * k, batch = k < KRN_CUDA_BATCH ? wide : BLOCK;
    double ops = 0.0;
    int first, last;
    if (!candidate_runs(frame, met, wide, &first, &last))
        return 0.0;
    for (int run = first; run <= last; run++) {
        ops += k >= 4 ? KRN_OPS_DEPTH : 0;
        if (k >= 4 && is_occluded(frame, met, run, wide))
            continue;
        const struct krn_work_span part = part_of(met->span, run, wide);
        const int hits = length_of(part);
        const int pixels = k == 1     ? hits
                           : hits > 0 ? (part.last / batch - part.first / batch + 1) * batch
                                      : 0;
        ops += (double)wide * KRN_OPS_PIXEL + (double)pixels * KRN_OPS_DEPTH;
    }
    return ops;
}

/* Returns the operations of a warp that reads constant memory, of a sphere that its row hits: with
 * 8 pixels per thread or more, a lane computes the depths of a batch when it hits one of them. */
static double constant_ops(const struct krn_work_frame *frame, const struct met *met, int k)
{
    const int wide = LANES * k;
    double ops = 0.0;
    int first, last;
    if (!candidate_runs(frame, met, wide, &first, &last))
        return 0.0;
    for (int run = first; run <= last; run++) {
        const struct krn_work_span part = part_of(met->span, run, wide);
        int pixels = length_of(part);
        if (k >= 8 && pixels > 0) {
            pixels = 0;
            for (int block = part.first / BLOCK; block <= part.last / BLOCK; block++) {
                const int hits = length_of(part_of(part, block, BLOCK));
                pixels += KRN_CUDA_BATCH * (hits < LANES ? hits : LANES);
            }
        }
        ops += (double)wide * KRN_OPS_PIXEL + (double)pixels * KRN_OPS_DEPTH;
    }
    return ops;
}

/* Returns the operations that shade a row: with chords kept, of all batches that show a sphere;
 * else of the pixels that do. */
static double shade_ops(const struct krn_work_frame *frame, int k)
{
    const bool keep = frame->count <= KRN_CUDA_SMALL_SCENE && k > 1;
    const int wide = LANES * k, batch = k < KRN_CUDA_BATCH ? wide : BLOCK;
    const int pixels = runs_of(frame, wide) * wide;
    double ops = 0.0;
    for (int i = 0; i < pixels; i += batch) {
        int shown = 0;
        for (int p = i; p < i + batch; p++)
            shown += frame->depth[p] > -INFINITY;
        if (keep)
            ops += shown > 0 ? batch * (KRN_OPS_SHADE + KRN_OPS_RGBA_GPU) : 0;
        else
            ops += shown * (KRN_OPS_HIT + 1 + KRN_OPS_SHADE + KRN_OPS_RGBA_GPU);
    }
    return ops;
}

/* Computes the least depths that have changed. */
static void refresh(struct krn_work_frame *frame)
{
    for (int block = 0; block < frame->padded / BLOCK; block++) {
        if (!frame->stale[block])
            continue;
        float least = INFINITY;
        for (int p = block * BLOCK; p < (block + 1) * BLOCK; p++)
            least = frame->depth[p] < least ? frame->depth[p] : least;
        frame->least[block] = least;
        frame->stale[block] = false;
    }
}

/* Adds a sphere that the row hits, and lets it win its pixels. */
static void meet(struct krn_work_frame *frame, const struct met *met, struct krn_work_sums *sums)
{
    const int width = frame->view.width;
    for (int n = 0; n < KRN_PIXELS_COUNT; n++) {
        sums->strip[n] += scan_ops(frame, met, krn_pixels_at(n));
        sums->strip_constant[n] += constant_ops(frame, met, krn_pixels_at(n));
    }
    const struct krn_work_span image = {met->span.first,
                                        met->span.last < width ? met->span.last : width - 1};
    const int wins = krn_work_win(frame, met->sphere, met->row, met->span);
    sums->book +=
        (double)length_of(image) * (KRN_OPS_DEPTH + KRN_OPS_SHADE) + (double)wins * KRN_OPS_COLOUR;
    for (int block = met->span.first / BLOCK; block <= met->span.last / BLOCK; block++)
        frame->stale[block] = true;
}

/* Counts what a row needs whatever it hits. rows_hit: spheres that pass the row test of constant
 * memory. */
static void add_fixed(const struct krn_work_frame *frame, int rows_hit, struct krn_work_sums *sums)
{
    const double width = frame->view.width, count = frame->count,
                 lanes = (frame->count + LANES - 1) / LANES * LANES;
    sums->book +=
        width * (2 * KRN_OPS_RAY + KRN_OPS_BYTES) + width * count * (KRN_OPS_HIT + KRN_OPS_SQUARE);
    for (int n = 0; n < KRN_PIXELS_COUNT; n++) {
        const int k = krn_pixels_at(n);
        const double runs = runs_of(frame, LANES * k),
                     begin_and_end = runs * LANES * (k + 3) * KRN_OPS_RAY + shade_ops(frame, k);
        sums->strip[n] += begin_and_end + runs * lanes * (KRN_OPS_ROW + KRN_OPS_NEAREST);
        sums->strip_constant[n] +=
            begin_and_end +
            runs * LANES *
                (count * KRN_OPS_ROW + (double)rows_hit * (KRN_OPS_ROW + KRN_OPS_NEAREST));
    }
}

static void count_row(struct krn_work_frame *frame, int j, struct krn_work_sums *sums)
{
    const float y = krn_ray(j, frame->view.height, frame->view.unit);
    const int grouped = frame->count - frame->count % KRN_CUDA_SMALL_GROUP;
    int rows_hit = 0;
    for (int i = 0; i < frame->padded; i++)
        frame->depth[i] = -INFINITY;
    for (int block = 0; block < frame->padded / BLOCK; block++)
        frame->stale[block] = true;
    for (int s = 0; s < frame->count; s++) {
        struct met met = {.sphere = frame->spheres[s]};
        /* A scanning warp computes the least depth of its run before every 32 spheres. */
        if (s % LANES == 0)
            refresh(frame);
        met.row = krn_row_residual(y - met.sphere.y, met.sphere.square);
        rows_hit += met.row > 0.0f || (s < grouped && !signbit(met.row));
        if (!(met.row > 0.0f))
            continue;
        met.span = krn_work_hits(frame, met.sphere, met.row);
        met.beside = met.span.first > met.span.last ? pixel_beside(frame, met.sphere.x) : -1;
        meet(frame, &met, sums);
    }
    add_fixed(frame, rows_hit, sums);
}

void krn_work_gpu_band(struct krn_work_frame *frame, int y0, struct krn_work_sums *sums)
{
    for (int j = y0; j < y0 + KRN_WORK_BAND && j < frame->view.height && !krn_work_abandoned(frame);
         j++)
        count_row(frame, j, sums);
}

/* The work of the GPU's binned kernel (cuda/trace/binned.cu). */
enum {
    K = KRN_CUDA_BATCH,
    WIDTH = KRN_CUDA_BOX_WIDTH,
    HEIGHT = KRN_CUDA_BOX_HEIGHT,
    BOX_IS_BAND = 1 / ((int)HEIGHT == (int)KRN_WORK_BAND)
};

/* A warp's box of pixels. */
struct box {
    float x[WIDTH], y[HEIGHT], deepest[HEIGHT][WIDTH];
    int winner[HEIGHT][WIDTH];
    float least; /* the least depth that the box shows */
    bool any;    /* a sphere was intersected; else the box is black */
};

/* The spheres that the lanes of a warp hold. */
struct group {
    int sphere[LANES];
    float bound[LANES]; /* of the depth in the box */
    bool candidate[LANES];
    int count;
};

static void begin(const struct krn_work_frame *frame, int box_x, int box_y, struct box *box)
{
    const struct krn_view *view = &frame->view;
    for (int i = 0; i < WIDTH; i++)
        box->x[i] = krn_ray(box_x + i, view->width, view->unit);
    for (int j = 0; j < HEIGHT; j++) {
        box->y[j] = krn_ray(box_y + j, view->height, view->unit);
        for (int i = 0; i < WIDTH; i++) {
            box->deepest[j][i] =
                box_x + i < view->width && box_y + j < view->height ? -INFINITY : INFINITY;
            box->winner[j][i] = KRN_NO_SPHERE;
        }
    }
    box->least = -INFINITY;
    box->any = false;
}

/* Intersects a lane's K pixels; returns false when none hits. */
static bool intersect_lane(struct box *box, struct krn_packed sphere, int s, int j, int left)
{
    const float row = krn_row_residual(box->y[j] - sphere.y, sphere.square);
    bool any = false;
    for (int i = left; i < left + K; i++) {
        const float residual = krn_pixel_residual(box->x[i] - sphere.x, row);
        if (!(residual > 0.0f))
            continue;
        any = true;
        const float depth = sqrtf(residual) + sphere.z;
        float *deepest = &box->deepest[j][i];
        int *winner = &box->winner[j][i];
        if (depth > *deepest || (depth == *deepest && s < *winner)) {
            *deepest = depth;
            *winner = s;
        }
    }
    return any;
}

/* Intersects a sphere with all pixels of the box; returns the operations. */
static double intersect(struct box *box, struct krn_packed sphere, int s)
{
    double ops = LANES * (KRN_OPS_ROW + K * KRN_OPS_PIXEL);
    for (int j = 0; j < HEIGHT; j++)
        for (int left = 0; left < WIDTH; left += K)
            if (intersect_lane(box, sphere, s, j, left))
                ops += K * KRN_OPS_DEPTH;
    box->least = INFINITY;
    for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++)
            box->least = fminf(box->least, box->deepest[j][i]);
    return ops;
}

/* Returns the lane of the candidate with the greatest bound; -1: none is left. */
static int next_of(const struct group *group, float least)
{
    int next = -1;
    for (int i = 0; i < group->count; i++)
        if (group->candidate[i] && group->bound[i] >= least &&
            (next < 0 || group->bound[i] > group->bound[next]))
            next = i;
    return next;
}

/* Traces the spheres that a warp has read, deepest bound first; returns the operations. */
static double trace(const struct krn_work_frame *frame, struct box *box, struct group *group)
{
    double ops = 0.0;
    for (int i = 0; i < group->count; i++) {
        const struct krn_packed sphere = frame->spheres[group->sphere[i]];
        const float residual =
            krn_box_residual(sphere, box->x[0], box->x[WIDTH - 1], box->y[0], box->y[HEIGHT - 1]);
        ops += KRN_OPS_BOX + KRN_OPS_DEPTH;
        group->bound[i] = sqrtf(residual) + sphere.z;
        group->candidate[i] = residual > 0.0f;
    }
    for (int next; (next = next_of(group, box->least)) >= 0;) {
        const int s = group->sphere[next];
        group->candidate[next] = false;
        box->any = true;
        ops += intersect(box, frame->spheres[s], s);
    }
    group->count = 0;
    return ops;
}

double krn_work_gpu_box(const struct krn_work_frame *frame, int box_x, int box_y, int count)
{
    struct box box;
    struct group group = {.count = 0};
    const int height = frame->view.height;
    const int rows = box_y + HEIGHT <= height ? (int)HEIGHT : height - box_y;
    double ops = LANES * (K + 5) * KRN_OPS_RAY;
    begin(frame, box_x, box_y, &box);
    for (int i = 0; i < count; i++) {
        group.sphere[group.count++] = frame->list[i];
        if (group.count == LANES)
            ops += trace(frame, &box, &group);
    }
    ops += trace(frame, &box, &group);
    if (box.any)
        ops += (double)rows * WIDTH * (KRN_OPS_SHADE + KRN_OPS_RGBA_GPU);
    return ops;
}
