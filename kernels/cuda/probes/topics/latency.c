/* Latency of a read: one thread follows a chain through tables of 1 KiB to 1 GiB. Source: V.
 * Volkov, Better Performance at Lower Occupancy, 1. */
#include "cuda/probes/topic.h"

/* The tables lie on top of each other: they share their lines, and each has a slot of its own. */
static const double kibi = 1024.0, mebi = 1048576.0, table_most = 1073741824.0;

/* Sizes of the tables in KiB, closer together where caches end. Each is an odd number times a power
 * of two. */
static const double sizes[] = {1,     2,     4,      8,      16,     32,     64,    96,
                               128,   160,   192,    224,    256,    384,    512,   1024,
                               2048,  4096,  6144,   8192,   16384,  24576,  32768, 49152,
                               65536, 98304, 131072, 262144, 524288, 1048576};
enum { SIZES = sizeof sizes / sizeof *sizes, SIZES_TO_1_MIB = 16 };

/* The same for the chains that visit line after line. */
static const double ascending_sizes[] = {262144, 1048576};
enum { ASCENDING = sizeof ascending_sizes / sizeof *ascending_sizes };

_Static_assert((int)SIZES + (int)ASCENDING <= (int)KRN_CUDA_CHAIN_SLOTS, "each table has a slot");

static const double shared_sizes[] = {1, 4, 16, 64, 128};

enum { IN_ORDER = KRN_CUDA_CHAIN_SHARED + 1 }; /* a variant beside those of where a table lies */

/* Tables up to this size are read into L1 before the clock starts. */
static const double l1_most = 512.0 * 1024.0;

struct state {
    uint32_t *table, *expected;
    size_t bytes;                        /* of the largest table */
    size_t walked[KRN_CUDA_CHAIN_SLOTS]; /* place in the cycle at which the next run starts */
    size_t started;                      /* place at which the last run started */
};

KRN_CUDA_STATE(KRN_TOPIC_LATENCY)

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    state->bytes = krn_cuda_at_least((size_t)table_most >> halvings, (size_t)mebi);
    if (state->bytes > 0)
        probes->flush_requested = true;
    state->table = krn_cuda_carve(probes, state->bytes);
    state->expected = krn_cuda_carve(probes, state->bytes > 0 ? sizeof *state->expected : 0);
}

static struct krn_cycle cycle_at(int slot)
{
    const bool ascending = slot >= SIZES;
    const double bytes = kibi * (ascending ? ascending_sizes[slot - SIZES] : sizes[slot]);
    const uint32_t lines = (uint32_t)(bytes / KRN_CUDA_CHAIN_LINE);
    return ascending ? krn_cycle_ascending(lines) : krn_cycle_of(lines);
}

static double bytes_at(int slot)
{
    return (double)krn_cycle_lines(cycle_at(slot)) * KRN_CUDA_CHAIN_LINE;
}

static void fill_tables(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    if (state->bytes == 0) /* little memory: there is no table */
        return;
    /* Whole lines are read to warm the L2 cache, also the words that no chain writes. */
    KRN_CUDA_DO(probes, cudaMemsetAsync(state->table, 0, state->bytes, probes->stream));
    for (int slot = 0; slot < SIZES + ASCENDING; slot++)
        if (bytes_at(slot) <= (double)state->bytes)
            KRN_CUDA_DO(probes, krn_cuda_chain_fill(cycle_at(slot), (uint32_t)slot, state->table,
                                                    probes->stream));
}

static int slot_of(const struct krn_cuda_run *run)
{
    return (int)run->expected;
}

static bool in_shared(const struct krn_cuda_run *run)
{
    return run->series->variant == KRN_CUDA_CHAIN_SHARED;
}

/* Returns the index of the chain's word at a place: in shared memory, lines have no gaps. */
static uint32_t word_at(const struct krn_cuda_run *run, size_t place)
{
    const uint32_t line = krn_cycle_line(cycle_at(slot_of(run)), place);
    return in_shared(run) ? line : line * (uint32_t)KRN_CUDA_CHAIN_SLOTS + (uint32_t)slot_of(run);
}

