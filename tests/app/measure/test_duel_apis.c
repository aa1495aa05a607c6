/* A duel of two backends: `test_duel_apis cpu` or `test_duel_apis cuda` against OpenGL. With the
 * other one's launch between, each backend equals itself. Exit code 77: one of them is missing. */
#include "gl_context.h"
#include "pictures.h"

#include "base/process.h"
#include "engine/verify.h"
#include "measure/mode_run.h"
#include "measure/panels.h"
#include "measure/report.h"

static struct app_engine *engine;
static struct app_state state;
static enum krn_backend_id backend;
static struct app_duel_result result;

/* A of the other backend from one storage, B of OpenGL from another. */
static void open_engine(enum krn_storage a, enum krn_storage b)
{
    const int size = backend == KRN_BACKEND_CUDA ? 1024 : 64;
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    run.backend = (int)backend;
    state = app_state_default();
    state.spec.width = state.spec.height = size;
    state.spec.mode.storage = a;
    state.spec.duel.on = true;
    state.spec.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, b, 1};
    state.spec.duel.backend = 1 + KRN_BACKEND_GL;
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
}

static void run_duel(const struct app_plan *plan)
{
    TEST_OK(app_duel_run(engine, &state, plan, &result, &error));
}

/* Both pictures are right, the ratio is that of the net times, and frames after a switch are none
 * of a backend that renders alone. */
TEST(two_backends_take_turns)
{
    open_engine(KRN_STORAGE_GLOBAL, KRN_STORAGE_CONSTANT);
    run_duel(&(struct app_plan){.frames = 40});
    const struct app_mode_time *sides = result.sides.modes;
    const enum krn_backend_id backends[2] = {backend, KRN_BACKEND_GL};
    assert_true(result.result.pairs == 40 && result.aa.valid && result.aa.result.pairs > 0);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(sides[side].backend, backends[side]);
        assert_int_equal(sides[side].verified, APP_VERIFIED_TRUE);
        assert_true(sides[side].net.value < sides[side].median.value);
        assert_int_equal(app_engine_series(engine, sides[side].backend, sides[side].mode)->count,
                         0);
    }
    const double net = sides[1].net.value / sides[0].net.value;
    assert_true(fabs(result.comparison.ratio.value / net - 1.0) < 1e-9);

    const struct app_environment nowhere = {.argc = 0};
    struct app_results results;
    app_results_begin(&results, &nowhere);
    app_report_add_duel(&results, &state, &result, APP_REGIME_BUSY);
    char variant[128];
    snprintf(variant, sizeof variant, "%s:book/global,gl:book/constant", krn_backend_name(backend));
    const struct app_result *kept = &results.results[0];
    assert_string_equal(kept->variant, variant);
    assert_string_equal(app_result_text(kept, APP_P_B), "gl:book/constant");
    assert_non_null(strstr(kept->scope, "the ratio net of empty launches"));
    app_results_free(&results);
    app_engine_close(engine);
}

/* Without the untimed launch, each would find what the other one leaves. */
TEST(each_backend_equals_itself)
{
    const int frames = backend == KRN_BACKEND_CUDA ? 600 : 12;
    open_engine(KRN_STORAGE_CONSTANT, KRN_STORAGE_CONSTANT);
    TEST_OK(app_engine_adopt(engine, &state, &error));
    struct krn_image images[2];
    struct krn_device *devices[2];
    for (int side = 0; side < 2; side++) {
        devices[side] = app_engine_connected(engine, app_state_side(&state, side).backend);
        TEST_OK(krn_device_alloc_image(devices[side], state.spec.width, state.spec.height,
                                       &images[side], &error));
    }
    const struct krn_image *const both[2] = {&images[0], &images[1]};
    TEST_OK(app_engine_render_duel(engine, &state, both, 0.0, &error));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < frames; i++) {
            TEST_OK(app_engine_render_aa(engine, &state, side, both, 0.01 * i, &error));
            (void)app_engine_poll(engine);
        }
        const struct krn_duel_result *aa = krn_duel_result_of(&app_engine_aa(engine)->statistic);
        print_message("%s against itself: %.4f [%.4f, %.4f] %s, %zu pairs\n",
                      krn_backend_name(app_state_side(&state, side).backend), aa->ratio, aa->low,
                      aa->high, app_verdict_word(app_verdict_of_duel(aa->verdict)), aa->pairs);
        assert_true(aa->pairs >= (size_t)frames / 2);
        if (backend == KRN_BACKEND_CUDA) /* a GPU that no one else uses */
            assert_false(krn_ratio_claims(aa->so_far));
    }
    for (int side = 0; side < 2; side++)
        krn_device_free_image(devices[side], &images[side]);
    app_engine_close(engine);
}

