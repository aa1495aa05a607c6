#include "cpu/probes/probes.h"

#include "core/base/clock.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct krn_cpu_probes *own(struct krn_probes *probes)
{
    return (struct krn_cpu_probes *)probes;
}

static void probes_close(struct krn_probes *probes)
{
    krn_cpu_blocks_free(&own(probes)->blocks);
    free(own(probes)->series);
    free(probes);
}

/* Sleeping threads take longer to come than a short kernel lasts: they are up before the clock
 * starts, and the next region finds them waiting. */
static void wake(int threads)
{
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        __asm__ volatile("" ::: "memory");
    }
}

/* The caller's thread is one of those that measure: the run is over when this returns. */
static enum krn_code probes_start(struct krn_probes *probes, int index, struct krn_error *error)
{
    (void)error;
    struct krn_cpu_probes *cpu = own(probes);
    const struct krn_cpu_series *series = cpu->series[index];
    struct krn_probe_reading *reading = &cpu->ready;
    memset(reading, 0, sizeof *reading);
    reading->probe = index;
    const double begin = krn_clock_ms();
    series->prepare(cpu, index);
    wake(probes->list[index].threads);
    const double start = krn_clock_ms();
    series->run(cpu, index);
    const double stop = krn_clock_ms();
    series->check(cpu, index, false, &reading->check);
    reading->ms = stop - start;
    reading->slice_ms = krn_clock_ms() - begin;
    return KRN_OK;
}

static bool probes_poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    *reading = own(probes)->ready;
    probes->busy = false;
    return true;
}

static enum krn_code probes_verify(struct krn_probes *probes, int index, struct krn_check *check,
                                   struct krn_error *error)
{
    (void)error;
    struct krn_cpu_probes *cpu = own(probes);
    const struct krn_cpu_series *series = cpu->series[index];
    series->prepare(cpu, index);
    series->run(cpu, index);
    series->check(cpu, index, true, check);
    return KRN_OK;
}

static const struct krn_probe_ops probe_ops = {probes_close, probes_start, probes_poll,
                                               probes_verify};

/* The topics in the list's order. */
static const struct {
    enum krn_topic topic;
    const struct krn_cpu_series *series;
    const int *count;
} tables[] = {
    {KRN_TOPIC_SAXPY, krn_cpu_saxpy, &krn_cpu_saxpy_rows},
    {KRN_TOPIC_ACCESS, krn_cpu_access, &krn_cpu_access_rows},
    {KRN_TOPIC_ILP, krn_cpu_ilp, &krn_cpu_ilp_rows},
    {KRN_TOPIC_MEMLAT, krn_cpu_memlat, &krn_cpu_memlat_rows},
    {KRN_TOPIC_CONSTANT, krn_cpu_constant, &krn_cpu_constant_rows},
    {KRN_TOPIC_TRANSFER, krn_cpu_transfer, &krn_cpu_transfer_rows},
};

static enum krn_code list_series(struct krn_cpu_probes *cpu, const struct krn_cpu_series *series,
                                 struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < series->count; i++) {
        struct krn_probe probe = {.topic = series->topic,
                                  .axis = series->axis,
                                  .x = series->x[i],
                                  .threads = series->all ? cpu->threads : 1,
                                  .scope = series->scope};
        strncpy(probe.series, series->name, sizeof probe.series - 1);
        if (!series->describe(cpu, series, &probe))
            continue;
        cpu->series[cpu->base.count] = series;
        code = krn_probes_add(&cpu->base, &probe, error);
    }
    return code;
}

/* As many as a region really gets: limits of the system may leave fewer than were asked for. */
static int count_threads(void)
{
    int threads = 1;
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    return threads;
}

enum krn_code krn_cpu_probes_open(const struct krn_cpu_probe_kernels *kernels, unsigned topics,
                                  size_t bytes_max, struct krn_probes **probes,
                                  struct krn_error *error)
{
    int most = 0;
    for (int i = 0; i < KRN_CPU_COUNT(tables); i++)
        for (int s = 0; s < *tables[i].count; s++)
            most += tables[i].series[s].count;
    struct krn_cpu_probes *cpu = calloc(1, sizeof *cpu);
    if (cpu)
        cpu->series = calloc((size_t)most, sizeof *cpu->series);
    if (!cpu || !cpu->series) {
        free(cpu);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the list of the CPU's probes.");
    }
    cpu->base.ops = &probe_ops;
    cpu->kernels = kernels;
    cpu->threads = count_threads();
    enum krn_code code = krn_cpu_blocks_alloc(cpu, topics, bytes_max, error);
    for (int i = 0; i < KRN_CPU_COUNT(tables); i++)
        for (int s = 0; code == KRN_OK && s < *tables[i].count; s++)
            if (topics & 1u << tables[i].topic)
                code = list_series(cpu, &tables[i].series[s], error);
    if (code != KRN_OK) {
        krn_probes_close(&cpu->base);
        return code;
    }
    krn_cpu_streams_fill(cpu);
    krn_cpu_access_fill(cpu);
    krn_cpu_ilp_fill(cpu);
    krn_cpu_walks_fill(cpu);
    *probes = &cpu->base;
    return KRN_OK;
}
