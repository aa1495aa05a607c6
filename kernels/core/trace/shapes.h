/* kernels/core/trace/shapes.h - numbers that decide how much work the kernels do, for the kernels
 * themselves and for the count of their work (work.c). */
#ifndef KRN_SHAPES_H
#define KRN_SHAPES_H

/* CUDA: lanes per warp; pixels of a batch; scenes up to this size keep the chords of winners; the
 * group of spheres whose row test is unrolled; the box of pixels of a warp of the binned kernel;
 * log2 of the least side of a tile; the threads that sort one sphere, few or many, and the mean
 * number of list entries per sphere above which they are many. The spheres of a scene up to
 * KRN_CUDA_SCAN_SPHERES are not sorted: every block scans them for those of its tile, which has
 * 1 << KRN_CUDA_SCAN_SHIFT_FEW pixels a side for up to KRN_CUDA_SCAN_FEW spheres, and
 * 1 << KRN_CUDA_SCAN_SHIFT for more. */
enum {
    KRN_CUDA_LANES = 32,
    KRN_CUDA_BATCH = 4,
    KRN_CUDA_SMALL_SCENE = 320,
    KRN_CUDA_SMALL_GROUP = 8,
    KRN_CUDA_BOX_WIDTH = 16,
    KRN_CUDA_BOX_HEIGHT = 8,
    KRN_CUDA_TILE_SHIFT = 4,
    KRN_CUDA_SHARE_FEW = 4,
    KRN_CUDA_SHARE_MANY = 32,
    KRN_CUDA_SHARE_ENTRIES = 8,
    KRN_CUDA_SCAN_SPHERES = 4096,
    KRN_CUDA_SCAN_FEW = 512,
    KRN_CUDA_SCAN_SHIFT_FEW = 5,
    KRN_CUDA_SCAN_SHIFT = 6
};

/* CPU: pixels of a vector; rows of a band; log2 of the least side of a tile, which is two vectors
 * of the widest level. */
enum { KRN_CPU_LANES = 16, KRN_CPU_BAND = 8, KRN_CPU_TILE_SHIFT = 5 };

/* The cost of testing a list entry per pixel of its tile, relative to the cost of making the entry.
 * On an H200, making an entry costs about as much as 20 tests of 32 spheres, one per lane. On a
 * CPU, it costs about 40 ns, and rejecting it in one band of the tile a few ns. */
#define KRN_CUDA_ENTRY_OVER_PIXEL 3e-4
#define KRN_CPU_ENTRY_OVER_PIXEL 2e-4

#endif
