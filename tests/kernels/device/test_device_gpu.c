/* Compares the CUDA backend with the CPU's bytes and the reference, and tests its timer on idle and
 * busy streams. Skipped without a CUDA device. */
#include "gpu.h"
#include "timing.h"

#include <time.h>

TEST(same_bytes_as_the_cpu)
{
    for (size_t i = 0; i < TEST_CASES; i++) {
        const struct test_case *test = &test_cases[i];
        if (test_is_too_large(test))
            continue;
        TEST_SCENE scene = test_scene(test->count, i + 1, test->low, test->high);
        set(&scene, test->time_s);
        TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, test->view);
        test_every_mode(cuda, expected, test->count, test->view);
    }
}

/* A sphere that touches two rows in a point between two pixels: the residual of such a row is 0 and
 * those of its pixels are negative denormal numbers, while neighbouring rows are hit. */
TEST(rows_that_are_touched_stay_black)
{
    const struct krn_view view = test_view(1024, 1024);
    TEST_SCENE scene = test_scene(3, 1, 20, 120);
    for (int i = 0; i < 3; i++) {
        const float x = i == 0 ? 1e-20f : 200.0f * (float)i;
        scene.spheres[i] = (struct krn_sphere){1.0f, 0.5f, 0.25f, 100.0f, x, 0.0f, 0.0f};
    }
    set(&scene, 0.0);
    TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, view);
    const uint8_t black[4] = {0, 0, 0, 255};
    assert_memory_equal(expected + 4 * (412 * 1024 + 512), black, 4);
    assert_memory_not_equal(expected + 4 * (413 * 1024 + 512), black, 4);
    test_every_mode(cpu, expected, scene.count, view);
    test_every_mode(cuda, expected, scene.count, view);
}

/* Renders one frame and drops its reading, if it has one: the frame loads the kernel. */
static void load(struct krn_mode mode, const struct krn_view *view, const struct krn_image *image)
{
    struct krn_reading dropped;
    TEST_OK(krn_device_render(cuda, mode, view, image, 0, &error));
    TEST_OK(krn_device_sync(cuda, &error));
    while (krn_device_poll(cuda, &dropped))
        ;
}

/* The splat kernel's keys are cleared in one frame of 255. Frames of another size and scene in
 * between leave nothing behind, whatever turn the next large frame has. */
TEST(turns_of_splat_come_again)
{
    const struct krn_mode splat = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
    const struct krn_view large = test_view(64, 64), small = test_view(32, 32);
    TEST_SCENE many = test_scene(200, 5, 20, 120), few = test_scene(3, 6, 20, 120);
    for (int between = 253; between <= 256; between++) {
        set(&many, 0.0);
        free(test_render_mode(cuda, splat, large));
        free(test_render_mode(cuda, splat, large));
        set(&few, 1.0);
        for (int i = 0; i < between; i++)
            free(test_render_mode(cuda, splat, small));
        TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, large);
        TEST_FREED uint8_t *pixels = test_render_mode(cuda, splat, large);
        test_same_bytes(expected, pixels, large, "splat after its last turn");
    }
}

static double median_ms(bool busy, const struct krn_view *view, const struct krn_image *image)
{
    enum { SAMPLES = 300 };
    static double samples[SAMPLES];
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    const struct timespec gap = {0, 200000};
    size_t n = 0;
    for (int i = 0; n < SAMPLES; i++) {
        TEST_OK(krn_device_render(cuda, mode, view, image, 0, &error));
        if (!busy) {
            TEST_OK(krn_device_sync(cuda, &error));
            nanosleep(&gap, NULL);
        }
        struct krn_reading reading;
        while (n < SAMPLES && krn_device_poll(cuda, &reading))
            if (i > 50)
                samples[n++] = reading.ms;
    }
    TEST_OK(krn_device_sync(cuda, &error));
    struct krn_reading dropped;
    while (krn_device_poll(cuda, &dropped))
        ;
    return krn_summarise(samples, n).median;
}

