/* kernels/cuda/runtime/gate.h - holds a stream until the host has queued what must run without a
 * gap (inside kernels/cuda only).
 *
 * The gate is a kernel that waits for a number in host memory. It opens by itself after some
 * hundred microseconds of its own clock, so nothing can hang when the host is held up.
 */
#ifndef KRN_CUDA_GATE_H
#define KRN_CUDA_GATE_H

#include "krn/error.h"

#include <cuda_runtime_api.h>

#include <stdatomic.h>

struct krn_cuda_gate {
    cudaStream_t stream;
    atomic_uint *ticket; /* host memory mapped into the device: the newest gate that is open */
    const unsigned *on_device; /* the same, as the device sees it */
    unsigned number;           /* the newest gate launched */
};

/* Puts a gate on the stream. What is queued behind it waits for krn_cuda_gate_open. */
enum krn_code krn_cuda_gate_close(struct krn_cuda_gate *gate, struct krn_error *error);
void krn_cuda_gate_open(struct krn_cuda_gate *gate);

#endif
