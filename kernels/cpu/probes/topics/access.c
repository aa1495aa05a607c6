/* Access patterns on the CPU: the tutorial's sum of cubes, and reads of the same bytes in different
 * orders. */
#include "core/probes/pattern.h"
#include "cpu/probes/topic.h"

#include <math.h>
#include <string.h>

enum { CHUNK, STRIDED };

/* A run of a pattern has at most GATHER_MOST logical threads, and only as many as touch
 * GATHER_BYTES bytes of cache lines, so that a slice is short. */
enum { GATHER_MOST = 1 << 18, GATHER_BYTES = 4 << 20 };

/* Smaller arrays may fit into a cache. */
static const size_t elements_least = 1u << 22;

static int digit(int i)
{
    return (int)(krn_scramble((uint64_t)i) % 10);
}

struct state {
    int *numbers, *cubes, *expected_cubes; /* input; sums of the chunks, then of the strides */
    float *sums;                           /* sums of the groups that a pattern read */
    size_t thread_first;                   /* first logical thread of the latest run */
    size_t wanted;                         /* elements that no cache holds */
};

KRN_CPU_STATE(KRN_TOPIC_ACCESS)

/* Returns the elements that the patterns choose from: as many as no cache holds. */
static size_t elements_of(const struct krn_cpu_probes *p)
{
    const size_t wanted = own(p)->wanted, words = p->arrays.line_count * KRN_CPU_SLOTS;
    return words < wanted ? words : wanted;
}

static void alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    struct state *b = p->state[topic];
    const size_t bytes = krn_cpu_beyond_caches();
    b->wanted = bytes / sizeof(float);
    b->sums = krn_cpu_alloc(p, KRN_CPU_LOGICAL * sizeof *b->sums);
    b->numbers = krn_cpu_alloc(p, (KRN_CPU_CUBES + 3 * KRN_CPU_LOGICAL) * sizeof *b->numbers);
    b->cubes = b->numbers ? b->numbers + KRN_CPU_CUBES : NULL;
    b->expected_cubes = b->numbers ? b->cubes + KRN_CPU_LOGICAL : NULL;
    if (b->sums && p->arrays.wants_line_bytes < bytes)
        p->arrays.wants_line_bytes = bytes;
}

static void fill(struct krn_cpu_probes *p, enum krn_topic topic)
{
    const struct state *b = p->state[topic];
    if (!b->numbers)
        return;
    memset(b->expected_cubes, 0, 2 * KRN_CPU_LOGICAL * sizeof *b->expected_cubes);
    for (int i = 0; i < KRN_CPU_CUBES; i++) {
        const int n = digit(i);
        b->numbers[i] = n;
        b->expected_cubes[i / (KRN_CPU_CUBES / KRN_CPU_LOGICAL)] += n * n * n;
        b->expected_cubes[KRN_CPU_LOGICAL + i % KRN_CPU_LOGICAL] += n * n * n;
    }
}

static bool describe_cubes(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                           struct krn_probe *probe)
{
    const double n = KRN_CPU_CUBES;
    if (!own(p)->numbers)
        return false;
    /* 32 consecutive reads of one running thread. */
    uint64_t reads[KRN_LANES];
    for (int i = 0; i < KRN_LANES; i++)
        reads[i] = (uint64_t)i * (series->way == CHUNK ? 1 : KRN_CPU_LOGICAL);
    probe->useful_bytes = n * sizeof(int);
    probe->sectors = krn_sectors(reads, KRN_LANES, sizeof(int), KRN_LINE_BYTES);
    probe->moved_bytes = n / KRN_LANES * probe->sectors * KRN_LINE_BYTES;
    probe->steps = n / KRN_CPU_LOGICAL;
    probe->footprint_bytes = n * sizeof(int);
    /* A stride of 4 KiB maps to few sets of the caches: 4 ns per number. */
    probe->expected_ms = n * (series->way == CHUNK ? 0.2e-6 : 4e-6) / probe->threads + 0.05;
    return true;
}

