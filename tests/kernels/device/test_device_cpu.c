/* The CPU backend: identical bytes from every mode, comparisons with the reference, and the
 * requests that it refuses. */
#include "pictures.h"
#include "timing.h"

static struct krn_device *connect(void)
{
    struct krn_device *device = NULL;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    return device;
}

static void set(struct krn_device *device, const struct krn_scene *scene, double time_s)
{
    TEST_OK(krn_device_set_scene(device, scene, &error));
    TEST_OK(krn_device_set_pose(device, krn_pose_at(time_s), &error));
}

/* The reference detects a sphere that moves by one pixel. */
TEST(reference_finds_a_moved_sphere)
{
    TEST_DEVICE *device = connect();
    const struct krn_scene_recipe book = krn_scene_book();
    TEST_SCENE scene = test_scene(book.count, book.seed, book.radius_min, book.radius_max);
    const struct krn_view view = test_view(1024, 1024);
    set(device, &scene, 0.0);
    TEST_FREED uint8_t *pixels = test_render(device, KRN_STORAGE_GLOBAL, view);
    test_against_reference(pixels, &scene, krn_pose_at(0.0), view);

    struct krn_reference reference;
    TEST_OK(krn_reference_render(&reference, &scene, krn_pose_at(0.0), &view, NULL, NULL, &error));
    scene.spheres[3].x += 1.0f;
    set(device, &scene, 0.0);
    TEST_FREED uint8_t *moved = test_render(device, KRN_STORAGE_GLOBAL, view);
    const struct krn_verdict verdict = krn_reference_compare(&reference, moved);
    assert_true(verdict.wrong > 0 && verdict.first_x >= 0);
    krn_reference_free(&reference);
}

TEST(every_mode_gives_the_same_bytes)
{
    TEST_DEVICE *device = connect();
    for (size_t i = 0; i < TEST_CASES; i++) {
        const struct test_case *test = &test_cases[i];
        TEST_SCENE scene = test_scene(test->count, i + 1, test->low, test->high);
        set(device, &scene, test->time_s);
        TEST_FREED uint8_t *expected = test_render(device, KRN_STORAGE_GLOBAL, test->view);
        test_every_mode(device, expected, test->count, test->view);
    }
}

TEST(reference_agrees_everywhere)
{
    static const struct test_case cases[] = {
        {1, 20, 120, {.width = 1, .height = 1, .unit = 1024.0f}, 0.0},
        {20, 20, 120, {.width = 1024, .height = 1024, .unit = 1.0f}, 11.0},
        {2340, 20, 120, {.width = 640, .height = 360, .unit = 2.84f}, 0.0},
        {20000, 1, 4, {.width = 256, .height = 256, .unit = 4.0f}, 29.0},
        {200, 0.01f, 0.5f, {.width = 300, .height = 300, .unit = 0.05f}, 0.0},
        {3, 1000, 3000, {.width = 64, .height = 48, .unit = 100.0f}, 50.0},
    };
    TEST_DEVICE *device = connect();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TEST_SCENE scene = test_scene(cases[i].count, i + 1, cases[i].low, cases[i].high);
        set(device, &scene, cases[i].time_s);
        TEST_FREED uint8_t *pixels = test_render(device, KRN_STORAGE_GLOBAL, cases[i].view);
        test_against_reference(pixels, &scene, krn_pose_at(cases[i].time_s), cases[i].view);
    }
}

/* The first of two spheres at equal depth is drawn. The reference finds such pixels undecidable;
 * the kernels define the rule. */
TEST(first_of_equals_stays)
{
    TEST_DEVICE *device = connect();
    TEST_SCENE scene = test_scene(2, 1, 20, 120);
    scene.spheres[0] = (struct krn_sphere){1.0f, 0.0f, 0.0f, 100.0f, 0.0f, 0.0f, 0.0f};
    scene.spheres[1] = (struct krn_sphere){0.0f, 1.0f, 0.0f, 100.0f, 0.0f, 0.0f, 0.0f};
    set(device, &scene, 0.0);
    const struct krn_view view = test_view(64, 64);
    TEST_FREED uint8_t *pixels = test_render(device, KRN_STORAGE_GLOBAL, view);
    const uint8_t *centre = pixels + 4 * (32 * 64 + 32);
    assert_int_equal(centre[0], 255);
    assert_int_equal(centre[1], 0);
    assert_int_equal(centre[2], 0);
    assert_int_equal(centre[3], 255);
    const uint8_t *corner = pixels;
    assert_true(corner[0] == 0 && corner[1] == 0 && corner[2] == 0 && corner[3] == 255);
}

