/* The lists of kernels and storages are complete, and modes, limits and launchers agree with
 * them. */
#include "owned.h"

#include "core/device/backend.h"

#include <stdio.h>

TEST(entries_are_whole)
{
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        const struct krn_storage_info *info = krn_storage_describe((enum krn_storage)s);
        assert_non_null(info);
        assert_true(info->name[0] && info->memory[0] && info->help[0]);
        assert_string_equal(info->name, krn_storage_name((enum krn_storage)s));
        for (int other = 0; other < s; other++)
            assert_string_not_equal(info->name, krn_storage_name((enum krn_storage)other));
    }
    for (int k = 0; k < KRN_KERNEL_COUNT; k++) {
        const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)k);
        assert_non_null(info);
        assert_true(info->name[0] && info->help[0]);
        assert_true(info->storages > 0 && info->storages <= KRN_EVERY_STORAGE);
        assert_true(info->pixels > 0 && info->pixels <= KRN_EVERY_K);
        assert_true(info->pixels >> krn_pixels_index(info->pixels_start) & 1);
        assert_int_equal(krn_kernel_has_pixels((enum krn_kernel)k), info->pixels != KRN_ONE_PIXEL);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(info->name, krn_kernel_name((enum krn_kernel)other));
    }
    assert_null(krn_storage_describe(KRN_STORAGE_COUNT));
    assert_null(krn_kernel_describe(KRN_KERNEL_COUNT));
    assert_null(krn_storage_describe((enum krn_storage) - 1));
    assert_string_equal(krn_kernel_name((enum krn_kernel) - 1), "n/a");
    /* The list gives the storage the size of the constant banks. */
    const size_t bytes = krn_storage_describe(KRN_STORAGE_CONSTANT)->bytes_max;
    assert_int_equal(bytes / sizeof(struct krn_sphere), KRN_CONSTANT_SPHERES);
    assert_int_equal(bytes / 16, KRN_CONSTANT_PACKED);
    assert_int_equal(krn_kernel_describe(KRN_KERNEL_BOOK)->sphere_bytes, sizeof(struct krn_sphere));
}

/* The table of modes has every valid mode once, and gives each a different name. */
TEST(modes_are_all_listed)
{
    int valid = 0;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++)
        for (int storage = 0; storage < KRN_STORAGE_COUNT; storage++)
            for (int k = 0; k <= KRN_PIXELS_MAX; k++) {
                const struct krn_mode mode = {(enum krn_kernel)kernel, (enum krn_storage)storage,
                                              k};
                if (krn_mode_check(mode, 20, NULL) != KRN_OK)
                    continue;
                int found = 0;
                for (int m = 0; m < KRN_MODES_MAX; m++)
                    found += krn_mode_equal(krn_mode_at(m), mode);
                assert_int_equal(found, 1);
                valid++;
            }
    assert_int_equal(valid, KRN_MODES_MAX);
    for (int m = 0; m < KRN_MODES_MAX; m++)
        assert_true((krn_mode_at(m).kernel == KRN_KERNEL_MINE) == (m >= KRN_MODES));
    char name[48];
    krn_mode_name(krn_mode_at(0), name, sizeof name);
    assert_string_equal(name, "book/global");
    const struct krn_mode strip = {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 8};
    krn_mode_name(strip, name, sizeof name);
    assert_string_equal(name, "strip/constant/8");
}