/* A scene that one side cannot hold is refused, and the one before stays on both. */
TEST(a_scene_must_fit_both_sides)
{
    open_engine(KRN_STORAGE_GLOBAL, KRN_STORAGE_CONSTANT);
    run_duel(&(struct app_plan){.frames = 4});
    krn_fail_calls("krn_gl_reset:1");
    state.spec.recipe.seed++;
    assert_int_equal(app_duel_run(engine, &state, &(struct app_plan){.frames = 4}, &result, &error),
                     KRN_LOST);
    krn_fail_calls("");
    app_engine_drop(engine, KRN_BACKEND_GL);
    test_gl_lend();
    run_duel(&(struct app_plan){.frames = 4});
    assert_int_equal(result.sides.modes[0].verified, APP_VERIFIED_TRUE);
    assert_int_equal(result.sides.modes[1].verified, APP_VERIFIED_TRUE);
    app_engine_close(engine);
}

/* OpenGL's probes stand behind those of the other device. With their context lost, each is refused,
 * and the others go on. */
TEST(probes_of_two_devices_are_one_list)
{
    struct krn_device *device, *gl;
    struct krn_probes *probes;
    struct krn_probe_reading reading;
    TEST_OK(krn_backend_get(backend)->connect(0, &device, &error));
    TEST_OK(krn_backend_get(KRN_BACKEND_GL)->connect(0, &gl, &error));
    TEST_OK(krn_probes_open(device, 1u << KRN_TOPIC_TIMER, 0, &probes, &error));
    const int own = krn_probes_count(probes);
    TEST_OK(krn_probes_beside(probes, gl, 1u << KRN_TOPIC_WHERE, &error));
    assert_int_equal(krn_probes_count(probes), own + 14);
    const int tried[] = {own, 0};
    for (int i = 0; i < 2; i++) {
        TEST_OK(krn_probe_start(probes, tried[i], &error));
        assert_int_equal(krn_probe_start(probes, tried[1 - i], &error), KRN_REFUSED);
        while (!krn_probe_poll(probes, &reading))
            assert_true(krn_probe_busy(probes));
        assert_int_equal(reading.probe, tried[i]);
        assert_true(reading.ms > 0.0 && reading.slice_ms >= reading.ms);
    }
    struct krn_check check;
    TEST_OK(krn_probe_verify(probes, own, &check, &error));
    assert_true(check.compared > 0.0 && check.wrong == 0.0);
    assert_string_equal(krn_probes_at(probes, own)->series, "opengl/constant");
    assert_ptr_equal(krn_probes_device(probes, own), gl);
    assert_ptr_equal(krn_probes_device(probes, own - 1), device);
    assert_null(krn_probes_why(probes, KRN_TOPIC_WHERE));
    krn_fail_calls("krn_gl_reset:1");
    assert_int_equal(krn_probe_start(probes, own, &error), KRN_REFUSED);
    krn_fail_calls("");
    assert_non_null(strstr(krn_probes_why(probes, KRN_TOPIC_WHERE), "OpenGL"));
    TEST_OK(krn_probe_start(probes, 0, &error));
    assert_int_equal(krn_probe_start(probes, own + 14, &error), KRN_REFUSED);
    krn_probes_close(probes);
    krn_device_close(device);
    test_gl_lend();
}

