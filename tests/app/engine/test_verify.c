/* Verification while a picture is shown, on the CPU backend: correct pictures, a wrong storage, a
 * picture that costs too much, changes on the way; and the hash that it compares. */
#include "pictures.h"

#include "base/process.h"
#include "engine/verify.h"

#include <signal.h>
#include <time.h>

static struct app_engine *engine;
static struct app_state state;
static struct app_facts facts;
static struct app_verify *verify;
static struct krn_image image;

static void open_engine(int width, int height, int spheres)
{
    char notice[APP_NOTICE_MAX];
    struct app_run run = app_run_default();
    run.backend = KRN_BACKEND_CPU;
    memset(&facts, 0, sizeof facts);
    state = app_state_default();
    state.spec.width = width;
    state.spec.height = height;
    state.spec.recipe.count = spheres;
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(
        krn_device_alloc_image(app_engine_device(engine, &state), width, height, &image, &error));
    verify = app_verify_open();
    assert_non_null(verify);
}

static void close_engine(void)
{
    app_verify_close(verify);
    krn_device_free_image(app_engine_device(engine, &state), &image);
    app_engine_close(engine);
    unsetenv("SPHERESCOPE_FAULT");
}

static void frame(double now_s)
{
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    app_engine_poll(engine);
    app_engine_facts(engine, &facts);
    app_verify_frame(verify, engine, &state, &facts, now_s);
}

/* Runs frames until the verification has finished. The thread takes real time; the clock is
 * simulated. */
static double settle(double now_s)
{
    const struct timespec moment = {0, 2000000};
    for (int i = 0; i < 5000; i++) {
        now_s += 0.02;
        frame(now_s);
        if (app_verify_settled(verify))
            return now_s;
        nanosleep(&moment, NULL);
    }
    fail_msg("it never settles");
    return now_s;
}

static struct app_verify_status status_of(enum krn_storage storage, double now_s)
{
    struct app_verify_status status;
    const struct krn_mode mode = {KRN_KERNEL_BOOK, storage, 1};
    app_verify_status(verify, KRN_BACKEND_CPU, mode, now_s, &status);
    return status;
}

TEST(right_pictures)
{
    open_engine(320, 200, 20);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, 0).verified, APP_VERIFIED_UNKNOWN);
    const double found = settle(0);
    assert_true(found >= 0.25); /* a scene shown only briefly is not verified */
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        const struct app_verify_status status = status_of((enum krn_storage)s, found + 3);
        assert_int_equal(status.verified, APP_VERIFIED_TRUE);
        assert_true(status.age_s > 2.9 && status.age_s < 3.1);
        assert_non_null(strstr(status.text, "agree with the double-precision reference"));
    }
    /* no verification run was timed */
    const struct krn_mode constant = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    assert_int_equal(app_engine_series(engine, KRN_BACKEND_CPU, constant)->count, 0);

    /* Another scene gives another picture. */
    state.spec.recipe.seed = 77;
    frame(found + 4);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, found + 4).verified, APP_VERIFIED_UNKNOWN);
    settle(found + 4);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, found + 9).verified, APP_VERIFIED_TRUE);
    close_engine();
}

/* The views' pictures are verified apart: going to the other view takes no verdict away. */
TEST(views_keep_their_verdicts)
{
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_CONSTANT, 1};
    struct app_verify_status lit;
    open_engine(160, 100, 20);
    double now_s = settle(0);
    state.spec.mode = tree;
    frame(now_s + 1);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, now_s + 1).verified, APP_VERIFIED_TRUE);
    app_verify_status(verify, KRN_BACKEND_CPU, tree, now_s + 1, &lit);
    assert_int_equal(lit.verified, APP_VERIFIED_UNKNOWN);
    now_s = settle(now_s + 1);
    app_verify_status(verify, KRN_BACKEND_CPU, tree, now_s, &lit);
    assert_int_equal(lit.verified, APP_VERIFIED_TRUE);
    assert_non_null(strstr(lit.text, " of 16000 pixels were compared and agree with the double-"));
    state.spec.mode = app_state_default().spec.mode;
    frame(now_s + 1);
    app_verify_status(verify, KRN_BACKEND_CPU, tree, now_s + 1, &lit);
    assert_int_equal(lit.verified, APP_VERIFIED_TRUE);
    settle(now_s + 1);
    assert_int_equal(status_of(KRN_STORAGE_SHARED, now_s + 9).verified, APP_VERIFIED_TRUE);
    state.spec.recipe.seed = 78; /* another scene takes them all */
    frame(now_s + 10);
    app_verify_status(verify, KRN_BACKEND_CPU, tree, now_s + 10, &lit);
    assert_int_equal(lit.verified, APP_VERIFIED_UNKNOWN);
    close_engine();
}

