/* kernels/cuda/runtime/timer.h - kernel times from pairs of CUDA events.
 *
 * The naive way, event, kernel, event, is wrong on an idle stream: the first event is stamped as
 * soon as it arrives, and then the GPU waits until the host has launched the kernel, so the launch
 * (some microseconds, and whatever the host does meanwhile) counts as kernel time. Here a gate
 * kernel holds the stream first; event, kernel and event queue up behind it, then the host opens
 * the gate. What lies between the events is the kernel, whether the stream was idle or busy.
 *
 * The gate opens by itself after some hundred microseconds of its own clock, so nothing can hang
 * when the host is held up (a debugger, serialised launches): then one reading holds the host's
 * delay again, no more.
 *
 * The queue stays short. With more than ten or so launches behind it a kernel takes 0.5 to 0.7 us
 * longer (H200: 21.2 us with five frames of two launches on their way, 21.9 with six and with any
 * number more; events alone do not count), which would make a busy stream read otherwise than an
 * idle one. The host may be a few frames ahead, which is all that a GPU needs to be kept busy.
 *
 * Pairs are read when they are ready, from a ring; nobody waits for that. A full ring takes no more
 * pairs until one is read: that frame goes untimed.
 */
#ifndef KRN_CUDA_TIMER_H
#define KRN_CUDA_TIMER_H

#include "krn/device.h"

#include <cuda_runtime_api.h>

struct krn_cuda_timer;

enum krn_code krn_cuda_timer_open(struct krn_cuda_timer **timer, cudaStream_t stream,
                                  struct krn_error *error);
void krn_cuda_timer_close(struct krn_cuda_timer *timer);

/* Waits until the queue has room for so many launches, then puts gate and start event on the
 * stream. *timed is false when the ring is full: then nothing was done and stop must not be called.
 */
enum krn_code krn_cuda_timer_start(struct krn_cuda_timer *timer, int launches, bool *timed,
                                   struct krn_error *error);
/* Puts an event between the two: what lies before it is the reading's binning_ms. */
enum krn_code krn_cuda_timer_part(struct krn_cuda_timer *timer, struct krn_error *error);
/* Puts the stop event on the stream, labels the pair and opens the gate. */
enum krn_code krn_cuda_timer_stop(struct krn_cuda_timer *timer, struct krn_mode mode, uint64_t tag,
                                  struct krn_error *error);
/* Opens the gate and forgets the pair: the launch between start and stop failed. */
void krn_cuda_timer_abandon(struct krn_cuda_timer *timer);

/* Takes the oldest pair when it is ready. */
bool krn_cuda_timer_poll(struct krn_cuda_timer *timer, struct krn_reading *reading);

/* Event and launch floor: medians of pairs around nothing and around an empty kernel. Waits. */
enum krn_code krn_cuda_timer_overheads(struct krn_cuda_timer *timer,
                                       struct krn_overheads *overheads, struct krn_error *error);

#endif
