/* Keys, options and the mouse that choose the view, and what the light view alone has: bounces,
 * samples, the camera and its path. */
#include "keys.h"

#include <math.h>

static enum app_outcome set(const char *name, const char *text)
{
    const struct app_command_entry *entry = app_command_by_name(name);
    struct app_argument argument = {.step = APP_STEP_SET};
    assert_true(app_value_parse(&entry->value, text, &argument.given));
    return app_apply(&state, &facts, entry, &argument, &reply);
}

static void assert_mode(const char *text)
{
    char name[APP_MODE_TEXT_MAX];
    krn_mode_name(state.spec.mode, name, sizeof name);
    assert_string_equal(name, text);
}

TEST_WITH(test_views_keep_their_kernels, start, NULL)
{
    press('3');
    replies(APP_DONE, 'L', "View: light");
    assert_mode("brute/constant");
    replies(APP_DONE, 'L', "View: book");
    assert_mode("book/constant");
    press('K'); /* strip, with another K than at its start */
    press('[');
    assert_mode("strip/constant/4");
    done("LK");
    assert_mode("tree/constant");
    done("1L");
    assert_mode("strip/global/4");
    press('L');
    assert_mode("tree/global");
    assert_int_equal(app_state_check(&state, NULL), KRN_OK);
}

/* A storage that the other view's kernel cannot read from gives way to global memory. */
TEST_WITH(test_storages_that_a_view_lacks, start, NULL)
{
    done("LKL4");
    assert_mode("book/shared");
    assert_int_equal(press('L'), APP_DONE);
    assert_mode("tree/global");
    assert_says("from global storage");
    assert_says("not from shared storage");
    /* Of the book's spheres, more fit into constant memory than of the tree's nodes. */
    done("L3");
    state.spec.recipe.count = 2000;
    assert_int_equal(press('L'), APP_DONE);
    assert_mode("tree/global");
    assert_says("64 KiB");
}

/* More spheres than fit into constant memory are refused, and the picture stays. */
TEST_WITH(test_spheres_that_do_not_fit, start, NULL)
{
    done("3LK");
    state.spec.recipe.count = 600;
    const struct app_state before = state;
    says(APP_REFUSED, APP_KEY_UP, "682");
    assert_true(same_state(&before, &state));
}

TEST_WITH(test_view_options, start, NULL)
{
    assert_int_equal(set("view", "light"), APP_DONE);
    assert_mode("brute/global");
    assert_int_equal(set("view", "light"), APP_DONE);
    assert_mode("brute/global");
    assert_int_equal(set("kernel", "strip"), APP_DONE);
    assert_int_equal(app_state_view(&state), KRN_VIEW_BOOK);
    assert_int_equal(set("kernel", "tree"), APP_DONE);
    assert_int_equal(app_state_view(&state), KRN_VIEW_LIGHT);
    assert_int_equal(press('L'), APP_DONE);
    assert_mode("strip/global/8");
}

TEST_WITH(test_duels_stay_in_a_view, start, NULL)
{
    press('L');
    /* The mode that was left draws the other view, so it is no opponent. */
    facts.has_left = true;
    facts.left.mode = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1};
    replies(APP_DONE, APP_KEY_TAB, "Duel: A brute/global, B brute/readonly");
    replies(APP_DONE, 'K', "Duel: A brute/global, B tree/readonly");
    says(APP_REFUSED, 'L', "one view");
    const struct app_state before = state;
    assert_int_equal(set("duel", "book/global,tree/global"), APP_REFUSED);
    assert_says("one view");
    assert_int_equal(set("kernel", "book"), APP_REFUSED);
    assert_says("the book kernel the book view");
    assert_int_equal(set("view", "book"), APP_REFUSED);
    assert_true(same_state(&before, &state));
    assert_int_equal(set("duel", "book/global,strip/global/8"), APP_DONE);
    assert_int_equal(app_state_view(&state), KRN_VIEW_BOOK);
    press(APP_KEY_TAB);
    facts.left.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    assert_int_equal(press('L'), APP_DONE);
    gives(APP_KEY_TAB, state.spec.duel.other.kernel, KRN_KERNEL_TREE);
}

