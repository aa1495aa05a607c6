/* Keys that change storage, kernel, spheres, the duel's sides and the backend. */
#include "keys.h"

TEST_WITH(test_storage_keys, start, NULL)
{
    /* The keys are one digit each. */
    assert_true(KRN_STORAGE_COUNT <= 9);
    for (int s = KRN_STORAGE_COUNT - 1; s >= 0; s--) {
        gives('1' + s, state.spec.mode.storage, s);
        assert_says(krn_storage_name((enum krn_storage)s));
    }
    replies(APP_DONE, '3', "Storage: constant");
    press('1');
    for (int s = 1; s <= KRN_STORAGE_COUNT; s++)
        gives('M', state.spec.mode.storage, s % KRN_STORAGE_COUNT);
}

TEST_WITH(test_kernel_keys, start, NULL)
{
    /* The key goes through the kernels of the view on screen, and only through those. */
    for (int view = 0; view < KRN_VIEW_COUNT; view++) {
        enum krn_kernel kernels[KRN_KERNEL_COUNT];
        int count = 0;
        for (int k = 0; k < KRN_KERNEL_COUNT; k++)
            if ((int)krn_kernel_describe((enum krn_kernel)k)->view == view && k != KRN_KERNEL_MINE)
                kernels[count++] = (enum krn_kernel)k;
        assert_int_equal(state.spec.mode.kernel, kernels[0]);
        for (int i = 1; i <= count; i++) {
            const enum krn_kernel next = kernels[i % count];
            gives('K', state.spec.mode.kernel, next);
            assert_int_equal(state.spec.mode.pixels_per_thread,
                             krn_kernel_describe(next)->pixels_start);
            assert_says(krn_kernel_name(next));
        }
        press('L');
    }
    assert_int_equal(app_state_view(&state), KRN_VIEW_BOOK);
    /* The binned kernel has one storage: the key goes past it and says so. */
    done("4K");
    assert_int_equal(state.spec.mode.kernel, KRN_KERNEL_STRIP);
    gives('K', state.spec.mode.kernel, KRN_KERNEL_BOOK);
    assert_says("Kernel: book");
    assert_says("not from shared storage");
    /* And from binned, no storage but global. */
    done("1KK");
    assert_int_equal(state.spec.mode.kernel, KRN_KERNEL_BINNED);
    says(APP_REFUSED, '3', "not from constant storage");
    assert_stopped(APP_REFUSED, 'M');
    assert_int_equal(press('1'), APP_DONE);
}

/* The user's kernel is reached once it is there, with its own storage; a duel shows it beside the
 * book's, and another backend has to compile it first. */
TEST_WITH(test_kernel_of_a_file, start, NULL)
{
    done("1KKK");
    gives('K', state.spec.mode.kernel, KRN_KERNEL_BOOK);
    facts.has_mine = true;
    facts.mine_storage = KRN_STORAGE_CONSTANT;
    done("4KK");
    assert_int_equal(state.spec.mode.kernel, KRN_KERNEL_MINE);
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_CONSTANT);
    says(APP_REFUSED, '1', "which is constant");
    says(APP_REFUSED, '2', "not from readonly storage");
    gives(APP_KEY_TAB, state.spec.duel.on && state.spec.duel.other.kernel == KRN_KERNEL_BOOK, true);
    press(APP_KEY_TAB);
    press('L');
    gives('L', state.spec.mode.kernel, KRN_KERNEL_BOOK);
    done("KK");
    assert_int_equal(state.spec.mode.kernel, KRN_KERNEL_MINE);
    gives('C', state.spec.mode.kernel, KRN_KERNEL_BOOK);
}

TEST_WITH(test_pixel_keys, start, NULL)
{
    says(APP_REFUSED, ']', "strip");
    assert_stopped(APP_REFUSED, '[');
    press('K');
    for (int k = krn_kernel_describe(KRN_KERNEL_STRIP)->pixels_start; k > 1; k /= 2)
        gives('[', state.spec.mode.pixels_per_thread, k / 2);
    assert_string_equal(reply.text, "Pixels per thread: 1");
    says(APP_REFUSED, '[', "1 to 16");
    for (int k = 1; k < KRN_PIXELS_MAX; k *= 2)
        gives(']', state.spec.mode.pixels_per_thread, 2 * k);
    assert_stopped(APP_REFUSED, ']');
    /* Back to the book kernel, with one pixel per thread. */
    done("KK");
    assert_int_equal(state.spec.mode.pixels_per_thread, 1);
}

