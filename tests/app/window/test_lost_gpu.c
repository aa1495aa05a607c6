/* A session whose GPU is lost in the middle of a show: the CPU backend renders the next frame,
 * and key C brings the GPU back where the driver allows it. Each test has a process of its own,
 * because a kernel that traps makes all of the process's CUDA calls fail. */
#include "owned.h"
#include "sessions.h"
#include "timing.h"
#include "trap.h"

#include "command/entry.h"
#include "talk/talk.h"
#include "window/session.h"

#include <sys/wait.h>
#include <unistd.h>

/* Renders a frame without the GPU, which is lost. */
static void lose(void)
{
    assert_int_not_equal(test_trap(), 0);
    const double lost_ms = app_clock_ms();
    frames(1);
    const double took_ms = app_clock_ms() - lost_ms;
    printf("lost: the CPU backend's first frame came after %.0f ms: %s\n", took_ms, session.notice);
    assert_int_equal(session.state.spec.backend, KRN_BACKEND_CPU);
    assert_non_null(strstr(session.notice, "The CPU backend takes over."));
    assert_timing(took_ms < 5000.0); /* within the second, but for a busy host */
}

static int open_session(void **unused)
{
    (void)unused;
    test_session_open(KRN_BACKEND_CUDA, 256, app_state_default().look.panels);
    return 0;
}

/* Renders the state's mode into an image of its own and returns the image's hash. */
static uint64_t picture_hash(void)
{
    struct krn_device *device = app_engine_device(engine, &session.state);
    const struct krn_view view = app_engine_view(&session.state);
    uint64_t hash = 0;
    struct krn_image image = test_image(device, view.width, view.height);
    TEST_OK(krn_device_render(device, session.state.spec.mode, &view, &image, KRN_UNTIMED, &error));
    TEST_OK(krn_device_hash(device, &image, &hash, &error));
    krn_device_free_image(device, &image);
    return hash;
}

TEST_WITH(test_gpu_is_lost_and_returns, open_session, test_session_close)
{
    for (int round = 0; round < 2; round++) {
        if (round > 0) { /* in the light view, whose tree the GPU has built */
            app_session_press(&session, 'L', false, now_s);
            app_session_press(&session, 'K', false, now_s);
            assert_int_equal(session.state.spec.mode.kernel, KRN_KERNEL_TREE);
        }
        frames(5);
        assert_int_equal(session.state.spec.backend, KRN_BACKEND_CUDA);
        const uint64_t before = picture_hash();
        lose();
        frames(5);
        assert_true(picture_hash() == before);

        app_session_press(&session, 'C', false, now_s);
        frames(5);
        printf("key C: %s\n", session.notice);
        if (session.state.spec.backend == KRN_BACKEND_CPU) {
            /* This driver does not allow it: the screen says what to do, and the show goes on. */
            assert_non_null(strstr(session.notice, "restart the program"));
            assert_true(picture_hash() == before);
            app_session_press(&session, 'C', false, now_s);
            frames(1);
            assert_non_null(strstr(session.notice, "restart the program"));
            return;
        }
        assert_int_equal(session.state.spec.backend, KRN_BACKEND_CUDA);
        assert_non_null(strstr(session.notice, "Works again"));
        assert_string_equal(session.fallback_reason, "");
        assert_true(picture_hash() == before);
        frames(20);
        assert_int_equal(session.state.spec.backend, KRN_BACKEND_CUDA);
        assert_true(app_engine_series(engine, KRN_BACKEND_CUDA, session.state.spec.mode)->count >
                    0);
    }
}

/* A picture that follows its pane gets the size that the CPU computes, and no fewer spheres. */
TEST_WITH(test_size_after_a_loss, open_session, test_session_close)
{
    session.state.spec.follow_pane = true;
    session.state.look.panels = APP_PANELS_OFF;
    sized_frames(1600, 200, 2);
    assert_int_equal(session.state.spec.width, 1600);
    assert_int_not_equal(test_trap(), 0);
    sized_frames(1600, 200, 1);
    assert_int_equal(session.state.spec.backend, KRN_BACKEND_CPU);
    assert_int_equal(session.state.spec.width, 1280);
    assert_int_equal(session.state.spec.height, 160);
    assert_int_equal(session.state.spec.recipe.count, 20);
}

/* A GPU that is lost while the first scene is loaded is replaced unless it was asked for by name,
 * and key C tries it again. */
