/* The probes on a CUDA device: their list, the check of every run, every whole result, refusals and
 * failures. Skipped without a CUDA device. */
#include "found.h"
#include "gpu.h"
#include "processors.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <time.h>

static struct krn_probes *probes;

/* TEST_PROBE_MIB limits the arrays, for runs under compute-sanitizer. */
static size_t memory_allowed(void)
{
    const char *mib = getenv("TEST_PROBE_MIB");
    return mib ? (size_t)strtoul(mib, NULL, 10) << 20 : 0;
}

/* TEST_PROBE_TOPIC selects a single topic. */
static unsigned topics_wanted(void)
{
    const char *name = getenv("TEST_PROBE_TOPIC");
    unsigned topics = 0;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        if (!name || strcmp(name, krn_topic_name((enum krn_topic)t)) == 0)
            topics |= 1u << t;
    return topics;
}

static void pause_us(long us)
{
    const struct timespec pause = {0, us * 1000};
    nanosleep(&pause, NULL);
}

/* Runs a probe; returns false when the host was late. */
static bool try_run(struct krn_probes *of, int index, struct krn_probe_reading *reading)
{
    const unsigned long drops = krn_probe_gate_drops(of);
    bool read = false;
    TEST_OK(krn_probe_start(of, index, &error));
    while (!read && krn_probe_busy(of)) {
        read = krn_probe_poll(of, reading);
        if (!read)
            pause_us(20);
    }
    assert_false(krn_probe_busy(of));
    assert_true(read == (krn_probe_gate_drops(of) == drops));
    return read;
}

static struct krn_probe_reading run(struct krn_probes *of, int index)
{
    struct krn_probe_reading reading;
    int tries = 0;
    while (!try_run(of, index, &reading))
        if (++tries == 20)
            fail_msg("%s at %g: the host was late %d times", krn_probes_at(of, index)->series,
                     krn_probes_at(of, index)->x, tries);
    assert_int_equal(reading.probe, index);
    return reading;
}

/* Series of a topic, in order, and the number of points of each; 0: that depends on the GPU. */
struct expected {
    enum krn_topic topic;
    const char *series, *axis;
    int points;
    double first, last;
};

static const double mebi = 1 << 20, most = 1 << 28, published = 20 << 20;

/* The launch and the clock's step are times in which no work is done. */
static bool is_without_work(const struct krn_probe *probe)
{
    return probe->topic == KRN_TOPIC_TIMER &&
           (strcmp(probe->series, "launch") == 0 || strcmp(probe->series, "resolution") == 0);
}

/* Checks the probes of a series, from one on; returns the one behind them. */
static int expect_series(const struct expected *is, const char *series, int at, bool large)
{
    int points = 0;
    double x = -1.0;
    for (; at < krn_probes_count(probes); at++, points++) {
        const struct krn_probe *probe = krn_probes_at(probes, at);
        if (probe->topic != is->topic || strcmp(probe->series, series) != 0)
            break;
        assert_string_equal(probe->axis, is->axis);
        assert_true(probe->x > x);
        if (points == 0 && is->points > 0 && large)
            assert_true(probe->x == is->first);
        x = probe->x;
        assert_int_equal(found_probe(probes, probe->topic, probe->series, x), at);
        assert_true(probe->scope != NULL && strlen(probe->scope) > 20);
        assert_true(probe->useful_bytes > 0.0 || probe->flops > 0.0 || probe->operations > 0.0 ||
                    is_without_work(probe));
        assert_true(probe->topic == KRN_TOPIC_CONSTANT ||
                    probe->moved_bytes >= probe->useful_bytes || strcmp(series, "broadcast") == 0);
        assert_true(probe->expected_ms > 0.0 && isfinite(probe->expected_ms));
        assert_int_equal(probe->cold,
                         probe->topic == KRN_TOPIC_MEMLAT || strstr(series, "/cold") != NULL);
    }
    assert_true(!large || ((is->points == 0 || points == is->points) && x == is->last));
    /* A part of the memory has no room for the only table of this series. */
    if (large || strcmp(series, "ascending") != 0)
        assert_true(points > (is->points > 0 ? 0 : 5));
    return at;
}