/* The most spheres that a scene may have: two kernels agree, and brute force with them. */
TEST(the_largest_scene)
{
    const struct krn_mode splat = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1},
                          binned = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1},
                          tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    const struct krn_view view = test_view(32, 24);
    TEST_DEVICE *device = connect();
    TEST_SCENE scene = test_scene(KRN_SPHERES_MAX, 1, 0.5f, 2);
    struct krn_rays rays;
    set(device, &scene, 3.0);
    TEST_FREED uint8_t *expected = test_render_mode(device, splat, view);
    TEST_FREED uint8_t *pixels = test_render_mode(device, binned, view);
    test_same_bytes(expected, pixels, view, "binned");
    test_rows_by_brute_force(expected, &scene, krn_pose_at(3.0), view, 2);
    TEST_FAILS(krn_device_check_mode(device, tree, &error), KRN_REFUSED, "at most 1000000 spheres");
    TEST_FAILS(krn_device_rays(device, &view, &rays, &error), KRN_REFUSED, "at most 1000000");
}

TEST(refusals_leave_the_device_alone)
{
    TEST_DEVICE *device = connect();
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    struct krn_view view = test_view(32, 32);
    struct krn_image image = test_image(device, 32, 32);
    assert_int_equal(krn_device_render(device, mode, &view, &image, 0, &error), KRN_REFUSED);
    TEST_SCENE scene = test_scene(KRN_CONSTANT_SPHERES + 1, 1, 1, 4);
    set(device, &scene, 0.0);
    TEST_FAILS(krn_device_render(device, mode, &view, &image, 0, &error), KRN_REFUSED, "2340");
    view.width = 33;
    const struct krn_mode global = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    assert_int_equal(krn_device_render(device, global, &view, &image, 0, &error), KRN_REFUSED);
    struct krn_image big;
    assert_int_equal(krn_device_alloc_image(device, KRN_SIZE_MAX + 1, 1, &big, &error),
                     KRN_REFUSED);
    assert_int_equal(krn_device_alloc_image(device, 0, 1, &big, &error), KRN_REFUSED);
    scene.spheres[0].radius = NAN;
    assert_int_equal(krn_device_set_scene(device, &scene, &error), KRN_REFUSED);
    krn_device_free_image(device, &image);
}

TEST(full_memory_is_no_harm)
{
    TEST_DEVICE *device = connect();
    test_full_memory(device, "aligned_alloc");
}

/* A batch of launches gives one time, blocks, and leaves no reading behind. */
TEST(a_batch)
{
    TEST_DEVICE *device = connect();
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(64, 64);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    struct krn_reading reading;
    double ms = -1.0;
    set(device, &scene, 0.0);
    struct krn_image image = test_image(device, 64, 64);
    TEST_OK(krn_device_render(device, mode, &view, &image, 1, &error));
    TEST_OK(krn_device_render_batch(device, mode, &view, &image, 20, &ms, &error));
    assert_true(ms > 0.0 && isfinite(ms));
    assert_false(krn_device_poll(device, &reading));
    assert_int_equal(krn_device_render_batch(device, mode, &view, &image, 0, &ms, &error),
                     KRN_REFUSED);
    krn_device_free_image(device, &image);
}

