/* What all probes have in common: how one is started, timed, read and verified.
 *
 * A slice on the stream: event, what is prepared, gate, event, run, event, comparison, event. The
 * gate holds until all of it is queued, as in timer.h, and opens by itself. The comparison
 * writes its verdict into host memory, so that reading it waits for nothing.
 */
#include "cuda/probes/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct krn_cuda_probes *own(struct krn_probes *probes)
{
    return (struct krn_cuda_probes *)probes;
}

enum krn_code krn_cuda_probe_flush(struct krn_cuda_probes *probes, struct krn_error *error)
{
    /* Written, so that all else goes; then read, so that what was written has gone back to memory
     * before the run and not during it. */
    const enum krn_code code =
        KRN_CUDA(cudaMemsetAsync(probes->flush, 1, probes->flush_bytes, probes->stream), error);
    return code == KRN_OK ? KRN_CUDA(krn_cuda_touch(probes->flush, probes->flush_bytes,
                                                    probes->unread, probes->stream),
                                     error)
                          : code;
}

struct krn_cuda_judge krn_cuda_probe_judge(const struct krn_cuda_probes *probes)
{
    const struct krn_cuda_judge judge = {probes->tally, probes->cycles,
                                         &probes->mapped_on_device->verdict};
    return judge;
}

double krn_cuda_probe_ms(const struct krn_cuda_probes *probes, double bytes)
{
    return bytes / (probes->gbps * 1e6);
}

/* A result that is not what the run left, for tests: krn_fail_calls("krn_cuda_probe_spoil"). */
static enum krn_code spoil(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                           struct krn_error *error)
{
    if (!krn_call_fails("krn_cuda_probe_spoil()"))
        return KRN_OK;
    probes->y_unknown = true;
    const enum krn_code code = KRN_CUDA(
        cudaMemsetAsync(probes->unread, 0x55, sizeof *probes->unread, probes->stream), error);
    return code == KRN_OK ? KRN_CUDA(cudaMemcpyAsync(run->series->kind->result(probes, run),
                                                     probes->unread, sizeof *probes->unread,
                                                     cudaMemcpyDefault, probes->stream),
                                     error)
                          : code;
}

/* After a failure nobody knows what it left where. */
static void forget(struct krn_cuda_probes *probes, const struct krn_cuda_kind *kind)
{
    probes->y_unknown = true;
    probes->host_unknown = probes->host_unknown || !kind->gated;
}

/* From the gate to the end. */
static enum krn_code queue_run(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                               struct krn_error *error)
{
    const struct krn_cuda_kind *kind = run->series->kind;
    enum krn_code code = KRN_OK;
    if (kind->gated)
        code = krn_cuda_gate_close(&probes->gate, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaEventRecord(probes->start, probes->stream), error);
    if (code == KRN_OK)
        code = kind->launch(probes, run, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaEventRecord(probes->stop, probes->stream), error);
    if (code == KRN_OK)
        code = spoil(probes, run, error);
    if (code == KRN_OK && kind->fetch)
        code = kind->fetch(probes, run, error);
    if (code == KRN_OK)
        code = kind->compare(probes, run, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaEventRecord(probes->slice_stop, probes->stream), error);
    krn_cuda_gate_open(&probes->gate);
    return code;
}

static enum krn_code probes_start(struct krn_probes *base, int index, struct krn_error *error)
{
    struct krn_cuda_probes *probes = own(base);
    const struct krn_cuda_run *run = &probes->runs[index];
    const struct krn_cuda_kind *kind = run->series->kind;
    probes->current = index;
    enum krn_code code = KRN_CUDA(cudaEventRecord(probes->slice_start, probes->stream), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMemsetAsync(probes->tally, 0, sizeof *probes->tally, probes->stream),
                        error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMemsetAsync(&probes->tally->first, 0xff, sizeof probes->tally->first,
                                        probes->stream),
                        error);
    if (code == KRN_OK && kind->prepare)
        code = kind->prepare(probes, run, error);
    if (code == KRN_OK)
        code = queue_run(probes, run, error);
    if (code != KRN_OK)
        forget(probes, kind);
    return code;
}

static struct krn_check check_of(const struct krn_cuda_verdict *verdict)
{
    const struct krn_check check = {(double)verdict->compared, (double)verdict->wrong,
                                    (double)verdict->first,    verdict->expected,
                                    verdict->actual,           verdict->max_error};
    return check;
}

