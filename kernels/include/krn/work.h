/* krn/work.h - the floating-point operations and the compulsory memory traffic of one frame.
 *
 * Operations are those of the kernels' source, over all threads: an addition, a subtraction, a
 * multiplication, a division and a square root count 1 each, a fused multiply-add 2. Integer
 * operations, comparisons, conversions, minima, maxima and negations count 0, and so do the
 * rotation of the scene, which no frame time contains, and blocks outside the image. A division or
 * root counts 1 although a GPU computes it with several instructions, so a profiler that counts
 * instructions reports more.
 *
 * What a kernel rejects as occluded depends on what its pixels show at that moment. The count
 * follows the kernel there: it keeps the depth of every pixel of a counted row. It does so for rows
 * spread evenly over the image, and exactly in these rows; the sums are scaled to all rows. The
 * binned kernel's lists are taken in the scene's order, which the GPU does not guarantee.
 *
 * Bytes are the compulsory traffic with memory: the image written once, 4 bytes per pixel, and each
 * sphere read once in the layout that the kernel reads (28 bytes; or 16, and 16 of its material).
 * Caches serve every further read, and the binned kernel's lists.
 *
 * Thread safety: functions may be called from any thread.
 */
#ifndef KRN_WORK_H
#define KRN_WORK_H

#include "krn/device.h"
#include "krn/error.h"
#include "krn/mode.h"
#include "krn/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

struct krn_work {
    double flops, bytes; /* of one frame; 0: of the light view, or no such mode; flops also of the
                            splat kernel, which rejects spheres by the depths of all */
};

struct krn_works {
    struct krn_work modes[KRN_MODES_MAX]; /* indexed by krn_mode_index */
    int rows, rows_all;                   /* the rows counted, and the rows of the image */
};

/* Counts the work of a frame in every mode. steps_max limits the time: it is the number of pixels
 * tested and spheres read (3 to 5 ns each on one core); at least 8 rows are counted. 0 counts
 * every row. krn_cancel abandons a count that takes longer than some 20 ms. Errors: KRN_CANCELLED,
 * KRN_NO_MEMORY. */
enum krn_code krn_work_count(enum krn_backend_id backend, const struct krn_scene *scene,
                             struct krn_pose pose, const struct krn_view *view, double steps_max,
                             struct krn_works *works, struct krn_error *error);

/* Returns the steps that counting one row takes, on average. */
double krn_work_steps_per_row(const struct krn_scene *scene, const struct krn_view *view);

#ifdef __cplusplus
}
#endif
#endif
