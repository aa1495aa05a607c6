/* Starts, times, reads and verifies the probes of all topics.
 *
 * The parts of a slice on the stream: event, preparation, gate, event, run, event, comparison,
 * event. The gate holds the stream until all of them are queued, and it opens by itself, as in
 * runtime.h. The comparison writes its verdict to host memory, so that reading it does not block.
 */
#include "cuda/probes/topic.h"

#include "krn/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Allocates all memory of the probes at once: the topics take their arrays out of one allocation
 * and fill them. */

enum { HALVINGS = 28 };

static const size_t mebi = (size_t)1 << 20;

/* Hands out the memory; before it is allocated, only adds up its size. */
static void lay_out(struct krn_cuda_probes *probes, int halvings, size_t bytes_max)
{
    const size_t l2 = probes->info->l2_bytes > 0 ? probes->info->l2_bytes : 32 * mebi;
    probes->carved_bytes = 0;
    probes->flush_requested = false;
    probes->result_bytes = mebi / 8;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        const struct krn_cuda_topic *topic = probes->topics[t];
        if (!topic)
            continue;
        krn_cuda_request_result(probes, topic->result_bytes + topic->result_bytes_each *
                                                                  (size_t)probes->info->processors);
        probes->tables[t].device = krn_cuda_carve(probes, topic->table_bytes);
        if (topic->lay_out)
            topic->lay_out(probes, halvings);
    }
    /* The buffer that overwrites the caches must not take the memory of the arrays. */
    const bool fits = 2 * l2 <= bytes_max / 4;
    probes->flush_bytes = probes->flush_requested && fits ? (2 * l2 + mebi - 1) / mebi * mebi : 0;
    probes->flush = krn_cuda_carve(probes, probes->flush_bytes);
    probes->result = krn_cuda_carve(probes, probes->result_bytes);
    probes->tally = krn_cuda_carve(probes, sizeof *probes->tally);
    probes->cycles = krn_cuda_carve(probes, sizeof *probes->cycles);
    probes->unread = krn_cuda_carve(probes, sizeof *probes->unread);
}

/* Begins a call of which `code` is known so far. */
static void begin(struct krn_cuda_probes *probes, enum krn_code code, struct krn_error *error)
{
    probes->code = code;
    probes->error = error;
}

/* Makes a step of a run, where it has it, unless a call before it has failed. */
static void queue(krn_cuda_step *step, struct krn_cuda_probes *probes,
                  const struct krn_cuda_run *run)
{
    if (step && probes->code == KRN_OK)
        step(probes, run);
}

static enum krn_code alloc_device(struct krn_cuda_probes *probes, size_t bytes_max,
                                  struct krn_error *error)
{
    for (int i = 0; i <= HALVINGS; i++) {
        lay_out(probes, i, bytes_max);
        probes->memory_bytes = probes->carved_bytes;
        if (probes->memory_bytes > bytes_max)
            continue;
        void *memory = NULL;
        const enum krn_code code = KRN_CUDA(error, cudaMalloc(&memory, probes->memory_bytes));
        if (code == KRN_NO_MEMORY)
            continue;
        probes->memory = memory;
        if (code == KRN_OK)
            lay_out(probes, i, bytes_max);
        return code;
    }
    return KRN_FAIL(error, KRN_NO_MEMORY,
                    "The panels need at least %zu MiB of the device's memory.",
                    (probes->memory_bytes >> 20) + 1);
}

static enum krn_code alloc_host(struct krn_cuda_probes *probes, struct krn_error *error)
{
    void *host, *device;
    const enum krn_code code = krn_cuda_alloc_mapped(sizeof *probes->mapped, &host, &device, error);
    probes->mapped = host;
    if (code == KRN_OK) {
        probes->mapped_on_device = device;
        probes->gate.stream = probes->stream;
        probes->gate.page = &probes->mapped->gate;
        probes->gate.on_device = &probes->mapped_on_device->gate;
    }
    return code;
}

static void fill_table(struct krn_cuda_probes *probes, int t)
{
    const struct krn_cuda_table table = probes->tables[t];
    const struct krn_cuda_topic *topic = probes->topics[t];
    if (topic->table_bytes == 0)
        return;
    topic->make_table(probes, table.host);
    KRN_CUDA_DO(probes, cudaMemcpyAsync(table.device, table.host, topic->table_bytes,
                                        cudaMemcpyHostToDevice, probes->stream));
}

