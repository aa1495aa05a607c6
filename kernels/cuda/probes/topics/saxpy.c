/* y = a x + y. Source: M. Harris, How to Implement Performance Metrics in CUDA C/C++. */
#include "cuda/probes/kernels/kernels.h"
#include "cuda/probes/topic.h"
#include "cuda/published/kernels.h"

#include "krn/published.h"

#include <string.h>

enum { PUBLISHED, VECTOR };

/* Threads per block in the article's short listings; its program has KRN_SAXPY_THREADS. */
enum { THREADS_OF_FIRST = 256 };

/* The kernel processes arrays smaller than L2_TIMES times L2 once before the run. */
enum { L2_TIMES = 4 };

static const unsigned sizes[KRN_CUDA_SAXPY_SIZES] = {1u << 20, 1u << 22, 20u << 20, 1u << 26,
                                                     1u << 28};

/* The largest arrays, if memory does not limit them, and the smallest ones. */
static const size_t elements_most = (size_t)1 << 28, elements_least = (size_t)1 << 20;

struct state {
    float *x, *y;
    size_t elements;
    struct krn_cuda_updates updates; /* of y */
    bool y_unknown;                  /* y must be filled again */
};

static struct state *state_of(const struct krn_cuda_probes *probes)
{
    return probes->state[KRN_TOPIC_SAXPY];
}

static void plan(struct krn_cuda_probes *probes, int halvings)
{
    state_of(probes)->elements = krn_cuda_at_least(elements_most >> halvings, elements_least);
}

static void carve(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    state->x = krn_cuda_carve(probes, 4 * state->elements);
    state->y = krn_cuda_carve(probes, 4 * state->elements);
}

static enum krn_code fill_arrays(struct krn_cuda_probes *probes, struct krn_error *error)
{
    struct state *state = state_of(probes);
    state->y_unknown = true; /* filled by the first run */
    return state->x ? KRN_CUDA(krn_cuda_fill_x(state->x, state->elements, probes->stream), error)
                    : KRN_OK;
}

static void invalidate(struct krn_cuda_probes *probes)
{
    state_of(probes)->y_unknown = true;
}

static enum krn_code launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_error *error)
{
    struct state *state = state_of(probes);
    const float a = KRN_PROBE_FACTOR;
    for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++) {
        state->updates.end[k] = sizes[k];
        state->updates.count[k] += sizes[k] == run->count;
    }
    if (run->series->variant == PUBLISHED)
        return KRN_CUDA(
            krn_cuda_saxpy((int)run->count, run->threads, a, state->x, state->y, probes->stream),
            error);
    return KRN_CUDA(krn_cuda_saxpy_vector(run->count, a, state->x, state->y, probes->stream),
                    error);
}

/* Fills y when its contents are unknown or have had too many updates to be exact. */
static enum krn_code prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    struct state *state = state_of(probes);
    const size_t l2 = probes->info->l2_bytes;
    unsigned updates = 0;
    enum krn_code code = KRN_OK;
    for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
        updates += state->updates.count[k];
    if (state->y_unknown || updates >= KRN_PROBE_UPDATES) {
        memset(&state->updates, 0, sizeof state->updates);
        code = KRN_CUDA(krn_cuda_fill_y(state->y, state->elements, probes->stream), error);
        state->y_unknown = code != KRN_OK;
    }
    /* When L2 holds a good part of the arrays, it must hold what the same kernel left there, as in
     * consecutive launches, and not what another measurement did. */
    if (code == KRN_OK && 8 * run->count < L2_TIMES * l2)
        code = launch(probes, run, error);
    return code;
}

static enum krn_code compare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                             struct krn_error *error)
{
    const struct state *state = state_of(probes);
    return KRN_CUDA(krn_cuda_compare_saxpy(krn_cuda_probe_comparison(probes), state->y, run->count,
                                           state->updates, probes->stream),
                    error);
}

struct piece {
    const struct state *state;
    struct krn_check *check;
};

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct piece *piece = context;
    const float *y = data;
    for (size_t i = 0; i < bytes / 4; i++) {
        const size_t index = offset / 4 + i;
        unsigned updates = 0;
        for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
            updates += index < sizes[k] ? piece->state->updates.count[k] : 0;
        krn_check_value(piece->check, (double)index, (double)krn_probe_y((uint32_t)index, updates),
                        (double)y[i]);
    }
}

static enum krn_code verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_check *check, struct krn_error *error)
{
    struct piece piece = {state_of(probes), check};
    return krn_cuda_probe_read(probes, state_of(probes)->y, 4 * run->count, verify_piece, &piece,
                               error);
}

static void *result(const struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    return state_of(probes)->y + run->count / 2;
}

static int points(const struct krn_cuda_probes *probes, const struct krn_cuda_series *series,
                  double x[KRN_CUDA_POINTS])
{
    int n = 0;
    (void)series;
    for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
        if (sizes[k] <= state_of(probes)->elements)
            x[n++] = sizes[k];
    return n;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    const bool published = run->series->variant == PUBLISHED;
    const double resident = (double)info->processors * info->threads_per_processor;
    run->count = (size_t)x;
    run->threads = run->series->parameter;
    run->blocks =
        (int)(run->count / (size_t)(published ? run->series->parameter : KRN_CUDA_VECTOR_TILE));
    /* The kernel reads x and y and writes y; a request is 4 or 16 bytes per lane, and its lanes are
     * adjacent. */
    const double width = published ? 4.0 : 16.0, threads = x * 4.0 / width;
    probe->useful_bytes = probe->moved_bytes = 12.0 * x;
    probe->sectors = width * KRN_LANES / KRN_SECTOR_BYTES;
    probe->flops = 2.0 * x;
    probe->in_flight_bytes = 2.0 * width * (threads < resident ? threads : resident);
    probe->footprint_bytes = 8.0 * x;
    const bool twice = probe->footprint_bytes < (double)L2_TIMES * (double)info->l2_bytes;
    probe->expected_ms =
        krn_cuda_probe_ms(probes, (twice ? 2.0 : 1.0) * 12.0 * x * 1.5 + 4.0 * x * 1.5) + 0.03;
    return true;
}

static const struct krn_cuda_kind kind = {
    .gated = true,
    .prepare = prepare,
    .launch = launch,
    .compare = compare,
    .verify = verify,
    .result = result,
};

static const char scope[] = "one SAXPY kernel, between two CUDA events queued behind a gate: no "
                            "host, no launch gap; y stays on the device; "
                            "arrays of less than four times L2 were processed once before";

static const struct krn_cuda_series series[] = {
    {"published", "elements", scope, &kind, PUBLISHED, KRN_SAXPY_THREADS, points, fill, false},
    {"published256", "elements", scope, &kind, PUBLISHED, THREADS_OF_FIRST, points, fill, false},
    {"vector", "elements", scope, &kind, VECTOR, KRN_CUDA_VECTOR_THREADS, points, fill, false},
};

const struct krn_cuda_topic krn_cuda_topic_saxpy = {
    .series = series,
    .count = sizeof series / sizeof *series,
    .state_bytes = sizeof(struct state),
    .plan = plan,
    .carve = carve,
    .fill = fill_arrays,
    .invalidate = invalidate,
};
