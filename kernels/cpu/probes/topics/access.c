/* Access patterns on the CPU: the tutorial's sum of cubes, and reads of the same bytes in different
 * orders. */
#include "core/probes/pattern.h"
#include "cpu/probes/topic.h"

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
    struct memory {
        int numbers[KRN_CPU_CUBES], cubes[KRN_CPU_LOGICAL];
        int expected[2][KRN_CPU_LOGICAL]; /* the sums of cubes of the chunks, and of the strides */
        float sums[GATHER_MOST / KRN_CPU_GROUP]; /* of the groups that a pattern read */
    } * memory;
    size_t thread_first; /* first logical thread of the latest run */
    size_t wanted;       /* elements that no cache holds */
};

KRN_CPU_STATE(KRN_TOPIC_ACCESS)

/* Returns the elements of x that the patterns choose from: as many as no cache holds. */
static size_t elements_of(const struct krn_cpu_probes *p)
{
    return p->arrays.floats < own(p)->wanted ? p->arrays.floats : own(p)->wanted;
}

static void alloc(struct krn_cpu_probes *p)
{
    own(p)->wanted = krn_cpu_beyond_caches() / sizeof(float);
    own(p)->memory = krn_cpu_alloc(p, sizeof *own(p)->memory);
    p->arrays.wants_x = true;
}

static void fill(struct krn_cpu_probes *p)
{
    struct memory *m = own(p)->memory;
    if (!m)
        return;
    memset(m->expected, 0, sizeof m->expected);
    for (int i = 0; i < KRN_CPU_CUBES; i++) {
        const int n = m->numbers[i] = digit(i);
        m->expected[CHUNK][i / (KRN_CPU_CUBES / KRN_CPU_LOGICAL)] += n * n * n;
        m->expected[STRIDED][i % KRN_CPU_LOGICAL] += n * n * n;
    }
    krn_cpu_need(p, elements_of(p), 0);
}

/* A request is 32 consecutive reads of one running thread. */
static bool describe_cubes(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                           struct krn_probe *probe)
{
    const double n = KRN_CPU_CUBES;
    if (!own(p)->memory)
        return false;
    krn_probe_pattern(probe, KRN_PATTERN_STRIDE, series->way == CHUNK ? 1 : KRN_CPU_LOGICAL,
                      KRN_CPU_CUBES, n, KRN_LINE_BYTES);
    probe->steps = n / KRN_CPU_LOGICAL;
    probe->footprint_bytes = n * sizeof(int);
    /* A stride of 4 KiB maps to few sets of the caches: 4 ns per number. */
    probe->expected_ms = n * (series->way == CHUNK ? 0.2e-6 : 4e-6) / probe->threads + 0.05;
    return true;
}

static void prepare_cubes(struct krn_cpu_probes *p, int index)
{
    (void)index;
    p->result = own(p)->memory->cubes;
    memset(p->result, 0xff, sizeof own(p)->memory->cubes);
}

static void run_cubes(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const struct krn_cpu_cubes cubes = {own(p)->memory->numbers, own(p)->memory->cubes,
                                        row->threads};
    krn_cpu_run(p, row,
                p->series[index]->way == CHUNK ? p->kernels->cubes_chunk
                                               : p->kernels->cubes_strided,
                &cubes);
}

static void check_cubes(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    const struct memory *m = own(p)->memory;
    for (int t = 0; t < KRN_CPU_LOGICAL; t++)
        krn_check_value(check, t, m->expected[p->series[index]->way][t], m->cubes[t]);
    for (int i = 0; whole && i < KRN_CPU_CUBES; i++)
        krn_check_value(check, KRN_CPU_LOGICAL + i, digit(i), m->numbers[i]);
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
    const enum krn_pattern pattern = (enum krn_pattern)series->way;
    const size_t elements = elements_of(p);
    if (!own(p)->memory || elements < elements_least)
        return false;
    if (pattern == KRN_PATTERN_RANDOM || pattern == KRN_PATTERN_BROADCAST)
        probe->x = (double)elements;
    krn_probe_pattern(probe, pattern, parameter_of(probe, pattern), elements, GATHER_MOST,
                      KRN_LINE_BYTES);
    for (; probe->moved_bytes > GATHER_BYTES; probe->useful_bytes /= 2.0)
        probe->moved_bytes /= 2.0;
    probe->footprint_bytes = (double)elements * sizeof(float);
    /* The second term is the arithmetic of the check. */
    probe->expected_ms = krn_cpu_expected_ms(probe->moved_bytes) + (double)gathers_of(probe) * 2e-6;
    return true;
}

/* Starts where the last run ended, so that recently read lines are not read again. */
static void prepare_pattern(struct krn_cpu_probes *p, int index)
{
    (void)index;
    own(p)->thread_first += GATHER_MOST;
    p->result = own(p)->memory->sums;
    memset(p->result, 0xff, sizeof own(p)->memory->sums); /* NaN */
}

static void run_pattern(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const enum krn_pattern pattern = (enum krn_pattern)p->series[index]->way;
    const struct krn_cpu_gather gather = {.pattern = pattern,
                                          .parameter = parameter_of(row, pattern),
                                          .x = p->arrays.x,
                                          .elements = elements_of(p),
                                          .first = own(p)->thread_first,
                                          .groups = gathers_of(row) / KRN_CPU_GROUP,
                                          .sums = own(p)->memory->sums,
                                          .threads = row->threads};
    krn_cpu_run(p, row, p->kernels->gather, &gather);
}

/* The expected sums come from the indices of the elements, without reading memory. */
static void check_pattern(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    const struct krn_probe *row = &p->base.list[index];
    const enum krn_pattern pattern = (enum krn_pattern)p->series[index]->way;
    const size_t elements = elements_of(p), groups = gathers_of(row) / KRN_CPU_GROUP;
    size_t thread = own(p)->thread_first;
    for (size_t group = 0; group < groups; group++) {
        float sum = 0.0f;
        for (const size_t end = thread + KRN_CPU_GROUP; thread < end; thread++)
            sum += krn_cpu_value((uint32_t)krn_pattern_element(pattern, parameter_of(row, pattern),
                                                               thread, elements));
        krn_check_value(check, (double)group, (double)sum, (double)own(p)->memory->sums[group]);
    }
    for (size_t i = 0; whole && i < elements; i++)
        krn_check_value(check, (double)(groups + i), (double)krn_cpu_value((uint32_t)i),
                        (double)p->arrays.x[i]);
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
        name, "elements", cubes_x, 1, all, way, scope, describe_cubes, prepare_cubes, run_cubes,   \
            check_cubes                                                                            \
    }
#define PATTERN(name, axis, x, way)                                                                \
    {                                                                                              \
        name, axis, x, KRN_CPU_COUNT(x), true, way, pattern_scope, describe_pattern,               \
            prepare_pattern, run_pattern, check_pattern                                            \
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
