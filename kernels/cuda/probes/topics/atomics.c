/* Atomic adds to one counter, to one per warp and to one per thread, in global and in shared
 * memory, with one block per multiprocessor. */
#include "cuda/probes/kernels/kernels.h"
#include "cuda/probes/topic.h"

enum { GLOBAL, SHARED };
enum { THREADS_MAX = 1024, ROUNDS_STEP = 16, ROUNDS_MAX = 8192, SERIES = 6 };

/* Estimated time of a run, far below that of a slice. */
static const double run_ms = 0.3;

/* The expected counters repeat with every warp: KRN_LANES words per probe, alike on the device and
 * on the host. */
enum { EXPECTED = SERIES * KRN_CUDA_WARP_POINTS * KRN_LANES };

struct state {
    uint32_t *expected;
    uint32_t host_expected[EXPECTED];
    size_t used;
};

static struct state *state_of(const struct krn_cuda_probes *probes)
{
    return probes->state[KRN_TOPIC_ATOMICS];
}

static void plan(struct krn_cuda_probes *probes, int halvings)
{
    (void)halvings;
    krn_cuda_request_result(probes, (size_t)4 * THREADS_MAX * (size_t)probes->info->processors);
}

static void carve(struct krn_cuda_probes *probes)
{
    state_of(probes)->expected = krn_cuda_carve(probes, sizeof state_of(probes)->host_expected);
}

static size_t counters_of(const struct krn_cuda_run *run)
{
    const int shift = run->series->variant, blocks = run->blocks;
    if (shift != KRN_CUDA_ONE_COUNTER)
        return (size_t)(run->threads >> shift) * (size_t)blocks;
    return run->series->parameter == SHARED ? (size_t)blocks : 1;
}

/* Counters per thread differ by lane; counters of a warp or of more threads are equal. */
static size_t period_of(const struct krn_cuda_run *run)
{
    return run->series->variant == KRN_CUDA_COUNTER_PER_THREAD ? KRN_LANES : 1;
}

static enum krn_code expect(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_error *error)
{
    struct state *state = state_of(probes);
    const uint32_t rounds = (uint32_t)run->rounds, of_warp = KRN_LANES * (KRN_LANES + 1) / 2;
    const size_t warps =
        (size_t)(run->threads / KRN_LANES) * (size_t)run->blocks / counters_of(run);
    uint32_t *words = state->host_expected + run->expected;
    for (uint32_t lane = 0; lane < KRN_LANES; lane++)
        words[lane] = rounds * (period_of(run) > 1 ? 1 + lane : of_warp * (uint32_t)warps);
    return KRN_CUDA(cudaMemcpyAsync(state->expected + run->expected, words,
                                    KRN_LANES * sizeof *words, cudaMemcpyHostToDevice,
                                    probes->stream),
                    error);
}

static enum krn_code prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    /* The kernel sets shared counters to 0 itself, and the old result must not look like theirs. */
    const int byte = run->series->parameter == SHARED ? 0xff : 0;
    return KRN_CUDA(cudaMemsetAsync(probes->result, byte, 4 * counters_of(run), probes->stream),
                    error);
}

static enum krn_code launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_error *error)
{
    const enum krn_cuda_counters shift = (enum krn_cuda_counters)run->series->variant;
    if (run->series->parameter == SHARED)
        return KRN_CUDA(krn_cuda_atomics_shared(shift, run->blocks, run->threads, run->rounds,
                                                probes->result, probes->stream),
                        error);
    return KRN_CUDA(krn_cuda_atomics_global(shift, run->blocks, run->threads, run->rounds,
                                            probes->result, probes->stream),
                    error);
}

/* Returns an estimate of the adds per clock and multiprocessor, low enough that no run is longer
 * than a slice. Measured on an H200 with 32 to 1024 threads per block (`--bench atomics`): in
 * global memory 0.65 to 2.7 with one counter per thread, 0.011 to 0.072 with one per warp, and
 * 0.0052 with one; in shared memory 6 to 31, 0.5 to 1, and 0.5 to 1. */
static double adds_per_clock(const struct krn_cuda_series *series)
{
    const bool shared = series->parameter == SHARED;
    if (series->variant == KRN_CUDA_COUNTER_PER_THREAD)
        return shared ? 8.0 : 1.0;
    if (series->variant == KRN_CUDA_COUNTER_PER_WARP)
        return shared ? 0.5 : 0.01;
    return shared ? 0.5 : 0.005;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    struct state *state = state_of(probes);
    const double mhz = info->clock_max_mhz > 0.0 ? info->clock_max_mhz : 1000.0,
                 per_ms = adds_per_clock(run->series) * mhz * 1e3;
    int rounds = (int)(run_ms * per_ms / x) / ROUNDS_STEP * ROUNDS_STEP;
    rounds = rounds < ROUNDS_STEP ? ROUNDS_STEP : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    run->threads = (int)x;
    run->blocks = info->processors;
    run->rounds = rounds;
    run->expected = state->used;
    run->results = (struct krn_cuda_results){KRN_CUDA_UINTS, counters_of(run), period_of(run),
                                             state->expected + run->expected,
                                             state->host_expected + run->expected};
    state->used += KRN_LANES;
    probe->operations = (double)rounds * x * info->processors;
    probe->steps = rounds;
    probe->expected_ms = rounds * x / per_ms + 0.05;
    return state->used <= EXPECTED && 4 * counters_of(run) <= probes->result_bytes;
}

static const struct krn_cuda_kind kind = {
    .gated = true,
    .expect = expect,
    .prepare = prepare,
    .launch = launch,
};

static const char global_scope[] =
    "one kernel of atomic adds without a result to global memory, between two CUDA events queued "
    "behind a gate; one block on every multiprocessor, one counter for all of them, one per warp "
    "or one per thread";
static const char shared_scope[] =
    "one kernel of atomic adds without a result to shared memory, between two CUDA events queued "
    "behind a gate; one block on every multiprocessor, one counter for each of them, one per warp "
    "or one per thread; writing the counters out is in it";

#define COUNTERS(name, shift, memory, scope)                                                       \
    {                                                                                              \
        name, "threads", scope, &kind, shift, memory, krn_cuda_warp_points, fill, false            \
    }

static const struct krn_cuda_series series[SERIES] = {
    COUNTERS("global/one", KRN_CUDA_ONE_COUNTER, GLOBAL, global_scope),
    COUNTERS("global/warp", KRN_CUDA_COUNTER_PER_WARP, GLOBAL, global_scope),
    COUNTERS("global/thread", KRN_CUDA_COUNTER_PER_THREAD, GLOBAL, global_scope),
    COUNTERS("shared/one", KRN_CUDA_ONE_COUNTER, SHARED, shared_scope),
    COUNTERS("shared/warp", KRN_CUDA_COUNTER_PER_WARP, SHARED, shared_scope),
    COUNTERS("shared/thread", KRN_CUDA_COUNTER_PER_THREAD, SHARED, shared_scope),
};

const struct krn_cuda_topic krn_cuda_topic_atomics = {
    .series = series,
    .count = SERIES,
    .state_bytes = sizeof(struct state),
    .plan = plan,
    .carve = carve,
};
