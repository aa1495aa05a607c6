/* y = a x + y. Source: M. Harris, How to Implement Performance Metrics in CUDA C/C++. */
#include "cuda/probes/topic.h"

/* Threads per block in the article's short listings; its program has KRN_SAXPY_THREADS. */
enum { THREADS_OF_FIRST = 256 };

/* The kernel processes arrays smaller than L2_TIMES times L2 once before the run. */
enum { L2_TIMES = 4 };

static const double sizes[KRN_CUDA_SAXPY_SIZES] = {1 << 20, 1 << 22, 20 << 20, 1 << 26, 1 << 28};

/* The largest arrays, if memory does not limit them, and the smallest ones. */
static const size_t elements_most = (size_t)1 << 28, elements_least = (size_t)1 << 20;

static struct krn_cuda_stream *state_of(const struct krn_cuda_probes *probes)
{
    return probes->state[KRN_TOPIC_SAXPY];
}

void krn_cuda_stream_carve(struct krn_cuda_probes *probes, struct krn_cuda_stream *stream)
{
    stream->x = krn_cuda_carve(probes, 4 * stream->elements);
    stream->y = krn_cuda_carve(probes, 4 * stream->elements);
}

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    state_of(probes)->elements = krn_cuda_at_least(elements_most >> halvings, elements_least);
    krn_cuda_stream_carve(probes, state_of(probes));
}

void krn_cuda_stream_fill(struct krn_cuda_probes *probes, struct krn_cuda_stream *stream)
{
    stream->y_unknown = true; /* filled by the first run */
    if (stream->x)
        KRN_CUDA_DO(probes, krn_cuda_fill_x(stream->x, stream->elements, probes->stream));
}

static void fill_arrays(struct krn_cuda_probes *probes)
{
    krn_cuda_stream_fill(probes, state_of(probes));
}

void krn_cuda_stream_invalidate(const struct krn_cuda_run *run)
{
    struct krn_cuda_stream *stream = run->state;
    stream->y_unknown = true;
}

/* Notes that a run updates y. */
static void note_update(const struct krn_cuda_run *run)
{
    struct krn_cuda_updates *updates = &((struct krn_cuda_stream *)run->state)->updates;
    for (int k = 0; k < run->series->count; k++) {
        updates->end[k] = (unsigned)run->series->x[k];
        updates->count[k] += updates->end[k] == run->count;
    }
}

void krn_cuda_stream_launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct krn_cuda_stream *stream = run->state;
    note_update(run);
    KRN_CUDA_DO(probes, krn_cuda_saxpy((int)run->count, run->threads, KRN_PROBE_FACTOR, stream->x,
                                       stream->y, probes->stream));
}

static void launch_vector(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct krn_cuda_stream *stream = run->state;
    note_update(run);
    KRN_CUDA_DO(probes, krn_cuda_saxpy_vector(run->count, KRN_PROBE_FACTOR, stream->x, stream->y,
                                              probes->stream));
}

/* Fills y when its contents are unknown or have had too many updates to be exact. */
void krn_cuda_stream_prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct krn_cuda_kind *kind = run->series->kind;
    struct krn_cuda_stream *stream = run->state;
    unsigned updates = 0;
    for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
        updates += stream->updates.count[k];
    /* Leaves room for the update before the run. */
    if (stream->y_unknown || updates + 2 > KRN_PROBE_UPDATES) {
        memset(&stream->updates, 0, sizeof stream->updates);
        KRN_CUDA_DO(probes, krn_cuda_fill_y(stream->y, stream->elements, probes->stream));
        stream->y_unknown = probes->code != KRN_OK;
    }
    /* When L2 holds a good part of the arrays, it must hold what the same kernel left there, as in
     * consecutive launches, and not what another measurement did. */
    if (8 * run->count < L2_TIMES * probes->info->l2_bytes)
        (kind->capture ? kind->capture : kind->launch)(probes, run);
}

