/* kernels/cuda/runtime/runtime.h - what the host side needs: checked calls of the CUDA runtime,
 * gates, overheads, times, and what a launch consists of (private to kernels/cuda). */
#pragma once

#include "core/device/backend.h"
#include "cuda/runtime/kernels.h"
#include "krn/device.h"
#include "krn/error.h"
#include "krn/properties.h"

#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Makes a call of the runtime and evaluates to its enum krn_code. A failure fills *error with the
 * call, the source line and a message. Injected failures (krn_fail_calls) occur here: allocations
 * report that memory is full, other calls an unknown error. */
#define KRN_CUDA(error, call) KRN_CUDA_CALL(call, #call, error)
#define KRN_CUDA_CALL(call, text, error)                                                           \
    krn_cuda_check(krn_call_fails(KRN_API_CUDA, text) ? krn_cuda_failure(text) : (call), text,     \
                   __FILE__, __LINE__, (error))

/* Returns the status of an injected failure of a call. */
cudaError_t krn_cuda_failure(const char *expression);

enum krn_code krn_cuda_check(cudaError_t status, const char *expression, const char *file, int line,
                             struct krn_error *error);

/* Returns a sentence that tells why no CUDA device can be used and what to do about it, for the
 * statuses that connecting can return; NULL for others. */
const char *krn_cuda_reason(cudaError_t status);

/* Allocates arrays of these sizes in device memory, all of them or none, which are then NULL.
 * needs: the start of the sentence for KRN_NO_MEMORY, as "The splat kernel's keys need"; NULL: as
 * KRN_CUDA. */
enum krn_code krn_cuda_alloc(const char *needs, int count, const size_t *bytes, void **arrays,
                             struct krn_error *error);

/* Create events, and destroy those that are not NULL. */
enum krn_code krn_cuda_events_create(cudaEvent_t *events, int count, struct krn_error *error);
void krn_cuda_events_destroy(const cudaEvent_t *events, int count);

/* Allocates zeroed host memory, *host, which kernels reach as *device. The caller frees *host with
 * cudaFreeHost, also after a failure, which may leave it allocated; NULL is fine. */
enum krn_code krn_cuda_alloc_mapped(size_t bytes, void **host, void **device,
                                    struct krn_error *error);

/* --- the gate: holds a stream while the host queues work that must run without a gap ---
 *
 * The gate is a kernel that waits for a number in host memory. It opens by itself after a few
 * hundred microseconds of its own clock, so that nothing hangs when the host is delayed. What was
 * timed behind such a gate contains the host's delay, so the kernel notes in the same host memory
 * that it gave up, and the reading is dropped.
 */

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

/* --- the overhead in the times of kernels, and the tick of the events' clock ---
 *
 * An overhead is the median time of empty kernels, taken by the same method as the times of
 * kernels: behind a gate, between two events, with the same number of launches of the same shapes.
 * Of a grid that the device does not hold at once, only as many blocks as it does (krn_cuda_first_
 * wave): an empty kernel of 500,000 blocks takes 0.3 ms to start them all on an H200, but a kernel
 * that works starts them while others work, and without that time it would move more bytes than the
 * memory can. How many it holds is known of the kernel itself, whose registers may limit them: 2048
 * empty blocks of 128 threads take 3.9 us, the 1320 at once of a kernel of 48 registers less.
 * Launches with equal first waves have one overhead.
 */

enum { KRN_CUDA_LAUNCHES_MAX = 24, KRN_CUDA_OVERHEADS_KEPT = 64 };

/* What lies between two events. A memset counts as a launch of one thread. No launch: nothing lies
 * between them. */
struct krn_cuda_launches {
    int count;
    int part; /* number of launches before a third event (krn_cuda_timer_part); 0: there is none */
    struct krn_cuda_shape shapes[KRN_CUDA_LAUNCHES_MAX];
    unsigned resident[KRN_CUDA_LAUNCHES_MAX]; /* blocks per multiprocessor; 0: unknown */
};

/* The events around launches. */
enum { KRN_CUDA_START, KRN_CUDA_PART, KRN_CUDA_STOP, KRN_CUDA_EVENTS };

struct krn_cuda_overhead {
    struct krn_cuda_gate *gate; /* not owned; its stream is the one that is measured */
    cudaEvent_t events[KRN_CUDA_EVENTS];
    struct krn_cuda_kept {
        struct krn_cuda_launches waves;
        struct krn_overhead overhead;
    } kept[KRN_CUDA_OVERHEADS_KEPT]; /* the newest ones */
    unsigned measured;               /* overheads measured so far */
};

/* Creates the events of an overhead whose members are all 0. Close it even after a failure. */
enum krn_code krn_cuda_overhead_open(struct krn_cuda_overhead *overhead, struct krn_cuda_gate *gate,
                                     struct krn_error *error);
