/* kernels/core/telemetry/nvml.c - NVML, loaded with dlopen.
 *
 * The types and numbers below are those of NVIDIA's NVML API reference. They have been stable since
 * the version 2 entry points, so building does not need NVML's header. */
#include "core/telemetry/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int nvml_return;
typedef struct nvml_device *nvml_handle;

enum { SUCCESS = 0, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0 };

/* Larger values are invalid: NVML reports "not available" as a value with all bits set. */
static const double max_mhz = 1e5, max_w = 1e5, max_c = 1e3;

struct krn_nvml {
    void *library;
    nvml_handle device;
    char driver[sizeof((struct krn_telemetry_reading *)0)->driver];
    nvml_return (*init)(void);
    nvml_return (*shutdown)(void);
    nvml_return (*driver_version)(char *text, unsigned size);
    nvml_return (*by_pci)(const char *pci_id, nvml_handle *device);
    nvml_return (*clock)(nvml_handle device, unsigned kind, unsigned *mhz);
    nvml_return (*clock_max)(nvml_handle device, unsigned kind, unsigned *mhz);
    nvml_return (*power)(nvml_handle device, unsigned *mw);
    nvml_return (*temperature)(nvml_handle device, unsigned sensor, unsigned *celsius);
    nvml_return (*throttle)(nvml_handle device, unsigned long long *reasons);
};

/* Stores the address of the first of these names that the library exports; false when it exports
 * none. Copies bytes, since ISO C has no conversion from a data pointer to a function pointer;
 * POSIX guarantees the same representation. */
static bool find(void *library, const char *const *names, void *function)
{
    for (; *names != NULL; names++) {
        void *const symbol = dlsym(library, *names);
        if (symbol != NULL) {
            memcpy(function, &symbol, sizeof symbol);
            return true;
        }
    }
    return false;
}

#define FIND(nvml, member, ...)                                                                    \
    find((nvml)->library, (const char *const[]){__VA_ARGS__, NULL}, &(nvml)->member)

static void find_all(struct krn_nvml *nvml)
{
    FIND(nvml, init, "nvmlInit_v2");
    FIND(nvml, shutdown, "nvmlShutdown");
    FIND(nvml, driver_version, "nvmlSystemGetDriverVersion");
    FIND(nvml, by_pci, "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId");
    FIND(nvml, clock, "nvmlDeviceGetClockInfo");
    FIND(nvml, clock_max, "nvmlDeviceGetMaxClockInfo");
    FIND(nvml, power, "nvmlDeviceGetPowerUsage");
    FIND(nvml, temperature, "nvmlDeviceGetTemperature");
    FIND(nvml, throttle, "nvmlDeviceGetCurrentClocksEventReasons",
         "nvmlDeviceGetCurrentClocksThrottleReasons");
}

static void describe_failure(char *why, size_t size, const char *call, nvml_return status)
{
    const char *reason = status == NOT_FOUND           ? "it does not know this GPU"
                         : status == DRIVER_NOT_LOADED ? "the driver is not loaded"
                                                       : "a call failed";
    snprintf(why, size, "NVML gives no clocks: %s (%s, error %d).", reason, call, status);
}

