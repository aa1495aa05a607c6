/* The heat map of the CUDA backend: its kernels give the ordinary picture, its sphere tests are
 * those that a model on the host counts, and its clock cycles follow the work. Skipped without a
 * CUDA device. */
#include "heat_model.h"

#include "gpu.h"
#include "timing.h"

/* Asks the mode, not the device, which refuses one whose launcher is missing. */
static bool renders(struct krn_mode mode, int spheres)
{
    return krn_mode_view(mode) == KRN_VIEW_BOOK && krn_mode_check(mode, spheres, NULL) == KRN_OK;
}

/* Every mode, both quantities: the heat map's kernel is the timed one with a count or a clock. */
TEST(kernels_give_the_picture)
{
    for (size_t i = 0; i < TEST_CASES; i++) {
        const struct test_case *test = &test_cases[i];
        if (test_is_too_large(test))
            continue;
        TEST_SCENE scene = test_scene(test->count, i + 1, test->low, test->high);
        struct krn_heat_costs costs;
        set(&scene, test->time_s);
        TEST_FREED uint8_t *picture = test_render(cpu, KRN_STORAGE_GLOBAL, test->view);
        for (int m = 0; m < KRN_MODES; m++) {
            if (!renders(krn_mode_at(m), test->count))
                continue;
            free(test_heat(cuda, krn_mode_at(m), test->view, KRN_HEAT_TESTS, picture, &costs));
            if (krn_mode_at(m).kernel == KRN_KERNEL_SPLAT) /* has no thread for each pixel */
                continue;
            free(test_heat(cuda, krn_mode_at(m), test->view, KRN_HEAT_CYCLES, picture, &costs));
            assert_true(costs.least > 0);
        }
        /* The timed kernels still give it, too. */
        test_every_mode(cuda, picture, test->count, test->view);
    }
}

static void expect_cost(const uint32_t *list, struct krn_view view, struct krn_mode mode, int i,
                        int j, uint32_t expected)
{
    const uint32_t got = list[(size_t)j * (size_t)view.width + (size_t)i];
    char name[64];
    krn_mode_name(mode, name, sizeof name);
    if (got != expected)
        fail_msg("%s: pixel (%d, %d) has %u tests, not %u", name, i, j, got, expected);
}

static void compare_book(const struct krn_scene *scene, struct krn_view view, struct krn_mode mode)
{
    struct krn_heat_costs costs, on_cpu;
    TEST_FREED uint32_t *list = test_heat(cuda, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    TEST_FREED uint32_t *expected = test_heat(cpu, mode, view, KRN_HEAT_TESTS, NULL, &on_cpu);
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++)
            expect_cost(list, view, mode, i, j,
                        expected[(size_t)j * (size_t)view.width + (size_t)i]);
    assert_true(costs.least == (uint32_t)scene->count && costs.most == costs.least);
}

