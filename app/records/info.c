/* The devices of this machine: collected, in words and as JSON. */
#include "records/info.h"

#include "records/json.h"

#include "krn/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- collecting --- */

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
    device->kernels = krn_grow(device->kernels, device->kernel_count + 1, sizeof *device->kernels);
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
    KRN_THEN(code, krn_scene_generate(&scene, &book, &error));
    KRN_THEN(code, krn_device_set_scene(connected, &scene, &error));
    KRN_THEN(code, list_modes(device, connected, &error));
    KRN_THEN(code, list_probes(device, connected, &error));
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
    info->devices = krn_alloc((size_t)count, sizeof *info->devices);
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

/* --- values in words --- */

struct app_phrase app_grouped(int64_t number)
{
    enum { GROUP = 3, UNGROUPED = 4 };
    char digits[24];
    struct app_phrase grouped = {""};
    const int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && length > UNGROUPED && (length - i) % GROUP == 0)
            grouped.text[used++] = ' ';
        grouped.text[used++] = digits[i];
    }
    grouped.text[used] = '\0';
    return grouped;
}

/* Formats bytes, from 1 KiB on also with the unit that suits them. */
static struct app_phrase bytes_text(int64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    const struct app_phrase grouped = app_grouped(bytes);
    double large = (double)bytes / 1024.0;
    size_t u = 0;
    for (; u + 1 < sizeof units / sizeof *units && large >= 1024.0; u++)
        large /= 1024.0;
    if (large < 1.0)
        return app_phrase("%s bytes", grouped.text);
    return app_phrase("%s bytes (%.*f %s)", grouped.text,
                      large < 1e3 && large != (double)(int64_t)large ? 1 : 0, large, units[u]);
}

struct app_phrase app_property_text(const struct krn_property *property)
{
    const int64_t *values = property->values;
    struct app_phrase counts = {""};
    if (!property->known)
        return app_phrase("not known");
    switch (property->kind) {
    case KRN_PROPERTY_TEXT:
        return app_phrase("%s", property->text);
    case KRN_PROPERTY_BYTES:
        return bytes_text(values[0]);
    case KRN_PROPERTY_BITS:
        return app_phrase("%s bit", app_grouped(values[0]).text);
    case KRN_PROPERTY_KHZ:
        return app_phrase("%s kHz (%.2f GHz)", app_grouped(values[0]).text,
                          (double)values[0] / 1e6);
    case KRN_PROPERTY_VERSION:
        return app_phrase("%" PRId64 ".%" PRId64, values[0], values[1]);
    case KRN_PROPERTY_FLAG:
        return app_phrase("%s", values[0] != 0 ? "yes" : "no");
    case KRN_PROPERTY_COUNT:
        for (int i = 0; i < property->count; i++)
            counts =
                app_phrase("%s%s%s", counts.text, i > 0 ? " x " : "", app_grouped(values[i]).text);
    }
    return counts;
}

double app_kernel_number(const struct krn_kernel_attributes *kernel, enum app_member member)
{
    struct app_pair pairs[APP_PAIRS_MAX];
    const struct app_pairs list = {pairs, app_fields_list(&app_fields_of_kernel, kernel, pairs)};
    return app_pairs_number(list, app_members[member].key, 0.0);
}

struct app_phrase app_kernel_text(const struct krn_kernel_attributes *kernel)
{
    if (!krn_kernel_known(kernel))
        return app_phrase("not known");
    const struct {
        const char *name;
        size_t bytes;
    } memories[] = {{"shared", kernel->static_shared_bytes + kernel->dynamic_shared_bytes},
                    {"constant", kernel->constant_bytes},
                    {"spilled", kernel->local_bytes}};
    struct app_phrase made =
        app_phrase("%d registers, occupancy %.0f %%, %d block%s of %d threads", kernel->registers,
                   100.0 * kernel->occupancy, kernel->blocks_per_processor,
                   kernel->blocks_per_processor == 1 ? "" : "s", kernel->threads);
    for (int i = 0; i < 3; i++)
        if (memories[i].bytes > 0)
            made = app_phrase("%s, %s %s bytes", made.text, memories[i].name,
                              app_grouped((int64_t)memories[i].bytes).text);
    return made;
}

/* --- as text --- */

void app_describe_devices(const struct app_device_entry *entries, int count, FILE *out)
{
    for (int i = 0; i < count; i++) {
        const struct app_device_entry *entry = &entries[i];
        fprintf(out, "%-5s %s  %s\n", krn_backend_name(entry->backend),
                app_phrase(entry->number < 0 ? "-" : "%d", entry->number).text,
                entry->why[0] != 0 ? entry->why : entry->name);
    }
}

