/* What --info and --list-devices tell, as JSON. */
#include "info/info.h"

#include "base/memory.h"
#include "io/json.h"
#include "model/model.h"

#include <stdio.h>

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, app_json_from_text(text));
}

static json_t *entry_object(const struct app_device_entry *entry, bool usable)
{
    json_t *object = json_object();
    put_text(object, "backend", krn_backend_name(entry->backend));
    json_object_set_new(object, "number",
                        entry->number >= 0 ? json_integer(entry->number) : json_null());
    json_object_set_new(object, "name",
                        entry->name[0] ? app_json_from_text(entry->name) : json_null());
    json_object_set_new(object, "usable", json_boolean(usable));
    if (entry->why[0])
        put_text(object, "why", entry->why);
    return object;
}

/* Returns the attributes as an object, null when they are not known. */
static json_t *attributes_object(const struct krn_kernel_attributes *kernel)
{
    struct app_pair pairs[APP_PAIRS_MAX];
    if (!krn_kernel_known(kernel))
        return json_null();
    const size_t count = app_fields_list(&app_fields_of_kernel, kernel, pairs);
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, pairs[i].key, app_json_from_number(pairs[i].number));
    return object;
}

static json_t *kernel_object(const struct app_info_kernel *kernel)
{
    json_t *object = json_object();
    put_text(object, "kernel", kernel->name);
    if (kernel->view)
        put_text(object, "view", kernel->view);
    if (kernel->at[0])
        put_text(object, "at", kernel->at);
    json_object_set_new(object, "attributes", attributes_object(&kernel->attributes));
    return object;
}

static json_t *device_object(const struct app_info_device *device)
{
    const struct krn_device_info *info = &device->device;
    json_t *object = entry_object(&device->entry, device->usable);
    if (!device->usable)
        return object;
    put_text(object, "driver", info->driver);
    put_text(object, "runtime", info->runtime);
    put_text(object, "pci_id", info->pci_id);
    put_text(object, "clock", info->clock);
    json_object_set_new(object, "properties",
                        app_properties_to_json(device->properties, device->property_count));
    json_t *kernels = json_array();
    for (size_t i = 0; i < device->kernel_count; i++)
        json_array_append_new(kernels, kernel_object(&device->kernels[i]));
    json_object_set_new(object, "kernels", kernels);
    if (device->telemetry.valid)
        put_text(object, "driver_version", device->telemetry.driver);
    if (device->why_no_kernels[0])
        put_text(object, "why_no_kernels", device->why_no_kernels);
    return object;
}

struct entries {
    const struct app_device_entry *entries;
    int count;
};

static void write_entries(FILE *out, const void *context)
{
    const struct entries *list = context;
    fputs("{\n\"schema\": \"" APP_DEVICES_SCHEMA "\",\n\"devices\": [", out);
    for (int i = 0; i < list->count; i++) {
        json_t *object = entry_object(&list->entries[i], list->entries[i].why[0] == 0);
        fputs(i > 0 ? ",\n" : "\n", out);
        json_dumpf(object, out, 0);
        json_decref(object);
    }
    fputs("\n]\n}\n", out);
}

char *app_devices_json(const struct app_device_entry *entries, int count)
{
    return app_printed(write_entries, &(struct entries){entries, count});
}

static void write_info(FILE *out, const void *root)
{
    json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
}

char *app_info_json(const struct app_info *info)
{
    const struct app_environment *environment = info->environment;
    json_t *root = json_object(), *devices = json_array();
    put_text(root, "schema", APP_INFO_SCHEMA);
    put_text(root, "version", environment->version);
    put_text(root, "git", environment->git);
    put_text(root, "host", environment->host);
    put_text(root, "os", environment->os);
    put_text(root, "system", environment->system);
    put_text(root, "cpu", environment->cpu);
    json_object_set_new(root, "cpu_threads", json_integer(environment->cpu_threads));
    put_text(root, "opengl", info->gl);
    for (int i = 0; i < info->count; i++)
        json_array_append_new(devices, device_object(&info->devices[i]));
    json_object_set_new(root, "devices", devices);
    char *text = app_printed(write_info, root);
    json_decref(root);
    return text;
}
