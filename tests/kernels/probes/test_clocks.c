/* The three clocks on every backend: a launch by the host's clock, the same with a barrier, and
 * time stamps of the device; and the smallest step of the clock. The CUDA part is skipped without a
 * CUDA device. */
#include "found.h"
#include "owned.h"
#include "timing.h"

#include "krn/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 15, ATTEMPTS = 20 };

static struct krn_device *cuda;

static struct krn_probe_reading run(struct krn_probes *probes, int index)
{
    const struct timespec little = {0, 20000};
    struct krn_probe_reading reading;
    for (int tries = 0; tries < ATTEMPTS; tries++) {
        bool read = false;
        TEST_OK(krn_probe_start(probes, index, &error));
        while (!read && krn_probe_busy(probes)) {
            read = krn_probe_poll(probes, &reading);
            if (!read)
                nanosleep(&little, NULL);
        }
        if (!read) /* the host was late */
            continue;
        assert_true(reading.check.compared > 0.0 && reading.check.wrong == 0.0);
        assert_true(reading.check.max_error == 0.0 && reading.ms > 0.0);
        return reading;
    }
    fail_msg("the host was late %d times", ATTEMPTS);
    return reading;
}

/* The shortest times of the clocks for one array, since other programs can only lengthen them. */
struct clocks {
    double launch_ms, host_ms, events_ms, gated_ms;
};

static double shortest(struct krn_probes *probes, const char *series, double elements)
{
    const int index = found_probe(probes, KRN_TOPIC_TIMER, series, elements);
    double ms = INFINITY;
    if (index < 0)
        return 0.0;
    for (int i = 0; i < SAMPLES; i++)
        ms = fmin(ms, run(probes, index).ms);
    return ms;
}

static struct clocks read_clocks(struct krn_probes *probes, double elements)
{
    const struct clocks clocks = {
        shortest(probes, "launch", elements), shortest(probes, "host", elements),
        shortest(probes, "events", elements), shortest(probes, "gated", elements)};
    print_message("%8.0f elements: launch %.4f, host %.4f, events %.4f, gated %.4f ms\n", elements,
                  clocks.launch_ms, clocks.host_ms, clocks.events_ms, clocks.gated_ms);
    return clocks;
}

static struct krn_probes *open_clocks(struct krn_device *device)
{
    struct krn_probes *probes = NULL;
    TEST_OK(krn_probes_open(device, 1u << KRN_TOPIC_TIMER, 0, &probes, &error));
    return probes;
}

/* Returns the median of the steps. */
static double step_of(struct krn_probes *probes)
{
    double steps[SAMPLES];
    int index = -1;
    for (int i = 0; i < krn_probes_count(probes); i++)
        if (strcmp(krn_probes_at(probes, i)->series, "resolution") == 0)
            index = i;
    assert_true(index >= 0);
    assert_true(krn_probes_at(probes, index)->other_clock);
    for (int i = 0; i < SAMPLES; i++)
        steps[i] = run(probes, index).ms;
    return krn_summarise(steps, SAMPLES).median;
}

static void without_a_barrier(void **state)
{
    (void)state;
    TEST_DEVICE *device = NULL;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    TEST_PROBES *probes = open_clocks(device);
    const double step_ms = step_of(probes);
    print_message("the monotonic clock steps by %.1f ns\n", step_ms * 1e6);
    assert_timing(step_ms < 0.1);
    if (krn_device_describe(device)->processors == 1) {
        assert_int_equal(krn_probes_count(probes), 1);
        assert_non_null(krn_probes_why(probes, KRN_TOPIC_TIMER));
    }
    bool right = krn_device_describe(device)->processors == 1;
    for (int attempt = 0; attempt < (test_timing() ? ATTEMPTS : 1) && !right; attempt++) {
        const struct clocks is = read_clocks(probes, KRN_SAXPY_ELEMENTS);
        right = is.launch_ms < 0.5 * is.host_ms && is.events_ms > 0.5 * is.host_ms;
    }
    assert_timing(right);
}

/* With one processor, no thread is left to hand work to; the panel says so. */
static void on_one_processor(void **state)
{
    (void)state;
    TEST_DEVICE *device = NULL;
    setenv("OMP_NUM_THREADS", "1", 1);
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    unsetenv("OMP_NUM_THREADS");
    TEST_PROBES *probes = open_clocks(device);
    assert_int_equal(krn_probes_count(probes), 1);
    assert_non_null(strstr(krn_probes_why(probes, KRN_TOPIC_TIMER), "one processor"));
    assert_true(step_of(probes) > 0.0);
}

/* On a GPU: the clocks' order, the gap that the article's pair of events contains, and the tick. */
static void on_a_gpu(void **state)
{
    (void)state;
    TEST_PROBES *probes = open_clocks(cuda);
    const double tick_ms = krn_device_overheads(cuda).tick_ms, step_ms = step_of(probes);
    print_message("the events' clock steps by %.2f ns, its tick is %.2f ns\n", step_ms * 1e6,
                  tick_ms * 1e6);
    assert_timing(fabs(step_ms - tick_ms) <= 0.02 * tick_ms);
    bool right = false;
    for (int attempt = 0; attempt < (test_timing() ? ATTEMPTS : 1) && !right; attempt++) {
        const struct clocks few = read_clocks(probes, 1024), many = read_clocks(probes, 20 << 20);
        (void)read_clocks(probes, 1 << 20);
        right = many.launch_ms < 0.5 * many.host_ms && many.gated_ms <= many.events_ms + tick_ms &&
                many.events_ms < many.host_ms && few.gated_ms < few.host_ms && few.launch_ms < 0.1;
    }
    assert_timing(right);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest cpu[] = {cmocka_unit_test(without_a_barrier),
                                     cmocka_unit_test(on_one_processor)},
                            gpu[] = {cmocka_unit_test(on_a_gpu)};
    if (argc < 2 || strcmp(argv[1], "cuda") != 0)
        return cmocka_run_group_tests_name("clocks", cpu, NULL, NULL);
    if (krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &cuda, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    const int failed = cmocka_run_group_tests_name("clocks", gpu, NULL, NULL);
    krn_device_close(cuda);
    return failed;
}
