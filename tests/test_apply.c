/* Every key, without a window: what it does to the state, and what it refuses. */
#include "command.h"
#include "mode.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct app_state state;
static struct app_facts facts;
static struct app_reply reply;

static int start(void **unused)
{
    (void)unused;
    state = app_state_default();
    memset(&facts, 0, sizeof facts);
    facts.live = true;
    facts.has_backend[KRN_BACKEND_CUDA] = facts.has_backend[KRN_BACKEND_CPU] = true;
    facts.now_s = 100;
    for (int b = 0; b < KRN_BACKEND_COUNT; b++)
        for (int k = 0; k < KRN_KERNEL_COUNT; k++)
            for (int s = 0; s < KRN_STORAGE_COUNT; s++)
                for (int p = 0; p < KRN_PIXELS_COUNT; p++)
                    facts.rate[b][k][s][p] = 1e12;
    return 0;
}

static enum app_outcome press(int key)
{
    return app_press(&state, &facts, key, false, &reply);
}

static enum app_outcome press_ctrl(int key)
{
    return app_press(&state, &facts, key, true, &reply);
}

/* Byte by byte, but for the open question. */
static bool same_state(const struct app_state *a, const struct app_state *b)
{
    struct app_state left = *a, right = *b;
    memset(&left.pending, 0, sizeof left.pending);
    memset(&right.pending, 0, sizeof right.pending);
    return memcmp(&left, &right, sizeof left) == 0;
}

/* The key is refused (or asked about), with a reason, and changes nothing. */
static void assert_stopped(enum app_outcome outcome, int key)
{
    const struct app_state before = state;
    assert_int_equal(press(key), outcome);
    assert_true(same_state(&before, &state));
    assert_true(strlen(reply.text) > 10);
}

#define assert_says(words) assert_non_null(strstr(reply.text, (words)))

static void test_bindings_are_unique_and_found(void **unused)
{
    (void)unused;
    size_t count, bindings = 0;
    const struct app_command_row *rows = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(app_command_by_name(rows[i].name), &rows[i]);
        if (rows[i].flag != NULL) {
            assert_ptr_equal(app_command_by_flag(rows[i].flag), &rows[i]);
            assert_non_null(rows[i].help);
        }
        assert_true(rows[i].keys[0].step == APP_STEP_NONE || rows[i].keys[0].help != NULL);
        for (int k = 0; k < APP_BINDINGS_MAX && rows[i].keys[k].step != APP_STEP_NONE; k++) {
            struct app_argument argument;
            const struct app_binding *b = &rows[i].keys[k];
            assert_ptr_equal(app_command_by_key(b->key, b->ctrl, &argument), &rows[i]);
            assert_int_equal(argument.step, b->step);
            assert_true(b->key > 0 && b->key < APP_KEY_COUNT);
            bindings++;
        }
    }
    assert_int_equal(bindings, 38);
    assert_int_equal(press('X'), APP_IGNORED);
    assert_int_equal(press_ctrl('Q'), APP_IGNORED);
    assert_int_equal(press(-1), APP_IGNORED);
    const struct app_state before = app_state_default();
    assert_memory_equal(&before, &state, sizeof state);
}

static void test_storage_keys(void **unused)
{
    (void)unused;
    for (int s = KRN_STORAGE_COUNT - 1; s >= 0; s--) {
        assert_int_equal(press('1' + s), APP_DONE);
        assert_int_equal(state.mode.storage, s);
        assert_says(krn_storage_name((enum krn_storage)s));
    }
    press('3');
    assert_string_equal(reply.text, "Storage: constant");
    press('1');
    for (int s = 1; s <= KRN_STORAGE_COUNT; s++) {
        assert_int_equal(press('M'), APP_DONE);
        assert_int_equal(state.mode.storage, s % KRN_STORAGE_COUNT);
    }
}

