/* Cancelled work on the host's processors: frames of minutes, reference pictures and probes end
 * soon and give no result; afterwards everything works as before. */
#include "pictures.h"
#include "timing.h"

#include <pthread.h>
#include <time.h>

static const double promised_s = 0.5;

enum { MANY = 1000000, SIDE = 1024 };

static struct krn_device *device;

static void *cancel_later(void *argument)
{
    const struct timespec later = {0, 100000000};
    double *cancelled_s = argument;
    nanosleep(&later, NULL);
    *cancelled_s = test_clock_s();
    krn_cancel();
    return NULL;
}

static pthread_t start_canceller(double *cancelled_s)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, cancelled_s), 0);
    return thread;
}

static void expect_soon(pthread_t thread, const double *cancelled_s, const char *what)
{
    const double end_s = test_clock_s();
    pthread_join(thread, NULL);
    printf("%s: %.0f ms after krn_cancel\n", what, 1e3 * (end_s - *cancelled_s));
    assert_timing(end_s - *cancelled_s < promised_s);
    assert_true(krn_cancelled());
    krn_cancel_end();
}

TEST(frames_are_abandoned)
{
    const struct krn_mode modes[] = {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                                     {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
                                     {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1},
                                     {KRN_KERNEL_BRUTE, KRN_STORAGE_GLOBAL, 1},
                                     {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1}};
    enum { MODES = sizeof modes / sizeof *modes };
    const struct krn_view view = test_view(SIDE, SIDE), small = test_view(64, 64);
    TEST_SCENE heavy = test_scene(MANY, 1, 20, 120), few = test_scene(20, 1, 20, 120);
    struct krn_reading reading;
    TEST_OK(krn_device_set_scene(device, &few, &error));
    uint8_t *before[MODES];
    for (size_t m = 0; m < MODES; m++)
        before[m] = test_render_mode(device, modes[m], small);
    TEST_OK(krn_device_set_scene(device, &heavy, &error));
    struct krn_image image = test_image(device, SIDE, SIDE);
    while (krn_device_poll(device, &reading))
        continue;
    for (size_t m = 0; m < MODES; m++) {
        char name[64];
        double cancelled_s = 0.0;
        krn_mode_name(modes[m], name, sizeof name);
        const pthread_t thread = start_canceller(&cancelled_s);
        assert_int_equal(krn_device_render(device, modes[m], &view, &image, 1, &error),
                         KRN_CANCELLED);
        assert_false(krn_device_poll(device, &reading));
        expect_soon(thread, &cancelled_s, name);
    }
    /* What begins after the cancellation is not done either, and does not stay half done. */
    TEST_OK(krn_device_set_scene(device, &few, &error));
    krn_cancel();
    assert_int_equal(krn_device_set_pose(device, krn_pose_at(1.0), &error), KRN_CANCELLED);
    krn_cancel_end();
    TEST_OK(krn_device_set_pose(device, krn_pose_at(1.0), &error));
    TEST_OK(krn_device_set_pose(device, krn_pose_at(0.0), &error));
    for (size_t m = 0; m < MODES; m++) {
        TEST_FREED uint8_t *after = test_render_mode(device, modes[m], small);
        assert_memory_equal(after, before[m], 4 * 64 * 64);
        free(before[m]);
    }
    krn_device_free_image(device, &image);
}

TEST(reference_pictures_are_abandoned)
{
    const struct krn_view view = test_view(4096, 4096);
    TEST_SCENE heavy = test_scene(20000, 1, 100, 256);
    struct krn_reference reference;
    double cancelled_s = 0.0;
    const pthread_t thread = start_canceller(&cancelled_s);
    assert_int_equal(
        krn_reference_render(&reference, &heavy, krn_pose_at(0.0), &view, NULL, NULL, &error),
        KRN_CANCELLED);
    expect_soon(thread, &cancelled_s, "reference");
}

TEST(probes_are_abandoned)
{
    struct krn_probes *probes;
    struct krn_check check;
    TEST_OK(krn_probes_open(device, 1u << KRN_TOPIC_SAXPY, 64u << 20, &probes, &error));
    krn_cancel();
    assert_int_equal(krn_probe_start(probes, 0, &error), KRN_CANCELLED);
    assert_false(krn_probe_busy(probes));
    assert_int_equal(krn_probe_verify(probes, 0, &check, &error), KRN_CANCELLED);
    krn_cancel_end();
    for (int i = 0; i < krn_probes_count(probes); i++) {
        TEST_OK(krn_probe_verify(probes, i, &check, &error));
        assert_true(check.compared > 0.0 && check.wrong == 0.0);
    }
    krn_probes_close(probes);
}

/* Filling the arrays takes longest where pages are slow to get: opening ends as well. */
TEST(opening_probes_is_abandoned)
{
    const enum krn_topic topics[] = {KRN_TOPIC_SAXPY, KRN_TOPIC_ACCESS};
    struct krn_probes *probes = NULL;
    krn_cancel();
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        assert_int_equal(krn_probes_open(device, 1u << topics[i], (size_t)1 << 30, &probes, &error),
                         KRN_CANCELLED);
        assert_null(probes);
    }
    krn_cancel_end();
}

static int connect(void **unused)
{
    (void)unused;
    return krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error) != KRN_OK;
}

static int disconnect(void **unused)
{
    (void)unused;
    krn_device_close(device);
    return 0;
}

int main(void)
{
    return tests_run(connect, disconnect);
}