/* The strip's packed spheres: more of them fit, and the message names the limit. */
TEST_WITH(test_constant_limit_of_the_strip, start, NULL)
{
    press('K');
    state.spec.recipe.count = 4096;
    assert_int_equal(press('3'), APP_DONE);
    /* Neither of the other kernels can follow: the first reason is given. */
    assert_stopped(APP_REFUSED, 'K');
    says(APP_REFUSED, APP_KEY_UP, "4096 packed spheres of 16 bytes");
}

TEST_WITH(test_constant_that_does_not_fit, start, NULL)
{
    state.spec.recipe.count = 2341;
    says(APP_REFUSED, '3', "2340");
    press('2');
    says(APP_REFUSED, 'M', "2340");
    assert_int_equal(press('4'), APP_DONE);
    state.spec.recipe.count = 2340;
    assert_int_equal(press('3'), APP_DONE);
    says(APP_REFUSED, APP_KEY_UP, "2340");
    assert_int_equal(press(APP_KEY_DOWN), APP_DONE);
}

TEST_WITH(test_sphere_keys, start, NULL)
{
    static const int up[] = {40,    80,    160,   320,   640,    1280,   2560,  5120,
                             10240, 20480, 40960, 81920, 163840, 327680, 655360};
    static const int large[] = {1310720, 2621440, 5242880, KRN_SPHERES_MAX};
    for (size_t i = 0; i < sizeof up / sizeof *up; i++)
        gives(APP_KEY_UP, state.spec.recipe.count, up[i]);
    /* A large scene tells its memory first. */
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        says(APP_ASKED, APP_KEY_UP, "GB of memory; press again to do it anyway");
        gives(APP_KEY_UP, state.spec.recipe.count, large[i]);
    }
    assert_string_equal(reply.text, "Spheres: 10000000");
    says(APP_REFUSED, APP_KEY_UP, "1 to 10000000 spheres");
    says(APP_REFUSED, 'L', "The light view shows at most 1000000 spheres, not 10000000.");
    state.spec.backend = KRN_BACKEND_CUDA;
    state.spec.recipe.count /= 2;
    says(APP_ASKED, APP_KEY_UP,
         "10000000 spheres take 0.92 GB of the GPU's memory and 0.32 GB of "
         "the host's; press again");
    state.spec.backend = KRN_BACKEND_CPU;
    state.spec.recipe.count = 655360;
    done("L");
    gives(APP_KEY_UP, state.spec.recipe.count, KRN_LARGE_SPHERES);
    says(APP_REFUSED, APP_KEY_UP, "The light view shows 1 to 1000000 spheres");
    done("L");
    while (state.spec.recipe.count > 1)
        assert_int_equal(press(APP_KEY_DOWN), APP_DONE);
    assert_stopped(APP_REFUSED, APP_KEY_DOWN);

    const uint64_t first = state.spec.recipe.seed;
    assert_int_equal(press('R'), APP_DONE);
    const uint64_t second = state.spec.recipe.seed;
    assert_true(second != first);
    gives('R', state.spec.recipe.seed != second, true);
    state.spec.recipe.seed = first;
    gives('R', state.spec.recipe.seed == second, true);
}

TEST_WITH(test_seeds_do_not_repeat, start, NULL)
{
    static unsigned char seen[1000000];
    for (int i = 0; i < 1000000; i++) {
        gives('R', state.spec.recipe.seed < 1000000, true);
        assert_int_equal(seen[state.spec.recipe.seed]++, 0);
    }
}

static void choose_scene(const char *name)
{
    const struct app_command_entry *entry = app_command_by_name("scene");
    struct app_argument argument = {.step = APP_STEP_SET};
    assert_true(app_value_parse(&entry->value, name, &argument.given));
    assert_int_equal(app_apply(&state, &facts, entry, &argument, &reply), APP_DONE);
}

TEST_WITH(test_file_scene_keeps_its_spheres, start, NULL)
{
    choose_scene("a.json");
    assert_string_equal(reply.text, "Scene: a.json");
    assert_int_equal(state.spec.scene, APP_SCENE_FILE);
    says(APP_REFUSED, APP_KEY_UP, "file");
    assert_stopped(APP_REFUSED, APP_KEY_DOWN);
    assert_stopped(APP_REFUSED, 'R');
    choose_scene("book");
    assert_int_equal(state.spec.scene, APP_SCENE_RANDOM);
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
}

