/* A session in which keys change what is on screen: whose times the frame's median is from, which
 * mode a duel is against, and what a screenshot shows. The clock is simulated. */
#include "files.h"
#include "seen.h"
#include "sessions.h"

#include "command/command.h"
#include "command/entry.h"
#include "hud/draw.h"
#include "records/recorded.h"
#include "window/session.h"

#include "krn/gl.h"

#include <time.h>

static int open_session(void **unused)
{
    (void)unused;
    test_session_open(KRN_BACKEND_CPU, 64, APP_PANELS_OFF);
    return 0;
}

/* The same on a device whose pictures are wrong where the spheres lie in constant memory. */
static int open_wrong_session(void **unused)
{
    setenv("SPHERESCOPE_FAULT", "constant", 1);
    const int failed = open_session(unused);
    unsetenv("SPHERESCOPE_FAULT");
    return failed;
}

/* Whatever changes the time of a frame ends the series of frames: no old time beside a new
 * kernel's.
 */
TEST_WITH(test_frames_begin_anew, open_session, test_session_close)
{
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
TEST_WITH(test_duel_against_the_mode_left, open_session, test_session_close)
{
    frames(2);
    app_session_press(&session, '3', false, now_s);
    frames(2);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    assert_true(session.state.spec.duel.on);
    assert_int_equal(session.state.spec.mode.storage, KRN_STORAGE_CONSTANT);
    assert_int_equal(session.state.spec.duel.other.storage, KRN_STORAGE_GLOBAL);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    frames(1);
    app_session_press(&session, 'K', false, now_s);
    frames(1);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    assert_int_equal(session.state.spec.mode.kernel, KRN_KERNEL_STRIP);
    assert_int_equal(session.state.spec.duel.other.kernel, KRN_KERNEL_BOOK);
    assert_int_equal(session.state.spec.duel.other.storage, KRN_STORAGE_CONSTANT);
}

static bool is_current(void *owner)
{
    (void)owner;
    return true;
}

/* In a duel, the key of the backends gives B another one; when that is lost, both have A's. */
TEST_WITH(test_a_duel_of_two_backends, open_session, test_session_close)
{
    static struct seen seen;
    struct app_draw_witness witness = seen_begin(&seen);
    krn_gl_lend(&(struct krn_gl_context){ren_offscreen_proc, is_current, NULL});
    session.facts.has_backend[KRN_BACKEND_GL] = true;
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    frames(2);
    assert_false(app_state_crosses(&session.state));
    app_session_press(&session, 'C', false, now_s);
    assert_int_equal(app_state_side(&session.state, 1).backend, KRN_BACKEND_GL);
    for (int i = 0; i < 200 && app_engine_duel(engine)->kept < 20; i++)
        frames(1);
    assert_true(app_duel_crosses(app_engine_duel(engine)));
    assert_true(app_engine_duel(engine)->kept >= 20);
    session.witness = &witness;
    frames(1);
    session.witness = NULL;
    assert_true(seen_count(&seen, "on the CPU") && seen_count(&seen, "on OpenGL"));
    assert_true(seen_count(&seen, "the same picture, in turns; times without their launch"));

    krn_fail_calls("krn_gl_reset:1");
    frames(1);
    krn_fail_calls(NULL);
    assert_true(session.state.spec.duel.on && !app_state_crosses(&session.state));
    assert_non_null(strstr(session.notice, "The gl backend leaves the duel."));
    krn_gl_lend(NULL);
}

/* A recorded run stands in for a GPU that is not there: README's first keys show its numbers, the
 * keys of the spheres step through its counts, and a picture that it lacks is this CPU's, whole. */
TEST(test_recorded_run_stands_in)
{
    struct app_recorded *opened;
    TEST_OK(app_recorded_open(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz", 1.0, &opened,
                              &error));
    test_session_defaults(KRN_BACKEND_CPU);
    run.backend = -1;
    start_state.spec.motion = false;
    struct app_session_start start = test_session_start();
    start.fallback_reason = "no GPU";
    start.recorded = app_recorded_loader_of(opened);
    start.stands_in = true;
    app_session_open(&session, &start);
    static const struct {
        int key, spheres;
        const char *source, *says;
    } steps[] = {
        {0, 20, "recorded, NVIDIA H200", "21.6"},
        {'3', 20, "recorded, NVIDIA H200", "is 20 % faster"},
        {APP_KEY_TAB, 20, "recorded, NVIDIA H200", "is 20 % faster"},
        {APP_KEY_UP, 50, "recorded, NVIDIA H200", "is 29 % faster"},
        {'C', 50, "each draws the whole picture", "the same caches here"},
        {'C', 50, "recorded, NVIDIA H200", "is 29 % faster"},
        {APP_KEY_UP, 100, "recorded, NVIDIA H200", "is 36 % faster"},
        {APP_KEY_DOWN, 50, "recorded, NVIDIA H200", "is 29 % faster"},
        {'K', 50, "recorded, NVIDIA H200", "× faster"},
        {'R', 50, "each draws the whole picture", ""}, /* another scene: no run has it */
    };
    static struct seen seen;
    struct app_draw_witness witness;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].key)
            app_session_press(&session, steps[i].key, false, now_s);
        session.witness = NULL;
        frames(2);
        witness = seen_begin(&seen);
        session.witness = &witness;
        frames(1);
        bool source = false, says = false;
        for (int t = 0; t < seen.text_count; t++) {
            source = source || strstr(seen.words[t], steps[i].source);
            says = says || strstr(seen.words[t], steps[i].says);
        }
        if (app_session_wanted(&session).spec.recipe.count != steps[i].spheres || !source || !says)
            fail_msg("step %zu: %d spheres, source %d, says %d", i,
                     app_session_wanted(&session).spec.recipe.count, source, says);
    }
    assert_non_null(strstr(session.notice, "No recorded run has this picture"));
    session.facts.stands_in = false; /* as with --play */
    session.facts.plays = true;
    app_session_press(&session, 'C', false, now_s);
    assert_non_null(strstr(session.notice, "--play shows recorded times alone; without it, C"));
    app_recorded_loader_close(start.recorded);
    test_session_close(NULL);
}

