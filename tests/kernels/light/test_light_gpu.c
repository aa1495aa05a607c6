/* Compares every kernel and storage of the CUDA backend's light view with a plain rendering by the
 * mathematics of a ray, and its numbers of rays with a plain count; and the probes that measure the
 * view by bounces. Skipped without a CUDA device; also runs on the stand-in. */
#include "core/device/backend.h"

#include "found.h"
#include "plain_light.h"
#include "processors.h"

#include "gpu.h"

#include <limits.h>
#include <math.h>

/* Compares the pictures and the numbers of rays of every mode that can render the scene, and the
 * heat map. The modes are asked, not the device, which refuses one whose launcher is missing. */
static void compare(const struct krn_scene *scene, double time_s, struct krn_view view)
{
    const struct krn_pose pose = krn_pose_at(time_s);
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    struct plain_picture expected = plain_picture_of(scene, pose, &view, true);
    TEST_OK(krn_device_set_scene(cuda, scene, &error));
    TEST_OK(krn_device_set_pose(cuda, pose, &error));
    int compared = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        if (krn_mode_view(mode) != KRN_VIEW_LIGHT ||
            krn_mode_check(mode, scene->count, NULL) != KRN_OK)
            continue;
        char what[96], name[48];
        krn_mode_name(mode, name, sizeof name);
        snprintf(what, sizeof what, "%s, %d spheres, %dx%d", name, scene->count, view.width,
                 view.height);
        TEST_FREED uint8_t *pixels = test_render_mode(cuda, mode, view);
        test_same_bytes(expected.pixels, pixels, view, what);
        compared++;
    }
    assert_true(compared >= 4);
    plain_picture_same_rays(&expected, cuda, tree, view, "the heat map");
    plain_picture_free(&expected);
}

static struct krn_view light_view(int width, int height, int bounces, int samples)
{
    struct krn_view view = test_view(width, height);
    view.light = krn_light_default();
    view.light.bounces = bounces;
    view.light.samples = samples;
    return view;
}

/* Sizes on both sides of tiles, blocks, groups, stages and the constant bank; cameras above, near
 * and within the spheres. */