/* Prints the driver's version and the device's clocks, power and temperature. */
static void print_telemetry(const struct krn_telemetry_reading *now, FILE *out)
{
    char throttle[128];
    if (!now->valid) {
        fprintf(out, "  %s\n", now->reason);
        return;
    }
    krn_throttle_text(now->throttle, throttle, sizeof throttle);
    fprintf(out,
            "  driver %s, now %.0f of %.0f MHz, memory %.0f of %.0f MHz, %.0f W, %.0f degrees C, "
            "held by: %s (asked in %.1f ms)\n",
            now->driver, now->clock_mhz, now->clock_max_mhz, now->memory_clock_mhz,
            now->memory_clock_max_mhz, now->power_w, now->temperature_c,
            now->throttle_known ? throttle : "n/a", now->cost_ms);
}

/* Prints a GPU's compute capability, clocks and memory. */
static void print_gpu(const struct app_info_device *device, FILE *out)
{
    const struct krn_device_info *info = &device->device;
    fprintf(out, ", compute capability %d.%d\n", info->compute_major, info->compute_minor);
    print_telemetry(&device->telemetry, out);
    fprintf(out,
            "  %.0f MHz at most, memory %.0f MHz x %d bit = %.0f GB/s theoretical, L2 %.0f MiB",
            info->clock_max_mhz, info->memory_clock_mhz, info->memory_bus_bits,
            krn_ceilings_of(info).bandwidth_gbps, (double)info->l2_bytes / (1 << 20));
}

/* Prints the properties in aligned columns: key, value, what it is. */
static void print_properties(const struct app_info_device *device, FILE *out)
{
    int key_width = 0, value_width = 0;
    for (int i = 0; i < device->property_count; i++) {
        const struct krn_property *property = &device->properties[i];
        const int key = (int)strlen(property->key),
                  value = (int)strlen(app_property_text(property).text);
        key_width = key > key_width ? key : key_width;
        value_width =
            value > value_width && property->kind != KRN_PROPERTY_TEXT ? value : value_width;
    }
    for (int i = 0; i < device->property_count; i++) {
        const struct krn_property *property = &device->properties[i];
        const struct app_phrase value = app_property_text(property);
        fprintf(out, "  %-*s  ", key_width, property->key);
        if (property->kind == KRN_PROPERTY_TEXT)
            fprintf(out, "%s\n", value.text);
        else
            fprintf(out, "%-*s  %s\n", value_width, value.text, property->words);
    }
}

enum { SHOWS_NAME, SHOWS_VIEW, SHOWS_AT, SHOWS_NUMBER };

static bool write_kernel(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct app_info_kernel *kernel = of;
    const enum app_member member = (enum app_member)column->of;
    const double number = app_kernel_number(&kernel->attributes, member);
    if (column->shows == SHOWS_NAME)
        return app_table_cell(table, "%s", kernel->name);
    if (column->shows == SHOWS_VIEW)
        return kernel->view && app_table_cell(table, "%s", kernel->view);
    if (column->shows == SHOWS_AT)
        return app_table_cell(table, "%s", kernel->at);
    if (!krn_kernel_known(&kernel->attributes))
        return member == APP_O_REGISTERS && app_table_cell(table, "not known");
    return number > 0.0 &&
           app_table_cell(table, "%.0f%s", number, member == APP_O_OCCUPANCY_PERCENT ? " %" : "");
}

static void print_kernels(const struct app_info_device *device, enum app_style style, FILE *out)
{
    static const struct app_column first[] = {
        {"kernel", .shows = SHOWS_NAME}, {"view", .shows = SHOWS_VIEW}, {"at", .shows = SHOWS_AT}};
    static const struct app_column most = {"at most", APP_ALIGN_RIGHT, .shows = SHOWS_NUMBER,
                                           .of = APP_O_THREADS_MAX};
    struct app_table *table = app_table_new(app_phrase("Kernels on %s", device->device.name).text);
    app_table_about(
        table, "the ray tracer's for pictures of the book's scene, and those of the panels; bytes "
               "of shared and constant memory per block, of spilled registers per "
               "thread");
    app_table_columns(table, APP_COLUMNS(first));
    for (int i = 0; i < APP_RESOURCES; i++) {
        const struct app_column column = {app_resources[i].title, APP_ALIGN_RIGHT,
                                          .shows = SHOWS_NUMBER,
                                          .of = (int)app_resources[i].member};
        app_table_columns(table, &column, 1);
        if (app_resources[i].member == APP_O_LAUNCH_THREADS)
            app_table_columns(table, &most, 1);
    }
    for (size_t i = 0; i < device->kernel_count; i++)
        app_table_add(table, write_kernel, &device->kernels[i]);
    app_table_print(table, style, out);
    app_table_free(table);
}