/* Returns the word at which the last run has to end. */
static uint32_t end_of(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    return word_at(run, state_of(probes)->started + (size_t)run->rounds + 1);
}

/* Returns true when L2 holds at least two thirds of a table. */
static bool mostly_fits(const struct krn_cuda_probes *probes, double bytes)
{
    return bytes <= 1.5 * (double)probes->info->l2_bytes;
}

/* Loads the table into L2 where most of it fits, and else overwrites L2. Each run starts
 * where the one before ended. */
static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    struct state *state = state_of(probes);
    const int slot = slot_of(run);
    const size_t bytes = (size_t)bytes_at(slot);
    state->started = state->walked[slot];
    state->walked[slot] += (size_t)run->rounds + 1;
    KRN_CUDA_DO(probes, krn_cuda_chain_prepare(run->shared));
    if (mostly_fits(probes, (double)bytes))
        KRN_CUDA_DO(probes,
                    krn_cuda_chain_warm(state->table, bytes, probes->result, probes->stream));
    else
        krn_cuda_probe_flush(probes);
    KRN_CUDA_DO(probes, krn_cuda_chain_expect(end_of(probes, run), state->expected, probes->result,
                                              probes->stream));
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct state *state = state_of(probes);
    const int slot = slot_of(run);
    const enum krn_cuda_chain_memory where = in_shared(run) ? KRN_CUDA_CHAIN_SHARED
                                             : run->series->variant == KRN_CUDA_CHAIN_L2
                                                 ? KRN_CUDA_CHAIN_L2
                                                 : KRN_CUDA_CHAIN_L1;
    const bool all = in_shared(run) || bytes_at(slot) <= l1_most;
    KRN_CUDA_DO(probes, krn_cuda_chain(where, state->table, (uint32_t)slot,
                                       all ? krn_cycle_lines(cycle_at(slot)) : 0,
                                       word_at(run, state->started), run->rounds, probes->result,
                                       probes->cycles, probes->stream));
}

struct links {
    int slot;
    struct krn_cycle cycle;
    struct krn_check *check;
};

static void check_links(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct links *links = context;
    const uint32_t *words = data;
    const size_t first = offset / KRN_CUDA_CHAIN_LINE;
    for (size_t i = 0; i < bytes / KRN_CUDA_CHAIN_LINE; i++) {
        const size_t place = krn_cycle_place(links->cycle, (uint32_t)(first + i));
        const uint32_t next = krn_cycle_line(links->cycle, place + 1);
        krn_check_value(links->check, (double)(first + i + 1),
                        (double)next * KRN_CUDA_CHAIN_SLOTS + links->slot,
                        words[i * KRN_CUDA_CHAIN_SLOTS + (size_t)links->slot]);
    }
}

struct end {
    uint32_t expected;
    struct krn_check *check;
};

static void check_end(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct end *end = context;
    (void)offset;
    (void)bytes;
    krn_check_value(end->check, 0.0, end->expected, *(const uint32_t *)data);
}

/* Compares the end of the walk, and all links of the table, of which a run follows some. */
static void verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    const int slot = slot_of(run);
    struct end end = {end_of(probes, run), check};
    struct links links = {slot, cycle_at(slot), check};
    krn_cuda_probe_read(probes, probes->result, sizeof(uint32_t), check_end, &end);
    krn_cuda_probe_read(probes, state_of(probes)->table, (size_t)bytes_at(slot), check_links,
                        &links);
}

/* Returns the slot of the smallest table with `lines` lines. */
static int slot_for(const struct krn_cuda_series *series, double lines)
{
    const int first = series->variant == IN_ORDER ? SIZES : 0;
    int slot = first;
    while (slot < SIZES + ASCENDING - 1 && krn_cycle_lines(cycle_at(slot)) < lines)
        slot++;
    return slot;
}

/* A run takes at least 0.1 ms and a slice at most 2 ms. The number of reads, rounds + 1, is odd and
 * no multiple of the lines, so that a walk that did not start cannot end at the expected word. */
