/* Chains of multiply-adds in the cores' vector units: as many at once as x says, and the peak of
 * single and double precision by the width of the vectors, each of which is that of an
 * instruction-set level that this processor has. The recurrence a = a * a + b is chaotic for this
 * b, so that no step can be optimised away and an error does not decay. */
#include "core/trace/pixel.h"
#include "cpu/probes/topic.h"

#include <math.h>

enum { PEAK_LANES = KRN_CPU_PEAK_CHAINS * 16 };
enum { SINGLE, DOUBLE };
static const float constant = -1.9f;

static float start_of(int lane)
{
    return 0.1f + 0.003f * (float)lane;
}

static int steps_of(enum krn_topic topic)
{
    return topic == KRN_TOPIC_PEAK ? 1 << 16 : 1 << 15;
}

/* Compute the end of a chain with scalar arithmetic; krn_fma and fma round like the instruction. */
static float single_end(int lane, int steps, bool fused)
{
    float a = start_of(lane);
    for (int s = 0; s < steps; s++)
        a = fused ? krn_fma(a, a, constant) : a * a + constant;
    return a;
}

static double double_end(int lane, int steps, bool fused)
{
    const double b = (double)constant;
    double a = (double)start_of(lane);
    for (int s = 0; s < steps; s++)
        a = fused ? fma(a, a, b) : a * a + b;
    return a;
}

/* The state of a topic; each of the two topics has one, the one without double precision a smaller
 * one. A chain's end depends on its start alone and on whether the multiply-adds are fused, not on
 * the width of the vectors. */
struct state {
    int lanes;                                /* of a thread's results, in single precision */
    float *single_start, *expected_single[2]; /* by lane, the ends by whether fused */
    double *double_start, *expected_dual[2];  /* NULL: not measured */
    float *single;
    double *dual; /* single, dual: the results, for each thread */
};

static struct state *own(const struct krn_cpu_probes *p, enum krn_topic topic)
{
    return p->state[topic];
}

static void alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    const bool peak = topic == KRN_TOPIC_PEAK;
    struct state *s = own(p, topic);
    s->lanes = KRN_CPU_CHAINS * (peak ? 16 : p->kernels->width);
    const size_t lanes = (size_t)s->lanes, floats = (1 + (size_t)p->threads) * lanes;
    float *memory =
        krn_cpu_alloc(p, (peak ? 2 * floats + 4 * PEAK_LANES : floats + lanes) * sizeof *memory);
    if (!memory)
        return;
    s->single_start = memory;
    s->single = memory + lanes;
    s->expected_single[0] = s->expected_single[1] = memory + floats;
    if (!peak)
        return;
    s->expected_single[1] += PEAK_LANES;
    s->expected_dual[0] = (void *)(s->expected_single[1] + PEAK_LANES);
    s->expected_dual[1] = s->expected_dual[0] + PEAK_LANES / 2;
    s->double_start = s->expected_dual[1] + PEAK_LANES / 2;
    s->dual = s->double_start + lanes / 2;
}

/* What a probe runs: its kernels are those whose vectors have as many bits as the peak's x says, or
 * when there are none, others. */
struct chains {
    const struct krn_cpu_probe_kernels *kernels;
    int count, steps, lanes; /* lanes: of all chains */
    bool dual;
    const struct state *state;
};

static struct chains chains_of(const struct krn_cpu_probes *p, const struct krn_probe *probe,
                               int way)
{
    const bool peak = probe->topic == KRN_TOPIC_PEAK;
    int found = 0;
    for (int i = 0; peak && i < p->level_count; i++)
        found = 32.0 * p->levels[i]->width == probe->x ? i : found;
    struct chains c = {.kernels = p->levels[found],
                       .count = peak ? KRN_CPU_PEAK_CHAINS : (int)probe->x,
                       .steps = steps_of(probe->topic),
                       .dual = way == DOUBLE,
                       .state = own(p, probe->topic)};
    c.lanes = c.count * c.kernels->width / (c.dual ? 2 : 1);
    return c;
}

static struct chains chains_at(const struct krn_cpu_probes *p, int index)
{
    return chains_of(p, &p->base.list[index], p->series[index]->way);
}

struct filling {
    const struct krn_cpu_probes *probes;
    enum krn_topic topic;
};

