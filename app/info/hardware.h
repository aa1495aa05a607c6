/* app/info/hardware.h - writes the properties of a device and the attributes of a kernel as text.
 */
#ifndef APP_HARDWARE_H
#define APP_HARDWARE_H

#include "krn/attributes.h"
#include "krn/properties.h"

struct app_grouped_text {
    char text[32];
};

struct app_hardware_text {
    char text[KRN_PROPERTY_TEXT_MAX];
};

/* Formats a whole number with blanks between groups of three digits, from five digits on. */
struct app_grouped_text app_grouped(int64_t number);

/* Formats the values of a property with its unit: "150 109 470 720 bytes (139.8 GiB)", "1024 x 1024
 * x 64", "yes"; "not known". */
struct app_hardware_text app_property_text(const struct krn_property *property);

/* Formats the attributes of a kernel in one line: "32 registers, occupancy 100 %, 8 blocks of 256
 * threads, constant 65 536 bytes", without the memories that it does not use; "not known". */
struct app_hardware_text app_kernel_text(const struct krn_kernel_attributes *kernel);

#endif