static void test_kernel_keys(void **unused)
{
    (void)unused;
    static const int kernels[] = {KRN_KERNEL_STRIP, KRN_KERNEL_BINNED, KRN_KERNEL_BOOK};
    for (int i = 0; i < KRN_KERNEL_COUNT; i++) {
        assert_int_equal(press('K'), APP_DONE);
        assert_int_equal(state.mode.kernel, kernels[i]);
        const bool strip = kernels[i] == KRN_KERNEL_STRIP;
        assert_int_equal(state.mode.pixels_per_thread, strip ? KRN_PIXELS_START : 1);
        assert_says(krn_kernel_name(state.mode.kernel));
    }
    /* The binned kernel has one storage: the key goes past it and says so. */
    press('4');
    assert_int_equal(press('K'), APP_DONE);
    assert_int_equal(state.mode.kernel, KRN_KERNEL_STRIP);
    assert_int_equal(press('K'), APP_DONE);
    assert_int_equal(state.mode.kernel, KRN_KERNEL_BOOK);
    assert_says("Kernel: book");
    assert_says("no shared storage");
    /* And from binned, no storage but global. */
    press('1');
    press('K');
    press('K');
    assert_int_equal(state.mode.kernel, KRN_KERNEL_BINNED);
    assert_stopped(APP_REFUSED, '3');
    assert_says("no constant storage");
    assert_stopped(APP_REFUSED, 'M');
    assert_int_equal(press('1'), APP_DONE);
}

static void test_pixel_keys(void **unused)
{
    (void)unused;
    assert_stopped(APP_REFUSED, ']');
    assert_says("strip");
    assert_stopped(APP_REFUSED, '[');
    press('K');
    for (int k = KRN_PIXELS_START; k > 1; k /= 2) {
        assert_int_equal(press('['), APP_DONE);
        assert_int_equal(state.mode.pixels_per_thread, k / 2);
    }
    assert_string_equal(reply.text, "Pixels per thread: 1");
    assert_stopped(APP_REFUSED, '[');
    assert_says("1 to 16");
    for (int k = 1; k < KRN_PIXELS_MAX; k *= 2) {
        assert_int_equal(press(']'), APP_DONE);
        assert_int_equal(state.mode.pixels_per_thread, 2 * k);
    }
    assert_stopped(APP_REFUSED, ']');
    /* Back to the book's kernel: one pixel a thread again. */
    press('K');
    press('K');
    assert_int_equal(state.mode.pixels_per_thread, 1);
}

/* Packed spheres: more fit, and the limit is named. */
static void test_constant_limit_of_the_strip(void **unused)
{
    (void)unused;
    press('K');
    state.recipe.count = 4096;
    assert_int_equal(press('3'), APP_DONE);
    /* Neither of the other kernels can follow: the first reason is given. */
    assert_stopped(APP_REFUSED, 'K');
    assert_stopped(APP_REFUSED, APP_KEY_UP);
    assert_says("4096 packed spheres of 16 bytes");
}

static void test_constant_that_does_not_fit(void **unused)
{
    (void)unused;
    state.recipe.count = 2341;
    assert_stopped(APP_REFUSED, '3');
    assert_says("2340");
    press('2');
    assert_stopped(APP_REFUSED, 'M');
    assert_says("2340");
    assert_int_equal(press('4'), APP_DONE);
    state.recipe.count = 2340;
    assert_int_equal(press('3'), APP_DONE);
    assert_stopped(APP_REFUSED, APP_KEY_UP);
    assert_says("2340");
    assert_int_equal(press(APP_KEY_DOWN), APP_DONE);
}

