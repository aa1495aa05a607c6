/* Stamps of a frame's parts on a CUDA device: each part takes time, the kernel as long as its
 * reading says, in the anatomy as well. Skipped without a CUDA device. */
#include "gpu.h"
#include "timing.h"

#include "model/anatomy.h"

static struct krn_image image;
static const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};

/* Queues one stamped frame; `copy` stands for the copy to OpenGL. */
static void queue_frame(uint64_t number, void *copy)
{
    const struct krn_view view = test_view(image.width, image.height);
    assert_true(krn_device_stamp_frame(cuda, number));
    TEST_OK(krn_device_set_pose(cuda, krn_pose_at(0.01 * (double)number), &error));
    TEST_OK(krn_device_render(cuda, mode, &view, &image, number, &error));
    krn_device_stamp_begin(cuda, KRN_PART_COPY);
    TEST_OK(krn_device_read(cuda, &image, copy, &error));
    krn_device_stamp_close(cuda);
    krn_device_stamp_end(cuda);
}

TEST(parts_take_time)
{
    struct krn_stamps stamps;
    struct krn_reading reading;
    unsigned char *copy = test_alloc(4 * (size_t)image.width * (size_t)image.height);
    int read = 0;
    for (uint64_t number = 1; number <= 50; number++) {
        const double before_ms = 1e3 * test_clock_s();
        queue_frame(number, copy);
        TEST_OK(krn_device_sync(cuda, &error));
        double left_ms = 1e3 * test_clock_s() - before_ms;
        assert_true(krn_device_stamp_poll(cuda, &stamps));
        assert_int_equal(stamps.frame, number);
        for (int part = 0; part < KRN_PARTS; part++) {
            assert_true(stamps.ms[part] > 0.0);
            left_ms -= stamps.ms[part];
        }
        assert_true(left_ms >= 0.0);
        while (krn_device_poll(cuda, &reading))
            if (reading.tag == number) {
                assert_true(fabs(stamps.ms[KRN_PART_KERNEL] - reading.ms) < 1e-6);
                read++;
            }
    }
    assert_true(read >= 40);
    free(copy);
}

/* Nothing is stamped outside of a stamped frame, and a pose that the scene has is no part. */
TEST(only_what_runs_is_stamped)
{
    const struct krn_view view = test_view(image.width, image.height);
    struct krn_stamps stamps;
    krn_device_stamp_begin(cuda, KRN_PART_COPY);
    krn_device_stamp_close(cuda);
    TEST_OK(krn_device_render(cuda, mode, &view, &image, 1, &error));
    TEST_OK(krn_device_sync(cuda, &error));
    assert_false(krn_device_stamp_poll(cuda, &stamps));
    TEST_OK(krn_device_set_pose(cuda, krn_pose_at(1.0), &error));
    assert_true(krn_device_stamp_frame(cuda, 9));
    TEST_OK(krn_device_set_pose(cuda, krn_pose_at(1.0), &error));
    TEST_OK(krn_device_render(cuda, mode, &view, &image, 2, &error));
    krn_device_stamp_end(cuda);
    TEST_OK(krn_device_sync(cuda, &error));
    assert_true(krn_device_stamp_poll(cuda, &stamps));
    assert_true(stamps.ms[KRN_PART_POSE] == 0.0 && stamps.ms[KRN_PART_KERNEL] > 0.0);
    /* Frames that nobody polls are dropped, the oldest first. */
    for (uint64_t number = 1; number <= 20; number++) {
        assert_true(krn_device_stamp_frame(cuda, number));
        TEST_OK(krn_device_render(cuda, mode, &view, &image, number, &error));
        krn_device_stamp_end(cuda);
    }
    TEST_OK(krn_device_sync(cuda, &error));
    uint64_t last = 0;
    while (krn_device_stamp_poll(cuda, &stamps)) {
        assert_true(last == 0 || stamps.frame == last + 1);
        last = stamps.frame;
    }
    assert_int_equal(last, 20);
}

/* The kernel takes as long in the anatomy as by its readings, within 3 %. */
TEST(anatomy_agrees_with_readings)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    struct krn_stamps stamps;
    struct krn_reading reading;
    double readings[APP_ANATOMY_FRAMES];
    int read = 0;
    unsigned char *copy = malloc(4 * (size_t)image.width * (size_t)image.height);
    assert_true(anatomy != NULL && copy != NULL);
    while (krn_device_poll(cuda, &reading))
        ;
    for (int i = 0; i < 100; i++) {
        const uint64_t number = app_anatomy_begin(anatomy, 1e3 * test_clock_s());
        app_anatomy_expect_device(anatomy);
        app_anatomy_enter(anatomy, APP_PHASE_KERNEL, 1e3 * test_clock_s());
        queue_frame(number, copy);
        app_anatomy_enter(anatomy, APP_PHASE_VERIFY, 1e3 * test_clock_s());
        while (krn_device_stamp_poll(cuda, &stamps))
            app_anatomy_take_device(anatomy, &stamps);
        while (krn_device_poll(cuda, &reading))
            readings[read++] = reading.ms;
        app_anatomy_leave(anatomy, 1e3 * test_clock_s());
    }
    app_anatomy_sum_up(anatomy, &view);
    TEST_OK(krn_device_sync(cuda, &error));
    assert_true(view.frames >= 90 && read >= 80);
    const double kernel_ms = view.phases_ms[APP_LANE_GPU][APP_PHASE_KERNEL],
                 reading_ms = krn_summarise(readings, (size_t)read).median;
    assert_true(fabs(kernel_ms / reading_ms - 1.0) < 0.03);
    free(anatomy);
    free(copy);
}

static int begin(void **unused)
{
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    (void)unused;
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    image = test_image(cuda, 1024, 1024);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    krn_device_free_image(cuda, &image);
    return 0;
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, begin, end);
}