/* Once the modes of a table are measured, the picture stays, and it and its record have the table's
 * time. */
TEST_WITH(test_a_table_has_the_picture_s_time, open_session, test_session_close)
{
    static const double samples[] = {12.29, 12.3, 12.3, 12.3, 12.3, 12.31};
    static struct seen seen;
    static struct app_measurement measurement;
    struct app_draw_witness witness = seen_begin(&seen);
    bool says = false;
    frames(3);
    measurement.count = 1;
    measurement.modes[0] = (struct app_mode_time){
        .backend = KRN_BACKEND_CPU, .mode = session.state.spec.mode, .scope = "a kernel"};
    app_mode_time_sum_up(&measurement.modes[0], samples, sizeof samples / sizeof *samples, 0.0);
    session.measured = &measurement;
    session.witness = &witness;
    frames(1);
    for (int t = 0; t < seen.text_count; t++)
        says = says || strcmp(seen.words[t], "12.3") == 0;
    assert_true(says && session.waited);
    TEST_OWNED(app_results_free) struct app_results results = app_session_record(&session);
    const struct app_result *found = app_results_find(&results, 0, "raytrace", "book/global");
    assert_true(app_result_number(found, APP_M_MEDIAN_MS, 0.0) == 12.3);
    assert_null(
        app_results_find(&results, (size_t)(found - results.results) + 1, "raytrace", NULL));
}

/* A clock that jumps (a machine that slept, a process that was stopped, a clock that is set back)
 * moves the picture by a tenth of a second at most, never back, and leaves no negative time. */
TEST_WITH(test_clock_jumps, open_session, test_session_close)
{
    static const double jumps_s[] = {3600.0, -3000.0, 1e9, -5e8, 0.0};
    session.state.spec.motion = true;
    frames(3);
    for (size_t i = 0; i < sizeof jumps_s / sizeof *jumps_s; i++) {
        const double before_s = session.state.spec.motion_s;
        now_s += jumps_s[i];
        frames(1);
        assert_true(session.state.spec.motion_s >= before_s &&
                    session.state.spec.motion_s < before_s + 0.11);
        frames(2);
        assert_true(session.state.spec.motion_s > before_s + 0.19);
        assert_true(krn_series_summary(&session.frames).min >= 0.0);
    }
    assert_true(session.frames.count <= KRN_SERIES_CAPACITY);
}

/* A start state of seconds per frame begins lighter; once its rate is known, as much of it is shown
 * as is fast enough, and a notice says what was wanted. A state that is fast comes back whole. */
