/* One SAXPY launch by three clocks, and the smallest step of the events' clock. Source: M. Harris,
 * How to Implement Performance Metrics in CUDA C/C++. */
#include "core/base/clock.h"
#include "cuda/probes/topic.h"

#include "krn/published.h"

enum { LAUNCH, HOST, EVENTS, GATED };

/* Event pairs per run of `resolution`. */
enum { PAIRS = 16 };

static const double sizes[] = {1 << 10, 1 << 20, KRN_SAXPY_ELEMENTS}, pairs[] = {PAIRS};

/* The arrays shrink only where those of SAXPY would be smaller than the article's. */
static const size_t elements_most = (size_t)1 << 28, elements_least = (size_t)1 << 10;

struct state {
    struct krn_cuda_stream stream;
    double host_ms; /* the newest run by the host's clock */
    cudaEvent_t events[PAIRS];
};

KRN_CUDA_STATE(KRN_TOPIC_TIMER)

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    const size_t most = elements_most >> halvings;
    state_of(probes)->stream.elements =
        krn_cuda_at_least(most < KRN_SAXPY_ELEMENTS ? most : KRN_SAXPY_ELEMENTS, elements_least);
    krn_cuda_stream_carve(probes, &state_of(probes)->stream);
}

static void fill_arrays(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    KRN_THEN(probes->code, krn_cuda_events_create(state->events, PAIRS, probes->error));
    krn_cuda_stream_fill(probes, &state->stream);
}

static void release(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    if (state)
        krn_cuda_events_destroy(state->events, PAIRS);
}

static void wait_for_stream(struct krn_cuda_probes *probes)
{
    enum cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    KRN_CUDA_DO(probes, cudaStreamIsCapturing(probes->stream, &capturing));
    if (capturing == cudaStreamCaptureStatusNone)
        KRN_CUDA_DO(probes, cudaStreamSynchronize(probes->stream));
}

/* --- SAXPY --- */

/* Launches on an idle stream, and reads the host's clock before and after it. */
static void launch_by_host(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    wait_for_stream(probes);
    const double start = krn_clock_ms();
    krn_cuda_stream_launch(probes, run);
    if (run->series->variant == HOST)
        KRN_CUDA_DO(probes, cudaDeviceSynchronize());
    state_of(probes)->host_ms = krn_clock_ms() - start;
}

static double read_host(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    (void)run;
    return state_of(probes)->host_ms;
}

/* Behind other work, the first event would wait like a gate until the kernel is queued. */
static void prepare_idle(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    krn_cuda_stream_prepare(probes, run);
    wait_for_stream(probes);
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const int clock = run->series->variant;
    const bool fits = krn_cuda_stream_describe(probes, x, run, probe);
    run->threads = KRN_SAXPY_THREADS;
    run->blocks = (int)((run->count + KRN_SAXPY_THREADS - 1) / KRN_SAXPY_THREADS);
    if (clock == LAUNCH)
        krn_probe_workless(probe);
    probe->other_clock = probe->no_overhead = clock == LAUNCH || clock == HOST;
    probe->expected_ms += 0.06;
    return fits;
}

/* --- the smallest step --- */

/* Launches kernels of slightly different lengths with an event after each. Most lengths differ by
 * less than a tick of 32 ns, so that two readings are neighbours; the longest, by a microsecond,
 * exceeds a tick of half a microsecond. */
static void launch_steps(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    enum { CYCLES = 8 };
    (void)run;
    for (int i = 0; i < PAIRS; i++) {
        KRN_CUDA_DO(probes, krn_cuda_wait_and_write((long long)CYCLES * i * i, (unsigned)i,
                                                    probes->result, probes->stream));
        KRN_CUDA_DO(probes, cudaEventRecord(state_of(probes)->events[i], probes->stream));
    }
}

static double read_step(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    /* As in cuda/runtime/runtime.h: smaller differences are rounding errors. */
    const double rounding_ms = 1e-7;
    const struct state *state = state_of(probes);
    double readings[PAIRS + 1];
    (void)run;
    readings[PAIRS] = 0.0; /* a clock that gives the same reading each time steps by no more */
    for (int i = 0; i < PAIRS; i++)
        readings[i] = krn_cuda_elapsed(probes, i > 0 ? state->events[i - 1] : probes->start,
                                       state->events[i]);
    return probes->code == KRN_OK ? krn_tick_of(readings, PAIRS + 1, rounding_ms) : 0.0;
}

static bool fill_steps(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                       struct krn_probe *probe)
{
    (void)probes;
    run->count = (size_t)x;
    run->results = (struct krn_cuda_results){.type = KRN_CUDA_WORDS, .count = run->count};
    run->blocks = run->threads = 1;
    probe->other_clock = probe->no_overhead = true;
    probe->expected_ms = 0.2;
    return true;
}

#define SAXPY(prepare_it, launch_it, ...)                                                          \
    {                                                                                              \
        .prepare = prepare_it, .launch = launch_it, .compare = krn_cuda_stream_compare,            \
        .verify = krn_cuda_stream_verify, __VA_ARGS__                                              \
    }

static const struct krn_cuda_kind by_host = SAXPY(
                                      krn_cuda_stream_prepare, launch_by_host, .ungated = true,
                                      .capture = krn_cuda_stream_launch, .read_ms = read_host),
                                  by_events =
                                      SAXPY(prepare_idle, krn_cuda_stream_launch, .ungated = true),
                                  by_gated_events = SAXPY(krn_cuda_stream_prepare,
                                                          krn_cuda_stream_launch, .ungated = false),
                                  steps = {.launch = launch_steps, .read_ms = read_step};

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
    {"launch", "elements", launch_scope, &by_host, LAUNCH, 0, KRN_CUDA_POINTS(sizes), fill, false},
    {"host", "elements", host_scope, &by_host, HOST, 0, KRN_CUDA_POINTS(sizes), fill, false},
    {"events", "elements", events_scope, &by_events, EVENTS, 0, KRN_CUDA_POINTS(sizes), fill,
     false},
    {"gated", "elements", gated_scope, &by_gated_events, GATED, 0, KRN_CUDA_POINTS(sizes), fill,
     false},
    {"resolution", "readings", steps_scope, &steps, 0, 0, KRN_CUDA_POINTS(pairs), fill_steps,
     false},
};

const struct krn_cuda_topic krn_cuda_topic_timer = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill_arrays,
    .invalidate = krn_cuda_stream_invalidate,
    .release = release,
};
