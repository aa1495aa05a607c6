/* app/record/hardware.h - the attributes of a kernel as members of a result's outcome. */
#ifndef APP_RECORD_HARDWARE_H
#define APP_RECORD_HARDWARE_H

#include "record/pair.h"

#include "krn/attributes.h"

enum { APP_KERNEL_PAIRS = 10 };

/* Lists the attributes of a kernel, nothing when they are not known. Returns how many there are. */
size_t app_kernel_pairs(const struct krn_kernel_attributes *kernel,
                        struct app_pair pairs[APP_KERNEL_PAIRS]);

#endif
