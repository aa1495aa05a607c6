/* Constant memory: reads of 1 to 32 addresses per warp, and walks through tables of 256 bytes to 64
 * KiB. Source: J. Sanders, E. Kandrot, CUDA by Example, 6. */
#include "cuda/probes/topic.h"

enum { CONSTANT, GLOBAL };
enum { ROUNDS = 128, THREADS = 256, BLOCKS = 2, STEPS = 4096 };

/* One table of words, built on the host and copied to the device: the window of the reads, the
 * tables of the walks, each twice as large as the one before, and the expected results of reads and
 * walks. */
enum {
    READS = KRN_LANES, /* for 1 to 32 addresses */
    WALKS = 9,
    WALK_WORDS = 64, /* words of the smallest table */
    AT_WALK = KRN_PROBE_WINDOW,
    AT_READS_END = AT_WALK + WALK_WORDS * ((1 << WALKS) - 1),
    AT_WALKS_END = AT_READS_END + READS * KRN_LANES,
    WORDS = AT_WALKS_END + WALKS
};

struct state {
    void *bank; /* address of the constant bank in device memory */
};

KRN_CUDA_STATE(KRN_TOPIC_CONSTANT)

static uint32_t walk_words(int walk)
{
    return (uint32_t)WALK_WORDS << walk;
}

static size_t walk_table(int walk)
{
    return AT_WALK + (size_t)WALK_WORDS * (((size_t)1 << walk) - 1);
}

static uint32_t reads_end(const uint32_t *tables, uint32_t lane, uint32_t addresses)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t read = 0; read < KRN_PROBE_READS; read++)
            sum += tables[krn_probe_read_at(round, read, krn_probe_group(lane, addresses))];
    return sum;
}

static uint32_t walk_end(const uint32_t *table)
{
    uint32_t at = 0;
    for (int step = 0; step < STEPS; step++)
        at = table[at / 4];
    return at;
}

static void make_table(const struct krn_cuda_probes *probes, void *words)
{
    const uint32_t salt = 12345;
    uint32_t *table = words;
    (void)probes;
    for (uint32_t i = 0; i < KRN_PROBE_WINDOW; i++)
        table[i] = krn_probe_word(i, salt);
    for (int walk = 0; walk < WALKS; walk++)
        for (uint32_t word = 0; word < walk_words(walk); word++)
            table[walk_table(walk) + word] = krn_probe_next(word, walk_words(walk));
    for (uint32_t i = 0; i < READS; i++)
        for (uint32_t lane = 0; lane < KRN_LANES; lane++)
            table[AT_READS_END + i * KRN_LANES + lane] = reads_end(table, lane, i + 1);
    for (int walk = 0; walk < WALKS; walk++)
        table[AT_WALKS_END + walk] = walk_end(table + walk_table(walk));
}

static void find_bank(struct krn_cuda_probes *probes)
{
    KRN_CUDA_DO(probes, krn_cuda_reads_bank(&state_of(probes)->bank));
}

static const uint32_t *table_of(const struct krn_cuda_probes *probes)
{
    return probes->tables[KRN_TOPIC_CONSTANT].device;
}

/* Returns the index of the walk, or the number of addresses. */
static int index_of(const struct krn_cuda_run *run)
{
    return run->rounds;
}

static bool walks(const struct krn_cuda_run *run);

static size_t results_of(const struct krn_cuda_run *run)
{
    return (size_t)run->blocks * (size_t)run->threads;
}

/* Copies the words that this run reads into the constant bank, on the device and before the time
 * stamps. */
static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->result, 0xff, 4 * results_of(run), probes->stream));
    if (run->series->variant == GLOBAL)
        return;
    const size_t words = walks(run) ? walk_words(index_of(run)) : KRN_PROBE_WINDOW,
                 at = walks(run) ? walk_table(index_of(run)) : 0;
    KRN_CUDA_DO(probes, cudaMemcpyAsync(state_of(probes)->bank, table_of(probes) + at, 4 * words,
                                        cudaMemcpyDeviceToDevice, probes->stream));
}

static void launch_reads(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const uint32_t *table = run->series->variant == GLOBAL ? table_of(probes) : NULL;
    KRN_CUDA_DO(probes, krn_cuda_reads(table, index_of(run), run->blocks, run->threads, ROUNDS,
                                       probes->result, probes->stream));
}