static void fill(struct krn_cuda_probes *probes)
{
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        if (!probes->topics[t])
            continue;
        fill_table(probes, t);
        if (probes->code == KRN_OK && probes->topics[t]->fill)
            probes->topics[t]->fill(probes);
    }
    if (probes->flush)
        KRN_CUDA_DO(probes, cudaMemsetAsync(probes->flush, 0, probes->flush_bytes, probes->stream));
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->cycles, 0, sizeof *probes->cycles, probes->stream));
}

/* Allocates all memory that the topics request, at most bytes_max on the device, and fills it.
 * Errors: KRN_NO_MEMORY, KRN_LOST, KRN_FAILED; krn_cuda_probes_free then frees what was
 * allocated. */
static enum krn_code alloc_memory(struct krn_cuda_probes *probes, size_t bytes_max,
                                  struct krn_error *error)
{
    enum krn_code code = alloc_device(probes, bytes_max, error);
    KRN_THEN(code, alloc_host(probes, error));
    cudaEvent_t *const events[] = {&probes->slice_start, &probes->start, &probes->stop,
                                   &probes->slice_stop};
    for (int i = 0; code == KRN_OK && i < 4; i++)
        code = KRN_CUDA(error, cudaEventCreate(events[i]));
    KRN_THEN(code, krn_cuda_overhead_open(&probes->overhead, &probes->gate, error));
    begin(probes, code, error);
    fill(probes);
    return probes->code;
}

static void free_memory(struct krn_cuda_probes *probes)
{
    const cudaEvent_t events[] = {probes->slice_start, probes->start, probes->stop,
                                  probes->slice_stop};
    for (int i = 0; i < 4; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
    krn_cuda_overhead_close(&probes->overhead);
    cudaFree(probes->memory);
    if (probes->mapped)
        cudaFreeHost(probes->mapped);
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        if (probes->topics[t] && probes->topics[t]->release)
            probes->topics[t]->release(probes);
        free(probes->state[t]);
        free(probes->tables[t].host);
    }
    (void)cudaGetLastError();
}

static struct krn_cuda_probes *cuda_probes_of(struct krn_probes *probes)
{
    return (struct krn_cuda_probes *)probes;
}

/* Tells the topic, after a failure, that the memory that the run writes has unknown contents. */
static void invalidate(const struct krn_cuda_run *run)
{
    if (run->topic->invalidate)
        run->topic->invalidate(run);
}

/* --- the defaults of a kind --- */

static size_t size_of(const struct krn_cuda_results *results)
{
    return results->type == KRN_CUDA_DOUBLES || results->type == KRN_CUDA_SUMS ? 8 : 4;
}

static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    if (run->series->kind->prepare)
        queue(run->series->kind->prepare, probes, run);
    else
        KRN_CUDA_DO(probes,
                    cudaMemsetAsync(run->results.actual, 0xff,
                                    size_of(&run->results) * run->results.count, probes->stream));
}

static void compare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    if (run->series->kind->compare)
        queue(run->series->kind->compare, probes, run);
    else
        KRN_CUDA_DO(probes, krn_cuda_compare(krn_cuda_probe_comparison(probes), run->results,
                                             probes->stream));
}

static double value_of(enum krn_cuda_type type, const void *values, size_t i)
{
    return type == KRN_CUDA_FLOATS    ? (double)((const float *)values)[i]
           : type == KRN_CUDA_DOUBLES ? ((const double *)values)[i]
                                      : (double)((const uint32_t *)values)[i];
}

struct piece {
    const struct krn_cuda_results *results;
    struct krn_check *check;
};

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct piece *piece = context;
    const struct krn_cuda_results *results = piece->results;
    const size_t size = size_of(results);
    for (size_t i = 0; i < bytes / size; i++) {
        const size_t index = offset / size + i;
        const double expected =
            results->type == KRN_CUDA_WORDS
                ? krn_probe_word((uint32_t)index, 0)
                : value_of(results->type, results->host, index % results->period);
        krn_check_value(piece->check, (double)index, expected, value_of(results->type, data, i));
    }
}