TEST(list_is_as_documented)
{
    const struct expected series[] = {
        {KRN_TOPIC_TIMER, "launch host events gated", "elements", 3, 1024, published},
        {KRN_TOPIC_TIMER, "resolution", "readings", 1, 16, 16},
        {KRN_TOPIC_SAXPY, "published published256 vector", "elements", 5, mebi, most},
        {KRN_TOPIC_PEAK, "ffma dfma", "chains", 4, 1, 8},
        {KRN_TOPIC_TRANSFER, "pinned/up pinned/down pageable/up pageable/down", "bytes", 9, 4096,
         most},
        {KRN_TOPIC_CONSTANT, "constant global", "addresses", 32, 1, 32},
        {KRN_TOPIC_CONSTANT, "walk/constant walk/global", "bytes", 9, 256, 65536},
        {KRN_TOPIC_ILP, "ilp1 ilp2 ilp3 ilp4 ilp8", "threads", 32, 32, 1024},
        {KRN_TOPIC_MEMLAT,
         "loads1x4 loads2x4 loads4x4 loads8x4 loads1x16 loads2x16 loads4x16 loads8x16", "occupancy",
         0, 0, 100},
        {KRN_TOPIC_LATENCY, "read", "bytes", 30, 1024, 1 << 30},
        {KRN_TOPIC_LATENCY, "l2", "bytes", 16, 1024, mebi},
        {KRN_TOPIC_LATENCY, "ascending", "bytes", 2, most, 1 << 30},
        {KRN_TOPIC_LATENCY, "shared", "bytes", 5, 1024, 131072},
        {KRN_TOPIC_OPERANDS, "registers shared shared16", "threads", 6, 32, 1024},
        {KRN_TOPIC_ACCESS,
         "chunk/warm chunk/cold strided/warm strided/cold loads8/warm loads8/cold", "elements", 1,
         mebi, mebi},
        {KRN_TOPIC_ACCESS, "whole/chunk whole/strided", "elements", 1, most, most},
        {KRN_TOPIC_ACCESS, "offset", "offset", 6, 0, 16},
        {KRN_TOPIC_ACCESS, "stride", "stride", 6, 1, 32},
        {KRN_TOPIC_ACCESS, "random broadcast", "elements", 1, most, most},
        {KRN_TOPIC_ATOMICS,
         "global/one global/warp global/thread shared/one shared/warp shared/thread", "threads", 6,
         32, 1024},
        {KRN_TOPIC_BOUNCES, "tree/constant tree/global brute/constant brute/global", "bounces", 9,
         0, 8},
        {KRN_TOPIC_BANKS, "one full", "stride", 12, 1, 33},
        {KRN_TOPIC_WHERE,
         "book/constant book/global plain/constant plain/global vector/constant vector/global "
         "arrays/constant arrays/global",
         "spheres", 7, 20, 2000},
    };
    /* Half of a small GPU's memory holds smaller arrays only. */
    const bool large =
        krn_device_describe(cuda)->memory_bytes >= (size_t)16 << 30 && memory_allowed() == 0;
    const size_t all = sizeof series / sizeof *series;
    int at = 0;
    /* Topics come in the order of krn/topics.h. */
    for (size_t s = 0; s < KRN_TOPIC_COUNT * all; s++) {
        const struct expected *is = &series[s % all];
        char names[128];
        if (is->topic != s / all)
            continue;
        snprintf(names, sizeof names, "%s", is->series);
        for (char *rest = names, *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
            at = expect_series(is, name, at, large);
    }
    assert_int_equal(at, krn_probes_count(probes));
    assert_int_equal(found_probe(probes, KRN_TOPIC_SAXPY, "none", 1.0), -1);
}

/* Runs every probe twice: a result of the first run must not make the second look right. */
TEST(every_run_is_right)
{
    int longer = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < krn_probes_count(probes); i++) {
            const struct krn_probe *probe = krn_probes_at(probes, i);
            const struct krn_probe_reading reading = run(probes, i);
            const struct krn_check *check = &reading.check;
            if (check->wrong != 0.0 || check->max_error != 0.0)
                fail_msg("%s %s %g: %g of %g wrong, element %g is %.9g and not %.9g",
                         krn_topic_name(probe->topic), probe->series, probe->x, check->wrong,
                         check->compared, check->first, check->actual, check->expected);
            assert_true(check->compared > 0.0);
            assert_true(reading.ms > 0.0 && reading.slice_ms >= reading.ms);
            assert_int_equal(reading.cycles > 0.0, probe->has_cycles);
            if (probe->topic == KRN_TOPIC_SAXPY)
                assert_true(check->compared == probe->x);
            if (pass == 0 || reading.slice_ms <= 2.0 || probe->expected_ms > 2.0)
                continue;
            /* Retry, because another program may have used the machine: copies of pageable memory
             * run on its processors. */
            double shortest_ms = reading.slice_ms;
            for (int tries = 0; tries < 5 && shortest_ms > 2.0; tries++)
                shortest_ms = fmin(shortest_ms, run(probes, i).slice_ms);
            if (shortest_ms <= 2.0)
                continue;
            print_message("%s %s %g: a slice of %.2f ms, %.2f expected\n",
                          krn_topic_name(probe->topic), probe->series, probe->x, shortest_ms,
                          probe->expected_ms);
            longer++;
        }
    }
    if (memory_allowed() == 0)
        assert_int_equal(longer, 0);
}

