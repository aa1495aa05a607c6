/* The heat map on the CPU backend: its counts against counts from the definition, pixel by pixel;
 * colours, scale, and the requests that it refuses. */
#include "heat_model.h"

static struct krn_device *cpu;

static void set(const struct krn_scene *scene, double time_s)
{
    TEST_OK(krn_device_set_scene(cpu, scene, &error));
    TEST_OK(krn_device_set_pose(cpu, krn_pose_at(time_s), &error));
}

/* --- counts from the definition, in double precision --- */

/* The pixels x0..x1-1, y0..y1-1 whose spheres a kernel collects together. */
struct box {
    int x0, x1, y0, y1;
};

static double ray(int pixel, int pixels, const struct krn_view *view)
{
    return (pixel - pixels / 2) * (double)view->unit;
}

/* Returns the distance from c to the interval of the rays a..b. */
static double away(double a, double b, double c)
{
    return fmax(fmax(a - c, c - b), 0.0);
}

static bool touches(struct krn_packed s, const struct krn_view *view, struct box box)
{
    const double dx = away(ray(box.x0, view->width, view), ray(box.x1 - 1, view->width, view),
                           (double)s.x),
                 dy = away(ray(box.y0, view->height, view), ray(box.y1 - 1, view->height, view),
                           (double)s.y);
    return (double)s.square - dx * dx - dy * dy > 0.0;
}

/* Returns true when the kernel intersects the sphere with pixel (i, j) of the box: when the row
 * hits it, and the vector of 16 pixels of the box that the pixel is in contains one that is at most
 * 1.5 pixels, and the roundings' margin, beside the chord. */
static bool tests_pixel(struct krn_packed s, const struct krn_view *view, struct box box, int i,
                        int j)
{
    const double dy = ray(j, view->height, view) - (double)s.y;
    const double residual = (double)s.square - dy * dy;
    if (!(residual > 0.0))
        return false;
    const double half = view->width / 2, unit = (double)view->unit, chord = sqrt(residual);
    const double margin = 1.5 + 2e-6 * ((chord + fabs((double)s.x)) / unit + half);
    const int first = (int)fmax(((double)s.x - chord) / unit + half - margin, 0.0),
              last = (int)floor(((double)s.x + chord) / unit + half + margin);
    const int begin = box.x0 + (i - box.x0) / KRN_CPU_LANES * KRN_CPU_LANES;
    const int end = begin + KRN_CPU_LANES < box.x1 ? begin + KRN_CPU_LANES : box.x1;
    return first < end && last >= begin;
}

/* Counts the tests of a pixel of the strip (side 0) or binned kernel with tiles of `side` pixels.
 */
static uint32_t count_pixel(const struct krn_packed *spheres, int count,
                            const struct krn_view *view, int side, int i, int j)
{
    const int y0 = j / KRN_CPU_BAND * KRN_CPU_BAND;
    struct box box = {0, view->width, y0, y0 + KRN_CPU_BAND};
    struct box tile = {0, view->width, 0, view->height};
    if (side > 0) {
        tile = (struct box){i / side * side, i / side * side + side, j / side * side,
                            j / side * side + side};
        box.x0 = tile.x0;
        box.x1 = tile.x1 < view->width ? tile.x1 : view->width;
    }
    box.y1 = box.y1 < view->height ? box.y1 : view->height;
    uint32_t tests = 0;
    for (int s = 0; s < count; s++)
        tests += (side == 0 || touches(spheres[s], view, tile)) && touches(spheres[s], view, box) &&
                 tests_pixel(spheres[s], view, box, i, j);
    return tests;
}

/* Returns the side of the binned kernel's tiles. */
static int side_of(const struct krn_scene *scene, const struct krn_view *view)
{
    struct krn_sizes sizes;
    krn_sizes_count(&sizes, scene);
    return 1 << krn_tiles_plan(&sizes, view, KRN_CPU_TILE_SHIFT, KRN_CPU_ENTRY_OVER_PIXEL)
                    .tiles.shift;
}

