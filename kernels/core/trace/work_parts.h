/* kernels/core/trace/work_parts.h - what work.c and work_gpu.c share (inside core/trace/ only).
 *
 * The parts follow the kernels' source; a change of what a kernel computes changes them, too.
 */
#ifndef KRN_WORK_PARTS_H
#define KRN_WORK_PARTS_H

#include "core/trace/pixel.h"
#include "core/trace/tiles.h"
#include "krn/work.h"

/* Floating-point operations of the pieces of source that the kernels are made of. */
enum {
    KRN_OPS_RAY = 1,                              /* krn_ray */
    KRN_OPS_ROW = 3,                              /* y - y and krn_row_residual */
    KRN_OPS_PIXEL = 3,                            /* x - x and krn_pixel_residual */
    KRN_OPS_HIT = 6,                              /* both, as in krn_hit */
    KRN_OPS_NEAREST = 4,                          /* krn_axis_distance and krn_pixel_residual */
    KRN_OPS_BOX = 8,                              /* krn_box_residual */
    KRN_OPS_SQUARE = 1,                           /* radius * radius */
    KRN_OPS_DEPTH = 2,                            /* the half chord and its sum with z */
    KRN_OPS_COLOUR = 3,                           /* a colour times a shade */
    KRN_OPS_BYTES = 3,                            /* krn_byte of three channels */
    KRN_OPS_SHADE = 1,                            /* the division by the radius */
    KRN_OPS_REACH = 14,                           /* krn_pixel_reach */
    KRN_OPS_TILES = 1 + 2 * KRN_OPS_REACH,        /* krn_tile_reach */
    KRN_OPS_TILE = 4 * KRN_OPS_RAY + KRN_OPS_BOX, /* krn_tile_hit */
    /* On the GPU, krn_rgba_of adds to each channel instead of converting it. */
    KRN_OPS_RGBA_GPU = KRN_OPS_COLOUR + 2 * KRN_OPS_BYTES,
    KRN_OPS_RGBA_CPU = KRN_OPS_COLOUR + KRN_OPS_BYTES
};

/* Pixels of the widest run of a warp; rows are counted up to a multiple of it. */
enum { KRN_WORK_RUN = KRN_CUDA_LANES * KRN_PIXELS_MAX, KRN_WORK_BAND = 8 };

/* A sphere whose rows of tiles meet a band. */
struct krn_work_listed {
    int sphere, left, right; /* its columns of tiles */
};

/* The frame whose work is counted, and memory for one row. */
struct krn_work_frame {
    const struct krn_packed *spheres; /* rotated */
    int count;
    struct krn_view view;
    struct krn_tiles tiles;
    int padded;   /* the width, rounded up to KRN_WORK_RUN */
    float *x;     /* the rays of `padded` pixels */
    float *depth; /* what they show; -infinity: no sphere */
    float *least; /* the least depth of every KRN_CUDA_LANES * KRN_CUDA_BATCH of them */
    bool *stale;  /* `least` must be computed again */
    struct krn_work_listed *listed; /* of a row of tiles; room for every sphere */
    int *list;                      /* of one tile; room for every sphere */
    bool large;                     /* counting it takes longer than some 20 ms */
};

/* Sums of operations over the counted rows. `strip` has an entry per K: on a GPU those of the
 * storages that lanes scan, and of constant memory. */
struct krn_work_sums {
    double book, strip[KRN_PIXELS_COUNT], strip_constant[KRN_PIXELS_COUNT], binned;
};

/* The pixels of a row that a sphere hits: first..last; none when last < first. */
struct krn_work_span {
    int first, last;
};

/* Returns the pixels among 0..padded-1 that the sphere hits in a row; its residual, row, is > 0. */
struct krn_work_span krn_work_hits(const struct krn_work_frame *frame, struct krn_packed sphere,
                                   float row);

/* Makes a sphere the winner of the pixels of its span that it is the deepest of. Returns how many
 * of them lie in the image. */
int krn_work_win(const struct krn_work_frame *frame, struct krn_packed sphere, float row,
                 struct krn_work_span span);

/* Returns true when the count is to be abandoned: an interrupt waits for no large scene. */
bool krn_work_abandoned(const struct krn_work_frame *frame);

/* Adds the operations of the GPU's book and strip kernels in one band of KRN_WORK_BAND rows from y0
 * on. */
void krn_work_gpu_band(struct krn_work_frame *frame, int y0, struct krn_work_sums *sums);

/* Returns the operations of the GPU's binned kernel in the box at (box_x, box_y), whose tile has
 * `count` spheres in frame->list. */
double krn_work_gpu_box(const struct krn_work_frame *frame, int box_x, int box_y, int count);

#endif