TEST(every_result_is_the_hosts)
{
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        /* Verify a third of the thread counts to save time. */
        if (probe->topic == KRN_TOPIC_ILP && i % 3 != 0)
            continue;
        struct krn_check check;
        TEST_OK(krn_probe_verify(probes, i, &check, &error));
        if (check.wrong != 0.0 || check.max_error != 0.0 || !(check.compared > 0.0))
            fail_msg("%s %s %g: %g of %g wrong, element %g is %.9g and not %.9g",
                     krn_topic_name(probe->topic), probe->series, probe->x, check.wrong,
                     check.compared, check.first, check.actual, check.expected);
    }
}

/* Runs a probe whose result is damaged. A run that is dropped because the host was late takes the
 * damage with it, so another one is damaged then. */
static struct krn_probe_reading run_spoiled(int index)
{
    enum { TRIES = 50 };
    struct krn_probe_reading reading;
    unsigned long drops;
    int tries = 0;
    do {
        drops = krn_probe_gate_drops(probes);
        krn_fail_calls("krn_cuda_probe_spoil:1");
        reading = run(probes, index);
    } while (krn_probe_gate_drops(probes) != drops && ++tries < TRIES);
    return reading;
}

/* An element that is damaged between run and check, in the first and the last probe of every
 * series: the checks of device and host detect it, and the next run is right. */
TEST(damage_is_seen)
{
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        if (i > 0 && i + 1 < krn_probes_count(probes) &&
            strcmp(krn_probes_at(probes, i - 1)->series, probe->series) == 0 &&
            strcmp(krn_probes_at(probes, i + 1)->series, probe->series) == 0)
            continue;
        struct krn_probe_reading reading = run_spoiled(i);
        if (reading.check.wrong != 1.0 || !(reading.check.max_error > 0.0) ||
            reading.check.expected == reading.check.actual)
            fail_msg("%s %s %g: %g wrong", krn_topic_name(probe->topic), probe->series, probe->x,
                     reading.check.wrong);
        struct krn_check check;
        if (probe->useful_bytes < 1e8) {
            krn_fail_calls("krn_cuda_probe_spoil:1");
            TEST_OK(krn_probe_verify(probes, i, &check, &error));
            if (check.wrong == 1.0) /* of the pixels of bounces, the host compares a part */
                assert_true(check.first == reading.check.first);
            else
                assert_true(check.wrong == 0.0 && probe->topic == KRN_TOPIC_BOUNCES);
        }
        krn_fail_calls(NULL);
        reading = run(probes, i);
        assert_true(reading.check.wrong == 0.0);
    }
}

TEST(one_at_a_time)
{
    struct krn_check check;
    struct krn_probe_reading reading;
    assert_false(krn_probe_busy(probes));
    assert_false(krn_probe_poll(probes, &reading));
    struct krn_overhead none;
    TEST_OK(krn_probe_start(probes, 0, &error));
    assert_true(krn_probe_busy(probes));
    assert_int_equal(krn_probe_start(probes, 1, &error), KRN_REFUSED);
    assert_int_equal(krn_probe_verify(probes, 1, &check, &error), KRN_REFUSED);
    assert_int_equal(krn_probe_overhead(probes, 1, &none, &error), KRN_REFUSED);
    while (krn_probe_busy(probes) && !krn_probe_poll(probes, &reading))
        pause_us(20);
    assert_int_equal(krn_probe_start(probes, -1, &error), KRN_REFUSED);
    assert_int_equal(krn_probe_start(probes, krn_probes_count(probes), &error), KRN_REFUSED);
}