static enum krn_code elapsed(cudaEvent_t from, cudaEvent_t to, double *ms, struct krn_error *error)
{
    float between = 0.0f;
    const enum krn_code code = KRN_CUDA(cudaEventElapsedTime(&between, from, to), error);
    *ms = (double)between;
    return code;
}

static bool probes_poll(struct krn_probes *base, struct krn_probe_reading *reading)
{
    struct krn_cuda_probes *probes = own(base);
    const struct krn_cuda_run *run = &probes->runs[probes->current];
    const struct krn_cuda_kind *kind = run->series->kind;
    const cudaError_t status = cudaEventQuery(probes->slice_stop);
    if (status == cudaErrorNotReady)
        return false;
    struct krn_error unread;
    enum krn_code code = krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread);
    base->busy = false;
    memset(reading, 0, sizeof *reading);
    reading->probe = probes->current;
    reading->check = check_of(&probes->mapped->verdict);
    if (base->list[probes->current].has_cycles)
        reading->cycles = (double)probes->mapped->verdict.cycles;
    if (code == KRN_OK)
        code = elapsed(probes->start, probes->stop, &reading->ms, &unread);
    if (code == KRN_OK)
        code = elapsed(probes->slice_start, probes->slice_stop, &reading->slice_ms, &unread);
    /* A run that cannot be read is no sample; the failure itself meets the next call. */
    if (code != KRN_OK || reading->check.wrong > 0.0)
        forget(probes, kind);
    return code == KRN_OK;
}

/* One run, waited for. */
static enum krn_code run_once(struct krn_cuda_probes *probes, int index,
                              struct krn_probe_reading *reading, struct krn_error *error)
{
    enum krn_code code = probes_start(&probes->base, index, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaStreamSynchronize(probes->stream), error);
    if (code != KRN_OK)
        return code;
    probes->base.busy = true;
    bool read = false;
    while (!read && probes->base.busy)
        read = probes_poll(&probes->base, reading);
    return read ? KRN_OK : KRN_FAIL(error, KRN_FAILED, "A measurement's reading was lost.");
}

static enum krn_code probes_verify(struct krn_probes *base, int index, struct krn_check *check,
                                   struct krn_error *error)
{
    struct krn_cuda_probes *probes = own(base);
    const struct krn_cuda_run *run = &probes->runs[index];
    struct krn_probe_reading reading;
    const enum krn_code code = run_once(probes, index, &reading, error);
    if (code != KRN_OK)
        return code;
    return run->series->kind->verify(probes, run, check, error);
}

/* Longest piece that verify reads back at once: a multiple of every element's size. */
static const size_t piece_bytes = (size_t)16 << 20;

enum krn_code krn_cuda_probe_read(struct krn_cuda_probes *probes, const void *device, size_t bytes,
                                  void (*piece)(void *context, size_t offset, const void *data,
                                                size_t bytes),
                                  void *context, struct krn_error *error)
{
    void *data = malloc(bytes < piece_bytes ? bytes : piece_bytes);
    if (!data)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify a measurement.");
    enum krn_code code = KRN_OK;
    for (size_t at = 0; code == KRN_OK && at < bytes; at += piece_bytes) {
        const size_t part = bytes - at < piece_bytes ? bytes - at : piece_bytes;
        code = KRN_CUDA(cudaMemcpyAsync(data, (const unsigned char *)device + at, part,
                                        cudaMemcpyDeviceToHost, probes->stream),
                        error);
        if (code == KRN_OK)
            code = KRN_CUDA(cudaStreamSynchronize(probes->stream), error);
        if (code == KRN_OK)
            piece(context, at, data, part);
    }
    free(data);
    return code;
}

void krn_cuda_check_words(void *check, size_t offset, const void *data, size_t bytes)
{
    const uint32_t *words = data;
    for (size_t i = 0; i < bytes / 4; i++) {
        const size_t index = offset / 4 + i;
        krn_check_value(check, (double)index, krn_probe_word((uint32_t)index, 0), words[i]);
    }
}

static void probes_close(struct krn_probes *base)
{
    struct krn_cuda_probes *probes = own(base);
    if (probes->stream)
        (void)cudaStreamSynchronize(probes->stream);
    krn_cuda_probes_free(probes);
    free(probes->runs);
    free(probes);
}