TEST_WITH(test_slow_start, open_session, test_session_close)
{
    session.state.spec.recipe.count = KRN_SPHERES_MAX;
    session.state.spec.width = session.state.spec.height = 1024;
    const struct app_state wanted = session.state;
    app_session_begin_trial(&session);
    assert_true(session.trial.on && session.state.spec.recipe.count < KRN_SPHERES_MAX);
    assert_true(app_predict_ms(&session.state, &session.facts) <= APP_SLOW_MS);
    for (int i = 0; i < 60 && session.trial.on; i++)
        frames(1);
    assert_false(session.trial.on);
    /* No processor here makes 10^13 nominal tests within a second. */
    assert_true(session.state.spec.recipe.count < KRN_SPHERES_MAX);
    assert_true(
        strncmp(session.notice, "10000000 spheres at 1024x1024 on cpu would take about ", 54) == 0);

    /* The first guess is far too cautious for a small image. */
    session.state = wanted;
    session.state.spec.recipe.count = 2000;
    session.state.spec.width = session.state.spec.height = 640;
    session.facts.live = false;
    app_session_begin_trial(&session);
    assert_false(session.trial.on);
    session.facts.live = true;
    memset(session.facts.rate, 0, sizeof session.facts.rate);
    app_session_begin_trial(&session);
    assert_true(session.trial.on);

    /* A key that chooses another scene ends the trial. */
    frames(1);
    session.state.spec.recipe.count = 7;
    frames(1);
    assert_false(session.trial.on);
    assert_int_equal(session.state.spec.recipe.count, 7);
}

/* Draws a frame and returns its pixels, which the caller frees. */
static unsigned char *pixels(void)
{
    unsigned char *rgba = test_alloc(4 * (size_t)WIDTH * HEIGHT);
    now_s -= 0.1; /* the same time as the last frame */
    frames(1);
    TEST_OK(ren_frame_read(renderer, rgba, &error));
    return rgba;
}

/* A notice that tells of a saved file is on screen, but in no screenshot; others are in both. */
TEST_WITH(test_notice_of_a_file, open_session, test_session_close)
{
    const size_t bytes = 4 * (size_t)WIDTH * HEIGHT;
    session.state.look.hud = false;
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
TEST_WITH(test_wrong_scene_while_running, open_session, test_session_close)
{
    static const struct {
        const char *path, *words;
    } wrong[] = {{"/nowhere.json", "/nowhere.json cannot be read"},
                 {"/tmp", "is a folder"},
                 {"/dev/null", "/dev/null is not a regular file."},
                 {"/proc/self/status", "/proc/self/status is in no known format: "},
                 {"/dev/zero", "/dev/zero is not a regular file."}};
    frames(2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int spheres = app_engine_scene(engine)->count;
        session.state.spec.scene = APP_SCENE_FILE;
        memset(session.state.spec.scene_path, 0, sizeof session.state.spec.scene_path);
        snprintf(session.state.spec.scene_path, sizeof session.state.spec.scene_path, "%s",
                 wrong[i].path);
        frames(2);
        assert_int_equal(session.state.spec.scene, APP_SCENE_RANDOM);
        assert_int_equal(app_engine_scene(engine)->count, spheres);
        test_has(session.notice, wrong[i].words);
    }
}

/* What a scene's file has and the scene lacks is told once the scene is on screen, and after
 * another notice. */
TEST_WITH(test_notes_on_scenes, open_session, test_session_close)
{
#define HEAD "x,y,z,r,red,green,blue"
    static const struct {
        const char *path, *text, *note;
    } files[] = {
        {TEST_BINARY_DIR "/a name that is much longer than what a line of the screen has room for, "
                         "and that goes on and on, until everybody has had enough of it.csv",
         HEAD ",mass\n0,0,0,1,1,1,1,7\n", "1 column of the table is not read: mass."},
        {TEST_BINARY_DIR "/colours.tsv", HEAD "\n0,0,0,1,255,0,0\n",
         "Colours are read as 0 to 255."},
        {TEST_BINARY_DIR "/whole.txt", HEAD "\n0,0,0,1,1,0,0\n", "A saved picture"},
    };
    frames(2);
    session.state.spec.scene = APP_SCENE_FILE;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        test_file_put_text(files[i].path, files[i].text);
        app_session_say(&session, APP_TONE_SAID, now_s, "A saved picture");
        memset(session.state.spec.scene_path, 0, sizeof session.state.spec.scene_path);
        strcpy(session.state.spec.scene_path, files[i].path);
        frames(2);
        assert_string_equal(session.notice, "A saved picture");
        now_s += 3.0;
        frames(2);
        assert_string_equal(session.notice, files[i].note);
        now_s += 10.0;
        frames(2);
        assert_true(session.notice_until_s < now_s);
        unlink(files[i].path);
    }
}