/* Returns the tests of a pixel in a frame of the kernel; side is that of binned's tiles. */
static uint32_t expected_tests(enum krn_kernel kernel, const struct krn_scene *scene,
                               const struct krn_packed *spheres, const struct krn_view *view,
                               int side, int i, int j)
{
    switch (kernel) {
    case KRN_KERNEL_BOOK:
        return (uint32_t)scene->count;
    case KRN_KERNEL_STRIP:
    case KRN_KERNEL_SPLAT: /* the same vectors of the same rows */
        return count_pixel(spheres, scene->count, view, 0, i, j);
    case KRN_KERNEL_BINNED:
        return count_pixel(spheres, scene->count, view, side, i, j);
    case KRN_KERNEL_BRUTE: /* rays of the light view are counted instead */
    case KRN_KERNEL_TREE:
    case KRN_KERNEL_MINE:
    case KRN_KERNEL_COUNT:
        break;
    }
    fail_msg("The %s kernel has no count here.", krn_kernel_name(kernel));
    return 0;
}

/* Compares every pixel. */
static void compare(const struct krn_scene *scene, double time_s, struct krn_view view,
                    struct krn_mode mode)
{
    struct krn_heat_costs costs;
    TEST_FREED uint32_t *list = test_heat(cpu, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    TEST_FREED struct krn_packed *spheres = model_spheres(scene, krn_pose_at(time_s));
    const int side = mode.kernel == KRN_KERNEL_BINNED ? side_of(scene, &view) : 0;
    char name[64];
    krn_mode_name(mode, name, sizeof name);
    assert_non_null(spheres);
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++) {
            const uint32_t got = list[(size_t)j * (size_t)view.width + (size_t)i];
            const uint32_t expected =
                expected_tests(mode.kernel, scene, spheres, &view, side, i, j);
            if (got != expected)
                fail_msg("%s, %d spheres: pixel (%d, %d) has %u tests, not %u", name, scene->count,
                         i, j, got, expected);
        }
    assert_true(costs.pixels == (size_t)view.width * (size_t)view.height);
    assert_true(fabs(costs.mean - (double)costs.sum / (double)costs.pixels) < 1e-9);
}