static void launch_walk(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const int walk = index_of(run);
    const uint32_t *table =
        run->series->variant == GLOBAL ? table_of(probes) + walk_table(walk) : NULL;
    KRN_CUDA_DO(probes, krn_cuda_walk(table, 4 * walk_words(walk), STEPS, probes->result,
                                      probes->cycles, probes->stream));
}

/* Returns the index of x in the sequence first, 2 * first, 4 * first, ... */
static int doublings(double x, double first)
{
    int n = 0;
    for (; first < x; first *= 2.0)
        n++;
    return n;
}

/* Returns the sectors that hold the adjacent words of a warp; the first begins a sector. */
static double sectors_of(double addresses)
{
    uint64_t words[KRN_LANES];
    for (uint64_t lane = 0; lane < KRN_LANES; lane++)
        words[lane] = krn_probe_group((uint32_t)lane, (uint32_t)addresses);
    return krn_sectors(words, KRN_LANES, 4, KRN_SECTOR_BYTES);
}

static bool fill_reads(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                       struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    run->rounds = (int)x;
    run->threads = THREADS;
    run->blocks = BLOCKS * info->processors;
    run->results =
        krn_cuda_tabled(probes, probe->topic, KRN_CUDA_UINTS, results_of(run), KRN_LANES,
                        (AT_READS_END + (size_t)(run->rounds - 1) * KRN_LANES) * sizeof(uint32_t));
    const double reads = (double)ROUNDS * KRN_PROBE_READS;
    probe->useful_bytes = 4.0 * reads * (double)results_of(run);
    probe->steps = reads;
    probe->footprint_bytes = 4.0 * KRN_PROBE_WINDOW;
    probe->sectors = sectors_of(x);
    probe->beside_memory = true;
    /* Estimate: two clocks per address of a warp, one address after another. */
    probe->expected_ms = BLOCKS * THREADS / KRN_LANES * reads * 2.0 *
                             (run->series->variant == CONSTANT ? x : 1.0) / (probes->mhz * 1e3) +
                         0.05;
    return true;
}

static bool fill_walk(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                      struct krn_probe *probe)
{
    run->rounds = doublings(x, 4.0 * WALK_WORDS);
    run->threads = KRN_LANES;
    run->blocks = 1;
    run->results = krn_cuda_tabled(probes, probe->topic, KRN_CUDA_UINTS, results_of(run), 1,
                                   (AT_WALKS_END + (size_t)run->rounds) * sizeof(uint32_t));
    probe->useful_bytes = 4.0 * STEPS;
    probe->steps = STEPS;
    probe->in_flight_bytes = 4.0;
    probe->footprint_bytes = x;
    probe->beside_memory = true;
    probe->has_cycles = true;
    probe->expected_ms = STEPS * 100.0 / (probes->mhz * 1e3) + 0.05;
    return true;
}

static const struct krn_cuda_kind reads_kind = {.prepare = prepare, .launch = launch_reads},
                                  walk_kind = {.prepare = prepare, .launch = launch_walk};

static bool walks(const struct krn_cuda_run *run)
{
    return run->series->kind == &walk_kind;
}

static const char reads_scope[] = "one kernel of independent reads of a table of 2 KiB, between "
                                  "two CUDA events queued behind a gate";
static const char walk_scope[] =
    "cycles: one warp's reads, each at the address that the one before gave, the table read "
    "before, by the multiprocessor's clock; ms: the whole kernel, between two CUDA events";

static const double addresses[READS] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                        12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                        23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
static const double walk_bytes[WALKS] = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};

static const struct krn_cuda_series series[] = {
    {"constant", "addresses", reads_scope, &reads_kind, CONSTANT, 0, KRN_CUDA_POINTS(addresses),
     fill_reads, false},
    {"global", "addresses", reads_scope, &reads_kind, GLOBAL, 0, KRN_CUDA_POINTS(addresses),
     fill_reads, false},
    {"walk/constant", "bytes", walk_scope, &walk_kind, CONSTANT, 0, KRN_CUDA_POINTS(walk_bytes),
     fill_walk, false},
    {"walk/global", "bytes", walk_scope, &walk_kind, GLOBAL, 0, KRN_CUDA_POINTS(walk_bytes),
     fill_walk, false},
};

const struct krn_cuda_topic krn_cuda_topic_constant = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .result_bytes_each = sizeof(uint32_t) * THREADS * BLOCKS,
    .table_bytes = sizeof(uint32_t) * WORDS,
    .make_table = make_table,
    .fill = find_bank,
};
