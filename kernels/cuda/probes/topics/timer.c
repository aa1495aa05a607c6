/* One SAXPY launch by three clocks, and the smallest step of the events' clock. Source: M. Harris,
 * How to Implement Performance Metrics in CUDA C/C++. */
#include "core/base/clock.h"
#include "cuda/probes/kernels/kernels.h"
#include "cuda/probes/topic.h"
#include "cuda/published/kernels.h"

#include "krn/published.h"

#include <string.h>

enum { LAUNCH, HOST, EVENTS, GATED };

/* The kernel processes arrays smaller than L2_TIMES times L2 once before the run. */
enum { L2_TIMES = 4 };

/* Event pairs per run of `resolution`. */
enum { PAIRS = 16 };

enum { SIZES = 3 };
static const unsigned sizes[SIZES] = {1u << 10, 1u << 20, KRN_SAXPY_ELEMENTS};

/* The arrays shrink only where those of SAXPY would be smaller than the article's. */
static const size_t elements_most = (size_t)1 << 28, elements_least = (size_t)1 << 10;

struct state {
    float *x, *y;
    size_t elements;
    struct krn_cuda_updates updates; /* of y */
    bool y_unknown;                  /* y must be filled again */
    double host_ms;                  /* the newest run by the host's clock */
    cudaEvent_t events[PAIRS];
};

static struct state *state_of(const struct krn_cuda_probes *probes)
{
    return probes->state[KRN_TOPIC_TIMER];
}

static void plan(struct krn_cuda_probes *probes, int halvings)
{
    const size_t most = elements_most >> halvings;
    state_of(probes)->elements =
        krn_cuda_at_least(most < KRN_SAXPY_ELEMENTS ? most : KRN_SAXPY_ELEMENTS, elements_least);
}

static void carve(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    state->x = krn_cuda_carve(probes, 4 * state->elements);
    state->y = krn_cuda_carve(probes, 4 * state->elements);
}

static enum krn_code fill_arrays(struct krn_cuda_probes *probes, struct krn_error *error)
{
    struct state *state = state_of(probes);
    enum krn_code code = KRN_OK;
    state->y_unknown = true; /* filled by the first run */
    for (int i = 0; code == KRN_OK && i < PAIRS; i++)
        code = KRN_CUDA(cudaEventCreate(&state->events[i]), error);
    if (code == KRN_OK && state->x)
        code = KRN_CUDA(krn_cuda_fill_x(state->x, state->elements, probes->stream), error);
    return code;
}

static void invalidate(struct krn_cuda_probes *probes)
{
    state_of(probes)->y_unknown = true;
}

static void release(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    for (int i = 0; state && i < PAIRS; i++)
        if (state->events[i])
            cudaEventDestroy(state->events[i]);
}

static enum krn_code wait_for_stream(struct krn_cuda_probes *probes, struct krn_error *error)
{
    enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    enum krn_code code = KRN_CUDA(cudaStreamIsCapturing(probes->stream, &capturing), error);
    if (code == KRN_OK && capturing == cudaStreamCaptureStatusNone)
        code = KRN_CUDA(cudaStreamSynchronize(probes->stream), error);
    return code;
}

/* --- SAXPY --- */

static enum krn_code launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_error *error)
{
    struct state *state = state_of(probes);
    for (int k = 0; k < SIZES; k++) {
        state->updates.end[k] = sizes[k];
        state->updates.count[k] += sizes[k] == run->count;
    }
    return KRN_CUDA(krn_cuda_saxpy((int)run->count, run->threads, KRN_PROBE_FACTOR, state->x,
                                   state->y, probes->stream),
                    error);
}

/* Launches on an idle stream, and reads the host's clock before and after it. */
static enum krn_code launch_by_host(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                                    struct krn_error *error)
{
    enum krn_code code = wait_for_stream(probes, error);
    const double start = krn_clock_ms();
    KRN_THEN(code, launch(probes, run, error));
    if (code == KRN_OK && run->series->variant == HOST)
        code = KRN_CUDA(cudaDeviceSynchronize(), error);
    state_of(probes)->host_ms = krn_clock_ms() - start;
    return code;
}

static enum krn_code read_host(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                               double *ms, struct krn_error *error)
{
    (void)run;
    (void)error;
    *ms = state_of(probes)->host_ms;
    return KRN_OK;
}