static void compare_strip(const struct krn_scene *scene, const struct krn_packed *spheres,
                          struct krn_view view, struct krn_mode mode)
{
    struct krn_heat_costs costs;
    TEST_FREED uint32_t *list = test_heat(cuda, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    const int k = mode.pixels_per_thread, wide = KRN_CUDA_LANES * k;
    const bool occlusion = mode.storage != KRN_STORAGE_CONSTANT && k >= 4;
    for (int j = 0; j < view.height; j++)
        for (int left = 0; left < view.width; left += wide) {
            const uint32_t tests = model_run(spheres, scene->count, &view, k, left, j, occlusion);
            for (int i = left; i < left + wide && i < view.width; i++)
                expect_cost(list, view, mode, i, j, tests);
        }
}

/* Returns true when the sort lists the sphere in the tile. A sphere that reaches only rays beyond
 * the image's edge hits the tile, and no pixel of it. */
static bool is_listed(struct krn_tiles tiles, struct krn_packed sphere, int column, int row)
{
    const struct krn_tile_range range = krn_tile_reach(tiles, sphere);
    return range.left <= column && column <= range.right && range.low <= row && row <= range.high &&
           krn_tile_hit(tiles, sphere, column, row);
}

/* Compares the boxes whose tiles list at most 32 spheres exactly, and finds an upper bound for the
 * others. Returns how many were compared exactly. */
static int compare_binned(const struct krn_scene *scene, const struct krn_packed *spheres,
                          struct krn_view view, struct krn_mode mode)
{
    struct krn_heat_costs costs;
    struct krn_sizes sizes;
    TEST_FREED uint32_t *counts = test_heat(cuda, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    int *list = malloc((size_t)scene->count * sizeof *list), exact = 0;
    assert_non_null(list);
    krn_sizes_count(&sizes, scene);
    const struct krn_tiles tiles = krn_tiles_plan_cuda(&sizes, &view).tiles;
    for (int top = 0; top < view.height; top += KRN_CUDA_BOX_HEIGHT)
        for (int left = 0; left < view.width; left += KRN_CUDA_BOX_WIDTH) {
            int listed = 0;
            for (int s = 0; s < scene->count; s++)
                if (is_listed(tiles, spheres[s], left >> tiles.shift, top >> tiles.shift))
                    list[listed++] = s;
            const uint32_t got = counts[(size_t)top * (size_t)view.width + (size_t)left];
            assert_true(got <= (uint32_t)listed);
            if (listed > MODEL_GROUP)
                continue;
            exact++;
            const uint32_t tests = model_box(spheres, list, listed, &view, left, top);
            for (int j = top; j < top + KRN_CUDA_BOX_HEIGHT && j < view.height; j++)
                for (int i = left; i < left + KRN_CUDA_BOX_WIDTH && i < view.width; i++)
                    expect_cost(counts, view, mode, i, j, tests);
        }
    free(list);
    return exact;
}

/* Every sphere is tested against the pixels of its box, unless it is hidden behind a plane. */
static void compare_splat(const struct krn_scene *scene, const struct krn_packed *spheres,
                          struct krn_view view, struct krn_mode mode)
{
    struct krn_heat_costs costs;
    struct krn_sizes sizes;
    krn_sizes_count(&sizes, scene);
    const bool planes = krn_sizes_cover(&sizes, &view).layers >= 10.0;
    TEST_FREED uint32_t *counts = test_heat(cuda, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++) {
            uint32_t hits = 0, boxes = 0;
            for (int s = 0; s < scene->count; s++) {
                int left, right, low, high;
                const float radius = sqrtf(spheres[s].square), per_unit = 1.0f / view.unit;
                krn_pixel_span(spheres[s].x, radius, per_unit, view.width, &left, &right);
                krn_pixel_span(spheres[s].y, radius, per_unit, view.height, &low, &high);
                const float dx = krn_ray(i, view.width, view.unit) - spheres[s].x,
                            dy = krn_ray(j, view.height, view.unit) - spheres[s].y;
                const bool hit = krn_hit(dx, dy, spheres[s].square) > 0.0f;
                const bool inside = i >= left && i <= right && j >= low && j <= high;
                assert_true(inside || !hit);
                boxes += inside && krn_hit(dx, 0.0f, spheres[s].square) > 0.0f;
                hits += hit;
            }
            const uint32_t got = counts[(size_t)j * (size_t)view.width + (size_t)i];
            if (!planes)
                expect_cost(counts, view, mode, i, j, boxes);
            assert_true(got <= boxes && (got > 0 || hits == 0));
        }
}

static void compare(const struct krn_scene *scene, const struct krn_packed *spheres,
                    struct krn_view view, struct krn_mode mode)
{
    switch (mode.kernel) {
    case KRN_KERNEL_BOOK:
        compare_book(scene, view, mode);
        return;
    case KRN_KERNEL_STRIP:
        compare_strip(scene, spheres, view, mode);
        return;
    case KRN_KERNEL_BINNED:
        assert_true(compare_binned(scene, spheres, view, mode) > 0 || scene->count > 1000);
        return;
    case KRN_KERNEL_SPLAT:
        compare_splat(scene, spheres, view, mode);
        return;
    case KRN_KERNEL_BRUTE: /* rays of the light view are counted instead */
    case KRN_KERNEL_TREE:
    case KRN_KERNEL_MINE:
    case KRN_KERNEL_COUNT:
        return;
    }
    fail_msg("The %s kernel has no model here.", krn_kernel_name(mode.kernel));
}

TEST(tests_are_those_of_the_model)
{
    static const struct {
        int count;
        float low, high;
        struct krn_view view;
    } cases[] = {{1, 200, 300, {.width = 64, .height = 64, .unit = 16.0f}},
                 {20, 20, 120, {.width = 300, .height = 175, .unit = 5.9f}},
                 {320, 2, 60, {.width = 530, .height = 67, .unit = 5.1f}},
                 {2300, 1, 20, {.width = 196, .height = 90, .unit = 11.5f}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double time_s = 1.5 * (double)c;
        TEST_SCENE scene = test_scene(cases[c].count, c + 11, cases[c].low, cases[c].high);
        TEST_FREED struct krn_packed *spheres = model_spheres(&scene, krn_pose_at(time_s));
        assert_non_null(spheres);
        set(&scene, time_s);
        for (int m = 0; m < KRN_MODES; m++)
            compare(&scene, spheres, cases[c].view, krn_mode_at(m));
    }
}

/* With the binned kernel, a pixel whose box no sphere touches takes fewer cycles than the costliest
 * one, and with the book's kernel, cycles grow with the number of spheres. */
TEST(cycles_follow_the_work)
{
    test_needs_timing();
    const struct krn_view view = test_view(1024, 1024);
    const struct krn_mode binned = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1},
                          book = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    TEST_SCENE few = test_scene(20, 1, 20, 120), many = test_scene(2000, 1, 20, 120);
    struct krn_heat_costs tests, cycles, on_few, on_many;
    set(&few, 0.0);
    TEST_FREED uint32_t *counted = test_heat(cuda, binned, view, KRN_HEAT_TESTS, NULL, &tests);
    TEST_FREED uint32_t *measured = test_heat(cuda, binned, view, KRN_HEAT_CYCLES, NULL, &cycles);
    assert_int_equal(tests.least, 0);
    double empty = 0.0, full = 0.0;
    size_t empties = 0, fulls = 0;
    for (size_t i = 0; i < tests.pixels; i++) {
        if (counted[i] == 0) {
            empty += measured[i];
            empties++;
        } else if (counted[i] == tests.most) {
            full += measured[i];
            fulls++;
        }
    }
    assert_true(empties > 0 && fulls > 0);
    assert_true(empty / (double)empties < full / (double)fulls);
    free(test_heat(cuda, book, view, KRN_HEAT_CYCLES, NULL, &on_few));
    set(&many, 0.0);
    free(test_heat(cuda, book, view, KRN_HEAT_CYCLES, NULL, &on_many));
    assert_true(on_few.least > 0 && on_many.mean > 2.0 * on_few.mean);
}

TEST(colours_are_the_same)
{
    TEST_SCENE scene = test_scene(40, 3, 20, 120);
    set(&scene, 0.0);
    test_heat_colours(cuda, test_view(150, 90));
}

int main(int argc, char **argv)
{
    return gpu_run(argc, argv, NULL, NULL);
}