/* Keys of one view say so in the other. */
TEST_WITH(test_keys_of_the_other_view, start, NULL)
{
    static const int light[] = {',', '.', 'E'};
    static const int ctrl[] = {APP_KEY_LEFT,    APP_KEY_RIGHT,     APP_KEY_UP, APP_KEY_DOWN,
                               APP_KEY_PAGE_UP, APP_KEY_PAGE_DOWN, 'L'};
    for (size_t i = 0; i < sizeof light / sizeof *light; i++)
        says(APP_REFUSED, light[i], "the light view; L shows it");
    for (size_t i = 0; i < sizeof ctrl / sizeof *ctrl; i++)
        says(APP_REFUSED, CTRL | ctrl[i], "the light view; L shows it");
    assert_int_equal(set("heatmap", "cycles"), APP_REFUSED);
    assert_string_equal(reply.text, krn_heat_reason());
    gives('G', app_state_shows_heat(&state), true);
    gives('L', app_state_shows_heat(&state), false);
    assert_int_equal(set("heatmap", "tests"), APP_REFUSED);
    assert_int_equal(set("heatmap", "rays"), APP_DONE);
    assert_true(app_state_shows_heat(&state));
    assert_int_equal(set("heatmap", "off"), APP_DONE);
    assert_int_equal(set("zoom", "2"), APP_REFUSED);
    assert_says("camera");
    assert_int_equal(set("zoom", "fit"), APP_DONE);
    assert_stopped(APP_REFUSED, ']');
}

TEST_WITH(test_bounces_and_samples, start, NULL)
{
    press('L');
    while (state.spec.light.bounces < KRN_BOUNCES_MAX)
        assert_int_equal(press('.'), APP_DONE);
    assert_string_equal(reply.text, "Bounces: 8");
    assert_stopped(APP_REFUSED, '.');
    for (int left = KRN_BOUNCES_MAX - 1; left >= 0; left--)
        gives(',', state.spec.light.bounces, left);
    says(APP_REFUSED, ',', "0 to 8");
    static const int samples[] = {4, 16, 1};
    for (int i = 0; i < 3; i++)
        gives('E', state.spec.light.samples, samples[i]);
    assert_string_equal(reply.text, "Samples: 1");
    assert_int_equal(set("samples", "16"), APP_DONE);
    assert_int_equal(set("bounces", "0"), APP_DONE);
    assert_true(state.spec.light.samples == 16 && state.spec.light.bounces == 0);
}

/* In a talk, the point blanks the screen, as everywhere; the comma and the other keys remain. */
TEST_WITH(test_the_point_in_a_talk, start, NULL)
{
    press('L');
    state.talk.steps = 2;
    state.talk.on = true;
    const int before = state.spec.light.bounces;
    gives('.', state.talk.blank, true);
    gives('.', state.talk.blank, false);
    assert_int_equal(state.spec.light.bounces, before);
    gives(',', state.spec.light.bounces, before - 1);
    state.talk.on = false; /* left */
    gives('.', state.spec.light.bounces, before);
}

TEST_WITH(test_camera_keys, start, NULL)
{
    const struct krn_camera *camera = &state.spec.light.camera;
    press('L');
    assert_int_equal(set("camera", "170:80:7"), APP_DONE);
    assert_string_equal(reply.text, "Camera: 170:80:7");
    press_ctrl(APP_KEY_RIGHT);
    gives(CTRL | APP_KEY_RIGHT, fabsf(camera->yaw) == 180.0f, true);
    replies(APP_DONE, CTRL | APP_KEY_RIGHT, "Camera: -175:80:7");
    press_ctrl(APP_KEY_LEFT);
    gives(CTRL | APP_KEY_LEFT, camera->yaw == 175.0f, true);
    press_ctrl(APP_KEY_UP);
    gives(CTRL | APP_KEY_UP, camera->pitch == KRN_PITCH_MAX, true);
    says(APP_REFUSED, CTRL | APP_KEY_UP, "highest");
    int steps = 0;
    while (camera->pitch > KRN_PITCH_MIN && steps++ < 100)
        assert_int_equal(press_ctrl(APP_KEY_DOWN), APP_DONE);
    says(APP_REFUSED, CTRL | APP_KEY_DOWN, "lowest");
    while (camera->distance < KRN_DISTANCE_MAX && steps++ < 200)
        assert_int_equal(press_ctrl(APP_KEY_PAGE_DOWN), APP_DONE);
    says(APP_REFUSED, CTRL | APP_KEY_PAGE_DOWN, "farthest");
    while (camera->distance > KRN_DISTANCE_MIN && steps++ < 300)
        assert_int_equal(press_ctrl(APP_KEY_PAGE_UP), APP_DONE);
    says(APP_REFUSED, CTRL | APP_KEY_PAGE_UP, "nearest");
    assert_int_equal(app_state_check(&state, NULL), KRN_OK);
}

