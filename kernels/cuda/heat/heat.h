/* kernels/cuda/heat/heat.h - the heat map of a CUDA device (private to kernels/cuda). */
#ifndef KRN_CUDA_HEAT_H
#define KRN_CUDA_HEAT_H

#include "cuda/heat/kernels.h"
#include "cuda/light/light.h"
#include "cuda/trace/tracer.h"
#include "krn/heat.h"

/* Device memory, allocated by the first heat map. All members 0 is a valid initial state. */
struct krn_cuda_heat {
    uint32_t *costs; /* one per pixel */
    size_t held;     /* pixels that fit into costs */
    uint32_t *palette;
    struct krn_cuda_heat_sums *sums;
};

void krn_cuda_heat_close(struct krn_cuda_heat *heat);

/* Same contracts as the calls of krn/heat.h, on a stream. The tracer is prepared for the mode. */
enum krn_code krn_cuda_heat_run(struct krn_cuda_heat *heat, const struct krn_cuda_tracer *tracer,
                                struct krn_mode mode, enum krn_heat quantity,
                                struct krn_cuda_frame frame, cudaStream_t stream,
                                struct krn_heat_costs *costs, struct krn_error *error);
/* The same for the rays of the light view, which needs no tracer's preparation. */
enum krn_code krn_cuda_heat_rays(struct krn_cuda_heat *heat, struct krn_cuda_light *light,
                                 const struct krn_cuda_tracer *tracer,
                                 const struct krn_cuda_lit_frame *frame, cudaStream_t stream,
                                 struct krn_heat_costs *costs, struct krn_error *error);
enum krn_code krn_cuda_heat_paint(const struct krn_cuda_heat *heat, uint32_t scale,
                                  const struct krn_image *image, cudaStream_t stream,
                                  struct krn_error *error);
enum krn_code krn_cuda_heat_read(const struct krn_cuda_heat *heat, size_t first, size_t count,
                                 uint32_t *costs, cudaStream_t stream, struct krn_error *error);

#endif
