/* Atomic adds to one counter, to one per warp and to one per thread, in global and in shared
 * memory, with one block per multiprocessor. */
#include "cuda/probes/topic.h"

enum { GLOBAL, SHARED };
enum { THREADS_MAX = 1024, ROUNDS_STEP = 16, ROUNDS_MAX = 8192, SERIES = 6 };

/* Estimated time of a run, far below that of a slice. */
static const double run_ms = 0.3;

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

static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    /* The kernel sets shared counters to 0 itself, and the old result must not look like theirs. */
    const int byte = run->series->parameter == SHARED ? 0xff : 0;
    KRN_CUDA_DO(probes,
                cudaMemsetAsync(run->results.actual, byte, 4 * counters_of(run), probes->stream));
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes,
                krn_cuda_atomics(run->series->parameter == SHARED,
                                 (enum krn_cuda_counters)run->series->variant, run->blocks,
                                 run->threads, run->rounds, probes->result, probes->stream));
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

static double adds_per_ms(const struct krn_cuda_probes *probes,
                          const struct krn_cuda_series *series)
{
    return adds_per_clock(series) * probes->mhz * 1e3;
}

static void shape(const struct krn_cuda_probes *probes, double threads, struct krn_cuda_run *run)
{
    const double per_ms = adds_per_ms(probes, run->series);
    const int rounds = (int)(run_ms * per_ms / threads) / ROUNDS_STEP * ROUNDS_STEP;
    run->threads = (int)threads;
    run->blocks = probes->info->processors;
    run->rounds = rounds < ROUNDS_STEP ? ROUNDS_STEP : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
}

static const struct krn_cuda_series series[SERIES];

/* Computes the expected counters, which repeat with every warp: KRN_LANES words per probe. */
static void make_table(const struct krn_cuda_probes *probes, void *table)
{
    uint32_t *words = table;
    for (int i = 0; i < SERIES * KRN_CUDA_WARP_POINTS; i++) {
        struct krn_cuda_run run = {.series = &series[i / KRN_CUDA_WARP_POINTS]};
        shape(probes, krn_cuda_warps[i % KRN_CUDA_WARP_POINTS], &run);
        const uint32_t rounds = (uint32_t)run.rounds, of_warp = KRN_LANES * (KRN_LANES + 1) / 2;
        const size_t warps =
            (size_t)(run.threads / KRN_LANES) * (size_t)run.blocks / counters_of(&run);
        for (uint32_t lane = 0; lane < KRN_LANES; lane++)
            *words++ = rounds * (period_of(&run) > 1 ? 1 + lane : of_warp * (uint32_t)warps);
    }
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    size_t at = (size_t)(run->series - series) * KRN_CUDA_WARP_POINTS;
    for (const double *threads = krn_cuda_warps; *threads < x; threads++)
        at++;
    shape(probes, x, run);
    run->results = krn_cuda_tabled(probes, probe->topic, KRN_CUDA_UINTS, counters_of(run),
                                   period_of(run), at * KRN_LANES * sizeof(uint32_t));
    probe->operations = (double)run->rounds * x * run->blocks;
    probe->steps = run->rounds;
    probe->expected_ms = run->rounds * x / adds_per_ms(probes, run->series) + 0.05;
    return true;
}

static const struct krn_cuda_kind kind = {.prepare = prepare, .launch = launch};

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
        name, "threads", scope, &kind, shift, memory, KRN_CUDA_POINTS(krn_cuda_warps), fill, false \
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
    .series = KRN_CUDA_POINTS(series),
    .result_bytes_each = sizeof(uint32_t) * THREADS_MAX,
    .table_bytes = sizeof(uint32_t) * SERIES * KRN_CUDA_WARP_POINTS * KRN_LANES,
    .make_table = make_table,
};