static void name_wrong_scene(void)
{
    session.state.spec.scene = APP_SCENE_FILE;
    snprintf(session.state.spec.scene_path, sizeof session.state.spec.scene_path, "/nowhere.json");
}

/* What keys ask for in a frame whose scene cannot be read is done all the same, and once. */
TEST_WITH(test_asked_in_a_refused_frame, open_session, test_session_close)
{
    const unsigned asked = APP_REQUEST_SCREENSHOT | APP_REQUEST_QUIT;
    frames(2);
    name_wrong_scene();
    app_session_press(&session, 'S', false, now_s);
    app_session_press(&session, 'Q', false, now_s);
    frames(1);
    assert_int_equal(session.state.spec.scene, APP_SCENE_RANDOM);
    assert_int_equal(session.state.requests, asked);
    session.state.requests = 0; /* served */
    name_wrong_scene();
    frames(1);
    assert_int_equal(session.state.spec.scene, APP_SCENE_RANDOM);
    assert_int_equal(session.state.requests, 0);
}

/* More spheres than fit into memory are refused while the show runs: a notice, and the picture
 * stays. The device keeps the scene that it has, although nothing could be loaded again. */
TEST_WITH(test_full_memory_while_running, open_session, test_session_close)
{
    frames(2);
    const int spheres = session.state.spec.recipe.count;
    krn_fail_calls("aligned_alloc");
    app_session_press(&session, APP_KEY_UP, false, now_s);
    frames(3);
    krn_fail_calls(NULL);
    assert_int_equal(session.state.spec.recipe.count, spheres);
    assert_int_equal(app_engine_scene(engine)->count, spheres);
    assert_non_null(strstr(session.notice, "No memory for a scene of 40 spheres"));
    app_session_press(&session, APP_KEY_UP, false, now_s);
    frames(2);
    assert_int_equal(session.state.spec.recipe.count, 2 * spheres);
    assert_int_equal(app_engine_scene(engine)->count, 2 * spheres);
}

/* The heat map tells the cost of the pixel under the mouse pointer, and none beside the picture. */
TEST_WITH(test_pointed_cost, open_session, test_session_close)
{
    app_session_press(&session, 'G', false, now_s);
    session.pointer.inside = true;
    session.pointer.x = WIDTH / 2 + 1.0f;
    session.pointer.y = 1.0f;
    frames(2);
    assert_true(session.heat.at.valid);
    assert_int_equal(session.heat.at.row, 0);
    assert_true(session.heat.at.column >= 0 && session.heat.at.column < 64);
    assert_int_equal(session.heat.at.cost, 20); /* the book's kernel tests every sphere */
    /* While it is hidden, the count of a mode's work may take its place. */
    const struct krn_mode strip = {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8};
    app_session_press(&session, 'G', false, now_s);
    frames(1);
    assert_true(app_work_count(engine, &session.state, strip, 1.0).flops > 0.0);
    app_session_press(&session, 'G', false, now_s);
    frames(2);
    assert_true(session.heat.at.valid);
    assert_int_equal(session.heat.at.cost, 20);
    session.pointer.x = WIDTH + 5.0f;
    frames(1);
    assert_false(session.heat.at.valid);
    session.pointer.x = WIDTH / 2 + 1.0f;
    session.pointer.inside = false;
    frames(1);
    assert_false(session.heat.at.valid);
}

/* The HUD grows until nothing on screen gets larger; then its size stays, and a notice says so. */
TEST_WITH(test_largest_size, open_session, test_session_close)
{
    bool limited = false;
    double largest = 0.0;
    frames(2);
    for (int i = 0; i < 20; i++) {
        app_session_press(&session, '+', true, now_s);
        limited = limited || strstr(session.notice, "does not fit") != NULL;
        largest = limited && largest == 0.0 ? session.state.look.hud_scale : largest;
        frames(1);
    }
    assert_true(limited && largest < APP_HUD_SCALE_MAX);
    assert_true(session.state.look.hud_scale == largest);
    app_session_press(&session, '-', true, now_s);
    assert_true(session.state.look.hud_scale < largest);
}