static void prepare_cubes(struct krn_cpu_probes *p, int index)
{
    (void)index;
    p->result = own(p)->cubes;
    for (int t = 0; t < KRN_CPU_LOGICAL; t++)
        own(p)->cubes[t] = -1;
}

static void run_cubes(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const struct krn_cpu_cubes cubes = {own(p)->numbers, own(p)->cubes, row->threads};
    krn_cpu_run(p, row,
                p->series[index]->way == CHUNK ? p->kernels->cubes_chunk
                                               : p->kernels->cubes_strided,
                &cubes);
}

static void check_cubes(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    const struct state *b = own(p);
    const int *expected =
        b->expected_cubes + (p->series[index]->way == CHUNK ? 0 : KRN_CPU_LOGICAL);
    for (int t = 0; t < KRN_CPU_LOGICAL; t++)
        krn_check_value(check, t, expected[t], b->cubes[t]);
    for (int i = 0; whole && i < KRN_CPU_CUBES; i++)
        krn_check_value(check, KRN_CPU_LOGICAL + i, digit(i), b->numbers[i]);
}

/* Returns the parameter of a probe's pattern: its x, unless x is the size of the array. */
static size_t parameter_of(const struct krn_probe *probe, enum krn_pattern pattern)
{
    return pattern == KRN_PATTERN_OFFSET || pattern == KRN_PATTERN_STRIDE ? (size_t)probe->x : 0;
}

static size_t gathers_of(const struct krn_probe *probe)
{
    return (size_t)(probe->useful_bytes / sizeof(float));
}

static bool describe_pattern(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                             struct krn_probe *probe)
{
    const size_t elements = elements_of(p);
    const enum krn_pattern pattern = (enum krn_pattern)series->way;
    if (!own(p)->sums || !p->arrays.lines || elements < elements_least)
        return false;
    if (pattern == KRN_PATTERN_RANDOM || pattern == KRN_PATTERN_BROADCAST)
        probe->x = (double)elements;
    const int warps = 64;
    probe->sectors =
        krn_pattern_sectors(pattern, parameter_of(probe, pattern), elements, warps, KRN_LINE_BYTES);
    size_t count = GATHER_MOST;
    while ((double)count / KRN_LANES * probe->sectors * KRN_LINE_BYTES > GATHER_BYTES)
        count /= 2;
    probe->useful_bytes = (double)count * sizeof(float);
    probe->moved_bytes = (double)count / KRN_LANES * probe->sectors * KRN_LINE_BYTES;
    probe->footprint_bytes = (double)elements * sizeof(float);
    /* The second term is the arithmetic of the check. */
    probe->expected_ms = krn_cpu_expected_ms(probe->moved_bytes) + (double)count * 2e-6;
    return true;
}

/* Starts where the last run ended, so that recently read lines are not read again. */
static void prepare_pattern(struct krn_cpu_probes *p, int index)
{
    const size_t count = gathers_of(&p->base.list[index]);
    own(p)->thread_first += GATHER_MOST;
    p->result = own(p)->sums;
    for (size_t i = 0; i < count / KRN_CPU_GROUP; i++)
        own(p)->sums[i] = NAN;
}

static void run_pattern(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const enum krn_pattern pattern = (enum krn_pattern)p->series[index]->way;
    const struct krn_cpu_gather gather = {.pattern = pattern,
                                          .parameter = parameter_of(row, pattern),
                                          .x = (const krn_cpu_word *)p->arrays.lines,
                                          .elements = elements_of(p),
                                          .first = own(p)->thread_first,
                                          .groups = gathers_of(row) / KRN_CPU_GROUP,
                                          .sums = own(p)->sums,
                                          .threads = row->threads};
    krn_cpu_run(p, row, p->kernels->gather, &gather);
}

/* Returns the expected value of an element; 0 for a link, which the table's walks check. */
static float value_at(const struct krn_cpu_probes *p, size_t element)
{
    const bool is_link = element / KRN_CPU_SLOTS < p->arrays.slot_lines[element % KRN_CPU_SLOTS];
    return is_link ? 0.0f : krn_cpu_value((uint32_t)element);
}

