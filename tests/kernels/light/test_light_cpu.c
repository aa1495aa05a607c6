/* The light view on the CPU backend: both kernels, on every instruction-set level and with several
 * numbers of threads, give the bytes and the counts of rays of a plain loop over the definition in
 * core/light/light.h. */
#include "plain_light.h"

static const struct krn_mode brute = {KRN_KERNEL_BRUTE, KRN_STORAGE_GLOBAL, 1},
                             tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};

static const char *const levels[] = {"base", "v2", "v3", "v4"};
static const char *const threads[] = {"1", "3", "8"};
enum { LEVELS = sizeof levels / sizeof *levels, TEAMS = sizeof threads / sizeof *threads };
static struct krn_device *devices[LEVELS + TEAMS];

static void set(struct krn_device *device, const struct krn_scene *scene, struct krn_pose pose)
{
    TEST_OK(krn_device_set_scene(device, scene, &error));
    TEST_OK(krn_device_set_pose(device, pose, &error));
}

static void compare_mode(struct krn_device *device, struct krn_mode mode, const uint8_t *expected,
                         struct krn_view view, const char *what)
{
    char name[48], text[160];
    krn_mode_name(mode, name, sizeof name);
    snprintf(text, sizeof text, "%s, %s, %s", what, krn_device_describe(device)->runtime, name);
    TEST_FREED uint8_t *pixels = test_render_mode(device, mode, view);
    test_same_bytes(expected, pixels, view, text);
}

/* Compares all devices with the definition. */
static void compare(const struct krn_scene *scene, double time_s, struct krn_view view,
                    const char *what)
{
    const struct krn_pose pose = krn_pose_at(time_s);
    struct plain_picture expected = plain_picture_of(scene, pose, &view, true);
    for (int d = 0; d < LEVELS + TEAMS; d++) {
        set(devices[d], scene, pose);
        compare_mode(devices[d], tree, expected.pixels, view, what);
        compare_mode(devices[d], brute, expected.pixels, view, what);
        plain_picture_same_rays(&expected, devices[d], d % 2 ? tree : brute, view, what);
    }
    plain_picture_free(&expected);
}

static struct krn_view view_of(int width, int height, float yaw, float pitch, float distance,
                               int bounces, int samples)
{
    struct krn_view view = test_view(width, height);
    view.light = (struct krn_light){{yaw, pitch, distance}, bounces, samples};
    return view;
}