/* Each scene is seen from where its camera starts, as if it had been there from the beginning; a
 * camera that was moved stays, and so do its angles. */
TEST_WITH(test_camera_follows_the_scene, start, NULL)
{
    const struct krn_camera start = krn_light_default().camera;
    struct krn_camera *camera = &state.spec.light.camera;
    choose_scene("a.json");
    assert_true(camera->distance == 3.1f);
    choose_scene("b.json");
    assert_true(camera->distance == 3.1f);
    camera->yaw = 45.0f;
    choose_scene("book");
    assert_true(camera->distance == start.distance && camera->yaw == 45.0f);
    choose_scene("book");
    assert_true(camera->distance == start.distance);
    camera->yaw = start.yaw;
    const struct app_state fresh = app_state_default();
    assert_true(app_light_same(&state.spec.light, &fresh.spec.light));

    camera->distance = 5.0f;
    choose_scene("a.json");
    assert_true(camera->distance == 5.0f);
    choose_scene("book");
    assert_true(camera->distance == 5.0f);
    /* The distance of the other kind of scene is one that somebody has chosen. */
    camera->distance = 3.1f;
    choose_scene("book");
    assert_true(camera->distance == 3.1f);
}

TEST_WITH(test_duel_keys, start, NULL)
{
    says(APP_REFUSED, APP_KEY_LEFT, "Tab");
    replies(APP_DONE, APP_KEY_TAB, "Duel: A book/global, B book/readonly");
    assert_true(state.spec.duel.on && state.spec.duel.divider == 0.5);

    /* In a duel, the keys of the mode change B and leave A unchanged. */
    replies(APP_DONE, '3', "Duel: A book/global, B book/constant");
    gives('M', state.spec.duel.other.storage, KRN_STORAGE_SHARED);
    assert_int_equal(press('1'), APP_DONE); /* equal sides are allowed */
    assert_true(krn_mode_equal(state.spec.mode, state.spec.duel.other));
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_GLOBAL);

    int steps = 0;
    while (state.spec.duel.divider < APP_DIVIDER_MAX && steps++ < 20)
        assert_int_equal(press(APP_KEY_RIGHT), APP_DONE);
    assert_true(steps == 9 && state.spec.duel.divider == APP_DIVIDER_MAX);
    gives(APP_KEY_RIGHT, state.spec.duel.divider == APP_DIVIDER_MAX, true);
    while (state.spec.duel.divider > APP_DIVIDER_MIN && steps++ < 40)
        assert_int_equal(press(APP_KEY_LEFT), APP_DONE);
    assert_true(state.spec.duel.divider == APP_DIVIDER_MIN);
    assert_says("5 %");

    replies(APP_DONE, APP_KEY_TAB, "Duel: off");
    replies(APP_DONE, '3', "Storage: constant");

    /* From the last storage the next one is global; one that does not fit is passed over, or
     * refused.
     */
    press('0' + KRN_STORAGE_COUNT);
    gives(APP_KEY_TAB, state.spec.duel.other.storage, KRN_STORAGE_GLOBAL);
    press(APP_KEY_TAB);
    state.spec.recipe.count = 2341;
    press('2');
    gives(APP_KEY_TAB, state.spec.duel.other.storage, KRN_STORAGE_SHARED);
    says(APP_REFUSED, '3', "2340");
}