static void verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    struct piece piece = {&run->results, check};
    if (run->series->kind->verify)
        run->series->kind->verify(probes, run, check);
    else
        krn_cuda_probe_read(probes, run->results.actual,
                            size_of(&run->results) * run->results.count, verify_piece, &piece);
}

static void *word_of(const struct krn_cuda_run *run)
{
    const size_t middle = size_of(&run->results) * (run->results.count / 2);
    return run->word ? run->word : (unsigned char *)run->results.actual + middle;
}

/* Damages a word of the result, for tests: krn_fail_calls("krn_cuda_probe_spoil"). */
static void spoil(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    if (probes->code != KRN_OK || !krn_call_fails(KRN_API_NONE, "krn_cuda_probe_spoil()"))
        return;
    invalidate(run);
    KRN_CUDA_DO(probes,
                cudaMemsetAsync(probes->unread, 0x55, sizeof *probes->unread, probes->stream));
    KRN_CUDA_DO(probes, cudaMemcpyAsync(word_of(run), probes->unread, sizeof *probes->unread,
                                        cudaMemcpyDefault, probes->stream));
}

/* Queues the parts of a slice from the gate on. */
static void queue_run(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct krn_cuda_kind *kind = run->series->kind;
    probes->run_gate = 0;
    if (!kind->ungated) {
        KRN_THEN(probes->code, krn_cuda_gate_close(&probes->gate, probes->error));
        probes->run_gate = probes->gate.number;
    }
    KRN_CUDA_DO(probes, cudaEventRecord(probes->start, probes->stream));
    queue(kind->launch, probes, run);
    KRN_CUDA_DO(probes, cudaEventRecord(probes->stop, probes->stream));
    spoil(probes, run);
    queue(kind->fetch, probes, run);
    compare(probes, run);
    KRN_CUDA_DO(probes, cudaEventRecord(probes->slice_stop, probes->stream));
    krn_cuda_gate_open(&probes->gate);
}

static enum krn_code probes_start(struct krn_probes *base, int index, struct krn_error *error)
{
    struct krn_cuda_probes *probes = cuda_probes_of(base);
    const struct krn_cuda_run *run = &probes->runs[index];
    probes->current = index;
    probes->busy_before = cudaStreamQuery(probes->stream) == cudaErrorNotReady;
    begin(probes, KRN_OK, error);
    KRN_CUDA_DO(probes, cudaEventRecord(probes->slice_start, probes->stream));
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->tally, 0, sizeof *probes->tally, probes->stream));
    KRN_CUDA_DO(probes, cudaMemsetAsync(&probes->tally->first, 0xff, sizeof probes->tally->first,
                                        probes->stream));
    prepare(probes, run);
    queue_run(probes, run);
    if (probes->code != KRN_OK)
        invalidate(run);
    return probes->code;
}

static struct krn_check check_of(const struct krn_cuda_verdict *verdict)
{
    const struct krn_check check = {(double)verdict->compared, (double)verdict->wrong,
                                    (double)verdict->first,    verdict->expected,
                                    verdict->actual,           verdict->max_error};
    return check;
}

/* Reads the run that is over. Returns false when it failed. *late: its gate gave up, so its time
 * includes the host's delay. */
static bool read_run(struct krn_probes *base, cudaError_t status, struct krn_probe_reading *reading,
                     bool *late)
{
    struct krn_cuda_probes *probes = cuda_probes_of(base);
    const struct krn_cuda_run *run = &probes->runs[probes->current];
    struct krn_error unread;
    begin(probes, krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread), &unread);
    base->busy = false;
    memset(reading, 0, sizeof *reading);
    reading->probe = probes->current;
    reading->busy = probes->busy_before;
    reading->check = check_of(&probes->mapped->verdict);
    if (base->list[probes->current].has_cycles)
        reading->cycles = (double)probes->mapped->verdict.cycles;
    reading->ms = run->series->kind->read_ms
                      ? run->series->kind->read_ms(probes, run)
                      : krn_cuda_elapsed(probes, probes->start, probes->stop);
    reading->slice_ms = krn_cuda_elapsed(probes, probes->slice_start, probes->slice_stop);
    /* A run that cannot be read gives no reading; the next call reports the failure. */
    if (probes->code != KRN_OK || reading->check.wrong > 0.0)
        invalidate(run);
    *late = probes->code == KRN_OK && probes->run_gate > 0 &&
            krn_cuda_gate_gave_up(&probes->gate, probes->run_gate);
    return probes->code == KRN_OK;
}