TEST(test_gpu_is_lost_before_the_first_frame)
{
    char reason[APP_NOTICE_MAX] = "";
    test_session_defaults(KRN_BACKEND_CUDA);
    run.backend = -1;
    start_state.spec.width = start_state.spec.height = 64;
    start_state.spec.motion = false;
    struct app_session_start start = test_session_start();
    assert_int_equal(start_state.spec.backend, KRN_BACKEND_CUDA);
    assert_int_not_equal(test_trap(), 0);
    assert_int_equal(app_engine_adopt(engine, &start_state, &error), KRN_LOST);
    struct app_run named = run;
    named.backend = KRN_BACKEND_CUDA;
    assert_false(app_engine_replace(engine, &named, &start_state, reason, &error));
    named = run;
    named.device_given = true;
    assert_false(app_engine_replace(engine, &named, &start_state, reason, &error));
    assert_true(start_state.spec.backend == KRN_BACKEND_CUDA && reason[0] == 0);
    assert_true(app_engine_replace(engine, &run, &start_state, reason, &error));
    assert_int_equal(start_state.spec.backend, KRN_BACKEND_CPU);
    assert_string_equal(reason, error.text);
    TEST_OK(app_engine_adopt(engine, &start_state, &error));
    assert_false(app_engine_replace(engine, &run, &start_state, reason, &error));
    start.fallback_reason = reason;
    app_session_open(&session, &start);
    frames(2);
    assert_int_equal(session.state.spec.backend, KRN_BACKEND_CPU);
    const uint64_t before = picture_hash();
    app_session_press(&session, 'C', false, now_s);
    frames(2);
    if (session.state.spec.backend == KRN_BACKEND_CPU)
        assert_non_null(strstr(session.notice, "restart the program"));
    assert_true(picture_hash() == before);
    (void)test_session_close(NULL);
}

static const char steps[] =
    "{\"schema\": \"spherescope-talk-1\", \"title\": \"Four steps\", \"minutes\": 4, \"steps\": ["
    "{\"id\": \"a\", \"minutes\": 1, \"set\": {\"storage\": \"global\"}},"
    "{\"id\": \"b\", \"minutes\": 1, \"set\": {\"storage\": \"constant\"}},"
    "{\"id\": \"c\", \"minutes\": 1, \"set\": {\"kernel\": \"strip\"}},"
    "{\"id\": \"d\", \"minutes\": 1, \"set\": {\"storage\": \"shared\"}}]}";

/* Goes on to a step of the talk and expects it on screen, rendered by that backend. */
static void expect_step(int step, enum krn_backend_id backend, struct krn_mode mode)
{
    if (session.state.talk.step != step)
        app_session_press(&session, APP_KEY_PAGE_DOWN, false, now_s);
    frames(2);
    assert_int_equal(session.state.talk.step, step);
    assert_string_equal(app_session_talk_fault(&session), "");
    assert_int_equal(session.state.spec.backend, backend);
    assert_int_equal(session.state.spec.mode.kernel, mode.kernel);
    assert_int_equal(session.state.spec.mode.storage, mode.storage);
}

/* The talk stays at its step; the next one runs on the CPU, and on the GPU once it is back. */
TEST(test_a_talk_goes_on)
{
    struct app_talk *talk;
    char path[] = "/tmp/test_lost_gpu_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, steps, strlen(steps)) == (ssize_t)strlen(steps));
    close(file);
    test_session_defaults(KRN_BACKEND_CUDA);
    start_state.spec.width = start_state.spec.height = 64;
    start_state.spec.motion = false;
    TEST_OK(app_talk_read(path, &start_state, &talk, &error));
    unlink(path);
    struct app_session_start start = test_session_start();
    start.talk = talk;
    app_session_open(&session, &start);

    struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    expect_step(0, KRN_BACKEND_CUDA, mode);
    mode.storage = KRN_STORAGE_CONSTANT;
    expect_step(1, KRN_BACKEND_CUDA, mode);
    const uint64_t before = picture_hash();
    lose();
    expect_step(1, KRN_BACKEND_CPU, mode);
    assert_true(picture_hash() == before);
    mode.kernel = KRN_KERNEL_STRIP;
    expect_step(2, KRN_BACKEND_CPU, mode);
    app_session_press(&session, 'C', false, now_s);
    frames(5);
    const enum krn_backend_id back =
        session.state.spec.backend; /* not every driver allows the GPU */
    assert_non_null(
        strstr(session.notice, back == KRN_BACKEND_CPU ? "restart the program" : "Works again"));
    expect_step(2, back, mode);
    mode.storage = KRN_STORAGE_SHARED;
    expect_step(3, back, mode);
    (void)test_session_close(NULL);
    app_talk_free(talk);
}

/* Runs each test in a process of its own. Returns the exit code. */
static int run_each(char *program, const struct CMUnitTest *tests, size_t count)
{
    int failed = 0, skipped = 0;
    for (size_t i = 0; i < count; i++) {
        char *const arguments[] = {program, (char *)tests[i].name, NULL};
        int status = -1;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            execv("/proc/self/exe", arguments);
            _exit(1);
        }
        const bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
        if (ended && WEXITSTATUS(status) == TEST_SKIPPED)
            skipped++;
        else if (!ended || WEXITSTATUS(status) != 0)
            failed++;
    }
    return failed > 0 ? failed : skipped > 0 ? TEST_SKIPPED : 0;
}

int main(int argc, char **argv)
{
    int devices = 0;
    if (argc == 1)
        return run_each(argv[0], test_list, test_count);
    cmocka_set_test_filter(argv[1]);
    if (krn_backend_get(KRN_BACKEND_CUDA)->count(&devices, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    const int unopened = test_screen_open(0);
    if (unopened)
        return unopened;
    return test_screen_run(NULL, NULL);
}
