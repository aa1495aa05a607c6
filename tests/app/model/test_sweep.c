/* Times over a size: which points there are, the fastest mode at each, what they say, and which
 * results of a record belong together. */
#include "pictures.h"

#include "bench/program.h"
#include "model/sweep.h"

TEST(points_of_sweeps)
{
    static struct app_sweep_point points[APP_SWEEP_POINTS];
    /* Both ends, and 1, 2 and 5 times the powers of ten between them. */
    static const int expected[] = {3, 5, 10, 20, 50, 100, 101};
    const struct app_span odd[APP_SWEEP_AXES] = {{true, 3, 101}};
    assert_int_equal(app_sweep_points(odd, points), 7);
    for (int i = 0; i < 7; i++)
        assert_true(points[i].spheres == expected[i] && points[i].bounces == APP_SWEEP_KEPT);
    for (int low = 1; low <= 11; low++)
        for (int high = low; high <= KRN_LARGE_SPHERES; high += 1 + high / 7) {
            const struct app_span axes[APP_SWEEP_AXES] = {{true, low, high}};
            const int n = app_sweep_points(axes, points);
            assert_in_range(n, 1, APP_SWEEP_COUNTS);
            assert_true(points[0].spheres == low && points[n - 1].spheres == high);
            for (int i = 1; i < n; i++)
                assert_true(points[i - 1].spheres < points[i].spheres);
        }
    /* Every combination, bounces fastest; an axis that is off leaves its value. */
    const struct app_span both[APP_SWEEP_AXES] = {{true, 20, 50}, {true, 7, 8}},
                          one[APP_SWEEP_AXES] = {{false, 0, 0}, {true, 0, 8}},
                          widest[APP_SWEEP_AXES] = {{true, 3, 999999}, {true, 0, KRN_BOUNCES_MAX}};
    assert_int_equal(app_sweep_points(both, points), 4);
    assert_true(points[0].spheres == 20 && points[0].bounces == 7);
    assert_true(points[1].spheres == 20 && points[1].bounces == 8);
    assert_true(points[3].spheres == 50 && points[3].bounces == 8);
    assert_int_equal(app_sweep_points(one, points), 9);
    assert_true(points[8].spheres == APP_SWEEP_KEPT && points[8].bounces == 8);
    const int most = app_sweep_points(widest, points);
    assert_true(most % 9 == 0 && most <= APP_SWEEP_POINTS);
    assert_true(app_sweep_expected_s(widest, 1.0) == (APP_SWEEP_SECONDS + 1.0) * most);
}

/* --- sentences --- */

static const struct app_sweep_values hundreds = {{10, 100, 1000}, 3};

/* Sets the times of a storage of a kernel; 0: there is none. Intervals are 0.2 % wide. */
static void give(struct app_sweep *sweep, enum krn_kernel kernel, enum krn_storage storage,
                 const double ms[3])
{
    const struct krn_mode mode = {kernel, storage, krn_kernel_describe(kernel)->pixels_start};
    for (int at = 0; at < 3; at++) {
        const struct krn_interval interval = {true, 0.999 * ms[at], 1.001 * ms[at]};
        const struct app_estimate estimate = app_estimate_of_run(ms[at], interval, 0.0);
        if (ms[at] > 0.0)
            app_sweep_put(sweep, krn_mode_index(mode), at, &estimate, NULL);
    }
}

static void expect_sentence(const struct app_sweep *sweep, int i, const char *text)
{
    struct app_story_headline headline;
    app_story_headline_of(sweep, 1.0, &headline);
    assert_true(i < headline.count);
    assert_string_equal(headline.text[i], text);
}

TEST(sentences_follow_from_the_data)
{
    struct app_story_headline headline;
    struct app_sweep *sweep = app_sweep_new(KRN_VIEW_BOOK, &hundreds, NULL);
    app_story_headline_of(sweep, 1.0, &headline);
    assert_int_equal(headline.count, 0);
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 2.0, 4.0});
    app_story_headline_of(sweep, 1.0, &headline);
    assert_int_equal(headline.count, 0);
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, (const double[]){0.8, 1.8, 5.0});
    expect_sentence(sweep, 0, "book kernel: constant wins up to 100 spheres, global at 1000");
    give(sweep, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, (const double[]){0.5, 1.0, 2.0});
    give(sweep, KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, (const double[]){0.5, 1.01, 2.0});
    expect_sentence(sweep, 1, "strip kernel: all storages are equal within 1.0 %");
    give(sweep, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, (const double[]){0.7, 0.8, 0.9});
    expect_sentence(sweep, 2,
                    "Sorting (binned) beats the strip from 100 spheres on: 2.2× as fast at 1000");
    free(sweep);

    /* A count that is not measured yet ends no range; an equal storage has no winner. */
    sweep = app_sweep_new(KRN_VIEW_BOOK, &hundreds, NULL);
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 0.0, 4.0});
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, (const double[]){0.8, 0.0, 3.0});
    expect_sentence(sweep, 0, "book kernel: shared wins, 10 to 1000 spheres");
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, (const double[]){0.801, 0.0, 3.01});
    expect_sentence(sweep, 0, "book kernel: storages differ by up to 1.33×, at 1000 spheres");
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, (const double[]){1.2, 0.0, 6.0});
    expect_sentence(sweep, 0, "book: constant never wins, 2× the time at 1000 spheres");
    free(sweep);

    sweep = app_sweep_new(KRN_VIEW_BOOK, &hundreds, NULL);
    sweep->one_storage = true;
    give(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 10.0, 0.0});
    give(sweep, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, (const double[]){0.5, 4.0, 9.0});
    give(sweep, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, (const double[]){0.6, 5.0, 10.0});
    expect_sentence(sweep, 0, "strip kernel: 2.5× as fast as the book's at 100 spheres");
    expect_sentence(sweep, 1, "Sorting (binned) does not pay up to 1000 spheres");
    free(sweep);
}

