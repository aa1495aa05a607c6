/* Tests of the light view's arithmetic and of its reference: pictures rendered in float, by testing
 * every ray against every sphere, agree with the reference; wrong pictures do not. */
#include "plain_light.h"

/* A scene and a view of it. */
static const struct shot {
    const char *name;
    int count;
    float low, high; /* radii */
    float spread;    /* factor of the coordinates, which lie in -500..500 */
    float yaw, pitch, distance;
    int width, height, bounces, samples;
    double time_s;
} shots[] = {
    {"book", 20, 20, 120, 1, 0, 12, 3.4f, 160, 120, 4, 1, 0},
    {"book, no bounce", 20, 20, 120, 1, 0, 12, 3.4f, 160, 120, 0, 1, 3},
    {"book, one bounce", 20, 20, 120, 1, 50, 20, 3.0f, 160, 120, 1, 1, 5},
    {"book, 8 bounces", 20, 20, 120, 1, -120, 12, 3.0f, 160, 120, 8, 1, 17},
    {"book, 4 samples", 20, 20, 120, 1, 170, 12, 3.0f, 160, 120, 4, 4, 0},
    {"book, 16 samples", 20, 20, 120, 1, 20, 12, 3.0f, 100, 75, 2, 16, 29},
    {"2000 small", 2000, 4, 20, 1, 10, 15, 3.0f, 160, 120, 4, 1, 11},
    {"huge", 40, 1000, 3000, 1, 0, 12, 3.0f, 120, 90, 4, 1, 9},
    {"greatest radii", 60, 20000, 100000, 1, 30, 3, 1.0f, 120, 90, 4, 1, 9},
    {"tiny", 500, 0.01f, 0.5f, 1, 0, 12, 0.6f, 120, 90, 4, 1, 13},
    {"tiny and near", 300, 0.01f, 0.02f, 0.001f, 0, 12, 1.5f, 120, 90, 4, 1, 13},
    {"overlapping", 300, 60, 200, 1, -30, 30, 2.0f, 120, 90, 8, 1, 23},
    {"near", 20, 20, 120, 1, 77, 1, 0.5f, 160, 120, 4, 1, 31},
    {"steep", 20, 20, 120, 1, -90, 89, 2.0f, 160, 120, 4, 1, 37},
    {"far", 20, 20, 120, 1, 180, 5, 8.0f, 160, 120, 8, 1, 41},
    {"far apart", 200, 50000, 100000, 2000, 15, 12, 2.0f, 120, 90, 4, 1, 43},
    {"one", 1, 100, 100, 1, -52, 48, 6.0f, 120, 90, 8, 1, 0},
};
enum { SHOTS = sizeof shots / sizeof *shots, SAMPLES_16 = 5, HEAVY };

/* The picture of the last render(). */
static uint8_t *picture;

/* Faults that a picture can have. */
enum fault { NO_FAULT, NO_SHADOWS };

static struct krn_view view_of(const struct shot *shot)
{
    struct krn_view view = test_view(shot->width, shot->height);
    view.light.camera.yaw = shot->yaw;
    view.light.camera.pitch = shot->pitch;
    view.light.camera.distance = shot->distance;
    view.light.bounces = shot->bounces;
    view.light.samples = shot->samples;
    return view;
}

static struct krn_scene scene_of(const struct shot *shot)
{
    struct krn_scene scene = test_scene(shot->count, 7, shot->low, shot->high);
    for (int i = 0; i < scene.count; i++) {
        scene.spheres[i].x *= shot->spread;
        scene.spheres[i].y *= shot->spread;
        scene.spheres[i].z *= shot->spread;
    }
    return scene;
}

static void render(const struct krn_scene *scene, struct krn_pose pose, const struct krn_view *view,
                   enum fault fault)
{
    const struct plain_picture made = plain_picture_of(scene, pose, view, fault != NO_SHADOWS);
    free(made.pixel_rays);
    free(picture);
    picture = made.pixels;
}

/* Compares a picture with the reference of a scene. */
static struct krn_verdict judged(const struct krn_scene *scene, struct krn_pose pose,
                                 const struct krn_view *view, const uint8_t *rgba)
{
    struct krn_verdict verdict;
    TEST_OK(krn_reference_light(scene, pose, view, rgba, NULL, NULL, &verdict, &error));
    return verdict;
}

