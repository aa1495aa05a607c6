/* Peak arithmetic: multiply-adds of single and double precision on all threads, by the width of the
 * vectors. Each width is that of an instruction-set level which this processor has. */
#include "core/trace/pixel.h"
#include "cpu/probes/topic.h"

#include <math.h>

enum { STEPS = 1 << 16, CHAINS = KRN_CPU_PEAK_CHAINS, LANES_MOST = CHAINS * 16 };
enum { SINGLE, DOUBLE };
static const float constant = -1.9f;

static float start_of(int lane)
{
    return 0.1f + 0.003f * (float)lane;
}

/* Compute the end of a chain with scalar arithmetic; krn_fma and fma round like the instruction. */
static float single_end(int lane, bool fused)
{
    float a = start_of(lane);
    for (int s = 0; s < STEPS; s++)
        a = fused ? krn_fma(a, a, constant) : a * a + constant;
    return a;
}

static double double_end(int lane, bool fused)
{
    const double b = (double)constant;
    double a = (double)start_of(lane);
    for (int s = 0; s < STEPS; s++)
        a = fused ? fma(a, a, b) : a * a + b;
    return a;
}

/* The starts and ends by lane. A chain's end depends on its start alone and on whether the
 * multiply-adds are fused, not on the width of the vectors. */
struct ends {
    float single[2][LANES_MOST];
    double dual[2][LANES_MOST / 2];
};

struct state {
    struct ends *expected; /* [fused] */
    float *single_start, *single;
    double *double_start, *dual; /* single, dual: the results, for each thread */
};

KRN_CPU_STATE(KRN_TOPIC_PEAK)

/* Returns the kernels whose vectors have so many bits; when there are none, others. */
static const struct krn_cpu_probe_kernels *kernels_of(const struct krn_cpu_probes *p, double bits)
{
    int found = 0;
    for (int i = 0; i < p->level_count; i++)
        found = 32.0 * p->levels[i]->width == bits ? i : found;
    return p->levels[found];
}

static bool is_double(const struct krn_cpu_probes *p, int index)
{
    return p->series[index]->way == DOUBLE;
}

static int lanes_of(const struct krn_cpu_probe_kernels *kernels, bool dual)
{
    return CHAINS * kernels->width / (dual ? 2 : 1);
}

static void alloc(struct krn_cpu_probes *p)
{
    struct state *s = own(p);
    const size_t threads = (size_t)p->threads, per_thread = (size_t)KRN_CPU_CHAINS * 16,
                 floats = (1 + threads) * per_thread * sizeof(float);
    unsigned char *memory = krn_cpu_alloc(p, 2 * floats + sizeof *s->expected);
    if (!memory)
        return;
    s->double_start = (void *)memory;
    s->dual = s->double_start + per_thread / 2;
    s->single_start = (void *)(memory + floats);
    s->single = s->single_start + per_thread;
    s->expected = (void *)(memory + 2 * floats);
}

static void fill_lane(const void *context, int lane, int thread)
{
    (void)thread;
    const struct krn_cpu_probes *p = context;
    struct state *s = own(p);
    s->single_start[lane] = start_of(lane);
    if (lane < LANES_MOST / 2)
        s->double_start[lane] = (double)start_of(lane);
    for (int fused = 0; fused < 2; fused++) {
        bool single = false, dual = false;
        for (int i = 0; i < p->level_count; i++) {
            const bool like = p->levels[i]->fused == (fused == 1);
            single = single || (like && lane < lanes_of(p->levels[i], false));
            dual = dual || (like && lane < lanes_of(p->levels[i], true));
        }
        if (single)
            s->expected->single[fused][lane] = single_end(lane, fused == 1);
        if (dual)
            s->expected->dual[fused][lane] = double_end(lane, fused == 1);
    }
}

static void fill(struct krn_cpu_probes *p)
{
    if (own(p)->expected)
        krn_cpu_team_share(p->team, LANES_MOST, fill_lane, p);
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, probe->x);
    if (!own(p)->expected || 32.0 * kernels->width != probe->x)
        return false;
    probe->double_precision = series->way == DOUBLE;
    probe->flops =
        2.0 * STEPS * lanes_of(kernels, probe->double_precision) * (double)probe->threads;
    probe->steps = STEPS;
    /* Assumes 2 GHz and two instructions per cycle. */
    probe->expected_ms = STEPS * CHAINS / 2.0 * (kernels->fused ? 1.0 : 2.0) / 2e6 + 0.01;
    return true;
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const int lanes = row->threads * KRN_CPU_CHAINS * 16;
    p->result = is_double(p, index) ? (void *)own(p)->dual : own(p)->single;
    for (int k = 0; k < lanes; k++)
        own(p)->single[k] = NAN;
    for (int k = 0; k < lanes / 2; k++)
        own(p)->dual[k] = (double)NAN;
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, row->x);
    const struct krn_cpu_arithmetic single = {CHAINS, own(p)->single_start, constant, STEPS,
                                              own(p)->single};
    const struct krn_cpu_arithmetic_double dual = {own(p)->double_start, (double)constant, STEPS,
                                                   own(p)->dual};
    if (is_double(p, index))
        krn_cpu_run(p, row, kernels->multiply_add_double, &dual);
    else
        krn_cpu_run(p, row, kernels->multiply_add, &single);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct krn_probe *row = &p->base.list[index];
    const struct krn_cpu_probe_kernels *kernels = kernels_of(p, row->x);
    const struct state *s = own(p);
    const bool dual = is_double(p, index), fused = kernels->fused;
    const int lanes = lanes_of(kernels, dual);
    for (int k = 0; k < lanes; k++) {
        const double expected =
            whole ? (dual ? double_end(k, fused) : (double)single_end(k, fused))
                  : (dual ? s->expected->dual[fused][k] : (double)s->expected->single[fused][k]);
        for (int t = 0; t < row->threads; t++)
            krn_check_value(result, t * lanes + k, expected,
                            dual ? s->dual[t * lanes + k]
                                 : (double)s->single[t * KRN_CPU_CHAINS * kernels->width + k]);
    }
}

static const char single_scope[] =
    "single-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";
static const char double_scope[] =
    "double-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";

static const double bits[] = {128, 256, 512};

static const struct krn_cpu_series series[] = {
    {KRN_TOPIC_PEAK, "ffma", "bits", bits, KRN_CPU_COUNT(bits), true, SINGLE, single_scope,
     describe, prepare, run, check},
    {KRN_TOPIC_PEAK, "dfma", "bits", bits, KRN_CPU_COUNT(bits), true, DOUBLE, double_scope,
     describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_peak = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
