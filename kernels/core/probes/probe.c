/* Checks every call of a device's probes, and has what their lists share. */
#include "core/probes/probe_ops.h"

#include "core/device/backend.h"
#include "core/probes/pattern.h"
#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *krn_topic_name(enum krn_topic topic)
{
#define TOPIC_NAME(id, name, what) #name,
    static const char *const names[KRN_TOPIC_COUNT] = {KRN_TOPICS(TOPIC_NAME)};
    return (int)topic >= 0 && topic < KRN_TOPIC_COUNT ? names[topic] : "n/a";
}

enum krn_code krn_probes_open(struct krn_device *device, unsigned topics, size_t bytes_max,
                              struct krn_probes **probes, struct krn_error *error)
{
    if (device->ops->open_probes == NULL)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "The %s backend has no panels.",
                        krn_backend_name(device->info.backend));
    struct krn_error unread;
    error = error ? error : &unread;
    const size_t half = device->info.memory_bytes / 2;
    if (bytes_max == 0 || (half > 0 && bytes_max > half))
        bytes_max = half;
    const enum krn_code code = device->ops->open_probes(device, topics, bytes_max, probes, error);
    if (code == KRN_OK)
        (*probes)->device = device;
    if (code != KRN_OK || (*probes)->count > 0)
        return code;
    /* An empty list is no failure when nothing fits, but it is one when a series was refused. */
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        if ((*probes)->refused[t].code != KRN_OK) {
            *error = (*probes)->refused[t];
            krn_probes_close(*probes);
            *probes = NULL;
            return error->code;
        }
    return KRN_OK;
}

void krn_probes_close(struct krn_probes *probes)
{
    if (probes == NULL)
        return;
    struct krn_probe *list = probes->list;
    if (probes->beside != NULL) {
        struct krn_device *other = probes->beside->device;
        krn_probes_close(probes->beside);
        krn_device_close(other);
    }
    probes->ops->close(probes);
    free(list);
}

const char *krn_probes_why(const struct krn_probes *probes, enum krn_topic topic)
{
    return probes->refused[topic].code != KRN_OK ? probes->refused[topic].text : NULL;
}

enum krn_code krn_probes_beside(struct krn_probes *probes, struct krn_device *other,
                                unsigned topics, struct krn_error *error)
{
    const enum krn_code code = krn_probes_open(other, topics, 0, &probes->beside, error);
    for (int t = 0; code == KRN_OK && t < KRN_TOPIC_COUNT; t++)
        if (probes->beside->refused[t].code != KRN_OK)
            krn_probes_refuse(probes, (enum krn_topic)t, &probes->beside->refused[t]);
    if (code != KRN_OK)
        krn_device_close(other);
    return code;
}

int krn_probes_count(const struct krn_probes *probes)
{
    return probes->count + (probes->beside ? probes->beside->count : 0);
}

/* Returns the probes of the device that the index belongs to, whose first one has *index 0. */
static struct krn_probes *list_of(const struct krn_probes *probes, int *index)
{
    if (*index < probes->count)
        return (struct krn_probes *)probes;
    *index -= probes->count;
    return probes->beside;
}

const struct krn_probe *krn_probes_at(const struct krn_probes *probes, int index)
{
    const struct krn_probes *of = list_of(probes, &index);
    return &of->list[index];
}

const struct krn_device *krn_probes_device(const struct krn_probes *probes, int index)
{
    return list_of(probes, &index)->device;
}

static enum krn_code check_idle(const struct krn_probes *probes, int index, struct krn_error *error)
{
    const int count = krn_probes_count(probes);
    if (krn_probe_busy(probes))
        return KRN_FAIL(error, KRN_REFUSED,
                        "A measurement is in progress: only one can run at a time.");
    if (index < 0 || index >= count)
        return KRN_FAIL(error, KRN_REFUSED, "There is no probe %d of %d.", index, count);
    return KRN_OK;
}

