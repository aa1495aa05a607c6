/* Loads in flight against occupancy. Source: V. Volkov, Better Performance at Lower Occupancy, 2.
 */
#include "cuda/probes/topic.h"

/* Estimated latency of a load from memory; intended time of a run. */
static const double latency_ms = 0.4e-3, run_ms = 0.35;

static const size_t copy_most = (size_t)1 << 29, copy_least = (size_t)1 << 20;

struct state {
    uint32_t *from, *to;
    size_t bytes; /* of each */
};

KRN_CUDA_STATE(KRN_TOPIC_MEMLAT)

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    state->bytes = krn_cuda_at_least(copy_most >> halvings, copy_least);
    if (state->bytes > 0)
        probes->flush_requested = true;
    state->from = krn_cuda_carve(probes, state->bytes);
    state->to = krn_cuda_carve(probes, state->bytes);
}

static void fill_from(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    if (state->from)
        KRN_CUDA_DO(probes, krn_cuda_fill_words(state->from, state->bytes / 4, 0, probes->stream));
}

static int loads_of(const struct krn_cuda_run *run)
{
    return run->series->variant;
}

static int width_of(const struct krn_cuda_run *run)
{
    return run->series->parameter;
}

static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, krn_cuda_memlat_prepare(loads_of(run), width_of(run), run->shared));
    KRN_CUDA_DO(probes, cudaMemsetAsync(state_of(probes)->to, 0xff, run->count, probes->stream));
    krn_cuda_probe_flush(probes);
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, krn_cuda_memlat(loads_of(run), width_of(run), run->blocks, run->threads,
                                        run->shared, run->rounds, state_of(probes)->from,
                                        state_of(probes)->to, probes->stream));
}

/* Returns a number of threads per multiprocessor: a fraction of its maximum in whole warps of one
 * or two blocks. */
static int threads_of(const struct krn_device_info *info, double sixty_fourths)
{
    const int share = info->threads_per_processor * (int)sixty_fourths / 64,
              edge = share > 1024 ? 64 : 32;
    return share / edge * edge;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    const int threads = threads_of(info, x), blocks = threads > 1024 ? 2 : 1;
    if (threads == 0)
        return false;
    probe->x = 100.0 * threads / info->threads_per_processor;
    run->threads = threads / blocks;
    run->blocks = info->processors * blocks;
    /* Enough shared memory that one more block does not fit. */
    run->shared = (probes->shared_max / (blocks + 1) + 1024) / 1024 * 1024;
    const double flight = (double)run->threads * run->blocks * loads_of(run) * width_of(run);
    /* The rate of the reads by Little's law, limited by the memory, half of whose bandwidth is for
     * reads. */
    const double by_latency = flight / latency_ms, by_memory = probes->gbps * 1e6 * 0.8 / 2.0;
    const double per_ms = by_latency < by_memory ? by_latency : by_memory;
    const double most = (double)state_of(probes)->bytes / flight, wanted = per_ms * run_ms / flight;
    run->rounds = (int)(wanted < most ? wanted : most);
    run->count = (size_t)flight * (size_t)run->rounds;
    run->results = (struct krn_cuda_results){
        .type = KRN_CUDA_WORDS, .count = run->count / 4, .actual = state_of(probes)->to};
    probe->useful_bytes = probe->moved_bytes = 2.0 * (double)run->count;
    probe->sectors = (double)width_of(run) * KRN_LANES / KRN_SECTOR_BYTES;
    probe->steps = run->rounds;
    probe->in_flight_bytes = flight;
    probe->footprint_bytes = 2.0 * (double)run->count;
    probe->expected_ms =
        (double)run->count / per_ms +
        krn_cuda_probe_ms(probes, 3.0 * (double)run->count + 3.0 * (double)probes->flush_bytes) +
        0.05;
    return run->rounds > 0;
}

static const struct krn_cuda_kind kind = {
    .prepare = prepare,
    .launch = launch,
};

static const char scope[] =
    "one copy kernel, between two CUDA events queued behind a gate; every multiprocessor held at "
    "the same number of threads, the L2 cache overwritten before";

static const double sixty_fourths[] = {1, 2, 4, 8, 16, 24, 32, 48, 64};

#define LOADS(name, loads, width)                                                                  \
    {                                                                                              \
        name, "occupancy", scope, &kind, loads, width, KRN_CUDA_POINTS(sixty_fourths), fill, true  \
    }

static const struct krn_cuda_series series[] = {
    LOADS("loads1x4", 1, 4),   LOADS("loads2x4", 2, 4),   LOADS("loads4x4", 4, 4),
    LOADS("loads8x4", 8, 4),   LOADS("loads1x16", 1, 16), LOADS("loads2x16", 2, 16),
    LOADS("loads4x16", 4, 16), LOADS("loads8x16", 8, 16),
};

const struct krn_cuda_topic krn_cuda_topic_memlat = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill_from,
};