static bool probes_poll(struct krn_probes *base, struct krn_probe_reading *reading)
{
    const cudaError_t status = cudaEventQuery(cuda_probes_of(base)->slice_stop);
    bool late;
    if (status == cudaErrorNotReady || !read_run(base, status, reading, &late))
        return false;
    base->gate_drops += late;
    return !late;
}

static enum krn_code probes_overhead(struct krn_probes *base, int index,
                                     struct krn_overhead *overhead, struct krn_error *error)
{
    struct krn_cuda_probes *probes = cuda_probes_of(base);
    const struct krn_cuda_run *run = &probes->runs[index];
    const struct krn_cuda_launches launches = {
        .count = run->blocks > 0 ? 1 : 0,
        .shapes = {{(unsigned)run->blocks, 1, (unsigned)run->threads, 1, (unsigned)run->shared}},
        .resident = {(unsigned)base->list[index].kernel.blocks_per_processor}};
    return krn_cuda_overhead_of(&probes->overhead, &launches, overhead, error);
}

/* Runs a probe once, no matter how long it takes. Blocks. */
static enum krn_code run_once(struct krn_cuda_probes *probes, int index,
                              struct krn_probe_reading *reading, struct krn_error *error)
{
    enum krn_code code = probes_start(&probes->base, index, error);
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(probes->stream)));
    if (code != KRN_OK)
        return code;
    bool late;
    const bool read = read_run(&probes->base, cudaEventQuery(probes->slice_stop), reading, &late);
    return read ? KRN_OK : KRN_FAIL(error, KRN_FAILED, "The reading of a measurement was lost.");
}

static enum krn_code probes_verify(struct krn_probes *base, int index, struct krn_check *check,
                                   struct krn_error *error)
{
    struct krn_cuda_probes *probes = cuda_probes_of(base);
    struct krn_probe_reading reading;
    const enum krn_code code = run_once(probes, index, &reading, error);
    if (code != KRN_OK)
        return code;
    begin(probes, KRN_OK, error);
    verify(probes, &probes->runs[index], check);
    return probes->code;
}

static void probes_close(struct krn_probes *base)
{
    struct krn_cuda_probes *probes = cuda_probes_of(base);
    if (probes->stream)
        (void)cudaStreamSynchronize(probes->stream);
    free_memory(probes);
    free(probes->runs);
    free(probes);
}

static const struct krn_probe_ops probes_ops = {
    .close = probes_close,
    .start = probes_start,
    .poll = probes_poll,
    .verify = probes_verify,
    .overhead = probes_overhead,
};

#define DECLARE(id, name, what) extern const struct krn_cuda_topic krn_cuda_topic_##name;
KRN_TOPICS(DECLARE)

#define ENTRY(id, name, what) [KRN_TOPIC_##id] = &krn_cuda_topic_##name,
static const struct krn_cuda_topic *const all_topics[KRN_TOPIC_COUNT] = {KRN_TOPICS(ENTRY)};

static void add(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                const struct krn_probe *probe)
{
    krn_probes_add(&probes->base, probe);
    probes->runs = krn_grow(probes->runs, (size_t)probes->base.capacity, sizeof *run);
    probes->runs[probes->base.count - 1] = *run;
}

/* Appends the points of a series to the list. */
static enum krn_code add_points(struct krn_cuda_probes *probes, enum krn_topic topic,
                                const struct krn_cuda_series *series, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < series->count; i++) {
        struct krn_cuda_run run = {
            .topic = probes->topics[topic], .series = series, .state = probes->state[topic]};
        struct krn_probe probe = {
            .topic = topic, .axis = series->axis, .scope = series->scope, .x = series->x[i]};
        snprintf(probe.series, sizeof probe.series, "%s", series->name);
        probe.cold = series->cold;
        if ((probe.cold && !probes->flush) || !series->fill(probes, probe.x, &run, &probe))
            continue;
        if (!run.results.actual) {
            if (size_of(&run.results) * run.results.count > probes->result_bytes)
                continue;
            run.results.actual = probes->result;
        }
        probe.threads = run.threads;
        probe.blocks = run.blocks;
        add(probes, &run, &probe);
        if (series->kind->expect) {
            begin(probes, KRN_OK, error);
            series->kind->expect(probes, &run);
            code = probes->code;
        }
    }
    return code;
}