static void test_sphere_keys(void **unused)
{
    (void)unused;
    static const int up[] = {40,    80,    160,   320,   640,    1280,   2560,   5120,
                             10240, 20480, 40960, 81920, 163840, 327680, 655360, 1000000};
    for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
        assert_int_equal(press(APP_KEY_UP), APP_DONE);
        assert_int_equal(state.recipe.count, up[i]);
    }
    assert_string_equal(reply.text, "Spheres: 1000000");
    assert_stopped(APP_REFUSED, APP_KEY_UP);
    while (state.recipe.count > 1)
        assert_int_equal(press(APP_KEY_DOWN), APP_DONE);
    assert_stopped(APP_REFUSED, APP_KEY_DOWN);

    const uint64_t first = state.recipe.seed;
    assert_int_equal(press('R'), APP_DONE);
    const uint64_t second = state.recipe.seed;
    assert_true(second != first);
    assert_int_equal(press('R'), APP_DONE);
    assert_true(state.recipe.seed != second);
    state.recipe.seed = first;
    press('R');
    assert_true(state.recipe.seed == second);
}

static void test_seeds_do_not_repeat(void **unused)
{
    (void)unused;
    static unsigned char seen[1000000];
    for (int i = 0; i < 1000000; i++) {
        press('R');
        assert_true(state.recipe.seed < 1000000);
        assert_int_equal(seen[state.recipe.seed]++, 0);
    }
}

static void test_file_scene_keeps_its_spheres(void **unused)
{
    (void)unused;
    const struct app_command_row *row = app_command_by_name("scene");
    struct app_argument argument = {.step = APP_STEP_SET};
    assert_true(app_value_parse(&row->value, "a.json", &argument.given));
    assert_int_equal(app_apply(&state, &facts, row, &argument, &reply), APP_DONE);
    assert_string_equal(reply.text, "Scene: a.json");
    assert_int_equal(state.scene, APP_SCENE_FILE);
    assert_stopped(APP_REFUSED, APP_KEY_UP);
    assert_says("file");
    assert_stopped(APP_REFUSED, APP_KEY_DOWN);
    assert_stopped(APP_REFUSED, 'R');
    assert_true(app_value_parse(&row->value, "book", &argument.given));
    assert_int_equal(app_apply(&state, &facts, row, &argument, &reply), APP_DONE);
    assert_int_equal(state.scene, APP_SCENE_RANDOM);
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
}

static void test_switches(void **unused)
{
    (void)unused;
    const struct {
        int key;
        const bool *value;
    } switches[] = {
        {APP_KEY_SPACE, &state.motion},
        {'F', &state.fullscreen},
        {APP_KEY_F11, &state.fullscreen},
        {'V', &state.vsync},
        {'W', &state.warm},
        {APP_KEY_ENTER, &state.hold},
        {'U', &state.hud},
        {'H', &state.help},
        {APP_KEY_F1, &state.help},
        {'Z', &state.follow_pane},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const bool before = *switches[i].value;
        const struct app_state all = state;
        assert_int_equal(press(switches[i].key), APP_DONE);
        assert_true(*switches[i].value == !before);
        assert_int_equal(press(switches[i].key), APP_DONE);
        assert_true(same_state(&all, &state));
    }
    press('V');
    assert_string_equal(reply.text, "Vsync: off");
}

static void test_image_follows_its_pane(void **unused)
{
    (void)unused;
    facts.pane_width = 801;
    facts.pane_height = 607;
    assert_int_equal(press('Z'), APP_DONE);
    assert_int_equal(state.width, 801);
    assert_int_equal(state.height, 607);
    assert_says("801x607");
    facts.pane_width = 20000;
    facts.pane_height = 1;
    assert_true(app_state_follow(&state, &facts));
    assert_false(app_state_follow(&state, &facts));
    assert_int_equal(state.width, KRN_SIZE_MAX);
    assert_int_equal(state.height, 1);
    facts.pane_width = 0;
    assert_false(app_state_follow(&state, &facts));
    assert_int_equal(press('Z'), APP_DONE);
    assert_int_equal(state.width, 1024);
    assert_int_equal(state.height, 1024);
    facts.pane_width = 300;
    assert_false(app_state_follow(&state, &facts));
}