/* No host work happens between the events: an idle stream, on which a launch gap would be visible,
 * and a busy one give the same time, to 2 % and, if that is not much more, one tick of the events'
 * clock. */
TEST(idle_and_busy_agree)
{
    test_needs_timing();
    const struct krn_scene_recipe book = krn_scene_book();
    struct krn_scene scene = test_scene(2000, book.seed, book.radius_min, book.radius_max);
    const struct krn_view view = test_view(1024, 1024);
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 1024, 1024);
    (void)median_ms(true, &view, &image);
    const double idle = median_ms(false, &view, &image), busy = median_ms(true, &view, &image);
    krn_scene_free(&scene);
    scene = test_scene(book.count, book.seed, book.radius_min, book.radius_max);
    set(&scene, 0.0);
    (void)median_ms(true, &view, &image);
    const double idle20 = median_ms(false, &view, &image), busy20 = median_ms(true, &view, &image);
    const struct krn_overheads overheads = krn_device_overheads(cuda);
    krn_device_free_image(cuda, &image);
    krn_scene_free(&scene);
    assert_true(fabs(idle / busy - 1.0) < 0.02);
    assert_true(fabs(idle20 - busy20) < 0.02 * busy20 + overheads.tick_ms);
    assert_true(overheads.event_ms > 0.0 && overheads.empty_kernel_ms > overheads.event_ms);
}

/* The tick is the step between readings: those of one kernel differ by whole ticks. */
TEST(the_tick_is_measured)
{
    test_needs_timing();
    enum { FRAMES = 300 };
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(512, 512);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    const struct krn_device_info *info = krn_device_describe(cuda);
    const double tick_ms = krn_device_overheads(cuda).tick_ms;
    double first_ms = 0.0;
    int n = 0, between = 0;
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 512, 512);
    for (int i = 0; i < FRAMES; i++) {
        struct krn_reading reading;
        TEST_OK(krn_device_render(cuda, mode, &view, &image, 0, &error));
        TEST_OK(krn_device_sync(cuda, &error));
        while (krn_device_poll(cuda, &reading)) {
            if (n++ == 0)
                first_ms = reading.ms;
            const double ticks = (reading.ms - first_ms) / tick_ms;
            between += fabs(ticks - round(ticks)) > 0.05;
        }
    }
    krn_device_free_image(cuda, &image);
    assert_true(n > FRAMES / 2 && tick_ms > 0.0 && tick_ms < 2e-3);
    assert_int_equal(between, 0);
    if (info->compute_major == 9 && info->compute_minor == 0)
        assert_true(fabs(tick_ms - 32e-6) < 1e-7);
}

/* Returns the median of a mode's frames, each alone on the device. */
static double raw_ms(struct krn_mode mode, const struct krn_view *view,
                     const struct krn_image *image)
{
    enum { FRAMES = 40, WARM_UP = 5 };
    double ms[FRAMES];
    size_t n = 0;
    for (int i = 0; i < WARM_UP + FRAMES; i++) {
        struct krn_reading reading;
        TEST_OK(krn_device_render(cuda, mode, view, image, 0, &error));
        TEST_OK(krn_device_sync(cuda, &error));
        while (krn_device_poll(cuda, &reading)) {
            assert_false(reading.busy);
            if (i >= WARM_UP)
                ms[n++] = reading.ms;
        }
    }
    assert_true(n > FRAMES / 2);
    return krn_summarise(ms, n).median;
}

/* An empty kernel with the grid of a mode takes longer than an event pair and less time than the
 * mode itself. Modes of one shape share the value. */
