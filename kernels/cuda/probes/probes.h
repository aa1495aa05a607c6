/* kernels/cuda/probes/probes.h - .open_probes of the CUDA backend (private to kernels/cuda). */
#ifndef KRN_CUDA_PROBES_H
#define KRN_CUDA_PROBES_H

#include "core/probes/probe_ops.h"

enum krn_code krn_cuda_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                   struct krn_probes **probes, struct krn_error *error);

#endif