static void test_duel_keys(void **unused)
{
    (void)unused;
    assert_stopped(APP_REFUSED, APP_KEY_LEFT);
    assert_says("Tab");
    assert_int_equal(press(APP_KEY_TAB), APP_DONE);
    assert_string_equal(reply.text, "Duel: A book/global, B book/readonly");
    assert_true(state.duel.on && state.duel.divider == 0.5);

    /* The keys of the mode are B's now; A stays as it was. */
    assert_int_equal(press('3'), APP_DONE);
    assert_string_equal(reply.text, "Duel: A book/global, B book/constant");
    assert_int_equal(press('M'), APP_DONE);
    assert_int_equal(state.duel.other.storage, KRN_STORAGE_SHARED);
    assert_int_equal(press('1'), APP_DONE); /* A/A is a duel too */
    assert_true(app_mode_same(state.mode, state.duel.other));
    assert_int_equal(state.mode.storage, KRN_STORAGE_GLOBAL);

    int steps = 0;
    while (state.duel.divider < APP_DIVIDER_MAX && steps++ < 20)
        assert_int_equal(press(APP_KEY_RIGHT), APP_DONE);
    assert_true(steps == 9 && state.duel.divider == APP_DIVIDER_MAX);
    assert_int_equal(press(APP_KEY_RIGHT), APP_DONE);
    assert_true(state.duel.divider == APP_DIVIDER_MAX);
    while (state.duel.divider > APP_DIVIDER_MIN && steps++ < 40)
        assert_int_equal(press(APP_KEY_LEFT), APP_DONE);
    assert_true(state.duel.divider == APP_DIVIDER_MIN);
    assert_says("5 %");

    assert_int_equal(press(APP_KEY_TAB), APP_DONE);
    assert_string_equal(reply.text, "Duel: off");
    assert_int_equal(press('3'), APP_DONE);
    assert_string_equal(reply.text, "Storage: constant");

    /* From shared the next one is global; one that does not fit is passed over, or refused. */
    press('4');
    press(APP_KEY_TAB);
    assert_int_equal(state.duel.other.storage, KRN_STORAGE_GLOBAL);
    press(APP_KEY_TAB);
    state.recipe.count = 2341;
    press('2');
    assert_int_equal(press(APP_KEY_TAB), APP_DONE);
    assert_int_equal(state.duel.other.storage, KRN_STORAGE_SHARED);
    assert_stopped(APP_REFUSED, '3');
    assert_says("2340");
}

/* Both sides together must not take too long; B's rate counts. */
static void test_slow_duel_is_asked(void **unused)
{
    (void)unused;
    state.recipe.count = 700;
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        facts.rate[state.backend][state.mode.kernel][s][0] = 1048576;
    assert_true(fabs(app_predict_ms(&state, &facts) - 700) < 1e-9);
    assert_stopped(APP_ASKED, APP_KEY_TAB);
    assert_says("1.4 s a frame");
    assert_int_equal(press(APP_KEY_TAB), APP_DONE);
    assert_true(fabs(app_predict_ms(&state, &facts) - 1400) < 1e-9);
}

static void test_modes_as_text(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "",
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
    };
    struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1}, a, b;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(app_mode_parse(wrong[i], strlen(wrong[i]), &mode));
        char both[128];
        snprintf(both, sizeof both, "book/global,%s", wrong[i]);
        assert_false(app_modes_parse(both, &a, &b));
        snprintf(both, sizeof both, "%s,book/global", wrong[i]);
        assert_false(app_modes_parse(both, &a, &b));
    }
    assert_false(app_modes_parse("book/global", NULL, NULL));
    assert_false(app_modes_parse("book/global,book/global,book/global", NULL, NULL));
    assert_int_equal(mode.storage, KRN_STORAGE_SHARED);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        char text[APP_MODE_TEXT_MAX];
        const struct krn_mode given = {KRN_KERNEL_BOOK, (enum krn_storage)s, 1 + 7 * (s % 2)};
        app_mode_text(given, text, sizeof text);
        assert_true(app_mode_parse(text, strlen(text), &mode) && app_mode_same(given, mode));
    }
    assert_true(app_modes_parse("book/global,book/constant/8", &a, &b));
    assert_true(a.storage == KRN_STORAGE_GLOBAL && b.storage == KRN_STORAGE_CONSTANT);
    assert_true(a.pixels_per_thread == 1 && b.pixels_per_thread == 8);
}