TEST(test_shots)
{
    for (int n = 0; n < SHOTS; n++) {
        const struct shot *shot = &shots[n];
        const struct krn_pose pose = krn_pose_at(shot->time_s);
        const struct krn_view view = view_of(shot);
        const size_t pixels = (size_t)shot->width * (size_t)shot->height;
        TEST_SCENE scene = scene_of(shot);
        TEST_OK(krn_scene_check(&scene, &error));
        render(&scene, pose, &view, NO_FAULT);
        const struct krn_verdict verdict = judged(&scene, pose, &view, picture);
        print_message("%s: %zu compared, %zu undecidable\n", shot->name, verdict.compared,
                      verdict.undecidable);
        if (verdict.wrong)
            fail_msg("%s: %zu pixels wrong, first (%d, %d): %d %d %d, expected %d %d %d",
                     shot->name, verdict.wrong, verdict.first_x, verdict.first_y, verdict.actual[0],
                     verdict.actual[1], verdict.actual[2], verdict.expected[0], verdict.expected[1],
                     verdict.expected[2]);
        assert_true(verdict.undecidable * 200 <= verdict.compared);
        assert_true(verdict.compared + verdict.undecidable == pixels || n == SAMPLES_16 ||
                    n == HEAVY);
    }
}

/* Renders a scene with a fault and returns the number of pixels that differ from the right one. */
static size_t wrong_in(const struct krn_scene *scene, struct krn_pose pose,
                       const struct krn_view *view, enum fault fault)
{
    TEST_SCENE right = scene_of(&shots[0]);
    const struct krn_view right_view = view_of(&shots[0]);
    render(scene, pose, view, fault);
    return judged(&right, krn_pose_at(5.0), &right_view, picture).wrong;
}

/* A reference that accepts every picture would prove nothing. */
TEST(test_wrong_pictures)
{
    const struct krn_pose pose = krn_pose_at(5.0);
    const struct krn_view view = view_of(&shots[0]);
    TEST_SCENE scene = scene_of(&shots[0]);
    assert_int_equal(wrong_in(&scene, pose, &view, NO_FAULT), 0);
    assert_true(wrong_in(&scene, pose, &view, NO_SHADOWS) > 200);
    assert_true(wrong_in(&scene, krn_pose_at(5.05), &view, NO_FAULT) > 100);

    struct krn_view fewer = view;
    fewer.light.bounces--;
    assert_true(wrong_in(&scene, pose, &fewer, NO_FAULT) > 0);
    fewer.light.bounces = 0;
    assert_true(wrong_in(&scene, pose, &fewer, NO_FAULT) > 100);

    int seen = 0;
    for (int i = 0; i < scene.count; i++) {
        const struct krn_sphere sphere = scene.spheres[i];
        const float mirror = scene.mirrors[i];
        scene.spheres[i].g = 0.5f * sphere.g;
        seen += wrong_in(&scene, pose, &view, NO_FAULT) > 0;
        scene.spheres[i] = sphere;
        scene.mirrors[i] = mirror > 0.0f ? mirror - 0.1f : 0.1f;
        seen += wrong_in(&scene, pose, &view, NO_FAULT) > 0;
        scene.mirrors[i] = mirror;
    }
    print_message("%d of %d changed spheres are seen\n", seen, 2 * scene.count);
    assert_true(seen > scene.count); /* of two changes per sphere; some spheres are hidden */
}

/* Of a picture that would take too long, rows everywhere are compared, with the first and the last.
 */
TEST(test_samples)
{
    struct shot heavy = shots[HEAVY];
    heavy.samples = 4;
    const struct krn_pose pose = krn_pose_at(heavy.time_s);
    const struct krn_view view = view_of(&heavy);
    const int rows[][2] = {{0, 1}, {119, 120}, {40, 48}, {0, 120}};
    TEST_SCENE scene = scene_of(&heavy);
    render(&scene, pose, &view, NO_FAULT);
    const struct krn_verdict right = judged(&scene, pose, &view, picture);
    const size_t looked_at = right.compared + right.undecidable;
    assert_true(right.wrong == 0 && looked_at >= 64 * 50 && looked_at < 160 * 120 / 4);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        for (int p = 160 * rows[n][0]; p < 160 * rows[n][1]; p++)
            picture[4 * p + 3] = 0;
        const struct krn_verdict wrong = judged(&scene, pose, &view, picture);
        assert_in_range(wrong.first_y, rows[n][0], rows[n][1] - 1);
        assert_true(wrong.wrong >= 50 && (n < 3 || wrong.wrong == wrong.compared));
        for (int p = 0; p < 160 * 120; p++)
            picture[4 * p + 3] = 255;
    }
}

/* The picture of a scene without mirrors is the same with and without bounces. */
TEST(test_no_mirrors)
{
    struct krn_view view = view_of(&shots[0]);
    TEST_SCENE scene = scene_of(&shots[0]);
    float *const mirrors = scene.mirrors;
    memset(mirrors, 0, (size_t)scene.count * sizeof *mirrors);
    render(&scene, krn_pose_at(0.0), &view, NO_FAULT);
    scene.mirrors = NULL;
    assert_int_equal(judged(&scene, krn_pose_at(0.0), &view, picture).wrong, 0);
    view.light.bounces = 0;
    assert_int_equal(judged(&scene, krn_pose_at(0.0), &view, picture).wrong, 0);
    scene.mirrors = mirrors;
}

