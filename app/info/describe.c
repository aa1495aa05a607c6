#include "info/info.h"

#include "base/value.h"

#include "krn/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void app_describe_devices(const struct app_device_entry *entries, int count)
{
    for (int i = 0; i < count; i++) {
        const struct app_device_entry *entry = &entries[i];
        char number[16] = "-";
        if (entry->number >= 0)
            snprintf(number, sizeof number, "%d", entry->number);
        printf("%-5s %s  %s\n", krn_backend_name(entry->backend), number,
               entry->why[0] != 0 ? entry->why : entry->name);
    }
}

/* Prints the driver's version and the device's clocks, power and temperature. */
static void print_telemetry(const struct krn_telemetry_reading *now)
{
    char throttle[128];
    if (!now->valid) {
        printf("  %s\n", now->reason);
        return;
    }
    krn_throttle_text(now->throttle, throttle, sizeof throttle);
    fprintf(stdout,
            "  driver %s, now %.0f of %.0f MHz, memory %.0f of %.0f MHz, %.0f W, %.0f degrees C, "
            "held by: %s (asked in %.1f ms)\n",
            now->driver, now->clock_mhz, now->clock_max_mhz, now->memory_clock_mhz,
            now->memory_clock_max_mhz, now->power_w, now->temperature_c,
            now->throttle_known ? throttle : "n/a", now->cost_ms);
}

/* Prints a GPU's compute capability, clocks and memory. */
static void print_gpu(const struct app_info_device *device)
{
    const struct krn_device_info *info = &device->device;
    printf(", compute capability %d.%d\n", info->compute_major, info->compute_minor);
    print_telemetry(&device->telemetry);
    printf("  %.0f MHz at most, memory %.0f MHz x %d bit = %.0f GB/s theoretical, L2 %.0f MiB",
           info->clock_max_mhz, info->memory_clock_mhz, info->memory_bus_bits,
           krn_ceilings_of(info).bandwidth_gbps, (double)info->l2_bytes / (1 << 20));
}

/* Prints the properties in aligned columns: key, value, what it is. */
static void print_properties(const struct app_info_device *device)
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
        const struct app_hardware_text value = app_property_text(property);
        printf("  %-*s  ", key_width, property->key);
        if (property->kind == KRN_PROPERTY_TEXT)
            printf("%s\n", value.text);
        else
            printf("%-*s  %s\n", value_width, value.text, property->words);
    }
}

/* Adds a number of bytes; nothing for 0. */
static void bytes_cell(struct app_table *table, size_t bytes)
{
    if (bytes > 0)
        app_table_cell(table, "%zu", bytes);
    else
        app_table_cell(table, "%s", "");
}

static void print_kernels(const struct app_info_device *device, enum app_style style)
{
    char title[192];
    snprintf(title, sizeof title, "Kernels on %s", device->device.name);
    struct app_table *table = app_table_new(title);
    app_table_about(
        table, "the ray tracer's for pictures of the book's scene, and those of the panels; bytes "
               "of shared and constant memory per block, of spilled registers per "
               "thread");
    app_table_column(table, "kernel", APP_ALIGN_LEFT);
    app_table_column(table, "view", APP_ALIGN_LEFT);
    app_table_column(table, "at", APP_ALIGN_LEFT);
    app_table_column(table, "registers", APP_ALIGN_RIGHT);
    app_table_column(table, "static shared", APP_ALIGN_RIGHT);
    app_table_column(table, "dynamic shared", APP_ALIGN_RIGHT);
    app_table_column(table, "constant", APP_ALIGN_RIGHT);
    app_table_column(table, "spilled", APP_ALIGN_RIGHT);
    app_table_column(table, "threads per block", APP_ALIGN_RIGHT);
    app_table_column(table, "at most", APP_ALIGN_RIGHT);
    app_table_column(table, "blocks per SM", APP_ALIGN_RIGHT);
    app_table_column(table, "occupancy", APP_ALIGN_RIGHT);
    for (size_t i = 0; i < device->kernel_count; i++) {
        const struct app_info_kernel *kernel = &device->kernels[i];
        const struct krn_kernel_attributes *of = &kernel->attributes;
        app_table_row(table);
        app_table_cell(table, "%s", kernel->name);
        app_table_cell(table, "%s", kernel->view ? kernel->view : "");
        app_table_cell(table, "%s", kernel->at);
        if (!krn_kernel_known(of)) {
            app_table_cell(table, "not known");
            continue;
        }
        app_table_cell(table, "%d", of->registers);
        bytes_cell(table, of->static_shared_bytes);
        bytes_cell(table, of->dynamic_shared_bytes);
        bytes_cell(table, of->constant_bytes);
        bytes_cell(table, of->local_bytes);
        app_table_cell(table, "%d", of->threads);
        app_table_cell(table, "%d", of->threads_max);
        app_table_cell(table, "%d", of->blocks_per_processor);
        app_table_cell(table, "%.0f %%", 100.0 * of->occupancy);
    }
    app_table_print(table, style, stdout);
    app_table_free(table);
}