TEST(wrong_storage)
{
    for (int wrong = 0; wrong < KRN_STORAGE_COUNT; wrong++) {
        setenv("SPHERESCOPE_FAULT", krn_storage_name((enum krn_storage)wrong), 1);
        open_engine(320, 200, 20);
        state.spec.motion_s = 3.0;
        const double found = settle(0);
        for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
            const struct app_verify_status status = status_of((enum krn_storage)s, found);
            assert_int_equal(status.verified, s == wrong ? APP_VERIFIED_FALSE : APP_VERIFIED_TRUE);
            if (s == wrong)
                assert_non_null(strstr(status.text, "pixels are wrong, first ("));
        }
        close_engine();
    }
}

TEST(too_costly)
{
    /* Too many for constant memory; the picture is small, because one that takes a quarter of a
     * second under a sanitizer would not be verified at all. */
    open_engine(16, 16, 3000);
    const double found = settle(0);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, found).verified, APP_VERIFIED_TRUE);
    const struct app_verify_status constant = status_of(KRN_STORAGE_CONSTANT, found);
    assert_int_equal(constant.verified, APP_VERIFIED_UNKNOWN);
    assert_non_null(strstr(constant.text, "64 KiB"));
    close_engine();

    open_engine(16, 16, 20);
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    const struct krn_view view = app_engine_current_view(engine);
    assert_true(app_verify_pixels(app_engine_scene(engine), KRN_VIEW_BOOK, &view) > 256);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        facts.rate[KRN_BACKEND_CPU][KRN_KERNEL_BOOK][s][0] = 16.0 * 16 * 20 / 300; /* 300 ms each */
    app_verify_frame(verify, engine, &state, &facts, 0);
    app_verify_frame(verify, engine, &state, &facts, 1);
    app_verify_frame(verify, engine, &state, &facts, 2);
    assert_true(app_verify_settled(verify));
    assert_non_null(strstr(status_of(KRN_STORAGE_GLOBAL, 3).text, "would take 300 ms"));
    close_engine();

    /* Every sphere covers the whole picture, which costs most. */
    open_engine(64, 64, 20000);
    memset(&facts, 0, sizeof facts);
    state.spec.recipe.radius_min = state.spec.recipe.radius_max = 500;
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_engine_render(engine, &state, &image, &error));
    app_verify_frame(verify, engine, &state, &facts, 0);
    app_verify_frame(verify, engine, &state, &facts, 1);
    assert_true(app_verify_settled(verify));
    assert_string_equal(status_of(KRN_STORAGE_GLOBAL, 3).text,
                        "not checked: scene too large for this CPU");
    close_engine();
}

/* A large scene is compared with the CPU's splat kernel, and rows of it by brute force, but not
 * beside a picture that is shown. */
TEST(large_scenes)
{
    const struct krn_mode modes[] = {{KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1},
                                     {KRN_KERNEL_STRIP, KRN_STORAGE_SHARED, 16}};
    const struct app_verify_limits never = {.end_s = HUGE_VAL};
    struct app_verify_status statuses[2];
    for (int global = 0; global < 2; global++) {
        setenv("SPHERESCOPE_FAULT", global ? "global" : "shared", 1);
        open_engine(8, 100, 20);
        state.spec.mode = modes[0];
        state.spec.recipe = (struct krn_scene_recipe){KRN_LARGE_SPHERES + 1, 32, 40.0f, 60.0f};
        TEST_OK(app_engine_adopt(engine, &state, &error));
        TEST_OK(app_verify_now(engine, &state, modes, 2 - global, &never, statuses, &error));
        for (int m = 0; m < 2 - global; m++) {
            /* Shared memory differs from the splat kernel; what is wrong in global memory is wrong
             * in that kernel, too, and the rows show it. */
            const bool wrong = global || m == 1;
            assert_int_equal(statuses[m].verified, wrong ? APP_VERIFIED_FALSE : APP_VERIFIED_TRUE);
            assert_non_null(strstr(statuses[m].text,
                                   wrong ? " of 800 pixels are wrong, first ("
                                         : "800 pixels agree with the CPU's splat kernel, and 64 "
                                           "rows of them by brute force"));
        }
        const double found = global ? 0.0 : settle(0);
        if (!global)
            assert_string_equal(status_of(KRN_STORAGE_GLOBAL, found).text,
                                "not checked: so large a scene is verified by --bench raytrace");
        close_engine();
    }
}

