/* A session in which keys change what is on screen: whose times the frame's median is from, which
 * mode a duel is against, and what a screenshot shows. The clock is simulated. */
#include "offscreen.h"

#include "base/environment.h"
#include "command/keys.h"
#include "window/session.h"
#include "window/session_hud.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 360 };

static struct app_session session;
static struct app_environment environment;
static struct app_engine *engine;
static struct app_state start_state;
static struct app_run run;
static double now_s;

static int open_session(void **unused)
{
    (void)unused;
    struct krn_error error;
    char notice[APP_NOTICE_MAX];
    run = app_run_default();
    run.backend = KRN_BACKEND_CPU;
    start_state = app_state_default();
    start_state.width = start_state.height = 64;
    start_state.motion = start_state.vsync = false;
    start_state.panels = APP_PANELS_OFF;
    TEST_OK(app_engine_open(&engine, &run, &start_state, notice, &error), error);
    const struct app_session_start start = {.engine = engine,
                                            .renderer = renderer,
                                            .environment = &environment,
                                            .state = &start_state,
                                            .run = &run,
                                            .context = "",
                                            .fallback_reason = "",
                                            .live = true};
    app_session_open(&session, &start);
    now_s = 0.0;
    return 0;
}

static int close_session(void **unused)
{
    (void)unused;
    app_session_close(&session);
    app_engine_close(engine);
    return 0;
}

static void frames(int count)
{
    const struct app_session_target target = {WIDTH, HEIGHT, 1.0f};
    struct krn_error error;
    for (; count > 0; count--) {
        now_s += 0.1;
        TEST_OK(app_session_frame(&session, &target, now_s, &error), error);
    }
}

/* Whatever changes the time of a frame ends the series of frames: no old time beside a new
 * kernel's.
 */
static void test_frames_begin_anew(void **unused)
{
    (void)unused;
    static const int keys[] = {'3', 'K', APP_KEY_UP, 'R', 'Z', APP_KEY_TAB, '2', APP_KEY_TAB, 'V'};
    frames(5);
    assert_int_equal(session.frames.count, 4);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        app_session_press(&session, keys[i], false, now_s);
        frames(1);
        assert_int_equal(session.frames.count, 0);
        frames(3);
        assert_int_equal(session.frames.count, 3);
    }
    app_session_press(&session, 'T', false, now_s); /* a theme costs nothing */
    frames(1);
    assert_int_equal(session.frames.count, 4);
}

/* Side B of a new duel is the mode just left. */
static void test_duel_against_the_mode_left(void **unused)
{
    (void)unused;
    frames(2);
    app_session_press(&session, '3', false, now_s);
    frames(2);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    assert_true(session.state.duel.on);
    assert_int_equal(session.state.mode.storage, KRN_STORAGE_CONSTANT);
    assert_int_equal(session.state.duel.other.storage, KRN_STORAGE_GLOBAL);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    frames(1);
    app_session_press(&session, 'K', false, now_s);
    frames(1);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    assert_int_equal(session.state.mode.kernel, KRN_KERNEL_STRIP);
    assert_int_equal(session.state.duel.other.kernel, KRN_KERNEL_BOOK);
    assert_int_equal(session.state.duel.other.storage, KRN_STORAGE_CONSTANT);
}

/* Draws a frame and returns its pixels, which the caller frees. */
static unsigned char *pixels(void)
{
    struct krn_error error;
    unsigned char *rgba = malloc(4 * (size_t)WIDTH * HEIGHT);
    assert_non_null(rgba);
    now_s -= 0.1; /* the same time as the last frame */
    frames(1);
    TEST_OK(ren_frame_read(renderer, rgba, &error), error);
    return rgba;
}

/* A notice that tells of a saved file is on screen, but in no screenshot; others are in both. */
static void test_notice_of_a_file(void **unused)
{
    (void)unused;
    const size_t bytes = 4 * (size_t)WIDTH * HEIGHT;
    session.state.hud = false;
    frames(3);
    unsigned char *plain = pixels();
    app_session_say_saved(&session, now_s, "/tmp/a.png");
    assert_string_equal(session.notice, "Saved in /tmp: a.png");
    unsigned char *told = pixels();
    session.state.requests |= APP_REQUEST_SCREENSHOT;
    unsigned char *shot = pixels();
    app_session_say(&session, APP_TONE_SAID, now_s, "Storage: global");
    unsigned char *other = pixels();
    assert_memory_equal(plain, shot, bytes);
    assert_memory_not_equal(plain, told, bytes);
    assert_memory_not_equal(plain, other, bytes);
    free(plain);
    free(told);
    free(shot);
    free(other);
}

/* A scene that cannot be read while the show runs leaves the scene that runs, and a notice. */
static void test_wrong_scene_while_running(void **unused)
{
    (void)unused;
    static const struct {
        const char *path, *words;
    } wrong[] = {{"/nowhere.json", "/nowhere.json cannot be read"},
                 {"/tmp", "is a folder"},
                 {"/dev/null", "/dev/null, line 1: the file is empty"},
                 {"/proc/self/status", "/proc/self/status, line 1: "},
                 {"/dev/zero", "larger than the limit"}};
    frames(2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int spheres = app_engine_scene(engine)->count;
        session.state.scene = APP_SCENE_FILE;
        memset(session.state.scene_path, 0, sizeof session.state.scene_path);
        snprintf(session.state.scene_path, sizeof session.state.scene_path, "%s", wrong[i].path);
        frames(2);
        assert_int_equal(session.state.scene, APP_SCENE_RANDOM);
        assert_int_equal(app_engine_scene(engine)->count, spheres);
        if (strstr(session.notice, wrong[i].words) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", session.notice, wrong[i].words);
    }
}

#define test(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {
        test(test_frames_begin_anew),
        test(test_duel_against_the_mode_left),
        test(test_notice_of_a_file),
        test(test_wrong_scene_while_running),
    };
    const int failed = cmocka_run_group_tests_name("session", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
