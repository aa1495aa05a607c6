/* kernels/cuda/trace/bins.h - memory for the binned kernel's lists (inside kernels/cuda only). */
#ifndef KRN_CUDA_BINS_H
#define KRN_CUDA_BINS_H

#include "cuda/trace/kernels.h"

/* The lists, made when the binned kernel first renders a scene and view. All 0 is a valid start. */
struct krn_cuda_binning {
    struct krn_sizes sizes; /* of the scene's spheres */
    struct krn_tile_plan plan;
    struct krn_cuda_bins bins;
    size_t tiles_held, entries_held;
    struct krn_view planned; /* width 0: no plan yet */
};

void krn_cuda_bins_set_scene(struct krn_cuda_binning *binning, const struct krn_scene *scene);

/* Makes the lists fit scene and view. Errors: KRN_NO_MEMORY, with how much it would take. */
enum krn_code krn_cuda_bins_prepare(struct krn_cuda_binning *binning, const struct krn_view *view,
                                    struct krn_error *error);
void krn_cuda_bins_free(struct krn_cuda_binning *binning);

#endif
