#include "record/record_json.h"

#include "record/pair.h"

#include <stdio.h>

static json_t *value_of(const struct krn_property *property)
{
    char version[48];
    if (!property->known)
        return json_null();
    switch (property->kind) {
    case KRN_PROPERTY_TEXT:
        return app_json_from_text(property->text);
    case KRN_PROPERTY_FLAG:
        return json_boolean(property->values[0] != 0);
    case KRN_PROPERTY_VERSION:
        snprintf(version, sizeof version, "%lld.%lld", (long long)property->values[0],
                 (long long)property->values[1]);
        return json_string(version);
    case KRN_PROPERTY_COUNT:
    case KRN_PROPERTY_BYTES:
    case KRN_PROPERTY_BITS:
    case KRN_PROPERTY_KHZ:
        break;
    }
    if (property->count == 1)
        return json_integer(property->values[0]);
    json_t *array = json_array();
    for (int i = 0; i < property->count; i++)
        json_array_append_new(array, json_integer(property->values[i]));
    return array;
}

json_t *app_properties_to_json(const struct krn_property *list, int count)
{
    json_t *object = json_object();
    for (int i = 0; i < count; i++)
        json_object_set_new(object, list[i].key, value_of(&list[i]));
    return object;
}

size_t app_kernel_pairs(const struct krn_kernel_attributes *kernel,
                        struct app_pair pairs[APP_KERNEL_PAIRS])
{
    if (!krn_kernel_known(kernel))
        return 0;
    const struct app_pair all[APP_KERNEL_PAIRS] = {
        {"registers", kernel->registers, NULL},
        {"static_shared_bytes", (double)kernel->static_shared_bytes, NULL},
        {"dynamic_shared_bytes", (double)kernel->dynamic_shared_bytes, NULL},
        {"local_bytes", (double)kernel->local_bytes, NULL},
        {"constant_bytes", (double)kernel->constant_bytes, NULL},
        {"threads_max", kernel->threads_max, NULL},
        {"launch_threads", kernel->threads, NULL},
        {"launch_blocks", kernel->blocks, NULL},
        {"blocks_per_processor", kernel->blocks_per_processor, NULL},
        {"occupancy_percent", 100.0 * kernel->occupancy, NULL},
    };
    for (size_t i = 0; i < APP_KERNEL_PAIRS; i++)
        pairs[i] = all[i];
    return APP_KERNEL_PAIRS;
}

json_t *app_kernel_to_json(const struct krn_kernel_attributes *kernel)
{
    struct app_pair pairs[APP_KERNEL_PAIRS];
    const size_t count = app_kernel_pairs(kernel, pairs);
    if (count == 0)
        return json_null();
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, pairs[i].key, app_json_from_number(pairs[i].number));
    return object;
}