static void print_device(const struct app_info_device *device, enum app_style style, FILE *out)
{
    const struct krn_device_info *info = &device->device;
    fprintf(out, "%s device %d: %s\n", krn_backend_name(info->backend), info->ordinal, info->name);
    fprintf(out, "  runtime %s, driver%s %s, PCI %s, clock %s\n", info->runtime,
            info->backend == KRN_BACKEND_CUDA ? " for CUDA" : "", info->driver, info->pci_id,
            info->clock);
    fprintf(out, "  %d processors, %.1f GiB memory", info->processors,
            (double)info->memory_bytes / (1 << 30));
    if (info->can.telemetry)
        print_gpu(device, out);
    fprintf(out, "\n");
    print_properties(device, out);
    if (device->why_no_kernels[0] != '\0')
        fprintf(out, "  kernels: %s\n", device->why_no_kernels);
    if (device->kernel_count == 0)
        return;
    fprintf(out, "\n"); /* in Markdown, what touches a table is a row of it */
    print_kernels(device, style, out);
    fprintf(out, "\n");
}

void app_describe_machine(const struct app_info *info, enum app_style style, FILE *out)
{
    const struct app_environment *environment = info->environment;
    fprintf(out, "spherescope %s\n%s\nhost %s, %s, %s\n", app_version_text(), app_version_build(),
            environment->host, environment->os, environment->system);
    for (int i = 0; i < info->count; i++) {
        const struct app_info_device *device = &info->devices[i];
        if (device->usable)
            print_device(device, style, out);
        else
            fprintf(out, "%s: %s\n", krn_backend_name(device->entry.backend), device->entry.why);
    }
    fprintf(out, "OpenGL: %s\n", info->gl);
}

/* --- as JSON --- */

static json_t *entry_object(const struct app_device_entry *entry, bool usable)
{
    json_t *object = json_object();
    app_json_put(object, "backend", krn_backend_name(entry->backend));
    json_object_set_new(object, "number",
                        entry->number >= 0 ? json_integer(entry->number) : json_null());
    json_object_set_new(object, "name",
                        entry->name[0] ? app_json_from_text(entry->name) : json_null());
    json_object_set_new(object, "usable", json_boolean(usable));
    if (entry->why[0])
        app_json_put(object, "why", entry->why);
    return object;
}

/* Returns the attributes as an object, null when they are not known. */
static json_t *attributes_object(const struct krn_kernel_attributes *kernel)
{
    struct app_pair pairs[APP_PAIRS_MAX];
    return krn_kernel_known(kernel)
               ? app_json_from_pairs((struct app_pairs){
                     pairs, app_fields_list(&app_fields_of_kernel, kernel, pairs)})
               : json_null();
}

static json_t *kernel_object(const struct app_info_kernel *kernel)
{
    json_t *object = json_object();
    app_json_put(object, "kernel", kernel->name);
    app_json_put(object, "view", kernel->view);
    if (kernel->at[0])
        app_json_put(object, "at", kernel->at);
    json_object_set_new(object, "attributes", attributes_object(&kernel->attributes));
    return object;
}

static json_t *device_object(const struct app_info_device *device)
{
    const struct krn_device_info *info = &device->device;
    json_t *object = entry_object(&device->entry, device->usable);
    if (!device->usable)
        return object;
    app_json_put(object, "driver", info->driver);
    app_json_put(object, "runtime", info->runtime);
    app_json_put(object, "pci_id", info->pci_id);
    app_json_put(object, "clock", info->clock);
    json_object_set_new(object, "properties",
                        app_properties_to_json(device->properties, device->property_count));
    json_t *kernels = json_array();
    for (size_t i = 0; i < device->kernel_count; i++)
        json_array_append_new(kernels, kernel_object(&device->kernels[i]));
    json_object_set_new(object, "kernels", kernels);
    if (device->telemetry.valid)
        app_json_put(object, "driver_version", device->telemetry.driver);
    if (device->why_no_kernels[0])
        app_json_put(object, "why_no_kernels", device->why_no_kernels);
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
    return krn_printed(write_entries, &(struct entries){entries, count});
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
    app_json_put(root, "schema", APP_INFO_SCHEMA);
    app_json_put(root, "version", environment->version);
    app_json_put(root, "git", environment->git);
    app_json_put(root, "host", environment->host);
    app_json_put(root, "os", environment->os);
    app_json_put(root, "system", environment->system);
    app_json_put(root, "cpu", environment->cpu);
    json_object_set_new(root, "cpu_threads", json_integer(environment->cpu_threads));
    app_json_put(root, "opengl", info->gl);
    for (int i = 0; i < info->count; i++)
        json_array_append_new(devices, device_object(&info->devices[i]));
    json_object_set_new(root, "devices", devices);
    char *text = krn_printed(write_info, root);
    json_decref(root);
    return text;
}
