/* Compares the CPU backend's book kernel with the plain loop, compiled with -O3 and OpenMP for this
 * machine and for lower instruction-set levels. The kernel may be at most 10 % slower where the
 * processor fuses multiply-adds. At level v2 it must round as if it did, which the plain loop need
 * not: that takes 25 % on an AMD EPYC of family 26, and less than 10 % on other processors. */
#include "pictures.h"

#include <time.h>

enum { SIDE = 512, ROUNDS = 15, TRIES = 4 };

/* The largest ratios with and without instructions that fuse. */
static const double fused_limit = 1.10, rounded_limit = 1.40;

typedef void plain_loop(const struct krn_sphere *spheres, int count, int side, unsigned char *);
plain_loop plain_loop_native, plain_loop_v2, plain_loop_v3;

/* CPU time of the only thread, so that other programs' time slices do not count. */
static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Returns the ratio of the shortest times, kernel over plain loop. They run in turns, so that other
 * programs disturb both. */
static double ratio(struct krn_device *device, const struct krn_scene *scene, plain_loop *loop)
{
    const struct krn_view view = test_view(SIDE, SIDE);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    unsigned char *pixels = test_alloc(4 * SIDE * SIDE);
    struct krn_image image = test_image(device, SIDE, SIDE);
    double plain = INFINITY, ours = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ms();
        loop(scene->spheres, scene->count, SIDE, pixels);
        const double stop = now_ms();
        plain = fmin(plain, stop - start);
        const double begin = now_ms();
        TEST_OK(krn_device_render(device, mode, &view, &image, KRN_UNTIMED, &error));
        ours = fmin(ours, now_ms() - begin);
    }
    print_message("%s: plain loop %.2f ms, backend %.2f ms, ratio %.3f\n",
                  krn_device_describe(device)->runtime, plain, ours, ours / plain);
    krn_device_free_image(device, &image);
    free(pixels);
    return ours / plain;
}

static void compare(const char *level, plain_loop *loop, double limit)
{
    TEST_DEVICE *device = NULL;
    TEST_SCENE scene = test_scene(20, 1, 20, 120);
    if (level)
        setenv("SPHERESCOPE_CPU_LEVEL", level, 1);
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    assert_int_equal(krn_device_describe(device)->processors, 1); /* CTest sets OMP_NUM_THREADS */
    unsetenv("SPHERESCOPE_CPU_LEVEL");
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    /* A busy machine can spoil one attempt, so the test fails only when all attempts fail. */
    double best = INFINITY;
    for (int i = 0; i < TRIES && !(best < limit); i++)
        best = fmin(best, ratio(device, &scene, loop));
    assert_true(best < limit);
}

TEST(this_machine)
{
    compare(NULL, plain_loop_native, fused_limit);
}

TEST(level_v3)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        skip();
    compare("v3", plain_loop_v3, fused_limit);
}

TEST(level_v2)
{
    compare("v2", plain_loop_v2, rounded_limit);
}
