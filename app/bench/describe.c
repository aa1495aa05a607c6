#include "bench/describe.h"

#include "krn/device.h"
#include "krn/probe.h"
#include "krn/telemetry.h"

#include <stdio.h>

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
    printf("  driver %s, now %.0f of %.0f MHz, memory %.0f of %.0f MHz, %.0f W, %.0f degrees C, "
           "held by: %s (asked in %.1f ms)\n",
           now->driver, now->clock_mhz, now->clock_max_mhz, now->memory_clock_mhz,
           now->memory_clock_max_mhz, now->power_w, now->temperature_c,
           now->throttle_known ? throttle : "n/a", now->cost_ms);
}

/* Prints a GPU's compute capability, clocks and memory. */
static void print_gpu(const struct krn_device_info *info)
{
    struct krn_telemetry_reading now;
    printf(", compute capability %d.%d\n", info->compute_major, info->compute_minor);
    krn_telemetry_query(info->pci_id, &now);
    print_telemetry(&now);
    printf("  %.0f MHz at most, memory %.0f MHz x %d bit = %.0f GB/s theoretical, L2 %.0f MiB",
           info->clock_max_mhz, info->memory_clock_mhz, info->memory_bus_bits,
           krn_ceilings_of(info).bandwidth_gbps, (double)info->l2_bytes / (1 << 20));
}

static void print_device(const struct krn_device_info *info)
{
    printf("%s device %d: %s\n", krn_backend_name(info->backend), info->ordinal, info->name);
    printf("  runtime %s, driver for CUDA %s, PCI %s, clock %s\n", info->runtime, info->driver,
           info->pci_id, info->clock);
    printf("  %d processors, %.1f GiB memory", info->processors,
           (double)info->memory_bytes / (1 << 30));
    if (info->can.telemetry)
        print_gpu(info);
    printf("\n");
}

int app_describe_machine(const struct app_environment *environment)
{
    int gpus = 0;
    printf("spherescope %s\nhost %s, %s, %s\n", app_version_text(), environment->host,
           environment->os, environment->system);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const struct krn_backend *backend = krn_backend_get((enum krn_backend_id)id);
        struct krn_error error;
        int devices = 0;
        if (backend->count(&devices, &error) != KRN_OK)
            printf("%s: %s\n", backend->name, error.text);
        for (int i = 0; i < devices; i++) {
            struct krn_device_info info;
            if (backend->describe(i, &info, &error) != KRN_OK)
                continue;
            print_device(&info);
            gpus += !info.can.host_images;
        }
    }
    return gpus;
}
