/* kernels/cuda/runtime/overhead.h - the overhead in the times of kernels, and the tick of the
 * events' clock (private to kernels/cuda).
 *
 * An overhead is the median time of empty kernels, taken by the same method as the times of
 * kernels: behind a gate, between two events, with the same number of launches of the same shapes.
 * Of a grid that the device does not hold at once, only as many blocks as it does (krn_cuda_first_
 * wave): an empty kernel of 500,000 blocks takes 0.3 ms to start them all on an H200, but a kernel
 * that works starts them while others work, and without that time it would move more bytes than the
 * memory can.
 */
#ifndef KRN_CUDA_OVERHEAD_H
#define KRN_CUDA_OVERHEAD_H

#include "cuda/runtime/gate.h"
#include "cuda/runtime/kernels.h"

#include "krn/device.h"

enum { KRN_CUDA_LAUNCHES_MAX = 24, KRN_CUDA_OVERHEADS_KEPT = 64 };

/* What lies between two events. A memset counts as a launch of one thread. No launch: nothing lies
 * between them. */
struct krn_cuda_launches {
    int count;
    int part; /* number of launches before a third event (krn_cuda_timer_part); 0: there is none */
    struct krn_cuda_shape shapes[KRN_CUDA_LAUNCHES_MAX];
};

struct krn_cuda_overhead {
    struct krn_cuda_gate *gate; /* not owned; its stream is the one that is measured */
    cudaEvent_t start, part, stop;
    struct krn_cuda_kept {
        struct krn_cuda_launches launches;
        double ms;
    } kept[KRN_CUDA_OVERHEADS_KEPT]; /* the newest ones */
    unsigned measured;               /* overheads measured so far */
};

/* Creates the events of an overhead whose members are all 0. Close it even after a failure. */
enum krn_code krn_cuda_overhead_open(struct krn_cuda_overhead *overhead, struct krn_cuda_gate *gate,
                                     struct krn_error *error);
void krn_cuda_overhead_close(struct krn_cuda_overhead *overhead);

/* Forgets what was measured, because the conditions may have changed. */
void krn_cuda_overhead_forget(struct krn_cuda_overhead *overhead);

/* Returns the overhead of these launches in ms; measures it at the first call with them. Blocks
 * then, for about 1 ms. Errors: KRN_FAILED when the host was late nearly every time. */
enum krn_code krn_cuda_overhead_of(struct krn_cuda_overhead *overhead,
                                   const struct krn_cuda_launches *launches, double *ms,
                                   struct krn_error *error);

/* Measures the overheads of the device: event pairs around nothing, around an empty kernel, and
 * around kernels that wait for different times, which give the tick. All readings have the same
 * tick, so the tick is the smallest difference between two of them that is not a rounding error:
 * cudaEventElapsedTime rounds to float, which is exact to 4e-9 ms for times below 0.06 ms, so
 * differences below 1e-7 ms do not count. Blocks for some milliseconds. An overhead is 0 (unknown)
 * when the host was late nearly every time. */
enum krn_code krn_cuda_overheads_measure(struct krn_cuda_overhead *overhead,
                                         struct krn_overheads *overheads, struct krn_error *error);

#endif
