/* Reads the same numbers in different orders: with one block, as in a tutorial's sum of cubes, and
 * with the whole GPU. */
#include "core/probes/pattern.h"
#include "cuda/probes/topic.h"

/* A pattern reads an eighth of the array, so that a stride of 8 still reads every element once.
 * With the whole GPU, CHUNK_THREADS threads read one chunk each. */
enum { READS_SHARE = 8, CHUNK_THREADS = 1 << 18, CHUNK_BLOCKS = 1024 };

/* The kernels: what a series' parameter names. */
enum { ONE_BLOCK, WHOLE_STRIDED, WHOLE_CHUNK, BY_PATTERN };

static const size_t numbers_most = (size_t)1 << 28;

struct state {
    int *numbers;
    size_t count;
    unsigned long long *sums; /* expected sums of all runs, one after another */
    size_t sums_used, sums_room;
};

KRN_CUDA_STATE(KRN_TOPIC_ACCESS)

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    state->count = krn_cuda_at_least(numbers_most >> halvings, KRN_CUDA_SUM_ELEMENTS);
    state->sums_room = 0;
    if (state->count == 0)
        return;
    const size_t blocks = state->count / KRN_CUDA_PATTERN_TILE;
    state->sums_room = 3 * KRN_CUDA_SUM_THREADS + 3 * blocks + ((size_t)1 << 18);
    krn_cuda_request_result(probes, 8 * blocks);
    krn_cuda_request_result(probes, 8 * KRN_CUDA_SUM_THREADS);
    probes->flush_requested = true;
    state->numbers = krn_cuda_carve(probes, 4 * state->count);
    state->sums = krn_cuda_carve(probes, 8 * state->sums_room);
}

static void fill_numbers(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    if (state->numbers)
        KRN_CUDA_DO(probes, krn_cuda_fill_digits(state->numbers, state->count, probes->stream));
}

/* Launches the kernel of a series over `numbers`. When numbers is NULL, it computes the numbers
 * instead of reading them, which gives the expected sums. */
static void launch_over(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                        const int *numbers, unsigned long long *sums)
{
    switch (run->series->parameter) {
    case ONE_BLOCK:
        KRN_CUDA_DO(probes, krn_cuda_sum((enum krn_cuda_order)run->series->variant, numbers, sums,
                                         probes->cycles, probes->stream));
        break;
    case WHOLE_STRIDED:
        KRN_CUDA_DO(probes, krn_cuda_whole_strided(numbers, run->count, sums, probes->stream));
        break;
    case WHOLE_CHUNK:
        KRN_CUDA_DO(probes, krn_cuda_whole_chunk(numbers, (unsigned)run->rounds,
                                                 (unsigned)run->blocks, sums, probes->stream));
        break;
    default:
        KRN_CUDA_DO(probes,
                    krn_cuda_pattern((enum krn_pattern)run->series->variant, (unsigned)run->rounds,
                                     numbers, state_of(probes)->count, run->count, sums,
                                     probes->stream));
    }
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    launch_over(probes, run, state_of(probes)->numbers, probes->result);
}

/* Computes the expected sums once, with the same kernel. */
static void expect(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    launch_over(probes, run, NULL, state_of(probes)->sums + run->expected);
}

static bool of_one_block(const struct krn_cuda_run *run)
{
    return run->series->parameter == ONE_BLOCK;
}

/* Returns the number of sums of a run: one per thread of a single block, else one per block. */
static size_t sums_of(const struct krn_cuda_run *run)
{
    return of_one_block(run) ? KRN_CUDA_SUM_THREADS : (size_t)run->blocks;
}

static bool reserve_sums(struct krn_cuda_probes *probes, struct krn_cuda_run *run)
{
    const size_t sums = sums_of(run);
    run->expected = state_of(probes)->sums_used;
    run->results = (struct krn_cuda_results){.type = KRN_CUDA_SUMS,
                                             .count = sums,
                                             .period = sums,
                                             .device = state_of(probes)->sums + run->expected};
    if (state_of(probes)->sums_used + sums > state_of(probes)->sums_room)
        return false;
    state_of(probes)->sums_used += sums;
    return true;
}

static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    /* Warm is the state after one strided sum, whatever ran before it: the numbers are in L2, and
     * their address translations are in the multiprocessor. */
    if (of_one_block(run) && !run->series->cold)
        KRN_CUDA_DO(probes, krn_cuda_sum(KRN_CUDA_SUM_STRIDED, state_of(probes)->numbers,
                                         probes->result, probes->cycles, probes->stream));
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->result, 0xff, 8 * sums_of(run), probes->stream));
    if (run->series->cold)
        krn_cuda_probe_flush(probes);
}