struct krn_nvml *krn_nvml_open(const char *pci_id, char *why, size_t size)
{
    const char *replacement = getenv("SPHERESCOPE_NVML");
    const char *name = replacement && replacement[0] ? replacement : "libnvidia-ml.so.1";
    struct krn_nvml *nvml = calloc(1, sizeof *nvml);
    if (nvml == NULL) {
        snprintf(why, size, "No memory for NVML.");
        return NULL;
    }
    nvml->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (nvml->library == NULL) {
        snprintf(why, size, "NVML gives no clocks: %.80s cannot be loaded.", name);
        goto fail;
    }
    find_all(nvml);
    if (nvml->init == NULL || nvml->by_pci == NULL) {
        snprintf(why, size, "NVML gives no clocks: %.80s is not NVML or is too old.", name);
        goto fail;
    }
    nvml_return status = nvml->init();
    if (status != SUCCESS) {
        describe_failure(why, size, "nvmlInit", status);
        goto fail;
    }
    status = nvml->by_pci(pci_id, &nvml->device);
    if (status != SUCCESS) {
        describe_failure(why, size, "nvmlDeviceGetHandleByPciBusId", status);
        if (nvml->shutdown != NULL)
            nvml->shutdown();
        goto fail;
    }
    char driver[sizeof nvml->driver + 1] = "";
    if (nvml->driver_version == NULL ||
        nvml->driver_version(driver, sizeof nvml->driver) != SUCCESS || driver[0] == 0)
        snprintf(driver, sizeof driver, "n/a");
    driver[sizeof driver - 1] = 0;
    snprintf(nvml->driver, sizeof nvml->driver, "%.*s", (int)sizeof nvml->driver - 1, driver);
    return nvml;
fail:
    if (nvml->library != NULL)
        dlclose(nvml->library);
    free(nvml);
    return NULL;
}

void krn_nvml_close(struct krn_nvml *nvml)
{
    if (nvml == NULL)
        return;
    if (nvml->shutdown != NULL)
        nvml->shutdown();
    dlclose(nvml->library);
    free(nvml);
}

/* Returns value * scale; 0 when the call failed or the value is invalid. */
static double checked(nvml_return status, const unsigned *value, double scale, double max)
{
    const double number = status == SUCCESS ? (double)*value * scale : 0.0;
    return number <= max ? number : 0.0;
}

static double query_clock(nvml_return (*function)(nvml_handle, unsigned, unsigned *),
                          nvml_handle device, unsigned kind)
{
    unsigned mhz = 0;
    return function != NULL ? checked(function(device, kind, &mhz), &mhz, 1.0, max_mhz) : 0.0;
}

/* Converts NVML's nvmlClocksEventReason bits to enum krn_throttle bits. */
static unsigned throttle_bits(unsigned long long reasons)
{
    static const struct {
        unsigned long long theirs;
        unsigned ours;
    } bits[] = {
        {0x001, KRN_THROTTLE_IDLE},    {0x002, KRN_THROTTLE_APPLICATION},
        {0x004, KRN_THROTTLE_POWER},   {0x008, KRN_THROTTLE_HARDWARE},
        {0x010, KRN_THROTTLE_SYNC},    {0x020, KRN_THROTTLE_HEAT},
        {0x040, KRN_THROTTLE_HEAT},    {0x080, KRN_THROTTLE_HARDWARE},
        {0x100, KRN_THROTTLE_DISPLAY},
    };
    unsigned ours = 0;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        ours |= reasons & bits[i].theirs ? bits[i].ours : 0;
    return ours;
}

void krn_nvml_query(struct krn_nvml *nvml, struct krn_telemetry_reading *reading)
{
    const nvml_handle device = nvml->device;
    unsigned mw = 0, celsius = 0;
    unsigned long long reasons = 0;
    reading->valid = true;
    memcpy(reading->driver, nvml->driver, sizeof reading->driver);
    reading->clock_mhz = query_clock(nvml->clock, device, CLOCK_SM);
    reading->memory_clock_mhz = query_clock(nvml->clock, device, CLOCK_MEMORY);
    reading->clock_max_mhz = query_clock(nvml->clock_max, device, CLOCK_SM);
    reading->memory_clock_max_mhz = query_clock(nvml->clock_max, device, CLOCK_MEMORY);
    reading->power_w =
        nvml->power != NULL ? checked(nvml->power(device, &mw), &mw, 1e-3, max_w) : 0.0;
    reading->temperature_c =
        nvml->temperature != NULL
            ? checked(nvml->temperature(device, SENSOR_GPU, &celsius), &celsius, 1.0, max_c)
            : 0.0;
    reading->throttle_known = nvml->throttle != NULL && nvml->throttle(device, &reasons) == SUCCESS;
    reading->throttle = reading->throttle_known ? throttle_bits(reasons) : 0;
}
