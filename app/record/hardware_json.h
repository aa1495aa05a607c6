/* app/record/hardware_json.h - the properties of devices and the attributes of kernels as JSON. */
#ifndef APP_HARDWARE_JSON_H
#define APP_HARDWARE_JSON_H

#include "record/hardware.h"

#include "krn/properties.h"

#include <jansson.h>

/* Returns an object with one member per property: a text, a number, an array of numbers, or true or
 * false; null for what is not known. The caller owns it. */
json_t *app_properties_to_json(const struct krn_property *list, int count);

/* Returns the attributes as an object, null when they are not known. The caller owns it. */
json_t *app_kernel_to_json(const struct krn_kernel_attributes *kernel);

#endif