static void fill_lane(const void *context, int lane, int thread)
{
    (void)thread;
    const struct filling *filling = context;
    const struct krn_cpu_probes *p = filling->probes;
    const bool peak = filling->topic == KRN_TOPIC_PEAK;
    const int chains = peak ? KRN_CPU_PEAK_CHAINS : KRN_CPU_CHAINS,
              levels = peak ? p->level_count : 1, steps = steps_of(filling->topic);
    struct state *s = own(p, filling->topic);
    s->single_start[lane] = start_of(lane);
    if (peak && lane < PEAK_LANES / 2)
        s->double_start[lane] = (double)start_of(lane);
    for (int fused = 0; fused < 2; fused++) {
        int widest = 0; /* of the vectors that are multiplied and added in this way */
        for (int i = 0; i < levels; i++)
            if (p->levels[i]->fused == (fused == 1) && p->levels[i]->width > widest)
                widest = p->levels[i]->width;
        if (lane < chains * widest)
            s->expected_single[fused][lane] = single_end(lane, steps, fused == 1);
        if (peak && lane < chains * widest / 2)
            s->expected_dual[fused][lane] = double_end(lane, steps, fused == 1);
    }
}

static void fill(struct krn_cpu_probes *p, enum krn_topic topic)
{
    const struct filling filling = {p, topic};
    if (own(p, topic)->single)
        krn_cpu_team_share(p->team, own(p, topic)->lanes, fill_lane, &filling);
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const struct chains c = chains_of(p, probe, series->way);
    const bool fused = c.kernels->fused;
    if (!c.state->single || (probe->topic == KRN_TOPIC_PEAK && 32.0 * c.kernels->width != probe->x))
        return false;
    probe->double_precision = c.dual;
    probe->flops = 2.0 * c.steps * c.lanes * (double)probe->threads;
    probe->steps = c.steps;
    /* Assumes 2 GHz, a latency of 4 cycles per step (8 without a fused instruction), and two
     * instructions per cycle. */
    const double latency = fused ? 4.0 : 8.0, issue = c.count / 2.0 * (fused ? 1.0 : 2.0);
    probe->expected_ms = c.steps * fmax(latency, issue) / 2e6 + 0.01;
    return true;
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    const struct chains c = chains_at(p, index);
    const int lanes = p->base.list[index].threads * c.state->lanes;
    p->result = c.dual ? (void *)c.state->dual : c.state->single;
    for (int k = 0; k < lanes; k++)
        c.state->single[k] = NAN;
    for (int k = 0; c.state->dual && k < lanes / 2; k++)
        c.state->dual[k] = (double)NAN;
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct chains c = chains_at(p, index);
    const struct krn_cpu_arithmetic single = {c.count, c.state->single_start, constant, c.steps,
                                              c.state->single};
    const struct krn_cpu_arithmetic_double dual = {c.state->double_start, (double)constant, c.steps,
                                                   c.state->dual};
    if (c.dual)
        krn_cpu_run(p, &p->base.list[index], c.kernels->multiply_add_double, &dual);
    else
        krn_cpu_run(p, &p->base.list[index], c.kernels->multiply_add, &single);
}

static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct chains c = chains_at(p, index);
    const bool fused = c.kernels->fused;
    for (int k = 0; k < c.lanes; k++) {
        const double expected =
            c.dual ? (whole ? double_end(k, c.steps, fused) : c.state->expected_dual[fused][k])
                   : (double)(whole ? single_end(k, c.steps, fused)
                                    : c.state->expected_single[fused][k]);
        for (int t = 0; t < p->base.list[index].threads; t++)
            krn_check_value(
                result, t * c.lanes + k, expected,
                c.dual ? c.state->dual[t * c.lanes + k]
                       : (double)c.state->single[t * KRN_CPU_CHAINS * c.kernels->width + k]);
    }
}

static const char chains_scope[] =
    "dependent multiply-adds in vectors, as many chains at once as x says, between two readings of "
    "the monotonic clock; one instruction where the processor fuses them, else a multiplication "
    "and an addition";

static const double chains_x[] = {1, 2, 3, 4, 6, 8, 12, 16};

static const struct krn_cpu_series ilp[] = {
    {KRN_TOPIC_ILP, "one", "chains", chains_x, KRN_CPU_COUNT(chains_x), false, SINGLE, chains_scope,
     describe, prepare, run, check},
    {KRN_TOPIC_ILP, "all", "chains", chains_x, KRN_CPU_COUNT(chains_x), true, SINGLE, chains_scope,
     describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_ilp = {
    .series = ilp,
    .count = KRN_CPU_COUNT(ilp),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};

static const char single_scope[] =
    "single-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";
static const char double_scope[] =
    "double-precision multiply-adds in 12 chains of vectors of x bits, between two readings of the "
    "monotonic clock; one instruction where the level fuses them, else two";

static const double bits[] = {128, 256, 512};

static const struct krn_cpu_series peak[] = {
    {KRN_TOPIC_PEAK, "ffma", "bits", bits, KRN_CPU_COUNT(bits), true, SINGLE, single_scope,
     describe, prepare, run, check},
    {KRN_TOPIC_PEAK, "dfma", "bits", bits, KRN_CPU_COUNT(bits), true, DOUBLE, double_scope,
     describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_peak = {
    .series = peak,
    .count = KRN_CPU_COUNT(peak),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
