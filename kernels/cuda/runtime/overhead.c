/* Times empty kernels with the launches' own shapes, between the same events. */
#include "cuda/runtime/runtime.h"

#include "core/base/clock.h"

#include <string.h>

/* Samples of an overhead, equally many of all; the least that are left where the host was late; and
 * the runs before them, which load the kernel. */
enum { SAMPLES = 31, LEAST = 9, WARM_UP = 2 };

/* Samples per overhead and of waiting kernels at connect, and the cycles by which the waits differ:
 * about 18 ns, less than a tick of 32 ns. */
enum { SAMPLES_AT_CONNECT = 101, WAITS = 96, WAIT_CYCLES = 37 };

static const double rounding_ms = 1e-7;

enum krn_code krn_cuda_overhead_open(struct krn_cuda_overhead *overhead, struct krn_cuda_gate *gate,
                                     struct krn_error *error)
{
    overhead->gate = gate;
    return krn_cuda_events_create(overhead->events, KRN_CUDA_EVENTS, error);
}

void krn_cuda_overhead_close(struct krn_cuda_overhead *overhead)
{
    krn_cuda_events_destroy(overhead->events, KRN_CUDA_EVENTS);
    memset(overhead, 0, sizeof *overhead);
}

void krn_cuda_overhead_forget(struct krn_cuda_overhead *overhead)
{
    overhead->measured = 0;
}

/* Empty kernels that are queued, and the event between them. */
struct empties {
    const struct krn_cuda_overhead *overhead;
    const struct krn_cuda_launches *launches;
};

static enum krn_code queue_empties(void *context, struct krn_error *error)
{
    const struct empties *empties = context;
    const struct krn_cuda_launches *launches = empties->launches;
    cudaStream_t stream = empties->overhead->gate->stream;
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < launches->count; i++) {
        if (i > 0 && i == launches->part)
            code =
                KRN_CUDA(error, cudaEventRecord(empties->overhead->events[KRN_CUDA_PART], stream));
        KRN_THEN(code, KRN_CUDA(error, krn_cuda_empty(&launches->shapes[i], stream)));
    }
    return code;
}

/* A kernel that waits. */
struct wait {
    cudaStream_t stream;
    long long cycles;
};

static enum krn_code queue_wait(void *context, struct krn_error *error)
{
    const struct wait *wait = context;
    return KRN_CUDA(error, krn_cuda_wait(wait->cycles, wait->stream));
}

/* Takes one sample of what queue(context) queues `times` times. *late: its gate gave up, so it is
 * worth nothing. */
static enum krn_code take_sample(struct krn_cuda_overhead *overhead, krn_cuda_queue *queue,
                                 void *context, int times, double *ms, bool *late,
                                 struct krn_error *error)
{
    struct krn_cuda_gate *gate = overhead->gate;
    float elapsed_ms = 0.0f;
    enum krn_code code = krn_cuda_gate_close(gate, error);
    KRN_THEN(code,
             KRN_CUDA(error, cudaEventRecord(overhead->events[KRN_CUDA_START], gate->stream)));
    for (int i = 0; code == KRN_OK && i < times; i++)
        code = queue(context, error);
    KRN_THEN(code, KRN_CUDA(error, cudaEventRecord(overhead->events[KRN_CUDA_STOP], gate->stream)));
    krn_cuda_gate_open(gate);
    KRN_THEN(code, KRN_CUDA(error, cudaStreamSynchronize(gate->stream)));
    KRN_THEN(code,
             KRN_CUDA(error, cudaEventElapsedTime(&elapsed_ms, overhead->events[KRN_CUDA_START],
                                                  overhead->events[KRN_CUDA_STOP])));
    *ms = (double)elapsed_ms;
    *late = krn_cuda_gate_gave_up(gate, gate->number);
    return code;
}

/* Takes `most` samples, or fewer where twice as many tries do not give them. */
static enum krn_code take_samples(struct krn_cuda_overhead *overhead,
                                  const struct krn_cuda_launches *launches, int most,
                                  double *samples, int *n, struct krn_error *error)
{
    struct empties empties = {overhead, launches};
    *n = 0;
    for (int i = 0; i < WARM_UP + 2 * most && *n < most; i++) {
        bool late;
        const enum krn_code code =
            take_sample(overhead, queue_empties, &empties, 1, &samples[*n], &late, error);
        if (code != KRN_OK)
            return code;
        *n += !late && i >= WARM_UP;
    }
    return KRN_OK;
}

