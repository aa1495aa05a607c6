/* Atomic adds of C11: into one counter of all threads, into one per thread on the same line of the
 * cache, and into one per thread on a line of its own. A CPU has no shared memory that a program
 * could choose: its threads meet in the caches. */
#include "cpu/probes/topic.h"

#include <stdatomic.h>

/* Words from one thread's counter to the next one's. */
enum { ONE = 0, NEIGHBOURS = 1, APART = KRN_LINE_BYTES / sizeof(uint32_t) };

/* Adds of one thread, where no other one wants its line; and of all together, where they do. */
enum { ADDS = 1 << 16, CONTENDED_ADDS = 1 << 14, ADDS_LEAST = 16 };

struct state {
    _Atomic uint32_t *counters; /* room for one of every thread, each on a line of its own */
};

KRN_CPU_STATE(KRN_TOPIC_ATOMICS)

static void alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    struct state *state = p->state[topic];
    state->counters = krn_cpu_alloc(p, (size_t)p->threads * KRN_LINE_BYTES);
}

static int adds_of(const struct krn_cpu_series *series, int threads)
{
    if (series->way == APART || threads == 1)
        return ADDS;
    return CONTENDED_ADDS / threads > ADDS_LEAST ? CONTENDED_ADDS / threads : ADDS_LEAST;
}

/* x is 1, or 0 for all threads. */
static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    /* ns an add: the lock alone; the line's way from one core to the next. */
    const double alone = 7.0, contended = 70.0;
    if (!own(p)->counters || (probe->x == 0.0 && p->threads == 1))
        return false;
    probe->x = probe->threads = probe->x == 0.0 ? p->threads : 1;
    const int adds = adds_of(series, probe->threads);
    const bool meet = series->way != APART && probe->threads > 1;
    probe->operations = (double)adds * probe->threads;
    probe->steps = adds;
    probe->expected_ms =
        (meet ? contended * probe->operations : alone * (double)adds) * 1e-6 + 0.05;
    return true;
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    (void)index;
    p->result = own(p)->counters;
    for (int word = 0; word < p->threads * APART; word++)
        atomic_store_explicit(&own(p)->counters[word], 0, memory_order_relaxed);
}

struct adds {
    _Atomic uint32_t *counters;
    int apart, count;
};

/* Thread t adds t + 1 each time. */
static void add(const void *context, int index, int thread)
{
    const struct adds *adds = context;
    _Atomic uint32_t *counter = adds->counters + thread * adds->apart;
    (void)index;
    for (int i = 0; i < adds->count; i++)
        atomic_fetch_add_explicit(counter, (uint32_t)thread + 1, memory_order_relaxed);
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct krn_cpu_series *series = p->series[index];
    const struct krn_probe *probe = &p->base.list[index];
    const struct adds adds = {own(p)->counters, series->way, adds_of(series, probe->threads)};
    krn_cpu_team_each(krn_cpu_team_of(p, probe), add, &adds);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_cpu_series *series = p->series[index];
    const uint32_t threads = (uint32_t)p->base.list[index].threads,
                   adds = (uint32_t)adds_of(series, (int)threads);
    (void)whole; /* every counter is compared each time */
    if (series->way == ONE)
        krn_check_value(result, 0, adds * (threads * (threads + 1) / 2), own(p)->counters[0]);
    for (uint32_t t = 0; series->way != ONE && t < threads; t++)
        krn_check_value(result, t, adds * (t + 1), own(p)->counters[t * (uint32_t)series->way]);
}

static const char one_scope[] =
    "relaxed atomic adds of 4 bytes by every thread to one counter, between two readings of the "
    "monotonic clock: the counter's cache line goes from core to core";
static const char neighbours_scope[] =
    "relaxed atomic adds of 4 bytes by every thread to a counter of its own, between two readings "
    "of the monotonic clock; the counters lie side by side, so 16 of them share a cache line";
static const char thread_scope[] = "relaxed atomic adds of 4 bytes by every thread to a counter on "
                                   "a cache line of its own, between "
                                   "two readings of the monotonic clock";

static const double threads_x[] = {1, 0};

#define COUNTERS(name, way, scope)                                                                 \
    {                                                                                              \
        KRN_TOPIC_ATOMICS, name, "threads", threads_x, KRN_CPU_COUNT(threads_x), true, way, scope, \
            describe, prepare, run, check                                                          \
    }

static const struct krn_cpu_series series[] = {
    COUNTERS("one", ONE, one_scope),
    COUNTERS("neighbours", NEIGHBOURS, neighbours_scope),
    COUNTERS("thread", APART, thread_scope),
};

const struct krn_cpu_topic krn_cpu_topic_atomics = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
};
