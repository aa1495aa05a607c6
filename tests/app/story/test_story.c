/* The story plot: the order in which it fills, predictions, sentences, and a live measurement
 * beside a picture, which must not change it. `test_story cpu` and `test_story cuda` name the
 * backend. */
#include "pictures.h"

#include "judge/trust.h"
#include "story/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static enum krn_backend_id backend;

/* Kernels of the book view, and its pairs of kernel and storage: a curve each. */
#define IS_BOOK(id, name, view, storages, pixels, start, bytes, bins, help)                        \
    ((int)(view) == (int)KRN_VIEW_BOOK)
#define BOOK_STORAGES(id, name, view, storages, pixels, start, bytes, bins, help)                  \
    ((int)(view) == (int)KRN_VIEW_BOOK) * KRN_BITS(storages)
enum { BOOK_KERNELS = KRN_KERNELS(IS_BOOK, +), BOOK_CURVES = KRN_KERNELS(BOOK_STORAGES, +) };

TEST(coarse_counts_come_first)
{
    static const int nine[] = {0, 8, 4, 2, 6, 1, 3, 5, 7};
    int order[APP_CURVE_COUNTS];
    app_story_order(9, order);
    assert_memory_equal(order, nine, sizeof nine);
    for (int count = 0; count <= APP_CURVE_COUNTS; count++) {
        bool seen[APP_CURVE_COUNTS] = {false};
        app_story_order(count, order);
        for (int i = 0; i < count; i++) {
            assert_in_range(order[i], 0, count - 1);
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
        assert_true(count < 2 || (order[0] == 0 && order[1] == count - 1));
    }
}

TEST(predictions_grow_with_the_count)
{
    static const int counts[] = {10, 20, 50, 100, 1000};
    assert_true(app_story_predict_ms(counts, (const double[]){0, 0, 0, 0, 0}, 5, 2) < 0.0);
    /* In proportion, from the next lower count. */
    assert_true(fabs(app_story_predict_ms(counts, (const double[]){1, 0, 0, 0, 0}, 5, 4) - 100.0) <
                1e-9);
    /* Equal times of neighbours may be noise: no long step is predicted from them. */
    assert_true(app_story_predict_ms(counts, (const double[]){1, 1, 0, 0, 0}, 5, 4) > 49.0);
    const double near_ms = app_story_predict_ms(counts, (const double[]){1, 1.2, 0, 0, 0}, 5, 2);
    assert_true(near_ms > 1.2 && near_ms < 3.0);
    /* No longer than at a higher count; a measured count is its own prediction. */
    assert_true(app_story_predict_ms(counts, (const double[]){1, 0, 0, 3, 0}, 5, 2) <= 3.0);
    assert_true(app_story_predict_ms(counts, (const double[]){0, 0, 0, 3, 0}, 5, 0) == 3.0);
    assert_true(app_story_predict_ms(counts, (const double[]){1, 7, 0, 3, 0}, 5, 1) == 7.0);
}

TEST(a_differing_picture_is_wrong)
{
    enum app_verified verified[4];
    app_story_compare((const uint64_t[]){7, 7, 9, 9}, (const bool[]){true, true, true, false}, 4,
                      verified);
    assert_int_equal(verified[0], APP_VERIFIED_TRUE);
    assert_int_equal(verified[1], APP_VERIFIED_TRUE);
    assert_int_equal(verified[2], APP_VERIFIED_FALSE);
    assert_int_equal(verified[3], APP_VERIFIED_UNKNOWN);
    app_story_compare((const uint64_t[]){7, 0}, (const bool[]){true, false}, 2, verified);
    assert_int_equal(verified[0], APP_VERIFIED_UNKNOWN);
    app_story_compare((const uint64_t[]){7, 8}, (const bool[]){true, true}, 2, verified);
    assert_int_equal(verified[0], APP_VERIFIED_TRUE);
    assert_int_equal(verified[1], APP_VERIFIED_FALSE);
}

/* --- sentences --- */

static const int hundreds[] = {10, 100, 1000};

/* Adds the times of a storage of a kernel; 0: there is none. Intervals are 0.2 % wide. */
static void give(struct app_curves *curves, enum krn_kernel kernel, enum krn_storage storage,
                 const double ms[3])
{
    const struct krn_mode mode = {kernel, storage, krn_kernel_describe(kernel)->pixels_start};
    for (int at = 0; at < 3; at++) {
        const struct krn_interval interval = {true, 0.999 * ms[at], 1.001 * ms[at]};
        const struct app_estimate estimate = app_estimate_of_run(ms[at], interval, 0.0);
        if (ms[at] > 0.0)
            app_curves_offer(curves, mode, at, &estimate);
    }
}

static struct app_curves *three_counts(bool one_storage)
{
    struct app_curves *curves = calloc(1, sizeof *curves);
    assert_non_null(curves);
    app_curves_begin(curves, KRN_VIEW_BOOK, hundreds, 3, one_storage);
    return curves;
}

static void expect_sentence(const struct app_curves *curves, int i, const char *text)
{
    struct app_story_headline headline;
    app_story_headline_of(curves, 1.0, &headline);
    assert_true(i < headline.count);
    assert_string_equal(headline.text[i], text);
}

TEST(sentences_follow_from_the_data)
{
    struct app_story_headline headline;
    struct app_curves *curves = three_counts(false);
    app_story_headline_of(curves, 1.0, &headline);
    assert_int_equal(headline.count, 0);
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 2.0, 4.0});
    app_story_headline_of(curves, 1.0, &headline);
    assert_int_equal(headline.count, 0);
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, (const double[]){0.8, 1.8, 5.0});
    expect_sentence(curves, 0, "book kernel: constant wins up to 100 spheres, global at 1000");
    give(curves, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, (const double[]){0.5, 1.0, 2.0});
    give(curves, KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, (const double[]){0.5, 1.01, 2.0});
    expect_sentence(curves, 1, "strip kernel: all storages are equal within 1.0 %");
    give(curves, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, (const double[]){0.7, 0.8, 0.9});
    expect_sentence(curves, 2, "binned kernel: sorting the spheres wins from 100 on");
    free(curves);

    /* A count that is not measured yet ends no range; an equal storage has no winner. */
    curves = three_counts(false);
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 0.0, 4.0});
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, (const double[]){0.8, 0.0, 3.0});
    expect_sentence(curves, 0, "book kernel: shared wins, 10 to 1000 spheres");
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, (const double[]){0.801, 0.0, 3.01});
    expect_sentence(curves, 0, "book kernel: storages differ by up to 1.33×, at 1000 spheres");
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, (const double[]){1.2, 0.0, 6.0});
    expect_sentence(curves, 0, "book kernel: constant never wins; 2× the time at 1000 spheres");
    free(curves);

    curves = three_counts(true);
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 10.0, 0.0});
    give(curves, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, (const double[]){0.5, 4.0, 9.0});
    give(curves, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, (const double[]){0.6, 5.0, 10.0});
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, (const double[]){0.1, 0.1, 0.1});
    expect_sentence(curves, 0, "strip kernel: 2.5× as fast as the book's at 100 spheres");
    expect_sentence(curves, 1, "binned kernel: sorting does not pay up to 1000 spheres");
    assert_int_equal(curves->n, BOOK_KERNELS);
    free(curves);
}