TEST(overheads_are_part_of_the_times)
{
    test_needs_timing();
    static const int sizes[][2] = {{64, 64}, {1024, 1024}, {3840, 2160}};
    const struct krn_overheads overheads = krn_device_overheads(cuda);
    TEST_SCENE scene = test_scene(20, krn_scene_book().seed, 20, 120);
    set(&scene, 0.0);
    double books_ms[3];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct krn_view view = test_view(sizes[i][0], sizes[i][1]);
        double book_ms = 0.0;
        struct krn_image image = test_image(cuda, view.width, view.height);
        for (int m = 0; m < KRN_MODES; m++) {
            const struct krn_mode mode = krn_mode_at(m);
            char name[48];
            struct krn_overhead of;
            krn_mode_name(mode, name, sizeof name);
            const double raw = raw_ms(mode, &view, &image);
            TEST_OK(krn_device_overhead(cuda, mode, &view, &of, &error));
            const double ms = of.ms;
            if (!(ms > overheads.event_ms && ms <= raw + 2.0 * overheads.tick_ms))
                fail_msg("%s: overhead %.3f us, raw %.3f us", name, ms * 1e3, raw * 1e3);
            /* 1320 blocks of strip/global/4 are resident, fewer than the 2048 of its grid. */
            if (i == 1 && strcmp(name, "strip/global/4") == 0)
                assert_true(ms < 1.1 * book_ms);
            /* A multiprocessor holds fewer blocks that copy the spheres to shared memory. */
            if (mode.kernel != KRN_KERNEL_BOOK || mode.storage == KRN_STORAGE_SHARED)
                continue;
            if (book_ms == 0.0)
                book_ms = ms;
            assert_true(ms == book_ms);
        }
        books_ms[i] = book_ms;
        krn_device_free_image(cuda, &image);
    }
    /* Both larger grids exceed what the device holds at once. */
    assert_true(books_ms[2] < 1.5 * books_ms[1]);
}

/* No mode is faster than the limit of its view, whose interval is narrow, also of a picture that
 * does not fill whole batches. */
TEST(the_limit_is_below_every_mode)
{
    test_needs_timing();
    static const int cases[][3] = {
        {641, 479, 20}, {1024, 1024, 20}, {1920, 1080, 100000}, {3840, 2160, 2339}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct krn_view view = test_view(cases[i][0], cases[i][1]);
        TEST_SCENE scene = test_scene(cases[i][2], 1, 1, 4);
        struct krn_limit limit;
        set(&scene, 0.0);
        struct krn_image image = test_image(cuda, view.width, view.height);
        TEST_OK(krn_device_limit(cuda, &view, &limit, &error));
        assert_true(limit.net_ms > 0.0 && limit.interval.valid);
        assert_true(limit.interval.high - limit.interval.low < 0.2 * limit.net_ms);
        for (int k = KRN_KERNEL_STRIP; k <= KRN_KERNEL_SPLAT; k++) {
            const struct krn_mode mode = {(enum krn_kernel)k, KRN_STORAGE_GLOBAL, 1};
            assert_true(raw_ms(mode, &view, &image) > limit.raw_ms);
        }
        krn_device_free_image(cuda, &image);
    }
}

/* Measuring an overhead or the limit takes no reading of a frame. */
TEST(an_overhead_leaves_the_readings)
{
    struct krn_limit limit;
    struct krn_reading reading;
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(256, 256);
    const struct krn_mode mode = {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 2};
    const unsigned long drops = krn_device_gate_drops(cuda);
    struct krn_overhead of;
    unsigned long read = 0;
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 256, 256);
    load(mode, &view, &image);
    for (uint64_t tag = 1; tag <= 5; tag++)
        TEST_OK(krn_device_render(cuda, mode, &view, &image, tag, &error));
    TEST_OK(krn_device_overhead(cuda, mode, &view, &of, &error));
    const enum krn_code code = krn_device_limit(cuda, &view, &limit, &error);
    assert_true(code == KRN_OK || code == KRN_FAILED); /* a sanitizer makes the host late */
    while (krn_device_poll(cuda, &reading)) {
        assert_true(reading.tag >= 1 && reading.tag <= 5);
        read++;
    }
    assert_int_equal(read + krn_device_gate_drops(cuda) - drops, 5);
    krn_device_free_image(cuda, &image);
}

