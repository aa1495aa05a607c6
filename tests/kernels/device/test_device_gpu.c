/* Compares the CUDA backend with the CPU's bytes and the reference, and tests its timer on idle and
 * busy streams. Skipped without a CUDA device. */
#include "pictures.h"
#include "timing.h"

#include <time.h>

static struct krn_device *cuda, *cpu;

static void set(const struct krn_scene *scene, double time_s)
{
    struct krn_device *const both[] = {cuda, cpu};
    for (int i = 0; i < 2; i++) {
        TEST_OK(krn_device_set_scene(both[i], scene, &error));
        TEST_OK(krn_device_set_pose(both[i], krn_pose_at(time_s), &error));
    }
}

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

/* Both backends compute the same hash, whatever the image's pitch and memory. */
TEST(hashes_agree)
{
    static const struct krn_view views[] = {{.width = 1024, .height = 1024, .unit = 1.0f},
                                            {.width = 1, .height = 1, .unit = 1.0f},
                                            {.width = 641, .height = 363, .unit = 2.0f},
                                            {.width = 3840, .height = 2160, .unit = 0.5f}};
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    set(&scene, 5.0);
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        uint64_t hash[2] = {0, 1};
        struct krn_device *const both[] = {cuda, cpu};
        for (int i = 0; i < 2; i++) {
            struct krn_image image;
            const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
            TEST_OK(
                krn_device_alloc_image(both[i], views[v].width, views[v].height, &image, &error));
            TEST_OK(krn_device_render(both[i], mode, &views[v], &image, KRN_UNTIMED, &error));
            TEST_OK(krn_device_hash(both[i], &image, &hash[i], &error));
            krn_device_free_image(both[i], &image);
            struct krn_reading reading;
            assert_false(krn_device_poll(both[i], &reading)); /* the frame was untimed */
        }
        assert_true(hash[0] == hash[1]);
    }
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

/* After a change of pose or scene, every storage is updated, including the constant bank. */
TEST(storages_follow_the_pose)
{
    const struct krn_view view = test_view(256, 256);
    for (int turn = 0; turn < 5; turn++) {
        TEST_SCENE scene = test_scene(50 + turn, (uint64_t)turn, 20, 120);
        set(&scene, 0.0);
        TEST_OK(krn_device_set_pose(cuda, krn_pose_at(3.0 * turn), &error));
        TEST_OK(krn_device_set_pose(cpu, krn_pose_at(3.0 * turn), &error));
        TEST_FREED uint8_t *expected = test_render(cpu, KRN_STORAGE_GLOBAL, view);
        test_every_mode(cuda, expected, scene.count, view);
    }
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
    print_message("2000 spheres: idle %.4f ms, busy %.4f ms, ratio %.4f\n", idle, busy,
                  idle / busy);
    krn_scene_free(&scene);
    scene = test_scene(book.count, book.seed, book.radius_min, book.radius_max);
    set(&scene, 0.0);
    (void)median_ms(true, &view, &image);
    const double idle20 = median_ms(false, &view, &image), busy20 = median_ms(true, &view, &image);
    const struct krn_overheads overheads = krn_device_overheads(cuda);
    print_message("20 spheres: idle %.5f ms, busy %.5f ms, ratio %.4f; event overhead %.5f ms, "
                  "empty kernel %.5f\n",
                  idle20, busy20, idle20 / busy20, overheads.event_ms, overheads.empty_kernel_ms);
    krn_device_free_image(cuda, &image);
    krn_scene_free(&scene);
    assert_true(fabs(idle / busy - 1.0) < 0.02);
    assert_true(fabs(idle20 - busy20) < 0.02 * busy20 + overheads.tick_ms);
    assert_true(overheads.event_ms > 0.0 && overheads.empty_kernel_ms > overheads.event_ms);
}

/* Measures the medians of the strip with 1, 2, 4 and 8 pixels per thread, in turns. */
static void medians_of_doublings(enum krn_storage storage, const struct krn_view *view,
                                 const struct krn_image *image, double median_us[4])
{
    enum { ROUNDS = 9, FRAMES = 5 };
    double us[4][ROUNDS * FRAMES];
    size_t n[4] = {0};
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < 4; k++) {
            const struct krn_mode mode = {KRN_KERNEL_STRIP, storage, 1 << k};
            for (int i = 0; i < FRAMES; i++)
                TEST_OK(krn_device_render(cuda, mode, view, image, 0, &error));
            TEST_OK(krn_device_sync(cuda, &error));
            struct krn_reading reading;
            while (krn_device_poll(cuda, &reading))
                if (round >= 0)
                    us[k][n[k]++] = reading.ms * 1e3;
        }
    for (int k = 0; k < 4; k++) {
        assert_true(n[k] > ROUNDS * FRAMES / 2); /* a late host may have dropped some */
        median_us[k] = krn_summarise(us[k], n[k]).median;
    }
}

