/* Scenes, poses, and the scenes that modes refuse. */
#include "pictures.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

TEST(same_seed_same_scene)
{
    TEST_SCENE a = test_scene(1000, 42, 1, 4), b = test_scene(1000, 42, 1, 4),
               c = test_scene(1000, 43, 1, 4);
    assert_memory_equal(a.spheres, b.spheres, 1000 * sizeof *a.spheres);
    assert_memory_not_equal(a.spheres, c.spheres, 1000 * sizeof *a.spheres);
    /* A longer scene of the same seed starts with the same spheres. */
    TEST_SCENE longer = test_scene(2000, 42, 1, 4);
    assert_memory_equal(a.spheres, longer.spheres, 1000 * sizeof *a.spheres);
}

/* The first numbers of PCG32 with this stream, as defined in the algorithm's paper: every machine
 * must produce these floats. */
TEST(book_scene_is_fixed)
{
    assert_int_equal(sizeof(struct krn_sphere), 28);
    assert_int_equal(KRN_CONSTANT_SPHERES, KRN_CONSTANT_BYTES / sizeof(struct krn_sphere));
    const struct krn_scene_recipe book = krn_scene_book();
    assert_int_equal(book.count, 20);
    TEST_SCENE scene = test_scene(book.count, book.seed, book.radius_min, book.radius_max);
    uint64_t generator = 0, increment = (54u << 1) | 1u;
    uint32_t drawn[4];
    generator = generator * 6364136223846793005u + increment;
    generator += book.seed;
    generator = generator * 6364136223846793005u + increment;
    for (int i = 0; i < 4; i++) {
        const uint32_t x = (uint32_t)(((generator >> 18) ^ generator) >> 27);
        const uint32_t r = (uint32_t)(generator >> 59);
        drawn[i] = x >> r | x << (-r & 31);
        generator = generator * 6364136223846793005u + increment;
    }
    assert_true(scene.spheres[0].r == (float)(drawn[0] >> 8) / 16777216.0f);
    assert_true(scene.spheres[0].g == (float)(drawn[1] >> 8) / 16777216.0f);
    assert_true(scene.spheres[0].b == (float)(drawn[2] >> 8) / 16777216.0f);
    assert_true(scene.spheres[0].x == (float)(drawn[3] >> 8) / 16777216.0f * 1000.0f - 500.0f);
}

TEST(values_lie_in_their_ranges)
{
    TEST_SCENE scene = test_scene(100000, 5, 20, 120);
    TEST_OK(krn_scene_check(&scene, &error));
    double sum = 0.0;
    for (int i = 0; i < scene.count; i++) {
        const struct krn_sphere *s = &scene.spheres[i];
        assert_true(s->radius >= 20.0f && s->radius <= 120.0f);
        assert_true(fabsf(s->x) <= 500.0f && fabsf(s->y) <= 500.0f && fabsf(s->z) <= 500.0f);
        assert_true(s->r >= 0.0f && s->r < 1.0f);
        sum += (double)s->radius;
    }
    /* The mean of 10^5 uniform numbers is within 5 standard errors of 70. */
    assert_true(fabs(sum / scene.count - 70.0) < 5.0 * 28.9 / sqrt(scene.count));
}

TEST(bad_scenes_are_refused)
{
    TEST_SCENE scene = {.spheres = NULL};
    const struct krn_scene_recipe bad[] = {
        {0, 1, 20, 120},   {KRN_SPHERES_MAX + 1, 1, 20, 120},
        {5, 1, 0.0f, 120}, {5, 1, 30, 20},
        {5, 1, NAN, 120},  {5, 1, 20, INFINITY},
        {-1, 1, 20, 120},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(krn_scene_generate(&scene, &bad[i], &error), KRN_REFUSED);
        assert_null(scene.spheres);
    }
    scene = test_scene(3, 1, 20, 120);
    scene.spheres[2].z = NAN;
    TEST_FAILS(krn_scene_check(&scene, &error), KRN_REFUSED, "Sphere 2");
    assert_non_null(strstr(error.text, "z"));
}

/* Sets a locale with a decimal comma, if it can be built here. */
static bool set_comma_locale(void)
{
    char folder[] = "/tmp/comma_locale_XXXXXX", command[128];
    assert_non_null(mkdtemp(folder));
    setenv("LOCPATH", folder, 1);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8", folder);
    const bool built = system(command) != -1 && setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && built && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* A message's numbers have a decimal point, whatever the locale of the program. The test
 * `environments` fails in continuous integration where no such locale can be built. */
TEST(messages_have_a_decimal_point)
{
    TEST_SCENE scene = test_scene(1, 1, 20, 120);
    char text[16];
    const bool comma = set_comma_locale();
    scene.spheres[0].r = 1.5f;
    TEST_FAILS(krn_scene_check(&scene, &error), KRN_REFUSED, "r is 1.5,");
    /* The thread has its own locale again. */
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, comma ? "1,5" : "1.5");
    setlocale(LC_ALL, "C");
}

TEST(pose_is_a_rotation)
{
    const struct krn_pose still = krn_pose_at(0.0), half = krn_pose_at(KRN_TURN_SECONDS / 2.0);
    assert_true(still.cosine == 1.0f && still.sine == 0.0f);
    assert_true(half.cosine == -1.0f && fabsf(half.sine) < 1e-6f);
    /* After 60 rotations, the pose is identical. */
    const struct krn_pose now = krn_pose_at(7.5), later = krn_pose_at(7.5 + 60 * KRN_TURN_SECONDS);
    assert_true(now.cosine == later.cosine && now.sine == later.sine);
}
