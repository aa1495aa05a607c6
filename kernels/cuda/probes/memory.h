/* kernels/cuda/probes/memory.h - the memory of the CUDA probes (inside kernels/cuda/probes only).
 */
#ifndef KRN_CUDA_PROBES_MEMORY_H
#define KRN_CUDA_PROBES_MEMORY_H

#include "cuda/probes/topic.h"

/* Takes all memory that the topics ask for, at most bytes_max on the device, and fills it. Errors:
 * KRN_NO_MEMORY, KRN_LOST, KRN_FAILED; free gives back what was taken until then. */
enum krn_code krn_cuda_probes_alloc(struct krn_cuda_probes *probes, size_t bytes_max,
                                    struct krn_error *error);
void krn_cuda_probes_free(struct krn_cuda_probes *probes);

#endif