/* Makes a failure of the device beside one of its probe alone. */
static enum krn_code of_beside(struct krn_probes *probes, int index, enum krn_code code,
                               struct krn_error *error)
{
    if (code == KRN_OK || index < probes->count)
        return code;
    krn_probes_refuse(probes, krn_probes_at(probes, index)->topic, error);
    return error->code = KRN_REFUSED;
}

enum krn_code krn_probe_start(struct krn_probes *probes, int index, struct krn_error *error)
{
    struct krn_error unread;
    int at = index;
    error = error ? error : &unread;
    enum krn_code code = check_idle(probes, index, error);
    if (code != KRN_OK)
        return code;
    struct krn_probes *list = list_of(probes, &at);
    code = list->ops->start(list, at, error);
    list->busy = code == KRN_OK;
    return of_beside(probes, index, code, error);
}

bool krn_probe_busy(const struct krn_probes *probes)
{
    return probes->busy || (probes->beside && probes->beside->busy);
}

bool krn_probe_poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    if (!probes->beside || !probes->beside->busy)
        return probes->busy && probes->ops->poll(probes, reading);
    const bool taken = probes->beside->ops->poll(probes->beside, reading);
    reading->probe += taken ? probes->count : 0;
    return taken;
}

unsigned long krn_probe_gate_drops(const struct krn_probes *probes)
{
    return probes->gate_drops;
}

enum krn_code krn_probe_overhead(struct krn_probes *probes, int index,
                                 struct krn_overhead *overhead, struct krn_error *error)
{
    struct krn_error unread;
    int at = index;
    error = error ? error : &unread;
    const enum krn_code code = check_idle(probes, index, error);
    *overhead = (struct krn_overhead){.ms = 0.0};
    if (code != KRN_OK || krn_probes_at(probes, index)->no_overhead)
        return code;
    struct krn_probes *list = list_of(probes, &at);
    return of_beside(probes, index, list->ops->overhead(list, at, overhead, error), error);
}

enum krn_code krn_probe_verify(struct krn_probes *probes, int index, struct krn_check *check,
                               struct krn_error *error)
{
    struct krn_error unread;
    int at = index;
    error = error ? error : &unread;
    const enum krn_code code = check_idle(probes, index, error);
    memset(check, 0, sizeof *check);
    if (code != KRN_OK)
        return code;
    struct krn_probes *list = list_of(probes, &at);
    return of_beside(probes, index, list->ops->verify(list, at, check, error), error);
}

void krn_probes_add(struct krn_probes *probes, const struct krn_probe *probe)
{
    if (probes->count == probes->capacity) {
        probes->capacity = probes->capacity > 0 ? 2 * probes->capacity : 64;
        probes->list = krn_grow(probes->list, (size_t)probes->capacity, sizeof *probe);
    }
    probes->list[probes->count++] = *probe;
}

void krn_probes_refuse(struct krn_probes *probes, enum krn_topic topic, const struct krn_error *why)
{
    if (probes->refused[topic].code == KRN_OK)
        probes->refused[topic] = *why;
}

void krn_probe_saxpy(struct krn_probe *probe, double n, int sector_bytes)
{
    probe->useful_bytes = probe->moved_bytes = 12.0 * n;
    probe->sectors = 4.0 * KRN_LANES / sector_bytes;
    probe->flops = 2.0 * n;
    probe->footprint_bytes = 8.0 * n;
}

void krn_probe_pattern(struct krn_probe *probe, enum krn_pattern pattern, uint64_t parameter,
                       uint64_t elements, double reads, int sector_bytes)
{
    const int warps = 256;
    probe->useful_bytes = 4.0 * reads;
    probe->sectors = krn_pattern_sectors(pattern, parameter, elements, warps, sector_bytes);
    probe->moved_bytes = reads / KRN_LANES * probe->sectors * sector_bytes;
}

