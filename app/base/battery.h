/* app/base/battery.h - battery detection. */
#ifndef APP_BATTERY_H
#define APP_BATTERY_H

#include <stdbool.h>

/* Returns true when the machine runs on battery power. Reads files in /sys/class/power_supply, or
 * in the folder that the environment variable SPHERESCOPE_POWER_SUPPLY names, so do not call it on
 * every frame. */
bool app_on_battery(void);

#endif
