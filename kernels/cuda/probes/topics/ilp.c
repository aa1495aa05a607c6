/* Dependent multiply-adds: chains against threads. Source: V. Volkov, Better Performance at Lower
 * Occupancy, 1. */
#include "cuda/probes/topic.h"

/* The steps of a chain are ROUNDS times those in the loop body: about 65536 multiply-adds per
 * thread. */
enum { ROUNDS = 256, STEP_CYCLES = 4 };

enum { COUNTS = 5, CHAINS_MOST = 8, THREADS_MOST = 1024 };

static const int chain_counts[COUNTS] = {1, 2, 3, 4, 8};

static int steps_of(int chains)
{
    return ROUNDS * (KRN_CUDA_ILP_BODY / chains);
}

static size_t table_of(int chains)
{
    size_t i = 0;
    while (i < COUNTS - 1 && chain_counts[i] != chains)
        i++;
    return i * KRN_PROBE_STARTS;
}

/* Computes the ends of the chains, by length and start, with the host's multiply-adds. */
static void make_ends(const struct krn_cuda_probes *probes, void *table)
{
    float *ends = table;
    const int longest = steps_of(1);
    (void)probes;
    for (uint32_t start = 0; start < KRN_PROBE_STARTS; start++) {
        float a = krn_probe_chain_start(start);
        for (int step = 1; step <= longest; step++) {
            a = krn_fma(a, a, KRN_PROBE_B);
            for (int i = 0; i < COUNTS; i++)
                if (steps_of(chain_counts[i]) == step)
                    ends[table_of(chain_counts[i]) + start] = a;
        }
    }
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, krn_cuda_ilp(run->series->variant, run->blocks, run->threads, run->rounds,
                                     probes->result, probes->cycles, probes->stream));
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const int chains = run->series->variant;
    run->threads = (int)x;
    run->blocks = 1;
    run->rounds = ROUNDS;
    run->count = (size_t)run->threads * (size_t)chains;
    run->results = krn_cuda_tabled(probes, probe->topic, KRN_CUDA_FLOATS, run->count,
                                   KRN_PROBE_STARTS, table_of(chains) * sizeof(float));
    probe->steps = steps_of(chains);
    probe->flops = 2.0 * (double)run->count * probe->steps;
    probe->has_cycles = true;
    /* The greater of two times: by the latency of a chain, and by the throughput of the lanes. */
    const double chain = STEP_CYCLES * probe->steps,
                 busy = (double)run->count * probe->steps / probes->lanes;
    probe->expected_ms = (chain > busy ? chain : busy) / (probes->mhz * 1e3) + 0.04;
    return true;
}

static const struct krn_cuda_kind kind = {.launch = launch};

static const char scope[] =
    "cycles: all of the work at the sum of the four schedulers' rates, by "
    "the multiprocessor's clock, dependent multiply-adds alone; ms: the whole kernel, between two "
    "CUDA events, which ends with the last warp";

static const double threads_x[] = {32,  64,  96,  128, 160, 192, 224, 256, 288, 320, 352,
                                   384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704,
                                   736, 768, 800, 832, 864, 896, 928, 960, 992, 1024};

#define CHAINS(name, chains)                                                                       \
    {                                                                                              \
        name, "threads", scope, &kind, chains, 0, KRN_CUDA_POINTS(threads_x), fill, false          \
    }

static const struct krn_cuda_series series[] = {
    CHAINS("ilp1", 1), CHAINS("ilp2", 2), CHAINS("ilp3", 3), CHAINS("ilp4", 4), CHAINS("ilp8", 8),
};

const struct krn_cuda_topic krn_cuda_topic_ilp = {
    .series = KRN_CUDA_POINTS(series),
    .result_bytes = sizeof(float) * CHAINS_MOST * THREADS_MOST, /* of the ends of a block */
    .table_bytes = sizeof(float) * COUNTS * KRN_PROBE_STARTS,
    .make_table = make_ends,
};
