/* What benchmarks of the light view measure on the CPU backend: its own modes, with counted rays
 * and their rate in records and tables. */
#include "pictures.h"

#include "base/process.h"
#include "bench/program.h"
#include "engine/work.h"
#include "measure/mode_run.h"
#include "measure/report.h"
#include "model/model.h"
#include "print/print.h"
#include "spec/state.h"

#include <signal.h>

static struct app_engine *engine;
static struct app_state state;
static struct app_environment environment;

/* Returns the state of a small picture of a view. */
static struct app_state small_state(enum krn_view_kind view)
{
    struct app_state small = app_state_default();
    small.spec.backend = KRN_BACKEND_CPU;
    small.spec.width = small.spec.height = 48;
    small.spec.motion = false;
    app_state_set_mode(&small, app_mode_first(view));
    return small;
}

/* Prints the tables of a record into *text, to be freed. */
static void print(struct app_results *results, char **text)
{
    size_t size = 0;
    app_results_sort(results);
    FILE *out = open_memstream(text, &size);
    assert_non_null(out);
    app_results_print(results, APP_STYLE_TEXT, out);
    assert_int_equal(fclose(out), 0);
}

static double metric(const struct app_result *result, enum app_member member)
{
    return app_result_number(result, member, 0.0);
}

TEST(every_bench_has_the_modes_of_its_view)
{
    static struct app_measurement measurement;
    static const char *const patterns[] = {"", "*/*/*", "*/texture"};
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            const struct app_plan plan = {.frames = 6, .seconds = 600.0, .modes = patterns[p]};
            int chosen = 0;
            state = small_state((enum krn_view_kind)view);
            TEST_OK(app_measure_modes(engine, &state, &plan, &measurement, &error));
            for (int m = 0; m < KRN_MODES; m++)
                chosen += (int)krn_mode_view(krn_mode_at(m)) == view &&
                          app_mode_chosen(patterns[p], krn_mode_at(m));
            assert_int_equal(measurement.count, chosen);
            assert_true(chosen > 1);
            for (int m = 0; m < measurement.count; m++) {
                assert_int_equal(krn_mode_view(measurement.modes[m].mode), view);
                assert_int_equal(measurement.modes[m].ms.n, 6);
                assert_int_equal(measurement.modes[m].verified, APP_VERIFIED_TRUE);
                assert_true((measurement.modes[m].binning_ms > 0.0) ==
                            krn_kernel_describe(measurement.modes[m].mode.kernel)->bins);
            }
            assert_true((measurement.rays > 0.0) == (view == KRN_VIEW_LIGHT));
        }
}

TEST(records_and_tables_have_the_rays)
{
    static struct app_measurement measurement;
    const struct app_plan plan = {.frames = 8, .seconds = 600.0};
    TEST_OWNED(app_results_free) struct app_results results;
    struct krn_rays rays;
    TEST_FREED char *text = NULL;
    state = small_state(KRN_VIEW_LIGHT);
    app_report_begin(&results, &environment, engine, &state, NULL);
    TEST_OK(app_measure_modes(engine, &state, &plan, &measurement, &error));
    const struct krn_view view = app_engine_view(&state);
    TEST_OK(krn_device_rays(app_engine_device(engine, &state), &view, &rays, &error));
    app_report_add_measurement(&results, &state, &measurement);
    print(&results, &text);
    assert_int_equal(results.count, app_mode_count(KRN_VIEW_LIGHT));
    for (size_t i = 0; i < results.count; i++) {
        const struct app_result *result = &results.results[i];
        const double per_s = metric(result, APP_M_RAYS) / metric(result, APP_M_MEDIAN_MS) * 1e3;
        assert_true(metric(result, APP_M_RAYS) == (double)krn_rays_sum(&rays));
        assert_true(fabs(metric(result, APP_M_RAYS_PER_S) / per_s - 1.0) < 1e-6);
        /* Net of its launch, the limit of so small a picture may be lost in the noise. */
        assert_true(metric(result, APP_M_LIMIT_MS) <= metric(result, APP_M_LIMIT_RAW_MS));
    }
    assert_non_null(strstr(text, "speed: times as fast as brute/global"));
    assert_non_null(strstr(text, "rays/s"));
    assert_non_null(strstr(text, "counted: from the eye, off mirrors and towards the"));
    assert_non_null(strstr(text, "Of it, to build the tree: tree/global"));
    assert_null(strstr(text, "tiles"));
}