/* Closes or replaces the engine in every phase: the thread ends, and nothing leaks. */
TEST(given_up)
{
    for (int frames = 1; frames < 12; frames++) {
        open_engine(64, 64, 500);
        for (int i = 0; i < frames; i++) {
            if (i == frames - 1 && frames % 2 == 0)
                state.spec.recipe.seed++;
            frame(0.3 * i);
        }
        close_engine();
    }
}

/* While others measure, the verification renders no picture, and it does not call another scene
 * verified. */
TEST(the_shown_scene_is_verified)
{
    const struct timespec moment = {0, 1000000};
    open_engine(64, 64, 500);
    assert_false(app_verify_computes(verify));
    /* A thread may finish before the first check, but not every time. */
    double now_s = 0.0;
    bool computed = false;
    for (int scene = 0; scene < 50 && !computed; scene++) {
        state.spec.recipe.seed++;
        do {
            frame(now_s += 0.1);
            computed = computed || app_verify_computes(verify);
        } while (!app_verify_settled(verify));
        assert_false(app_verify_computes(verify));
    }
    assert_true(computed);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, now_s).verified, APP_VERIFIED_TRUE);
    app_verify_follow(verify, engine, &state, now_s);
    assert_int_equal(status_of(KRN_STORAGE_GLOBAL, now_s).verified, APP_VERIFIED_TRUE);
    state.spec.recipe.seed++;
    TEST_OK(app_engine_adopt(engine, &state, &error));
    for (int i = 0; i < 20; i++) {
        app_verify_follow(verify, engine, &state, now_s += 1.0);
        nanosleep(&moment, NULL);
        assert_int_equal(status_of(KRN_STORAGE_GLOBAL, now_s).verified, APP_VERIFIED_UNKNOWN);
        assert_false(app_verify_computes(verify) || app_verify_settled(verify));
    }
    close_engine();
}

/* The number of extra launches keeps a device half busy; the launches change neither picture nor
 * numbers. */
TEST(warm_and_hold)
{
    assert_int_equal(app_warm_launches(0.5, 16.0), 15);
    assert_int_equal(app_warm_launches(0.02, 16.6), 200);
    assert_int_equal(app_warm_launches(0.1, 100.0), 79); /* limited to 8 ms */
    assert_int_equal(app_warm_launches(10.0, 16.0), 0);
    assert_int_equal(app_warm_launches(0.0, 16.0), 0);
    assert_int_equal(app_warm_launches(1.0, NAN), 0);
    assert_int_equal(app_warm_launches(1e-300, 16.0), 200);

    open_engine(64, 64, 20);
    const struct krn_series *series = app_engine_series(engine, KRN_BACKEND_CPU, state.spec.mode);
    frame(0);
    uint64_t before, after;
    TEST_OK(krn_device_hash(app_engine_device(engine, &state), &image, &before, &error));
    const size_t count = series->count;
    assert_true(count > 0);
    TEST_OK(app_engine_extra(engine, &state, 30, &error));
    assert_int_equal(app_engine_poll(engine), 0);
    assert_int_equal(series->count, count);
    TEST_OK(krn_device_hash(app_engine_device(engine, &state), &image, &after, &error));
    assert_true(before == after);
    TEST_OK(app_engine_extra(engine, &state, 0, &error));

    /* During a hold, frames continue and the numbers do not; afterwards both do. */
    app_engine_set_hold(engine, true);
    for (int i = 0; i < 40; i++)
        frame(0);
    assert_int_equal(series->count, count);
    app_engine_set_hold(engine, false);
    frame(0);
    assert_int_equal(series->count, count + 1);
    close_engine();
}

static bool never(void *context)
{
    (void)context;
    return false;
}