/* krn_probe_start returns while the device works; the count of updates of y wraps around. */
TEST(start_does_not_wait)
{
    const int index = found_probe(probes, KRN_TOPIC_SAXPY, "vector", mebi);
    assert_true(index >= 0);
    struct krn_probe_reading reading;
    int busy = 0;
    for (int i = 0; i < 40; i++) {
        const int largest = found_probe(probes, KRN_TOPIC_ILP, "ilp1", 1024.0);
        TEST_OK(krn_probe_start(probes, largest, &error));
        busy += !krn_probe_poll(probes, &reading);
        while (krn_probe_busy(probes) && !krn_probe_poll(probes, &reading))
            ;
    }
    assert_timing(busy > 30);
    for (int i = 0; i < 16500; i++) {
        bool read = false;
        TEST_OK(krn_probe_start(probes, index, &error));
        while (!read && krn_probe_busy(probes))
            read = krn_probe_poll(probes, &reading);
        if (!read)
            continue; /* the host was late; the run itself took place */
        assert_true(reading.check.wrong == 0.0 && reading.check.compared == mebi);
    }
}

/* An empty kernel of the same shape takes no longer than the probe, and a copy has the overhead of
 * an event pair. */
TEST(overheads_are_part_of_the_times)
{
    test_needs_timing();
    const struct krn_overheads overheads = krn_device_overheads(cuda);
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        struct krn_overhead of;
        double raw = INFINITY;
        TEST_OK(krn_probe_overhead(probes, i, &of, &error));
        const double overhead = of.ms;
        for (int r = 0; r < 3; r++)
            raw = fmin(raw, run(probes, i).ms);
        if (probe->no_overhead) {
            assert_true(overhead == 0.0);
            continue;
        }
        if (!(overhead > 0.0 && overhead <= 1.02 * raw + 2.0 * overheads.tick_ms))
            fail_msg("%s %s %g: overhead %.3f us, raw %.3f us", krn_topic_name(probe->topic),
                     probe->series, probe->x, overhead * 1e3, raw * 1e3);
        if (probe->blocks == 0)
            assert_true(fabs(overhead - overheads.event_ms) <=
                        0.25 * overheads.event_ms + 2.0 * overheads.tick_ms);
        else
            assert_true(overhead > overheads.event_ms);
    }
}

/* A run whose gate gave up gives no reading and is no failure; a copy has no gate. */
TEST(late_runs_give_no_reading)
{
    struct krn_check check;
    struct krn_probe_reading reading;
    const int vector = found_probe(probes, KRN_TOPIC_SAXPY, "vector", mebi),
              copy = found_probe(probes, KRN_TOPIC_TRANSFER, "pinned/up", 4096.0);
    assert_true(vector >= 0 && copy >= 0);
    const unsigned long drops = krn_probe_gate_drops(probes);
    krn_fail_calls("krn_host_late:1");
    assert_false(try_run(probes, vector, &reading));
    krn_fail_calls("krn_host_late:1");
    assert_true(try_run(probes, copy, &reading));
    krn_fail_calls("krn_host_late:1");
    TEST_OK(krn_probe_verify(probes, vector, &check, &error));
    krn_fail_calls(NULL);
    assert_true(check.wrong == 0.0 && check.compared == mebi);
    assert_int_equal(krn_probe_gate_drops(probes), drops + 1);
    assert_true(run(probes, vector).check.wrong == 0.0);
}

/* With little memory, probes are smaller and fewer and never exceed the limit. */
TEST(little_memory_is_enough)
{
    /* With TEST_PROBE_MIB the test's own probes are few. */
    int before = memory_allowed() == 0 ? krn_probes_count(probes) : INT_MAX;
    for (int shift = 31; shift >= 17; shift -= 2) {
        TEST_PROBES *few = NULL;
        const enum krn_code code =
            krn_probes_open(cuda, KRN_TOPICS_ALL, (size_t)1 << shift, &few, &error);
        if (code != KRN_OK) {
            assert_int_equal(code, KRN_NO_MEMORY);
            assert_true(shift < 23);
            continue;
        }
        const int count = krn_probes_count(few);
        assert_true(count > 0 && count <= before);
        before = count;
        for (int i = 0; i < count; i += 7)
            assert_true(run(few, i).check.wrong == 0.0);
    }
}

