/* Multiply-adds whose operands all come from vector registers, or one of them from the first-level
 * cache: what shared memory and registers are on a GPU. The operands are small integers, so that
 * every chain is exact, and a missing, repeated or misplaced operand changes its end. */
#include "cpu/probes/topic.h"

#include <math.h>

enum { ROUNDS = 1 << 16, HALF = KRN_CPU_ADDENDS / 2 };

enum { REGISTERS, CACHED };

struct state {
    float *table; /* a vector of factors, then KRN_CPU_ADDENDS vectors of addends */
    float *ends;  /* for each thread */
};

KRN_CPU_STATE(KRN_TOPIC_OPERANDS)

static void alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    struct state *b = p->state[topic];
    const size_t table = (1 + KRN_CPU_ADDENDS) * (size_t)p->kernels->width,
                 ends = (size_t)p->threads * KRN_CPU_CHAINS * (size_t)p->kernels->width;
    b->table = krn_cpu_alloc(p, (table + ends) * sizeof *b->table);
    b->ends = b->table ? b->table + table : NULL;
}

/* Returns element `lane` of a vector of addends: 1 to 16. */
static float addend_of(int vector, int lane)
{
    return (float)(1 + (int)krn_cpu_value((uint32_t)(vector * KRN_CPU_CHAINS + lane)) % 16);
}

static void fill(struct krn_cpu_probes *p, enum krn_topic topic)
{
    const struct state *b = p->state[topic];
    const int width = p->kernels->width;
    if (!b->table)
        return;
    for (int lane = 0; lane < width; lane++)
        b->table[lane] = 1.0f;
    for (int v = 0; v < KRN_CPU_ADDENDS; v++)
        for (int lane = 0; lane < width; lane++)
            b->table[(1 + v) * width + lane] = addend_of(v, lane);
}

static float end_of(int way, int chain, int lane)
{
    float of_turn = 0.0f; /* the sum of HALF rounds */
    for (int r = 0; r < HALF; r++)
        of_turn += addend_of(way == CACHED ? r + chain : chain % 2, lane);
    return of_turn * (ROUNDS / HALF);
}

/* A multiply-add reads three operands of 4 bytes. From registers all of them count, from the cache
 * only the one that is loaded. */
static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    if (!own(p)->table)
        return false;
    const double all = (double)ROUNDS * probe->x * p->kernels->width * probe->threads;
    probe->useful_bytes = probe->moved_bytes = (series->way == REGISTERS ? 12.0 : 4.0) * all;
    probe->flops = 2.0 * all;
    probe->steps = ROUNDS;
    probe->footprint_bytes =
        series->way == REGISTERS ? 0.0 : 4.0 * KRN_CPU_ADDENDS * p->kernels->width;
    probe->beside_memory = true;
    /* Assumes 2 GHz, as chains.c does. */
    const double latency = p->kernels->fused ? 4.0 : 8.0;
    const double issue = probe->x / 2.0 * (p->kernels->fused ? 1.0 : 2.0);
    probe->expected_ms = ROUNDS * fmax(latency, issue) / 2e6 + 0.01;
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
    const struct krn_cpu_operands operands = {p->series[index]->way == CACHED, (int)row->x,
                                              own(p)->table, ROUNDS, own(p)->ends};
    krn_cpu_run(p, row, p->kernels->operands, &operands);
}

/* whole: checks the table, too. */
static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_probe *row = &p->base.list[index];
    const int width = p->kernels->width, chains = (int)row->x;
    for (int k = 0; k < chains * width; k++) {
        const float expected = end_of(p->series[index]->way, k / width, k % width);
        for (int t = 0; t < row->threads; t++)
            krn_check_value(result, t * chains * width + k, (double)expected,
                            (double)own(p)->ends[t * KRN_CPU_CHAINS * width + k]);
    }
    for (int k = 0; whole && k < KRN_CPU_ADDENDS * width; k++)
        krn_check_value(result, row->threads * chains * width + k,
                        (double)addend_of(k / width, k % width), (double)own(p)->table[width + k]);
}

static const char registers_scope[] =
    "multiply-adds in vectors, as many chains at once as x says, between two readings of the "
    "monotonic clock; each reads three registers, which count 12 bytes per lane";
static const char cache_scope[] =
    "multiply-adds in vectors, as many chains at once as x says, between two readings of the "
    "monotonic clock; each loads one operand from the first-level cache, which counts 4 bytes per "
    "lane";

static const double chains_x[] = {1, 2, 4, 8, 12};

static const struct krn_cpu_series series[] = {
    {KRN_TOPIC_OPERANDS, "registers", "chains", chains_x, KRN_CPU_COUNT(chains_x), true, REGISTERS,
     registers_scope, describe, prepare, run, check},
    {KRN_TOPIC_OPERANDS, "cache", "chains", chains_x, KRN_CPU_COUNT(chains_x), true, CACHED,
     cache_scope, describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_operands = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
