#include "info/info.h"

#include "base/memory.h"

#include "krn/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The picture whose kernels are listed: the book's. */
enum { SIDE = 1024 };

/* Memory for the probes, whose kernels do not depend on it. */
static const size_t probe_bytes = (size_t)256 << 20;

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

/* Appends a kernel. */
static struct app_info_kernel *append(struct app_info_device *device)
{
    if (device->kernel_count == device->kernel_room) {
        device->kernel_room = device->kernel_room > 0 ? 2 * device->kernel_room : 64;
        device->kernels = app_grow(device->kernels, device->kernel_room, sizeof *device->kernels);
    }
    struct app_info_kernel *kernel = &device->kernels[device->kernel_count++];
    memset(kernel, 0, sizeof *kernel);
    return kernel;
}

/* Lists the kernels of every mode that can render the scene on the device, view by view. */
static enum krn_code list_modes(struct app_info_device *device, struct krn_device *connected,
                                struct krn_error *error)
{
    const struct krn_view view = {
        .width = SIDE, .height = SIDE, .unit = 1.0f, .light = krn_light_default()};
    for (int i = 0; i < KRN_MODES; i++) {
        const struct krn_mode mode = krn_mode_at(i);
        struct krn_kernels kernels;
        const enum krn_code code = krn_device_kernels(connected, mode, &view, &kernels, error);
        if (code == KRN_REFUSED)
            continue;
        if (code != KRN_OK)
            return code;
        for (int k = 0; k < kernels.count; k++) {
            struct app_info_kernel *kernel = append(device);
            krn_mode_name(mode, kernel->name, sizeof kernel->name);
            kernel->view = krn_view_name(krn_mode_view(mode));
            if (kernels.count > 1)
                snprintf(kernel->at, sizeof kernel->at, "launch %d of %d", k + 1, kernels.count);
            kernel->attributes = kernels.list[k];
        }
    }
    return KRN_OK;
}

/* Returns true when both are launches of one kernel that fill a multiprocessor alike. */
static bool alike(const struct krn_kernel_attributes *a, const struct krn_kernel_attributes *b)
{
    return a->registers == b->registers && a->static_shared_bytes == b->static_shared_bytes &&
           a->dynamic_shared_bytes == b->dynamic_shared_bytes && a->local_bytes == b->local_bytes &&
           a->constant_bytes == b->constant_bytes && a->threads == b->threads &&
           a->blocks_per_processor == b->blocks_per_processor;
}

/* Lists the kernels of every probe; neighbouring points of a series whose launches fill a
 * multiprocessor alike are one entry. */
static enum krn_code list_probes(struct app_info_device *device, struct krn_device *connected,
                                 struct krn_error *error)
{
    struct krn_probes *probes = NULL;
    enum krn_code code = krn_probes_open(connected, KRN_TOPICS_ALL, probe_bytes, &probes, error);
    for (int i = 0; code == KRN_OK && i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i),
                               *before = i > 0 ? krn_probes_at(probes, i - 1) : NULL;
        const bool same = before != NULL && before->topic == probe->topic &&
                          strcmp(before->series, probe->series) == 0 &&
                          alike(&before->kernel, &probe->kernel);
        if (probe->blocks == 0 || same) /* a copy has no kernel */
            continue;
        struct app_info_kernel *kernel = append(device);
        snprintf(kernel->name, sizeof kernel->name, "%s %s", krn_topic_name(probe->topic),
                 probe->series);
        snprintf(kernel->at, sizeof kernel->at, "%s %.0f", probe->axis, probe->x);
        kernel->attributes = probe->kernel;
    }
    krn_probes_close(probes);
    return code;
}

/* Lists the kernels; what could not be listed is told in why_no_kernels: a device whose memory
 * other programs have filled is described without them. */
static void list_kernels(struct app_info_device *device)
{
    struct krn_error error;
    struct krn_device *connected = NULL;
    struct krn_scene scene = {.spheres = NULL};
    const struct krn_scene_recipe book = krn_scene_book();
    enum krn_code code =
        krn_backend_get(device->entry.backend)->connect(device->entry.number, &connected, &error);
    if (code == KRN_OK)
        code = krn_scene_generate(&scene, &book, &error);
    if (code == KRN_OK)
        code = krn_device_set_scene(connected, &scene, &error);
    if (code == KRN_OK)
        code = list_modes(device, connected, &error);
    if (code == KRN_OK)
        code = list_probes(device, connected, &error);
    krn_scene_free(&scene);
    krn_device_close(connected);
    if (code != KRN_OK)
        snprintf(device->why_no_kernels, sizeof device->why_no_kernels, "%s", error.text);
}

static void collect_device(struct app_info_device *device)
{
    const struct krn_backend *backend = krn_backend_get(device->entry.backend);
    struct krn_error error;
    if (device->entry.why[0] != '\0' ||
        backend->describe(device->entry.number, &device->device, &error) != KRN_OK)
        return;
    device->usable = true;
    if (device->device.can.telemetry)
        krn_telemetry_query(device->device.pci_id, &device->telemetry);
    (void)krn_properties_read(device->entry.backend, device->entry.number, device->properties,
                              &device->property_count, &error);
    list_kernels(device);
}

void app_info_collect(const struct app_environment *environment, struct app_info *info)
{
    struct app_device_entry entries[APP_DEVICES_MAX];
    memset(info, 0, sizeof *info);
    info->environment = environment;
    const int count = app_devices_list(entries);
    info->devices = app_alloc((size_t)count, sizeof *info->devices);
    info->count = count;
    for (int i = 0; i < count; i++) {
        info->devices[i].entry = entries[i];
        collect_device(&info->devices[i]);
        info->gpus += info->devices[i].usable && !info->devices[i].device.can.host_images;
    }
}

void app_info_free(struct app_info *info)
{
    for (int i = 0; i < info->count; i++)
        free(info->devices[i].kernels);
    free(info->devices);
    memset(info, 0, sizeof *info);
}
