/* The CPU's probes: allocates what they use, runs them on the team, times and checks them. */
#include "cpu/probes/topic.h"

#include "core/base/clock.h"
#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

static struct krn_cpu_probes *own(struct krn_probes *probes)
{
    return (struct krn_cpu_probes *)probes;
}

static void probes_close(struct krn_probes *probes)
{
    struct krn_cpu_probes *cpu = own(probes);
    for (int i = 0; i < cpu->block_count; i++)
        free(cpu->blocks[i]);
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        free(cpu->state[t]);
    free(cpu->series);
    free(cpu);
}

/* Wakes the threads before the clock starts, because waking them takes longer than a short kernel.
 * The timed work then finds them spinning. */
static void wake(const void *context, int index, int thread)
{
    (void)context;
    (void)index;
    (void)thread;
}

/* Damages the result of a run, for tests: krn_fail_calls("krn_cpu_probe_spoil"). */
static void spoil(const struct krn_cpu_probes *cpu)
{
    if (krn_call_fails(KRN_API_NONE, "krn_cpu_probe_spoil()"))
        *(unsigned char *)cpu->result ^= 1;
}

/* Runs the probe to its end, because the caller's thread is one of those that measure. */
static enum krn_code probes_start(struct krn_probes *probes, int index, struct krn_error *error)
{
    struct krn_cpu_probes *cpu = own(probes);
    const struct krn_cpu_series *series = cpu->series[index];
    struct krn_probe_reading *reading = &cpu->ready;
    memset(reading, 0, sizeof *reading);
    reading->probe = index;
    const double begin = krn_clock_ms();
    series->prepare(cpu, index);
    if (krn_cancelled()) /* the arrays may lack pages, whose first touch takes long */
        return krn_check_cancelled(error);
    krn_cpu_team_each(krn_cpu_team_of(cpu, &probes->list[index]), wake, NULL);
    const double start = krn_clock_ms();
    series->run(cpu, index);
    const double stop = krn_clock_ms();
    const struct krn_cpu_topic *topic = cpu->topics[probes->list[index].topic];
    reading->ms = topic->read_ms ? topic->read_ms(cpu, index) : stop - start;
    spoil(cpu);
    series->check(cpu, index, false, &reading->check);
    reading->slice_ms = krn_clock_ms() - begin;
    return krn_check_cancelled(error);
}

static bool probes_poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    *reading = own(probes)->ready;
    probes->busy = false;
    const bool late = krn_call_fails(KRN_API_NONE, "krn_host_late()");
    probes->gate_drops += late;
    return !late;
}

/* Every probe is one job on all threads, or a loop on the calling thread alone. */
static enum krn_code probes_overhead(struct krn_probes *probes, int index,
                                     struct krn_overhead *overhead, struct krn_error *error)
{
    (void)error;
    struct krn_cpu_probes *cpu = own(probes);
    const struct krn_cpu_jobs job = {.count = 1, .pieces = {0}};
    *overhead = krn_cpu_overhead(&cpu->overheads, krn_cpu_team_of(cpu, &probes->list[index]), &job);
    return KRN_OK;
}

static enum krn_code probes_verify(struct krn_probes *probes, int index, struct krn_check *check,
                                   struct krn_error *error)
{
    struct krn_cpu_probes *cpu = own(probes);
    const struct krn_cpu_series *series = cpu->series[index];
    series->prepare(cpu, index);
    if (krn_cancelled())
        return krn_check_cancelled(error);
    series->run(cpu, index);
    spoil(cpu);
    series->check(cpu, index, true, check);
    return krn_check_cancelled(error);
}

static const struct krn_probe_ops probe_ops = {
    .close = probes_close,
    .start = probes_start,
    .poll = probes_poll,
    .verify = probes_verify,
    .overhead = probes_overhead,
};

extern const struct krn_cpu_topic krn_cpu_topic_timer, krn_cpu_topic_saxpy, krn_cpu_topic_peak,
    krn_cpu_topic_access;

/* The others measure a GPU. */
static const struct krn_cpu_topic *const all_topics[KRN_TOPIC_COUNT] = {
    [KRN_TOPIC_TIMER] = &krn_cpu_topic_timer,
    [KRN_TOPIC_SAXPY] = &krn_cpu_topic_saxpy,
    [KRN_TOPIC_PEAK] = &krn_cpu_topic_peak,
    [KRN_TOPIC_ACCESS] = &krn_cpu_topic_access,
};

static void list_series(struct krn_cpu_probes *cpu, enum krn_topic topic,
                        const struct krn_cpu_series *series)
{
    for (int i = 0; i < series->count; i++) {
        struct krn_probe probe = {.topic = topic,
                                  .axis = series->axis,
                                  .x = series->x[i],
                                  .threads = series->all ? cpu->threads : 1,
                                  .scope = series->scope};
        strncpy(probe.series, series->name, sizeof probe.series - 1);
        if (!series->describe(cpu, series, &probe))
            continue;
        cpu->series[cpu->base.count] = series;
        krn_probes_add(&cpu->base, &probe);
    }
}

static void alloc_states(struct krn_cpu_probes *cpu, unsigned topics)
{
    struct krn_error why;
    size_t most = 1;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        if (!(topics >> t & 1))
            continue;
        const struct krn_cpu_topic *topic = all_topics[t];
        if (!topic) {
            (void)KRN_FAIL(&why, KRN_UNAVAILABLE, "This is measured on a GPU.");
            krn_probes_refuse(&cpu->base, (enum krn_topic)t, &why);
            continue;
        }
        for (int s = 0; s < topic->count; s++)
            most += (size_t)topic->series[s].count;
        cpu->state[t] = krn_alloc(topic->state_bytes, 1);
        cpu->topics[t] = topic;
    }
    cpu->series = krn_alloc(most, sizeof *cpu->series);
}

enum krn_code krn_cpu_probes_open(const struct krn_cpu_probe_kernels *const *levels,
                                  int level_count, struct krn_cpu_team *team, unsigned topics,
                                  size_t bytes_max, struct krn_probes **probes,
                                  struct krn_error *error)
{
    /* Acts as a backend without probes, for tests. */
    if (krn_call_fails(KRN_API_HOST, "krn_cpu_probes_open()"))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "The cpu backend has no panels.");
    struct krn_cpu_probes *cpu = krn_alloc(1, sizeof *cpu);
    cpu->base.ops = &probe_ops;
    cpu->kernels = levels[0];
    for (int i = 0; i < level_count; i++)
        cpu->levels[cpu->level_count++] = levels[i];
    cpu->team = team;
    cpu->threads = krn_cpu_team_size(team);
    alloc_states(cpu, topics);
    enum krn_code code = krn_cpu_probes_alloc(cpu, bytes_max, error);
    for (int t = 0; code == KRN_OK && t < KRN_TOPIC_COUNT; t++) {
        for (int s = 0; cpu->topics[t] && s < cpu->topics[t]->count; s++)
            list_series(cpu, (enum krn_topic)t, &cpu->topics[t]->series[s]);
        if (cpu->topics[t] && cpu->topics[t]->fill)
            cpu->topics[t]->fill(cpu);
    }
    KRN_THEN(code, krn_check_cancelled(error));
    if (code != KRN_OK) {
        krn_probes_close(&cpu->base);
        return code;
    }
    *probes = &cpu->base;
    return KRN_OK;
}
