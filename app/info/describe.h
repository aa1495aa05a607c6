/* app/info/describe.h - prints the machine and its devices, for --info and --list-devices. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "info/info.h"
#include "table/table.h"

/* Prints one line per entry of app_devices_list. */
void app_describe_devices(const struct app_device_entry *entries, int count);

/* Prints the program's version, the machine, every device with its properties and kernels, and
 * OpenGL. Errors: KRN_NO_MEMORY. */
enum krn_code app_describe_machine(const struct app_info *info, enum app_style style,
                                   struct krn_error *error);

#endif