TEST_WITH(test_modes_as_text, start, NULL)
{
    static const char *const wrong[] = {"",
                                        "book",
                                        "/",
                                        "book/",
                                        "/global",
                                        "book/globa",
                                        "book/globall",
                                        "Book/global",
                                        "none/global",
                                        "book/global/",
                                        "book/global/0",
                                        "book/global/x",
                                        "book/global/1/1",
                                        "book/global/1.5",
                                        " book/global",
                                        "book/global/8",
                                        "strip/global/3",
                                        "tree/shared"};
    struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1}, both_modes[2];
    int backends[2];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(app_mode_parse(wrong[i], strlen(wrong[i]), &mode));
        char both[128];
        snprintf(both, sizeof both, "book/global,%s", wrong[i]);
        assert_false(app_modes_parse(both, both_modes, NULL));
        snprintf(both, sizeof both, "%s,book/global", wrong[i]);
        assert_false(app_modes_parse(both, both_modes, backends));
    }
    static const char *const wrong_pairs[] = {"book/global",
                                              "book/global,",
                                              "book/global,book/global,book/global",
                                              "vulkan:book/global,book/global",
                                              "cuda:cuda:book/global,book/global",
                                              "cuda:,book/global",
                                              ":book/global,book/global",
                                              "book/global,gl"};
    for (size_t i = 0; i < sizeof wrong_pairs / sizeof *wrong_pairs; i++)
        assert_false(app_modes_parse(wrong_pairs[i], both_modes, backends));
    assert_false(app_modes_parse("book/global,gl:book/global", both_modes, NULL));
    assert_true(app_modes_parse("book/global,gl:book/global", both_modes, backends));
    assert_true(backends[0] == -1 && backends[1] == KRN_BACKEND_GL);
    assert_int_equal(mode.storage, KRN_STORAGE_SHARED);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        char text[APP_MODE_TEXT_MAX];
        const struct krn_mode given = {KRN_KERNEL_STRIP, (enum krn_storage)s, 1 + 7 * (s % 2)};
        krn_mode_name(given, text, sizeof text);
        assert_true(app_mode_parse(text, strlen(text), &mode) && krn_mode_equal(given, mode));
    }
    assert_true(app_modes_parse("book/global,strip/constant/8", both_modes, NULL));
    assert_true(both_modes[0].storage == KRN_STORAGE_GLOBAL &&
                both_modes[1].storage == KRN_STORAGE_CONSTANT);
    assert_true(both_modes[0].pixels_per_thread == 1 && both_modes[1].pixels_per_thread == 8);
}

/* A state that would take seconds per frame gets fewer spheres or a smaller image, whichever is
 * further from the default, until it does not. */
TEST_WITH(test_lighter_states, start, NULL)
{
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BOOK][KRN_STORAGE_GLOBAL][0] = 1e6;
    struct app_state before = state;
    assert_false(app_lighten(&state, &facts));
    assert_true(same_state(&before, &state));
    state.spec.recipe.count = 100000;
    before = state;
    assert_true(app_lighten(&state, &facts));
    assert_int_equal(state.spec.recipe.count, 781);
    assert_true(app_predict_ms(&state, &facts) <= APP_SLOW_MS);
    app_say_lighter(&reply, &before, &state, &facts);
    assert_string_equal(reply.text, "100000 spheres at 1024x1024 on cpu would take about 2 min per "
                                    "frame; shown: 781 at 1024x1024");
    state = before;
    state.spec.recipe.count = 20;
    state.spec.width = state.spec.height = KRN_SIZE_MAX;
    state.spec.follow_pane = true;
    assert_true(app_lighten(&state, &facts));
    assert_int_equal(state.spec.recipe.count, 20);
    assert_int_equal(state.spec.width, KRN_SIZE_MAX / 4);
    assert_int_equal(state.spec.fixed_height, KRN_SIZE_MAX / 4);
    assert_false(state.spec.follow_pane);
    /* The spheres of a file stay; and nothing is less than one sphere on one pixel. */
    state.spec.scene = APP_SCENE_FILE;
    state.spec.recipe.count = KRN_SPHERES_MAX;
    assert_true(app_lighten(&state, &facts));
    assert_int_equal(state.spec.recipe.count, KRN_SPHERES_MAX);
    assert_true(state.spec.width < 64);
    state.spec.scene = APP_SCENE_RANDOM;
    facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BOOK][KRN_STORAGE_GLOBAL][0] = 1e-9;
    assert_true(app_lighten(&state, &facts));
    assert_true(state.spec.recipe.count == 1 && state.spec.width == 1 && state.spec.height == 1);
    assert_false(app_lighten(&state, &facts));
}

TEST_WITH(test_backend_key, start, NULL)
{
    assert_int_equal(state.spec.backend, KRN_BACKEND_CPU);
    gives('C', state.spec.backend, KRN_BACKEND_CUDA);
    assert_string_equal(reply.text, "Backend: cuda");
    assert_int_equal(press('C'), APP_DONE);
    facts.has_backend[KRN_BACKEND_CUDA] = false;
    assert_stopped(APP_REFUSED, 'C');
    snprintf(facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "No CUDA device was found.");
    assert_stopped(APP_REFUSED, 'C');
    assert_string_equal(reply.text, "No CUDA device was found.");
}