/* A gate that gives up before the host has queued everything drops its reading, and only that. */
TEST(a_late_host_drops_the_reading)
{
    struct krn_reading reading;
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(256, 256);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 256, 256);
    /* What loads a kernel is no late host, even if its gate gives up. */
    const unsigned long drops = krn_device_gate_drops(cuda);
    krn_fail_calls("krn_host_late:1");
    load(mode, &view, &image);
    krn_fail_calls(NULL);
    assert_int_equal(krn_device_gate_drops(cuda), drops);
    bool seen[4] = {false};
    krn_fail_calls("krn_host_late:2");
    for (uint64_t tag = 1; tag <= 3; tag++) {
        TEST_OK(krn_device_render(cuda, mode, &view, &image, tag, &error));
        TEST_OK(krn_device_sync(cuda, &error));
    }
    krn_fail_calls(NULL);
    while (krn_device_poll(cuda, &reading)) {
        assert_true(reading.tag >= 1 && reading.tag <= 3);
        seen[reading.tag] = true;
    }
    assert_false(seen[2]);
    const unsigned long dropped = krn_device_gate_drops(cuda) - drops;
    assert_int_equal(dropped + (unsigned)seen[1] + (unsigned)seen[3], 3);
    assert_true(dropped >= 1);

    /* A batch is repeated; when every gate gives up, it has no time, and a sentence says why an
     * overhead has none. */
    struct krn_overhead of;
    double ms;
    krn_fail_calls("krn_host_late:1");
    TEST_OK(krn_device_render_batch(cuda, mode, &view, &image, 5, &ms, &error));
    assert_true(ms > 0.0);
    krn_fail_calls("krn_host_late");
    TEST_OK(krn_device_render_batch(cuda, mode, &view, &image, 5, &ms, &error));
    assert_true(ms == 0.0);
    set(&scene, 0.0); /* forgets the overheads */
    TEST_FAILS(krn_device_overhead(cuda, mode, &view, &of, &error), KRN_FAILED, "late");
    TEST_DEVICE *other = NULL;
    TEST_OK(krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &other, &error));
    krn_fail_calls(NULL);
    const struct krn_overheads unknown = krn_device_overheads(other);
    assert_true(unknown.event_ms == 0.0 && unknown.empty_kernel_ms == 0.0 &&
                unknown.tick_ms == 0.0);
    TEST_OK(krn_device_overhead(cuda, mode, &view, &of, &error));
    krn_device_free_image(cuda, &image);
}

/* A frame that waits behind others says so, be they timed or not. */
TEST(busy_frames_say_so)
{
    enum { FRAMES = 30 };
    struct krn_reading reading;
    TEST_SCENE scene = test_scene(2000, 1, 20, 120);
    const struct krn_view view = test_view(2048, 2048);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    int busy = 0, n = 0;
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 2048, 2048);
    TEST_OK(krn_device_sync(cuda, &error));
    for (uint64_t tag = 0; tag < FRAMES; tag++)
        TEST_OK(krn_device_render(cuda, mode, &view, &image, tag, &error));
    TEST_OK(krn_device_sync(cuda, &error));
    for (; krn_device_poll(cuda, &reading); n++) {
        assert_true(!reading.busy || reading.tag > 0);
        busy += reading.busy;
    }
    assert_true(busy > FRAMES / 2);

    for (int untimed = 0; untimed < 2; untimed++) {
        for (int i = 0; untimed && i < 3; i++)
            TEST_OK(krn_device_render(cuda, mode, &view, &image, KRN_UNTIMED, &error));
        TEST_OK(krn_device_render(cuda, mode, &view, &image, 0, &error));
        TEST_OK(krn_device_sync(cuda, &error));
        while (krn_device_poll(cuda, &reading))
            assert_int_equal(reading.busy, untimed == 1);
    }
    krn_device_free_image(cuda, &image);
}

/* Frames do not wait for readings: when the ring is full, further frames are rendered untimed, and
 * no reading is lost or repeated. */