TEST(hashes)
{
    struct krn_device *device;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    enum { W = 37, H = 11, PITCH = 4 * W + 64 };
    unsigned char narrow[4 * W * H], wide[PITCH * H];
    memset(wide, 0x77, sizeof wide);
    for (int j = 0; j < H; j++)
        for (int i = 0; i < 4 * W; i++)
            narrow[4 * W * j + i] = wide[PITCH * j + i] = (unsigned char)(i * 7 + j * 13);
    const struct krn_image a = {narrow, 4 * W, W, H}, b = {wide, PITCH, W, H};
    uint64_t of_a, of_b, changed;
    TEST_OK(krn_device_hash(device, &a, &of_a, &error));
    TEST_OK(krn_device_hash(device, &b, &of_b, &error));
    assert_true(of_a == of_b);
    for (size_t i = 0; i < sizeof narrow; i++) {
        narrow[i] ^= 1;
        TEST_OK(krn_device_hash(device, &a, &changed, &error));
        assert_true(changed != of_a);
        narrow[i] ^= 1;
    }
    /* two pixels swapped */
    unsigned char pixel[4];
    memcpy(pixel, narrow, 4);
    memcpy(narrow, narrow + 4, 4);
    memcpy(narrow + 4, pixel, 4);
    TEST_OK(krn_device_hash(device, &a, &changed, &error));
    assert_true(changed != of_a);
    krn_device_close(device);

    TEST_SCENE scene = test_scene(5, 1, 20, 120);
    struct krn_reference reference;
    const struct krn_view view = test_view(16, 16);
    assert_int_equal(
        krn_reference_render(&reference, &scene, krn_pose_at(0), &view, never, NULL, &error),
        KRN_REFUSED);
}

static const struct app_verify_limits no_limits = {HUGE_VAL, false};

/* Without a window, the run waits for the verification. */
TEST(verified_now)
{
    struct app_verify_status statuses[KRN_STORAGE_COUNT];
    struct krn_mode modes[KRN_STORAGE_COUNT];
    setenv("SPHERESCOPE_FAULT", "constant", 1);
    open_engine(160, 100, 20);
    for (int light = 0; light < 2; light++) {
        int count = 0;
        for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
            modes[count] = (struct krn_mode){light ? KRN_KERNEL_TREE : KRN_KERNEL_BOOK,
                                             (enum krn_storage)s, 1};
            count += krn_mode_index(modes[count]) >= 0;
        }
        assert_true(count > 1);
        TEST_OK(app_verify_now(engine, &state, modes, count, &no_limits, statuses, &error));
        for (int m = 0; m < count; m++) {
            const bool wrong = modes[m].storage == KRN_STORAGE_CONSTANT;
            assert_int_equal(statuses[m].verified, wrong ? APP_VERIFIED_FALSE : APP_VERIFIED_TRUE);
            assert_non_null(strstr(statuses[m].text, wrong ? "are wrong, first (" : "agree with"));
        }
    }
    close_engine();
}

/* What the time does not suffice for stays unknown and says why; a process that repeats another
 * one's work leaves an expensive comparison to that one, but not a difference between modes. */
TEST(verified_within_limits)
{
    struct app_verify_status statuses[2];
    const struct krn_mode modes[2] = {{KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
                                      {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 8}};
    const struct app_verify_limits no_time = {0.0, false}, repeats = {HUGE_VAL, true};
    open_engine(64, 64, 20);
    TEST_OK(app_verify_now(engine, &state, modes, 2, &no_time, statuses, &error));
    assert_int_equal(statuses[0].verified, APP_VERIFIED_UNKNOWN);
    assert_string_equal(statuses[0].text, "not verified: the time was up");
    TEST_OK(app_verify_now(engine, &state, modes, 2, &repeats, statuses, &error));
    assert_int_equal(statuses[0].verified, APP_VERIFIED_TRUE); /* it is cheap */
    close_engine();

    open_engine(1024, 1024, 1500); /* the spheres cover 3e7 pixels */
    TEST_OK(app_verify_now(engine, &state, modes, 2, &repeats, statuses, &error));
    assert_int_equal(statuses[1].verified, APP_VERIFIED_UNKNOWN);
    assert_non_null(strstr(statuses[1].text, "process 1 compares"));
    close_engine();

    setenv("SPHERESCOPE_FAULT", "constant", 1);
    open_engine(1024, 1024, 1500);
    TEST_OK(app_verify_now(engine, &state, modes, 2, &repeats, statuses, &error));
    assert_int_equal(statuses[0].verified, APP_VERIFIED_TRUE);
    assert_int_equal(statuses[1].verified, APP_VERIFIED_FALSE);
    close_engine();
}

/* Last, because a caught signal stays caught. */
TEST(interrupted)
{
    struct app_verify_status status;
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    open_engine(64, 64, 20);
    app_interrupt_catch(true);
    app_interrupt_keep();
    raise(SIGINT);
    TEST_OK(app_verify_now(engine, &state, &mode, 1, &no_limits, &status, &error));
    assert_int_equal(status.verified, APP_VERIFIED_UNKNOWN);
    assert_string_equal(status.text, "not verified: interrupted");
    close_engine();
}
