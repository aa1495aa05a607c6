/* Events around the parts of a frame, and the tie of their clock to the host's. */
#include "cuda/device/cuda.h"

#include "krn/memory.h"

#include <stdlib.h>

enum { FRAMES = 8, PARTS = 8 };

/* A part of a frame: own events, or two of the timer's. */
struct part {
    enum krn_part part;
    cudaEvent_t own[2], begin, end;
};

struct frame {
    uint64_t number;
    struct part parts[PARTS];
    int count;
    bool begun; /* the last part has no end yet */
};

struct krn_cuda_stamps {
    cudaStream_t stream;
    struct frame frames[FRAMES];
    int first, waiting; /* frames that are ended and not yet read */
};

/* Returns NULL when there is no event. */
static struct krn_cuda_stamps *open_stamps(cudaStream_t stream)
{
    struct krn_error unread;
    struct krn_cuda_stamps *stamps = krn_alloc(1, sizeof *stamps);
    enum krn_code code = KRN_OK;
    stamps->stream = stream;
    for (int f = 0; f < FRAMES; f++)
        for (int p = 0; p < PARTS; p++)
            KRN_THEN(code, krn_cuda_events_create(stamps->frames[f].parts[p].own, 2, &unread));
    if (code == KRN_OK)
        return stamps;
    krn_cuda_stamps_close(stamps);
    return NULL;
}

void krn_cuda_stamps_close(struct krn_cuda_stamps *stamps)
{
    if (!stamps)
        return;
    for (int f = 0; f < FRAMES; f++)
        for (int p = 0; p < PARTS; p++)
            krn_cuda_events_destroy(stamps->frames[f].parts[p].own, 2);
    free(stamps);
}

/* Returns the frame that is being stamped. */
static struct frame *current(struct krn_cuda_stamps *stamps)
{
    return &stamps->frames[(stamps->first + stamps->waiting) % FRAMES];
}

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
    struct frame *frame = current(stamps);
    frame->number = number;
    frame->count = 0;
    frame->begun = false;
    return true;
}

static void begin(struct krn_device *device, enum krn_part part)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    struct frame *frame = current(stamps);
    struct krn_error unread;
    if (frame->begun || frame->count == PARTS)
        return;
    struct part *next = &frame->parts[frame->count];
    next->part = part;
    next->begin = next->own[0];
    next->end = next->own[1];
    frame->begun = KRN_CUDA(&unread, cudaEventRecord(next->begin, stamps->stream)) == KRN_OK;
}

static void close_part(struct krn_device *device)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    struct frame *frame = current(stamps);
    struct krn_error unread;
    if (!frame->begun)
        return;
    frame->begun = false;
    if (KRN_CUDA(&unread, cudaEventRecord(frame->parts[frame->count].end, stamps->stream)) ==
        KRN_OK)
        frame->count++;
}

void krn_cuda_stamps_add(struct krn_cuda_stamps *stamps, enum krn_part part, cudaEvent_t begin,
                         cudaEvent_t end)
{
    struct frame *frame = current(stamps);
    if (frame->begun || frame->count == PARTS)
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

static bool poll(struct krn_device *device, struct krn_stamps *result)
{
    struct krn_cuda_stamps *stamps = krn_cuda_of(device)->stamps;
    while (stamps && stamps->waiting > 0) {
        const struct frame *frame = &stamps->frames[stamps->first];
        struct krn_error unread;
        const cudaError_t status = cudaEventQuery(frame->parts[frame->count - 1].end);
        if (status == cudaErrorNotReady)
            return false;
        bool read = krn_cuda_check(status, "cudaEventQuery", __FILE__, __LINE__, &unread) == KRN_OK;
        *result = (struct krn_stamps){.frame = frame->number};
        for (int i = 0; read && i < frame->count; i++) {
            const struct part *part = &frame->parts[i];
            float ms = 0.0f;
            read = KRN_CUDA(&unread, cudaEventElapsedTime(&ms, part->begin, part->end)) == KRN_OK;
            result->ms[part->part] += (double)ms;
        }
        stamps->first = (stamps->first + 1) % FRAMES;
        stamps->waiting--;
        if (read)
            return true;
    }
    return false;
}

const struct krn_stamp_ops krn_cuda_stamp_ops = {
    .frame = start_frame, .begin = begin, .close = close_part, .end = end_frame, .poll = poll};
