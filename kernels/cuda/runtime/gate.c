#include "cuda/runtime/gate.h"

#include "cuda/runtime/check.h"
#include "cuda/runtime/kernels.h"

#include <time.h>

/* Maximum time that a gate holds, in clock cycles: about 0.3 ms at 1.5 to 2 GHz. */
static const long long gate_cycles = 500000;

enum krn_code krn_cuda_gate_close(struct krn_cuda_gate *gate, struct krn_error *error)
{
    const unsigned number = ++gate->number;
    /* The device reads and writes the atomics as plain words. */
    const unsigned *ticket = (const unsigned *)&gate->on_device->ticket;
    unsigned *gave_up = (unsigned *)&gate->on_device->gave_up[number % KRN_CUDA_GATES_KEPT];
    return KRN_CUDA(krn_cuda_gate(ticket, gave_up, number, gate_cycles, gate->stream), error);
}

/* Does to the host what a busy machine does: its core is gone for longer than a gate holds, at
 * 100 MHz even. */
static void lose_core(void)
{
    const struct timespec while_away = {0, 6000000};
    nanosleep(&while_away, NULL);
}

void krn_cuda_gate_open(struct krn_cuda_gate *gate)
{
    if (krn_call_fails(KRN_API_NONE, "krn_host_late()"))
        lose_core();
    atomic_store_explicit(&gate->page->ticket, gate->number, memory_order_release);
}

bool krn_cuda_gate_gave_up(const struct krn_cuda_gate *gate, unsigned number)
{
    return atomic_load_explicit(&gate->page->gave_up[number % KRN_CUDA_GATES_KEPT],
                                memory_order_acquire) == number;
}
