/* tests/support/pictures.h - helpers of tests of pictures: connect, render, read back, compare. */
#pragma once

#include "owned.h"

#include "krn/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Generates a scene; the test fails when that fails. */
static inline struct krn_scene test_scene(int count, uint64_t seed, float low, float high)
{
    struct krn_scene scene = {.spheres = NULL};
    const struct krn_scene_recipe recipe = {count, seed, low, high};
    TEST_OK(krn_scene_generate(&scene, &recipe, &error));
    return scene;
}

static inline struct krn_view test_view(int width, int height)
{
    const struct krn_view view = {.width = width,
                                  .height = height,
                                  .unit = 1024.0f / (float)height,
                                  .light = krn_light_default()};
    return view;
}

/* Kernels with bins spend a part of their time on them, but a GPU sorts no small scene. */
static inline bool sorts_as_described(double binning_ms, enum krn_kernel kernel, bool host)
{
    if (kernel == KRN_KERNEL_BINNED && !host)
        return binning_ms >= 0.0;
    return (binning_ms > 0.0) == krn_kernel_describe(kernel)->bins;
}

/* Returns the device's picture of its scene, 4 * width * height bytes, which the caller frees.
 * Poisons the image first, so that a pixel that was not written is detected. */
static inline uint8_t *test_render_mode(struct krn_device *device, struct krn_mode mode,
                                        struct krn_view view)
{
    const size_t bytes = 4 * (size_t)view.width * (size_t)view.height;
    uint8_t *pixels = test_alloc(bytes);
    struct krn_image image = test_image(device, view.width, view.height);
    if (krn_device_is_host(device))
        memset(image.pixels, 0xa5, image.pitch_bytes * (size_t)view.height);
    TEST_OK(krn_device_render(device, mode, &view, &image, 7, &error));
    memset(pixels, 0x5a, bytes);
    TEST_OK(krn_device_read(device, &image, pixels, &error));
    krn_device_free_image(device, &image);
    struct krn_reading reading;
    while (krn_device_poll(device, &reading))
        assert_true(
            reading.ms >= 0.0 && reading.tag == 7 && reading.binning_ms <= reading.ms &&
            sorts_as_described(reading.binning_ms, mode.kernel, krn_device_is_host(device)));
    return pixels;
}

/* Renders one frame and returns the part of its time that sorts spheres or builds a tree. */
static inline double test_build_ms(struct krn_device *device, struct krn_mode mode,
                                   struct krn_view view)
{
    struct krn_reading reading = {0};
    TEST_FREED uint8_t *pixels = test_alloc(4 * (size_t)view.width * (size_t)view.height);
    struct krn_image image = test_image(device, view.width, view.height);
    TEST_OK(krn_device_render(device, mode, &view, &image, 7, &error));
    TEST_OK(krn_device_read(device, &image, pixels, &error));
    assert_true(krn_device_poll(device, &reading));
    krn_device_free_image(device, &image);
    return reading.binning_ms;
}

/* Checks that a frame of an unchanged pose builds again what the kernel traces, so that the times
 * of a still and of a moving scene contain the same work. The device has a scene. */
static inline void test_builds_every_frame(struct krn_device *device, struct krn_mode mode)
{
    const struct krn_view view = test_view(16, 16);
    double moved_ms = INFINITY, still_ms = INFINITY;
    /* The least times, in turns: they tend to the true ones however busy the machine is. */
    for (int i = 1; i <= 500 && (i <= 8 || still_ms < 0.4 * moved_ms); i++) {
        TEST_OK(krn_device_set_pose(device, krn_pose_at(i), &error));
        moved_ms = fmin(moved_ms, test_build_ms(device, mode, view));
        still_ms = fmin(still_ms, test_build_ms(device, mode, view));
    }
    print_message("build: %.4f ms of a new pose, %.4f ms of the same one\n", moved_ms, still_ms);
    assert_true(still_ms >= 0.4 * moved_ms);
}

/* Renders with the book's kernel. */
static inline uint8_t *test_render(struct krn_device *device, enum krn_storage storage,
                                   struct krn_view view)
{
    const struct krn_mode mode = {KRN_KERNEL_BOOK, storage, 1};
    return test_render_mode(device, mode, view);
}

/* Checks the capabilities in the device's description against what calls tell. */
static inline void test_capabilities(struct krn_device *device)
{
    const struct krn_device_info *info = krn_device_describe(device);
    const struct krn_capabilities *can = krn_backend_get(info->backend)->can;
    assert_memory_equal(&info->can, can, sizeof *can);
    assert_true(can->tests_per_ms > 0.0);
    assert_true(can->sphere_bytes >= (int)sizeof(struct krn_sphere));
    assert_int_equal(can->host_images, krn_device_is_host(device));
    assert_int_equal(can->host_images, krn_device_stream(device) == NULL);
    assert_int_equal(can->telemetry, strcmp(info->pci_id, "n/a") != 0);
}

static inline void test_same_bytes(const uint8_t *a, const uint8_t *b, struct krn_view view,
                                   const char *what)
{
    const size_t bytes = 4 * (size_t)view.width * (size_t)view.height;
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            fail_msg("%s: byte %zu (pixel %zu, %zu) is %d and %d", what, i,
                     i / 4 % (size_t)view.width, i / 4 / (size_t)view.width, a[i], b[i]);
}