TEST(a_duel_has_the_rate)
{
    static struct app_duel_result duel;
    const struct app_plan plan = {.frames = 40, .seconds = 600.0};
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_FREED char *text = NULL;
    state = small_state(KRN_VIEW_LIGHT);
    app_report_begin(&results, &environment, engine, &state, NULL);
    state.spec.duel.on = true;
    state.spec.duel.other = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    TEST_OK(app_duel_run(engine, &state, &plan, &duel, &error));
    assert_true(duel.sides.rays > 0.0);
    app_report_add_duel(&results, &state, &duel, APP_REGIME_BUSY);
    print(&results, &text);
    const struct app_result *of = app_results_find(&results, 0, "duel", NULL);
    assert_non_null(of);
    assert_true(metric(of, APP_M_RAYS) == duel.sides.rays);
    assert_true(metric(of, APP_M_A_RAYS_PER_S) > 0.0 && metric(of, APP_M_B_RAYS_PER_S) > 0.0);
}

/* A new picture is counted after a moment, a standing one once, a moving one from time to time. */
TEST(the_count_follows_the_screen)
{
    struct app_rays rays = {.sum = 0.0};
    state = small_state(KRN_VIEW_LIGHT);
    TEST_OK(app_engine_adopt(engine, &state, &error));
    struct krn_device *device = app_engine_device(engine, &state);
    struct krn_image image = test_image(device, state.spec.width, state.spec.height);
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    app_rays_follow(&rays, engine, &state, 10.0);
    assert_true(rays.sum == 0.0);
    app_rays_follow(&rays, engine, &state, 11.0);
    const double still = rays.sum;
    assert_true(still > 48.0 * 48.0 && !rays.sampled);
    /* Another pose has other rays, but it is not counted at once. */
    state.spec.motion = true;
    state.spec.motion_s = 7.0;
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    app_rays_follow(&rays, engine, &state, 11.1);
    assert_true(rays.sum == still && rays.sampled);
    app_rays_follow(&rays, engine, &state, 1e6);
    assert_true(rays.sum > 0.0 && rays.sum != still && rays.sampled);
    /* No bounces: at most a ray and a shadow ray per pixel. */
    state.spec.light.bounces = 0;
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    app_rays_follow(&rays, engine, &state, 2e6);
    assert_true(rays.sum == 0.0);
    app_rays_follow(&rays, engine, &state, 2e6 + 1.0);
    assert_true(rays.sum >= 48.0 * 48.0 && rays.sum <= 2.0 * 48.0 * 48.0);
    assert_true(app_rays_per_s(rays.sum, 2.0) == rays.sum * 500.0);
    /* What cannot be counted is not tried again. */
    state.spec.light.samples = 3;
    rays.sum = 0.0;
    rays.next_s = 0.0;
    app_rays_follow(&rays, engine, &state, 3e6);
    assert_true(rays.failed && rays.sum == 0.0);
    /* The book view has no rays. */
    state = small_state(KRN_VIEW_BOOK);
    app_rays_follow(&rays, engine, &state, 4e6);
    assert_true(rays.sum == 0.0 && !rays.followed);
    assert_true(app_rays_per_s(0.0, 2.0) < 0.0 && app_rays_per_s(5.0, 0.0) < 0.0);
    krn_device_free_image(device, &image);
}

/* Runs both parts of one record, the second after `between`. Returns whether the record is
 * complete. */
static bool two_parts(void (*between)(void))
{
    TEST_OWNED(app_results_free) struct app_results results;
    const struct app_plan plan = {.frames = 2, .seconds = 600.0};
    const struct app_span first[APP_SWEEP_AXES] = {{true, 1, 1}},
                          second[APP_SWEEP_AXES] = {{true, 2, 2}};
    state = small_state(KRN_VIEW_BOOK);
    app_report_begin(&results, &environment, engine, &state, NULL);
    TEST_OK(app_sweep_run(engine, &state, first, 0, &plan, &results, &error));
    assert_int_equal(results.count, app_mode_count(KRN_VIEW_BOOK));
    between();
    TEST_OK(app_sweep_run(engine, &state, second, 0, &plan, &results, &error));
    for (size_t i = 0; i < results.count; i++)
        assert_true(results.results[i].complete);
    return results.complete;
}

static void nothing(void)
{
}

static void interrupt(void)
{
    app_interrupt_catch(true);
    app_interrupt_keep();
    raise(SIGTERM);
}

/* An interrupt between two counts cuts no result short, and the record must still be incomplete.
 * Last, because an interrupt stays set. */
TEST(interrupted_between_two_counts)
{
    assert_true(two_parts(nothing));
    assert_false(two_parts(interrupt));
    assert_true(app_interrupted());
}

int main(void)
{
    static char name[] = "test_light_bench";
    char *arguments[] = {name, NULL};
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    state = small_state(KRN_VIEW_BOOK);
    app_environment_collect(&environment, 1, arguments);
    if (app_engine_open(&engine, &run, &state, notice, &error) != KRN_OK)
        return 1;
    const int failed = tests_run(NULL, NULL);
    app_engine_close(engine);
    return failed;
}
