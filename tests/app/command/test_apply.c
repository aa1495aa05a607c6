/* Keys without a window: all bindings, the switches of the screen, and confirmations.
 * test_mode_keys.c tests the keys of mode and scene. */
#include "keys.h"

#include <math.h>

TEST_WITH(test_bindings_are_unique_and_found, start, NULL)
{
    size_t count, bindings = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(app_command_by_name(entries[i].name), &entries[i]);
        if (entries[i].flag != NULL) {
            assert_ptr_equal(app_command_by_flag(entries[i].flag), &entries[i]);
            assert_non_null(entries[i].help);
        }
        assert_true(entries[i].keys[0].step == APP_STEP_NONE || entries[i].keys[0].help != NULL);
        for (int k = 0; k < APP_BINDINGS_MAX && entries[i].keys[k].step != APP_STEP_NONE; k++) {
            struct app_argument argument;
            const struct app_binding *b = &entries[i].keys[k];
            assert_ptr_equal(app_command_by_key(b->key, b->ctrl, b->when, &argument), &entries[i]);
            assert_int_equal(argument.step, b->step);
            assert_true(b->key > 0 && b->key < APP_KEY_COUNT);
            bindings++;
        }
    }
    assert_int_equal(bindings, 85 + KRN_STORAGE_COUNT);
    assert_int_equal(press('~'), APP_IGNORED);
    assert_int_equal(press_ctrl('Q'), APP_IGNORED);
    assert_int_equal(press(-1), APP_IGNORED);
    const struct app_state before = app_state_default();
    assert_memory_equal(&before, &state, sizeof state);
}

TEST_WITH(test_switches, start, NULL)
{
    const struct {
        int key;
        const bool *value;
    } switches[] = {
        {APP_KEY_SPACE, &state.spec.motion},
        {'F', &state.look.fullscreen},
        {APP_KEY_F11, &state.look.fullscreen},
        {'V', &state.look.vsync},
        {'W', &state.spec.warm},
        {APP_KEY_ENTER, &state.look.hold},
        {'U', &state.look.hud},
        {'D', &state.look.details},
        {'Z', &state.spec.follow_pane},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const bool before = *switches[i].value;
        const struct app_state all = state;
        gives(switches[i].key, *switches[i].value == !before, true);
        assert_int_equal(press(switches[i].key), APP_DONE);
        assert_true(same_state(&all, &state));
    }
    replies(APP_DONE, 'V', "Vsync: off");
}

TEST_WITH(test_image_follows_its_pane, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CUDA;
    facts.pane_width = 801;
    facts.pane_height = 607;
    gives('Z', state.spec.width, 801);
    assert_int_equal(state.spec.height, 607);
    assert_string_equal(reply.text, "Image: 801x607, the picture follows the window");
    facts.pane_width = 20000;
    facts.pane_height = 1;
    assert_true(app_state_follow(&state, &facts));
    assert_false(app_state_follow(&state, &facts));
    assert_int_equal(state.spec.width, KRN_SIZE_MAX);
    assert_int_equal(state.spec.height, 1);
    facts.pane_width = 0;
    assert_false(app_state_follow(&state, &facts));
    gives('Z', state.spec.width, 1024);
    assert_int_equal(state.spec.height, 1024);
    assert_string_equal(reply.text, "Image: 1024x1024, the book's size");
    facts.pane_width = 300;
    assert_false(app_state_follow(&state, &facts));
    state.spec.fixed_width = 640;
    done("Z");
    replies(APP_DONE, 'Z', "Image: 640x1024, fixed");
}

/* What the CPU computes is no larger than 1280 x 720, in the proportions of the pane. */
TEST_WITH(test_image_of_the_cpu, start, NULL)
{
    static const struct {
        int pane[2], image[2];
    } sizes[] = {{{801, 607}, {801, 607}},   {{1280, 720}, {1280, 720}},
                 {{1281, 720}, {1280, 719}}, {{3840, 2160}, {1280, 720}},
                 {{1000, 1440}, {500, 720}}, {{2560, 100}, {1280, 50}},
                 {{16384, 1}, {1280, 1}},    {{1, 16384}, {1, 720}}};
    state.spec.follow_pane = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        facts.pane_width = sizes[i].pane[0];
        facts.pane_height = sizes[i].pane[1];
        app_state_follow(&state, &facts);
        assert_int_equal(state.spec.width, sizes[i].image[0]);
        assert_int_equal(state.spec.height, sizes[i].image[1]);
    }
    /* The key for another backend gives the size that this one can have. */
    facts.pane_width = 2000;
    facts.pane_height = 1000;
    gives('C', state.spec.width, 2000);
    gives('C', state.spec.width, 1280);
    assert_int_equal(state.spec.height, 640);
}