TEST(random_scenes)
{
    static const struct {
        int count;
        float low, high;
        int width, height;
        double time_s;
        float yaw, pitch, distance;
        int bounces, samples;
    } cases[] = {
        {20, 20, 120, 128, 72, 0.0, 0.0f, 12.0f, 3.4f, 4, 1},
        {20, 20, 120, 61, 47, 17.0, -130.0f, 1.0f, 0.5f, 8, 4},
        {1, 20, 120, 33, 19, 0.0, 0.0f, 12.0f, 3.4f, 1, 16},
        {1, 0.01f, 0.01f, 17, 1, 3.0, 90.0f, 89.0f, 8.0f, 0, 1},
        {8, 20, 120, 1, 17, 0.0, 180.0f, 45.0f, 2.0f, 4, 1},
        {9, 20, 120, 40, 30, 0.0, -180.0f, 30.0f, 2.0f, 4, 1},
        {65, 20, 120, 50, 41, 5.0, 45.0f, 20.0f, 1.2f, 8, 1},
        {513, 5, 40, 65, 31, 29.0, 77.0f, 35.0f, 2.2f, 4, 1},
        {2340, 20, 120, 48, 27, 41.0, -20.0f, 12.0f, 3.4f, 4, 1},
        {20000, 1, 4, 24, 14, 13.0, 10.0f, 12.0f, 2.0f, 8, 1},
        {300, 0.01f, 400, 48, 33, 7.0, 10.0f, 12.0f, 1.5f, 4, 1},
        {40, 20000, 100000, 40, 30, 50.0, 0.0f, 12.0f, 3.4f, 8, 1},
        {120, 300, 600, 40, 30, 2.0, 3.0f, 60.0f, 0.6f, 8, 1},
        /* The build arranges more than one piece of the tree. */
        {1100, 5, 40, 160, 112, 23.0, 50.0f, 20.0f, 2.2f, 4, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char what[64];
        TEST_SCENE scene = test_scene(cases[c].count, c + 1, cases[c].low, cases[c].high);
        snprintf(what, sizeof what, "case %zu", c);
        compare(&scene, cases[c].time_s,
                view_of(cases[c].width, cases[c].height, cases[c].yaw, cases[c].pitch,
                        cases[c].distance, cases[c].bounces, cases[c].samples),
                what);
    }
}

/* Spheres in one place, of which the first wins; spheres that touch, in rows along the axes; one
 * far away from all others; mirrors everywhere. */
TEST(built_scenes)
{
    const struct krn_view view = view_of(64, 40, 0.0f, 12.0f, 3.0f, 8, 1);
    TEST_SCENE scene = test_scene(60, 1, 20, 120);
    for (int s = 0; s < scene.count; s++) {
        scene.spheres[s].x = scene.spheres[s].y = scene.spheres[s].z = 0.0f;
        scene.spheres[s].radius = s % 3 == 0 ? 100.0f : 80.0f;
    }
    compare(&scene, 0.0, view, "one place");
    for (int s = 0; s < scene.count; s++) {
        const int row = s / 20, place = s % 20;
        scene.spheres[s].radius = 10.0f;
        scene.spheres[s].x = row == 0 ? 20.0f * (float)place : 0.0f;
        scene.spheres[s].y = row == 1 ? 20.0f * (float)place : 0.0f;
        scene.spheres[s].z = row == 2 ? 20.0f * (float)place : 0.0f;
        scene.mirrors[s] = 1.0f;
    }
    compare(&scene, 0.0, view, "axes of mirrors");
    scene.spheres[59].x = 1e6f;
    compare(&scene, 11.0, view_of(64, 40, 0.0f, 1.0f, 0.5f, 8, 1), "one far away");
}

/* Far above the origin, a coordinate is rounded to more than a sphere's radius: boxes still hold
 * their spheres, and no colour leaves the table. */
TEST(far_scenes)
{
    static const struct {
        float height, radius, spread;
    } scenes[] = {{656022.0f, 0.06f, 1.0f}, {900000.0f, 0.09f, 2.0f}, {300000.0f, 0.05f, 1.0f}};
    for (size_t c = 0; c < sizeof scenes / sizeof *scenes; c++) {
        TEST_SCENE scene = test_scene(120, c + 1, 20, 120);
        for (int s = 0; s < scene.count; s++) {
            struct krn_sphere *sphere = &scene.spheres[s];
            sphere->x *= scenes[c].spread / 500.0f;
            sphere->z *= scenes[c].spread / 500.0f;
            sphere->y = scenes[c].height + sphere->y * (scenes[c].spread / 500.0f);
            sphere->radius = scenes[c].radius;
            sphere->r = sphere->g = sphere->b = 0.05f;
        }
        compare(&scene, 0.0, view_of(160, 100, 163.0f, 56.0f, 0.6f, 4, 1), "far above");
        compare(&scene, 0.0, view_of(160, 100, 163.0f, 9.0f, 1.6f, 4, 1), "far above, level");
    }
}

/* Larger pictures: the two kernels agree on everything that the definition would take too long
 * for, and a scene keeps its picture when others come between. */
TEST(both_kernels_agree)
{
    static const struct {
        int count;
        float low, high;
    } scenes[] = {{20, 20, 120}, {488, 20, 120}, {2000, 3, 30}, {5000, 3, 12}, {30000, 2, 6}};
    struct krn_device *device = devices[LEVELS - 1];
    for (size_t c = 0; c < sizeof scenes / sizeof *scenes; c++) {
        const int side = scenes[c].count > 2000 ? 80 : 300;
        const struct krn_view view = view_of(side + 1, side, 33.0f, 15.0f, 2.0f, 4, 1);
        TEST_SCENE scene = test_scene(scenes[c].count, 9, scenes[c].low, scenes[c].high);
        for (int pose = 0; pose < 3; pose++) {
            set(device, &scene, krn_pose_at(7.5 * pose));
            TEST_FREED uint8_t *pixels = test_render_mode(device, brute, view);
            compare_mode(device, tree, pixels, view, "large");
            compare_mode(device, brute, pixels, view, "again");
        }
    }
}

/* A scene without mirrors gives no reflected ray, and no bounces give none either. */
TEST(rays_are_counted)
{
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    struct krn_rays rays;
    struct krn_view view = view_of(100, 50, 0.0f, 12.0f, 3.4f, 4, 4);
    set(devices[0], &scene, krn_pose_at(0.0));
    TEST_OK(krn_device_rays(devices[0], &view, &rays, &error));
    assert_true(rays.traced[0] == 4 * 100 * 50);
    assert_true(rays.traced[1] > 0 && rays.traced[1] < rays.traced[0]);
    assert_true(rays.shadow[0] > 0 && rays.shadow[0] <= rays.traced[0]);
    assert_true(rays.traced[5] == 0);
    view.light.bounces = 0;
    TEST_OK(krn_device_rays(devices[0], &view, &rays, &error));
    assert_true(rays.traced[0] == 4 * 100 * 50 && rays.traced[1] == 0 && rays.shadow[1] == 0);
    view.light.bounces = 4;
    free(scene.mirrors);
    scene.mirrors = NULL;
    compare(&scene, 0.0, view, "no mirrors");
    TEST_OK(krn_device_rays(devices[0], &view, &rays, &error));
    assert_true(rays.traced[1] == 0);
}

TEST(requests_are_refused)
{
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    struct krn_view view = view_of(32, 32, 0.0f, 12.0f, 3.4f, 4, 1);
    struct krn_rays rays;
    struct krn_heat_costs costs;
    struct krn_device *device = devices[0];
    set(device, &scene, krn_pose_at(0.0));
    struct krn_image image = test_image(device, 32, 32);
    assert_int_equal(krn_device_heat(device, tree, &view, KRN_HEAT_TESTS, &image, &costs, &error),
                     KRN_REFUSED);
    assert_non_null(strstr(error.text, "tree kernel"));
    view.light.samples = 3;
    assert_int_equal(krn_device_render(device, brute, &view, &image, 0, &error), KRN_REFUSED);
    assert_int_equal(krn_device_rays(device, &view, &rays, &error), KRN_REFUSED);
    krn_device_free_image(device, &image);
}

TEST(still_pictures_build_their_tree)
{
    TEST_SCENE scene = test_scene(20000, 3, 2, 10);
    set(devices[0], &scene, krn_pose_at(0.0));
    test_builds_every_frame(devices[0], tree);
}

/* Each allocation fails in turn; the device reports it and works afterwards. */
TEST(full_memory_is_no_harm)
{
    TEST_DEVICE *device = NULL;
    TEST_SCENE few = test_scene(30, 1, 20, 120), many = test_scene(3000, 2, 5, 20);
    const struct krn_view view = view_of(64, 48, 0.0f, 12.0f, 3.4f, 4, 1);
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    set(device, &few, krn_pose_at(0.0));
    TEST_FREED uint8_t *before = test_render_mode(device, brute, view);
    int refused = 0;
    for (int n = 1;; n++) {
        char which[32];
        set(device, &many, krn_pose_at(0.0));
        snprintf(which, sizeof which, "aligned_alloc:%d", n);
        const enum krn_code code = test_try(device, tree, view, which);
        if (code == KRN_OK)
            break;
        refused++;
        TEST_FAILS(code, KRN_NO_MEMORY, "memory");
        set(device, &few, krn_pose_at(0.0));
        compare_mode(device, brute, before, view, which);
        compare_mode(device, tree, before, view, which);
    }
    print_message("refused: %d allocations\n", refused);
    assert_true(refused >= 6);
}

static struct krn_device *connect(const char *variable, const char *value)
{
    struct krn_device *device = NULL;
    setenv(variable, value, 1);
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    unsetenv(variable);
    return device;
}

static int connect_all(void **state)
{
    (void)state;
    for (int i = 0; i < LEVELS; i++)
        devices[i] = connect("SPHERESCOPE_CPU_LEVEL", levels[i]);
    for (int i = 0; i < TEAMS; i++)
        devices[LEVELS + i] = connect("OMP_NUM_THREADS", threads[i]);
    for (int d = 0; d < LEVELS + TEAMS; d++)
        print_message("%s, %d threads\n", krn_device_describe(devices[d])->runtime,
                      krn_device_describe(devices[d])->processors);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int d = 0; d < LEVELS + TEAMS; d++)
        krn_device_close(devices[d]);
    return 0;
}

int main(void)
{
    return tests_run(connect_all, close_all);
}
