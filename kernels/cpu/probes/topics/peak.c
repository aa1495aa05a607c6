/* Peak arithmetic: chains of multiply-adds of single and double precision in the cores' vector
 * units, by the width of the vectors, each of which is that of an instruction-set level that this
 * processor has. The recurrence a = a * a + b is chaotic for this b, so that no step can be
 * optimised away and an error does not decay. */
#include "core/trace/pixel.h"
#include "cpu/probes/topic.h"

enum { SINGLE, DOUBLE };
enum { LANES = KRN_CPU_CHAINS * 16, STEPS = 1 << 16 };
static const float constant = -1.9f;

/* A chain's end depends on its start alone and on whether the multiply-adds are fused, not on the
 * width of the vectors. */
struct state {
    float single[LANES], single_ends[2][LANES]; /* the starts by lane, and the ends by fusion too */
    double dual[LANES / 2], dual_ends[2][LANES / 2];
    void *ends; /* of the latest run; every thread has room for LANES floats or half the doubles */
};

KRN_CPU_STATE(KRN_TOPIC_PEAK)

/* Compute the end of a chain with scalar arithmetic; krn_fma and fma round like the instruction. */
static float single_end(float a, bool fused)
{
    for (int s = 0; s < STEPS; s++)
        a = fused ? krn_fma(a, a, constant) : a * a + constant;
    return a;
}

static double double_end(double a, bool fused)
{
    const double b = (double)constant;
    for (int s = 0; s < STEPS; s++)
        a = fused ? fma(a, a, b) : a * a + b;
    return a;
}

static void alloc(struct krn_cpu_probes *p)
{
    own(p)->ends = krn_cpu_alloc(p, (size_t)p->threads * LANES * sizeof(float));
}

static void fill_lane(const void *context, int lane, int thread)
{
    (void)thread;
    const struct krn_cpu_probes *p = context;
    struct state *s = own(p);
    const float start = s->single[lane] = 0.1f + 0.003f * (float)lane;
    if (lane < LANES / 2)
        s->dual[lane] = (double)start;
    for (int fused = 0; fused < 2; fused++) {
        int widest = 0; /* of the vectors that are multiplied and added in this way */
        for (int i = 0; i < p->level_count; i++)
            if (p->levels[i]->fused == (fused == 1) && p->levels[i]->width > widest)
                widest = p->levels[i]->width;
        if (lane < KRN_CPU_CHAINS * widest)
            s->single_ends[fused][lane] = single_end(start, fused == 1);
        if (lane < KRN_CPU_CHAINS * widest / 2)
            s->dual_ends[fused][lane] = double_end((double)start, fused == 1);
    }
}

static void fill(struct krn_cpu_probes *p)
{
    krn_cpu_team_share(p->team, LANES, fill_lane, p);
}

/* Returns the kernels whose vectors have as many bits as x says; NULL: this processor has none. */
static const struct krn_cpu_probe_kernels *kernels_of(const struct krn_cpu_probes *p, double x)
{
    const struct krn_cpu_probe_kernels *found = NULL;
    for (int i = 0; i < p->level_count; i++)
        found = 32.0 * p->levels[i]->width == x ? p->levels[i] : found;
    return found;
}

/* Returns the lanes of all chains of a thread. */
static int lanes_of(const struct krn_cpu_probe_kernels *kernels, int way)
{
    return KRN_CPU_CHAINS * kernels->width / (way == DOUBLE ? 2 : 1);
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, probe->x);
    if (!own(p)->ends || !kernels)
        return false;
    probe->double_precision = series->way == DOUBLE;
    probe->flops = 2.0 * STEPS * lanes_of(kernels, series->way) * probe->threads;
    probe->steps = STEPS;
    /* Assumes 2 GHz, a latency of 4 cycles per step (8 without a fused instruction), and two
     * instructions per cycle. */
    const double latency = kernels->fused ? 4.0 : 8.0,
                 issue = KRN_CPU_CHAINS / 2.0 * (kernels->fused ? 1.0 : 2.0);
    probe->expected_ms = STEPS * fmax(latency, issue) / 2e6 + 0.01;
    return true;
}

/* Every byte of the results becomes that of a NaN. */
static void prepare(struct krn_cpu_probes *p, int index)
{
    (void)index;
    p->result = own(p)->ends;
    memset(p->result, 0xff, (size_t)p->threads * LANES * sizeof(float));
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *probe = &p->base.list[index];
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, probe->x);
    const struct state *s = own(p);
    const bool dual = p->series[index]->way == DOUBLE;
    const struct krn_cpu_arithmetic arithmetic = {dual ? (const void *)s->dual : s->single,
                                                  constant, STEPS, s->ends};
    krn_cpu_run(p, probe, dual ? kernels->multiply_add_double : kernels->multiply_add, &arithmetic);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_probe *probe = &p->base.list[index];
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, probe->x);
    const struct state *s = own(p);
    const bool dual = p->series[index]->way == DOUBLE, fused = kernels->fused;
    const int lanes = lanes_of(kernels, p->series[index]->way);
    for (int k = 0; k < lanes; k++) {
        const double expected =
            dual ? (whole ? double_end(s->dual[k], fused) : s->dual_ends[fused][k])
                 : (double)(whole ? single_end(s->single[k], fused) : s->single_ends[fused][k]);
        for (int at = k; at < probe->threads * lanes; at += lanes)
            krn_check_value(result, at, expected,
                            dual ? ((const double *)s->ends)[at]
                                 : (double)((const float *)s->ends)[at]);
    }
}

static const char single_scope[] =
    "single-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";
static const char double_scope[] =
    "double-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";

static const double bits[] = {128, 256, 512};

#define PEAK(name, way, scope)                                                                     \
    {                                                                                              \
        name, "bits", bits, KRN_CPU_COUNT(bits), true, way, scope, describe, prepare, run, check   \
    }

static const struct krn_cpu_series series[] = {PEAK("ffma", SINGLE, single_scope),
                                               PEAK("dfma", DOUBLE, double_scope)};
const struct krn_cpu_topic krn_cpu_topic_peak = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