void krn_cuda_overhead_close(struct krn_cuda_overhead *overhead);

/* Forgets what was measured, because the conditions may have changed. */
void krn_cuda_overhead_forget(struct krn_cuda_overhead *overhead);

/* Returns the overhead of these launches; measures it at the first call with them. Blocks
 * then, for about 1 ms. Errors: KRN_FAILED when the host was late nearly every time. */
enum krn_code krn_cuda_overhead_of(struct krn_cuda_overhead *overhead,
                                   const struct krn_cuda_launches *launches,
                                   struct krn_overhead *of, struct krn_error *error);

/* Queues work on the overhead's stream. */
typedef enum krn_code krn_cuda_queue(void *context, struct krn_error *error);

/* Takes samples of the net time of one launch of this shape, which queue(context) queues: batches
 * of launches and of empty kernels take turns. Blocks for some milliseconds. */
enum krn_code krn_cuda_overhead_net(struct krn_cuda_overhead *overhead, krn_cuda_queue *queue,
                                    void *context, struct krn_cuda_shape shape,
                                    struct krn_limit_samples *samples, struct krn_error *error);

/* Measures the overheads of the device: event pairs around nothing, around an empty kernel, and
 * around kernels that wait for different times, which give the tick. All readings have the same
 * tick, so the tick is the smallest difference between two of them that is not a rounding error:
 * cudaEventElapsedTime rounds to float, which is exact to 4e-9 ms for times below 0.06 ms, so
 * differences below 1e-7 ms do not count. Blocks for some milliseconds. An overhead is 0 (unknown)
 * when the host was late nearly every time. */
enum krn_code krn_cuda_overheads_measure(struct krn_cuda_overhead *overhead,
                                         struct krn_overheads *overheads, struct krn_error *error);

/* --- kernel times from pairs of CUDA events ---
 *
 * The naive sequence event, kernel, event gives wrong times on an idle stream: the first event is
 * stamped as soon as it arrives, and then the GPU waits until the host has launched the kernel, so
 * the launch (some microseconds, and whatever the host does meanwhile) counts as kernel time. Here
 * a gate kernel first holds the stream; event, kernel and event are queued behind it, then the host
 * opens the gate. The time between the events is that of the kernel, whether the stream was idle or
 * busy.
 *
 * The time of a pair whose gate opened by itself includes the host's delay, so the pair gives no
 * reading; poll counts it.
 *
 * The queue stays short. With more than about ten launches behind it, a kernel takes 0.5 to 0.7 us
 * longer (H200: 21.2 us with five frames of two launches in flight, 21.9 with six or more; events
 * do not count), so a busy stream would read differently from an idle one. The host may be a few
 * frames ahead, which keeps a GPU busy.
 *
 * Pairs wait in a ring until they are ready; reading them never blocks. When the ring is full,
 * frames are not timed until a pair has been read.
 */

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

/* Tells the timer that untimed work was queued: the next pair may find it running. */
void krn_cuda_timer_note_untimed(struct krn_cuda_timer *timer);

/* Notes that bytes are about to be queued that belong to the next frame: what came before them may
 * have ended. */
void krn_cuda_timer_note_fill(struct krn_cuda_timer *timer);

/* Returns the overheads that are measured with the timer's gate. */
struct krn_cuda_overhead *krn_cuda_timer_overhead(struct krn_cuda_timer *timer);

/* --- the attributes of kernels, from their launches ---
 *
 * A launch that is queued while a stream is captured does not run: it becomes a node of a CUDA
 * graph, which tells the kernel, its block size and its dynamic shared memory. So no list of
 * kernels can disagree with what is launched, templates and choices at run time included.
 */

/* Captures what queue(context) queues on the stream, and describes its kernels; memsets and copies
 * are left out. A queue that waits for the device cannot be captured. Errors: KRN_UNAVAILABLE (not
 * known; the message gives the reason), also when it queues no kernel. */
enum krn_code krn_cuda_capture(cudaStream_t stream, krn_cuda_queue *queue, void *context,
                               struct krn_kernels *kernels, struct krn_error *error);

/* Describes a launch of one kernel, of which `blocks` fit into a multiprocessor at once. */
cudaError_t krn_cuda_describe(const struct cudaFuncAttributes *attributes, int blocks,
                              const struct krn_cuda_shape *shape,
                              struct krn_kernel_attributes *kernel);

/* Captures likewise, and writes the shapes of at most `most` launches; a memset or a copy counts as
 * a launch of one thread. Errors: KRN_UNAVAILABLE; *count is 0 then. */
enum krn_code krn_cuda_capture_shapes(cudaStream_t stream, krn_cuda_queue *queue, void *context,
                                      int most, struct krn_cuda_shape *shapes, int *count,
                                      struct krn_error *error);
