/* kernels/cuda/probes/memory.h - the memory of the CUDA probes (private to kernels/cuda/probes). */
#ifndef KRN_CUDA_PROBES_MEMORY_H
#define KRN_CUDA_PROBES_MEMORY_H

#include "cuda/probes/topic.h"

/* Allocates all memory that the topics request, at most bytes_max on the device, and fills it.
 * Errors: KRN_NO_MEMORY, KRN_LOST, KRN_FAILED; krn_cuda_probes_free then frees what was
 * allocated. */
enum krn_code krn_cuda_probes_alloc(struct krn_cuda_probes *probes, size_t bytes_max,
                                    struct krn_error *error);
void krn_cuda_probes_free(struct krn_cuda_probes *probes);

#endif
