/* krn/stamps.h - how long the parts of a frame took on an asynchronous device.
 *
 * Between krn_device_stamp_frame and krn_device_stamp_end, the device records a pair of time stamps
 * around each part. Nothing waits for them: krn_device_stamp_poll returns their differences some
 * frames later. A kernel is not stamped twice: its time lies between the two events that give its
 * reading.
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

struct krn_stamps {
    uint64_t frame;       /* of krn_device_stamp_frame */
    double ms[KRN_PARTS]; /* of each part; 0: it did not run */
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