TEST(same_bytes_as_a_plain_rendering)
{
    static const struct {
        int count;
        float low, high;
        int width, height, bounces, samples;
        struct krn_camera camera;
        double time_s;
    } cases[] = {
        {1, 20, 120, 1, 1, 4, 1, {0.0f, 12.0f, 3.4f}, 0.0},
        {3, 200, 400, 17, 9, 8, 4, {20.0f, 5.0f, 2.0f}, 1.0},
        {20, 20, 120, 97, 61, 4, 1, {0.0f, 12.0f, 3.4f}, 0.0},
        {20, 20, 120, 23, 15, 8, 16, {-130.0f, 70.0f, 1.2f}, 9.0},
        {63, 50, 150, 33, 49, 1, 4, {180.0f, 89.0f, 1.0f}, 13.0},
        {300, 5, 80, 64, 40, 0, 1, {75.0f, 1.0f, 2.0f}, 17.0},
        {511, 20, 90, 32, 24, 8, 1, {-10.0f, 30.0f, 0.5f}, 23.0},
        {513, 20, 90, 32, 24, 8, 1, {-10.0f, 30.0f, 0.5f}, 23.0},
        {2048, 5, 40, 24, 16, 3, 1, {40.0f, 20.0f, 1.5f}, 31.0},
        {2049, 5, 40, 24, 16, 3, 1, {40.0f, 20.0f, 1.5f}, 31.0},
        {5000, 1, 20, 24, 16, 2, 1, {-60.0f, 10.0f, 2.0f}, 37.0},
        {50000, 1, 8, 24, 16, 2, 1, {0.0f, 12.0f, 3.4f}, 9.0},
        {40, 1000, 3000, 32, 24, 8, 1, {0.0f, 12.0f, 0.6f}, 41.0},
        {700, 0.01f, 0.5f, 32, 24, 4, 1, {0.0f, 12.0f, 3.4f}, 5.0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        TEST_SCENE scene = test_scene(cases[c].count, c + 1, cases[c].low, cases[c].high);
        struct krn_view view =
            light_view(cases[c].width, cases[c].height, cases[c].bounces, cases[c].samples);
        view.light.camera = cases[c].camera;
        compare(&scene, cases[c].time_s, view);
    }
}

/* Of equal distances the smallest number wins: spheres that lie in the same place, and others on
 * one line, in all colours. */
TEST(the_first_of_equal_spheres_wins)
{
    TEST_SCENE scene = test_scene(96, 7, 60, 160);
    for (int s = 32; s < 96; s++) {
        const struct krn_sphere own = scene.spheres[s];
        scene.spheres[s] = scene.spheres[s % 32];
        scene.spheres[s].r = own.r;
        scene.spheres[s].g = own.g;
    }
    compare(&scene, 3.0, light_view(48, 32, 4, 1));
    for (int s = 0; s < 96; s++) {
        scene.spheres[s].x = (float)(s / 2) * 10.0f;
        scene.spheres[s].y = scene.spheres[s].z = 0.0f;
        scene.spheres[s].radius = 30.0f;
    }
    compare(&scene, 0.0, light_view(48, 32, 4, 1));
    for (int s = 0; s < 96; s++)
        scene.spheres[s].x = 0.0f;
    compare(&scene, 0.0, light_view(48, 32, 4, 1));
}

/* A scene of the caller's own may have no mirrors. */
TEST(no_mirrors_are_no_mirrors)
{
    TEST_SCENE scene = test_scene(50, 3, 50, 150);
    const struct krn_scene matt = {.spheres = scene.spheres, .count = scene.count};
    const struct krn_view view = light_view(40, 24, 8, 1);
    struct krn_rays rays;
    compare(&scene, 0.0, view);
    TEST_OK(krn_device_rays(cuda, &view, &rays, &error));
    assert_true(rays.traced[1] > 0);
    compare(&matt, 0.0, view);
    TEST_OK(krn_device_rays(cuda, &view, &rays, &error));
    assert_true(rays.traced[0] == 40 * 24 && rays.traced[1] == 0);
}

/* Overhead and the kernels' attributes are known for every mode, and a batch renders. */
TEST(launches_are_described)
{
    TEST_SCENE scene = test_scene(600, 5, 20, 80);
    const struct krn_view view = light_view(40, 24, 1, 1);
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    struct krn_image image = test_image(cuda, view.width, view.height);
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        struct krn_kernels kernels;
        struct krn_overhead overhead;
        double ms = -1.0;
        if (krn_mode_view(mode) != KRN_VIEW_LIGHT ||
            krn_mode_check(mode, scene.count, NULL) != KRN_OK)
            continue;
        TEST_OK(krn_device_kernels(cuda, mode, &view, &kernels, &error));
        const struct krn_kernel_attributes *const last = krn_kernels_main(&kernels);
        assert_non_null(last);
        assert_true(last->threads == 128 && last->blocks == 9.0);
        assert_true((kernels.count > 1) == krn_kernel_describe(mode.kernel)->bins);
        TEST_OK(krn_device_overhead(cuda, mode, &view, &overhead, &error));
        assert_true(overhead.ms > 0.0);
        TEST_OK(krn_device_render_batch(cuda, mode, &view, &image, 3, &ms, &error));
    }
    krn_device_free_image(cuda, &image);
}

TEST(still_pictures_build_their_tree)
{
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_READONLY, 1};
    TEST_SCENE scene = test_scene(3000, 3, 5, 20);
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    test_builds_every_frame(cuda, tree);
}

/* Each allocation that the first frame of a scene needs fails in turn: a sentence says so, and the
 * next frame is right. */
