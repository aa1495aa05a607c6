/* kernels/core/inject/inject_image.h - a wrong picture on purpose (inside kernels/core only).
 *
 * With SPHERESCOPE_FAULT=STORAGE in the environment, kernels that read their spheres from that
 * storage find another colour in one of them. The scene in place is exchanged before such a launch
 * and after it, so no kernel and no other storage knows of it. For tests of what looks at pictures.
 */
#ifndef KRN_FAULT_H
#define KRN_FAULT_H

#include "core/device/backend.h"

struct krn_inject_image;

/* Remembers the scene just set; nothing happens when no fault is asked for. */
enum krn_code krn_inject_image_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                         struct krn_error *error);
void krn_inject_image_set_pose(struct krn_inject_image *fault, struct krn_pose pose);

/* Puts the scene in place that mode shall see. */
enum krn_code krn_inject_image_prepare(struct krn_device *device, struct krn_mode mode,
                                       struct krn_error *error);
void krn_inject_image_close(struct krn_device *device);

#endif
