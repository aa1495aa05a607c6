#include "info/info.h"

#include "info/hardware.h"

#include "krn/probe.h"

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
