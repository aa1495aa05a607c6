#include "cuda/device/cuda.h"

#include "core/base/clock.h"
#include "cuda/runtime/runtime.h"

#include <stdlib.h>

enum { FRAMES = 8, TRIES = 5, TIES = 2 };

/* The tie is renewed after so long. Two crystals differ by less than 50 parts per million. */
static const double renew_ms = 1000.0, drift = 50e-6;

/* A tie of the two clocks: an event, and when it was stamped on the host's clock. */
struct tie {
    cudaEvent_t events[TRIES];
    cudaEvent_t event; /* the one with the narrowest bounds */
    double at_ms, half_ms;
    bool valid;
};

/* A part of a frame: own events, or two of the timer's. */
struct part {
    enum krn_part part;
    cudaEvent_t own[2], begin, end;
};

struct frame {
    uint64_t number;
    struct part parts[KRN_STAMPS_MAX];
    int count;
    bool begun; /* the last part has no end yet */
    int tie;
};

struct krn_cuda_stamps {
    cudaStream_t stream;
    struct frame frames[FRAMES];
    int first, waiting; /* frames that are ended and not yet read */
    struct tie ties[TIES];
    int tie; /* the newest */
};

static enum krn_code make_events(struct krn_cuda_stamps *stamps, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int f = 0; f < FRAMES; f++)
        for (int p = 0; p < KRN_STAMPS_MAX; p++)
            for (int side = 0; code == KRN_OK && side < 2; side++)
                code = KRN_CUDA(cudaEventCreate(&stamps->frames[f].parts[p].own[side]), error);
    for (int t = 0; t < TIES; t++)
        for (int i = 0; code == KRN_OK && i < TRIES; i++)
            code = KRN_CUDA(cudaEventCreate(&stamps->ties[t].events[i]), error);
    return code;
}

/* Returns NULL when there is no memory or no event. */
static struct krn_cuda_stamps *open_stamps(cudaStream_t stream)
{
    struct krn_error unread;
    struct krn_cuda_stamps *stamps = calloc(1, sizeof *stamps);
    if (!stamps)
        return NULL;
    stamps->stream = stream;
    if (make_events(stamps, &unread) == KRN_OK)
        return stamps;
    krn_cuda_stamps_close(stamps);
    return NULL;
}

static void destroy(cudaEvent_t event)
{
    if (event)
        cudaEventDestroy(event);
}

void krn_cuda_stamps_close(struct krn_cuda_stamps *stamps)
{
    if (!stamps)
        return;
    for (int f = 0; f < FRAMES; f++)
        for (int p = 0; p < KRN_STAMPS_MAX; p++)
            for (int side = 0; side < 2; side++)
                destroy(stamps->frames[f].parts[p].own[side]);
    for (int t = 0; t < TIES; t++)
        for (int i = 0; i < TRIES; i++)
            destroy(stamps->ties[t].events[i]);
    free(stamps);
}

/* Records events and waits for them. The one between the closest two readings of the host's clock
 * becomes the tie. Takes some 10 us per try on an idle stream. */
static void measure_tie(struct krn_cuda_stamps *stamps, struct tie *tie)
{
    struct krn_error unread;
    tie->valid = false;
    for (int i = 0; i < TRIES; i++) {
        const double before_ms = krn_clock_ms();
        if (KRN_CUDA(cudaEventRecord(tie->events[i], stamps->stream), &unread) != KRN_OK ||
            KRN_CUDA(cudaEventSynchronize(tie->events[i]), &unread) != KRN_OK)
            return;
        const double after_ms = krn_clock_ms(), half_ms = 0.5 * (after_ms - before_ms);
        if (tie->valid && half_ms >= tie->half_ms)
            continue;
        tie->event = tie->events[i];
        tie->at_ms = 0.5 * (before_ms + after_ms);
        tie->half_ms = half_ms;
        tie->valid = true;
    }
}

/* Renews the tie when it is old, nothing runs, and no waiting frame needs the one that it
 * replaces. The first tie waits for the stream. */
static void follow_clock(struct krn_cuda_stamps *stamps)
{
    const struct tie *now = &stamps->ties[stamps->tie];
    const int next = (stamps->tie + 1) % TIES;
    if (now->valid &&
        (krn_clock_ms() - now->at_ms < renew_ms || cudaStreamQuery(stamps->stream) != cudaSuccess))
        return;
    for (int i = 0; i < stamps->waiting; i++)
        if (stamps->frames[(stamps->first + i) % FRAMES].tie == next)
            return;
    struct krn_error unread;
    if (!now->valid && KRN_CUDA(cudaStreamSynchronize(stamps->stream), &unread) != KRN_OK)
        return;
    measure_tie(stamps, &stamps->ties[next]);
    if (stamps->ties[next].valid)
        stamps->tie = next;
}