/* Curves are of one view: those of the other one cannot be offered. */
TEST(views_have_curves_of_their_own)
{
    TEST_FREED struct app_curves *curves = calloc(1, sizeof *curves);
    assert_non_null(curves);
    app_curves_begin(curves, KRN_VIEW_LIGHT, hundreds, 3, false);
    assert_int_equal(curves->n, 2 * KRN_STORAGE_COUNT - 1);
    assert_null(app_curves_find(curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL));
    assert_null(app_curves_find(curves, KRN_KERNEL_TREE, KRN_STORAGE_SHARED));
    give(curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, (const double[]){1.0, 2.0, 4.0});
    give(curves, KRN_KERNEL_TREE, KRN_STORAGE_TEXTURE, (const double[]){1.0, 2.0, 4.0});
    int points = 0;
    for (int i = 0; i < curves->n; i++)
        points += app_curve_points(&curves->curves[i], 3);
    assert_int_equal(points, 3);
}

TEST(curves_keep_the_fastest_right_time)
{
    TEST_FREED struct app_curves *curves = three_counts(false);
    struct app_estimate ms = app_estimate_plain(2.0);
    const struct krn_mode four = {KRN_KERNEL_STRIP, KRN_STORAGE_SHARED, 4},
                          eight = {KRN_KERNEL_STRIP, KRN_STORAGE_SHARED, 8};
    const struct app_curve *curve = app_curves_find(curves, four.kernel, four.storage);
    assert_non_null(curve);
    app_curves_offer(curves, four, 1, &ms);
    ms.value = 3.0;
    app_curves_offer(curves, eight, 1, &ms);
    assert_true(curve->ms[1].value == 2.0 && curve->pixels_per_thread[1] == 4);
    assert_false(curve->wrong);
    ms.value = 1.0;
    ms.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    app_curves_offer(curves, eight, 1, &ms);
    assert_true(curve->ms[1].value == 2.0 && curve->wrong);
    assert_int_equal(app_curve_points(curve, 3), 1);
}