/* Every combination of the two lists either exists or is refused with a sentence that says why. */
TEST(refusals_give_a_reason)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
            const struct krn_kernel_info *kernel = krn_kernel_describe((enum krn_kernel)k);
            const struct krn_storage_info *storage = krn_storage_describe((enum krn_storage)s);
            const struct krn_mode mode = {(enum krn_kernel)k, (enum krn_storage)s,
                                          kernel->pixels_start};
            error.text[0] = 0;
            const enum krn_code code = krn_mode_check(mode, 1, &error);
            assert_int_equal(code, kernel->storages >> s & 1 ? KRN_OK : KRN_REFUSED);
            assert_int_equal(krn_mode_index(mode) >= 0, code == KRN_OK);
            if (code != KRN_OK) {
                assert_non_null(strstr(error.text, kernel->name));
                assert_non_null(strstr(error.text, storage->name));
                continue;
            }
            const int most = (int)(storage->bytes_max / (size_t)kernel->sphere_bytes);
            const bool light = kernel->view == KRN_VIEW_LIGHT;
            if (light && (most == 0 || most > KRN_LARGE_SPHERES)) {
                TEST_OK(krn_mode_check(mode, KRN_LARGE_SPHERES, &error));
                TEST_FAILS(krn_mode_check(mode, KRN_LARGE_SPHERES + 1, &error), KRN_REFUSED,
                           "The light view shows at most 1000000 spheres, not 1000001.");
            } else if (most > 0) {
                TEST_OK(krn_mode_check(mode, most, &error));
                assert_int_equal(krn_mode_check(mode, most + 1, &error), KRN_REFUSED);
                char number[32];
                snprintf(number, sizeof number, " %d ", most);
                assert_non_null(strstr(error.text, number));
                assert_non_null(strstr(error.text, storage->memory));
            }
        }
}

/* A device without a launcher for the strip. */
static const struct krn_device_ops *inner;
static int rendered;

static bool renders_no_strip(const struct krn_device *device, struct krn_mode mode)
{
    return mode.kernel != KRN_KERNEL_STRIP && inner->renders(device, mode);
}

static enum krn_code count_render(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, const struct krn_image *image,
                                  uint64_t tag, struct krn_error *why)
{
    rendered++;
    return inner->render(device, mode, view, image, tag, why);
}

TEST(a_missing_launcher_is_refused)
{
    TEST_DEVICE *device = NULL;
    struct krn_scene scene;
    const struct krn_scene_recipe recipe = krn_scene_book();
    const struct krn_view view = {
        .width = 16, .height = 16, .unit = 64.0f, .light = krn_light_default()};
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    TEST_OK(krn_scene_generate(&scene, &recipe, &error));
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    struct krn_image image = test_image(device, 16, 16);
    inner = device->ops;
    struct krn_device_ops ops = *inner;
    ops.renders = renders_no_strip;
    ops.render = count_render;
    device->ops = &ops;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        double ms;
        assert_true(inner->renders(device, mode));
        rendered = 0;
        const enum krn_code wanted = mode.kernel == KRN_KERNEL_STRIP ? KRN_REFUSED : KRN_OK;
        assert_int_equal(krn_device_render(device, mode, &view, &image, 0, &error), wanted);
        assert_int_equal(rendered, wanted == KRN_OK);
        assert_int_equal(krn_device_check_mode(device, mode, &error), wanted);
        if (wanted == KRN_OK)
            continue;
        assert_non_null(strstr(error.text, "no launcher for the strip kernel"));
        assert_non_null(strstr(error.text, krn_storage_name(mode.storage)));
        assert_int_equal(krn_device_render_batch(device, mode, &view, &image, 2, &ms, &error),
                         KRN_REFUSED);
    }
    /* A mode that is in no list has no launcher, and nothing is rendered. */
    const struct krn_mode none[] = {{KRN_KERNEL_COUNT, KRN_STORAGE_GLOBAL, 1},
                                    {KRN_KERNEL_BINNED, KRN_STORAGE_SHARED, 1},
                                    {KRN_KERNEL_BOOK, KRN_STORAGE_COUNT, 1},
                                    {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 2}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(inner->renders(device, none[i]));
        rendered = 0;
        assert_int_equal(krn_device_render(device, none[i], &view, &image, 0, &error), KRN_REFUSED);
        assert_int_equal(rendered, 0);
    }
    device->ops = inner;
    krn_device_free_image(device, &image);
    krn_scene_free(&scene);
}
