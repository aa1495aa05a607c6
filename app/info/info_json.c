/* What --info tells, as JSON. */
#include "info/info.h"

#include "record/hardware_json.h"
#include "record/state_json.h"

#include <stdio.h>
#include <stdlib.h>

/* Adds a member. Returns false when memory is full, which a NULL value also means. */
static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* Returns the kernels as an array; NULL when memory is full. */
static json_t *kernels_of(const struct app_info_device *device)
{
    json_t *array = json_array();
    bool whole = array != NULL;
    for (size_t i = 0; whole && i < device->kernel_count; i++) {
        const struct app_info_kernel *kernel = &device->kernels[i];
        json_t *object = json_object();
        whole = json_array_append_new(array, object) == 0 &&
                put(object, "kernel", app_json_from_text(kernel->name)) &&
                (kernel->view == NULL || put(object, "view", app_json_from_text(kernel->view))) &&
                (kernel->at[0] == '\0' || put(object, "at", app_json_from_text(kernel->at))) &&
                put(object, "attributes", app_kernel_to_json(&kernel->attributes));
    }
    if (whole)
        return array;
    json_decref(array);
    return NULL;
}

static bool put_usable(json_t *object, const struct app_info_device *device)
{
    const struct krn_device_info *info = &device->device;
    bool whole = put(object, "driver", app_json_from_text(info->driver)) &&
                 put(object, "runtime", app_json_from_text(info->runtime)) &&
                 put(object, "pci_id", app_json_from_text(info->pci_id)) &&
                 put(object, "clock", app_json_from_text(info->clock)) &&
                 put(object, "properties",
                     app_properties_to_json(device->properties, device->property_count)) &&
                 put(object, "kernels", kernels_of(device));
    if (device->telemetry.valid)
        whole =
            whole && put(object, "driver_version", app_json_from_text(device->telemetry.driver));
    if (device->why_no_kernels[0] != '\0')
        whole = whole && put(object, "why_no_kernels", app_json_from_text(device->why_no_kernels));
    return whole;
}

/* Returns a device as an object; NULL when memory is full. */
static json_t *device_object(const struct app_info_device *device)
{
    const struct app_device_entry *entry = &device->entry;
    json_t *object = json_object();
    const bool whole =
        object != NULL && put(object, "backend", json_string(krn_backend_name(entry->backend))) &&
        put(object, "number", entry->number >= 0 ? json_integer(entry->number) : json_null()) &&
        put(object, "name", entry->name[0] != 0 ? app_json_from_text(entry->name) : json_null()) &&
        put(object, "usable", json_boolean(device->usable)) &&
        (entry->why[0] == 0 || put(object, "why", app_json_from_text(entry->why))) &&
        (!device->usable || put_usable(object, device));
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

char *app_info_json(const struct app_info *info)
{
    const struct app_environment *environment = info->environment;
    json_t *root = json_object(), *devices = json_array();
    bool whole = put(root, "schema", json_string(APP_INFO_SCHEMA)) &&
                 put(root, "version", app_json_from_text(environment->version)) &&
                 put(root, "git", app_json_from_text(environment->git)) &&
                 put(root, "host", app_json_from_text(environment->host)) &&
                 put(root, "os", app_json_from_text(environment->os)) &&
                 put(root, "system", app_json_from_text(environment->system)) &&
                 put(root, "cpu", app_json_from_text(environment->cpu)) &&
                 put(root, "cpu_threads", json_integer(environment->cpu_threads)) &&
                 put(root, "opengl", app_json_from_text(info->gl));
    for (int i = 0; whole && i < info->count; i++)
        whole = json_array_append_new(devices, device_object(&info->devices[i])) == 0;
    whole = put(root, "devices", devices) && whole;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    whole = out != NULL && whole &&
            json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
            fputc('\n', out) != EOF;
    json_decref(root);
    if (out == NULL || fclose(out) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
}