void krn_cuda_stream_compare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct krn_cuda_stream *stream = run->state;
    KRN_CUDA_DO(probes, krn_cuda_compare_saxpy(krn_cuda_probe_comparison(probes), stream->y,
                                               run->count, stream->updates, probes->stream));
}

struct piece {
    const struct krn_cuda_updates *updates;
    struct krn_check *check;
};

static void verify_piece(void *context, size_t offset, const void *data, size_t bytes)
{
    const struct piece *piece = context;
    const struct krn_cuda_updates *all = piece->updates;
    const float *y = data;
    for (size_t i = 0; i < bytes / 4; i++) {
        const size_t index = offset / 4 + i;
        unsigned updates = 0;
        for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
            updates += index < all->end[k] ? all->count[k] : 0;
        krn_check_value(piece->check, (double)index, (double)krn_probe_y((uint32_t)index, updates),
                        (double)y[i]);
    }
}

void krn_cuda_stream_verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_check *check)
{
    const struct krn_cuda_stream *stream = run->state;
    struct piece piece = {&stream->updates, check};
    krn_cuda_probe_read(probes, stream->y, 4 * run->count, verify_piece, &piece);
}

bool krn_cuda_stream_describe(const struct krn_cuda_probes *probes, double x,
                              struct krn_cuda_run *run, struct krn_probe *probe)
{
    const struct krn_cuda_stream *stream = run->state;
    run->count = (size_t)x;
    run->results = (struct krn_cuda_results){
        .type = KRN_CUDA_FLOATS, .count = run->count, .actual = stream->y};
    krn_probe_saxpy(probe, x, KRN_SECTOR_BYTES);
    const bool twice = probe->footprint_bytes < (double)L2_TIMES * (double)probes->info->l2_bytes;
    probe->expected_ms =
        krn_cuda_probe_ms(probes, (twice ? 2.0 : 1.0) * 12.0 * x * 1.5 + 4.0 * x * 1.5);
    return run->count <= stream->elements;
}

static bool fill(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                 struct krn_probe *probe)
{
    const struct krn_device_info *info = probes->info;
    const bool vector = run->series->kind->launch == launch_vector;
    const double resident = (double)info->processors * info->threads_per_processor;
    const bool fits = krn_cuda_stream_describe(probes, x, run, probe);
    run->threads = run->series->parameter;
    run->blocks =
        (int)(run->count / (size_t)(vector ? KRN_CUDA_VECTOR_TILE : run->series->parameter));
    /* A request is 4 or 16 bytes per lane, and its lanes are adjacent. */
    const double width = vector ? 16.0 : 4.0, threads = x * 4.0 / width;
    probe->sectors = width * KRN_LANES / KRN_SECTOR_BYTES;
    probe->in_flight_bytes = 2.0 * width * (threads < resident ? threads : resident);
    probe->expected_ms += 0.03;
    return fits;
}

#define KIND(how)                                                                                  \
    {                                                                                              \
        .prepare = krn_cuda_stream_prepare, .launch = how, .compare = krn_cuda_stream_compare,     \
        .verify = krn_cuda_stream_verify                                                           \
    }

static const struct krn_cuda_kind published = KIND(krn_cuda_stream_launch),
                                  vector = KIND(launch_vector);

static const char scope[] = "one SAXPY kernel, between two CUDA events queued behind a gate: no "
                            "host, no launch gap; y stays on the device; "
                            "arrays of less than four times L2 were processed once before";

#define SAXPY(name, kind, threads)                                                                 \
    {                                                                                              \
        name, "elements", scope, &(kind), 0, threads, KRN_CUDA_POINTS(sizes), fill, false          \
    }

static const struct krn_cuda_series series[] = {
    SAXPY("published", published, KRN_SAXPY_THREADS),
    SAXPY("published256", published, THREADS_OF_FIRST),
    SAXPY("vector", vector, KRN_CUDA_VECTOR_THREADS),
};

const struct krn_cuda_topic krn_cuda_topic_saxpy = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct krn_cuda_stream),
    .lay_out = lay_out,
    .fill = fill_arrays,
    .invalidate = krn_cuda_stream_invalidate,
};
