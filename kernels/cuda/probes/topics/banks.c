/* Reads of shared memory by stride, with one warp and with 32 on one multiprocessor. Source:
 * NVIDIA, CUDA C++ Programming Guide, Shared Memory. */
#include "cuda/probes/topic.h"

/* After STEPS reads no lane is back at its start. */
enum { STEPS = 1008, ONE = KRN_LANES, FULL = 32 * KRN_LANES };

/* Odd strides meet every bank once. */
static const double strides[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33};
enum { ENDS = (33 + 1) * KRN_LANES };

/* Computes the last offsets of a warp's lanes at every stride. */
static void make_ends(const struct krn_cuda_probes *probes, void *table)
{
    uint32_t *ends = table;
    (void)probes;
    for (uint32_t i = 0; i < ENDS; i++) {
        ends[i] = 4 * (i / KRN_LANES) * (i % KRN_LANES);
        for (int step = 0; step < STEPS; step++)
            ends[i] = krn_probe_next(ends[i] / 4, KRN_CUDA_BANKS_WORDS);
    }
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, krn_cuda_banks((unsigned)run->expected, run->threads, STEPS, probes->result,
                                       probes->cycles, probes->stream));
}

/* A step is a read of one warp: those of several warps take turns at the banks. */
static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const int stride = (int)x, conflicts = stride & -stride; /* up to 33: the divisor of 32 */
    run->threads = run->series->variant;
    run->blocks = 1;
    run->expected = (size_t)stride;
    run->results = krn_cuda_tabled(probes, probe->topic, KRN_CUDA_UINTS, (size_t)run->threads,
                                   KRN_LANES, run->expected * KRN_LANES * sizeof(uint32_t));
    probe->steps = (double)STEPS * run->threads / KRN_LANES;
    probe->useful_bytes = probe->moved_bytes = 4.0 * KRN_LANES * probe->steps;
    probe->in_flight_bytes = 4.0 * run->threads;
    probe->footprint_bytes = 4.0 * KRN_CUDA_BANKS_WORDS;
    probe->beside_memory = true;
    probe->has_cycles = true;
    /* Estimate: a cycle per conflict, and the latency of a read. */
    probe->expected_ms = (probe->steps * conflicts + 60.0 * STEPS) / (probes->mhz * 1e3) + 0.05;
    return true;
}

static const struct krn_cuda_kind kind = {.launch = launch};

static const char scope[] =
    "cycles: reads of 4 bytes of shared memory, a step for each of a warp, by the multiprocessor's "
    "clock; neighbouring lanes are x words apart, and each read gives the offset of the next; ms: "
    "the whole kernel with the filling of the table, between two CUDA events queued behind a gate";

static const struct krn_cuda_series series[] = {
    {"one", "stride", scope, &kind, ONE, 0, KRN_CUDA_POINTS(strides), fill, false},
    {"full", "stride", scope, &kind, FULL, 0, KRN_CUDA_POINTS(strides), fill, false},
};

const struct krn_cuda_topic krn_cuda_topic_banks = {
    .series = KRN_CUDA_POINTS(series),
    .result_bytes = sizeof(uint32_t) * FULL,
    .table_bytes = sizeof(uint32_t) * ENDS,
    .make_table = make_ends,
};