/* Checks that every mode of the book view that can render the device's scene produces the expected
 * bytes. */
static inline void test_every_mode(struct krn_device *device, const uint8_t *expected, int spheres,
                                   struct krn_view view)
{
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        /* On the CPU, all storages share their code and memory. */
        const bool again = krn_device_is_host(device) && mode.storage != KRN_STORAGE_GLOBAL;
        if (again || krn_mode_view(mode) != KRN_VIEW_BOOK ||
            krn_mode_check(mode, spheres, NULL) != KRN_OK)
            continue;
        char what[96], name[48];
        krn_mode_name(mode, name, sizeof name);
        snprintf(what, sizeof what, "%s %s, %d spheres, %dx%d",
                 krn_backend_name(krn_device_describe(device)->backend), name, spheres, view.width,
                 view.height);
        TEST_FREED uint8_t *pixels = test_render_mode(device, mode, view);
        test_same_bytes(expected, pixels, view, what);
    }
}

/* Renders once into an existing image while calls of `which` fail (krn_fail_calls), and returns the
 * result for the caller to check, and in `error` why. */
static inline enum krn_code test_try(struct krn_device *device, struct krn_mode mode,
                                     struct krn_view view, const char *which)
{
    struct krn_image image = test_image(device, view.width, view.height);
    krn_fail_calls(which);
    const enum krn_code code = krn_device_render(device, mode, &view, &image, KRN_UNTIMED, &error);
    krn_fail_calls(NULL);
    struct krn_error ignored;
    assert_int_equal(krn_device_sync(device, &ignored), KRN_OK);
    krn_device_free_image(device, &image);
    return code;
}

/* Makes each allocation (call of `name`) fail in turn that a scene and its bins need. Checks that
 * the device reports it and still renders the previous scene. */
static inline void test_full_memory(struct krn_device *device, const char *name)
{
    const struct krn_mode binned = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    const struct krn_view small = test_view(70, 50), large = test_view(900, 700);
    const struct krn_pose still = krn_pose_at(0.0);
    TEST_SCENE few = test_scene(30, 1, 20, 120), many = test_scene(5000, 2, 5, 50);
    char which[64];
    int refused[2] = {0, 0};
    TEST_OK(krn_device_set_scene(device, &few, &error));
    TEST_OK(krn_device_set_pose(device, still, &error));
    TEST_FREED uint8_t *before = test_render_mode(device, binned, small);
    for (int step = 0; step < 2; step++) {
        enum krn_code code = KRN_NO_MEMORY;
        for (int n = 1; code != KRN_OK; n++) {
            snprintf(which, sizeof which, "%s:%d", name, n);
            if (step == 1)
                krn_fail_calls(which);
            code = step == 0 ? test_try(device, binned, large, which)
                             : krn_device_set_scene(device, &many, &error);
            krn_fail_calls(NULL);
            if (code == KRN_OK)
                break;
            refused[step]++;
            assert_int_equal(code, KRN_NO_MEMORY);
            assert_true(step == 1 || strstr(error.text, "memory") != NULL);
            TEST_FREED uint8_t *after = test_render_mode(device, binned, small);
            test_same_bytes(before, after, small, which);
        }
    }
    TEST_OK(krn_device_set_pose(device, still, &error));
    TEST_OK(test_try(device, binned, large, NULL));
    print_message("refused: %d allocations for a view, %d for a scene\n", refused[0], refused[1]);
    assert_true(refused[0] >= 3 && refused[1] >= 4);
}

/* Scenes and views that could expose an error in a rejection test, in the bins, or in lanes at an
 * edge: odd and tiny images, wide and high ones, spheres smaller than a pixel and larger than the
 * image, zooming out and in, poses, counts and shapes on both sides of every limit, and pictures
 * with many rows. */
