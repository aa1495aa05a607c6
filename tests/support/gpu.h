/* tests/support/gpu.h - tests on a CUDA device: it, the CPU's beside it, and their main. */
#pragma once

#include "pictures.h"

static struct krn_device *cuda, *cpu;

/* Gives both devices a scene and its pose. */
static inline void set(const struct krn_scene *scene, double time_s)
{
    struct krn_device *const both[] = {cuda, cpu};
    for (int i = 0; i < 2; i++) {
        TEST_OK(krn_device_set_scene(both[i], scene, &error));
        TEST_OK(krn_device_set_pose(both[i], krn_pose_at(time_s), &error));
    }
}

/* Runs the tests of a program, or the one that its command line names, between `begin` and `end`;
 * NULL: nothing to do. Returns the exit code. */
static inline int gpu_run(int argc, char **argv, int (*begin)(void **), int (*end)(void **))
{
    if (krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &cuda, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    if (krn_backend_get(KRN_BACKEND_CPU)->connect(0, &cpu, &error) != KRN_OK)
        return 1;
    if (argc == 2)
        cmocka_set_test_filter(argv[1]);
    const int failed = tests_run(begin, end);
    krn_device_close(cuda);
    krn_device_close(cpu);
    return failed;
}