/* A touchpad's steps, each too short for a hundredth of the camera's distance, add up. */
TEST_WITH(test_short_steps_of_the_wheel, open_session, test_session_close)
{
    const struct app_drag step = {.wheel = -0.05};
    app_session_press(&session, 'L', false, now_s);
    session.state.spec.light.camera.distance = KRN_DISTANCE_MIN;
    for (int i = 0; i < 20; i++)
        app_session_drag(&session, &step, now_s);
    assert_true(session.state.spec.light.camera.distance == 0.55f);
    frames(1);
}

static int open_following(void **unused)
{
    const int failed = open_session(unused);
    session.state.look.hud = session.home.look.hud = false;
    session.state.spec.follow_pane = session.home.spec.follow_pane = true;
    sized_frames(320, 180, 10);
    return failed;
}

/* Checks the size of the image. */
static void has_size(int width, int height)
{
    assert_int_equal(session.state.spec.width, width);
    assert_int_equal(session.state.spec.height, height);
}

/* Returns the number of a storage's samples at the size on screen. */
static size_t samples(enum krn_storage storage)
{
    const struct krn_mode mode = {KRN_KERNEL_BOOK, storage, 1};
    return app_engine_series(engine, KRN_BACKEND_CPU, mode)->count;
}

/* The first image has its pane's size. Later the picture is scaled at once, and the image follows
 * when the pane has stood still for a second; panels change a pane as windows do. */
TEST_WITH(test_picture_follows_its_pane, open_following, test_session_close)
{
    const unsigned back = app_theme_colours(session.state.look.theme)->background;
    has_size(320, 180);
    assert_int_equal(samples(KRN_STORAGE_GLOBAL), 10);
    unsigned char *rgba = pixels();
    for (size_t i = 0; i < 4 * (size_t)WIDTH * HEIGHT; i += 4)
        assert_false(rgba[i] == back >> 16 && rgba[i + 1] == (back >> 8 & 0xff) &&
                     rgba[i + 2] == (back & 0xff));
    free(rgba);
    for (int i = 0; i < 4; i++)
        sized_frames(WIDTH - i % 2, HEIGHT, 9);
    has_size(320, 180);
    assert_int_equal(samples(KRN_STORAGE_GLOBAL), 47);
    frames(12);
    has_size(WIDTH, HEIGHT);
    sized_frames(1280, 720, 1);
    app_session_press(&session, 'P', false, now_s);
    sized_frames(1280, 720, 9);
    assert_true(session.facts.pane_width < 1280);
    has_size(WIDTH, HEIGHT);
    sized_frames(1280, 720, 12);
    has_size(session.facts.pane_width, 720);
    app_session_press(&session, 'Z', false, now_s);
    assert_string_equal(session.notice, "Image: 1024x1024, the book's size");
    sized_frames(1280, 720, 12);
    has_size(1024, 1024);
    app_session_press(&session, APP_KEY_HOME, false, now_s);
    has_size(session.facts.pane_width, 720);
    sized_frames(1280, 720, 12);
    has_size(1280, 720);
    app_session_press(&session, APP_KEY_ENTER, false, now_s); /* held numbers keep their size */
    sized_frames(320, 180, 12);
    has_size(1280, 720);
    app_session_press(&session, APP_KEY_ENTER, false, now_s);
    sized_frames(320, 180, 1);
    has_size(320, 180);
}

/* Each of the last sizes keeps its samples, and no mode is compared with one at another size. */
TEST_WITH(test_samples_of_a_size, open_following, test_session_close)
{
    app_session_press(&session, '3', false, now_s);
    sized_frames(320, 180, 5);
    assert_true(session.before.valid);
    sized_frames(160, 90, 12);
    has_size(160, 90);
    assert_false(session.before.valid);
    assert_int_equal(samples(KRN_STORAGE_GLOBAL), 0);
    sized_frames(320, 180, 10); /* still the other size; then back in the frame of the key */
    app_session_press(&session, '1', false, now_s);
    sized_frames(320, 180, 1);
    has_size(320, 180);
    assert_false(session.before.valid);
    assert_int_equal(samples(KRN_STORAGE_GLOBAL), 11);
    assert_true(samples(KRN_STORAGE_CONSTANT) > 10);
    app_session_press(&session, '3', false, now_s);
    sized_frames(320, 180, 1);
    assert_true(session.before.valid);

    for (int side = 20; side < 24; side++)
        sized_frames(side, 20, 12);
    sized_frames(320, 180, 12);
    assert_int_equal(samples(KRN_STORAGE_GLOBAL), 0);
    sized_frames(160, 90, 12);
    app_session_press(&session, 'R', false, now_s);
    sized_frames(160, 90, 1);
    sized_frames(320, 180, 12);
    assert_true(samples(KRN_STORAGE_CONSTANT) < 5);
}

