/* The CPU's probes: their list, their results on every instruction-set level, the ability of the
 * checks to detect errors, and the few ratios that hold on every machine. */
#include "found.h"
#include "owned.h"
#include "timing.h"

#include "cpu/probes/topic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const levels[] = {"base", "v2", "v3", "v4"};

/* docs/panels.md, "What runs on a CPU". END ends x; WHOLE is the size of an array. */
enum { X_MOST = 16 };
#define END (-1.0)
#define WHOLE (-2.0)
#define STREAM_X                                                                                   \
    {                                                                                              \
        65536, 1048576, 20971520, 67108864, END                                                    \
    }
#define CLOCK_X                                                                                    \
    {                                                                                              \
        1024, 1048576, 20971520, END                                                               \
    }
/* Widths of vectors, of which this processor may lack some. */
#define BITS_X                                                                                     \
    {                                                                                              \
        128, 256, 512, END                                                                         \
    }
static const struct {
    enum krn_topic topic;
    const char *series;
    int all;
    double x[X_MOST];
} documented[] = {
    {KRN_TOPIC_TIMER, "launch", 1, CLOCK_X},
    {KRN_TOPIC_TIMER, "host", 1, CLOCK_X},
    {KRN_TOPIC_TIMER, "events", 1, CLOCK_X},
    {KRN_TOPIC_TIMER, "resolution", 0, {256, END}},
    {KRN_TOPIC_SAXPY, "published", 1, STREAM_X},
    {KRN_TOPIC_SAXPY, "published/one", 0, STREAM_X},
    {KRN_TOPIC_SAXPY, "vector", 1, STREAM_X},
    {KRN_TOPIC_SAXPY, "vector/one", 0, STREAM_X},
    {KRN_TOPIC_SAXPY, "copy", 1, STREAM_X},
    {KRN_TOPIC_SAXPY, "copy/one", 0, STREAM_X},
    {KRN_TOPIC_PEAK, "ffma", 1, BITS_X},
    {KRN_TOPIC_PEAK, "dfma", 1, BITS_X},
    {KRN_TOPIC_ACCESS, "chunk", 1, {1048576, END}},
    {KRN_TOPIC_ACCESS, "strided", 1, {1048576, END}},
    {KRN_TOPIC_ACCESS, "chunk/one", 0, {1048576, END}},
    {KRN_TOPIC_ACCESS, "strided/one", 0, {1048576, END}},
    {KRN_TOPIC_ACCESS, "offset", 1, {0, 1, 2, 4, 8, 16, END}},
    {KRN_TOPIC_ACCESS, "stride", 1, {1, 2, 4, 8, 16, 32, END}},
    {KRN_TOPIC_ACCESS, "random", 1, {WHOLE, END}},
    {KRN_TOPIC_ACCESS, "broadcast", 1, {WHOLE, END}},
};

/* The launch and the clock's step are times in which no work is done. */
static int is_without_work(const struct krn_probe *probe)
{
    return probe->topic == KRN_TOPIC_TIMER &&
           (strcmp(probe->series, "launch") == 0 || strcmp(probe->series, "resolution") == 0);
}

static struct krn_device *connect(void)
{
    struct krn_device *device = NULL;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    return device;
}

static struct krn_probes *open_probes(struct krn_device *device, unsigned topics, size_t bytes_max)
{
    struct krn_probes *probes = NULL;
    TEST_OK(krn_probes_open(device, topics, bytes_max, &probes, &error));
    assert_non_null(probes);
    return probes;
}

static struct krn_probe_reading run(struct krn_probes *probes, int index)
{
    struct krn_probe_reading reading;
    TEST_OK(krn_probe_start(probes, index, &error));
    assert_true(krn_probe_busy(probes));
    assert_true(krn_probe_poll(probes, &reading));
    assert_false(krn_probe_busy(probes));
    return reading;
}

