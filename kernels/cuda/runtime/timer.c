#include "cuda/runtime/timer.h"

#include "cuda/runtime/check.h"
#include "cuda/runtime/gate.h"
#include "cuda/runtime/kernels.h"
#include "krn/stats.h"

#include <stdlib.h>

/* Size of the ring of pairs, maximum number of queued launches, samples per overhead. */
enum { PAIRS = 64, QUEUED_LAUNCHES = 8, OVERHEAD_SAMPLES = 101 };

static const char kernel_scope[] =
    "the kernel alone, between two CUDA events queued behind a gate: no host, no launch gap";
static const char sorted_scope[] =
    "the kernels that sort the spheres and the one that traces, between two CUDA events queued "
    "behind a gate: no host; the gaps between these kernels count";

struct pair {
    cudaEvent_t start, part, stop;
    int launches; /* between start and stop */
    bool parted;  /* part was recorded */
    struct krn_mode mode;
    uint64_t tag;
};

struct krn_cuda_timer {
    cudaStream_t stream;
    struct pair pairs[PAIRS];
    int first, waiting; /* pairs recorded but not yet read */
    struct krn_cuda_gate gate;
};

enum krn_code krn_cuda_timer_open(struct krn_cuda_timer **timer, cudaStream_t stream,
                                  struct krn_error *error)
{
    struct krn_cuda_timer *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the timer.");
    made->stream = made->gate.stream = stream;
    void *host = NULL, *device = NULL;
    enum krn_code code =
        KRN_CUDA(cudaHostAlloc(&host, sizeof *made->gate.ticket, cudaHostAllocMapped), error);
    made->gate.ticket = host;
    if (code == KRN_OK) {
        atomic_init(made->gate.ticket, 0);
        code = KRN_CUDA(cudaHostGetDevicePointer(&device, host, 0), error);
        made->gate.on_device = device;
    }
    for (int i = 0; code == KRN_OK && i < PAIRS; i++) {
        code = KRN_CUDA(cudaEventCreate(&made->pairs[i].start), error);
        if (code == KRN_OK)
            code = KRN_CUDA(cudaEventCreate(&made->pairs[i].part), error);
        if (code == KRN_OK)
            code = KRN_CUDA(cudaEventCreate(&made->pairs[i].stop), error);
    }
    if (code != KRN_OK) {
        krn_cuda_timer_close(made);
        return code;
    }
    *timer = made;
    return KRN_OK;
}

void krn_cuda_timer_close(struct krn_cuda_timer *timer)
{
    if (!timer)
        return;
    for (int i = 0; i < PAIRS; i++) {
        if (timer->pairs[i].start)
            cudaEventDestroy(timer->pairs[i].start);
        if (timer->pairs[i].part)
            cudaEventDestroy(timer->pairs[i].part);
        if (timer->pairs[i].stop)
            cudaEventDestroy(timer->pairs[i].stop);
    }
    if (timer->gate.ticket)
        cudaFreeHost((void *)timer->gate.ticket);
    free(timer);
}

static struct pair *next_pair(struct krn_cuda_timer *timer)
{
    return &timer->pairs[(timer->first + timer->waiting) % PAIRS];
}

/* Waits until `launches` more launches do not make the queue longer than QUEUED_LAUNCHES. */
static enum krn_code keep_short(const struct krn_cuda_timer *timer, int launches,
                                struct krn_error *error)
{
    int queued = launches + 1; /* the gate */
    for (int i = timer->waiting - 1; i >= 0; i--) {
        const struct pair *pair = &timer->pairs[(timer->first + i) % PAIRS];
        queued += pair->launches + 1;
        if (queued > QUEUED_LAUNCHES)
            return KRN_CUDA(cudaEventSynchronize(pair->stop), error);
    }
    return KRN_OK;
}

