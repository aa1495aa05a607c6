/* app/records/info.h - what --info and --list-devices print: every device with its properties and
 * kernels. */
#pragma once

#include "base/environment.h"
#include "base/table.h"
#include "base/value.h"
#include "model/model.h"

#include "krn/device.h"
#include "krn/properties.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stddef.h>

#define APP_INFO_SCHEMA "spherescope-info-1"
#define APP_DEVICES_SCHEMA "spherescope-devices-1"

enum { APP_DEVICES_MAX = 64, APP_DEVICE_WHY = 320 };

/* A device, or a backend that has none. */
struct app_device_entry {
    enum krn_backend_id backend;
    int number;               /* the number that --device takes; -1: the backend has no device */
    char name[256];           /* "": not known */
    char why[APP_DEVICE_WHY]; /* why it cannot be used, a sentence; "": it can */
};

/* A kernel between the time stamps of a mode or probe. */
struct app_info_kernel {
    char name[64];    /* "book/global", "saxpy vector" */
    const char *view; /* of a mode: "book", "light"; NULL of a probe */
    char at[48];      /* the first point of a probe that launches it so: "elements 1048576"; "" */
    struct krn_kernel_attributes attributes;
};

struct app_info_device {
    struct app_device_entry entry;
    bool usable; /* the members below are valid */
    struct krn_device_info device;
    struct krn_telemetry_reading telemetry;
    struct krn_property properties[KRN_PROPERTIES_MAX];
    int property_count;
    struct app_info_kernel *kernels;
    size_t kernel_count;
    char why_no_kernels[APP_DEVICE_WHY]; /* a sentence; "": all of them are listed */
};

struct app_info {
    const struct app_environment *environment; /* belongs to the caller */
    struct app_info_device *devices;
    int count;
    int gpus;     /* usable devices whose memory is not the host's */
    char gl[512]; /* OpenGL in words, or why there is none; filled in by the caller */
};

/* Lists the devices of every backend; a backend without devices has one entry that tells why.
 * Returns their number. */
int app_devices_list(struct app_device_entry entries[APP_DEVICES_MAX]);

/* Collects everything but `gl`. Connects to each device, and opens its probes in little memory, to
 * read the kernels; a device that fails meanwhile, or whose memory is full, is described without
 * them. */
void app_info_collect(const struct app_environment *environment, struct app_info *info);
void app_info_free(struct app_info *info);

/* Print a line per device; the program's version, the machine, every device with its properties and
 * kernels, and OpenGL. */
void app_describe_devices(const struct app_device_entry *entries, int count, FILE *out);
void app_describe_machine(const struct app_info *info, enum app_style style, FILE *out);

/* Format the same as JSON, to be freed by the caller. */
char *app_devices_json(const struct app_device_entry *entries, int count);
char *app_info_json(const struct app_info *info);

/* Formats a whole number with blanks between groups of three digits, from five digits on. */
struct app_phrase app_grouped(int64_t number);

/* Formats the values of a property with its unit: "150 109 470 720 bytes (139.8 GiB)", "1024 x 1024
 * x 64", "yes"; "not known". */
struct app_phrase app_property_text(const struct krn_property *property);

/* Returns an attribute of a kernel, a member of an outcome; 0: not known. */
double app_kernel_number(const struct krn_kernel_attributes *kernel, enum app_member member);

/* Formats the attributes of a kernel in one line: "32 registers, occupancy 100 %, 8 blocks of 256
 * threads, constant 65 536 bytes", without the memories that it does not use; "not known". */
struct app_phrase app_kernel_text(const struct krn_kernel_attributes *kernel);
