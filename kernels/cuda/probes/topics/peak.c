/* Peak arithmetic: multiply-adds of single and double precision on all multiprocessors. Source of
 * the question: M. Harris, How to Implement Performance Metrics in CUDA C/C++. */
#include "cuda/probes/topic.h"

enum { SINGLE, DOUBLE, PRECISIONS };
enum { COUNTS = 4, CHAINS_MOST = 8 };

static const double chain_counts[COUNTS] = {1, 2, 4, 8};

/* A run lasts about so long: then launching it takes less than half a percent of its time, and the
 * slice with its check stays far below 2 ms. */
static const double run_ms = 1.0;

/* The most bytes for the ends of a run's chains: the size of an array of SAXPY, so that both shrink
 * together. */
static const size_t ends_most = (size_t)1 << 30;

struct state {
    int blocks, rounds[PRECISIONS];
    int chains; /* the most per thread whose ends fit; 0: none do, and there are no series */
};

/* The ends of the chains, by number of chains and start. */
struct ends {
    double dual[COUNTS * KRN_PROBE_STARTS];
    float single[COUNTS * KRN_PROBE_STARTS];
};

KRN_CUDA_STATE(KRN_TOPIC_PEAK)

static size_t table_of(int chains)
{
    size_t i = 0;
    while (i < COUNTS - 1 && (int)chain_counts[i] != chains)
        i++;
    return i * KRN_PROBE_STARTS;
}

static int steps_of(const struct state *state, int precision, int chains)
{
    return state->rounds[precision] * (KRN_CUDA_PEAK_BODY / chains);
}

static double lanes_of(const struct krn_cuda_probes *probes, int precision)
{
    const int dual = probes->info->dfma_lanes > 0 ? probes->info->dfma_lanes : 2;
    return precision == DOUBLE ? dual : probes->lanes;
}

/* Returns the bytes of the ends of all resident threads, in double precision. */
static size_t ends_bytes(const struct state *state, int chains)
{
    return sizeof(double) * (size_t)chains * KRN_CUDA_PEAK_THREADS * (size_t)state->blocks;
}

/* Requests memory for the ends of all chains of all resident threads. With less memory, threads
 * get fewer chains: fewer threads would leave multiprocessors idle and miss the peak. */
static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    const struct krn_device_info *info = probes->info;
    const int resident = info->threads_per_processor / KRN_CUDA_PEAK_THREADS;
    const int blocks = resident > 0 ? resident : 1;
    state->blocks = info->processors * blocks;
    for (int p = 0; p < PRECISIONS; p++) {
        const double round = (double)blocks * KRN_CUDA_PEAK_THREADS * KRN_CUDA_PEAK_BODY;
        const double rounds = run_ms * probes->mhz * 1e3 * lanes_of(probes, p) / round;
        state->rounds[p] = (int)fmax(1.0, rounds);
    }
    state->chains = CHAINS_MOST;
    while (state->chains > 0 && ends_bytes(state, state->chains) > ends_most >> halvings)
        state->chains /= 2;
    krn_cuda_request_result(probes, ends_bytes(state, state->chains));
}

/* Computes the ends with the host's multiply-adds. */
static void make_ends(const struct krn_cuda_probes *probes, void *table)
{
    const struct state *state = state_of(probes);
    struct ends *ends = table;
    for (uint32_t start = 0; start < KRN_PROBE_STARTS; start++) {
        float a = krn_probe_chain_start(start);
        double b = (double)a;
        for (int step = 1; step <= steps_of(state, SINGLE, 1); step++) {
            a = krn_fma(a, a, KRN_PROBE_B);
            for (int i = 0; i < COUNTS; i++)
                if (steps_of(state, SINGLE, (int)chain_counts[i]) == step)
                    ends->single[table_of((int)chain_counts[i]) + start] = a;
        }
        for (int step = 1; step <= steps_of(state, DOUBLE, 1); step++) {
            b = fma(b, b, (double)KRN_PROBE_B);
            for (int i = 0; i < COUNTS; i++)
                if (steps_of(state, DOUBLE, (int)chain_counts[i]) == step)
                    ends->dual[table_of((int)chain_counts[i]) + start] = b;
        }
    }
}

static void say_what_is_missing(struct krn_cuda_probes *probes)
{
    if (state_of(probes)->chains == 0)
        KRN_CUDA_REFUSE(probes, KRN_TOPIC_PEAK,
                        "The device has too little memory for the results of all its threads.");
}

static int chains_of(const struct krn_cuda_run *run)
{
    return (int)(run->count / ((size_t)run->threads * (size_t)run->blocks));
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, krn_cuda_peak(run->series->variant == DOUBLE, chains_of(run), run->blocks,
                                      run->rounds, probes->result, probes->stream));
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    const struct state *state = state_of(probes);
    const int precision = run->series->variant, chains = (int)x;
    run->threads = KRN_CUDA_PEAK_THREADS;
    run->blocks = state->blocks;
    run->rounds = state->rounds[precision];
    run->count = (size_t)run->threads * (size_t)run->blocks * (size_t)chains;
    const bool dual = precision == DOUBLE;
    run->results =
        krn_cuda_tabled(probes, probe->topic, dual ? KRN_CUDA_DOUBLES : KRN_CUDA_FLOATS, run->count,
                        KRN_PROBE_STARTS,
                        dual ? offsetof(struct ends, dual) + table_of(chains) * sizeof(double)
                             : offsetof(struct ends, single) + table_of(chains) * sizeof(float));
    probe->steps = steps_of(state, precision, chains);
    probe->flops = 2.0 * (double)run->count * probe->steps;
    probe->double_precision = dual;
    const double of_one = (double)run->count / info->processors;
    probe->expected_ms =
        of_one * probe->steps / lanes_of(probes, precision) / (probes->mhz * 1e3) + 0.1;
    return state->chains > 0;
}

static const struct krn_cuda_kind kind = {.launch = launch};

static const char single_scope[] =
    "one kernel of dependent single-precision multiply-adds, all multiprocessors full, between two "
    "CUDA events queued behind a gate";
static const char double_scope[] =
    "one kernel of dependent double-precision multiply-adds, all multiprocessors full, between two "
    "CUDA events queued behind a gate";

static const struct krn_cuda_series series[] = {
    {"ffma", "chains", single_scope, &kind, SINGLE, 0, KRN_CUDA_POINTS(chain_counts), fill, false},
    {"dfma", "chains", double_scope, &kind, DOUBLE, 0, KRN_CUDA_POINTS(chain_counts), fill, false},
};

const struct krn_cuda_topic krn_cuda_topic_peak = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .table_bytes = sizeof(struct ends),
    .make_table = make_ends,
    .fill = say_what_is_missing,
};