/* Computes the expected sum from the indices of the elements, without reading memory. */
static float expected_sum(const struct krn_cpu_probes *p, enum krn_pattern pattern,
                          size_t parameter, size_t first)
{
    const size_t elements = elements_of(p);
    float sum = 0.0f;
    for (size_t t = 0; t < KRN_CPU_GROUP; t++)
        sum += value_at(p, krn_pattern_element(pattern, parameter, first + t, elements));
    return sum;
}

/* Returns a value or a sum that was read; 0 for links alone. Beside any other value, which is a
 * positive integer, adding a link has rounded it away. */
static double without_links(float read)
{
    const double links_most = 0x1p-60;
    return fabs((double)read) < links_most ? 0.0 : (double)read;
}

static void check_pattern(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    const struct krn_probe *row = &p->base.list[index];
    const enum krn_pattern pattern = (enum krn_pattern)p->series[index]->way;
    const size_t parameter = parameter_of(row, pattern), elements = elements_of(p);
    const int groups = (int)(gathers_of(row) / KRN_CPU_GROUP);
    for (int group = 0; group < groups; group++) {
        const size_t first = own(p)->thread_first + (size_t)group * KRN_CPU_GROUP;
        krn_check_value(check, group, (double)expected_sum(p, pattern, parameter, first),
                        without_links(own(p)->sums[group]));
    }
    const krn_cpu_word *words = (const krn_cpu_word *)p->arrays.lines;
    for (size_t i = 0; whole && i < elements; i++)
        krn_check_value(check, (double)groups + (double)i, (double)value_at(p, i),
                        without_links(words[i]));
}

static const char chunk_scope[] =
    "1024 logical threads that sum cubes of a chunk each, between two readings of the monotonic "
    "clock; a core runs them one after another, so each reads neighbours: here the chunk is the "
    "fast way";
static const char strided_scope[] =
    "1024 logical threads that sum cubes of every 1024th number, between two readings of the "
    "monotonic clock; a core runs them one after another, so each read takes a line of its own: "
    "what joins reads on a GPU parts them here";
static const char pattern_scope[] =
    "one parallel loop of reads, between two readings of the monotonic clock; a request is 32 "
    "reads that follow each other, lines are of 64 bytes, and the caches keep them between "
    "requests";

static const double cubes_x[] = {KRN_CPU_CUBES};
static const double offset_x[] = {0, 1, 2, 4, 8, 16};
static const double stride_x[] = {1, 2, 4, 8, 16, 32};
static const double whole_x[] = {0}; /* replaced by the number of elements when it is known */

#define CUBES(name, all, way, scope)                                                               \
    {                                                                                              \
        KRN_TOPIC_ACCESS, name, "elements", cubes_x, 1, all, way, scope, describe_cubes,           \
            prepare_cubes, run_cubes, check_cubes                                                  \
    }
#define PATTERN(name, axis, x, way)                                                                \
    {                                                                                              \
        KRN_TOPIC_ACCESS, name, axis, x, KRN_CPU_COUNT(x), true, way, pattern_scope,               \
            describe_pattern, prepare_pattern, run_pattern, check_pattern                          \
    }

static const struct krn_cpu_series series[] = {
    CUBES("chunk", true, CHUNK, chunk_scope),
    CUBES("strided", true, STRIDED, strided_scope),
    CUBES("chunk/one", false, CHUNK, chunk_scope),
    CUBES("strided/one", false, STRIDED, strided_scope),
    PATTERN("offset", "offset", offset_x, KRN_PATTERN_OFFSET),
    PATTERN("stride", "stride", stride_x, KRN_PATTERN_STRIDE),
    PATTERN("random", "elements", whole_x, KRN_PATTERN_RANDOM),
    PATTERN("broadcast", "elements", whole_x, KRN_PATTERN_BROADCAST),
};
const struct krn_cpu_topic krn_cpu_topic_access = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
