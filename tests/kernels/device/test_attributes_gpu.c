/* The attributes of the CUDA kernels, as krn_device_kernels and the list of probes tell them.
 * Skipped without a CUDA device. */
#include "found.h"
#include "gpu.h"

static int shared_max, constant_max;

/* Checks what holds for every kernel that can be launched. */
static void plausible(const struct krn_kernel_attributes *kernel, const char *name)
{
    const bool good = krn_kernel_known(kernel) && kernel->registers <= 255 &&
                      kernel->threads >= 1 && kernel->threads <= kernel->threads_max &&
                      kernel->threads_max <= 1024 && kernel->blocks >= 1.0 &&
                      kernel->blocks_per_processor >= 1 && kernel->occupancy > 0.0 &&
                      kernel->occupancy <= 1.0 &&
                      (kernel->static_shared_bytes + kernel->dynamic_shared_bytes) *
                              (size_t)kernel->blocks_per_processor <=
                          (size_t)shared_max &&
                      kernel->constant_bytes <= (size_t)constant_max;
    if (!good)
        fail_msg("%s: %d registers, %zu + %zu shared, %zu local, %zu constant, %d of %d threads, "
                 "%g blocks, %d per multiprocessor, occupancy %g",
                 name, kernel->registers, kernel->static_shared_bytes, kernel->dynamic_shared_bytes,
                 kernel->local_bytes, kernel->constant_bytes, kernel->threads, kernel->threads_max,
                 kernel->blocks, kernel->blocks_per_processor, kernel->occupancy);
}

TEST(every_mode_has_attributes)
{
    const struct krn_view view = test_view(1024, 1024);
    for (int i = 0; i < KRN_MODES; i++) {
        const struct krn_mode mode = krn_mode_at(i);
        struct krn_kernels kernels;
        char name[64];
        krn_mode_name(mode, name, sizeof name);
        TEST_OK(krn_device_kernels(cuda, mode, &view, &kernels, &error));
        if (mode.kernel == KRN_KERNEL_TREE) /* three build, the sort has its own, one renders */
            assert_true(kernels.count >= 5 && kernels.count < KRN_KERNELS_MAX);
        else if (mode.kernel == KRN_KERNEL_SPLAT) /* so few have no plane: write, then shade */
            assert_int_equal(kernels.count, 2);
        else /* 200 spheres need no sort */
            assert_int_equal(kernels.count, 1);
        for (int k = 0; k < kernels.count; k++)
            plausible(&kernels.list[k], name);
        const struct krn_kernel_attributes *kernel = krn_kernels_main(&kernels);
        assert_true((kernel->constant_bytes > 0) == (mode.storage == KRN_STORAGE_CONSTANT));
        assert_true((kernel->static_shared_bytes > 0) == (mode.storage == KRN_STORAGE_SHARED) ||
                    krn_kernel_describe(mode.kernel)->bins);
        if (mode.kernel == KRN_KERNEL_BOOK) {
            assert_int_equal(kernel->threads, 256);
            assert_true(kernel->blocks == 4096.0);
        }
    }
}

/* A scene that is sorted takes four kernels: two passes of the sort, the placing, and the trace. */
TEST(sorting_adds_kernels)
{
    const struct krn_view view = test_view(1024, 1024);
    const struct krn_mode mode = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    TEST_SCENE small = test_scene(200, 1, 20, 120), large = test_scene(5000, 1, 20, 120);
    struct krn_kernels kernels;
    TEST_OK(krn_device_set_scene(cuda, &large, &error));
    TEST_OK(krn_device_kernels(cuda, mode, &view, &kernels, &error));
    assert_int_equal(kernels.count, 4);
    for (int k = 0; k < kernels.count; k++)
        plausible(&kernels.list[k], "binned/global, 5000 spheres");
    TEST_OK(krn_device_set_scene(cuda, &small, &error));
}

/* Reading attributes launches nothing: the picture and its readings are as before. */
TEST(nothing_is_launched)
{
    const struct krn_view view = test_view(640, 360);
    struct krn_kernels kernels;
    struct krn_reading reading;
    uint64_t before = 0, after = 1;
    struct krn_image image = test_image(cuda, view.width, view.height);
    for (int i = 0; i < KRN_MODES; i++) {
        const struct krn_mode mode = krn_mode_at(i);
        TEST_OK(krn_device_render(cuda, mode, &view, &image, 7, &error));
        TEST_OK(krn_device_sync(cuda, &error));
        TEST_OK(krn_device_hash(cuda, &image, &before, &error));
        while (krn_device_poll(cuda, &reading))
            ;
        TEST_OK(krn_device_kernels(cuda, mode, &view, &kernels, &error));
        TEST_OK(krn_device_sync(cuda, &error));
        TEST_OK(krn_device_hash(cuda, &image, &after, &error));
        assert_true(before == after);
        assert_false(krn_device_poll(cuda, &reading));
    }
    krn_device_free_image(cuda, &image);
}

TEST(every_probe_has_attributes)
{
    TEST_PROBES *probes = NULL;
    TEST_OK(krn_probes_open(cuda, KRN_TOPICS_ALL, (size_t)256 << 20, &probes, &error));
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        const struct krn_kernel_attributes *kernel = &probe->kernel;
        char name[96];
        snprintf(name, sizeof name, "%s %s %g", krn_topic_name(probe->topic), probe->series,
                 probe->x);
        if (probe->blocks == 0) { /* a copy has no kernel */
            assert_false(krn_kernel_known(kernel));
            continue;
        }
        plausible(kernel, name);
        assert_int_equal(kernel->threads, probe->threads);
        assert_true(kernel->blocks == (double)probe->blocks);
    }
    /* The probes run and are right after their launches were read. */
    for (int i = 0; i < krn_probes_count(probes); i += 5) {
        struct krn_check check;
        TEST_OK(krn_probe_verify(probes, i, &check, &error));
        if (check.wrong > 0.0)
            fail_msg("probe %d is wrong", i);
    }
}

TEST(what_cannot_be_told)
{
    const struct krn_view view = test_view(64, 64);
    const struct krn_mode nothing = {KRN_KERNEL_BINNED, KRN_STORAGE_SHARED, 1},
                          mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    struct krn_kernels kernels;
    assert_int_equal(krn_device_kernels(cuda, nothing, &view, &kernels, &error), KRN_REFUSED);
    /* A launch that fails while it is captured leaves the stream as it was. */
    krn_fail_calls("launcher->launch");
    assert_int_equal(krn_device_kernels(cuda, mode, &view, &kernels, &error), KRN_UNAVAILABLE);
    krn_fail_calls(NULL);
    assert_int_equal(kernels.count, 0);
    TEST_OK(krn_device_sync(cuda, &error));
    /* The answer is kept until the view changes. */
    assert_int_equal(krn_device_kernels(cuda, mode, &view, &kernels, &error), KRN_UNAVAILABLE);
    const struct krn_view other = test_view(65, 64);
    TEST_OK(krn_device_kernels(cuda, mode, &other, &kernels, &error));
}

static int begin(void **unused)
{
    struct krn_property list[KRN_PROPERTIES_MAX];
    int count = 0;
    TEST_SCENE scene = test_scene(200, 1, 20, 120);
    (void)unused;
    TEST_OK(krn_device_set_scene(cuda, &scene, &error));
    TEST_OK(krn_properties_read(KRN_BACKEND_CUDA, 0, list, &count, &error));
    shared_max = (int)found_property(list, count, "sharedMemPerMultiprocessor")->values[0];
    constant_max = (int)found_property(list, count, "totalConstMem")->values[0];
    return 0;
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, begin, NULL);
}