static void expect_right(const struct krn_probes *probes, int index, const struct krn_check *check)
{
    const struct krn_probe *probe = krn_probes_at(probes, index);
    if (check->compared > 0.0 && check->wrong == 0.0 && check->max_error == 0.0)
        return;
    fail_msg("%s %s %g: %g of %g wrong, element %g is %g, not %g", krn_topic_name(probe->topic),
             probe->series, probe->x, check->wrong, check->compared, check->first, check->actual,
             check->expected);
}

/* Runs all probes forwards and backwards, since streams write to the same array, then compares with
 * the host. */
static void run_all(struct krn_probes *probes)
{
    const int count = krn_probes_count(probes);
    for (int i = 0; i < 2 * count; i++) {
        const int index = i < count ? i : 2 * count - 1 - i;
        const struct krn_probe_reading reading = run(probes, index);
        expect_right(probes, index, &reading.check);
        assert_int_equal(reading.probe, index);
        assert_true(reading.ms > 0.0 && isfinite(reading.ms));
        assert_true(reading.slice_ms >= reading.ms);
        assert_true(reading.cycles == 0.0);
    }
    for (int i = 0; i < count; i++) {
        struct krn_check check;
        TEST_OK(krn_probe_verify(probes, i, &check, &error));
        expect_right(probes, i, &check);
        assert_false(krn_probe_busy(probes));
    }
}

static int has(const struct krn_probes *probes, enum krn_topic topic, const char *series, double x)
{
    return found_probe(probes, topic, series, x) >= 0;
}

static bool has_width(const struct krn_probes *probes, double bits)
{
    const struct krn_cpu_probes *own = (const struct krn_cpu_probes *)probes;
    bool has = false;
    for (int i = 0; i < own->level_count; i++)
        has = has || 32.0 * own->levels[i]->width == bits;
    return has;
}

TEST(list_is_as_documented)
{
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, 0);
    const int processors = krn_device_describe(device)->processors;
    const size_t count = sizeof documented / sizeof *documented;
    int at = 0;
    /* Topics come in the order of krn/topics.h. */
    for (size_t n = 0; n < KRN_TOPIC_COUNT * count; n++) {
        const size_t d = n % count;
        for (int i = 0; documented[d].topic == n / count && documented[d].x[i] != END; i++) {
            /* One processor has no other one to hand work to. */
            if (processors == 1 && documented[d].topic == KRN_TOPIC_TIMER &&
                documented[d].x[i] != 256)
                continue;
            if (documented[d].topic == KRN_TOPIC_PEAK && !has_width(probes, documented[d].x[i]))
                continue;
            if (at >= krn_probes_count(probes))
                fail_msg("%s %s is missing", krn_topic_name(documented[d].topic),
                         documented[d].series);
            const struct krn_probe *probe = krn_probes_at(probes, at);
            const double x = documented[d].x[i] == WHOLE ? probe->x : documented[d].x[i];
            assert_int_equal(probe->topic, documented[d].topic);
            assert_string_equal(probe->series, documented[d].series);
            if (probe->x != x)
                fail_msg("%s: x %g instead of %g", probe->series, probe->x, x);
            assert_int_equal(found_probe(probes, probe->topic, probe->series, x), at);
            assert_int_equal(probe->threads, documented[d].all ? processors : 1);
            assert_int_equal(probe->blocks, 0);
            assert_false(probe->has_cycles);
            assert_non_null(probe->axis);
            assert_non_null(strstr(probe->scope, "monotonic clock"));
            assert_true(probe->expected_ms > 0.0);
            assert_true(probe->flops > 0.0 || probe->useful_bytes > 0.0 || is_without_work(probe));
            assert_true(probe->moved_bytes >= 0.99 * probe->useful_bytes ||
                        strcmp(probe->series, "broadcast") == 0);
            at++;
        }
    }
    assert_int_equal(at, krn_probes_count(probes));
    run_all(probes);
}

