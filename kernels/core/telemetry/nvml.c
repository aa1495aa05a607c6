/* NVML by dlopen. Types and numbers are those of NVML's API reference (NVIDIA Management Library,
 * stable since its version 2 entry points); its header is not needed to build. */
#include "core/telemetry/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int nvml_return;
typedef struct nvml_device *nvml_handle;

enum { SUCCESS = 0, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0 };

/* Beyond these an answer is no answer: "not available" comes as all ones. */
static const double most_mhz = 1e5, most_w = 1e5, most_c = 1e3;

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

/* A function of the library under the first name that it knows; false: under none. ISO C has no
 * conversion from a data pointer, POSIX promises that the bytes are the same. */
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

static void say_refused(char *why, size_t size, const char *call, nvml_return status)
{
    const char *reason = status == NOT_FOUND           ? "it does not know this GPU"
                         : status == DRIVER_NOT_LOADED ? "the driver is not loaded"
                                                       : "it refused";
    snprintf(why, size, "NVML gives no clocks: %s (%s, error %d).", reason, call, status);
}

struct krn_nvml *krn_nvml_open(const char *pci_id, char *why, size_t size)
{
    const char *other = getenv("SPHERESCOPE_NVML");
    const char *name = other && other[0] ? other : "libnvidia-ml.so.1";
    struct krn_nvml *nvml = calloc(1, sizeof *nvml);
    if (nvml == NULL) {
        snprintf(why, size, "No memory for NVML.");
        return NULL;
    }
    nvml->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (nvml->library == NULL) {
        snprintf(why, size, "NVML gives no clocks: %.80s is not here.", name);
        goto fail;
    }
    find_all(nvml);
    if (nvml->init == NULL || nvml->by_pci == NULL) {
        snprintf(why, size, "NVML gives no clocks: %.80s is not NVML, or too old.", name);
        goto fail;
    }
    nvml_return status = nvml->init();
    if (status != SUCCESS) {
        say_refused(why, size, "nvmlInit", status);
        goto fail;
    }
    status = nvml->by_pci(pci_id, &nvml->device);
    if (status != SUCCESS) {
        say_refused(why, size, "nvmlDeviceGetHandleByPciBusId", status);
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

/* An answer as a number; 0 when it was refused or is no possible one. */
static double within(nvml_return status, const unsigned *value, double scale, double most)
{
    const double number = status == SUCCESS ? (double)*value * scale : 0.0;
    return number <= most ? number : 0.0;
}

static double ask_clock(nvml_return (*question)(nvml_handle, unsigned, unsigned *),
                        nvml_handle device, unsigned kind)
{
    unsigned mhz = 0;
    return question != NULL ? within(question(device, kind, &mhz), &mhz, 1.0, most_mhz) : 0.0;
}

/* NVML's nvmlClocksEventReason bits as ours. */
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

void krn_nvml_ask(struct krn_nvml *nvml, struct krn_telemetry_reading *reading)
{
    const nvml_handle device = nvml->device;
    unsigned mw = 0, celsius = 0;
    unsigned long long reasons = 0;
    reading->valid = true;
    memcpy(reading->driver, nvml->driver, sizeof reading->driver);
    reading->clock_mhz = ask_clock(nvml->clock, device, CLOCK_SM);
    reading->memory_clock_mhz = ask_clock(nvml->clock, device, CLOCK_MEMORY);
    reading->clock_max_mhz = ask_clock(nvml->clock_max, device, CLOCK_SM);
    reading->memory_clock_max_mhz = ask_clock(nvml->clock_max, device, CLOCK_MEMORY);
    reading->power_w =
        nvml->power != NULL ? within(nvml->power(device, &mw), &mw, 1e-3, most_w) : 0.0;
    reading->temperature_c =
        nvml->temperature != NULL
            ? within(nvml->temperature(device, SENSOR_GPU, &celsius), &celsius, 1.0, most_c)
            : 0.0;
    reading->throttle_known = nvml->throttle != NULL && nvml->throttle(device, &reasons) == SUCCESS;
    reading->throttle = reading->throttle_known ? throttle_bits(reasons) : 0;
}
