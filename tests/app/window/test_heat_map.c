/* The heat map of the program: its key and its option, what a change of backend does to it, when
 * its costs are found again, and what it paints. */
#include "keys.h"

#include "engine/work.h"
#include "window/session.h"

TEST_WITH(the_key_steps_through_the_quantities, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CUDA;
    assert_int_equal(state.look.heat, KRN_HEAT_OFF);
    gives('G', state.look.heat, KRN_HEAT_TESTS);
    assert_says("sphere tests");
    gives('G', state.look.heat, KRN_HEAT_CYCLES);
    assert_says("clock cycles");
    gives('G', state.look.heat, KRN_HEAT_OFF);
    /* The CPU offers tests alone. */
    state.spec.backend = KRN_BACKEND_CPU;
    gives('G', state.look.heat, KRN_HEAT_TESTS);
    gives('G', state.look.heat, KRN_HEAT_OFF);
    state.look.heat = KRN_HEAT_COUNT;
    TEST_FAILS(app_state_check(&state, &error), KRN_REFUSED, "Heat map is out of range");
}

/* Each view has quantities of its own, and hides those of the other. */
TEST_WITH(the_light_view_has_rays, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CUDA;
    press('G');
    gives('L', app_state_shows_heat(&state), false);
    gives('G', state.look.heat, KRN_HEAT_RAYS);
    assert_true(app_state_shows_heat(&state));
    assert_says("rays");
    gives('L', app_state_shows_heat(&state), false);
    gives('G', state.look.heat, KRN_HEAT_TESTS);
    press('L');
    gives('G', state.look.heat, KRN_HEAT_RAYS);
    gives('C', state.look.heat, KRN_HEAT_RAYS); /* the CPU counts them, too */
    gives('G', state.look.heat, KRN_HEAT_OFF);
}

TEST_WITH(another_backend_keeps_a_heat_map, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CUDA;
    state.look.heat = KRN_HEAT_CYCLES;
    gives('C', state.spec.backend, KRN_BACKEND_CPU);
    assert_int_equal(state.look.heat, KRN_HEAT_TESTS);
    gives('C', state.look.heat, KRN_HEAT_TESTS);
}

/* A duel shows both pictures in their colours; the heat map comes back after it. */
TEST_WITH(a_duel_shows_no_heat_map, start, NULL)
{
    gives('G', app_state_shows_heat(&state), true);
    gives(APP_KEY_TAB, app_state_shows_heat(&state), false);
    assert_stopped(APP_REFUSED, 'G');
    gives(APP_KEY_TAB, app_state_shows_heat(&state), true);
}

static struct app_engine *engine;
static struct krn_image image;