TEST(every_level_is_right)
{
    const size_t bytes_max = (size_t)96 << 20;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        setenv("SPHERESCOPE_CPU_LEVEL", levels[i], 1);
        TEST_DEVICE *device = connect();
        TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, bytes_max);
        print_message("level %s: %s, %d probes\n", levels[i], krn_device_describe(device)->runtime,
                      krn_probes_count(probes));
        run_all(probes);
    }
    unsetenv("SPHERESCOPE_CPU_LEVEL");
}

TEST(what_does_not_fit_is_left_out)
{
    TEST_DEVICE *device = connect();
    struct krn_probes *probes = open_probes(device, KRN_TOPICS_ALL, (size_t)8 << 20);
    assert_true(has(probes, KRN_TOPIC_SAXPY, "published", 65536));
    assert_false(has(probes, KRN_TOPIC_SAXPY, "published", 67108864));
    assert_true(has(probes, KRN_TOPIC_ACCESS, "chunk", 1048576));
    assert_false(has(probes, KRN_TOPIC_ACCESS, "offset", 0));
    assert_true(has(probes, KRN_TOPIC_PEAK, "ffma", 128));
    run_all(probes);
    krn_probes_close(probes);

    probes = open_probes(device, 1u << KRN_TOPIC_SAXPY | 1u << KRN_TOPIC_ACCESS, 1);
    assert_int_equal(krn_probes_count(probes), 0);
    krn_probes_close(probes);
    for (unsigned topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        const enum krn_code code =
            krn_probes_open(device, 1u << topic, (size_t)40 << 20, &probes, &error);
        assert_int_equal(code, KRN_TOPICS_CPU >> topic & 1 ? KRN_OK : KRN_UNAVAILABLE);
        if (code != KRN_OK) {
            assert_string_equal(error.text, "This is measured on a GPU.");
            continue;
        }
        assert_true(krn_probes_count(probes) > 0);
        for (int i = 0; i < krn_probes_count(probes); i++)
            assert_int_equal(krn_probes_at(probes, i)->topic, topic);
        run_all(probes);
        krn_probes_close(probes);
    }
}

TEST(one_run_at_a_time)
{
    struct krn_check check;
    struct krn_probe_reading reading;
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, 1u << KRN_TOPIC_SAXPY, (size_t)1 << 20);
    assert_false(krn_probe_poll(probes, &reading));
    TEST_OK(krn_probe_start(probes, 3, &error));
    assert_int_equal(krn_probe_start(probes, 3, &error), KRN_REFUSED);
    assert_int_equal(krn_probe_verify(probes, 3, &check, &error), KRN_REFUSED);
    assert_true(krn_probe_poll(probes, &reading));
    assert_false(krn_probe_poll(probes, &reading));
    assert_int_equal(krn_probe_start(probes, -1, &error), KRN_REFUSED);
    assert_int_equal(krn_probe_start(probes, krn_probes_count(probes), &error), KRN_REFUSED);
    krn_probes_close(NULL);
}

/* Every probe of a kernel has an overhead, and a run that an injection calls late gives no reading.
 */
TEST(overheads_and_late_runs)
{
    struct krn_probe_reading reading;
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, (size_t)40 << 20);
    struct krn_overhead of;
    double all = 0.0;
    for (int i = 0; i < krn_probes_count(probes); i++) {
        TEST_OK(krn_probe_overhead(probes, i, &of, &error));
        const double ms = of.ms;
        assert_true(ms >= 0.0 && ms < 1e3);
        assert_true(ms == 0.0 || !krn_probes_at(probes, i)->no_overhead);
        if (krn_probes_at(probes, i)->threads == 1 || krn_probes_at(probes, i)->no_overhead)
            continue;
        assert_true(ms > 0.0 && (all == 0.0 || ms == all)); /* one job on all threads */
        all = ms;
    }
    assert_int_equal(krn_probe_overhead(probes, -1, &of, &error), KRN_REFUSED);
    TEST_OK(krn_probe_start(probes, 0, &error));
    assert_int_equal(krn_probe_overhead(probes, 0, &of, &error), KRN_REFUSED);
    krn_fail_calls("krn_host_late:1");
    assert_false(krn_probe_poll(probes, &reading));
    krn_fail_calls(NULL);
    assert_false(krn_probe_busy(probes));
    assert_int_equal(krn_probe_gate_drops(probes), 1);
    reading = run(probes, 0);
    expect_right(probes, 0, &reading.check);
    assert_int_equal(krn_probe_gate_drops(probes), 1);
}

