/* SAXPY, its reference and copies on the arrays x and y.
 *
 * x never changes. All probes write y, so the expected content is recorded for each section of y: a
 * copy that writes nothing, or an update that runs twice, is detected. Updates add 2 x, and y is
 * refilled long before its values reach 2^24, above which float is not exact for integers. */
#include "cpu/probes/topic.h"

static const size_t stretch_ends[KRN_CPU_STRETCHES] = {
    1u << 10, 1u << 12, 1u << 14, 1u << 16,        1u << 18,
    1u << 20, 1u << 22, 1u << 24, 20 * (1u << 20), 1u << 26};

/* With values up to KRN_CPU_VALUE_MOST, y stays below 2^22. */
enum { FACTOR = KRN_CPU_SAXPY_FACTOR, TIMES_MOST = (1 << 22) / KRN_CPU_VALUE_MOST - FACTOR - 1 };

enum { PUBLISHED, PASSING, COPY };

static size_t begin_of(int stretch)
{
    return stretch > 0 ? stretch_ends[stretch - 1] : 0;
}

void krn_cpu_stream_alloc(struct krn_cpu_probes *p)
{
    p->arrays.wants_x = p->arrays.wants_y = true;
}

void krn_cpu_stream_prepare(struct krn_cpu_probes *p, int index)
{
    const size_t n = (size_t)p->base.list[index].x;
    krn_cpu_need(p, n + KRN_CPU_PAD, n);
    p->result = p->arrays.y + n / 2;
    for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++) {
        if (p->arrays.held[s].times < TIMES_MOST)
            continue;
        for (size_t i = begin_of(s); i < stretch_ends[s]; i++)
            p->arrays.y[i] = krn_cpu_value((uint32_t)i);
        p->arrays.held[s] = (struct krn_cpu_held){1, 0};
    }
}

/* Returns the offset in x of the latest copy, which starts on another line than x. */
static unsigned newest_shift(const struct krn_cpu_probes *p)
{
    const unsigned lines = KRN_CPU_PAD / KRN_CPU_LINE_FLOATS - 1;
    return (1 + p->arrays.copies % lines) * KRN_CPU_LINE_FLOATS;
}

/* Chooses an offset that no section of y to be written holds already, so that a copy cannot find
 * its own result. There are more offsets than sections. */
static void prepare_copy(struct krn_cpu_probes *p, int index)
{
    const size_t n = (size_t)p->base.list[index].x;
    bool taken = true;
    krn_cpu_need(p, n + KRN_CPU_PAD, n);
    p->result = p->arrays.y + n / 2;
    while (taken) {
        p->arrays.copies++;
        taken = false;
        for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++)
            taken = taken || p->arrays.held[s].shift == newest_shift(p);
    }
}

static void copied(struct krn_cpu_probes *p, size_t n)
{
    for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++)
        p->arrays.held[s] = (struct krn_cpu_held){0, newest_shift(p)};
}

void krn_cpu_stream_updated(struct krn_cpu_probes *p, int index)
{
    const size_t n = (size_t)p->base.list[index].x;
    for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++)
        p->arrays.held[s].times += FACTOR;
}

/* Runs a kernel on x from `from` on and y. */
static void run_stream(struct krn_cpu_probes *p, int index, krn_cpu_work *kernel, const float *from)
{
    const struct krn_probe *row = &p->base.list[index];
    const size_t lines = (size_t)p->base.list[index].x / KRN_CPU_LINE_FLOATS;
    const struct krn_cpu_stream stream = {FACTOR, from, p->arrays.y, lines, row->threads};
    krn_cpu_run(p, row, kernel, &stream);
}

static void run_saxpy(struct krn_cpu_probes *p, int index)
{
    const bool published = p->series[index]->way == PUBLISHED;
    run_stream(p, index, published ? p->kernels->saxpy : p->kernels->saxpy_passing, p->arrays.x);
    krn_cpu_stream_updated(p, index);
}

static void run_copy(struct krn_cpu_probes *p, int index)
{
    run_stream(p, index, p->kernels->copy_passing, p->arrays.x + newest_shift(p));
    copied(p, (size_t)p->base.list[index].x);
}

static void check_each(const struct krn_cpu_probes *p, size_t begin, size_t end,
                       struct krn_cpu_held held, struct krn_check *check)
{
    enum { PER_CHECK = 1 << 16 };
    for (size_t i = begin; i < end && (i % PER_CHECK != 0 || !krn_cancelled()); i++) {
        double expected = held.times * (double)krn_cpu_value((uint32_t)i);
        if (held.shift > 0)
            expected += (double)krn_cpu_value((uint32_t)i + held.shift);
        krn_check_value(check, (double)i, expected, (double)p->arrays.y[i]);
    }
}

/* Checks adjacent sections with equal expected content together, and compares single elements only
 * where a section differs. */
void krn_cpu_stream_check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *check)
{
    const size_t n = (size_t)p->base.list[index].x;
    for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++) {
        const struct krn_cpu_held held = p->arrays.held[s];
        const size_t begin = begin_of(s);
        while (stretch_ends[s] < n && p->arrays.held[s + 1].times == held.times &&
               p->arrays.held[s + 1].shift == held.shift)
            s++;
        if (whole || p->kernels->differing(p->arrays.y, begin, stretch_ends[s], held, p->team) > 0)
            check_each(p, begin, stretch_ends[s], held, check);
        else
            check->compared += (double)(stretch_ends[s] - begin);
    }
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const double n = probe->x, bytes = n * sizeof(float);
    if (!p->arrays.y || n > (double)p->arrays.floats)
        return false;
    krn_probe_saxpy(probe, n, KRN_LINE_BYTES);
    if (series->way == COPY) {
        probe->flops = 0.0;
        probe->useful_bytes = 2.0 * bytes;
        /* A normal store first reads its line into the cache; SAXPY has already read it. */
        probe->moved_bytes = (p->kernels->passes ? 2.0 : 3.0) * bytes;
    }
    probe->expected_ms = krn_cpu_expected_ms(probe->moved_bytes + bytes);
    return true;
}

static const char published_scope[] =
    "the plain loop y = a x + y alone, between two readings of the monotonic clock; this machine's "
    "main memory, or its caches where both arrays fit";
static const char passing_scope[] =
    "y = a x + y with stores that pass the caches by, where the processor has them, between two "
    "readings of the monotonic clock; this machine's main memory";
static const char copy_scope[] =
    "a copy with stores that pass the caches by, where the processor has them, between two "
    "readings of the monotonic clock: what this machine's main memory gives";
static const double sizes[] = {1 << 16, 1 << 20, 20 * (1 << 20), 1 << 26};
#define SAXPY(name, all, way, scope, prepare, run)                                                 \
    {                                                                                              \
        name, "elements", sizes, KRN_CPU_COUNT(sizes), all, way, scope, describe, prepare, run,    \
            krn_cpu_stream_check                                                                   \
    }

static const struct krn_cpu_series series[] = {
    SAXPY("published", true, PUBLISHED, published_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("published/one", false, PUBLISHED, published_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("vector", true, PASSING, passing_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("vector/one", false, PASSING, passing_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("copy", true, COPY, copy_scope, prepare_copy, run_copy),
    SAXPY("copy/one", false, COPY, copy_scope, prepare_copy, run_copy),
};
const struct krn_cpu_topic krn_cpu_topic_saxpy = {
    .series = series,
    .count = KRN_CPU_COUNT(series),
    .alloc = krn_cpu_stream_alloc,
};
