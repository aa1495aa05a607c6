/* kernels/core/inject/inject_image.h - a wrong picture on purpose (inside kernels/ only).
 *
 * With SPHERESCOPE_FAULT=STORAGE in the environment, kernels that read their spheres from that
 * storage find another colour in one of them. The functions of a device are wrapped: before a
 * launch the scene that it must see is put in place, so no kernel and no other storage knows of it.
 * For tests of what checks pictures.
 */
#ifndef KRN_INJECT_IMAGE_H
#define KRN_INJECT_IMAGE_H

#include "core/device/backend.h"

/* Wraps device->ops where the environment asks for it; every connect ends with this. The wrapper
 * goes with the device. Errors: KRN_NO_MEMORY; the device is as before. */
enum krn_code krn_inject_image(struct krn_device *device, struct krn_error *error);

#endif