/* Doubling the pixels per thread, up to 8, makes no storage slower: by at most 2 % and two ticks of
 * the events' clock on a GPU as large as the H200, since the balance of blocks depends on the
 * number of multiprocessors; elsewhere by no large factor. */
TEST(doubling_pixels_costs_nothing)
{
    test_needs_timing();
    static const int sizes[][2] = {{1024, 1024}, {1920, 1080}, {3840, 2160}};
    static const int counts[] = {20, 50, 100, 300, 500, 2339};
    const struct krn_device_info *info = krn_device_describe(cuda);
    const double tick_ms = krn_device_overheads(cuda).tick_ms;
    const bool known =
        info->compute_major == 9 && info->compute_minor == 0 && info->processors == 132;
    int rises = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct krn_view view = test_view(sizes[i][0], sizes[i][1]);
        struct krn_image image = test_image(cuda, view.width, view.height);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            TEST_SCENE scene = test_scene(counts[c], krn_scene_book().seed, 20, 120);
            set(&scene, 0.0);
            for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
                const enum krn_storage storage = (enum krn_storage)s;
                /* docs/kernels.md makes no claim about textures yet. */
                if (storage == KRN_STORAGE_TEXTURE)
                    continue;
                double us[4];
                medians_of_doublings(storage, &view, &image, us);
                for (int k = 1; k < 4; k++) {
                    const double most = known ? 1.02 * us[k - 1] + 2e3 * tick_ms : 2.0 * us[k - 1];
                    if (us[k] <= most)
                        continue;
                    rises++;
                    print_message("%dx%d, %d spheres, %s: %.2f us at K = %d, %.2f at %d\n",
                                  view.width, view.height, counts[c], krn_storage_name(storage),
                                  us[k], 1 << k, us[k - 1], 1 << (k - 1));
                }
            }
        }
        krn_device_free_image(cuda, &image);
    }
    assert_int_equal(rises, 0);
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
    print_message("tick %.2f ns; %d of %d readings are not whole ticks apart\n", tick_ms * 1e6,
                  between, n);
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
 * mode itself. Modes of one shape share the value. Prints raw, overhead and net times. */
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
            struct timespec before, after;
            clock_gettime(CLOCK_MONOTONIC, &before);
            TEST_OK(krn_device_overhead(cuda, mode, &view, &of, &error));
            clock_gettime(CLOCK_MONOTONIC, &after);
            const double ms = of.ms;
            print_message("%4dx%-4d %-18s raw %8.3f us, overhead %7.3f, net %8.3f; took %.2f ms\n",
                          view.width, view.height, name, raw * 1e3, ms * 1e3, (raw - ms) * 1e3,
                          (double)(after.tv_sec - before.tv_sec) * 1e3 +
                              (double)(after.tv_nsec - before.tv_nsec) * 1e-6);
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
        print_message("%dx%d, %d spheres: limit %.3f us [%.3f, %.3f], raw %.3f\n", cases[i][0],
                      cases[i][1], cases[i][2], limit.net_ms * 1e3, limit.interval.low * 1e3,
                      limit.interval.high * 1e3, limit.raw_ms * 1e3);
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
    print_message("%d of %d queued frames found the device busy\n", busy, n);
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
    print_message("%d of 200 frames timed\n", readings);
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
    if (argc == 2) /* run one test, by its name */
        cmocka_set_test_filter(argv[1]);
    if (krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &cuda, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    if (krn_backend_get(KRN_BACKEND_CPU)->connect(0, &cpu, &error) != KRN_OK)
        return 1;
    const struct krn_device_info *info = krn_device_describe(cuda);
    printf("%s, CUDA %s, driver for CUDA %s\n", info->name, info->runtime, info->driver);
    const int failed = tests_run(NULL, NULL);
    krn_device_close(cuda);
    krn_device_close(cpu);
    return failed;
}