enum krn_code krn_cuda_overhead_net(struct krn_cuda_overhead *overhead, krn_cuda_queue *queue,
                                    void *context, struct krn_cuda_shape shape,
                                    struct krn_limit_samples *samples, struct krn_error *error)
{
    enum { BATCH = 20 };
    const double enough_batches_ms = 4.0;
    const struct krn_cuda_launches alone = {.count = 1, .shapes = {shape}};
    struct krn_cuda_launches wave = alone;
    struct empties empties = {overhead, &wave};
    double start_ms = 0.0;
    samples->batch = BATCH;
    samples->n = 0;
    struct krn_overhead of = {.ms = 0.0};
    enum krn_code code = krn_cuda_overhead_of(overhead, &alone, &of, error);
    samples->overhead_ms = of.ms;
    KRN_THEN(code, KRN_CUDA(error, krn_cuda_first_wave(&wave.shapes[0], 0)));
    for (int i = 0; code == KRN_OK && i < WARM_UP + 2 * KRN_LIMIT_SAMPLES; i++) {
        double ms, empty_ms = 0.0;
        bool late, empty_late = false;
        if (i == WARM_UP)
            start_ms = krn_clock_ms();
        if (samples->n == KRN_LIMIT_SAMPLES ||
            (samples->n >= KRN_LIMIT_LEAST && krn_clock_ms() - start_ms >= enough_batches_ms))
            break;
        code = take_sample(overhead, queue, context, BATCH, &ms, &late, error);
        KRN_THEN(code, take_sample(overhead, queue_empties, &empties, BATCH, &empty_ms, &empty_late,
                                   error));
        if (code == KRN_OK && !late && !empty_late && i >= WARM_UP)
            samples->net_ms[samples->n++] = (ms - empty_ms) / BATCH;
    }
    return code;
}

static bool same_launches(const struct krn_cuda_launches *a, const struct krn_cuda_launches *b)
{
    return a->count == b->count && a->part == b->part &&
           memcmp(a->shapes, b->shapes, (size_t)a->count * sizeof *a->shapes) == 0;
}

enum krn_code krn_cuda_overhead_of(struct krn_cuda_overhead *overhead,
                                   const struct krn_cuda_launches *launches,
                                   struct krn_overhead *of, struct krn_error *error)
{
    double samples[SAMPLES];
    int n;
    struct krn_cuda_launches waves = *launches;
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < waves.count; i++)
        code = KRN_CUDA(error, krn_cuda_first_wave(&waves.shapes[i], waves.resident[i]));
    for (unsigned i = 0; code == KRN_OK && i < overhead->measured && i < KRN_CUDA_OVERHEADS_KEPT;
         i++)
        if (same_launches(&overhead->kept[i].waves, &waves)) {
            *of = overhead->kept[i].overhead;
            return KRN_OK;
        }
    KRN_THEN(code, take_samples(overhead, &waves, SAMPLES, samples, &n, error));
    if (code != KRN_OK)
        return code;
    if (n < LEAST)
        return KRN_FAIL(error, KRN_FAILED,
                        "The host was late for %d of %d empty kernels: no overhead is known.",
                        2 * SAMPLES - n, 2 * SAMPLES);
    of->ms = krn_summarise(samples, (size_t)n).median;
    of->interval = krn_interval_of(samples, (size_t)n);
    overhead->kept[overhead->measured++ % KRN_CUDA_OVERHEADS_KEPT] =
        (struct krn_cuda_kept){waves, *of};
    return KRN_OK;
}

enum krn_code krn_cuda_overheads_measure(struct krn_cuda_overhead *overhead,
                                         struct krn_overheads *overheads, struct krn_error *error)
{
    const struct krn_cuda_launches nothing = {.count = 0},
                                   one = {.count = 1, .shapes = {{1, 1, 1, 1, 0}}};
    double samples[2 * SAMPLES_AT_CONNECT + WAITS];
    int events = 0, kernels = 0;
    enum krn_code code =
        take_samples(overhead, &nothing, SAMPLES_AT_CONNECT, samples, &events, error);
    KRN_THEN(code,
             take_samples(overhead, &one, SAMPLES_AT_CONNECT, samples + events, &kernels, error));
    int n = events + kernels;
    for (int i = 0; code == KRN_OK && i < WAITS; i++) {
        struct wait wait = {overhead->gate->stream, 1 + i * WAIT_CYCLES};
        bool late;
        code = take_sample(overhead, queue_wait, &wait, 1, &samples[n], &late, error);
        n += !late;
    }
    if (code != KRN_OK)
        return code;
    *overheads = (struct krn_overheads){
        .event_ms = krn_summarise(samples, (size_t)events).median,
        .empty_kernel_ms = krn_summarise(samples + events, (size_t)kernels).median,
        .tick_ms = krn_tick_of(samples, n, rounding_ms),
    };
    return KRN_OK;
}
