/* The story plot: the order in which it fills, predictions, and a live measurement beside a
 * picture, which must not change it. `test_story cpu` and `test_story cuda` name the backend. */
#include "pictures.h"

#include "measure/mode_run.h"
#include "measure/report.h"

#include <time.h>

static enum krn_backend_id backend;

TEST(coarse_counts_come_first)
{
    static const int nine[] = {0, 8, 4, 2, 6, 1, 3, 5, 7};
    int order[APP_SWEEP_COUNTS];
    app_story_order(9, order);
    assert_memory_equal(order, nine, sizeof nine);
    for (int count = 0; count <= APP_SWEEP_COUNTS; count++) {
        bool seen[APP_SWEEP_COUNTS] = {false};
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

/* --- a live measurement beside a picture --- */

static struct app_engine *engine;
static struct app_state state;
static struct krn_image image;
static struct app_verify *verify;
static struct app_environment environment;

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

static const struct app_sweep_values few = {{3, 10, 30}, 3};

/* Measures until the plot is complete, with a frame of the picture after every burst. */
static void fill(struct app_story *story, uint64_t picture)
{
    double before = 0.0;
    for (int i = 0; i < 5000 && !app_story_over(story, backend); i++) {
        TEST_OK(app_story_frame(story, &state, &error));
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
    struct app_story *story = app_story_open(engine, &few, 96, 64, NULL, NULL);
    const uint64_t picture = render_frame();
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        state.spec.mode = modes[m];
        assert_true(render_frame() == picture);
        const uint32_t epoch = app_engine_epoch(engine);
        const struct krn_series *series = app_engine_series(engine, backend, state.spec.mode);
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
    /* Every mode at every point, right by the reference, as --sweep records it. */
    const bool distinct = krn_backend_get(backend)->can->distinct_storages;
    int measured = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        measured += view->sweep->measured[m];
        assert_int_equal(view->sweep->measured[m],
                         krn_mode_view(krn_mode_at(m)) == KRN_VIEW_BOOK &&
                             (distinct || krn_mode_at(m).storage == KRN_STORAGE_GLOBAL));
        for (int at = 0; at < few.count && view->sweep->measured[m]; at++) {
            const struct app_estimate *ms = &view->sweep->cells[at][m].median;
            assert_true(ms->valid && ms->has_interval);
            assert_false(ms->trust & (APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) |
                                      APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED)));
        }
    }
    static const struct krn_series frames;
    const struct app_session_record session = {.environment = &environment,
                                               .engine = engine,
                                               .state = &state,
                                               .screen = {.gl = NULL},
                                               .verify =
                                                   (const struct app_verify *[]){verify, verify},
                                               .frames = &frames,
                                               .story = story};
    TEST_OWNED(app_results_free) struct app_results results = app_report_session(&session);
    TEST_FREED struct app_sweep *sweep = app_sweep_read(&results);
    assert_non_null(sweep);
    assert_memory_equal(&sweep->spheres, &few, sizeof few);
    for (int m = 0; m < KRN_MODES; m++)
        for (int at = 0; at < few.count; at++) {
            const struct app_sweep_cell *cell = &sweep->cells[at][m];
            assert_int_equal(cell->result != NULL, view->sweep->measured[m]);
            if (cell->result == NULL)
                continue;
            assert_int_equal(cell->result->verified, APP_VERIFIED_TRUE);
            assert_true(app_result_samples(cell->result) >= APP_STORY_FIRST);
            assert_true(fabs(cell->median.value / view->sweep->cells[at][m].median.value - 1.0) <
                        1e-6);
        }
    assert_true(measured > 2);
    app_story_close(story);
}

TEST(a_hold_pauses_and_hiding_ends_nothing)
{
    struct app_story *story = app_story_open(engine, &few, 96, 64, NULL, NULL);
    state.look.hold = true;
    TEST_OK(app_story_frame(story, &state, &error));
    assert_false(app_story_ran(story) || app_story_current(story, backend)->begun);
    state.look.hold = false;
    TEST_OK(app_story_frame(story, &state, &error));
    assert_true(app_story_ran(story) && app_story_current(story, backend)->begun);
    app_story_pause(story, true);
    assert_false(app_story_ran(story));
    /* A small plot may be complete by now. */
    assert_true(app_story_current(story, backend)->paused != app_story_over(story, backend));
    app_story_pause(story, false);
    assert_false(app_story_current(story, backend)->paused);
    fill(story, render_frame());
    TEST_OK(app_story_frame(story, &state, &error));
    assert_false(app_story_ran(story)); /* it is complete */
    app_story_close(story);
}

/* Points whose frames would take longer than 100 ms are left out, and the view says which. */
TEST(long_points_are_left_out)
{
    if (backend != KRN_BACKEND_CPU)
        skip();
    static const struct app_sweep_values far = {{10, 1000000}, 2};
    struct app_story *story = app_story_open(engine, &far, 512, 512, NULL, NULL);
    fill(story, render_frame());
    const struct app_story_view *view = app_story_current(story, backend);
    assert_null(app_sweep_time(view->sweep, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1));
    assert_true(view->done);
    assert_non_null(strstr(view->left_out, "book from 1000000"));
    app_story_close(story);
}

/* A storage with a wrong sphere; where all storages use the same caches, the one that is measured.
 */
TEST(a_wrong_storage_is_marked)
{
    const bool distinct = krn_backend_get(backend)->can->distinct_storages;
    const enum krn_storage wrong = distinct ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL;
    struct app_story *story = app_story_open(engine, &few, 96, 64, NULL, NULL);
    const uint64_t picture = render_frame();
    setenv("SPHERESCOPE_FAULT", krn_storage_name(wrong), 1);
    fill(story, picture);
    unsetenv("SPHERESCOPE_FAULT");
    const struct app_story_view *view = app_story_current(story, backend);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        assert_int_equal(view->sweep->wrong[KRN_KERNEL_BOOK][s], s == (int)wrong);
    app_story_close(story);
}

int main(int argc, char **argv)
{
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    backend = argc > 1 && strcmp(argv[1], "cuda") == 0 ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU;
    run.backend = (int)backend;
    state = app_state_default();
    state.spec.width = state.spec.height = 64;
    if (app_engine_open(&engine, &run, &state, notice, &error) != KRN_OK ||
        app_engine_adopt(engine, &state, &error) != KRN_OK ||
        krn_device_alloc_image(app_engine_device(engine, &state), 64, 64, &image, &error) !=
            KRN_OK) {
        printf("skipped: %s\n", error.text);
        return backend == KRN_BACKEND_CUDA ? TEST_SKIPPED : 1;
    }
    app_environment_collect(&environment, 1, argv);
    verify = app_verify_open();
    const int failed = tests_run(NULL, NULL);
    app_verify_close(verify);
    krn_device_free_image(app_engine_device(engine, &state), &image);
    app_engine_close(engine);
    return failed;
}
