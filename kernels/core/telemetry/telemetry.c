/* Loads NVML at run time; a thread queries it and publishes its newest reading. */
#include "krn/telemetry.h"

#include "core/base/clock.h"
#include "krn/memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* NVML, loaded with dlopen.
 *
 * The types and numbers below are those of NVIDIA's NVML API reference. They have been stable since
 * the version 2 entry points, so building does not need NVML's header. */
typedef int nvml_return;
typedef struct nvml_device *nvml_handle;

enum { SUCCESS = 0, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0 };

/* Larger values are invalid: NVML reports "not available" as a value with all bits set. */
static const double max_mhz = 1e5, max_w = 1e5, max_c = 1e3;

struct nvml {
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

static void find_all(struct nvml *nvml)
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

/* Loads the library and finds the GPU. On failure returns NULL and writes the reason, a sentence,
 * to why. */
static struct nvml *nvml_open(const char *pci_id, char *why, size_t size)
{
    const char *replacement = getenv("SPHERESCOPE_NVML");
    const char *name = replacement && replacement[0] ? replacement : "libnvidia-ml.so.1";
    struct nvml *nvml = krn_alloc(1, sizeof *nvml);
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

static void nvml_close(struct nvml *nvml)
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

/* Fills the reading, except throttle_seen, the lowest clocks, samples and cost_ms. */
static void nvml_query(struct nvml *nvml, struct krn_telemetry_reading *reading)
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

/* --- the thread that asks --- */

/* Clocks change within tenths of a second, but each query takes the driver's locks. */
static const double period_s = 0.3;

/* How long krn_telemetry_close waits for the thread. */
static const double close_limit_s = 1.0;

/* The lowest clocks of several readings; 0: no reading knew one. */
struct lowest {
    double clock_mhz, memory_mhz;
};

struct krn_telemetry {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char pci_id[32];
    bool stop, ended;
    bool query_now;          /* krn_telemetry_wait is waiting */
    unsigned long started;   /* queries started */
    struct lowest busy, any; /* since the mark: of readings that found the GPU busy, of all */
    struct krn_telemetry_reading reading;
};

static double now_s(void)
{
    return krn_clock_ms() / 1e3;
}

/* Returns now_s() + seconds for pthread_cond_timedwait. */
static struct timespec deadline(double seconds)
{
    const double at = now_s() + seconds;
    struct timespec time = {(time_t)at, 0};
    time.tv_nsec = (long)((at - (double)time.tv_sec) * 1e9);
    return time;
}

static void set_unknown(struct krn_telemetry_reading *reading, const char *why)
{
    memset(reading, 0, sizeof *reading);
    snprintf(reading->driver, sizeof reading->driver, "n/a");
    snprintf(reading->reason, sizeof reading->reason, "%s", why);
}

/* Returns the lower one of two clocks, of which 0 is unknown. */
static double lower(double a, double b)
{
    return a > 0.0 && (b <= 0.0 || a < b) ? a : b;
}

static void note(struct lowest *lowest, const struct krn_telemetry_reading *reading)
{
    lowest->clock_mhz = lower(lowest->clock_mhz, reading->clock_mhz);
    lowest->memory_mhz = lower(lowest->memory_mhz, reading->memory_clock_mhz);
}

/* Sets the lowest clocks of *reading; before the first reading since the mark, to its own. */
static void set_lowest(const struct krn_telemetry *telemetry, struct krn_telemetry_reading *reading)
{
    const struct lowest *busy = &telemetry->busy, *any = &telemetry->any;
    const double clock = busy->clock_mhz > 0.0 ? busy->clock_mhz : any->clock_mhz,
                 memory = busy->memory_mhz > 0.0 ? busy->memory_mhz : any->memory_mhz;
    reading->clock_low_mhz = clock > 0.0 ? clock : reading->clock_mhz;
    reading->memory_clock_low_mhz = memory > 0.0 ? memory : reading->memory_clock_mhz;
}

/* Stores a reading. The caller holds the lock. */
static void publish(struct krn_telemetry *telemetry, const struct krn_telemetry_reading *latest)
{
    const unsigned seen = telemetry->reading.throttle_seen;
    const unsigned long samples = telemetry->reading.samples;
    telemetry->reading = *latest;
    telemetry->reading.throttle_seen = seen | latest->throttle;
    telemetry->reading.samples = samples + 1;
    note(&telemetry->any, latest);
    if (!latest->throttle_known || (latest->throttle & KRN_THROTTLE_IDLE) == 0)
        note(&telemetry->busy, latest);
    pthread_cond_broadcast(&telemetry->changed);
}

/* Blocks until the next query is due or requested. Returns false when the thread must stop. The
 * caller holds the lock. */
static bool wait_for_next(struct krn_telemetry *telemetry)
{
    const struct timespec until = deadline(period_s);
    int status = 0;
    while (!telemetry->stop && !telemetry->query_now && status == 0)
        status = pthread_cond_timedwait(&telemetry->changed, &telemetry->lock, &until);
    telemetry->query_now = false;
    return !telemetry->stop;
}

static void *query_loop(void *argument)
{
    struct krn_telemetry *telemetry = argument;
    struct krn_telemetry_reading latest;
    set_unknown(&latest, "");
    struct nvml *nvml = nvml_open(telemetry->pci_id, latest.reason, sizeof latest.reason);
    pthread_mutex_lock(&telemetry->lock);
    while (!telemetry->stop) {
        telemetry->started++;
        pthread_mutex_unlock(&telemetry->lock);
        const double start = now_s();
        if (nvml != NULL)
            nvml_query(nvml, &latest);
        latest.cost_ms = (now_s() - start) * 1e3;
        pthread_mutex_lock(&telemetry->lock);
        publish(telemetry, &latest);
        if (nvml == NULL || !wait_for_next(telemetry))
            break;
    }
    pthread_mutex_unlock(&telemetry->lock);
    nvml_close(nvml);
    pthread_mutex_lock(&telemetry->lock);
    telemetry->ended = true;
    pthread_cond_broadcast(&telemetry->changed);
    pthread_mutex_unlock(&telemetry->lock);
    return NULL;
}

static bool open_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    const bool good = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return good;
}

struct krn_telemetry *krn_telemetry_open(const char *pci_id)
{
    struct krn_telemetry *telemetry = krn_alloc(1, sizeof *telemetry);
    snprintf(telemetry->pci_id, sizeof telemetry->pci_id, "%s", pci_id);
    set_unknown(&telemetry->reading, "");
    if (!open_condition(&telemetry->changed))
        goto fail_free;
    if (pthread_mutex_init(&telemetry->lock, NULL) != 0)
        goto fail_condition;
    if (pthread_create(&telemetry->thread, NULL, query_loop, telemetry) != 0)
        goto fail_lock;
    return telemetry;
fail_lock:
    pthread_mutex_destroy(&telemetry->lock);
fail_condition:
    pthread_cond_destroy(&telemetry->changed);
fail_free:
    free(telemetry);
    return NULL;
}

void krn_telemetry_close(struct krn_telemetry *telemetry)
{
    if (telemetry == NULL)
        return;
    const struct timespec until = deadline(close_limit_s);
    int status = 0;
    pthread_mutex_lock(&telemetry->lock);
    telemetry->stop = true;
    pthread_cond_broadcast(&telemetry->changed);
    while (!telemetry->ended && status == 0)
        status = pthread_cond_timedwait(&telemetry->changed, &telemetry->lock, &until);
    const bool ended = telemetry->ended;
    pthread_mutex_unlock(&telemetry->lock);
    if (!ended) {
        pthread_detach(telemetry->thread); /* it still uses the memory, which is leaked */
        return;
    }
    pthread_join(telemetry->thread, NULL);
    pthread_mutex_destroy(&telemetry->lock);
    pthread_cond_destroy(&telemetry->changed);
    free(telemetry);
}

void krn_telemetry_read(struct krn_telemetry *telemetry, struct krn_telemetry_reading *reading)
{
    if (telemetry == NULL) {
        set_unknown(reading, "");
        return;
    }
    pthread_mutex_lock(&telemetry->lock);
    *reading = telemetry->reading;
    set_lowest(telemetry, reading);
    pthread_mutex_unlock(&telemetry->lock);
}

bool krn_telemetry_wait(struct krn_telemetry *telemetry, double limit_s)
{
    if (telemetry == NULL)
        return false;
    const struct timespec until = deadline(limit_s);
    int status = 0;
    pthread_mutex_lock(&telemetry->lock);
    /* queries complete in the order in which they start, so `samples` reaches `wanted` when the
     * next one has completed */
    const unsigned long wanted = telemetry->started + 1;
    telemetry->query_now = true;
    pthread_cond_broadcast(&telemetry->changed);
    while (telemetry->reading.samples < wanted && !telemetry->ended && status == 0)
        status = pthread_cond_timedwait(&telemetry->changed, &telemetry->lock, &until);
    const bool came = telemetry->reading.samples >= wanted;
    pthread_mutex_unlock(&telemetry->lock);
    return came;
}

void krn_telemetry_mark(struct krn_telemetry *telemetry)
{
    if (telemetry == NULL)
        return;
    pthread_mutex_lock(&telemetry->lock);
    telemetry->reading.throttle_seen = telemetry->reading.throttle;
    telemetry->busy = telemetry->any = (struct lowest){0.0, 0.0};
    pthread_mutex_unlock(&telemetry->lock);
}

void krn_telemetry_query(const char *pci_id, struct krn_telemetry_reading *reading)
{
    set_unknown(reading, "");
    struct nvml *nvml = nvml_open(pci_id, reading->reason, sizeof reading->reason);
    if (nvml == NULL)
        return;
    const double start = now_s();
    nvml_query(nvml, reading);
    reading->cost_ms = (now_s() - start) * 1e3;
    reading->throttle_seen = reading->throttle;
    reading->clock_low_mhz = reading->clock_mhz;
    reading->memory_clock_low_mhz = reading->memory_clock_mhz;
    reading->samples = 1;
    nvml_close(nvml);
}

void krn_throttle_text(unsigned throttle, char *text, size_t size)
{
    static const char *const names[KRN_THROTTLE_COUNT] = {
        "idle",          "application clocks", "power cap",
        "heat",          "hardware slow-down", "synchronised GPUs",
        "display clocks"};
    size_t used = 0;
    snprintf(text, size, "none");
    for (int i = 0; i < KRN_THROTTLE_COUNT && used < size; i++)
        if (throttle & 1u << i)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", names[i]);
}