static void test_backend_key(void **unused)
{
    (void)unused;
    assert_int_equal(state.backend, KRN_BACKEND_CPU);
    assert_int_equal(press('C'), APP_DONE);
    assert_int_equal(state.backend, KRN_BACKEND_CUDA);
    assert_string_equal(reply.text, "Backend: cuda");
    assert_int_equal(press('C'), APP_DONE);
    facts.has_backend[KRN_BACKEND_CUDA] = false;
    assert_stopped(APP_REFUSED, 'C');
    snprintf(facts.no_backend[KRN_BACKEND_CUDA], APP_NOTICE_MAX, "No CUDA device was found.");
    assert_stopped(APP_REFUSED, 'C');
    assert_string_equal(reply.text, "No CUDA device was found.");
}

static void test_steps_of_the_screen(void **unused)
{
    (void)unused;
    state.backend = KRN_BACKEND_CUDA;
    press('I');
    assert_string_equal(reply.text, "Blit: pbo");
    press('I');
    press('I');
    assert_int_equal(state.blit, REN_BLIT_INTEROP);
    state.backend = KRN_BACKEND_CPU;
    press('I');
    assert_says("copies");
    press('T');
    assert_string_equal(reply.text, "Theme: light");
    press('T');
    press('T');
    assert_int_equal(state.theme, APP_THEME_DARK);

    assert_int_equal(state.panels, APP_PANELS_FULL);
    press('P');
    assert_string_equal(reply.text, "Panels: off");
    assert_int_equal(press('B'), APP_REFUSED);
    assert_says("P shows them");
    assert_int_equal(state.requests & APP_REQUEST_MEASURE, 0);
    press('P');
    assert_int_equal(state.panels, APP_PANELS_COMPACT);
    state.hold = true;
    assert_int_equal(press('B'), APP_REFUSED);
    assert_says("Enter lets them go");
    state.hold = false;
    assert_int_equal(press('B'), APP_DONE);
    assert_int_equal(state.requests & APP_REQUEST_MEASURE, APP_REQUEST_MEASURE);
    press('P');
    assert_int_equal(state.panels, APP_PANELS_FULL);

    for (int i = 0; i < 3; i++)
        assert_int_equal(press_ctrl('+'), APP_DONE);
    assert_true(state.hud_scale > 1.3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(press_ctrl('-'), APP_DONE);
    assert_true(state.hud_scale == 1);
    int steps = 0;
    while (press_ctrl('=') == APP_DONE && steps < 100)
        steps++;
    assert_true(steps > 5 && steps < 20 && state.hud_scale == APP_HUD_SCALE_MAX);
    while (press_ctrl('-') == APP_DONE && steps < 100)
        steps++;
    assert_true(steps < 40 && state.hud_scale == APP_HUD_SCALE_MIN);
}

static void test_requests(void **unused)
{
    (void)unused;
    assert_int_equal(press('S'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_SCREENSHOT);
    state.requests = 0;
    assert_int_equal(press(APP_KEY_F12), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_SCREENSHOT);
    state.requests = 0;
    assert_int_equal(press('J'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_RESULTS);
    state.requests = 0;
    assert_int_equal(press(APP_KEY_HOME), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_HOME);
    assert_int_equal(press('S'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_HOME | APP_REQUEST_SCREENSHOT);
}

static void test_quit(void **unused)
{
    (void)unused;
    assert_int_equal(press('Q'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_QUIT);
    state.requests = 0;

    state.fullscreen = true;
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s += 1.9;
    assert_int_equal(press('Q'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_QUIT);
    state.requests = 0;
    assert_stopped(APP_ASKED, 'Q'); /* the question was answered: it starts anew */
    facts.now_s += 2.1;
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s += 0.5;
    assert_int_equal(press(APP_KEY_SPACE), APP_DONE); /* another key is no answer */
    assert_stopped(APP_ASKED, 'Q');
    facts.now_s -= 50; /* a clock that jumps back */
    assert_stopped(APP_ASKED, 'Q');
    assert_int_equal(press('Q'), APP_DONE);
    assert_int_equal(state.requests, APP_REQUEST_QUIT);
}

static void test_escape_never_quits(void **unused)
{
    (void)unused;
    state.fullscreen = state.help = true;
    assert_int_equal(press(APP_KEY_ESCAPE), APP_DONE);
    assert_true(state.fullscreen && !state.help);
    assert_int_equal(press(APP_KEY_ESCAPE), APP_DONE);
    assert_false(state.fullscreen);
    assert_int_equal(press(APP_KEY_ESCAPE), APP_DONE);
    assert_int_equal(state.requests, 0);
}

static void set_rate(enum krn_storage storage, double rate)
{
    facts.rate[state.backend][state.mode.kernel][storage]
              [krn_pixels_index(state.mode.pixels_per_thread)] = rate;
}

static void test_slow_frame_is_asked(void **unused)
{
    (void)unused;
    /* 2^20 pixels at 2^20 tests a ms: a ms for each sphere */
    state.recipe.count = 1000;
    set_rate(KRN_STORAGE_GLOBAL, 1048576);
    assert_true(fabs(app_predict_ms(&state, &facts) - 1000) < 1e-9);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    assert_says("2 s a frame");
    assert_says("press again");
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
    assert_int_equal(state.recipe.count, 2000);

    /* what does not make it slower is not asked; what does is, each time */
    assert_int_equal(press(APP_KEY_SPACE), APP_DONE);
    assert_int_equal(press('T'), APP_DONE);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    assert_int_equal(press(APP_KEY_DOWN), APP_DONE);
    assert_int_equal(state.recipe.count, 1000);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    assert_int_equal(press('U'), APP_DONE);
    assert_stopped(APP_ASKED, APP_KEY_UP);
    facts.has_backend[KRN_BACKEND_CUDA] = false;
    assert_stopped(APP_REFUSED, 'C');
    assert_stopped(APP_ASKED, APP_KEY_UP);

    /* another storage at another rate; another key to the same storage is another question */
    set_rate(KRN_STORAGE_READONLY, 1000);
    assert_stopped(APP_ASKED, '2');
    assert_says("17 min");
    assert_stopped(APP_ASKED, 'M');
    assert_stopped(APP_ASKED, '2');
    assert_int_equal(press('2'), APP_DONE);

    /* a larger pane */
    assert_int_equal(press('1'), APP_DONE);
    facts.pane_width = facts.pane_height = 4096;
    assert_stopped(APP_ASKED, 'Z');
    assert_int_equal(press('Z'), APP_DONE);
    assert_int_equal(state.width, 4096);
}

static void test_slow_frame_without_a_rate(void **unused)
{
    (void)unused;
    memset(facts.rate, 0, sizeof facts.rate);
    state.backend = KRN_BACKEND_CUDA;
    state.recipe.count = 40000;
    facts.rate[KRN_BACKEND_CUDA][0][KRN_STORAGE_GLOBAL][0] = 1e8;
    facts.rate[KRN_BACKEND_CUDA][0][KRN_STORAGE_SHARED][0] = 2e7;
    /* the slowest of its backend stands in, and for another backend a guess */
    assert_stopped(APP_ASKED, '2');
    assert_says("2.1 s");
    assert_int_equal(press('1'), APP_DONE);
    assert_stopped(APP_ASKED, 'C');
    facts.live = false;
    assert_int_equal(press('C'), APP_DONE);
    assert_int_equal(state.backend, KRN_BACKEND_CPU);
    assert_int_equal(press(APP_KEY_UP), APP_DONE);
}

static void test_arguments_out_of_range(void **unused)
{
    (void)unused;
    size_t count;
    const struct app_command_row *rows = app_commands(&count);
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
                    app_apply(&state, &facts, &rows[i], &argument, &reply);
                assert_int_equal(app_state_check(&state, NULL), KRN_OK);
                if (outcome != APP_DONE)
                    assert_true(same_state(&before, &state));
            }
        }
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static struct app_binding random_binding(uint32_t *seed)
{
    size_t count;
    const struct app_command_row *rows = app_commands(&count);
    for (;;) {
        const struct app_binding binding =
            rows[next_random(seed) % count].keys[next_random(seed) % APP_BINDINGS_MAX];
        if (binding.step != APP_STEP_NONE)
            return binding;
    }
}

static void test_random_keys(void **unused)
{
    (void)unused;
    uint32_t seed = 7;
    unsigned outcomes[4] = {0};
    for (int i = 0; i < 100000; i++) {
        const struct app_state before = state;
        const struct app_binding binding = random_binding(&seed);
        const bool bound = next_random(&seed) % 8 != 0;
        const int key = bound ? binding.key : (int)(next_random(&seed) % APP_KEY_COUNT);
        const bool ctrl = bound ? binding.ctrl : next_random(&seed) % 2 == 0;
        facts.now_s += next_random(&seed) % 100 / 50.0;
        facts.has_backend[KRN_BACKEND_CUDA] = next_random(&seed) % 4 != 0;
        facts.pane_width = (int)(next_random(&seed) % 20000);
        facts.pane_height = (int)(next_random(&seed) % 5000);
        facts.rate[next_random(&seed) % KRN_BACKEND_COUNT][0]
                  [next_random(&seed) % KRN_STORAGE_COUNT][next_random(&seed) % KRN_PIXELS_COUNT] =
            next_random(&seed) * 10.0;
        const enum app_outcome outcome = app_press(&state, &facts, key, ctrl, &reply);
        outcomes[outcome]++;
        struct krn_error error;
        if (app_state_check(&state, &error) != KRN_OK)
            fail_msg("key %d: %s", key, error.text);
        if (outcome != APP_DONE)
            assert_true(same_state(&before, &state));
        if (outcome == APP_REFUSED || outcome == APP_ASKED)
            assert_true(reply.text[0] != 0);
        assert_null(strchr(reply.text, '\n'));
        state.requests = 0;
    }
    print_message("done %u, refused %u, asked %u, no such key %u\n", outcomes[APP_DONE],
                  outcomes[APP_REFUSED], outcomes[APP_ASKED], outcomes[APP_IGNORED]);
    for (int i = 0; i < 4; i++)
        assert_true(outcomes[i] > 100);
}

#define test(name) cmocka_unit_test_setup(name, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_bindings_are_unique_and_found),
        test(test_storage_keys),
        test(test_kernel_keys),
        test(test_pixel_keys),
        test(test_constant_limit_of_the_strip),
        test(test_constant_that_does_not_fit),
        test(test_sphere_keys),
        test(test_seeds_do_not_repeat),
        test(test_file_scene_keeps_its_spheres),
        test(test_switches),
        test(test_image_follows_its_pane),
        test(test_duel_keys),
        test(test_slow_duel_is_asked),
        test(test_modes_as_text),
        test(test_backend_key),
        test(test_steps_of_the_screen),
        test(test_requests),
        test(test_quit),
        test(test_escape_never_quits),
        test(test_slow_frame_is_asked),
        test(test_slow_frame_without_a_rate),
        test(test_arguments_out_of_range),
        test(test_random_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
