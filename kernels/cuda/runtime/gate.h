/* kernels/cuda/runtime/gate.h - holds a stream while the host queues work that must run without a
 * gap (private to kernels/cuda).
 *
 * The gate is a kernel that waits for a number in host memory. It opens by itself after a few
 * hundred microseconds of its own clock, so that nothing hangs when the host is delayed.
 */
#ifndef KRN_CUDA_GATE_H
#define KRN_CUDA_GATE_H

#include "krn/error.h"

#include <cuda_runtime_api.h>

#include <stdatomic.h>

struct krn_cuda_gate {
    cudaStream_t stream;
    atomic_uint *ticket; /* number of the newest open gate, in host memory mapped into the device */
    const unsigned *on_device; /* device address of *ticket */
    unsigned number;           /* number of the newest gate launched */
};

/* Queues a gate. Work behind it waits for krn_cuda_gate_open. */
enum krn_code krn_cuda_gate_close(struct krn_cuda_gate *gate, struct krn_error *error);
void krn_cuda_gate_open(struct krn_cuda_gate *gate);

#endif