void krn_probe_workless(struct krn_probe *probe)
{
    probe->useful_bytes = probe->moved_bytes = probe->sectors = probe->flops = 0.0;
}

void krn_check_value(struct krn_check *check, double index, double expected, double actual)
{
    const double off = fabs(actual - expected);
    check->compared += 1.0;
    if (!(off <= check->max_error)) /* NaN too */
        check->max_error = isnan(off) ? HUGE_VAL : off;
    if (off == 0.0)
        return;
    if (check->wrong == 0.0) {
        check->first = index;
        check->expected = expected;
        check->actual = actual;
    }
    check->wrong += 1.0;
}

struct krn_ceilings krn_ceilings_of(const struct krn_device_info *info)
{
    struct krn_ceilings most = {.bandwidth_gbps = 0.0};
    if (info->backend != KRN_BACKEND_CUDA)
        return most;
    /* Two transfers per clock, as in the article on SAXPY. */
    most.bandwidth_gbps = info->memory_clock_mhz * 1e6 * info->memory_bus_bits / 8.0 * 2.0 / 1e9;
    most.fma_per_cycle = info->fma_lanes;
    most.dfma_per_cycle = info->dfma_lanes;
    const double giga_cycles = info->processors * info->clock_max_mhz / 1e3;
    most.gflops = 2.0 * most.fma_per_cycle * giga_cycles;
    most.gflops_double = 2.0 * most.dfma_per_cycle * giga_cycles;
    return most;
}

double krn_little(double latency_cycles, double per_cycle)
{
    return latency_cycles * per_cycle;
}

double krn_least_reaching(const double *x, const double *y, size_t n, double level)
{
    for (size_t i = 0; i < n; i++)
        if (y[i] >= level)
            return x[i];
    return -1.0;
}

/* --- the sectors of 32 bytes that a warp reads in a pattern, counted --- */

/* Computes the elements that the lanes of one warp read. */
static void warp_lanes(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                       uint64_t warp, uint64_t lanes[KRN_LANES])
{
    for (int lane = 0; lane < KRN_LANES; lane++)
        lanes[lane] =
            krn_pattern_element(pattern, parameter, warp * KRN_LANES + (uint64_t)lane, elements);
}

int krn_sectors(const uint64_t *lanes, int count, int element_bytes, int sector_bytes)
{
    uint64_t seen[2 * KRN_LANES];
    int n = 0;
    for (int lane = 0; lane < count; lane++) {
        const uint64_t begin = lanes[lane] * (uint64_t)element_bytes;
        /* An element may extend over two sectors: that of its first and that of its last byte. */
        const uint64_t touched[2] = {begin / (uint64_t)sector_bytes,
                                     (begin + (uint64_t)element_bytes - 1) /
                                         (uint64_t)sector_bytes};
        for (int end = 0; end < 2; end++) {
            bool known = false;
            for (int i = 0; i < n && !known; i++)
                known = seen[i] == touched[end];
            if (!known)
                seen[n++] = touched[end];
        }
    }
    return n;
}

double krn_pattern_sectors(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                           int warps, int sector_bytes)
{
    const int element_bytes = 4;
    long long sum = 0;
    for (int warp = 0; warp < warps; warp++) {
        uint64_t lanes[KRN_LANES];
        warp_lanes(pattern, parameter, elements, (uint64_t)warp, lanes);
        sum += krn_sectors(lanes, KRN_LANES, element_bytes, sector_bytes);
    }
    return warps > 0 ? (double)sum / warps : 0.0;
}

struct krn_check krn_check_of(const struct krn_verdict *verdict, int width)
{
    return (struct krn_check){.compared = (double)verdict->compared,
                              .wrong = (double)verdict->wrong,
                              .first = (double)verdict->first_y * width + verdict->first_x,
                              .expected = verdict->expected[0],
                              .actual = verdict->actual[0],
                              .max_error = verdict->wrong > 0 ? 255.0 : 0.0};
}