/* Fills y when its contents are unknown or have had too many updates to be exact. */
static enum krn_code prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    struct state *state = state_of(probes);
    unsigned updates = 0;
    enum krn_code code = KRN_OK;
    for (int k = 0; k < SIZES; k++)
        updates += state->updates.count[k];
    /* Leaves room for the update before the run. */
    if (state->y_unknown || updates + 2 > KRN_PROBE_UPDATES) {
        memset(&state->updates, 0, sizeof state->updates);
        code = KRN_CUDA(krn_cuda_fill_y(state->y, state->elements, probes->stream), error);
        state->y_unknown = code != KRN_OK;
    }
    /* When L2 holds a good part of the arrays, it must hold what the same kernel left there, as in
     * consecutive launches, and not what another measurement did. */
    if (code == KRN_OK && 8 * run->count < L2_TIMES * probes->info->l2_bytes)
        code = launch(probes, run, error);
    /* Behind other work, the first event would wait like a gate until the kernel is queued. */
    if (code == KRN_OK && run->series->variant == EVENTS)
        code = wait_for_stream(probes, error);
    return code;
}

static enum krn_code compare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    const struct state *state = state_of(probes);
    return KRN_CUDA(krn_cuda_compare_saxpy(krn_cuda_probe_comparison(probes), state->y, run->count,
                                           state->updates, probes->stream),
                    error);
}

struct piece {
    const struct state *state;
    struct krn_check *check;
};

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct piece *piece = context;
    const float *y = data;
    for (size_t i = 0; i < bytes / 4; i++) {
        const size_t index = offset / 4 + i;
        unsigned updates = 0;
        for (int k = 0; k < SIZES; k++)
            updates += index < sizes[k] ? piece->state->updates.count[k] : 0;
        krn_check_value(piece->check, (double)index, (double)krn_probe_y((uint32_t)index, updates),
                        (double)y[i]);
    }
}

static enum krn_code verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_check *check, struct krn_error *error)
{
    struct piece piece = {state_of(probes), check};
    return krn_cuda_probe_read(probes, state_of(probes)->y, 4 * run->count, verify_piece, &piece,
                               error);
}

static void *result(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    return state_of(probes)->y + run->count / 2;
}

static int points(const struct krn_cuda_probes *probes, const struct krn_cuda_series *series,
                  double x[KRN_CUDA_POINTS])
{
    int n = 0;
    (void)series;
    for (int k = 0; k < SIZES; k++)
        if (sizes[k] <= state_of(probes)->elements)
            x[n++] = sizes[k];
    return n;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const int clock = run->series->variant;
    run->count = (size_t)x;
    run->threads = KRN_SAXPY_THREADS;
    run->blocks = (int)((run->count + KRN_SAXPY_THREADS - 1) / KRN_SAXPY_THREADS);
    probe->footprint_bytes = 8.0 * x;
    /* A launch moves no bytes, so its time gives no rate. */
    if (clock != LAUNCH) {
        probe->useful_bytes = probe->moved_bytes = 12.0 * x;
        probe->sectors = 4.0 * KRN_LANES / KRN_SECTOR_BYTES;
        probe->flops = 2.0 * x;
    }
    probe->other_clock = probe->no_overhead = clock == LAUNCH || clock == HOST;
    const bool twice = probe->footprint_bytes < (double)L2_TIMES * (double)probes->info->l2_bytes;
    probe->expected_ms =
        krn_cuda_probe_ms(probes, (twice ? 2.0 : 1.0) * 12.0 * x * 1.5 + 4.0 * x * 1.5) + 0.06;
    return true;
}

/* --- the smallest step --- */

static enum krn_code prepare_steps(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                                   struct krn_error *error)
{
    (void)run;
    return KRN_CUDA(cudaMemsetAsync(probes->result, 0xff, PAIRS * sizeof(uint32_t), probes->stream),
                    error);
}

/* Launches kernels of slightly different lengths with an event after each. Most lengths differ by
 * less than a tick of 32 ns, so that two readings are neighbours; the longest, by a microsecond,
 * exceeds a tick of half a microsecond. */
static enum krn_code launch_steps(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                                  struct krn_error *error)
{
    enum { CYCLES = 8 };
    enum krn_code code = KRN_OK;
    (void)run;
    for (int i = 0; code == KRN_OK && i < PAIRS; i++) {
        code = KRN_CUDA(krn_cuda_wait_and_write((long long)CYCLES * i * i, (unsigned)i,
                                                probes->result, probes->stream),
                        error);
        KRN_THEN(code,
                 KRN_CUDA(cudaEventRecord(state_of(probes)->events[i], probes->stream), error));
    }
    return code;
}

