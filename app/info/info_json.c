/* What --info and --list-devices tell, as JSON. */
#include "info/info.h"

#include "record/hardware_json.h"
#include "record/state_json.h"

#include <stdio.h>
#include <stdlib.h>

/* Adds a member, and returns the object. NULL, which frees the object: memory is full, which an
 * object or a value of NULL also means. */
static json_t *put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *put_text(json_t *object, const char *key, const char *text)
{
    return put(object, key, app_json_from_text(text));
}

/* Adds an element as put adds a member. */
static json_t *append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *entry_object(const struct app_device_entry *entry, bool usable)
{
    json_t *object = json_object();
    object = put_text(object, "backend", krn_backend_name(entry->backend));
    object = put(object, "number", entry->number >= 0 ? json_integer(entry->number) : json_null());
    object = put(object, "name", entry->name[0] ? app_json_from_text(entry->name) : json_null());
    object = put(object, "usable", json_boolean(usable));
    return entry->why[0] ? put_text(object, "why", entry->why) : object;
}

static json_t *kernel_object(const struct app_info_kernel *kernel)
{
    json_t *object = put_text(json_object(), "kernel", kernel->name);
    if (kernel->view)
        object = put_text(object, "view", kernel->view);
    if (kernel->at[0])
        object = put_text(object, "at", kernel->at);
    return put(object, "attributes", app_kernel_to_json(&kernel->attributes));
}

static json_t *device_object(const struct app_info_device *device)
{
    const struct krn_device_info *info = &device->device;
    json_t *object = entry_object(&device->entry, device->usable);
    if (!device->usable)
        return object;
    object = put_text(object, "driver", info->driver);
    object = put_text(object, "runtime", info->runtime);
    object = put_text(object, "pci_id", info->pci_id);
    object = put_text(object, "clock", info->clock);
    object = put(object, "properties",
                 app_properties_to_json(device->properties, device->property_count));
    json_t *kernels = json_array();
    for (size_t i = 0; i < device->kernel_count; i++)
        kernels = append(kernels, kernel_object(&device->kernels[i]));
    object = put(object, "kernels", kernels);
    if (device->telemetry.valid)
        object = put_text(object, "driver_version", device->telemetry.driver);
    return device->why_no_kernels[0] ? put_text(object, "why_no_kernels", device->why_no_kernels)
                                     : object;
}

char *app_devices_json(const struct app_device_entry *entries, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    bool whole = true;
    fputs("{\n\"schema\": \"" APP_DEVICES_SCHEMA "\",\n\"devices\": [", out);
    for (int i = 0; i < count; i++) {
        json_t *object = entry_object(&entries[i], entries[i].why[0] == 0);
        fputs(i > 0 ? ",\n" : "\n", out);
        whole = object != NULL && json_dumpf(object, out, 0) == 0 && whole;
        json_decref(object);
    }
    fputs("\n]\n}\n", out);
    whole = ferror(out) == 0 && whole;
    if (fclose(out) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
}

char *app_info_json(const struct app_info *info)
{
    const struct app_environment *environment = info->environment;
    json_t *root = put_text(json_object(), "schema", APP_INFO_SCHEMA), *devices = json_array();
    root = put_text(root, "version", environment->version);
    root = put_text(root, "git", environment->git);
    root = put_text(root, "host", environment->host);
    root = put_text(root, "os", environment->os);
    root = put_text(root, "system", environment->system);
    root = put_text(root, "cpu", environment->cpu);
    root = put(root, "cpu_threads", json_integer(environment->cpu_threads));
    root = put_text(root, "opengl", info->gl);
    for (int i = 0; i < info->count; i++)
        devices = append(devices, device_object(&info->devices[i]));
    root = put(root, "devices", devices);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const bool whole = out != NULL && root != NULL &&
                       json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
                       fputc('\n', out) != EOF;
    json_decref(root);
    if (out == NULL || fclose(out) != 0 || !whole) {
        free(text);
        return NULL;
    }
    return text;
}