TEST(a_full_ring_does_not_wait)
{
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(512, 512);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 512, 512);
    load(mode, &view, &image);
    const unsigned long drops = krn_device_gate_drops(cuda);
    for (uint64_t tag = 1; tag <= 200; tag++)
        TEST_OK(krn_device_render(cuda, mode, &view, &image, tag, &error));
    TEST_OK(krn_device_sync(cuda, &error));
    uint64_t last = 0;
    int readings = 0;
    struct krn_reading reading;
    while (krn_device_poll(cuda, &reading)) {
        assert_true(reading.tag > last && reading.ms > 0.0);
        assert_int_equal(reading.mode.storage, KRN_STORAGE_CONSTANT);
        last = reading.tag;
        readings++;
    }
    assert_true((unsigned)readings + krn_device_gate_drops(cuda) - drops >= 64 && readings <= 200);
    krn_device_free_image(cuda, &image);
}

TEST(what_does_not_fit_is_refused)
{
    TEST_SCENE scene = test_scene(KRN_LARGE_SPHERES, 1, 1, 2);
    const struct krn_view view = test_view(64, 64);
    set(&scene, 0.0);
    struct krn_image image = test_image(cuda, 64, 64);
    const struct krn_mode constant = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    assert_int_equal(krn_device_render(cuda, constant, &view, &image, 0, &error), KRN_REFUSED);
    TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, view);
    TEST_FREED uint8_t *pixels = test_render(cuda, KRN_STORAGE_SHARED, view);
    test_same_bytes(expected, pixels, view, "10^6 spheres from shared memory");
    krn_device_free_image(cuda, &image);
}

/* The most spheres that a scene may have: splat and binned give the bytes of the CPU's splat, and
 * brute force agrees with them. */
TEST(the_largest_scene)
{
    static const struct test_case cases[] = {{KRN_SPHERES_MAX, 0.5f, 2, {.width = 1}, 0.0},
                                             {KRN_SPHERES_MAX, 20, 120, {.width = 1}, 5.0}};
    const enum krn_kernel kernels[] = {KRN_KERNEL_SPLAT, KRN_KERNEL_BINNED};
    for (int c = 0; c < 2; c++) {
        const struct krn_view view = c == 0 ? test_view(640, 360) : test_view(64, 36);
        const struct krn_mode splat = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
        struct test_case one = cases[c];
        one.view = view;
        if (test_is_too_large(&one))
            continue;
        TEST_SCENE scene = test_scene(one.count, 1, one.low, one.high);
        set(&scene, one.time_s);
        TEST_FREED uint8_t *expected = test_render_mode(cpu, splat, view);
        for (int k = 0; k < 2; k++) {
            const struct krn_mode mode = {kernels[k], KRN_STORAGE_GLOBAL, 1};
            TEST_FREED uint8_t *pixels = test_render_mode(cuda, mode, view);
            test_same_bytes(expected, pixels, view, krn_kernel_name(mode.kernel));
        }
        test_rows_by_brute_force(expected, &scene, krn_pose_at(one.time_s), view, 4);
    }
}

/* A device of its own has no memory from earlier tests that a larger view could use. */
TEST(full_memory_is_no_harm)
{
    TEST_DEVICE *fresh = NULL;
    TEST_OK(krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &fresh, &error));
    test_full_memory(fresh, "cudaMalloc");
}

/* Textures are created when a kernel first reads them. When that fails, all other modes still
 * work. */
TEST(a_texture_that_cannot_be_made)
{
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    const struct krn_view view = test_view(64, 64);
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, 1},
                          strip = {KRN_KERNEL_STRIP, KRN_STORAGE_TEXTURE, 8};
    set(&scene, 0.0);
    assert_int_equal(test_try(cuda, book, view, "cudaCreateTextureObject"), KRN_FAILED);
    assert_int_equal(test_try(cuda, strip, view, "cudaCreateTextureObject:2"), KRN_FAILED);
    assert_non_null(strstr(error.expression, "cudaCreateTextureObject"));
    TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, view);
    test_every_mode(cuda, expected, scene.count, view);
}

TEST(the_description_has_capabilities)
{
    test_capabilities(cuda);
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, NULL, NULL);
}
