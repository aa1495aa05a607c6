/* app/base/battery.h - whether the machine runs on its battery. */
#ifndef APP_BATTERY_H
#define APP_BATTERY_H

#include <stdbool.h>

/* Returns true when the machine runs on its battery, as /sys/class/power_supply or the folder that
 * SPHERESCOPE_POWER_SUPPLY names tells. Reads files: do not call it on every frame. */
bool app_on_battery(void);

#endif