static enum krn_code read_step(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                               double *ms, struct krn_error *error)
{
    /* As in cuda/runtime/runtime.h: smaller differences are rounding errors. */
    const double rounding_ms = 1e-7;
    const struct state *state = state_of(probes);
    double readings[PAIRS + 1];
    enum krn_code code = KRN_OK;
    (void)run;
    readings[PAIRS] = 0.0; /* a clock that gives the same reading each time steps by no more */
    for (int i = 0; code == KRN_OK && i < PAIRS; i++)
        code = krn_cuda_elapsed(i > 0 ? state->events[i - 1] : probes->start, state->events[i],
                                &readings[i], error);
    *ms = code == KRN_OK ? krn_tick_of(readings, PAIRS + 1, rounding_ms) : 0.0;
    return code;
}

static enum krn_code compare_words(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                                   struct krn_error *error)
{
    (void)run;
    return KRN_CUDA(krn_cuda_compare_words(krn_cuda_probe_comparison(probes), probes->result, PAIRS,
                                           0, probes->stream),
                    error);
}

static enum krn_code verify_words(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                                  struct krn_check *check, struct krn_error *error)
{
    (void)run;
    return krn_cuda_probe_read(probes, probes->result, PAIRS * sizeof(uint32_t),
                               krn_cuda_check_words, check, error);
}

static void *word(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    (void)run;
    return (uint32_t *)probes->result + PAIRS / 2;
}

static int one_point(const struct krn_cuda_probes *probes, const struct krn_cuda_series *series,
                     double x[KRN_CUDA_POINTS])
{
    (void)probes;
    (void)series;
    x[0] = PAIRS;
    return 1;
}

static bool fill_steps(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                       struct krn_probe *probe)
{
    (void)probes;
    run->count = (size_t)x;
    run->blocks = run->threads = 1;
    probe->other_clock = probe->no_overhead = true;
    probe->expected_ms = 0.2;
    return true;
}

static const struct krn_cuda_kind by_host = {.prepare = prepare,
                                             .launch = launch_by_host,
                                             .capture = launch,
                                             .read_ms = read_host,
                                             .compare = compare,
                                             .verify = verify,
                                             .result = result},
                                  by_events = {.prepare = prepare,
                                               .launch = launch,
                                               .compare = compare,
                                               .verify = verify,
                                               .result = result},
                                  by_gated_events = {.gated = true,
                                                     .prepare = prepare,
                                                     .launch = launch,
                                                     .compare = compare,
                                                     .verify = verify,
                                                     .result = result},
                                  steps = {.gated = true,
                                           .prepare = prepare_steps,
                                           .launch = launch_steps,
                                           .read_ms = read_step,
                                           .compare = compare_words,
                                           .verify = verify_words,
                                           .result = word};

static const char launch_scope[] = "the host's monotonic clock around the launch of one SAXPY "
                                   "kernel alone: it does not wait for the kernel",
                  host_scope[] = "the host's monotonic clock around the launch of one SAXPY kernel "
                                 "and cudaDeviceSynchronize, on an idle device",
                  events_scope[] = "a pair of CUDA events around the launch of one SAXPY kernel on "
                                   "an idle stream, as the article records them: what the device "
                                   "waits for the launch counts",
                  gated_scope[] =
                      "one SAXPY kernel, between two CUDA events queued behind a gate: no "
                      "host, no launch gap",
                  steps_scope[] =
                      "the smallest difference between the readings of 16 pairs of CUDA events, "
                      "around kernels of one thread that wait for slightly different times";

static const struct krn_cuda_series series[] = {
    {"launch", "elements", launch_scope, &by_host, LAUNCH, 0, points, fill, false},
    {"host", "elements", host_scope, &by_host, HOST, 0, points, fill, false},
    {"events", "elements", events_scope, &by_events, EVENTS, 0, points, fill, false},
    {"gated", "elements", gated_scope, &by_gated_events, GATED, 0, points, fill, false},
    {"resolution", "readings", steps_scope, &steps, 0, 0, one_point, fill_steps, false},
};

const struct krn_cuda_topic krn_cuda_topic_timer = {
    .series = series,
    .count = sizeof series / sizeof *series,
    .state_bytes = sizeof(struct state),
    .plan = plan,
    .carve = carve,
    .fill = fill_arrays,
    .invalidate = invalidate,
    .release = release,
};
