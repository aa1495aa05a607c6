#include "krn/telemetry.h"

#include "core/base/clock.h"
#include "core/telemetry/nvml.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Between two looks: clocks move in tenths of a second, and a look costs the driver's locks. */
static const double period_s = 0.3, patience_s = 1.0;

struct krn_telemetry {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char pci_id[32];
    bool stop, ended, hurry;
    unsigned long begun;
    struct krn_telemetry_reading reading;
};

static double now_s(void)
{
    return krn_clock_ms() / 1e3;
}

/* now_s() + seconds, as condition variables take it. */
static struct timespec deadline(double seconds)
{
    const double at = now_s() + seconds;
    struct timespec time = {(time_t)at, 0};
    time.tv_nsec = (long)((at - (double)time.tv_sec) * 1e9);
    return time;
}

static void not_known(struct krn_telemetry_reading *reading, const char *why)
{
    memset(reading, 0, sizeof *reading);
    snprintf(reading->driver, sizeof reading->driver, "n/a");
    snprintf(reading->reason, sizeof reading->reason, "%s", why);
}

/* Under the lock. */
static void publish(struct krn_telemetry *telemetry, const struct krn_telemetry_reading *look)
{
    const unsigned seen = telemetry->reading.throttle_seen;
    const unsigned long samples = telemetry->reading.samples;
    telemetry->reading = *look;
    telemetry->reading.throttle_seen = seen | look->throttle;
    telemetry->reading.samples = samples + 1;
    pthread_cond_broadcast(&telemetry->changed);
}

/* Waits for the next look's time, or until somebody is in a hurry; false: the end. Under the
 * lock. */
static bool rest(struct krn_telemetry *telemetry)
{
    const struct timespec until = deadline(period_s);
    int status = 0;
    while (!telemetry->stop && !telemetry->hurry && status == 0)
        status = pthread_cond_timedwait(&telemetry->changed, &telemetry->lock, &until);
    telemetry->hurry = false;
    return !telemetry->stop;
}

static void *watch(void *argument)
{
    struct krn_telemetry *telemetry = argument;
    struct krn_telemetry_reading look;
    not_known(&look, "");
    struct krn_nvml *nvml = krn_nvml_open(telemetry->pci_id, look.reason, sizeof look.reason);
    pthread_mutex_lock(&telemetry->lock);
    while (!telemetry->stop) {
        telemetry->begun++;
        pthread_mutex_unlock(&telemetry->lock);
        const double start = now_s();
        if (nvml != NULL)
            krn_nvml_ask(nvml, &look);
        look.cost_ms = (now_s() - start) * 1e3;
        pthread_mutex_lock(&telemetry->lock);
        publish(telemetry, &look);
        if (nvml == NULL || !rest(telemetry))
            break;
    }
    pthread_mutex_unlock(&telemetry->lock);
    krn_nvml_close(nvml);
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
    struct krn_telemetry *telemetry = calloc(1, sizeof *telemetry);
    if (telemetry == NULL)
        return NULL;
    snprintf(telemetry->pci_id, sizeof telemetry->pci_id, "%s", pci_id);
    not_known(&telemetry->reading, "");
    if (!open_condition(&telemetry->changed))
        goto fail_free;
    if (pthread_mutex_init(&telemetry->lock, NULL) != 0)
        goto fail_condition;
    if (pthread_create(&telemetry->thread, NULL, watch, telemetry) != 0)
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
    const struct timespec until = deadline(patience_s);
    int status = 0;
    pthread_mutex_lock(&telemetry->lock);
    telemetry->stop = true;
    pthread_cond_broadcast(&telemetry->changed);
    while (!telemetry->ended && status == 0)
        status = pthread_cond_timedwait(&telemetry->changed, &telemetry->lock, &until);
    const bool ended = telemetry->ended;
    pthread_mutex_unlock(&telemetry->lock);
    if (!ended) {
        pthread_detach(telemetry->thread); /* it still uses the memory: that stays too */
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
        not_known(reading, "");
        return;
    }
    pthread_mutex_lock(&telemetry->lock);
    *reading = telemetry->reading;
    pthread_mutex_unlock(&telemetry->lock);
}

bool krn_telemetry_wait(struct krn_telemetry *telemetry, double limit_s)
{
    if (telemetry == NULL)
        return false;
    const struct timespec until = deadline(limit_s);
    int status = 0;
    pthread_mutex_lock(&telemetry->lock);
    /* samples counts looks that came back, in the order in which they began */
    const unsigned long wanted = telemetry->begun + 1;
    telemetry->hurry = true;
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
    pthread_mutex_unlock(&telemetry->lock);
}

void krn_telemetry_query(const char *pci_id, struct krn_telemetry_reading *reading)
{
    not_known(reading, "");
    struct krn_nvml *nvml = krn_nvml_open(pci_id, reading->reason, sizeof reading->reason);
    if (nvml == NULL)
        return;
    const double start = now_s();
    krn_nvml_ask(nvml, reading);
    reading->cost_ms = (now_s() - start) * 1e3;
    reading->throttle_seen = reading->throttle;
    reading->samples = 1;
    krn_nvml_close(nvml);
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
