/* One SAXPY handed to the other threads, by three clocks, and the smallest step of the clock that
 * all of them read. The caller's thread stands for the host and does no work; the others stand for
 * the device. */
#include "core/base/clock.h"
#include "cpu/probes/topic.h"

enum { LAUNCH, HOST, EVENTS };

/* When a thread began and ended its part, on a cache line of its own. */
struct stamp {
    double begin_ms, end_ms;
    char apart[KRN_LINE_BYTES - 2 * sizeof(double)];
};

struct state {
    struct stamp *stamps; /* of every thread */
    double ms;            /* of the latest run */
    double durations_ns[KRN_CPU_DURATIONS];
};

KRN_CPU_STATE(KRN_TOPIC_TIMER)

static void alloc(struct krn_cpu_probes *p)
{
    struct krn_error alone;
    if (p->threads == 1) {
        (void)KRN_FAIL(&alone, KRN_UNAVAILABLE,
                       "The program has one processor, so no other thread that work could be "
                       "handed to.");
        krn_probes_refuse(&p->base, KRN_TOPIC_TIMER, &alone);
        return;
    }
    krn_cpu_stream_alloc(p);
    own(p)->stamps = krn_cpu_alloc(p, (size_t)p->threads * sizeof(struct stamp));
}

static double read_ms(const struct krn_cpu_probes *p, int index)
{
    (void)index;
    return own(p)->ms;
}

/* --- SAXPY --- */

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const double n = probe->x;
    if (!p->arrays.y || !own(p)->stamps || n > (double)p->arrays.floats || p->threads == 1)
        return false;
    krn_probe_saxpy(probe, n, KRN_LINE_BYTES);
    if (series->way == LAUNCH)
        krn_probe_workless(probe);
    probe->no_overhead = true;
    probe->expected_ms = krn_cpu_expected_ms(4.0 * n * sizeof(float)) + 0.02;
    return true;
}

struct job {
    const struct krn_cpu_probes *probes;
    size_t elements;
};

/* Updates the part of thread 1, 2, ... of those that work. */
static void update_part(const void *context, int index, int thread)
{
    const struct job *job = context;
    const struct krn_cpu_probes *p = job->probes;
    struct stamp *stamp = &own(p)->stamps[thread];
    stamp->begin_ms = krn_clock_ms();
    const size_t lines = job->elements / KRN_CPU_LINE_FLOATS,
                 first = krn_cpu_part(lines, index - 1, p->threads - 1) * KRN_CPU_LINE_FLOATS,
                 end = krn_cpu_part(lines, index, p->threads - 1) * KRN_CPU_LINE_FLOATS;
    const struct krn_cpu_stream stream = {KRN_CPU_SAXPY_FACTOR, p->arrays.x + first,
                                          p->arrays.y + first, (end - first) / KRN_CPU_LINE_FLOATS,
                                          1};
    if (end > first)
        p->kernels->saxpy(&stream, 0, 0);
    stamp->end_ms = krn_clock_ms();
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct job job = {p, (size_t)p->base.list[index].x};
    const struct stamp *stamps = own(p)->stamps;
    const double start = krn_clock_ms();
    krn_cpu_team_hand_over(p->team, update_part, &job);
    const double handed = krn_clock_ms();
    krn_cpu_team_await(p->team);
    const double stop = krn_clock_ms();
    double first = stamps[1].begin_ms, last = stamps[1].end_ms;
    for (int i = 2; i < p->threads; i++) {
        first = fmin(first, stamps[i].begin_ms);
        last = fmax(last, stamps[i].end_ms);
    }
    const int way = p->series[index]->way;
    own(p)->ms = way == LAUNCH ? handed - start : way == HOST ? stop - start : last - first;
    krn_cpu_stream_updated(p, index);
}

/* --- the smallest step --- */

static bool describe_steps(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                           struct krn_probe *probe)
{
    (void)p;
    (void)series;
    probe->other_clock = probe->no_overhead = true;
    probe->expected_ms = 0.05;
    return true;
}

static void prepare_steps(struct krn_cpu_probes *p, int index)
{
    (void)index;
    p->result = own(p)->durations_ns;
    for (int i = 0; i < KRN_CPU_DURATIONS; i++)
        own(p)->durations_ns[i] = -1.0;
}

static void run_steps(struct krn_cpu_probes *p, int index)
{
    (void)index;
    krn_cpu_durations(own(p)->durations_ns);
    own(p)->ms = krn_cpu_tick_of(own(p)->durations_ns);
}

/* A duration is a whole number of ns, and no clock that is monotonic gives a negative one. */
static void check_steps(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    (void)index;
    (void)whole; /* every duration is compared each time */
    for (int i = 0; i < KRN_CPU_DURATIONS; i++) {
        const double ns = own(p)->durations_ns[i];
        krn_check_value(check, i, fmax(floor(ns), 0.0), ns);
    }
}

static const char launch_scope[] =
    "the caller hands y = a x + y to the other threads, which spin, and does not wait: between two "
    "readings of the monotonic clock";
static const char host_scope[] =
    "the caller hands y = a x + y to the other threads, which spin, and waits for them: between "
    "two readings of the monotonic clock";
static const char events_scope[] =
    "the time stamps of the threads that compute y = a x + y, all but the caller's: from the first "
    "one's begin to the last one's end, by the monotonic clock";
static const char steps_scope[] =
    "the smallest step of the monotonic clock, from 256 durations of slightly different lengths";

static const double sizes[] = {1 << 10, 1 << 20, 20 * (1 << 20)}, durations[] = {KRN_CPU_DURATIONS};

#define CLOCK(name, way, scope)                                                                    \
    {                                                                                              \
        name, "elements", sizes, KRN_CPU_COUNT(sizes), true, way, scope, describe,                 \
            krn_cpu_stream_prepare, run, krn_cpu_stream_check                                      \
    }

static const struct krn_cpu_series series[] = {
    CLOCK("launch", LAUNCH, launch_scope),
    CLOCK("host", HOST, host_scope),
    CLOCK("events", EVENTS, events_scope),
    {"resolution", "readings", durations, KRN_CPU_COUNT(durations), false, 0, steps_scope,
     describe_steps, prepare_steps, run_steps, check_steps},
};

const struct krn_cpu_topic krn_cpu_topic_timer = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .read_ms = read_ms,
};
