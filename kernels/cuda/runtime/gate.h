/* kernels/cuda/runtime/gate.h - holds a stream while the host queues work that must run without a
 * gap (private to kernels/cuda).
 *
 * The gate is a kernel that waits for a number in host memory. It opens by itself after a few
 * hundred microseconds of its own clock, so that nothing hangs when the host is delayed. What was
 * timed behind such a gate contains the host's delay, so the kernel notes in the same host memory
 * that it gave up, and the reading is dropped.
 */
#ifndef KRN_CUDA_GATE_H
#define KRN_CUDA_GATE_H

#include "krn/error.h"

#include <cuda_runtime_api.h>

#include <stdatomic.h>
#include <stdbool.h>

/* The number of the newest gates whose outcome is kept. */
enum { KRN_CUDA_GATES_KEPT = 128 };

/* Host memory that is mapped into the device. Zeroed, no gate was launched yet. */
struct krn_cuda_gate_page {
    atomic_uint ticket; /* number of the newest open gate */
    /* Gate n writes n to element n % KRN_CUDA_GATES_KEPT when it gives up. */
    atomic_uint gave_up[KRN_CUDA_GATES_KEPT];
};

struct krn_cuda_gate {
    cudaStream_t stream;
    struct krn_cuda_gate_page *page;
    struct krn_cuda_gate_page *on_device; /* device address of *page */
    unsigned number;                      /* number of the newest gate launched */
};

/* Queues a gate. Work behind it waits for krn_cuda_gate_open. */
enum krn_code krn_cuda_gate_close(struct krn_cuda_gate *gate, struct krn_error *error);
/* For tests, krn_fail_calls("krn_host_late") delays this call until the gate has given up. */
void krn_cuda_gate_open(struct krn_cuda_gate *gate);

/* Returns true when gate `number`, one of the newest KRN_CUDA_GATES_KEPT, opened by itself before
 * the host had queued everything behind it. Valid once work behind the gate has completed. */
bool krn_cuda_gate_gave_up(const struct krn_cuda_gate *gate, unsigned number);

#endif