static const struct krn_probe_ops probes_ops = {
    .close = probes_close,
    .start = probes_start,
    .poll = probes_poll,
    .verify = probes_verify,
};

static const struct krn_cuda_topic *const topic_of[KRN_TOPIC_COUNT] = {
    [KRN_TOPIC_SAXPY] = &krn_cuda_saxpy_topic,
    [KRN_TOPIC_ACCESS] = &krn_cuda_access_topic,
    [KRN_TOPIC_ILP] = &krn_cuda_ilp_topic,
    [KRN_TOPIC_MEMLAT] = &krn_cuda_memlat_topic,
    [KRN_TOPIC_CONSTANT] = &krn_cuda_constant_topic,
    [KRN_TOPIC_TRANSFER] = &krn_cuda_transfer_topic,
};

static enum krn_code add(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                         const struct krn_probe *probe, struct krn_error *error)
{
    if (probes->base.count == probes->runs_capacity) {
        const int capacity = probes->runs_capacity > 0 ? 2 * probes->runs_capacity : 64;
        struct krn_cuda_run *runs = realloc(probes->runs, (size_t)capacity * sizeof *runs);
        if (!runs)
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %d measurements.", capacity);
        probes->runs = runs;
        probes->runs_capacity = capacity;
    }
    probes->runs[probes->base.count] = *run;
    return krn_probes_add(&probes->base, probe, error);
}

/* The points of a series into the list. */
static enum krn_code add_points(struct krn_cuda_probes *probes, enum krn_topic topic,
                                const struct krn_cuda_series *series, struct krn_error *error)
{
    double x[KRN_CUDA_POINTS];
    const int points = series->points(probes, series, x);
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < points; i++) {
        struct krn_cuda_run run = {.series = series};
        struct krn_probe probe = {
            .topic = topic, .axis = series->axis, .scope = series->scope, .x = x[i]};
        snprintf(probe.series, sizeof probe.series, "%s", series->name);
        probe.cold = series->cold;
        if ((probe.cold && !probes->flush) || !series->fill(probes, x[i], &run, &probe))
            continue;
        probe.threads = run.threads;
        probe.blocks = run.blocks;
        code = add(probes, &run, &probe, error);
        if (code == KRN_OK && series->kind->expect)
            code = series->kind->expect(probes, &run, error);
    }
    return code;
}

/* One series into the list, its first point run once: a kernel is loaded when it first runs, and
 * no slice shall pay for that. A series that this device refuses is left out, and the device goes
 * on. */
static enum krn_code add_series(struct krn_cuda_probes *probes, enum krn_topic topic,
                                const struct krn_cuda_series *series, struct krn_error *error)
{
    const int before = probes->base.count;
    struct krn_probe_reading reading;
    struct krn_error lost;
    enum krn_code code = add_points(probes, topic, series, error);
    if (code == KRN_OK && probes->base.count > before)
        code = run_once(probes, before, &reading, error);
    if (code == KRN_OK || code == KRN_LOST)
        return code;
    code = KRN_CUDA(cudaStreamSynchronize(probes->stream), &lost);
    if (code != KRN_OK) {
        *error = lost;
        return code;
    }
    probes->base.count = before;
    probes->base.busy = false;
    krn_probes_refuse(&probes->base, topic, error);
    return KRN_OK;
}

enum krn_code krn_cuda_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                   struct krn_probes **opened, struct krn_error *error)
{
    struct krn_cuda_probes *probes = calloc(1, sizeof *probes);
    if (!probes)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the panels.");
    const double gbps = krn_ceilings_of(krn_device_describe(device)).bandwidth_gbps;
    probes->base.ops = &probes_ops;
    probes->info = krn_device_describe(device);
    probes->stream = krn_device_stream(device);
    probes->topics = topics;
    probes->gbps = gbps > 0.0 ? gbps : 200.0;
    enum krn_code code = KRN_CUDA(
        cudaDeviceGetAttribute(&probes->shared_max, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                               probes->info->ordinal),
        error);
    if (code == KRN_OK)
        code = krn_cuda_probes_alloc(probes, bytes_max, error);
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        for (int s = 0; code == KRN_OK && (topics >> t & 1) && s < topic_of[t]->count; s++)
            code = add_series(probes, (enum krn_topic)t, &topic_of[t]->series[s], error);
    if (code != KRN_OK) {
        krn_probes_close(&probes->base);
        return code;
    }
    *opened = &probes->base;
    return KRN_OK;
}