/* --- a live measurement beside a picture --- */

static struct app_engine *engine;
static struct app_state state;
static struct krn_image image;

static uint64_t render_frame(void)
{
    uint64_t hash = 0;
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    TEST_OK(krn_device_sync(app_engine_device(engine, &state), &error));
    TEST_OK(krn_device_hash(app_engine_device(engine, &state), &image, &hash, &error));
    app_engine_poll(engine);
    return hash;
}

static struct app_story_plan small_plan(void)
{
    return (struct app_story_plan){.counts = {3, 10, 30}, .count = 3, .width = 96, .height = 64};
}

/* Measures until the plot is complete, with a frame of the picture after every burst. */
static void fill(struct app_story *story, uint64_t picture)
{
    double before = 0.0;
    for (int i = 0; i < 5000 && !app_story_over(story, backend); i++) {
        TEST_OK(app_story_frame(story, engine, &state, &error));
        assert_true(app_story_ran(story));
        const struct app_story_view *view = app_story_current(story, backend);
        assert_true(view->progress >= before - 0.3); /* points left out by a prediction come back */
        before = view->progress;
        assert_true(render_frame() == picture);
    }
    assert_true(app_story_over(story, backend));
}

TEST(the_plot_fills_and_the_picture_stays)
{
    static const struct krn_mode modes[] = {{KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1},
                                            {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 8},
                                            {KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, 1}};
    const struct app_story_plan plan = small_plan();
    struct app_story *story = app_story_open(&plan, 1.0);
    assert_non_null(story);
    const uint64_t picture = render_frame();
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        state.mode = modes[m];
        assert_true(render_frame() == picture);
        const uint32_t epoch = app_engine_epoch(engine);
        const struct krn_series *series = app_engine_series(engine, backend, state.mode);
        const unsigned long long total = series->total;
        app_story_again(story, backend);
        assert_false(app_story_current(story, backend)->begun);
        fill(story, picture);
        /* The picture's statistics have its own frames only, at most one of each. */
        assert_int_equal(app_engine_epoch(engine), epoch);
        assert_true(series->total > total && series->total <= total + 5000);
        for (int other = 0; other < KRN_MODES; other++)
            if (krn_mode_at(other).kernel == KRN_KERNEL_BINNED)
                assert_int_equal(app_engine_series(engine, backend, krn_mode_at(other))->total, 0);
    }
    const struct app_story_view *view = app_story_current(story, backend);
    assert_true(view->done && view->progress == 1.0 && view->why[0] == 0);
    for (int i = 0; i < view->curves.n; i++) {
        assert_int_equal(app_curve_points(&view->curves.curves[i], plan.count), plan.count);
        assert_false(view->curves.curves[i].wrong);
        for (int at = 0; at < plan.count; at++)
            assert_true(view->curves.curves[i].ms[at].has_interval);
    }
    const bool distinct = krn_backend_get(backend)->can->distinct_storages;
    assert_int_equal(view->curves.n, distinct ? BOOK_CURVES : BOOK_KERNELS);
    app_story_close(story);
}