TEST(curves_keep_the_fastest_right_time)
{
    TEST_FREED struct app_sweep *sweep = app_sweep_new(KRN_VIEW_BOOK, &hundreds, NULL);
    struct app_estimate ms = app_estimate_plain(2.0);
    const enum krn_kernel strip = KRN_KERNEL_STRIP;
    const enum krn_storage shared = KRN_STORAGE_SHARED;
    const int four = krn_mode_index((struct krn_mode){strip, shared, 4}),
              eight = krn_mode_index((struct krn_mode){strip, shared, 8});
    app_sweep_put(sweep, four, 1, &ms, NULL);
    ms.value = 3.0;
    app_sweep_put(sweep, eight, 1, &ms, NULL);
    assert_int_equal(app_sweep_fastest(sweep, 1, (int)strip, (int)shared, -1), four);
    assert_int_equal(app_sweep_fastest(sweep, 1, -1, -1, four), eight);
    assert_true(app_sweep_time(sweep, strip, shared, 1)->value == 2.0);
    assert_false(sweep->wrong[strip][shared]);
    ms.value = 1.0;
    ms.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    app_sweep_put(sweep, eight, 1, &ms, NULL);
    assert_int_equal(app_sweep_fastest(sweep, 1, (int)strip, -1, -1), four);
    assert_true(sweep->wrong[strip][shared] && !sweep->wrong[strip][KRN_STORAGE_GLOBAL]);
    assert_null(app_sweep_time(sweep, strip, shared, 0));
    assert_int_equal(app_sweep_fastest(sweep, 0, -1, -1, -1), -1);
}

/* --- records --- */

/* Adds a time of a mode at a number of spheres. */
static void add(struct app_results *results, const char *mode, double spheres, bool moves)
{
    struct app_draft draft;
    app_draft_begin(&draft, results, "raytrace", mode, KRN_BACKEND_CPU);
    app_put(&draft, APP_W_SPHERES, spheres);
    if (moves)
        app_put_text(&draft, APP_W_POSE_S, "moving");
    else
        app_put(&draft, APP_W_POSE_S, 0.0);
    app_put(&draft, APP_M_MEDIAN_MS, spheres);
    draft.result.scope = "a frame";
    app_results_add(results, &draft.result);
}

/* The points of a story plot stand in a record beside the picture's own time, which is of another
 * pose. */
TEST(results_of_one_workload_are_a_sweep)
{
    static char name[] = "test_sweep";
    char *arguments[] = {name, NULL};
    static struct app_environment environment;
    app_environment_collect(&environment, 1, arguments);
    TEST_OWNED(app_results_free) struct app_results results;
    app_results_begin(&results, &environment);
    assert_null(app_sweep_read(&results));
    add(&results, "book/global", 20, true);
    for (int i = 0; i < 3; i++) {
        add(&results, "strip/global/8", hundreds.at[i], false);
        add(&results, "book/global", hundreds.at[i], false);
    }
    TEST_FREED struct app_sweep *sweep = app_sweep_read(&results);
    assert_non_null(sweep);
    assert_true(sweep->points == 3 && sweep->bounces.count == 1);
    assert_memory_equal(sweep->spheres.at, hundreds.at, sizeof(int[3]));
    for (size_t i = 0; i < results.count; i++)
        assert_int_equal(app_sweep_has(sweep, &results.results[i]), i > 0);
    assert_true(app_sweep_time(sweep, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 2)->value == 1000.0);
    for (int i = 0; i < APP_SWEEP_COUNTS; i++)
        add(&results, "book/global", 2000 + i, false);
    assert_null(app_sweep_read(&results)); /* too many */
}

int main(void)
{
    return tests_run(NULL, NULL);
}