/* A size that would make frames too slow, or for which OpenGL has no texture, is not taken. */
TEST_WITH(test_sizes_that_are_refused, open_following, test_session_close)
{
    sized_frames(16, 9, 12);
    session.state.spec.recipe.count = KRN_LARGE_SPHERES;
    session.state.spec.mode.kernel = KRN_KERNEL_SPLAT;
    sized_frames(16, 9, 2);
    sized_frames(320, 180, 12);
    has_size(16, 9);
    session.state.spec.recipe.count = 20;
    sized_frames(320, 180, 1);
    has_size(320, 180);

    krn_fail_calls("glTexImage2D");
    frames(12);
    krn_fail_calls(NULL);
    has_size(320, 180);
    assert_non_null(strstr(session.notice, "OpenGL gives no texture of 640x360 pixels"));
    frames(7);
    has_size(320, 180);
    frames(6);
    has_size(WIDTH, HEIGHT);
}

/* Draws frames until every picture is verified, and a QR code of the next second. */
static void await_code(void)
{
    const struct timespec moment = {0, 1000000};
    int waits = 0;
    do {
        frames(1);
        nanosleep(&moment, NULL);
    } while (!app_verify_settled(session.verify[0]) && waits++ < 20000);
    assert_true(app_verify_settled(session.verify[0]));
    frames(12);
}

/* A duel shows two pictures, and a wrong one is told, whichever side it is on. */
TEST_WITH(test_wrong_side_of_a_duel, open_wrong_session, test_session_close)
{
    session.state.look.qr = true;
    frames(2);
    app_session_press(&session, '3', false, now_s);
    frames(2);
    app_session_press(&session, '1', false, now_s);
    await_code();
    assert_non_null(strstr(session.qr.text, "64x64; verified, "));
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    assert_int_equal(session.state.spec.mode.storage, KRN_STORAGE_GLOBAL);
    assert_int_equal(session.state.spec.duel.other.storage, KRN_STORAGE_CONSTANT);
    await_code();
    assert_non_null(strstr(session.qr.text, "64x64; WRONG PICTURE, Do not quote; "));
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    app_session_press(&session, '4', false, now_s); /* shared memory against global: both right */
    frames(2);
    app_session_press(&session, '1', false, now_s);
    frames(2);
    app_session_press(&session, APP_KEY_TAB, false, now_s);
    await_code();
    assert_int_equal(session.state.spec.duel.other.storage, KRN_STORAGE_SHARED);
    assert_non_null(strstr(session.qr.text, "64x64; verified, "));
}

/* Returns the number of pixels that have the colour of what is wrong. */
static int warned_pixels(void)
{
    const ren_colour warn = app_theme_colours(session.state.look.theme)->bad;
    unsigned char *rgba = pixels();
    int count = 0;
    for (size_t i = 0; i < 4 * (size_t)WIDTH * HEIGHT; i += 4)
        count += rgba[i] == warn >> 24 && rgba[i + 1] == (warn >> 16 & 0xff) &&
                 rgba[i + 2] == (warn >> 8 & 0xff);
    free(rgba);
    return count;
}

/* A wrong picture has a badge on screen, and the right one after it has none. */
TEST_WITH(test_wrong_picture_has_a_badge, open_wrong_session, test_session_close)
{
    frames(2);
    await_code();
    assert_int_equal(warned_pixels(), 0);
    app_session_press(&session, '3', false, now_s);
    await_code();
    assert_true(warned_pixels() > 50);
    app_session_press(&session, '1', false, now_s);
    await_code();
    assert_int_equal(warned_pixels(), 0);
}

int main(void)
{
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(NULL, NULL);
}