/* Returns the element that read number `read` of sum number `sum` loads. */
static uint64_t element_of(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                           uint64_t sum, uint64_t read)
{
    if (of_one_block(run) && run->series->variant == KRN_CUDA_SUM_CHUNK)
        return sum * (KRN_CUDA_SUM_ELEMENTS / KRN_CUDA_SUM_THREADS) + read;
    if (of_one_block(run) && run->series->variant == KRN_CUDA_SUM_LOADS8)
        return 4 * (sum + read / 4 * KRN_CUDA_SUM_THREADS) + read % 4;
    if (of_one_block(run))
        return sum + read * KRN_CUDA_SUM_THREADS;
    const uint64_t reads = run->count / (size_t)run->blocks, thread = sum * reads + read;
    if (run->series->parameter == BY_PATTERN)
        return krn_pattern_element((enum krn_pattern)run->series->variant, (uint64_t)run->rounds,
                                   thread, state_of(probes)->count);
    return thread; /* the elements of a block are adjacent, whatever thread reads them */
}

struct piece {
    const struct krn_cuda_probes *probes;
    const struct krn_cuda_run *run;
    struct krn_check *check;
};

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct piece *piece = context;
    const unsigned long long *sums = data;
    const uint64_t reads = piece->run->count / sums_of(piece->run);
    for (size_t i = 0; i < bytes / 8; i++) {
        const uint64_t sum = offset / 8 + i;
        uint64_t expected = 0;
        for (uint64_t read = 0; read < reads; read++)
            expected += (uint64_t)krn_probe_cube(
                (uint32_t)element_of(piece->probes, piece->run, sum, read));
        krn_check_value(piece->check, (double)sum, (double)expected, (double)sums[i]);
    }
}

static void verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    struct piece piece = {probes, run, check};
    krn_cuda_probe_read(probes, probes->result, 8 * sums_of(run), verify_piece, &piece);
}

static bool fill_one_block(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                           struct krn_probe *probe)
{
    const int variant = run->series->variant;
    const unsigned reads_each = KRN_CUDA_SUM_ELEMENTS / KRN_CUDA_SUM_THREADS;
    if (state_of(probes)->count == 0)
        return false;
    run->count = KRN_CUDA_SUM_ELEMENTS;
    run->blocks = 1;
    run->threads = KRN_CUDA_SUM_THREADS;
    const bool chunk = variant == KRN_CUDA_SUM_CHUNK;
    krn_probe_pattern(probe, chunk ? KRN_PATTERN_CHUNK : KRN_PATTERN_OFFSET, chunk ? reads_each : 0,
                      run->count, x, KRN_SECTOR_BYTES);
    probe->steps = reads_each;
    if (variant == KRN_CUDA_SUM_LOADS8) {
        /* 8 loads of 16 bytes per lane; the lanes of a warp are adjacent. */
        probe->sectors = 16.0 * KRN_LANES / KRN_SECTOR_BYTES;
        probe->steps = reads_each / 32.0;
        probe->in_flight_bytes = 8.0 * 16.0 * KRN_CUDA_SUM_THREADS;
    }
    probe->footprint_bytes = 4.0 * x;
    probe->has_cycles = true;
    /* Estimate: one multiprocessor fetches about one sector per clock. */
    probe->expected_ms =
        probe->moved_bytes / KRN_SECTOR_BYTES / (probes->mhz * 1e3) +
        (probe->cold ? krn_cuda_probe_ms(probes, 3.0 * (double)probes->flush_bytes) : 0.0) + 0.04;
    return reserve_sums(probes, run);
}

static bool fill_whole(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                       struct krn_probe *probe)
{
    const bool chunk = run->series->parameter == WHOLE_CHUNK;
    if (state_of(probes)->count == 0)
        return false;
    run->count = state_of(probes)->count;
    x = probe->x = (double)run->count;
    run->threads = KRN_CUDA_WHOLE_THREADS;
    run->blocks = chunk ? CHUNK_BLOCKS : (int)(run->count / KRN_CUDA_WHOLE_TILE);
    run->rounds = chunk ? (int)(run->count / CHUNK_THREADS) : 0;
    krn_probe_pattern(probe, chunk ? KRN_PATTERN_CHUNK : KRN_PATTERN_OFFSET, (unsigned)run->rounds,
                      run->count, x, KRN_SECTOR_BYTES);
    if (!chunk) {
        /* 16 bytes per lane; the lanes of a warp are adjacent. */
        probe->sectors = 16.0;
        probe->moved_bytes = probe->useful_bytes;
    }
    probe->steps = chunk ? run->rounds : 1.0;
    probe->footprint_bytes = 4.0 * x;
    probe->expected_ms =
        krn_cuda_probe_ms(probes, chunk ? 5.0 * probe->useful_bytes : 1.2 * probe->useful_bytes) +
        0.03;
    return reserve_sums(probes, run);
}

