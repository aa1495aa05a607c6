/* kernels/cuda/runtime/timer.h - kernel times from pairs of CUDA events.
 *
 * The naive sequence event, kernel, event gives wrong times on an idle stream: the first event is
 * stamped as soon as it arrives, and then the GPU waits until the host has launched the kernel, so
 * the launch (some microseconds, and whatever the host does meanwhile) counts as kernel time. Here
 * a gate kernel first holds the stream; event, kernel and event are queued behind it, then the host
 * opens the gate. The time between the events is that of the kernel, whether the stream was idle or
 * busy.
 *
 * The gate opens by itself after a few hundred microseconds of its own clock, so that nothing hangs
 * when the host is delayed (a busy machine, a debugger, serialised launches). The time of such a
 * pair includes the host's delay, so the pair gives no reading; poll counts it.
 *
 * The queue stays short. With more than about ten launches behind it, a kernel takes 0.5 to 0.7 us
 * longer (H200: 21.2 us with five frames of two launches in flight, 21.9 with six or more; events
 * do not count), so a busy stream would read differently from an idle one. The host may be a few
 * frames ahead, which keeps a GPU busy.
 *
 * Pairs wait in a ring until they are ready; reading them never blocks. When the ring is full,
 * frames are not timed until a pair has been read.
 */
#ifndef KRN_CUDA_TIMER_H
#define KRN_CUDA_TIMER_H

#include "krn/device.h"

#include <cuda_runtime_api.h>

struct krn_cuda_timer;

enum krn_code krn_cuda_timer_open(struct krn_cuda_timer **timer, cudaStream_t stream,
                                  struct krn_error *error);
void krn_cuda_timer_close(struct krn_cuda_timer *timer);

/* Waits until the queue has room for `launches` launches, then queues the gate and the start event.
 * loads: these launches may be the first of their kernels. Loading a kernel can take longer than
 * the gate holds; the pair then gives no reading, but the host was not late. *timed is false when
 * the ring is full: nothing is queued then, and stop must not be called. */
enum krn_code krn_cuda_timer_start(struct krn_cuda_timer *timer, int launches, bool loads,
                                   bool *timed, struct krn_error *error);
/* Queues an event between start and stop; the time before it is the binning_ms of the reading. */
enum krn_code krn_cuda_timer_part(struct krn_cuda_timer *timer, struct krn_error *error);
/* Queues the stop event, labels the pair and opens the gate. */
enum krn_code krn_cuda_timer_stop(struct krn_cuda_timer *timer, struct krn_mode mode, uint64_t tag,
                                  struct krn_error *error);
/* Returns the events of the pair that was stopped last. They keep their times while the ring has
 * not gone round. */
void krn_cuda_timer_newest(const struct krn_cuda_timer *timer, cudaEvent_t *start,
                           cudaEvent_t *stop);
/* Opens the gate and drops the pair, when a launch between start and stop has failed. */
void krn_cuda_timer_abandon(struct krn_cuda_timer *timer);

/* Reads the oldest pair and removes it from the ring; returns false when it is not ready. Does not
 * block. Skips pairs whose gate gave up and adds their number to *drops. */
bool krn_cuda_timer_poll(struct krn_cuda_timer *timer, struct krn_reading *reading,
                         unsigned long *drops);

/* Tells the timer that work which it does not time was queued: the next pair may find it running.
 */
void krn_cuda_timer_note_untimed(struct krn_cuda_timer *timer);

/* Returns the overheads that are measured with the timer's gate. */
struct krn_cuda_overhead *krn_cuda_timer_overhead(struct krn_cuda_timer *timer);

#endif
