#include "info/devices.h"

#include "record/state_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int app_devices_list(struct app_device_entry entries[APP_DEVICES_MAX])
{
    int n = 0;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const struct krn_backend *backend = krn_backend_get((enum krn_backend_id)id);
        struct krn_error error;
        int devices = 0;
        if (backend->count(&devices, &error) != KRN_OK && n < APP_DEVICES_MAX) {
            struct app_device_entry *entry = &entries[n++];
            *entry = (struct app_device_entry){backend->id, -1, "", ""};
            snprintf(entry->why, sizeof entry->why, "%s", error.text);
            continue;
        }
        for (int i = 0; i < devices && n < APP_DEVICES_MAX; i++) {
            struct app_device_entry *entry = &entries[n++];
            struct krn_device_info info;
            *entry = (struct app_device_entry){backend->id, i, "", ""};
            if (backend->describe(i, &info, &error) == KRN_OK)
                snprintf(entry->name, sizeof entry->name, "%s", info.name);
            else
                snprintf(entry->why, sizeof entry->why, "%s", error.text);
        }
    }
    return n;
}

/* Returns the entry as an object; NULL when memory is full. */
static json_t *entry_object(const struct app_device_entry *entry)
{
    json_t *object = json_object();
    json_t *number = entry->number >= 0 ? json_integer(entry->number) : json_null();
    json_t *name = entry->name[0] != 0 ? app_json_from_text(entry->name) : json_null();
    bool whole =
        json_object_set_new(object, "backend", json_string(krn_backend_name(entry->backend))) == 0;
    whole = json_object_set_new(object, "number", number) == 0 && whole;
    whole = json_object_set_new(object, "name", name) == 0 && whole;
    whole = json_object_set_new(object, "usable", json_boolean(entry->why[0] == 0)) == 0 && whole;
    if (entry->why[0] != 0)
        whole = json_object_set_new(object, "why", app_json_from_text(entry->why)) == 0 && whole;
    if (whole)
        return object;
    json_decref(object);
    return NULL;
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
        json_t *object = entry_object(&entries[i]);
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
