/* Host to device and back. Source: M. Harris, How to Implement Performance Metrics in CUDA C/C++,
 * and the bandwidth of pinned memory. */
#include "cuda_probe.h"

#include <string.h>

enum { UP, DOWN };
enum { PINNED, PAGEABLE };

/* What settle compares before the host has other work again. */
static const size_t settle_bytes = (size_t)1 << 20;

static uint32_t *host_of(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    return run->series->parameter == PINNED ? probes->pinned : probes->pageable;
}

static void fill_host(struct krn_cuda_probes *probes)
{
    for (size_t i = 0; i < probes->transfer_bytes / 4; i++)
        probes->pinned[i] = probes->pageable[i] = krn_probe_word((uint32_t)i, 0);
    probes->host_unknown = false;
}

/* What lies at the target before is never what must lie there after: up, it is overwritten; down,
 * every run brings other words. */
static enum krn_code prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    if (probes->host_unknown)
        fill_host(probes);
    if (run->series->variant == UP)
        return KRN_CUDA(cudaMemsetAsync(probes->remote, 0xff, run->count, probes->stream), error);
    probes->salt += probes->salt == UINT32_MAX ? 2 : 1; /* 0 is what the host's words have */
    return KRN_CUDA(
        krn_cuda_fill_words(probes->remote, run->count / 4, probes->salt, probes->stream), error);
}

static enum krn_code launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_error *error)
{
    void *host = host_of(probes, run);
    return run->series->variant == UP
               ? KRN_CUDA(cudaMemcpyAsync(probes->remote, host, run->count, cudaMemcpyHostToDevice,
                                          probes->stream),
                          error)
               : KRN_CUDA(cudaMemcpyAsync(host, probes->remote, run->count, cudaMemcpyDeviceToHost,
                                          probes->stream),
                          error);
}

static enum krn_code compare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    return KRN_CUDA(krn_cuda_compare_words(krn_cuda_probe_judge(probes), probes->remote,
                                           run->count / 4, 0, probes->stream),
                    error);
}

/* Of what came down: compared, and put back as it was. */
static bool settle(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    uint32_t *words = host_of(probes, run);
    const size_t left = run->count - probes->settled, from = probes->settled / 4,
                 to = from + (left < settle_bytes ? left : settle_bytes) / 4;
    if (probes->settled == 0 && krn_call_fails("krn_cuda_probe_spoil()"))
        words[to / 2] ^= 1;
    uint32_t wrong = 0;
    for (size_t i = from; i < to; i++)
        wrong |= words[i] ^ krn_probe_word((uint32_t)i, probes->salt);
    for (size_t i = from; wrong && i < to; i++)
        krn_check_value(check, (double)i, krn_probe_word((uint32_t)i, probes->salt), words[i]);
    if (!wrong)
        check->compared += (double)(to - from);
    for (size_t i = from; i < to; i++)
        words[i] = krn_probe_word((uint32_t)i, 0);
    probes->settled += (to - from) * 4;
    return probes->settled == run->count;
}

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    struct krn_check *check = context;
    const uint32_t *words = data;
    for (size_t i = 0; i < bytes / 4; i++) {
        const size_t index = offset / 4 + i;
        krn_check_value(check, (double)index, krn_probe_word((uint32_t)index, 0), words[i]);
    }
}

static enum krn_code verify_up(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                               struct krn_check *check, struct krn_error *error)
{
    return krn_cuda_probe_read(probes, probes->remote, run->count, verify_piece, check, error);
}

static void *result(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    return probes->remote + run->count / 8;
}

static int points(const struct krn_cuda_probes *probes, const struct krn_cuda_series *series,
                  double x[KRN_CUDA_POINTS])
{
    int n = 0;
    (void)series;
    for (size_t bytes = 4096; bytes <= probes->transfer_bytes; bytes *= 4)
        x[n++] = (double)bytes;
    return n;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    /* Guesses: a bus of 16 lanes of the fourth generation, and what a host's copies leave of it. */
    const double gbps = run->series->parameter == PINNED ? 25.0 : 8.0;
    run->count = (size_t)x;
    probe->useful_bytes = probe->moved_bytes = x;
    probe->footprint_bytes = x;
    probe->expected_ms = x / (gbps * 1e6) + krn_cuda_probe_ms(probes, 2.0 * x) + 0.03;
    return true;
}

static const struct krn_cuda_kind up = {
    .prepare = prepare,
    .launch = launch,
    .compare = compare,
    .verify = verify_up,
    .result = result,
};

static const struct krn_cuda_kind down = {
    .prepare = prepare,
    .launch = launch,
    .settle = settle,
};

static const char scope[] =
    "one cudaMemcpyAsync of pinned memory, between two CUDA events: the calls that start it count";
static const char pageable_scope[] =
    "one cudaMemcpyAsync of pageable memory, between two CUDA events: the host's own copies into "
    "pinned memory, for which it waits, count";

static const struct krn_cuda_series series[] = {
    {"pinned/up", "bytes", scope, &up, UP, PINNED, points, fill, false},
    {"pinned/down", "bytes", scope, &down, DOWN, PINNED, points, fill, false},
    {"pageable/up", "bytes", pageable_scope, &up, UP, PAGEABLE, points, fill, false},
    {"pageable/down", "bytes", pageable_scope, &down, DOWN, PAGEABLE, points, fill, false},
};

const struct krn_cuda_topic krn_cuda_transfer_topic = {series, sizeof series / sizeof *series};