TEST_WITH(test_steps_of_the_screen, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CUDA;
    replies(APP_DONE, 'I', "Blit: pbo");
    done("II");
    assert_int_equal(state.spec.blit, REN_BLIT_INTEROP);
    state.spec.backend = KRN_BACKEND_CPU;
    says(APP_DONE, 'I', "copies");
    replies(APP_DONE, 'T', "Theme: light");
    done("TT");
    assert_int_equal(state.look.theme, APP_THEME_DARK);

    for (int i = 0; i < 3; i++)
        assert_int_equal(press_ctrl('+'), APP_DONE);
    assert_true(state.look.hud_scale > 1.3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(press_ctrl('-'), APP_DONE);
    assert_true(state.look.hud_scale == 1);
    int steps = 0;
    while (press_ctrl('=') == APP_DONE && steps < 100)
        steps++;
    assert_true(steps > 5 && steps < 20 && state.look.hud_scale == APP_HUD_SCALE_MAX);
    while (press_ctrl('-') == APP_DONE && steps < 100)
        steps++;
    assert_true(steps < 40 && state.look.hud_scale == APP_HUD_SCALE_MIN);
}

/* The keys move the marker by one address, within a warp, where a page is shown. */
TEST_WITH(test_addresses, start, NULL)
{
    state.spec.backend = KRN_BACKEND_CPU;
    says(APP_REFUSED, '+', "no warps");
    state.spec.backend = KRN_BACKEND_CUDA;
    says(APP_REFUSED, '+', "P");
    assert_int_equal(state.look.addresses, 8);
    state.look.panels = APP_PANELS_COMPACT;
    replies(APP_DONE, '-', "Addresses per warp: 7");
    assert_int_equal(state.look.page, APP_SUBJECT_TOPIC_CONSTANT);
    done("+=");
    assert_int_equal(state.look.addresses, 9);
    state.look.addresses = KRN_LANES;
    says(APP_REFUSED, '+', "1 to 32");
    state.look.addresses = 1;
    assert_int_equal(press('-'), APP_REFUSED);
    assert_int_equal(state.look.addresses, 1);
    gives(CTRL | '+', state.look.addresses, 1); /* the HUD's size is another command */
}

TEST_WITH(test_requests, start, NULL)
{
    gives('S', state.requests, APP_REQUEST_SCREENSHOT);
    state.requests = 0;
    gives(APP_KEY_F12, state.requests, APP_REQUEST_SCREENSHOT);
    state.requests = 0;
    gives('J', state.requests, APP_REQUEST_RESULTS);
    state.requests = 0;
    gives(APP_KEY_HOME, state.requests, APP_REQUEST_HOME);
    gives('S', state.requests, APP_REQUEST_HOME | APP_REQUEST_SCREENSHOT);
}

TEST_WITH(test_quit, start, NULL)
{
    gives('Q', state.requests, APP_REQUEST_QUIT);
    state.requests = 0;

    state.look.fullscreen = true;
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s += 1.9;
    gives('Q', state.requests, APP_REQUEST_QUIT);
    state.requests = 0;
    assert_stopped(APP_ASKED, 'Q'); /* after the confirmation, Q asks again */
    facts.now_s += 2.1;
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s += 0.5;
    assert_int_equal(press(APP_KEY_SPACE), APP_DONE); /* another key does not confirm */
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s -= 50; /* a clock that jumps back */
    assert_stopped(APP_ASKED, 'Q');
    gives('Q', state.requests, APP_REQUEST_QUIT);
}

/* Help, details and code take each other's place. */
TEST_WITH(test_one_card_at_a_time, start, NULL)
{
    gives(CTRL | 'K', state.look.code, true);
    gives('D', state.look.details && !state.look.code, true);
    gives(CTRL | 'K', state.look.code && !state.look.details, true);
    gives('H', state.look.help && !state.look.code, true);
    gives(CTRL | 'K', state.look.code && !state.look.help, true);
    gives(APP_KEY_ESCAPE, state.look.code, false);
    done("HD");
    assert_true(state.look.details && !state.look.help);
    gives('H', !state.look.details && state.look.help, true);
    gives(APP_KEY_ESCAPE, !state.look.details && !state.look.help, true);
}

/* The help key turns its pages, and closes the help after the last one; Escape closes any. */
TEST_WITH(test_help_pages, start, NULL)
{
    static const int keys[] = {'H', APP_KEY_F1};
    for (int k = 0; k < 2; k++) {
        const struct app_state before = state;
        for (int page = 0; page < APP_HELP_PAGES; page++) {
            gives(keys[k], state.look.help, true);
            assert_int_equal(state.look.help_page, page);
        }
        assert_int_equal(press(keys[k]), APP_DONE);
        assert_true(same_state(&before, &state));
        press(keys[k]);
        press(keys[k]);
        press(APP_KEY_ESCAPE);
        assert_true(same_state(&before, &state));
    }
}

TEST_WITH(test_escape_never_quits, start, NULL)
{
    state.look.fullscreen = state.look.help = true;
    gives(APP_KEY_ESCAPE, state.look.fullscreen && !state.look.help, true);
    state.look.details = true;
    gives(APP_KEY_ESCAPE, state.look.fullscreen && !state.look.details, true);
    gives(APP_KEY_ESCAPE, state.look.fullscreen, false);
    gives(APP_KEY_ESCAPE, state.requests, 0);
}

static void set_rate(enum krn_storage storage, double rate)
{
    facts.rate[state.spec.backend][state.spec.mode.kernel][storage]
              [krn_pixels_index(state.spec.mode.pixels_per_thread)] = rate;
}

TEST_WITH(test_slow_frame_is_asked, start, NULL)
{
    /* 2^20 pixels at 2^20 tests per ms: 1 ms per sphere */
    state.spec.recipe.count = 1000;
    set_rate(KRN_STORAGE_GLOBAL, 1048576);
    assert_true(fabs(app_predict_ms(&state, &facts) - 1000) < 1e-9);
    says(APP_ASKED, APP_KEY_UP, "2 s per frame");
    assert_says("press again");
    gives(APP_KEY_UP, state.spec.recipe.count, 2000);

    /* only changes that make the frame slower need confirmation, each time */
    assert_int_equal(press(APP_KEY_SPACE), APP_DONE);
    assert_int_equal(press('T'), APP_DONE);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    gives(APP_KEY_DOWN, state.spec.recipe.count, 1000);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    assert_int_equal(press('U'), APP_DONE);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    facts.has_backend[KRN_BACKEND_CUDA] = false;
    assert_stopped(APP_REFUSED, 'C');
    assert_stopped(APP_ASKED, APP_KEY_UP);

    /* another storage has another rate; another key for the same storage does not confirm */
    set_rate(KRN_STORAGE_READONLY, 1000);
    says(APP_ASKED, '2', "17 min");
    assert_stopped(APP_ASKED, 'M');
    assert_stopped(APP_ASKED, '2');
    assert_int_equal(press('2'), APP_DONE);

    /* a larger pane */
    assert_int_equal(press('1'), APP_DONE);
    state.spec.width = state.spec.height = 512;
    state.spec.recipe.count = 3000;
    facts.pane_width = facts.pane_height = 4096;
    assert_stopped(APP_ASKED, 'Z');
    gives('Z', state.spec.width, 720);
}

TEST_WITH(test_slow_frame_without_a_rate, start, NULL)
{
    memset(facts.rate, 0, sizeof facts.rate);
    state.spec.backend = KRN_BACKEND_CUDA;
    state.spec.recipe.count = 40000;
    facts.rate[KRN_BACKEND_CUDA][0][KRN_STORAGE_GLOBAL][0] = 1e8;
    facts.rate[KRN_BACKEND_CUDA][0][KRN_STORAGE_SHARED][0] = 2e7;
    /* an unmeasured mode uses the slowest rate of its backend, another backend an estimate */
    says(APP_ASKED, '2', "2.1 s");
    assert_int_equal(press('1'), APP_DONE);
    assert_stopped(APP_ASKED, 'C');
    facts.live = false;
    gives('C', state.spec.backend, KRN_BACKEND_CPU);
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
}

/* The time of both sides counts, with B's own rate. */
TEST_WITH(test_slow_duel_is_asked, start, NULL)
{
    state.spec.recipe.count = 700;
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        facts.rate[state.spec.backend][state.spec.mode.kernel][s][0] = 1048576;
    assert_true(fabs(app_predict_ms(&state, &facts) - 700) < 1e-9);
    says(APP_ASKED, APP_KEY_TAB, "1.4 s per frame");
    gives(APP_KEY_TAB, fabs(app_predict_ms(&state, &facts) - 1400) < 1e-9, true);
}

TEST_WITH(test_arguments_out_of_range, start, NULL)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    static const int values[] = {-1, 99, INT32_MIN, INT32_MAX};
    static const double reals[] = {-1, 0, 1e308, NAN, INFINITY};
    for (size_t i = 0; i < count; i++) {
        for (int step = APP_STEP_NONE; step <= APP_STEP_DO; step++) {
            for (size_t v = 0; v < 20; v++) {
                struct app_argument argument = {.step = (enum app_step)step};
                argument.given.choice = argument.given.integer = values[v % 4];
                argument.given.width = argument.given.height = values[v % 4];
                argument.given.real = argument.given.low = argument.given.high = reals[v % 5];
                const struct app_state before = state;
                const enum app_outcome outcome =
                    app_apply(&state, &facts, &entries[i], &argument, &reply);
                assert_int_equal(app_state_check(&state, NULL), KRN_OK);
                if (outcome != APP_DONE)
                    assert_true(same_state(&before, &state));
            }
        }
    }
}
