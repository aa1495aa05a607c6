/* kernels/cuda/trace/bins.h - memory of the binned kernel's lists (private to kernels/cuda). */
#ifndef KRN_CUDA_BINS_H
#define KRN_CUDA_BINS_H

#include "cuda/trace/kernels.h"

/* The lists, allocated when the binned kernel first renders a scene and view. All members 0 is a
 * valid initial state. */
struct krn_cuda_binning {
    struct krn_sizes sizes; /* numbers of spheres by radius */
    struct krn_tile_plan plan;
    struct krn_cuda_bins bins;
    size_t tiles_held, entries_held; /* capacity of the lists */
    struct krn_view planned;         /* width 0: no plan yet */
};

/* Counts the spheres of a new scene; the next frame makes a new plan. */
void krn_cuda_bins_set_scene(struct krn_cuda_binning *binning, const struct krn_scene *scene);

/* Makes the lists large enough for the scene and the view. Errors: KRN_NO_MEMORY; the message gives
 * the size. */
enum krn_code krn_cuda_bins_prepare(struct krn_cuda_binning *binning, const struct krn_view *view,
                                    struct krn_error *error);
void krn_cuda_bins_free(struct krn_cuda_binning *binning);

#endif
