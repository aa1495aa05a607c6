/* app/info/devices.h - the list of devices as JSON, for --list-devices --json. */
#ifndef APP_DEVICES_H
#define APP_DEVICES_H

#include "krn/device.h"

#define APP_DEVICES_SCHEMA "spherescope-devices-1"

enum { APP_DEVICES_MAX = 64, APP_DEVICE_WHY = 320 };

/* A device, or a backend that has none. */
struct app_device_entry {
    enum krn_backend_id backend;
    int number;               /* the number that --device takes; -1: the backend has no device */
    char name[256];           /* "": not known */
    char why[APP_DEVICE_WHY]; /* why it cannot be used, a sentence; "": it can */
};

/* Lists the devices of every backend; a backend without devices has one entry that tells why.
 * Returns their number. */
int app_devices_list(struct app_device_entry entries[APP_DEVICES_MAX]);

/* Formats the list as JSON, to be freed by the caller; NULL when memory is full. */
char *app_devices_json(const struct app_device_entry *entries, int count);

#endif