TEST_WITH(test_texts_of_cameras, start, NULL)
{
    static const char *const right[] = {"0:12:3.4", "-180:1:0.5", "180:89:8", "1e1:2.5:1"};
    static const char *const wrong[] = {
        "",        ":",       "::",       "1",       "1:2",     "1:2:",      ":2:3",
        "1::3",    "1:2:3:",  "1:2:3:4",  "x:2:3",   "1:2:3 ",  "181:2:3",   "1:0.5:3",
        "1:90:3",  "1:2:0.4", "1:2:8.01", "1:2:nan", "inf:2:3", "1:2:1e999", " 1:2:3",
        "1:2:3\n", "0x1:2:3", "-181:2:3", "1:-2:3",  "1:2:-3",
    };
    const struct app_command_entry *entry = app_command_by_name("camera");
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(set("camera", right[i]), APP_DONE);
    assert_true(state.spec.light.camera.yaw == 10.0f && state.spec.light.camera.pitch == 2.5f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct app_given given;
        if (app_value_parse(&entry->value, wrong[i], &given))
            fail_msg("\"%s\" is taken", wrong[i]);
    }
}

/* A camera is written in few digits, and read again with every bit. */
TEST_WITH(test_written_cameras, start, NULL)
{
    char text[64];
    struct krn_camera camera = {-24.0f, 9.0f, 1.82f}, read;
    app_camera_format(&camera, text, sizeof text);
    assert_string_equal(text, "-24:9:1.82");
    for (int i = 0; i < 1000; i++) {
        camera.yaw = -KRN_YAW_MAX + 0.3597f * (float)i;
        camera.pitch = KRN_PITCH_MIN + 0.0877f * (float)i;
        camera.distance = KRN_DISTANCE_MIN + 0.00741f * (float)i;
        app_camera_format(&camera, text, sizeof text);
        assert_true(app_camera_parse(text, &read));
        assert_memory_equal(&camera, &read, sizeof camera);
    }
}

/* The path turns the camera with the motion, and nothing else; the same time gives the same yaw. */
TEST_WITH(test_camera_path, start, NULL)
{
    press('L');
    set("camera", "90:20:3");
    state.spec.motion_s = APP_CAMERA_PATH_SECONDS / 4.0;
    assert_true(app_state_light(&state).camera.yaw == 90.0f);
    replies(APP_DONE, CTRL | 'L', "Camera path: on");
    assert_true(fabsf(app_state_light(&state).camera.yaw) == 180.0f);
    assert_true(app_state_light(&state).camera.pitch == 20.0f);
    state.spec.motion_s *= 2.0;
    assert_true(app_state_light(&state).camera.yaw == -90.0f);
    state.spec.motion_s = APP_MOTION_S_MAX;
    const struct krn_light late = app_state_light(&state);
    assert_int_equal(krn_light_check(&late, NULL), KRN_OK);
    assert_true(state.spec.light.camera.yaw == 90.0f);
    press_ctrl('L');
    press(APP_KEY_SPACE);
    says(APP_DONE, CTRL | 'L', "Space resumes it");
}

/* Moves the mouse once, with nothing left of an earlier movement. */
static enum app_outcome drag(double across, double down, double wheel)
{
    struct app_drag moved = {across, down, wheel, 0};
    return app_drag(&state, &facts, &moved, &reply);
}

TEST_WITH(test_mouse, start, NULL)
{
    const struct app_state before = state;
    assert_int_equal(drag(0.25, 0.1, 0.0), APP_IGNORED);
    assert_int_equal(drag(0.0, 0.0, 1.0), APP_IGNORED);
    assert_true(same_state(&before, &state));
    press('L');
    set("camera", "0:20:2");
    assert_int_equal(drag(0.0, 0.0, 0.0), APP_IGNORED);
    assert_int_equal(drag(0.25, 0.1, 0.0), APP_DONE);
    assert_string_equal(reply.text, "Camera: -45:38:2");
    assert_int_equal(drag(0.0, 0.0, 1.0), APP_DONE);
    assert_string_equal(reply.text, "Camera: -45:38:1.82");
    assert_int_equal(drag(0.0, 0.0, -1.0), APP_DONE);
    assert_string_equal(reply.text, "Camera: -45:38:2");
    assert_int_equal(drag(0.0, -10.0, 0.0), APP_DONE);
    assert_true(state.spec.light.camera.pitch == KRN_PITCH_MIN);
    assert_int_equal(drag(0.0, 0.0, 1e4), APP_DONE);
    assert_true(state.spec.light.camera.distance == KRN_DISTANCE_MIN);
    const struct app_state stays = state;
    assert_int_equal(drag(NAN, 0.0, 0.0), APP_IGNORED);
    assert_true(same_state(&stays, &state));
}

/* Short movements, each too short for a hundredth, lead as far as a long one, wherever the camera
 * is; nothing of them is kept at a limit or in another view. */