static bool fill(struct krn_cuda_probes *probes, double kib, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const double x = probe->x = kib * kibi;
    const struct krn_device_info *info = probes->info;
    const bool shared = run->series->variant == KRN_CUDA_CHAIN_SHARED,
               cached = run->series->variant == KRN_CUDA_CHAIN_L1 && x <= 128.0 * kibi;
    const int slot = slot_for(run->series, x / (shared ? 4.0 : KRN_CUDA_CHAIN_LINE));
    const double table = bytes_at(slot), l2 = (double)info->l2_bytes;
    if (table > (double)state_of(probes)->bytes ||
        (!mostly_fits(probes, table) && !probes->flush) ||
        (shared && x + kibi > probes->shared_max))
        return false;
    run->expected = (size_t)slot;
    run->results = (struct krn_cuda_results){
        .type = KRN_CUDA_UINTS, .count = 1, .period = 1, .device = state_of(probes)->expected};
    run->threads = KRN_CUDA_CHAIN_THREADS;
    run->blocks = 1;
    run->shared = shared ? (int)x : 0;
    run->rounds = shared || cached ? 8192 : table <= 8.0 * mebi ? 4096 : table <= l2 ? 2048 : 1024;
    const double cycles = shared || cached ? 50.0 : mostly_fits(probes, table) ? 450.0 : 1000.0;
    const double one_gbps = 45.0; /* read by one multiprocessor: a guess, low where L2 is full */
    probe->steps = run->rounds;
    probe->useful_bytes = 4.0 * probe->steps;
    probe->moved_bytes = (double)KRN_SECTOR_BYTES * probe->steps;
    probe->sectors = 1.0;
    probe->in_flight_bytes = 4.0;
    probe->footprint_bytes = x;
    probe->beside_memory = table <= l2;
    probe->has_cycles = true;
    probe->expected_ms = run->rounds * cycles / (probes->mhz * 1e3) +
                         (mostly_fits(probes, table)
                              ? table / (one_gbps * 1e6)
                              : krn_cuda_probe_ms(probes, 3.0 * (double)probes->flush_bytes)) +
                         0.05;
    return true;
}

static const struct krn_cuda_kind kind = {
    .prepare = prepare,
    .launch = launch,
    .verify = verify,
};

static const char scope[] =
    "cycles: one thread's reads of 4 bytes, each at the index that the one before gave, from "
    "another line of 128 bytes, in an order drawn by a permutation, by the multiprocessor's clock; "
    "ms: the whole kernel, between two CUDA events; the table was read before as far as the caches "
    "hold it, or L2 was overwritten where it holds less than two thirds";
static const char l2_scope[] =
    "the same with reads that bypass the L1 cache; cycles by the multiprocessor's clock; ms: the "
    "whole kernel, between two CUDA events";
static const char ascending_scope[] =
    "the same in ascending order of the lines, which finds rows of the memory open that the line "
    "before has opened, after L2 was overwritten";
static const char shared_scope[] =
    "the same through a table in shared memory, which has no lines: 4 bytes per read; cycles by "
    "the multiprocessor's clock; ms: the whole kernel with the copy into shared memory";

static const struct krn_cuda_series series[] = {
    {"read", "bytes", scope, &kind, KRN_CUDA_CHAIN_L1, 0, KRN_CUDA_POINTS(sizes), fill, false},
    {"l2", "bytes", l2_scope, &kind, KRN_CUDA_CHAIN_L2, 0, sizes, SIZES_TO_1_MIB, fill, false},
    {"ascending", "bytes", ascending_scope, &kind, IN_ORDER, 0, KRN_CUDA_POINTS(ascending_sizes),
     fill, false},
    {"shared", "bytes", shared_scope, &kind, KRN_CUDA_CHAIN_SHARED, 0,
     KRN_CUDA_POINTS(shared_sizes), fill, false},
};

const struct krn_cuda_topic krn_cuda_topic_latency = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill_tables,
};
