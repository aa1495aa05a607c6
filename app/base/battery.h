/* app/base/battery.h - battery detection. */
#ifndef APP_BATTERY_H
#define APP_BATTERY_H

#include <stdbool.h>

/* Returns true when the machine runs on battery power. Reads files in /sys/class/power_supply, or
 * in the folder that the environment variable SPHERESCOPE_POWER_SUPPLY names, so do not call it on
 * every frame. */
bool app_on_battery(void);

/* The newest look at the battery. Zeroed, there is none. */
struct app_battery {
    bool looked, on_battery;
    double looked_s;
};

/* Returns the same for every frame: looks again only every 10 s. now_s: the time. */
bool app_battery_at(struct app_battery *battery, double now_s);

#endif