TEST(full_memory_is_no_harm)
{
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_READONLY, 1};
    const struct krn_pose still = {1.0f, 0.0f};
    const struct krn_view view = light_view(24, 16, 2, 1);
    TEST_SCENE scene = test_scene(200, 9, 20, 90);
    struct plain_picture expected = plain_picture_of(&scene, still, &view, true);
    int refused = 0;
    enum krn_code code = KRN_NO_MEMORY;
    while (code != KRN_OK) {
        char which[32];
        snprintf(which, sizeof which, "cudaMalloc:%d", refused + 1);
        TEST_OK(krn_device_set_scene(cuda, &scene, &error));
        code = test_try(cuda, tree, view, which);
        if (code != KRN_OK) {
            TEST_FAILS(code, KRN_NO_MEMORY, "memory");
            refused++;
        }
        TEST_FREED uint8_t *pixels = test_render_mode(cuda, tree, view);
        test_same_bytes(expected.pixels, pixels, view, which);
    }
    plain_picture_free(&expected);
    assert_int_equal(refused, 3 + 8); /* the spheres' forms, and the tree */
}

/* Returns the probe of a series of the topic of bounces. */
static const struct krn_probe *probe_of(const struct krn_probes *probes, const char *series, int x)
{
    const int index = found_probe(probes, KRN_TOPIC_BOUNCES, series, x);
    assert_true(index >= 0);
    return krn_probes_at(probes, index);
}

/* Counts the rays of the topic's picture, of side x side pixels. */
static struct krn_rays rays_of_mirrors(int side)
{
    struct krn_scene_recipe recipe = krn_scene_book();
    TEST_SCENE scene = {.spheres = NULL};
    struct krn_rays rays;
    struct krn_view view = light_view(side, side, KRN_BOUNCES_MAX, 1);
    recipe.count = 500;
    TEST_OK(krn_scene_generate(&scene, &recipe, &error));
    for (int s = 0; s < scene.count; s++)
        scene.mirrors[s] = 0.85f;
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    TEST_OK(krn_device_rays(cuda, &view, &rays, &error));
    return rays;
}

/* The lanes of a warp read one sphere at a time in the brute kernel, and several nodes in the tree
 * kernel, in more and more reads from the first to the second bounce. A count is the same every
 * time. */
TEST(reads_are_counted)
{
    TEST_PROBES *probes = NULL, *again = NULL;
    TEST_OK(krn_probes_open(cuda, 1u << KRN_TOPIC_BOUNCES, 0, &probes, &error));
    TEST_OK(krn_probes_open(cuda, 1u << KRN_TOPIC_BOUNCES, 0, &again, &error));
    const struct krn_probe *first = probe_of(probes, "tree/global", 0);
    const int pixels = first->blocks * first->threads, side = (int)(sqrt(pixels) + 0.5);
    const struct krn_rays rays = rays_of_mirrors(side);
    double sum = 0.0;
    for (int bounces = 0; bounces <= KRN_BOUNCES_MAX; bounces++) {
        const struct krn_probe *tree = probe_of(probes, "tree/constant", bounces),
                               *brute = probe_of(probes, "brute/constant", bounces);
        sum += (double)(rays.traced[bounces] + rays.shadow[bounces]);
        assert_true(tree->operations == sum && brute->operations == sum);
        assert_true(brute->uniform == 1.0 && brute->addresses == 1.0);
        assert_true(tree->uniform > 0.0 && tree->uniform < 1.0);
        assert_true(tree->addresses > 1.0 && tree->addresses < 32.0);
        assert_true(tree->uniform == probe_of(again, "tree/constant", bounces)->uniform);
        assert_true(tree->addresses == probe_of(again, "tree/global", bounces)->addresses);
    }
    assert_true(probe_of(probes, "tree/constant", 1)->uniform < first->uniform);
    assert_true(probe_of(probes, "tree/constant", 1)->addresses > first->addresses);
}