static const struct test_case {
    int count;
    float low, high;
    struct krn_view view;
    double time_s;
} test_cases[] = {
    {20, 20, 120, {.width = 1024, .height = 1024, .unit = 1.0f}, 0.0},
    {1, 20, 120, {.width = 1, .height = 1, .unit = 1024.0f}, 0.0},
    {20, 20, 120, {.width = 1000, .height = 700, .unit = 1.3f}, 7.0},
    {2340, 20, 120, {.width = 641, .height = 363, .unit = 2.84f}, 13.0},
    {2341, 20, 120, {.width = 640, .height = 360, .unit = 2.84f}, 13.0},
    {4096, 5, 40, {.width = 515, .height = 257, .unit = 3.9f}, 41.0},
    {4097, 5, 40, {.width = 511, .height = 129, .unit = 4.1f}, 17.0},
    {20000, 1, 4, {.width = 256, .height = 256, .unit = 4.0f}, 29.0},
    {200, 0.01f, 0.5f, {.width = 300, .height = 300, .unit = 0.05f}, 0.0},
    {33, 20, 120, {.width = 3, .height = 700, .unit = 1.5f}, 2.0},
    {31, 20, 120, {.width = 1500, .height = 2, .unit = 0.7f}, 9.0},
    {500, 20, 120, {.width = 97, .height = 61, .unit = 40.0f}, 5.0},
    {700, 0.01f, 0.02f, {.width = 97, .height = 61, .unit = 10.0f}, 5.0},
    {40, 1000, 3000, {.width = 64, .height = 48, .unit = 100.0f}, 50.0},
    {64, 20000, 100000, {.width = 130, .height = 70, .unit = 1.0f}, 33.0},
    {3000, 20, 120, {.width = 33, .height = 17, .unit = 0.001f}, 21.0},
    {1000, 20, 120, {.width = 129, .height = 67, .unit = 1000.0f}, 21.0},
    {20000, 0.5f, 200, {.width = 200, .height = 100, .unit = 10.24f}, 3.0},
    {128, 20, 120, {.width = 517, .height = 71, .unit = 9.0f}, 1.0},
    {129, 20, 120, {.width = 517, .height = 73, .unit = 9.0f}, 1.0},
    {320, 20, 120, {.width = 530, .height = 131, .unit = 7.8f}, 4.0},
    {321, 20, 120, {.width = 530, .height = 133, .unit = 7.7f}, 4.0},
    {128, 20, 120, {.width = 5, .height = 8195, .unit = 0.125f}, 6.0},
    {321, 20, 120, {.width = 5, .height = 8195, .unit = 0.125f}, 6.0},
    {129, 20, 120, {.width = 640, .height = 512, .unit = 2.0f}, 8.0},
    {321, 20, 120, {.width = 641, .height = 512, .unit = 2.0f}, 8.0},
    {512, 20, 120, {.width = 333, .height = 199, .unit = 5.2f}, 11.0},
    {513, 20, 120, {.width = 333, .height = 199, .unit = 5.2f}, 11.0},
};
enum { TEST_CASES = sizeof test_cases / sizeof *test_cases };

/* Returns true when a case is too much for the stand-in for a GPU: TEST_WORK_MAX in the environment
 * limits the pixels times the spheres. */
static inline bool test_is_too_large(const struct test_case *test)
{
    const char *most = getenv("TEST_WORK_MAX");
    return most && (double)test->count * test->view.width * test->view.height > atof(most);
}

/* Compares pixels with the double-precision reference and prints how many were compared. */
static inline void test_against_reference(const uint8_t *pixels, const struct krn_scene *scene,
                                          struct krn_pose pose, struct krn_view view)
{
    struct krn_reference reference;
    TEST_OK(krn_reference_render(&reference, scene, pose, &view, NULL, NULL, &error));
    const struct krn_verdict verdict = krn_reference_compare(&reference, pixels);
    if (verdict.wrong)
        fail_msg("%zu of %zu pixels wrong, first (%d, %d): %d %d %d, expected %d %d %d",
                 verdict.wrong, verdict.compared, verdict.first_x, verdict.first_y,
                 verdict.actual[0], verdict.actual[1], verdict.actual[2], verdict.expected[0],
                 verdict.expected[1], verdict.expected[2]);
    /* A reference that finds everything undecidable would accept any picture. */
    const size_t pixels_all = (size_t)view.width * (size_t)view.height;
    if (verdict.undecidable * 20 > pixels_all)
        fail_msg("%zu of %zu pixels undecidable", verdict.undecidable, pixels_all);
    print_message("%dx%d, %d spheres: %zu pixels compared, %zu undecidable\n", view.width,
                  view.height, scene->count, verdict.compared, verdict.undecidable);
    krn_reference_free(&reference);
}

static inline bool test_goes_on(void *context)
{
    (void)context;
    return true;
}

/* Compares `count` rows, spread over the pixels, with the reference by brute force. */
static inline void test_rows_by_brute_force(const uint8_t *pixels, const struct krn_scene *scene,
                                            struct krn_pose pose, struct krn_view view, int count)
{
    const size_t bytes = 4 * (size_t)view.width;
    TEST_FREED int *rows = test_alloc((size_t)count * sizeof *rows);
    TEST_FREED uint8_t *chosen = test_alloc((size_t)count * bytes);
    struct krn_reference reference;
    for (int r = 0; r < count; r++) {
        rows[r] = (2 * r + 1) * view.height / (2 * count);
        memcpy(chosen + bytes * (size_t)r, pixels + bytes * (size_t)rows[r], bytes);
    }
    TEST_OK(krn_reference_rows(&reference, scene, pose, &view, rows, count, test_goes_on, NULL,
                               &error));
    assert_int_equal(reference.height, count);
    struct krn_verdict verdict = krn_reference_compare(&reference, chosen);
    assert_int_equal(verdict.wrong, 0);
    assert_true(verdict.undecidable * 20 <= verdict.compared);
    chosen[bytes * (size_t)(count - 1)] ^= 0x80;
    reference.undecidable[(size_t)(count - 1) * (size_t)view.width] = 0;
    verdict = krn_reference_compare(&reference, chosen);
    assert_true(verdict.wrong == 1 && verdict.first_x == 0 && verdict.first_y == count - 1);
    krn_reference_free(&reference);
}
