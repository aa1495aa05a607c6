/* Copies between host and device. Source: M. Harris, How to Implement Performance Metrics in CUDA
 * C/C++, and the bandwidth of pinned memory. */
#include "cuda/probes/topic.h"

#include <stdlib.h>

enum { UP, DOWN };
enum { PINNED, PAGEABLE };

static const size_t bytes_most = (size_t)1 << 28, bytes_least = 4096;

struct state {
    uint32_t *remote;            /* device memory */
    uint32_t *pinned, *pageable; /* host memory: words with salt 0, except during a run */
    size_t bytes;                /* of each */
    bool host_unknown;           /* pinned and pageable must be filled again */
};

KRN_CUDA_STATE(KRN_TOPIC_TRANSFER)

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    state_of(probes)->bytes = krn_cuda_at_least(bytes_most >> halvings, bytes_least);
    state_of(probes)->remote = krn_cuda_carve(probes, state_of(probes)->bytes);
}

/* Without this memory, or when the host may not lock that much of it, only the transfers are left
 * out. */
static void alloc_host(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    if (state->bytes == 0)
        return;
    void *pinned = NULL;
    const enum krn_code code =
        KRN_CUDA_DO(probes, cudaHostAlloc(&pinned, state->bytes, cudaHostAllocDefault));
    state->pinned = pinned;
    if (code != KRN_OK && code != KRN_NO_MEMORY)
        return;
    probes->code = KRN_OK;
    state->pageable = malloc(state->bytes);
    state->host_unknown = true; /* filled by the first run */
    if (code == KRN_OK && state->pageable)
        return;
    KRN_CUDA_REFUSE(probes, KRN_TOPIC_TRANSFER,
                    "The host has no %zu MiB of page-locked memory for transfers.",
                    (state->bytes + ((size_t)1 << 20) - 1) >> 20);
    state->bytes = 0;
}

static void invalidate(const struct krn_cuda_run *run)
{
    struct state *state = run->state;
    state->host_unknown = true;
}

static void release(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    if (state->pinned)
        cudaFreeHost(state->pinned);
    free(state->pageable);
}

static void *host_of(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct state *state = state_of(probes);
    return run->series->parameter == PINNED ? state->pinned : state->pageable;
}

static void fill_host(struct state *state)
{
    for (size_t i = 0; i < state->bytes / 4; i++)
        state->pinned[i] = state->pageable[i] = krn_probe_word((uint32_t)i, 0);
    state->host_unknown = false;
}

static void copy_up(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, cudaMemcpyAsync(state_of(probes)->remote, host_of(probes, run), run->count,
                                        cudaMemcpyHostToDevice, probes->stream));
}

static void copy_down(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, cudaMemcpyAsync(host_of(probes, run), state_of(probes)->remote, run->count,
                                        cudaMemcpyDeviceToHost, probes->stream));
}

static void blank_remote(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes,
                cudaMemsetAsync(state_of(probes)->remote, 0xff, run->count, probes->stream));
}

/* Ensures that the target does not contain the expected words before the copy. */
static void prepare_up(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    if (state_of(probes)->host_unknown)
        fill_host(state_of(probes));
    blank_remote(probes, run);
}

static void prepare_down(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    prepare_up(probes, run);
    copy_down(probes, run);
    KRN_CUDA_DO(probes,
                krn_cuda_fill_words(state_of(probes)->remote, run->count / 4, 0, probes->stream));
}

/* Copies the result back to the device, which compares all of it sooner than the host could;
 * between two frames, the host has other work. */
static void fetch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    blank_remote(probes, run);
    copy_up(probes, run);
}

static void verify_down(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                        struct krn_check *check)
{
    const uint32_t *words = host_of(probes, run);
    for (size_t i = 0; i < run->count / 4; i++)
        krn_check_value(check, (double)i, krn_probe_word((uint32_t)i, 0), words[i]);
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    /* Estimates: a PCIe 4.0 bus of 16 lanes, and the part of it that copies through pageable memory
     * reach. */
    const double gbps = run->series->parameter == PINNED ? 25.0 : 8.0;
    const double copies = run->series->variant == UP ? 1.0 : 3.0;
    if (x > (double)state_of(probes)->bytes)
        return false;
    run->count = (size_t)x;
    run->results = (struct krn_cuda_results){
        .type = KRN_CUDA_WORDS, .count = run->count / 4, .actual = state_of(probes)->remote};
    if (run->series->variant == DOWN)
        run->word = (unsigned char *)host_of(probes, run) + run->count / 2;
    probe->useful_bytes = probe->moved_bytes = x;
    probe->footprint_bytes = x;
    probe->beside_memory = true;
    probe->expected_ms = copies * x / (gbps * 1e6) + krn_cuda_probe_ms(probes, 3.0 * x) + 0.03;
    return true;
}

static const struct krn_cuda_kind up = {
    .ungated = true,
    .prepare = prepare_up,
    .launch = copy_up,
};

static const struct krn_cuda_kind down = {
    .ungated = true,
    .prepare = prepare_down,
    .launch = copy_down,
    .fetch = fetch,
    .verify = verify_down,
};

static const char scope[] =
    "one cudaMemcpyAsync of pinned memory, between two CUDA events: the calls that start it count";
static const char pageable_scope[] =
    "one cudaMemcpyAsync of pageable memory, between two CUDA events: the host's own copies into "
    "pinned memory, for which it waits, count";

static const double sizes[] = {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20,
                               1 << 22, 1 << 24, 1 << 26, 1 << 28};

static const struct krn_cuda_series series[] = {
    {"pinned/up", "bytes", scope, &up, UP, PINNED, KRN_CUDA_POINTS(sizes), fill, false},
    {"pinned/down", "bytes", scope, &down, DOWN, PINNED, KRN_CUDA_POINTS(sizes), fill, false},
    {"pageable/up", "bytes", pageable_scope, &up, UP, PAGEABLE, KRN_CUDA_POINTS(sizes), fill,
     false},
    {"pageable/down", "bytes", pageable_scope, &down, DOWN, PAGEABLE, KRN_CUDA_POINTS(sizes), fill,
     false},
};

const struct krn_cuda_topic krn_cuda_topic_transfer = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = alloc_host,
    .invalidate = invalidate,
    .release = release,
};