static bool fill_pattern(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                         struct krn_probe *probe)
{
    const enum krn_pattern pattern = (enum krn_pattern)run->series->variant;
    const bool parameter = pattern == KRN_PATTERN_OFFSET || pattern == KRN_PATTERN_STRIDE;
    if (state_of(probes)->count == 0)
        return false;
    run->count = state_of(probes)->count / READS_SHARE;
    run->threads = KRN_CUDA_WHOLE_THREADS;
    run->blocks = (int)(run->count / KRN_CUDA_PATTERN_TILE);
    run->rounds = parameter ? (int)x : 0;
    if (!parameter)
        probe->x = (double)state_of(probes)->count;
    const double reads = (double)run->count;
    krn_probe_pattern(probe, pattern, (unsigned)run->rounds, state_of(probes)->count, reads,
                      KRN_SECTOR_BYTES);
    probe->steps = 1.0;
    probe->footprint_bytes = pattern == KRN_PATTERN_BROADCAST ? 4.0 * reads / KRN_LANES
                             : pattern == KRN_PATTERN_STRIDE
                                 ? (x < READS_SHARE ? x : READS_SHARE) * 4.0 * reads
                             : pattern == KRN_PATTERN_RANDOM ? 4.0 * (double)state_of(probes)->count
                                                             : 4.0 * reads;
    /* Estimate: memory also fetches neighbouring sectors that the kernel does not read. */
    const double fetched = pattern == KRN_PATTERN_RANDOM ? 4.0 : 2.0;
    probe->expected_ms = krn_cuda_probe_ms(probes, fetched * probe->moved_bytes) + 0.05;
    return reserve_sums(probes, run);
}

static const struct krn_cuda_kind kind = {
    .expect = expect,
    .prepare = prepare,
    .launch = launch,
    .verify = verify,
};

static const char warm_scope[] =
    "one block's sum of cubes, between two CUDA events queued behind a gate, the numbers in the L2 "
    "cache; cycles by the clock of its thread 0";
static const char cold_scope[] =
    "one block's sum of cubes, between two CUDA events queued behind a gate, the L2 cache "
    "overwritten before; cycles by the clock of its thread 0";
static const char whole_scope[] = "one kernel that reads and adds up the numbers, between two CUDA "
                                  "events queued behind a gate: no host, no launch gap";

static const double one_block_x[] = {KRN_CUDA_SUM_ELEMENTS},
                    whole_x[] = {0}, /* the device's memory decides */
    offsets[] = {0, 1, 2, 4, 8, 16}, strides[] = {1, 2, 4, 8, 16, 32};

#define ONE(name, scope, order, is_cold)                                                           \
    {                                                                                              \
        name, "elements", scope, &kind, order, ONE_BLOCK, KRN_CUDA_POINTS(one_block_x),            \
            fill_one_block, is_cold                                                                \
    }
#define WHOLE(name, axis, pattern, how, x, fill)                                                   \
    {                                                                                              \
        name, axis, whole_scope, &kind, pattern, how, KRN_CUDA_POINTS(x), fill, false              \
    }

static const struct krn_cuda_series series[] = {
    ONE("chunk/warm", warm_scope, KRN_CUDA_SUM_CHUNK, false),
    ONE("chunk/cold", cold_scope, KRN_CUDA_SUM_CHUNK, true),
    ONE("strided/warm", warm_scope, KRN_CUDA_SUM_STRIDED, false),
    ONE("strided/cold", cold_scope, KRN_CUDA_SUM_STRIDED, true),
    ONE("loads8/warm", warm_scope, KRN_CUDA_SUM_LOADS8, false),
    ONE("loads8/cold", cold_scope, KRN_CUDA_SUM_LOADS8, true),
    WHOLE("whole/chunk", "elements", 0, WHOLE_CHUNK, whole_x, fill_whole),
    WHOLE("whole/strided", "elements", 0, WHOLE_STRIDED, whole_x, fill_whole),
    WHOLE("offset", "offset", KRN_PATTERN_OFFSET, BY_PATTERN, offsets, fill_pattern),
    WHOLE("stride", "stride", KRN_PATTERN_STRIDE, BY_PATTERN, strides, fill_pattern),
    WHOLE("random", "elements", KRN_PATTERN_RANDOM, BY_PATTERN, whole_x, fill_pattern),
    WHOLE("broadcast", "elements", KRN_PATTERN_BROADCAST, BY_PATTERN, whole_x, fill_pattern),
};

const struct krn_cuda_topic krn_cuda_topic_access = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill_numbers,
};