/* The results of the peaks obey the limit, too: with less memory, threads have fewer chains, and
 * the probes that are left are the same and right. Without room for one chain, nothing opens. */
TEST_WITH(peaks_need_little_memory, NULL, test_restore_processors)
{
    struct krn_probes *of = NULL;
    test_raise_processors(cuda, 64);
    TEST_OK(krn_probes_open(cuda, 1u << KRN_TOPIC_PEAK, 0, &of, &error));
    const int all = krn_probes_count(of), dual = found_probe(of, KRN_TOPIC_PEAK, "dfma", 8.0);
    assert_true(all == 8 && dual >= 0);
    const struct krn_probe whole = *krn_probes_at(of, dual);
    const size_t ends = (size_t)8 * 8 * (size_t)whole.threads * (size_t)whole.blocks;
    krn_probes_close(of);
    int before = all, opened = 0;
    for (size_t bytes = ends; bytes >= ends / 16; bytes /= 2) {
        const enum krn_code code = krn_probes_open(cuda, 1u << KRN_TOPIC_PEAK, bytes, &of, &error);
        if (code != KRN_OK) {
            assert_int_equal(code, KRN_NO_MEMORY);
            assert_true(bytes <= ends / 8);
            continue;
        }
        const int count = krn_probes_count(of);
        assert_true(count > 0 && count < all && count <= before);
        assert_int_equal(found_probe(of, KRN_TOPIC_PEAK, "dfma", 8.0), -1);
        assert_true(found_probe(of, KRN_TOPIC_PEAK, "dfma", 1.0) >= 0);
        for (int i = 0; i < count; i++) {
            assert_int_equal(krn_probes_at(of, i)->blocks, whole.blocks);
            assert_int_equal(krn_probes_at(of, i)->threads, whole.threads);
            assert_true(run(of, i).check.wrong == 0.0);
        }
        krn_probes_close(of);
        before = count;
        opened++;
    }
    assert_true(opened > 1);
}

/* Returns the number of topics with refused series. */
static int refused_topics(const struct krn_probes *of)
{
    int topics = 0;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        topics += krn_probes_why(of, (enum krn_topic)t) != NULL;
    return topics;
}

/* When the device refuses a series, or the host refuses memory, only these series are missing. */
TEST(refused_items_are_left_out)
{
    const size_t little = (size_t)128 << 20;
    struct krn_probes *whole = NULL, *fewer = NULL;
    TEST_OK(krn_probes_open(cuda, KRN_TOPICS_ALL, little, &whole, &error));
    assert_int_equal(refused_topics(whole), 0);
    const int all = krn_probes_count(whole);
    krn_probes_close(whole);

    krn_fail_calls("krn_cuda_walk:1");
    TEST_OK(krn_probes_open(cuda, KRN_TOPICS_ALL, little, &fewer, &error));
    krn_fail_calls(NULL);
    assert_int_equal(refused_topics(fewer), 1);
    assert_non_null(krn_probes_why(fewer, KRN_TOPIC_CONSTANT));
    assert_int_equal(found_probe(fewer, KRN_TOPIC_CONSTANT, "walk/constant", 1024.0), -1);
    assert_true(found_probe(fewer, KRN_TOPIC_CONSTANT, "walk/global", 1024.0) >= 0);
    assert_int_equal(krn_probes_count(fewer), all - 9);
    for (int i = 0; i < krn_probes_count(fewer); i++)
        assert_true(run(fewer, i).check.wrong == 0.0);
    krn_probes_close(fewer);

    /* The first allocation is that of the gate and the verdict. */
    krn_fail_calls("cudaHostAlloc:2");
    TEST_OK(krn_probes_open(cuda, KRN_TOPICS_ALL, little, &fewer, &error));
    krn_fail_calls(NULL);
    assert_int_equal(refused_topics(fewer), 1);
    for (int i = 0; i < krn_probes_count(fewer); i++)
        assert_true(krn_probes_at(fewer, i)->topic != KRN_TOPIC_TRANSFER &&
                    run(fewer, i).check.wrong == 0.0);
    krn_probes_close(fewer);

    krn_fail_calls("cudaHostAlloc:2");
    fewer = NULL;
    assert_int_equal(krn_probes_open(cuda, 1u << KRN_TOPIC_TRANSFER, little, &fewer, &error),
                     KRN_NO_MEMORY);
    krn_fail_calls(NULL);
    assert_null(fewer);
    assert_non_null(strstr(error.text, "page-locked"));
}