TEST(a_hold_pauses_and_hiding_ends_nothing)
{
    const struct app_story_plan plan = small_plan();
    struct app_story *story = app_story_open(&plan, 1.0);
    assert_non_null(story);
    state.hold = true;
    TEST_OK(app_story_frame(story, engine, &state, &error));
    assert_false(app_story_ran(story) || app_story_current(story, backend)->begun);
    state.hold = false;
    TEST_OK(app_story_frame(story, engine, &state, &error));
    assert_true(app_story_ran(story) && app_story_current(story, backend)->begun);
    app_story_pause(story, true);
    assert_false(app_story_ran(story));
    /* A small plot may be complete by now. */
    assert_true(app_story_current(story, backend)->paused != app_story_over(story, backend));
    app_story_pause(story, false);
    assert_false(app_story_current(story, backend)->paused);
    fill(story, render_frame());
    TEST_OK(app_story_frame(story, engine, &state, &error));
    assert_false(app_story_ran(story)); /* it is complete */
    app_story_close(story);
}

/* Points whose frames would take longer than 100 ms are left out, and the view says which. */
TEST(long_points_are_left_out)
{
    if (backend != KRN_BACKEND_CPU)
        skip();
    const struct app_story_plan plan = {
        .counts = {10, 1000000}, .count = 2, .width = 512, .height = 512};
    struct app_story *story = app_story_open(&plan, 1.0);
    assert_non_null(story);
    fill(story, render_frame());
    const struct app_story_view *view = app_story_current(story, backend);
    const struct app_curve *book =
        app_curves_find(&view->curves, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL);
    assert_true(view->done && !book->ms[1].valid);
    assert_non_null(strstr(view->left_out, "book from 1000000"));
    app_story_close(story);
}

/* A storage with a wrong sphere, on a device whose storages are memories of their own. */
TEST(a_wrong_storage_is_marked)
{
    if (!krn_backend_get(backend)->can->distinct_storages)
        skip();
    const struct app_story_plan plan = small_plan();
    struct app_story *story = app_story_open(&plan, 1.0);
    assert_non_null(story);
    const uint64_t picture = render_frame();
    setenv("SPHERESCOPE_FAULT", "constant", 1);
    fill(story, picture);
    unsetenv("SPHERESCOPE_FAULT");
    const struct app_story_view *view = app_story_current(story, backend);
    for (int i = 0; i < view->curves.n; i++)
        assert_true(view->curves.curves[i].wrong ==
                    (view->curves.curves[i].storage == KRN_STORAGE_CONSTANT));
    app_story_close(story);
}

int main(int argc, char **argv)
{
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    backend = argc > 1 && strcmp(argv[1], "cuda") == 0 ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU;
    run.backend = (int)backend;
    state = app_state_default();
    state.width = state.height = 64;
    if (app_engine_open(&engine, &run, &state, notice, &error) != KRN_OK ||
        app_engine_adopt(engine, &state, &error) != KRN_OK ||
        krn_device_alloc_image(app_engine_device(engine, &state), 64, 64, &image, &error) !=
            KRN_OK) {
        printf("skipped: %s\n", error.text);
        return backend == KRN_BACKEND_CUDA ? TEST_SKIPPED : 1;
    }
    const int failed = tests_run(NULL, NULL);
    krn_device_free_image(app_engine_device(engine, &state), &image);
    app_engine_close(engine);
    return failed;
}