TEST(counts_follow_the_definition)
{
    static const struct {
        int count;
        float low, high;
        struct krn_view view;
    } cases[] = {{1, 200, 300, {.width = 64, .height = 64, .unit = 16.0f}},
                 {20, 20, 120, {.width = 100, .height = 75, .unit = 13.7f}},
                 {300, 2, 60, {.width = 130, .height = 67, .unit = 9.1f}},
                 {1200, 1, 20, {.width = 96, .height = 50, .unit = 20.5f}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        TEST_SCENE scene = test_scene(cases[c].count, c + 3, cases[c].low, cases[c].high);
        set(&scene, 1.25 * (double)c);
        for (int m = 0; m < KRN_MODES; m++)
            if (krn_mode_view(krn_mode_at(m)) == KRN_VIEW_BOOK)
                compare(&scene, 1.25 * (double)c, cases[c].view, krn_mode_at(m));
    }
}

/* A heat map leaves the next picture and its time as they are. */
TEST(the_picture_stays)
{
    const struct krn_view view = test_view(160, 120);
    TEST_SCENE scene = test_scene(50, 2, 20, 120);
    set(&scene, 0.0);
    TEST_FREED uint8_t *before = test_render(cpu, KRN_STORAGE_GLOBAL, view);
    for (int m = 0; m < KRN_MODES; m++) {
        struct krn_heat_costs costs;
        struct krn_reading reading;
        if (krn_mode_view(krn_mode_at(m)) != KRN_VIEW_BOOK)
            continue;
        free(test_heat(cpu, krn_mode_at(m), view, KRN_HEAT_TESTS, NULL, &costs));
        assert_false(krn_device_poll(cpu, &reading)); /* no time of it */
        TEST_FREED uint8_t *after = test_render_mode(cpu, krn_mode_at(m), view);
        test_same_bytes(before, after, view, "the picture after a heat map");
    }
}

TEST(colours_are_those_of_the_scale)
{
    TEST_SCENE scene = test_scene(60, 4, 20, 120);
    set(&scene, 0.0);
    test_heat_colours(cpu, test_view(90, 70));
}

/* Returns the relative luminance of a colour: linear light, weighted (ITU-R BT.709). */
static double luminance(uint32_t rgba)
{
    const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0.0;
    for (int channel = 0; channel < 3; channel++) {
        const double c = (double)(rgba >> 8 * channel & 255) / 255.0;
        sum += weights[channel] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* The ramp is opaque, no colour is darker than the one before, and lightness (CIE 1976) rises by
 * about the same on every sixteenth. */
TEST(lightness_rises_evenly)
{
    double before = -1.0, marks[17];
    for (int i = 0; i < 256; i++) {
        const uint32_t colour = krn_heat_colour(i / 255.0);
        const double y = luminance(colour);
        assert_int_equal(colour >> 24, 255);
        assert_true(y >= before - 1e-3);
        before = y;
    }
    for (int i = 0; i <= 16; i++)
        marks[i] = 116.0 * cbrt(luminance(krn_heat_colour(i / 16.0))) - 16.0;
    for (int i = 4; i < 16; i++)
        assert_true(marks[i + 1] - marks[i] > 3.0 && marks[i + 1] - marks[i] < 9.0);
    assert_true(marks[16] > 90.0 && marks[0] < 5.0);
    assert_int_equal(krn_heat_colour(-1.0), krn_heat_colour(0.0));
    assert_int_equal(krn_heat_colour(7.0), krn_heat_colour(1.0));
    assert_int_equal(krn_heat_colour(NAN), krn_heat_colour(0.0));
}

TEST(scale_is_round_and_calm)
{
    static const uint32_t ends[][2] = {{0, 1},    {1, 1},       {2, 2},         {3, 3},   {5, 5},
                                       {7, 8},    {9, 10},      {11, 20},       {21, 30}, {61, 80},
                                       {81, 100}, {2215, 3000}, {99999, 100000}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        assert_int_equal(krn_heat_scale(0, ends[i][0]), ends[i][1]);
    assert_int_equal(krn_heat_scale(0, UINT32_MAX), UINT32_MAX);
    /* 48 to 52 and back changes the end once. */
    uint32_t scale = krn_heat_scale(0, 48);
    assert_int_equal(scale, 50);
    scale = krn_heat_scale(scale, 52);
    assert_int_equal(scale, 60);
    assert_int_equal(krn_heat_scale(scale, 48), 60);
    assert_int_equal(krn_heat_scale(scale, 28), 60);
    assert_int_equal(krn_heat_scale(scale, 26), 30);
}

TEST(requests_are_refused)
{
    const struct krn_view view = test_view(40, 30);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    TEST_SCENE scene = test_scene(5, 1, 20, 120);
    struct krn_heat_costs costs;
    uint32_t cost;
    struct krn_image image = test_image(cpu, 40, 30);
    struct krn_image other = test_image(cpu, 41, 30);
    set(&scene, 0.0);
    assert_int_equal(krn_device_heat(cpu, mode, &view, KRN_HEAT_CYCLES, &image, &costs, &error),
                     KRN_REFUSED);
    assert_string_equal(error.text, krn_heat_reason());
    assert_int_equal(krn_device_heat(cpu, mode, &view, KRN_HEAT_OFF, &image, &costs, &error),
                     KRN_REFUSED);
    assert_int_equal(krn_device_heat(cpu, mode, &view, KRN_HEAT_TESTS, &other, &costs, &error),
                     KRN_REFUSED);
    TEST_OK(krn_device_heat(cpu, mode, &view, KRN_HEAT_TESTS, &image, &costs, &error));
    assert_int_equal(krn_device_heat_paint(cpu, 5, &other, &error), KRN_REFUSED);
    assert_int_equal(krn_device_heat_paint(cpu, 0, &image, &error), KRN_REFUSED);
    assert_int_equal(krn_device_heat_read(cpu, 40 * 30, 1, &cost, &error), KRN_REFUSED);
    assert_int_equal(krn_device_heat_read(cpu, 1, SIZE_MAX, &cost, &error), KRN_REFUSED);
    TEST_OK(krn_device_heat_read(cpu, 40 * 30 - 1, 1, &cost, &error));
    assert_int_equal(cost, 5);
    const struct krn_capabilities *gpu = krn_backend_get(KRN_BACKEND_CUDA)->can;
    assert_true(krn_heat_offered(gpu, KRN_HEAT_CYCLES) && krn_heat_offered(gpu, KRN_HEAT_TESTS));
    assert_false(krn_heat_offered(krn_backend_get(KRN_BACKEND_CPU)->can, KRN_HEAT_CYCLES));
    assert_string_equal(krn_heat_name(KRN_HEAT_CYCLES), "cycles");
    assert_string_equal(krn_heat_name(KRN_HEAT_COUNT), "n/a");
    krn_device_free_image(cpu, &image);
    krn_device_free_image(cpu, &other);
}

int main(void)
{
    if (krn_backend_get(KRN_BACKEND_CPU)->connect(0, &cpu, &error) != KRN_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    const int failed = tests_run(NULL, NULL);
    krn_device_close(cpu);
    return failed;
}
