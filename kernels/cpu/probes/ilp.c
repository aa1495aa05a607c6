/* Chains of multiply-adds in a core's vector unit, a = a * a + b: chaotic for this b, so that no
 * step can be left out and an error does not die away. */
#include "core/trace/pixel.h"
#include "cpu/probes/probes.h"

#include <math.h>

enum { STEPS = 1 << 15 };
static const float constant = -1.9f;

static float start_of(int lane)
{
    return 0.1f + 0.003f * (float)lane;
}

/* The same arithmetic, one number at a time: krn_fma rounds as the instruction does. */
static float end_of(float a, bool fused)
{
    for (int s = 0; s < STEPS; s++)
        a = fused ? krn_fma(a, a, constant) : a * a + constant;
    return a;
}

void krn_cpu_ilp_fill(struct krn_cpu_probes *p)
{
    const struct krn_cpu_blocks *b = &p->blocks;
    const bool fused = p->kernels->fused;
    const int lanes = KRN_CPU_CHAINS * p->kernels->width;
    if (!b->start)
        return;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < lanes; k++) {
        b->start[k] = start_of(k);
        b->expected_ends[k] = end_of(b->start[k], fused);
    }
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    (void)series;
    if (!p->blocks.start)
        return false;
    probe->flops = 2.0 * STEPS * probe->x * p->kernels->width * probe->threads;
    probe->steps = STEPS;
    /* A step of one chain takes some 4 cycles, 8 without a fused instruction; two instructions
     * start a cycle; 2 GHz. */
    const double latency = p->kernels->fused ? 4.0 : 8.0;
    const double issue = probe->x / 2.0 * (p->kernels->fused ? 1.0 : 2.0);
    probe->expected_ms = STEPS * fmax(latency, issue) / 2e6 + 0.01;
    return true;
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    const int all = p->base.list[index].threads * KRN_CPU_CHAINS * p->kernels->width;
    for (int k = 0; k < all; k++)
        p->blocks.ends[k] = NAN;
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    p->kernels->multiply_add((int)row->x, p->blocks.start, constant, STEPS, p->blocks.ends,
                             row->threads);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_probe *row = &p->base.list[index];
    const int own = (int)row->x * p->kernels->width;
    for (int k = 0; k < own; k++) {
        const float expected =
            whole ? end_of(start_of(k), p->kernels->fused) : p->blocks.expected_ends[k];
        for (int t = 0; t < row->threads; t++)
            krn_check_value(result, t * own + k, (double)expected,
                            (double)p->blocks.ends[t * KRN_CPU_CHAINS * p->kernels->width + k]);
    }
}

static const char scope[] =
    "dependent multiply-adds in vectors, as many chains at once as x says, between two readings of "
    "the monotonic clock; one instruction where the processor fuses them, else a multiplication "
    "and an addition";

static const double chains[] = {1, 2, 3, 4, 6, 8, 12, 16};

const struct krn_cpu_series krn_cpu_ilp[] = {
    {KRN_TOPIC_ILP, "one", "chains", chains, KRN_CPU_COUNT(chains), false, 0, scope, describe,
     prepare, run, check},
    {KRN_TOPIC_ILP, "all", "chains", chains, KRN_CPU_COUNT(chains), true, 0, scope, describe,
     prepare, run, check},
};
const int krn_cpu_ilp_rows = KRN_CPU_COUNT(krn_cpu_ilp);