enum krn_code krn_cuda_timer_start(struct krn_cuda_timer *timer, int launches, bool *timed,
                                   struct krn_error *error)
{
    *timed = timer->waiting < PAIRS;
    if (!*timed)
        return KRN_OK;
    enum krn_code code = keep_short(timer, launches, error);
    if (code != KRN_OK)
        return code;
    next_pair(timer)->launches = launches;
    code = krn_cuda_gate_close(&timer->gate, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaEventRecord(next_pair(timer)->start, timer->stream), error);
    next_pair(timer)->parted = false;
    if (code != KRN_OK)
        krn_cuda_gate_open(&timer->gate);
    return code;
}

enum krn_code krn_cuda_timer_part(struct krn_cuda_timer *timer, struct krn_error *error)
{
    next_pair(timer)->parted = true;
    return KRN_CUDA(cudaEventRecord(next_pair(timer)->part, timer->stream), error);
}

enum krn_code krn_cuda_timer_stop(struct krn_cuda_timer *timer, struct krn_mode mode, uint64_t tag,
                                  struct krn_error *error)
{
    struct pair *pair = next_pair(timer);
    const enum krn_code code = KRN_CUDA(cudaEventRecord(pair->stop, timer->stream), error);
    krn_cuda_gate_open(&timer->gate);
    if (code != KRN_OK)
        return code;
    pair->mode = mode;
    pair->tag = tag;
    timer->waiting++;
    return KRN_OK;
}

void krn_cuda_timer_abandon(struct krn_cuda_timer *timer)
{
    krn_cuda_gate_open(&timer->gate);
}

bool krn_cuda_timer_poll(struct krn_cuda_timer *timer, struct krn_reading *reading)
{
    while (timer->waiting > 0) {
        const struct pair *pair = &timer->pairs[timer->first];
        const cudaError_t status = cudaEventQuery(pair->stop);
        if (status == cudaErrorNotReady)
            return false;
        float ms = 0.0f, binning_ms = 0.0f;
        struct krn_error unread;
        const bool read =
            krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread) == KRN_OK &&
            KRN_CUDA(cudaEventElapsedTime(&ms, pair->start, pair->stop), &unread) == KRN_OK &&
            (!pair->parted || KRN_CUDA(cudaEventElapsedTime(&binning_ms, pair->start, pair->part),
                                       &unread) == KRN_OK);
        *reading = (struct krn_reading){(double)ms,
                                        (double)binning_ms,
                                        pair->mode,
                                        pair->tag,
                                        pair->parted ? sorted_scope : kernel_scope,
                                        0.0};
        timer->first = (timer->first + 1) % PAIRS;
        timer->waiting--;
        /* A pair that cannot be read gives no reading; the next launch reports the failure. */
        if (read)
            return true;
    }
    return false;
}

/* Measures one pair around nothing or around an empty kernel. Blocks. */
static enum krn_code measure(struct krn_cuda_timer *timer, bool launch, double *ms,
                             struct krn_error *error)
{
    bool timed;
    const struct krn_mode none = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    enum krn_code code = krn_cuda_timer_start(timer, launch ? 1 : 0, &timed, error);
    if (code != KRN_OK)
        return code;
    if (launch && (code = KRN_CUDA(krn_cuda_empty(timer->stream), error)) != KRN_OK) {
        krn_cuda_timer_abandon(timer);
        return code;
    }
    code = krn_cuda_timer_stop(timer, none, 0, error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaStreamSynchronize(timer->stream), error);
    struct krn_reading reading;
    *ms = code == KRN_OK && krn_cuda_timer_poll(timer, &reading) ? reading.ms : 0.0;
    return code;
}

enum krn_code krn_cuda_timer_overheads(struct krn_cuda_timer *timer,
                                       struct krn_overheads *overheads, struct krn_error *error)
{
    double *const medians[] = {&overheads->event_ms, &overheads->empty_kernel_ms};
    for (int launch = 0; launch < 2; launch++) {
        double samples[OVERHEAD_SAMPLES];
        for (int i = 0; i < OVERHEAD_SAMPLES; i++) {
            const enum krn_code code = measure(timer, launch, &samples[i], error);
            if (code != KRN_OK)
                return code;
        }
        *medians[launch] = krn_summarise(samples, OVERHEAD_SAMPLES).median;
    }
    return KRN_OK;
}
