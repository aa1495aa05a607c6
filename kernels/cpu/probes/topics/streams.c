/* SAXPY, its reference and copies on the arrays x and y.
 *
 * x never changes. All probes write y, so the expected content is recorded for each section of y: a
 * copy that writes nothing, or an update that runs twice, is detected. Updates add 2 x, and y is
 * refilled long before its values reach 2^24, above which float is not exact for integers. */
#include "cpu/probes/topic.h"

#include "krn/error.h"

#include <string.h>

static const size_t stretch_ends[KRN_CPU_STRETCHES] = {
    1u << 10, 1u << 12, 1u << 14, 1u << 16,        1u << 18,
    1u << 20, 1u << 22, 1u << 24, 20 * (1u << 20), 1u << 26};

/* With values up to KRN_CPU_VALUE_MOST, y stays below 2^22. */
enum { FACTOR = KRN_CPU_SAXPY_FACTOR, TIMES_MOST = (1 << 22) / KRN_CPU_VALUE_MOST - FACTOR - 1 };

enum { PUBLISHED, PASSING, COPY };

size_t krn_cpu_stream_elements(const struct krn_cpu_probes *p, int index)
{
    const struct krn_probe *row = &p->base.list[index];
    return (size_t)row->x / (row->topic == KRN_TOPIC_TRANSFER ? sizeof(float) : 1);
}

static size_t begin_of(int stretch)
{
    return stretch > 0 ? stretch_ends[stretch - 1] : 0;
}

void krn_cpu_stream_alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    (void)topic;
    p->arrays.wants_x = p->arrays.wants_y = true;
}

void krn_cpu_stream_prepare(struct krn_cpu_probes *p, int index)
{
    const size_t n = krn_cpu_stream_elements(p, index);
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
    const size_t n = krn_cpu_stream_elements(p, index);
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
    const size_t n = krn_cpu_stream_elements(p, index);
    for (int s = 0; s < KRN_CPU_STRETCHES && begin_of(s) < n; s++)
        p->arrays.held[s].times += FACTOR;
}

/* Runs a kernel on x from `from` on and y. */
static void run_stream(struct krn_cpu_probes *p, int index, krn_cpu_work *kernel, const float *from)
{
    const struct krn_probe *row = &p->base.list[index];
    const size_t lines = krn_cpu_stream_elements(p, index) / KRN_CPU_LINE_FLOATS;
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
    copied(p, krn_cpu_stream_elements(p, index));
}

static void run_memcpy(struct krn_cpu_probes *p, int index)
{
    const size_t n = krn_cpu_stream_elements(p, index);
    memcpy(p->arrays.y, p->arrays.x + newest_shift(p), n * sizeof(float));
    copied(p, n);
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
    const size_t n = krn_cpu_stream_elements(p, index);
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
    const double line_floats = KRN_CPU_LINE_FLOATS;
    const bool bytes = series->topic == KRN_TOPIC_TRANSFER;
    const double n = bytes ? probe->x / sizeof(float) : probe->x;
    const bool copies = bytes || series->way == COPY;
    if (!p->arrays.y || n > (double)p->arrays.floats)
        return false;
    /* A normal store first reads its line into the cache; SAXPY has already read it. */
    const double arrays = copies ? 2.0 : 3.0;
    probe->useful_bytes = bytes ? probe->x : arrays * n * sizeof(float);
    probe->moved_bytes = arrays * n * sizeof(float);
    if (series->way == COPY && !bytes && !p->kernels->passes)
        probe->moved_bytes += n * sizeof(float);
    probe->sectors = KRN_LANES / line_floats;
    probe->flops = copies ? 0.0 : 2.0 * n;
    probe->beside_memory = bytes;
    probe->footprint_bytes = 2.0 * n * sizeof(float);
    probe->expected_ms = krn_cpu_expected_ms(probe->moved_bytes + n * sizeof(float));
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
static const char memcpy_scope[] =
    "memcpy on one thread, between two readings of the monotonic clock; memory to memory, nothing "
    "lies between host and device; bytes count once, moved ones as read and as written";

static const double sizes[] = {1 << 16, 1 << 20, 20 * (1 << 20), 1 << 26};
static const double transfer_bytes[] = {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20,
                                        1 << 22, 1 << 24, 1 << 26, 1 << 28};

#define SAXPY(name, all, way, scope, prepare, run)                                                 \
    {                                                                                              \
        KRN_TOPIC_SAXPY, name, "elements", sizes, KRN_CPU_COUNT(sizes), all, way, scope, describe, \
            prepare, run, krn_cpu_stream_check                                                     \
    }

static const struct krn_cpu_series saxpy[] = {
    SAXPY("published", true, PUBLISHED, published_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("published/one", false, PUBLISHED, published_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("vector", true, PASSING, passing_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("vector/one", false, PASSING, passing_scope, krn_cpu_stream_prepare, run_saxpy),
    SAXPY("copy", true, COPY, copy_scope, prepare_copy, run_copy),
    SAXPY("copy/one", false, COPY, copy_scope, prepare_copy, run_copy),
};
const struct krn_cpu_topic krn_cpu_topic_saxpy = {
    .series = saxpy,
    .count = KRN_CPU_COUNT(saxpy),
    .alloc = krn_cpu_stream_alloc,
};

static const struct krn_cpu_series transfer[] = {
    {KRN_TOPIC_TRANSFER, "copy", "bytes", transfer_bytes, KRN_CPU_COUNT(transfer_bytes), false,
     COPY, memcpy_scope, describe, prepare_copy, run_memcpy, krn_cpu_stream_check},
};
const struct krn_cpu_topic krn_cpu_topic_transfer = {
    .series = transfer,
    .count = KRN_CPU_COUNT(transfer),
    .alloc = krn_cpu_stream_alloc,
};