static int open_engine(void **unused)
{
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    start(unused);
    run.backend = KRN_BACKEND_CPU;
    state.spec.width = state.spec.height = 96;
    state.spec.mode = (struct krn_mode){KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    state.look.heat = KRN_HEAT_TESTS;
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(krn_device_alloc_image(app_engine_device(engine, &state), 96, 96, &image, &error));
    return 0;
}

static int close_engine(void **unused)
{
    (void)unused;
    krn_device_free_image(app_engine_device(engine, &state), &image);
    app_engine_close(engine);
    return 0;
}

static void frame(struct app_heat *heat, double now_s)
{
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    TEST_OK(app_heat_frame(heat, engine, &state, &image, now_s, &error));
    assert_true(heat->valid && heat->scale > 0);
}

/* The costs of a moving scene are found again after a while, those of a still one once per pose,
 * and those of another mode or view at once. */
TEST_WITH(costs_are_found_when_they_are_due, open_engine, close_engine)
{
    struct app_heat heat = {.valid = false};
    state.spec.motion = true;
    frame(&heat, 1.0);
    assert_true(heat.found_s == 1.0 && heat.motion_s == 0.0);
    state.spec.motion_s = 0.5;
    frame(&heat, 1.01);
    assert_true(heat.found_s == 1.0 && heat.motion_s == 0.0);
    frame(&heat, 1000.0);
    assert_true(heat.found_s == 1000.0 && heat.motion_s == 0.5);
    state.spec.motion = false;
    state.spec.motion_s = 0.6;
    frame(&heat, 1000.001);
    assert_true(heat.found_s == 1000.001 && heat.motion_s == 0.6);
    frame(&heat, 2000.0);
    assert_true(heat.found_s == 1000.001);
    state.spec.mode.kernel = KRN_KERNEL_BOOK;
    frame(&heat, 2000.001);
    assert_true(heat.found_s == 2000.001);
    assert_int_equal(heat.costs.most, app_engine_scene(engine)->count);
    state.spec.zoom = 0.5;
    frame(&heat, 2000.002);
    assert_true(heat.found_s == 2000.002);
}

/* A frame whose costs are old is painted in the old colours, with its own light. */
TEST_WITH(every_frame_is_painted, open_engine, close_engine)
{
    struct app_heat heat = {.valid = false};
    const size_t bytes = (size_t)4 * 96 * 96;
    unsigned char *first = malloc(bytes), *picture = malloc(bytes);
    assert_true(first != NULL && picture != NULL);
    state.spec.motion = true;
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    memcpy(picture, image.pixels, bytes);
    frame(&heat, 1.0);
    memcpy(first, image.pixels, bytes);
    assert_memory_not_equal(first, picture, bytes);
    state.spec.motion_s = 0.001;
    frame(&heat, 1.001);
    const unsigned char *now = image.pixels;
    int far_off = 0;
    for (size_t i = 0; i < bytes; i++)
        far_off += abs(first[i] - now[i]) > 8;
    assert_true(far_off < (int)bytes / 200);
    free(first);
    free(picture);
}

/* The operations of a frame follow from the tests of its pixels, which are counted while no map is
 * shown. */
TEST_WITH(the_work_follows_from_the_tests, open_engine, close_engine)
{
    struct app_heat heat = {.valid = false};
    const double pixels = 96.0 * 96.0, spheres = state.spec.recipe.count;
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
                          splat = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
    frame(&heat, 1.0);
    assert_true(app_work_count(engine, &state, state.spec.mode, 1.0).flops == 0.0);
    assert_true(app_work_count(engine, &state, book, 1e6).flops == pixels * (6.0 * spheres + 5.0));
    state.look.heat = KRN_HEAT_OFF;
    const struct app_work work = app_work_count(engine, &state, state.spec.mode, 1.0);
    assert_true(heat.costs.sum > 0 && work.flops == 5.0 * (double)heat.costs.sum + 8.0 * pixels);
    assert_true(work.bytes == 4.0 * pixels + 32.0 * spheres);
    assert_true(app_work_count(engine, &state, state.spec.mode, 21.0).flops == 0.0);
    assert_true(app_work_count(engine, &state, splat, 1.0).flops == 0.0);
}

/* Modes on screen are counted after half a second without a map, one per call, once they have a
 * time. */
TEST_WITH(work_is_counted_between_frames, open_engine, close_engine)
{
    static struct app_mode_work modes[KRN_MODES_MAX];
    static struct app_works works;
    for (int storage = 0; storage < 2; storage++) {
        state.spec.mode = (struct krn_mode){KRN_KERNEL_BOOK, (enum krn_storage)storage, 1};
        for (int i = 0; i < 2 * KRN_SETTLED_SAMPLES; i++) {
            TEST_OK(app_engine_render(engine, &state, &image, &error));
            app_engine_poll(engine);
        }
    }
    assert_int_equal(app_work_follow(&works, engine, &state, 10.0, modes), 0);
    assert_int_equal(app_work_follow(&works, engine, &state, 10.6, modes), 0);
    state.look.heat = KRN_HEAT_OFF;
    assert_int_equal(app_work_follow(&works, engine, &state, 10.6, modes), 1);
    assert_int_equal(app_work_follow(&works, engine, &state, 10.7, modes), 2);
    assert_true(modes[1].mode.storage == 1 && modes[1].flops == modes[0].flops &&
                modes[1].ms.valid);
    state.spec.width = 80;
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_engine_render(
        engine, &state, &(struct krn_image){image.pixels, image.pitch_bytes, 80, 96}, &error));
    assert_int_equal(app_work_follow(&works, engine, &state, 10.8, modes), 0);
}

TEST_WITH(cycles_are_refused_on_the_cpu, open_engine, close_engine)
{
    struct app_heat heat = {.valid = false};
    state.look.heat = KRN_HEAT_CYCLES;
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    assert_int_equal(app_heat_frame(&heat, engine, &state, &image, 1.0, &error), KRN_REFUSED);
    assert_false(heat.valid);
}