static bool count_down(void *context)
{
    int *left = context;
    return (*left)-- > 0;
}

TEST(test_stops)
{
    const struct krn_view view = view_of(&shots[0]);
    TEST_SCENE scene = test_scene(20000, 1, 1, 4);
    struct krn_verdict verdict;
    for (int calls = 0; calls < 40; calls += 3) {
        int left = calls;
        TEST_FAILS(krn_reference_light(&scene, krn_pose_at(0.0), &view, picture, count_down, &left,
                                       &verdict, &error),
                   KRN_REFUSED, "cancelled");
        assert_int_equal(left, -1);
    }
    krn_cancel();
    TEST_FAILS(
        krn_reference_light(&scene, krn_pose_at(0.0), &view, picture, NULL, NULL, &verdict, &error),
        KRN_CANCELLED, "cancelled");
    krn_cancel_end();
}

/* Encodes a linear value (IEC 61966-2-1). */
static double encoded(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

TEST(test_srgb)
{
    struct krn_srgb table;
    krn_srgb_make(&table);
    assert_int_equal(table.bytes[0], 0);
    assert_int_equal(table.bytes[KRN_SRGB_STEPS - 1], 255);
    for (int step = 0; step < KRN_SRGB_STEPS; step++) {
        const double root = step / (double)(KRN_SRGB_STEPS - 1);
        const double byte = 255.0 * encoded(root * root);
        /* The two parts of the definition meet within 1e-5 of a byte. */
        if (fabs(byte - table.bytes[step]) > 0.5001)
            fail_msg("step %d is %d, expected %g", step, table.bytes[step], byte);
    }
    /* Every light has its step: also none, and more than can be shown. */
    assert_int_equal(krn_srgb_step(0.0f), 0);
    assert_int_equal(krn_srgb_step(1e6f), KRN_SRGB_STEPS - 1);
}

TEST(test_reflections)
{
    const struct krn_view view = view_of(&shots[0]);
    TEST_SCENE scene = scene_of(&shots[0]);
    struct plain_light set = plain_light_of(&scene, krn_pose_at(0.0), &view);
    const struct krn_light_frame frame = set.frame;
    int reflected = 0;
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++) {
            struct krn_path path = {
                krn_primary(&frame, i, j, 0), {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
            struct krn_hit hit = {INFINITY, -1}, backwards = {INFINITY, -1};
            for (int s = 0; s < set.count; s++) {
                const int t = set.count - 1 - s;
                krn_nearest(path.ray, set.balls[s], s, frame.nearest, &hit);
                krn_nearest(path.ray, set.balls[t], t, frame.nearest, &backwards);
            }
            assert_int_equal(hit.sphere, backwards.sphere);
            assert_true(hit.distance == backwards.distance);
            if (hit.sphere < 0)
                continue;
            const struct krn_ball ball = set.balls[hit.sphere];
            struct krn_surface surface = set.surfaces[hit.sphere];
            surface.mirror = 0.5f;
            const struct krn_vec from = path.ray.direction;
            assert_true(
                krn_shade_sphere(&frame, &path, hit.distance, ball, surface, false).reflects);
            const struct krn_vec to = path.ray.direction, at = path.ray.origin;
            const struct krn_vec out = {at.x - ball.x, at.y - ball.y, at.z - ball.z};
            reflected++;
            assert_true(fabsf(krn_dot(to, to) - 1.0f) < 1e-6f);
            assert_true(fabsf(krn_dot(out, out) / ball.radius_squared - 1.0f) < 1e-3f);
            /* The ray leaves the sphere at the angle at which it came. */
            assert_true(krn_dot(to, out) > 0.0f);
            assert_true(fabsf(krn_dot(to, out) + krn_dot(from, out)) < 1e-3f * surface.radius);
            struct krn_hit self = {INFINITY, -1};
            krn_nearest(path.ray, ball, 0, frame.nearest, &self);
            assert_int_equal(self.sphere, -1);
        }
    print_message("%d reflections\n", reflected);
    assert_true(reflected > 1000);
    plain_light_free(&set);
}

/* Of two equal spheres, the first is hit, whatever the order of the tests. */
TEST(test_ties)
{
    const struct krn_ray ray = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const struct krn_ball ball = {0.5f, 0.25f, 10.0f, 4.0f};
    struct krn_hit hit = {INFINITY, -1};
    krn_nearest(ray, ball, 5, 0.1f, &hit);
    krn_nearest(ray, ball, 3, 0.1f, &hit);
    krn_nearest(ray, ball, 4, 0.1f, &hit);
    assert_int_equal(hit.sphere, 3);
}
