/* app/bench/describe.h - the machine and its devices, printed for --info and --list-devices. */
#ifndef APP_DESCRIBE_H
#define APP_DESCRIBE_H

#include "base/environment.h"

/* Prints one line per device that can render, or the reason why a backend has none. */
void app_describe_devices(void);

/* Prints the program's version, the machine and every device, as a bug report needs them. Returns
 * the number of devices whose memory is not the host's: one of them may draw, too. */
int app_describe_machine(const struct app_environment *environment);

#endif
