/* A fake libnvidia-ml.so. The environment variable FAKE_NVML selects its behaviour. Compiled with
 * FAKE_NVML_EMPTY, it exports none of NVML's functions. */
#ifndef FAKE_NVML_EMPTY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHOWN __attribute__((visibility("default")))

enum { NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9, LOST = 15 };

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlSystemGetDriverVersion(char *text, unsigned size);
int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_id, void **device);
int nvmlDeviceGetClockInfo(void *device, unsigned kind, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *device, unsigned kind, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw);
int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);

static int is(const char *what)
{
    const char *how = getenv("FAKE_NVML");
    return how != NULL && strcmp(how, what) == 0;
}

static int answer(unsigned *to, unsigned value)
{
    if (is("slow")) {
        const struct timespec pause = {0, 50000000};
        nanosleep(&pause, NULL);
    }
    if (is("lost"))
        return LOST;
    *to = is("huge") ? 4294967295u : value;
    return is("refused") ? NOT_SUPPORTED : 0;
}

SHOWN int nvmlInit_v2(void)
{
    return is("no driver") ? DRIVER_NOT_LOADED : 0;
}

SHOWN int nvmlShutdown(void)
{
    return 0;
}

SHOWN int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    if (is("refused"))
        return NO_PERMISSION;
    if (is("huge"))
        memset(text, '9', size);
    else
        snprintf(text, size, "580.95.05");
    return 0;
}

SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_id, void **device)
{
    static int gpu;
    *device = &gpu;
    return strcmp(pci_id, "0000:06:00.0") == 0 ? 0 : NOT_FOUND;
}

SHOWN int nvmlDeviceGetClockInfo(void *device, unsigned kind, unsigned *mhz)
{
    (void)device;
    if (kind == 2)
        return answer(mhz, is("slow memory") ? 2619 : 3201);
    return answer(mhz, is("throttled") ? 1200 : is("idle") ? 345 : 1980);
}

SHOWN int nvmlDeviceGetMaxClockInfo(void *device, unsigned kind, unsigned *mhz)
{
    (void)device;
    return answer(mhz, kind == 2 ? 3201 : 1980);
}

SHOWN int nvmlDeviceGetPowerUsage(void *device, unsigned *mw)
{
    (void)device;
    return answer(mw, 127400);
}

SHOWN int nvmlDeviceGetTemperature(void *device, unsigned sensor, unsigned *celsius)
{
    (void)device;
    (void)sensor;
    return answer(celsius, 40);
}

SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    (void)device;
    *reasons = is("throttled") ? 0x4 | 0x40
               : is("display") ? 0x100
               : is("idle")    ? 0x1
               : is("huge")    ? ~0ull
                               : 0;
    return is("refused") ? NOT_SUPPORTED : 0;
}
#else
int fake_nvml_has_nothing(void);

int fake_nvml_has_nothing(void)
{
    return 0;
}
#endif