/* With more updates than a float can count exactly, y is refilled in time. */
TEST(updates_stay_exact)
{
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, 1u << KRN_TOPIC_SAXPY, (size_t)2 << 20);
    const int index = found_probe(probes, KRN_TOPIC_SAXPY, "published/one", 65536);
    for (int i = 0; i < 9000; i++) {
        const struct krn_probe_reading reading = run(probes, index);
        expect_right(probes, index, &reading.check);
    }
}

/* A kernel that does nothing. */
static void idle_kernel(const void *context, int index, int thread)
{
    (void)context, (void)index, (void)thread;
}

static struct krn_check check_of(struct krn_probes *probes, enum krn_topic topic,
                                 const char *series, double x)
{
    const int index = found_probe(probes, topic, series, x);
    assert_true(index >= 0);
    return run(probes, index).check;
}

/* Replaces the kernels of all levels. */
static void use(struct krn_cpu_probes *own, const struct krn_cpu_probe_kernels *const *kernels,
                int count)
{
    for (int k = 0; k < count; k++)
        own->levels[k] = kernels[k];
    own->kernels = kernels[0];
}

/* Rewrites y, which SAXPY only updates, by a copy of all its elements. */
static void mend(struct krn_probes *probes, const struct krn_probe *probe)
{
    if (probe->topic == KRN_TOPIC_SAXPY)
        assert_true(check_of(probes, probe->topic, "copy", probe->x).wrong == 0.0);
    if (probe->topic == KRN_TOPIC_TIMER && !(strcmp(probe->series, "resolution") == 0))
        assert_true(check_of(probes, KRN_TOPIC_SAXPY, "copy", 1048576).wrong == 0.0);
}

TEST(checks_see_idle_kernels)
{
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, (size_t)96 << 20);
    struct krn_cpu_probes *own = (struct krn_cpu_probes *)probes;
    const struct krn_cpu_probe_kernels *kernels[KRN_CPU_LEVELS];
    const struct krn_cpu_probe_kernels *idle_at[KRN_CPU_LEVELS];
    struct krn_cpu_probe_kernels idle[KRN_CPU_LEVELS];
    for (int k = 0; k < own->level_count; k++) {
        kernels[k] = own->levels[k];
        idle_at[k] = &idle[k];
        idle[k] = *kernels[k];
        idle[k].saxpy = idle[k].saxpy_passing = idle[k].copy_passing = idle[k].cubes_chunk =
            idle[k].cubes_strided = idle[k].gather = idle[k].multiply_add =
                idle[k].multiply_add_double = idle_kernel;
    }
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        run(probes, i);
        use(own, idle_at, own->level_count);
        const struct krn_check check = run(probes, i).check;
        /* The clock is not among a level's kernels. */
        if (strcmp(probe->series, "resolution") != 0 && !(check.wrong > 0.9 * check.compared))
            fail_msg("%s %s %g: an idle kernel passes, %g of %g wrong",
                     krn_topic_name(probe->topic), probe->series, probe->x, check.wrong,
                     check.compared);
        use(own, kernels, own->level_count);
        /* A copy repairs an update that was counted but not executed. */
        mend(probes, probe);
    }
}