/* Each probe's picture is that of the reference, and a damaged one is noticed. */
TEST(probes_of_bounces_are_verified)
{
    static const char *const series[] = {"tree/constant", "tree/global", "brute/constant",
                                         "brute/global"};
    TEST_PROBES *probes = NULL;
    TEST_OK(krn_probes_open(cuda, 1u << KRN_TOPIC_BOUNCES, 0, &probes, &error));
    for (size_t s = 0; s < sizeof series / sizeof *series; s++)
        for (int bounces = 0; bounces <= KRN_BOUNCES_MAX; bounces += KRN_BOUNCES_MAX / 2) {
            struct krn_check check;
            TEST_OK(krn_probe_verify(probes,
                                     found_probe(probes, KRN_TOPIC_BOUNCES, series[s], bounces),
                                     &check, &error));
            if (check.wrong > 0.0 || !(check.compared > 0.0))
                fail_msg("%s, %d bounces: %g of %g pixels are wrong", series[s], bounces,
                         check.wrong, check.compared);
        }
}

/* With less memory, the topic's pictures are smaller, and right; with very little, only this topic
 * is missing, or, where the other one needs as much (it grows with the GPU), nothing opens. On few
 * processors, 1 MiB is enough for the largest pictures. */
TEST_WITH(bounces_need_little_memory, NULL, test_restore_processors)
{
    static const unsigned topics = 1u << KRN_TOPIC_BOUNCES | 1u << KRN_TOPIC_ATOMICS;
    int side_before = INT_MAX, sizes = 0, absent = 0;
    bool refused = false;
    test_raise_processors(cuda, 8);
    const int most = cuda->info.processors > 8 ? 24 : 20;
    for (int shift = most; shift >= 18 && !refused; shift--) {
        TEST_PROBES *probes = NULL;
        struct krn_check check;
        const enum krn_code code =
            krn_probes_open(cuda, topics, (size_t)1 << shift, &probes, &error);
        refused = code == KRN_NO_MEMORY && sizes > 1;
        if (refused)
            continue;
        TEST_OK(code);
        assert_true(found_probe(probes, KRN_TOPIC_ATOMICS, "global/one", 32.0) >= 0);
        const int index = found_probe(probes, KRN_TOPIC_BOUNCES, "tree/constant", 2);
        if (index < 0) {
            absent++;
        } else {
            const struct krn_probe *probe = krn_probes_at(probes, index);
            const int side = (int)(sqrt(probe->blocks * probe->threads) + 0.5);
            assert_true(absent == 0 && side <= side_before);
            TEST_OK(krn_probe_verify(probes, index, &check, &error));
            assert_true(check.wrong == 0.0 && check.compared > 0.0);
            sizes += side < side_before;
            side_before = side;
        }
    }
    assert_true(sizes > 1 && (absent > 0 || refused));
}

/* The constant bank of the picture on screen is not that of the probes. */
TEST(probes_leave_the_picture_alone)
{
    const struct krn_mode constant = {KRN_KERNEL_TREE, KRN_STORAGE_CONSTANT, 1};
    TEST_SCENE scene = test_scene(100, 13, 40, 120);
    const struct krn_view view = light_view(32, 24, 4, 1);
    TEST_PROBES *probes = NULL;
    struct krn_check unread;
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    TEST_FREED uint8_t *before = test_render_mode(cuda, constant, view);
    TEST_OK(krn_probes_open(cuda, 1u << KRN_TOPIC_BOUNCES, 0, &probes, &error));
    TEST_OK(krn_probe_verify(probes, found_probe(probes, KRN_TOPIC_BOUNCES, "tree/constant", 0),
                             &unread, &error));
    TEST_FREED uint8_t *after = test_render_mode(cuda, constant, view);
    test_same_bytes(before, after, view, "tree/constant after a probe");
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, NULL, NULL);
}
