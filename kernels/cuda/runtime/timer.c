/* A ring of event pairs, each behind a gate that opens when the launch is queued. */
#include "cuda/runtime/runtime.h"

#include "krn/memory.h"

#include <stdlib.h>

/* Size of the ring of pairs, maximum number of queued launches. */
enum { PAIRS = 64, QUEUED_LAUNCHES = 8 };
_Static_assert(PAIRS <= KRN_CUDA_GATES_KEPT / 2,
               "the outcome of every waiting pair's gate is kept");

static const char kernel_scope[] =
    "the kernel alone, between two CUDA events queued behind a gate: no host, no launch gap";
static const char sorted_scope[] =
    "the kernels that sort the spheres and the one that traces, between two CUDA events queued "
    "behind a gate: no host; the gaps between these kernels count";

struct pair {
    cudaEvent_t events[KRN_CUDA_EVENTS];
    int launches; /* between start and stop */
    bool parted;  /* the part was recorded */
    bool loads;   /* of krn_cuda_timer_start */
    bool busy;    /* earlier work was queued or running when the pair was begun */
    unsigned gate;
    struct krn_mode mode;
    uint64_t tag;
};

struct krn_cuda_timer {
    cudaStream_t stream;
    struct pair pairs[PAIRS];
    int first, waiting; /* pairs recorded but not yet read */
    bool untimed;       /* work was queued since the newest pair */
    struct krn_cuda_gate gate;
    struct krn_cuda_overhead overhead;
};

enum krn_code krn_cuda_timer_open(struct krn_cuda_timer **timer, cudaStream_t stream,
                                  struct krn_error *error)
{
    struct krn_cuda_timer *made = krn_alloc(1, sizeof *made);
    made->stream = made->gate.stream = stream;
    void *host, *device;
    enum krn_code code = krn_cuda_alloc_mapped(sizeof *made->gate.page, &host, &device, error);
    made->gate.page = host;
    made->gate.on_device = device;
    for (int i = 0; i < PAIRS; i++)
        KRN_THEN(code, krn_cuda_events_create(made->pairs[i].events, KRN_CUDA_EVENTS, error));
    KRN_THEN(code, krn_cuda_overhead_open(&made->overhead, &made->gate, error));
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
    for (int i = 0; i < PAIRS; i++)
        krn_cuda_events_destroy(timer->pairs[i].events, KRN_CUDA_EVENTS);
    krn_cuda_overhead_close(&timer->overhead);
    if (timer->gate.page)
        cudaFreeHost(timer->gate.page);
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
            return KRN_CUDA(error, cudaEventSynchronize(pair->events[KRN_CUDA_STOP]));
    }
    return KRN_OK;
}

/* Returns true when work of earlier frames is queued or running: that of the newest pair, or
 * untimed work after it. */
static bool is_busy(const struct krn_cuda_timer *timer)
{
    cudaError_t status = cudaSuccess;
    if (timer->untimed)
        status = cudaStreamQuery(timer->stream);
    else if (timer->waiting > 0)
        status = cudaEventQuery(
            timer->pairs[(timer->first + timer->waiting - 1) % PAIRS].events[KRN_CUDA_STOP]);
    return status == cudaErrorNotReady;
}

void krn_cuda_timer_note_untimed(struct krn_cuda_timer *timer)
{
    timer->untimed = true;
}

void krn_cuda_timer_note_fill(struct krn_cuda_timer *timer)
{
    timer->untimed = timer->untimed && cudaStreamQuery(timer->stream) == cudaErrorNotReady;
}

enum krn_code krn_cuda_timer_start(struct krn_cuda_timer *timer, int launches, bool loads,
                                   bool *timed, struct krn_error *error)
{
    *timed = timer->waiting < PAIRS;
    if (!*timed)
        return KRN_OK;
    enum krn_code code = keep_short(timer, launches, error);
    if (code != KRN_OK)
        return code;
    struct pair *pair = next_pair(timer);
    pair->launches = launches;
    pair->loads = loads;
    pair->busy = is_busy(timer);
    pair->parted = false;
    timer->untimed = false;
    code = krn_cuda_gate_close(&timer->gate, error);
    pair->gate = timer->gate.number;
    KRN_THEN(code, KRN_CUDA(error, cudaEventRecord(pair->events[KRN_CUDA_START], timer->stream)));
    if (code != KRN_OK)
        krn_cuda_gate_open(&timer->gate);
    return code;
}

enum krn_code krn_cuda_timer_part(struct krn_cuda_timer *timer, struct krn_error *error)
{
    next_pair(timer)->parted = true;
    return KRN_CUDA(error, cudaEventRecord(next_pair(timer)->events[KRN_CUDA_PART], timer->stream));
}

enum krn_code krn_cuda_timer_stop(struct krn_cuda_timer *timer, struct krn_mode mode, uint64_t tag,
                                  struct krn_error *error)
{
    struct pair *pair = next_pair(timer);
    const enum krn_code code =
        KRN_CUDA(error, cudaEventRecord(pair->events[KRN_CUDA_STOP], timer->stream));
    krn_cuda_gate_open(&timer->gate);
    if (code != KRN_OK)
        return code;
    pair->mode = mode;
    pair->tag = tag;
    timer->waiting++;
    return KRN_OK;
}

void krn_cuda_timer_newest(const struct krn_cuda_timer *timer, cudaEvent_t *start,
                           cudaEvent_t *stop)
{
    const struct pair *pair = &timer->pairs[(timer->first + timer->waiting + PAIRS - 1) % PAIRS];
    *start = pair->events[KRN_CUDA_START];
    *stop = pair->events[KRN_CUDA_STOP];
}

void krn_cuda_timer_abandon(struct krn_cuda_timer *timer)
{
    krn_cuda_gate_open(&timer->gate);
}

struct krn_cuda_overhead *krn_cuda_timer_overhead(struct krn_cuda_timer *timer)
{
    return &timer->overhead;
}

bool krn_cuda_timer_poll(struct krn_cuda_timer *timer, struct krn_reading *reading,
                         unsigned long *drops)
{
    while (timer->waiting > 0) {
        const struct pair *pair = &timer->pairs[timer->first];
        const cudaError_t status = cudaEventQuery(pair->events[KRN_CUDA_STOP]);
        if (status == cudaErrorNotReady)
            return false;
        float ms = 0.0f, binning_ms = 0.0f;
        struct krn_error unread;
        const bool read =
            krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread) == KRN_OK &&
            KRN_CUDA(&unread, cudaEventElapsedTime(&ms, pair->events[KRN_CUDA_START],
                                                   pair->events[KRN_CUDA_STOP])) == KRN_OK &&
            (!pair->parted ||
             KRN_CUDA(&unread, cudaEventElapsedTime(&binning_ms, pair->events[KRN_CUDA_START],
                                                    pair->events[KRN_CUDA_PART])) == KRN_OK);
        const bool late = read && krn_cuda_gate_gave_up(&timer->gate, pair->gate);
        *reading = (struct krn_reading){
            .ms = (double)ms,
            .binning_ms = (double)binning_ms,
            .mode = pair->mode,
            .tag = pair->tag,
            .scope = pair->parted ? sorted_scope : kernel_scope,
            .busy = pair->busy,
        };
        timer->first = (timer->first + 1) % PAIRS;
        timer->waiting--;
        *drops += late && !pair->loads;
        /* A pair that cannot be read gives no reading; the next launch reports the failure. */
        if (read && !late)
            return true;
    }
    return false;
}
