/* app/bench/describe.h - prints the machine and its devices, for --info and --list-devices. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "base/environment.h"
#include "record/devices.h"

/* Prints one line per entry of app_devices_list. */
void app_describe_devices(const struct app_device_entry *entries, int count);

/* Prints the program's version, the machine and every device. Returns the number of devices whose
 * memory is not the host's; OpenGL may draw on one of them. */
int app_describe_machine(const struct app_environment *environment);

#endif
