/* Multiply-adds with operands from registers and from shared memory. Source: V. Volkov, Better
 * Performance at Lower Occupancy. */
#include "cuda/probes/topic.h"

/* Rounds of a run; latencies in cycles of a multiply-add and of a load from shared memory, for
 * estimates. */
enum { ROUNDS = 512, STEP_CYCLES = 4, LOAD_CYCLES = 4 };

/* The chains of a warp have the same ends in every warp. */
enum { ENDS = KRN_LANES * KRN_CUDA_OPERAND_CHAINS, SERIES = 3 };

/* One table of words, built on the host and copied to the device: the addends, a factor per lane,
 * and the expected ends of the chains of each series. */
enum {
    AT_FACTORS = KRN_CUDA_OPERAND_WORDS,
    AT_ENDS = AT_FACTORS + KRN_LANES,
    WORDS = AT_ENDS + SERIES * ENDS
};

static int body_of(int memory)
{
    return memory == KRN_CUDA_FROM_REGISTERS ? KRN_CUDA_REGISTER_BODY : KRN_CUDA_SHARED_BODY;
}

/* Returns the word that multiply-add number `step` of the loop's body reads in a round. */
static uint32_t word_of(int memory, uint32_t round, int step, int lane)
{
    if (memory == KRN_CUDA_FROM_REGISTERS)
        return (uint32_t)(step % KRN_CUDA_OPERAND_CHAINS * KRN_LANES + lane);
    const int in_round = memory == KRN_CUDA_FROM_SHARED
                             ? step * KRN_LANES + lane
                             : (step / 4 * KRN_LANES + lane) * 4 + step % 4;
    return krn_probe_operand_base(round) + (uint32_t)in_round;
}

static void make_ends(int memory, const float *table, float *ends)
{
    for (int lane = 0; lane < KRN_LANES; lane++) {
        float *a = ends + lane * KRN_CUDA_OPERAND_CHAINS;
        for (int c = 0; c < KRN_CUDA_OPERAND_CHAINS; c++)
            a[c] = krn_probe_operand_start(c);
        for (uint32_t round = 0; round < ROUNDS; round++)
            for (int step = 0; step < body_of(memory); step++)
                a[step % KRN_CUDA_OPERAND_CHAINS] += table[word_of(memory, round, step, lane)];
    }
}

static void make_table(const struct krn_cuda_probes *probes, void *words)
{
    float *table = words;
    (void)probes;
    for (uint32_t word = 0; word < KRN_CUDA_OPERAND_WORDS; word++)
        table[word] = krn_probe_operand(word);
    for (int lane = 0; lane < KRN_LANES; lane++)
        table[AT_FACTORS + lane] = 1.0f;
    for (int memory = 0; memory < SERIES; memory++)
        make_ends(memory, table, table + AT_ENDS + memory * ENDS);
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes,
                krn_cuda_operands((enum krn_cuda_operand_memory)run->series->variant,
                                  probes->tables[KRN_TOPIC_OPERANDS].device, run->blocks,
                                  run->threads, run->rounds, probes->result, probes->stream));
}

/* A multiply-add reads three operands of 4 bytes. Of a series from registers all of them count; of
 * a series from shared memory, only the one that it loads. */
static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    const int memory = run->series->variant;
    const bool registers = memory == KRN_CUDA_FROM_REGISTERS;
    const double each = (double)ROUNDS * body_of(memory), all = each * x * info->processors;
    run->threads = (int)x;
    run->blocks = info->processors;
    run->rounds = ROUNDS;
    run->count = (size_t)run->threads * (size_t)run->blocks * KRN_CUDA_OPERAND_CHAINS;
    run->results = krn_cuda_tabled(probes, probe->topic, KRN_CUDA_FLOATS, run->count, ENDS,
                                   (AT_ENDS + (size_t)memory * ENDS) * sizeof(float));
    probe->useful_bytes = probe->moved_bytes = (registers ? 12.0 : 4.0) * all;
    probe->flops = 2.0 * all;
    probe->steps = each / KRN_CUDA_OPERAND_CHAINS;
    probe->footprint_bytes = registers ? 0.0 : 4.0 * KRN_CUDA_OPERAND_WORDS;
    probe->beside_memory = true;
    /* The greater of two times: by the latency of a warp, and by the throughput of the lanes. */
    const double alone = registers ? STEP_CYCLES * probe->steps : LOAD_CYCLES * each,
                 busy = each * x / (registers ? probes->lanes : KRN_LANES);
    probe->expected_ms = (alone > busy ? alone : busy) / (probes->mhz * 1e3) + 0.05;
    return true;
}

static const struct krn_cuda_kind kind = {.launch = launch};

static const char registers_scope[] =
    "one kernel of multiply-adds, between two CUDA events queued behind a gate; one block on every "
    "multiprocessor; a multiply-add reads three registers, which count 12 bytes";
static const char shared_scope[] =
    "one kernel of multiply-adds, between two CUDA events queued behind a gate; one block on every "
    "multiprocessor; each multiply-add has one operand loaded from shared memory, which counts 4 "
    "bytes; filling the shared memory is in it";

#define MEMORY(name, memory, scope)                                                                \
    {                                                                                              \
        name, "threads", scope, &kind, memory, 0, KRN_CUDA_POINTS(krn_cuda_warps), fill, false     \
    }

static const struct krn_cuda_series series[SERIES] = {
    MEMORY("registers", KRN_CUDA_FROM_REGISTERS, registers_scope),
    MEMORY("shared", KRN_CUDA_FROM_SHARED, shared_scope),
    MEMORY("shared16", KRN_CUDA_FROM_SHARED16, shared_scope),
};

const struct krn_cuda_topic krn_cuda_topic_operands = {
    .series = KRN_CUDA_POINTS(series),
    /* The ends of all chains of a block per multiprocessor. */
    .result_bytes_each =
        sizeof(float) * KRN_CUDA_OPERAND_CHAINS * (KRN_LANES << KRN_CUDA_WARP_POINTS) / 2,
    .table_bytes = sizeof(float) * WORDS,
    .make_table = make_table,
};
