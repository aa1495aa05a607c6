/* Chains of multiply-adds in a core's vector unit. The recurrence a = a * a + b is chaotic for this
 * b, so that no step can be optimised away and an error does not decay. */
#include "core/trace/pixel.h"
#include "cpu/probes/topic.h"

#include <math.h>

enum { STEPS = 1 << 15 };
static const float constant = -1.9f;

static float start_of(int lane)
{
    return 0.1f + 0.003f * (float)lane;
}

/* Computes the end of a chain with scalar arithmetic; krn_fma rounds like the instruction. */
static float end_of(float a, bool fused)
{
    for (int s = 0; s < STEPS; s++)
        a = fused ? krn_fma(a, a, constant) : a * a + constant;
    return a;
}

struct state {
    float *start, *expected_ends, *ends; /* ends: for each thread */
};

KRN_CPU_STATE(KRN_TOPIC_ILP)

static void alloc(struct krn_cpu_probes *p)
{
    struct state *b = own(p);
    const size_t lanes = KRN_CPU_CHAINS * (size_t)p->kernels->width;
    b->start = krn_cpu_alloc(p, (2 + (size_t)p->threads) * lanes * sizeof *b->start);
    b->expected_ends = b->start ? b->start + lanes : NULL;
    b->ends = b->start ? b->start + 2 * lanes : NULL;
}

static void fill_lane(const void *context, int lane, int thread)
{
    (void)thread;
    const struct krn_cpu_probes *p = context;
    own(p)->start[lane] = start_of(lane);
    own(p)->expected_ends[lane] = end_of(own(p)->start[lane], p->kernels->fused);
}

static void fill(struct krn_cpu_probes *p)
{
    if (own(p)->start)
        krn_cpu_team_share(p->team, KRN_CPU_CHAINS * p->kernels->width, fill_lane, p);
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    (void)series;
    if (!own(p)->start)
        return false;
    probe->flops = 2.0 * STEPS * probe->x * p->kernels->width * probe->threads;
    probe->steps = STEPS;
    /* Assumes 2 GHz, a latency of 4 cycles per step (8 without a fused instruction), and two
     * instructions per cycle. */
    const double latency = p->kernels->fused ? 4.0 : 8.0;
    const double issue = probe->x / 2.0 * (p->kernels->fused ? 1.0 : 2.0);
    probe->expected_ms = STEPS * fmax(latency, issue) / 2e6 + 0.01;
    return true;
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    const int all = p->base.list[index].threads * KRN_CPU_CHAINS * p->kernels->width;
    p->result = own(p)->ends;
    for (int k = 0; k < all; k++)
        own(p)->ends[k] = NAN;
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const struct krn_cpu_arithmetic arithmetic = {(int)row->x, own(p)->start, constant, STEPS,
                                                  own(p)->ends};
    krn_cpu_run(p, row, p->kernels->multiply_add, &arithmetic);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_probe *row = &p->base.list[index];
    const int lanes = (int)row->x * p->kernels->width;
    for (int k = 0; k < lanes; k++) {
        const float expected =
            whole ? end_of(start_of(k), p->kernels->fused) : own(p)->expected_ends[k];
        for (int t = 0; t < row->threads; t++)
            krn_check_value(result, t * lanes + k, (double)expected,
                            (double)own(p)->ends[t * KRN_CPU_CHAINS * p->kernels->width + k]);
    }
}

static const char scope[] =
    "dependent multiply-adds in vectors, as many chains at once as x says, between two readings of "
    "the monotonic clock; one instruction where the processor fuses them, else a multiplication "
    "and an addition";

static const double chains[] = {1, 2, 3, 4, 6, 8, 12, 16};

static const struct krn_cpu_series series[] = {
    {KRN_TOPIC_ILP, "one", "chains", chains, KRN_CPU_COUNT(chains), false, 0, scope, describe,
     prepare, run, check},
    {KRN_TOPIC_ILP, "all", "chains", chains, KRN_CPU_COUNT(chains), true, 0, scope, describe,
     prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_ilp = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