/* Returns the frame that is being stamped. */
static struct frame *current(struct krn_cuda_stamps *stamps)
{
    return &stamps->frames[(stamps->first + stamps->waiting) % FRAMES];
}

/* Starts a frame, and renews the tie of the clocks when it is due and the stream is idle. Returns
 * false when the clocks cannot be tied. */
static bool start_frame(struct krn_device *device, uint64_t number)
{
    struct krn_cuda_device *cuda = krn_cuda_of(device);
    if (!cuda->stamps)
        cuda->stamps = open_stamps(cuda->stream);
    struct krn_cuda_stamps *stamps = cuda->stamps;
    if (!stamps)
        return false;
    if (stamps->waiting == FRAMES - 1) { /* nobody polls: drop the oldest */
        stamps->first = (stamps->first + 1) % FRAMES;
        stamps->waiting--;
    }
    follow_clock(stamps);
    struct frame *frame = current(stamps);
    frame->number = number;
    frame->count = 0;
    frame->begun = false;
    frame->tie = stamps->tie;
    return stamps->ties[stamps->tie].valid;
}

static void begin(struct krn_device *device, enum krn_part part)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    struct frame *frame = current(stamps);
    struct krn_error unread;
    if (frame->begun || frame->count == KRN_STAMPS_MAX)
        return;
    struct part *next = &frame->parts[frame->count];
    next->part = part;
    next->begin = next->own[0];
    next->end = next->own[1];
    frame->begun = KRN_CUDA(cudaEventRecord(next->begin, stamps->stream), &unread) == KRN_OK;
}

static void close_part(struct krn_device *device)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    struct frame *frame = current(stamps);
    struct krn_error unread;
    if (!frame->begun)
        return;
    frame->begun = false;
    if (KRN_CUDA(cudaEventRecord(frame->parts[frame->count].end, stamps->stream), &unread) ==
        KRN_OK)
        frame->count++;
}

void krn_cuda_stamps_add(struct krn_cuda_stamps *stamps, enum krn_part part, cudaEvent_t begin,
                         cudaEvent_t end)
{
    struct frame *frame = current(stamps);
    if (frame->begun || frame->count == KRN_STAMPS_MAX)
        return;
    struct part *next = &frame->parts[frame->count++];
    next->part = part;
    next->begin = begin;
    next->end = end;
}

static void end_frame(struct krn_device *device)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    if (current(stamps)->count > 0)
        stamps->waiting++;
}

/* Reads a part's time stamps as times on the host's clock. */
static bool read_part(const struct part *part, const struct tie *tie, struct krn_stamp *stamp)
{
    float begin = 0.0f, length = 0.0f;
    struct krn_error unread;
    if (KRN_CUDA(cudaEventElapsedTime(&begin, tie->event, part->begin), &unread) != KRN_OK ||
        KRN_CUDA(cudaEventElapsedTime(&length, part->begin, part->end), &unread) != KRN_OK)
        return false;
    stamp->part = part->part;
    stamp->begin_ms = tie->at_ms + (double)begin;
    stamp->end_ms = stamp->begin_ms + (double)length;
    return true;
}

static bool poll(struct krn_device *device, struct krn_stamps *result)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    while (stamps && stamps->waiting > 0) {
        const struct frame *frame = &stamps->frames[stamps->first];
        const struct tie *tie = &stamps->ties[frame->tie];
        struct krn_error unread;
        const cudaError_t status = cudaEventQuery(frame->parts[frame->count - 1].end);
        if (status == cudaErrorNotReady)
            return false;
        bool read = krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread) == KRN_OK;
        result->frame = frame->number;
        result->count = 0;
        for (int i = 0; read && i < frame->count; i++)
            read = read_part(&frame->parts[i], tie, &result->parts[result->count++]);
        if (read && result->count > 0)
            result->tie_ms = tie->half_ms + drift * (result->parts[0].begin_ms - tie->at_ms);
        stamps->first = (stamps->first + 1) % FRAMES;
        stamps->waiting--;
        if (read)
            return true;
    }
    return false;
}

const struct krn_stamp_ops krn_cuda_stamp_ops = {
    .frame = start_frame, .begin = begin, .close = close_part, .end = end_frame, .poll = poll};
