#include "krn/stamps.h"

#include "core/device/backend.h"

bool krn_device_stamp_frame(struct krn_device *device, uint64_t frame)
{
    device->stamping = device->ops->stamps != NULL && device->ops->stamps->frame(device, frame);
    return device->stamping;
}

void krn_device_stamp_begin(struct krn_device *device, enum krn_part part)
{
    if (device->stamping)
        device->ops->stamps->begin(device, part);
}

void krn_device_stamp_close(struct krn_device *device)
{
    if (device->stamping)
        device->ops->stamps->close(device);
}

void krn_device_stamp_end(struct krn_device *device)
{
    if (device->stamping)
        device->ops->stamps->end(device);
    device->stamping = false;
}

bool krn_device_stamp_poll(struct krn_device *device, struct krn_stamps *stamps)
{
    return device->ops->stamps != NULL && device->ops->stamps->poll(device, stamps);
}