/* A round on request gives CUDA's page OpenGL's row, whose cases end with as many pairs. */
TEST(a_round_measures_the_row_of_opengl)
{
    struct krn_device_info gl;
    struct krn_image image;
    if (backend != KRN_BACKEND_CUDA)
        return;
    open_engine(KRN_STORAGE_GLOBAL, KRN_STORAGE_CONSTANT);
    state.spec.duel.on = false;
    TEST_OK(krn_backend_get(KRN_BACKEND_GL)->describe(0, &gl, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    struct krn_device *device = app_engine_device(engine, &state);
    TEST_OK(krn_device_alloc_image(device, state.spec.width, state.spec.height, &image, &error));
    struct app_panels_live *panels = app_panels_open(10.0, 1.0);
    const struct app_panels_view *view;
    const double end_s = app_clock_s() + 120.0;
    int frames_since = -1; /* of the round */
    do {
        TEST_OK(app_engine_render(engine, &state, &image, &error));
        (void)app_engine_poll(engine);
        TEST_OK(app_panels_frame(panels, engine, &state, app_clock_s(), &error));
        view = app_panels_current(panels, engine, &state, app_clock_s());
        if (frames_since < 0 && view->probes.count > 0)
            app_panels_remeasure(panels);
        frames_since += frames_since >= 0 || view->probes.count > 0;
    } while ((frames_since < 2 || view->again) && app_clock_s() < end_s);
    int cases = 0;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_result *row = &view->probes.results[i];
        cases += row->backend == KRN_BACKEND_GL && row->verified == APP_VERIFIED_TRUE &&
                 app_result_samples(row) == APP_WHERE_PAIRS;
    }
    const bool same = strncmp(gl.name, krn_device_describe(device)->name,
                              strlen(krn_device_describe(device)->name)) == 0;
    print_message("%d cases of OpenGL on %s\n", cases, gl.name);
    assert_int_equal(cases, same ? 14 : 0);
    app_panels_close(panels);
    krn_device_free_image(device, &image);
    app_engine_close(engine);
}

/* A picture that is right, but has other bytes, is right with their number, at most one pixel in a
 * thousand; with more, it is not verified. */
TEST(a_driver_may_round_otherwise)
{
    static const struct {
        const char *fault, *says;
        enum app_verified verified;
    } cases[] = {{"constant-rounded", " rounded otherwise", APP_VERIFIED_TRUE},
                 {"constant-rough", "not verified: this driver rounds ", APP_VERIFIED_UNKNOWN},
                 {"constant", "wrong", APP_VERIFIED_FALSE}};
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    const struct app_verify_limits limits = {HUGE_VAL, false};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_verify_status status;
        open_engine(KRN_STORAGE_GLOBAL, KRN_STORAGE_CONSTANT);
        state.spec.backend = KRN_BACKEND_GL;
        state.spec.duel.on = false;
        state.spec.width = state.spec.height = 512;
        setenv("SPHERESCOPE_FAULT", cases[i].fault, 1);
        TEST_OK(app_engine_adopt(engine, &state, &error));
        unsetenv("SPHERESCOPE_FAULT");
        TEST_OK(app_verify_now(engine, &state, &mode, 1, &limits, &status, &error));
        print_message("%s: %s\n", cases[i].fault, status.text);
        assert_int_equal(status.verified, cases[i].verified);
        assert_non_null(strstr(status.text, cases[i].says));
        assert_true((status.rounded > 0) == (i == 0));
        app_engine_close(engine);
    }
}

int main(int argc, char **argv)
{
    struct krn_device *device = NULL;
    int exit_code;
    if (app_book_child_main(argc, argv, &exit_code, &error))
        return exit_code;
    backend = argc > 1 && strcmp(argv[1], "cuda") == 0 ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU;
    if (krn_backend_get(backend)->connect(0, &device, &error) != KRN_OK || !test_gl_open(&error)) {
        print_message("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    krn_device_close(device);
    const int failed = tests_run(NULL, NULL);
    test_gl_close();
    return failed;
}