/* Makes each runtime call of a probe fail once. This gives an error, a refused series or a lost
 * reading; all memory is freed, and the next run is right. */
TEST(failing_calls_are_survived)
{
    static const char *const calls[] = {"cudaMalloc",
                                        "cudaHostAlloc",
                                        "cudaHostGetDevicePointer",
                                        "cudaEventCreate",
                                        "cudaMemsetAsync",
                                        "cudaMemcpyAsync",
                                        "cudaEventRecord",
                                        "cudaStreamSynchronize",
                                        "cudaEventElapsedTime",
                                        "cudaDeviceGetAttribute",
                                        "krn_cuda_gate",
                                        "krn_cuda_saxpy",
                                        "krn_cuda_sum",
                                        "krn_cuda_ilp",
                                        "krn_cuda_memlat",
                                        "krn_cuda_reads",
                                        "krn_cuda_walk",
                                        "krn_cuda_chain",
                                        "krn_cuda_operands",
                                        "krn_cuda_atomics",
                                        "krn_cuda_banks",
                                        "krn_cuda_where",
                                        "krn_cuda_touch",
                                        "krn_cuda_fill_y",
                                        "krn_cuda_compare"};
    int failed = 0, refused = 0;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        for (int n = 1; n <= 4; n++) {
            struct krn_probes *opened = NULL;
            char which[64];
            snprintf(which, sizeof which, "%s:%d", calls[c], n);
            krn_fail_calls(which);
            const enum krn_code code =
                krn_probes_open(cuda, KRN_TOPICS_ALL, (size_t)128 << 20, &opened, &error);
            failed += code != KRN_OK;
            if (code == KRN_OK) {
                refused += refused_topics(opened) > 0;
                /* Calls that open does not make may fail in a run. */
                for (int i = 0; i < krn_probes_count(opened); i += 11) {
                    struct krn_probe_reading reading;
                    if (krn_probe_start(opened, i, &error) != KRN_OK)
                        continue;
                    while (krn_probe_busy(opened) && !krn_probe_poll(opened, &reading))
                        ;
                }
                krn_fail_calls(NULL);
                for (int i = 0; i < krn_probes_count(opened); i += 11)
                    assert_true(run(opened, i).check.wrong == 0.0);
                krn_probes_close(opened);
            }
            krn_fail_calls(NULL);
        }
    }
    assert_true(failed > 5 && refused > 20 && failed + refused > 40);
    /* The probes that were open throughout still work. */
    assert_true(run(probes, 0).check.wrong == 0.0);
}

/* The best of a series reaches most of the computed peak, on a GPU that holds its clock. */
TEST(peaks_are_near_the_computed_ones)
{
    test_needs_timing();
    enum { TRIES = 5, RUNS = 20 };
    const double least_percent = 97.0;
    const struct krn_ceilings top = krn_ceilings_of(krn_device_describe(cuda));
    static const char *const names[] = {"ffma", "dfma"};
    const double computed[] = {top.gflops, top.gflops_double};
    /* Other GPUs may not hold their greatest clock, or their lanes are not known. */
    if (krn_device_describe(cuda)->compute_major != 9 || memory_allowed() > 0)
        skip();
    for (int p = 0; p < 2; p++) {
        double best = 0.0;
        for (int tries = 0; tries < TRIES && best < least_percent; tries++)
            for (double chains = 1.0; chains <= 8.0; chains *= 2.0) {
                const int index = found_probe(probes, KRN_TOPIC_PEAK, names[p], chains);
                for (int i = 0; i < RUNS; i++)
                    best = fmax(best, 100.0 * krn_probes_at(probes, index)->flops /
                                          run(probes, index).ms / 1e6 / computed[p]);
            }
        if (best < least_percent || best >= 101.0)
            fail_msg("%s: %.2f %% of %.0f GFLOP/s", names[p], best, computed[p]);
    }
}

static int begin(void **unused)
{
    (void)unused;
    TEST_OK(krn_probes_open(cuda, topics_wanted(), memory_allowed(), &probes, &error));
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    krn_probes_close(probes);
    return 0;
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, begin, end);
}