/* Every mode has an overhead, and modes of one shape have the same one. */
TEST(overheads_are_known)
{
    TEST_DEVICE *device = connect();
    const struct krn_view view = test_view(640, 360);
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    const struct krn_overheads overheads = krn_device_overheads(device);
    struct krn_overhead of;
    print_message("event %.1f ns, empty job %.1f ns, tick %.1f ns\n", overheads.event_ms * 1e6,
                  overheads.empty_kernel_ms * 1e6, overheads.tick_ms * 1e6);
    assert_true(overheads.event_ms >= 0.0 && overheads.empty_kernel_ms > 0.0);
    assert_true(overheads.tick_ms > 0.0);
    assert_timing(overheads.tick_ms < 0.1);
    assert_int_equal(krn_device_overhead(device, book, &view, &of, &error), KRN_REFUSED);

    TEST_SCENE scene = test_scene(50, 1, 20, 120);
    set(device, &scene, 0.0);
    double by_kernel[KRN_KERNEL_COUNT] = {0};
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        TEST_OK(krn_device_overhead(device, mode, &view, &of, &error));
        const double ms = of.ms;
        assert_true(ms > 0.0 && isfinite(ms));
        assert_true(of.interval.valid && of.interval.low <= ms && ms <= of.interval.high);
        if (by_kernel[mode.kernel] == 0.0)
            by_kernel[mode.kernel] = ms;
        assert_true(ms == by_kernel[mode.kernel]);
    }
    const struct krn_mode none = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 3};
    const struct krn_view empty = {.width = 0, .height = 0, .unit = 1.0f};
    assert_int_equal(krn_device_overhead(device, none, &view, &of, &error), KRN_REFUSED);
    assert_int_equal(krn_device_overhead(device, book, &empty, &of, &error), KRN_REFUSED);
}

/* The limit needs a scene and a size, leaves the readings, and is a part of the time of a mode that
 * does more. */
TEST(the_limit_is_known)
{
    TEST_DEVICE *device = connect();
    const struct krn_view view = test_view(640, 361), empty = {.width = 0, .height = 0};
    struct krn_limit limit;
    struct krn_reading reading;
    TEST_FAILS(krn_device_limit(device, &view, &limit, &error), KRN_REFUSED, "no scene");
    TEST_SCENE scene = test_scene(50, 1, 20, 120);
    set(device, &scene, 0.0);
    TEST_FAILS(krn_device_limit(device, &empty, &limit, &error), KRN_REFUSED, "0x0");
    assert_true(limit.net_ms == 0.0);
    TEST_OK(krn_device_limit(device, &view, &limit, &error));
    /* On a busy machine, an overhead may be longer than the limit's own time: no sign is asked. */
    assert_true(limit.raw_ms > 0.0 && limit.raw_ms >= limit.net_ms);
    assert_true(limit.interval.valid && limit.interval.low <= limit.net_ms &&
                limit.net_ms <= limit.interval.high);
    assert_false(krn_device_poll(device, &reading));
}

/* The CPU has no gate; an injection makes the app's handling testable everywhere. */
TEST(an_injected_late_host_drops_a_reading)
{
    TEST_DEVICE *device = connect();
    struct krn_reading reading;
    TEST_SCENE scene = test_scene(5, 1, 20, 120);
    const struct krn_view view = test_view(64, 64);
    const struct krn_mode mode = {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 4};
    set(device, &scene, 0.0);
    struct krn_image image = test_image(device, 64, 64);
    krn_fail_calls("krn_host_late:2");
    for (uint64_t tag = 1; tag <= 3; tag++)
        TEST_OK(krn_device_render(device, mode, &view, &image, tag, &error));
    krn_fail_calls(NULL);
    assert_int_equal(krn_device_gate_drops(device), 1);
    assert_true(krn_device_poll(device, &reading) && reading.tag == 1 && !reading.busy);
    assert_true(krn_device_poll(device, &reading) && reading.tag == 3 && !reading.busy);
    assert_false(krn_device_poll(device, &reading));
    krn_device_free_image(device, &image);
}

TEST(the_description_has_capabilities)
{
    TEST_DEVICE *device = connect();
    test_capabilities(device);
    assert_string_equal(krn_device_describe(device)->can.noun, "CPU");
    /* The entry of the CUDA backend has capabilities in every build, with or without a GPU. */
    const struct krn_capabilities *cuda = krn_backend_get(KRN_BACKEND_CUDA)->can;
    assert_string_equal(cuda->noun, "GPU");
    assert_true(cuda->distinct_storages && cuda->telemetry && !cuda->host_images);
}