/* A single element that is wrong, swapped or NaN. */
TEST(checks_see_one_element)
{
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, (size_t)96 << 20);
    struct krn_cpu_arrays *b = &((struct krn_cpu_probes *)probes)->arrays;
    const int last = 65535;

    b->y[last] += 1.0f;
    struct krn_check check = check_of(probes, KRN_TOPIC_SAXPY, "published", 65536);
    assert_true(check.compared == 65536 && check.wrong == 1 && check.first == last);
    assert_true(check.max_error == 1.0 && check.actual == check.expected + 1.0);
    b->y[last] = NAN;
    check = check_of(probes, KRN_TOPIC_SAXPY, "vector", 65536);
    assert_true(check.wrong == 1 && isinf(check.max_error));
    check = check_of(probes, KRN_TOPIC_SAXPY, "copy", 65536);
    assert_true(check.wrong == 0 && check.compared == 65536);
    assert_true(b->x[1000] != b->x[1001]);
    const float x = b->x[1000];
    b->x[1000] = b->x[1001];
    b->x[1001] = x;
    check = check_of(probes, KRN_TOPIC_SAXPY, "published/one", 65536);
    assert_true(check.wrong == 2 && check.first == 1000);
    check = check_of(probes, KRN_TOPIC_SAXPY, "copy", 65536);
    assert_true(check.wrong == 2);
    const int offset = found_probe(probes, KRN_TOPIC_ACCESS, "offset", 0);
    TEST_OK(krn_probe_verify(probes, offset, &check, &error));
    assert_true(check.wrong == 2);
}

/* Checks that the probe is right again, after a copy that rewrites what SAXPY only updates. */
static void expect_mended(struct krn_probes *probes, int index)
{
    const struct krn_probe *probe = krn_probes_at(probes, index);
    mend(probes, probe);
    const struct krn_check check = run(probes, index).check;
    expect_right(probes, index, &check);
}

/* A word that is damaged between run and check, in every probe: the check and the comparison with
 * the host detect it, and the next run is right. */
TEST(damage_is_seen)
{
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, KRN_TOPICS_ALL, (size_t)96 << 20);
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        struct krn_check check;
        krn_fail_calls("krn_cpu_probe_spoil:1");
        check = run(probes, i).check;
        if (!(check.wrong >= 1.0) || !(check.max_error > 0.0) || check.expected == check.actual)
            fail_msg("%s %s %g: a damaged result passes", krn_topic_name(probe->topic),
                     probe->series, probe->x);
        krn_fail_calls(NULL);
        expect_mended(probes, i);
        krn_fail_calls("krn_cpu_probe_spoil:1");
        TEST_OK(krn_probe_verify(probes, i, &check, &error));
        assert_true(check.wrong >= 1.0);
        krn_fail_calls(NULL);
        expect_mended(probes, i);
    }
}

/* A thread's own chunk is read faster than every 1024th number. On one thread: where others hold a
 * core, the barrier of all threads would hide the ratio. The shortest times of runs in turns count,
 * because other programs can only lengthen a time. */
TEST(chunks_are_faster)
{
    enum { SAMPLES = 15, ATTEMPTS = 10 };
    test_needs_timing();
    TEST_DEVICE *device = connect();
    TEST_PROBES *probes = open_probes(device, 1u << KRN_TOPIC_ACCESS, 0);
    const int chunk = found_probe(probes, KRN_TOPIC_ACCESS, "chunk/one", 1048576),
              strided = found_probe(probes, KRN_TOPIC_ACCESS, "strided/one", 1048576);
    double ms[2] = {INFINITY, INFINITY};
    for (int i = 0; i < SAMPLES * ATTEMPTS && !(i >= SAMPLES && ms[1] > ms[0]); i++) {
        ms[0] = fmin(ms[0], run(probes, chunk).ms);
        ms[1] = fmin(ms[1], run(probes, strided).ms);
    }
    assert_true(ms[1] > ms[0]);
}
