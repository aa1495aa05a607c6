/* Recording in a process of its own. The process is this program, which then plays the recorder. */
#include "files.h"

#include "base/process.h"
#include "bench/program.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/* Plays the program with --record: says what it was asked for, and what the test wants it to do. */
static int play(int argc, char *const argv[])
{
    const char *does = getenv("TEST_RECORDER");
    FILE *file = fopen(argv[2], "w");
    for (int i = 3; file && i < argc; i++)
        fprintf(file, "%s ", argv[i]);
    if (file)
        fclose(file);
    fprintf(stderr, "process 1 of 5: raytrace\nhalf a l");
    if (does && strcmp(does, "hang") == 0) {
        signal(SIGTERM, SIG_IGN);
        for (;;)
            pause();
    }
    if (does && strcmp(does, "wait") == 0)
        for (;;)
            pause();
    fprintf(stderr, "ine\n");
    return does && strcmp(does, "fail") == 0;
}

static char path[APP_PATH_MAX];

static struct app_recording recording;

/* Starts a recording of the state, or of the program's own. */
static void start(const char *does, const struct app_state *state)
{
    const struct app_state own = app_state_default();
    memset(&recording, 0, sizeof recording);
    assert_int_equal(setenv("TEST_RECORDER", does, 1), 0);
    test_file_put_text(path, "");
    TEST_OK(app_recording_start(&recording, state ? state : &own, 0, path, &error));
    assert_int_equal(recording.state, APP_RECORDING_RUNNING);
}

/* Waits for the process to end, or to say `line`. */
static enum app_recording_state await(const char *line)
{
    const struct timespec little = {0, 2000000};
    const double until_s = app_clock_s() + 60.0;
    while (app_recording_poll(&recording) == APP_RECORDING_RUNNING &&
           (!line || strcmp(recording.line, line) != 0) && app_clock_s() < until_s)
        nanosleep(&little, NULL);
    return recording.state;
}

/* The program that the recording starts writes its arguments into the file. */
static void assert_first_line(const char *expected)
{
    char text[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, expected);
}

/* The file that the process leaves has its arguments here. */
TEST(test_done)
{
    struct app_state state = app_state_default();
    state.spec.recipe.count = 77;
    state.spec.recipe.seed = 18446744073709551615u;
    state.spec.width = 640;
    start("", &state);
    assert_int_equal(await(NULL), APP_RECORDING_DONE);
    assert_string_equal(recording.line, "half a line");
    assert_first_line("--backend cpu --size 640x1024 --spheres 77 --seed "
                      "18446744073709551615 --radii 20:120 ");
    app_recording_stop(&recording); /* nothing runs */
    assert_int_equal(access(path, F_OK), 0);
}

TEST(test_scene_file)
{
    struct app_state state = app_state_default();
    state.spec.scene = APP_SCENE_FILE;
    snprintf(state.spec.scene_path, sizeof state.spec.scene_path, "a scene; rm x.json");
    state.spec.zoom = 0.25;
    start("", &state);
    assert_int_equal(await(NULL), APP_RECORDING_DONE);
    assert_first_line("--backend cpu --size 1024x1024 --zoom 0.25 --scene a scene; rm "
                      "x.json ");
}

/* The light view is recorded with its camera where the path has led it. */
TEST(test_light_view)
{
    struct app_state state = app_state_default();
    state.spec.mode.kernel = KRN_KERNEL_TREE;
    state.spec.light = (struct krn_light){{-90.0f, 20.5f, 2.0f}, 3, 16};
    state.spec.camera_path = true;
    state.spec.motion_s = APP_CAMERA_PATH_SECONDS / 8.0;
    start("", &state);
    assert_int_equal(await(NULL), APP_RECORDING_DONE);
    assert_first_line("--backend cpu --size 1024x1024 --view light --camera -45:20.5:2 "
                      "--bounces 3 --samples 16 --spheres 20 --seed 1 --radii 20:120 ");
    app_recording_stop(&recording);
}

TEST(test_failed)
{
    start("fail", NULL);
    assert_int_equal(await(NULL), APP_RECORDING_FAILED);
    assert_string_equal(recording.line, "half a line");
    assert_int_not_equal(access(path, F_OK), 0); /* no file is left */
}

TEST(test_cancelled)
{
    start("wait", NULL);
    assert_int_equal(await("process 1 of 5: raytrace"), APP_RECORDING_RUNNING);
    app_recording_cancel(&recording);
    assert_int_equal(await(NULL), APP_RECORDING_FAILED);
    assert_true(recording.cancelled);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A process that does not listen is killed when the window closes. */
TEST(test_stopped)
{
    start("hang", NULL);
    assert_int_equal(await("process 1 of 5: raytrace"), APP_RECORDING_RUNNING);
    const pid_t pid = recording.child.pid;
    app_recording_stop(&recording);
    assert_int_equal(recording.state, APP_RECORDING_FAILED);
    assert_int_not_equal(kill(pid, 0), 0);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Starts a recording in a process that is killed, and returns the number of the recorder. */
static pid_t orphan(const char *does)
{
    int ends[2];
    pid_t recorder = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t window = fork();
    if (window == 0) {
        start(does, NULL);
        await("process 1 of 5: raytrace"); /* it has heard of its parent */
        if (write(ends[1], &recording.child.pid, sizeof recording.child.pid) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &recorder, sizeof recorder), sizeof recorder);
    close(ends[0]);
    assert_int_equal(kill(window, SIGKILL), 0);
    assert_int_equal(waitpid(window, NULL, 0), window);
    return recorder;
}

/* A process that records does not outlive a window that is killed. */
TEST(test_killed_window)
{
    const struct timespec little = {0, 2000000};
    const double until_s = app_clock_s() + 60.0;
    int status = 0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const pid_t recorder = orphan("wait");
    pid_t ended;
    while ((ended = waitpid(recorder, &status, WNOHANG)) == 0 && app_clock_s() < until_s)
        nanosleep(&little, NULL);
    if (ended == 0)
        kill(recorder, SIGKILL);
    assert_int_equal(ended, recorder);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

int main(int argc, char *argv[])
{
    (void)app_recording_begin(&argc, &argv);
    if (argc > 2 && strcmp(argv[1], "--record") == 0)
        return play(argc, argv);
    char folder[] = "/tmp/test_recording_XXXXXX";
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/run.json", folder);
    const int failed = tests_run(NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
