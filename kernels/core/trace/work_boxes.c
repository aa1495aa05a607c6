/* The work of the GPU's binned kernel (cuda/trace/binned.cu). */
#include "core/trace/work_parts.h"

#include <math.h>

enum {
    LANES = KRN_CUDA_LANES,
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

/* Returns the operations of the box at (box_x, box_y), whose tile lists spheres of the band. */
static double box_ops(const struct krn_work_frame *frame, int box_x, int box_y, const int *list,
                      int count)
{
    struct box box;
    struct group group = {.count = 0};
    const int height = frame->view.height;
    const int rows = box_y + HEIGHT <= height ? (int)HEIGHT : height - box_y;
    double ops = LANES * (K + 5) * KRN_OPS_RAY;
    begin(frame, box_x, box_y, &box);
    for (int i = 0; i < count; i++) {
        group.sphere[group.count++] = list[i];
        if (group.count == LANES)
            ops += trace(frame, &box, &group);
    }
    ops += trace(frame, &box, &group);
    if (box.any)
        ops += (double)rows * WIDTH * (KRN_OPS_SHADE + KRN_OPS_RGBA_GPU);
    return ops;
}

void krn_work_gpu_boxes(struct krn_work_frame *frame, int y0, struct krn_work_sums *sums)
{
    const struct krn_tiles tiles = frame->tiles;
    const int tile_row = y0 >> tiles.shift, side = 1 << tiles.shift;
    krn_work_list(frame, tile_row);
    for (int column = 0; column < tiles.columns && !krn_work_abandoned(frame); column++) {
        int count = 0;
        for (int i = 0; i < frame->listed_count; i++) {
            const struct krn_work_listed *listed = &frame->listed[i];
            if (column >= listed->range.left && column <= listed->range.right &&
                krn_tile_hit(tiles, frame->spheres[listed->sphere], column, tile_row))
                frame->list[count++] = listed->sphere;
        }
        for (int x = column * side; x < (column + 1) * side && x < frame->view.width; x += WIDTH)
            sums->binned += box_ops(frame, x, y0, frame->list, count);
    }
}