TEST_WITH(test_short_movements, start, NULL)
{
    static const double lengths[] = {0.02, 0.05, 0.1};
    struct app_drag moved = {0.0, 0.0, 0.0, 0};
    press('L');
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        set("camera", "0:20:0.5");
        for (int n = (int)round(1.0 / lengths[i]); n > 0; n--) {
            moved.wheel -= lengths[i];
            assert_int_equal(app_drag(&state, &facts, &moved, &reply), APP_DONE);
        }
        assert_string_equal(reply.text, "Camera: 0:20:0.55");
        memset(&moved, 0, sizeof moved);
    }
    set("camera", "179.99:20:2");
    for (int n = 0; n < 1000; n++) { /* 0.0018 degrees each */
        moved.across -= 1e-5;
        moved.down += 1e-5;
        assert_int_equal(app_drag(&state, &facts, &moved, &reply), APP_DONE);
    }
    assert_string_equal(reply.text, "Camera: -178.21:21.8:2");
    moved = (struct app_drag){.down = -1.0, .wheel = 100.0};
    assert_int_equal(app_drag(&state, &facts, &moved, &reply), APP_DONE);
    assert_string_equal(reply.text, "Camera: -178.21:1:0.5");
    assert_true(moved.down == 0.0 && moved.wheel == 0.0);
    moved.wheel = -0.05;
    press('L');
    assert_int_equal(app_drag(&state, &facts, &moved, &reply), APP_IGNORED);
    assert_true(moved.wheel == 0.0);
}

/* The cost of a light picture grows with samples, bounces and spheres, and a rate measured in one
 * view says nothing about the other. */
TEST_WITH(test_predictions, start, NULL)
{
    press('L');
    memset(facts.rate, 0, sizeof facts.rate);
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BRUTE][KRN_STORAGE_GLOBAL][0] = 1e6;
    const double once = app_predict_ms(&state, &facts);
    assert_true(once > 0.0);
    state.spec.light.samples = 16;
    assert_true(fabs(app_predict_ms(&state, &facts) - 16.0 * once) < 1e-9 * once);
    state.spec.light.samples = 1;
    state.spec.light.bounces = 0;
    assert_true(app_predict_ms(&state, &facts) < once);
    state.spec.light.bounces = 8;
    assert_true(app_predict_ms(&state, &facts) > once);
    state.spec.recipe.count = KRN_LARGE_SPHERES / 2;
    const struct app_state before = state;
    says(APP_ASKED, APP_KEY_UP, "press again");
    assert_true(same_state(&before, &state));
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
    /* The tree's cost hardly grows with the spheres. */
    const double brute_ms = app_predict_ms(&state, &facts);
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_TREE][KRN_STORAGE_GLOBAL][0] = 1e6;
    gives('K', app_predict_ms(&state, &facts) < brute_ms / 1000.0, true);
    /* A slow picture of the light view does not make the book's kernels slow. */
    state.spec.recipe.count = 20;
    press('L');
    const double guess = app_predict_ms(&state, &facts);
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BRUTE][KRN_STORAGE_GLOBAL][0] = 1e-3;
    assert_true(app_predict_ms(&state, &facts) == guess);
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BOOK][KRN_STORAGE_READONLY][0] = 1.0;
    assert_true(app_predict_ms(&state, &facts) > guess);
}

/* A light state that is too slow loses its samples before its spheres. */
TEST_WITH(test_lighter_light, start, NULL)
{
    press('L');
    state.spec.light.samples = 16;
    const double once =
        app_nominal_tests(state.spec.mode, 1024.0 * 1024.0, 20, &state.spec.light) / 16.0;
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BRUTE][KRN_STORAGE_GLOBAL][0] = once * 5.0 / APP_SLOW_MS;
    const struct app_state wanted = state;
    assert_true(app_lighten(&state, &facts));
    assert_true(state.spec.light.samples == 4 && state.spec.recipe.count == 20 &&
                state.spec.width == 1024);
    app_say_lighter(&reply, &wanted, &state, &facts);
    assert_string_equal(reply.text, "20 spheres at 1024x1024 with 16 samples on cpu would take "
                                    "about 3.2 s per frame; shown: 20 at 1024x1024 with 4 samples");
}

TEST_WITH(test_broken_lights, start, NULL)
{
    struct app_state broken = state;
    broken.spec.light.samples = 2;
    assert_int_equal(app_state_check(&broken, &error), KRN_REFUSED);
    broken = state;
    broken.spec.light.camera.yaw = NAN;
    assert_int_equal(app_state_check(&broken, &error), KRN_REFUSED);
    broken = state;
    broken.spec.light.bounces = -1;
    assert_int_equal(app_state_check(&broken, &error), KRN_REFUSED);
    broken = state;
    broken.look.other_view.pixels_per_thread = 0;
    assert_int_equal(app_state_check(&broken, &error), KRN_REFUSED);
    /* A record may name any kernel as that of the other view: the key finds one that is. */
    state.look.other_view.kernel = KRN_KERNEL_STRIP;
    state.look.other_view.pixels_per_thread = 3;
    assert_int_equal(press('L'), APP_DONE);
    assert_mode("brute/global");
}
