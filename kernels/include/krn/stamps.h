/* krn/stamps.h - when the parts of a frame ran on an asynchronous device, on the host's clock.
 *
 * Between krn_device_stamp_frame and krn_device_stamp_end, the device records a pair of time stamps
 * around each part. Nothing waits for them: krn_device_stamp_poll returns them some frames later. A
 * kernel is not stamped twice: its span lies between the two events that give its reading, so both
 * have the same length.
 *
 * The device's clock is tied to CLOCK_MONOTONIC by an event that is recorded on the idle device and
 * waited for: it was stamped at some time between the two readings of the host's clock around it.
 * The tie is renewed about once per second, when the device is idle.
 *
 * Thread safety: as krn/device.h.
 */
#ifndef KRN_STAMPS_H
#define KRN_STAMPS_H

#include "krn/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum krn_part { KRN_PART_POSE, KRN_PART_KERNEL, KRN_PART_COPY, KRN_PARTS };

/* One part; milliseconds on CLOCK_MONOTONIC. */
struct krn_stamp {
    enum krn_part part;
    double begin_ms, end_ms;
};

enum { KRN_STAMPS_MAX = 8 };

/* The parts of a frame, in the order in which they were queued. */
struct krn_stamps {
    uint64_t frame; /* of krn_device_stamp_frame */
    struct krn_stamp parts[KRN_STAMPS_MAX];
    int count;
    /* All parts together may be off by so much against the host's clock, milliseconds: half of the
     * time between the two readings around the tie, and the most that the clocks drift since. */
    double tie_ms;
};

/* Starts to stamp the parts of a frame with the number `frame`. Returns false where there is
 * nothing to stamp: the device runs kernels before krn_device_render returns, or its events cannot
 * be made. A frame whose stamps are not polled is dropped when eight newer ones wait. */
bool krn_device_stamp_frame(struct krn_device *device, uint64_t frame);

/* Stamp begin and end of a part that the caller queues in the device's stream. They do nothing
 * outside of a stamped frame. */
void krn_device_stamp_begin(struct krn_device *device, enum krn_part part);
void krn_device_stamp_close(struct krn_device *device);

/* Ends the stamped frame. */
void krn_device_stamp_end(struct krn_device *device);

/* Removes the stamps of the oldest frame that has run. Returns false when there are none. Does not
 * block. */
bool krn_device_stamp_poll(struct krn_device *device, struct krn_stamps *stamps);

#ifdef __cplusplus
}
#endif
#endif
