/* kernels/core/inject/inject_image.h - injection of wrong pictures, for tests of verification
 * (private to kernels/).
 *
 * With SPHERESCOPE_FAULT=STORAGE in the environment, kernels that read their spheres from that
 * storage see one sphere in a different colour. The injection wraps the functions of a device and
 * sets the scene that each launch must see, so kernels and other storages are not affected.
 */
#ifndef KRN_INJECT_IMAGE_H
#define KRN_INJECT_IMAGE_H

#include "core/device/backend.h"

/* Wraps device->ops if the environment requests it. Every backend's connect calls this last. The
 * device frees the wrapper. Errors: KRN_NO_MEMORY; the device is unchanged. */
enum krn_code krn_inject_image(struct krn_device *device, struct krn_error *error);

#endif