/* Appends a series to the list and runs its first point once, because a kernel is loaded when it
 * first runs, and no slice may include that. Leaves out a series that the device refuses. */
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
    code = KRN_CUDA(&lost, cudaStreamSynchronize(probes->stream));
    if (code != KRN_OK) {
        *error = lost;
        return code;
    }
    probes->base.count = before;
    probes->base.busy = false;
    krn_probes_refuse(&probes->base, topic, error);
    return KRN_OK;
}

/* The arguments of a part of a slice that is captured. */
struct captured {
    struct krn_cuda_probes *probes;
    const struct krn_cuda_run *run;
};

static enum krn_code queue_preparation(void *context, struct krn_error *error)
{
    const struct captured *captured = context;
    begin(captured->probes, KRN_OK, error);
    prepare(captured->probes, captured->run);
    return captured->probes->code;
}

static enum krn_code queue_launch(void *context, struct krn_error *error)
{
    const struct captured *captured = context;
    const struct krn_cuda_kind *kind = captured->run->series->kind;
    begin(captured->probes, KRN_OK, error);
    (kind->capture ? kind->capture : kind->launch)(captured->probes, captured->run);
    return captured->probes->code;
}

/* Fills in the attributes of every probe's kernel, where the runtime can tell them. The preparation
 * is captured as well, because it may set attributes of the kernel. Neither runs, so the contents
 * of the topic's memory are unknown to it afterwards. */
static void read_kernels(struct krn_cuda_probes *probes)
{
    for (int i = 0; i < probes->base.count; i++) {
        const struct krn_cuda_run *run = &probes->runs[i];
        struct captured captured = {probes, run};
        struct krn_kernels kernels;
        if (run->blocks == 0) /* a copy */
            continue;
        (void)krn_cuda_capture(probes->stream, queue_preparation, &captured, &kernels, NULL);
        if (krn_cuda_capture(probes->stream, queue_launch, &captured, &kernels, NULL) == KRN_OK)
            probes->base.list[i].kernel = *krn_kernels_main(&kernels);
        invalidate(run);
    }
}

static void alloc_states(struct krn_cuda_probes *probes, unsigned topics)
{
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        if (!(topics >> t & 1))
            continue;
        probes->state[t] = krn_alloc(all_topics[t]->state_bytes, 1);
        probes->tables[t].host = krn_alloc(all_topics[t]->table_bytes, 1);
        probes->topics[t] = all_topics[t];
    }
}

enum krn_code krn_cuda_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                   struct krn_probes **opened, struct krn_error *error)
{
    struct krn_cuda_probes *probes = krn_alloc(1, sizeof *probes);
    const double gbps = krn_ceilings_of(krn_device_describe(device)).bandwidth_gbps;
    probes->base.ops = &probes_ops;
    probes->info = krn_device_describe(device);
    probes->stream = krn_device_stream(device);
    probes->gbps = gbps > 0.0 ? gbps : 200.0;
    probes->mhz = probes->info->clock_max_mhz > 0.0 ? probes->info->clock_max_mhz : 1000.0;
    probes->lanes = probes->info->fma_lanes > 0 ? probes->info->fma_lanes : 64.0;
    alloc_states(probes, topics);
    enum krn_code code =
        KRN_CUDA(error, cudaDeviceGetAttribute(&probes->shared_max,
                                               cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                                               probes->info->ordinal));
    KRN_THEN(code, alloc_memory(probes, bytes_max, error));
    for (int t = 0; code == KRN_OK && t < KRN_TOPIC_COUNT; t++)
        for (int i = 0; code == KRN_OK && probes->topics[t] && i < probes->topics[t]->count; i++)
            code = add_series(probes, (enum krn_topic)t, &probes->topics[t]->series[i], error);
    if (code != KRN_OK) {
        krn_probes_close(&probes->base);
        return code;
    }
    read_kernels(probes);
    *opened = &probes->base;
    return KRN_OK;
}