static void print_device(const struct app_info_device *device, enum app_style style)
{
    const struct krn_device_info *info = &device->device;
    printf("%s device %d: %s\n", krn_backend_name(info->backend), info->ordinal, info->name);
    printf("  runtime %s, driver for CUDA %s, PCI %s, clock %s\n", info->runtime, info->driver,
           info->pci_id, info->clock);
    fprintf(stdout, "  %d processors, %.1f GiB memory", info->processors,
            (double)info->memory_bytes / (1 << 30));
    if (info->can.telemetry)
        print_gpu(device);
    printf("\n");
    print_properties(device);
    if (device->why_no_kernels[0] != '\0')
        printf("  kernels: %s\n", device->why_no_kernels);
    if (device->kernel_count == 0)
        return;
    printf("\n"); /* in Markdown, what touches a table is a row of it */
    print_kernels(device, style);
    printf("\n");
}

void app_describe_machine(const struct app_info *info, enum app_style style)
{
    const struct app_environment *environment = info->environment;
    printf("spherescope %s\nhost %s, %s, %s\n", app_version_text(), environment->host,
           environment->os, environment->system);
    for (int i = 0; i < info->count; i++) {
        const struct app_info_device *device = &info->devices[i];
        if (device->usable)
            print_device(device, style);
        else
            printf("%s: %s\n", krn_backend_name(device->entry.backend), device->entry.why);
    }
    printf("OpenGL: %s\n", info->gl);
}

struct app_grouped_text app_grouped(int64_t number)
{
    enum { GROUP = 3, UNGROUPED = 4 };
    char digits[24];
    struct app_grouped_text grouped = {""};
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

/* Writes bytes with the unit that suits them, from 1 KiB on. */
static void write_bytes(int64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    const struct app_grouped_text grouped = app_grouped(bytes);
    double large = (double)bytes / 1024.0;
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && large >= 1024.0) {
        large /= 1024.0;
        u++;
    }
    if (large < 1.0)
        snprintf(text, size, "%s bytes", grouped.text);
    else
        app_format(text, size,
                   large < 1e3 && large != (double)(int64_t)large ? "%s bytes (%.1f %s)"
                                                                  : "%s bytes (%.0f %s)",
                   grouped.text, large, units[u]);
}

static void write_counts(const struct krn_property *property, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < property->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i > 0 ? " x " : "",
                 app_grouped(property->values[i]).text);
}

struct app_hardware_text app_property_text(const struct krn_property *property)
{
    struct app_hardware_text made = {"not known"};
    const int64_t value = property->values[0];
    if (!property->known)
        return made;
    switch (property->kind) {
    case KRN_PROPERTY_TEXT:
        snprintf(made.text, sizeof made.text, "%s", property->text);
        break;
    case KRN_PROPERTY_COUNT:
        write_counts(property, made.text, sizeof made.text);
        break;
    case KRN_PROPERTY_BYTES:
        write_bytes(value, made.text, sizeof made.text);
        break;
    case KRN_PROPERTY_BITS:
        snprintf(made.text, sizeof made.text, "%s bit", app_grouped(value).text);
        break;
    case KRN_PROPERTY_KHZ:
        app_format(made.text, sizeof made.text, "%s kHz (%.2f GHz)", app_grouped(value).text,
                   (double)value / 1e6);
        break;
    case KRN_PROPERTY_VERSION:
        snprintf(made.text, sizeof made.text, "%" PRId64 ".%" PRId64, value, property->values[1]);
        break;
    case KRN_PROPERTY_FLAG:
        snprintf(made.text, sizeof made.text, "%s", value != 0 ? "yes" : "no");
        break;
    }
    return made;
}

/* Appends ", NAME BYTES bytes" unless there are none. */
static void append_bytes(struct app_hardware_text *made, const char *name, size_t bytes)
{
    const size_t used = strlen(made->text);
    if (bytes > 0)
        snprintf(made->text + used, sizeof made->text - used, ", %s %s bytes", name,
                 app_grouped((int64_t)bytes).text);
}

struct app_hardware_text app_kernel_text(const struct krn_kernel_attributes *kernel)
{
    struct app_hardware_text made = {"not known"};
    if (!krn_kernel_known(kernel))
        return made;
    app_format(made.text, sizeof made.text,
               "%d registers, occupancy %.0f %%, %d block%s of %d threads", kernel->registers,
               100.0 * kernel->occupancy, kernel->blocks_per_processor,
               kernel->blocks_per_processor == 1 ? "" : "s", kernel->threads);
    append_bytes(&made, "shared", kernel->static_shared_bytes + kernel->dynamic_shared_bytes);
    append_bytes(&made, "constant", kernel->constant_bytes);
    append_bytes(&made, "spilled", kernel->local_bytes);
    return made;
}
