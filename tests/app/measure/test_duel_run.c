/* Duels on a real device, as the program runs them: `test_duel_run cpu` or `test_duel_run cuda`.
 * Measures how many A/A duels claim a difference at any look, and how soon a duel finds that side
 * B has some more spheres, all out of view. TEST_DUEL_AA="RUNS SECONDS" runs longer than a test
 * may: "100 10" checks the promise itself; TEST_DUEL_MORE="RUNS" sets the number of runs with
 * more spheres. A second argument selects one test by its name. Exit code 77: there is no such
 * device. */
#include "pictures.h"
#include "timing.h"

#include "measure/mode_run.h"
#include "measure/report.h"

static struct app_engine *engine;
static struct krn_device *rival; /* renders side B; NULL: the engine's own device does */
static struct app_state state;
static enum krn_backend_id backend;

/* side A's scene, from the recipe */
static int open_engine(int spheres, int width, int height)
{
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    run.backend = (int)backend;
    state = app_state_default();
    state.spec.recipe.count = spheres;
    state.spec.width = width;
    state.spec.height = height;
    state.spec.duel.on = true;
    state.spec.duel.other = state.spec.mode;
    if (app_engine_open(&engine, &run, &state, notice, &error) != KRN_OK) {
        print_message("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    TEST_OK(app_engine_adopt(engine, &state, &error));
    return 0;
}

static void close_engine(void)
{
    krn_device_close(rival);
    rival = NULL;
    app_engine_close(engine);
}

/* Adds `more` spheres to side B, outside the picture: each costs a test at every pixel. */
static void add_unseen(int more)
{
    const struct krn_scene *own = app_engine_scene(engine);
    TEST_SCENE scene = {.spheres = NULL};
    TEST_OK(krn_backend_get(backend)->connect(0, &rival, &error));
    TEST_OK(krn_scene_alloc(&scene, own->count + more, &error));
    memcpy(scene.spheres, own->spheres, (size_t)own->count * sizeof *scene.spheres);
    for (int i = own->count; i < scene.count; i++)
        scene.spheres[i] = (struct krn_sphere){.radius = 1.0f, .x = 900000.0f, .y = 900000.0f};
    TEST_OK(krn_device_set_scene(rival, &scene, &error));
    app_engine_set_rival(engine, rival);
}

static struct app_duel_result run_duel(int frames, double seconds)
{
    static struct app_duel_result duel_result;
    const struct app_plan plan = {.frames = frames, .seconds = seconds};
    TEST_OK(app_duel_run(engine, &state, &plan, &duel_result, &error));
    return duel_result;
}

TEST(equal_sides_show_no_difference)
{
    int runs = backend == KRN_BACKEND_CUDA ? 3 : 1, claims = 0, same = 0;
    double seconds = 1.5;
    const char *asked = getenv("TEST_DUEL_AA");
    if (asked && sscanf(asked, "%d %lf", &runs, &seconds) != 2)
        fail_msg("TEST_DUEL_AA is \"RUNS SECONDS\"");
    /* The book's scene, and one whose kernel is long enough to time precisely. */
    for (int spheres = 20; spheres <= 200; spheres *= 10) {
        const int size = backend == KRN_BACKEND_CUDA ? 1024 : 256;
        assert_int_equal(open_engine(spheres, size, size), 0);
        for (int i = 0; i < runs; i++) {
            const struct app_duel_result duel_result = run_duel(0, seconds);
            const struct krn_duel_result *r = &duel_result.result;
            claims += duel_result.claims > 0;
            same += r->verdict == KRN_RATIO_SAME;
            assert_int_equal(duel_result.stop, KRN_STOP_TIME);
            assert_true(r->pairs > 0 && duel_result.sides.modes[0].ms.n > 0);
            for (int side = 0; side < 2; side++)
                assert_int_not_equal(duel_result.sides.modes[side].verified, APP_VERIFIED_FALSE);
            assert_true(duel_result.distrusted == krn_ratio_claims(duel_result.aa.result.so_far));
            assert_true(duel_result.wandering == (r->verdict == KRN_RATIO_WANDERING));
        }
        close_engine();
    }
    print_message("%d runs of %g s: %d claimed a difference, %d ended as SAME\n", 2 * runs, seconds,
                  claims, same);
    assert_timing(100 * claims <= 2 * runs);
}

/* Pairs that scatter by more show that other programs use the cores: then the scheduler's time
 * slices decide how long a frame takes. */
static const double quiet_spread = 0.2;

enum { TRIES = 4 };

/* Returns the spread of the pairs from their 5th to their 95th percentile, scaled to the standard
 * deviation of a normal distribution. The outer pairs count, because a few frames that wait for a
 * core are what hides a small difference. */
static double pairs_spread(const struct app_duel_result *duel_result)
{
    static double ratios[APP_MEASURE_SAMPLES];
    const struct app_mode_time *sides = duel_result->sides.modes;
    const size_t n = sides[0].ms.n;
    for (size_t i = 0; i < n; i++)
        ratios[i] = log(sides[1].samples_ms[i] / sides[0].samples_ms[i]);
    krn_sort(ratios, n);
    return (krn_quantile_sorted(ratios, n, 0.95) - krn_quantile_sorted(ratios, n, 0.05)) / 3.29;
}

TEST(a_small_difference_is_found)
{
    test_needs_timing();
    const bool cuda = backend == KRN_BACKEND_CUDA;
    const int size = cuda ? 1024 : 160, spheres = cuda ? 400 : 200;
    const double within_s = 3.0;
    const char *asked = getenv("TEST_DUEL_MORE");
    const int runs = asked ? atoi(asked) : cuda ? 1 : TRIES;
    assert_true(runs > 0);
    int found = 0, quiet = 0, done = 0;
    assert_int_equal(open_engine(spheres, size, size), 0);
    add_unseen(cuda ? spheres / 50 : spheres / 20);
    while (done < runs && (asked || cuda || found == 0)) {
        const struct app_duel_result duel_result = run_duel(0, within_s);
        const double spread = pairs_spread(&duel_result);
        const struct krn_duel_result *r = &duel_result.result;
        done++;
        found += duel_result.claims > 0;
        quiet += spread < quiet_spread;
        print_message("%d spheres and %d more: %.4f [%.4f, %.4f] %s after %.2f s (%zu pairs), "
                      "A %.3f ms, pairs scatter by %.1f %%, %zu blocks of %zu\n",
                      spheres, cuda ? spheres / 50 : spheres / 20, r->ratio, r->low, r->high,
                      app_verdict_word(app_verdict_of_duel(r->verdict)), duel_result.claimed_s,
                      duel_result.claimed_pairs, duel_result.sides.modes[0].ms.median,
                      100.0 * spread, r->blocks, r->block_pairs);
        assert_true(r->verdict != KRN_RATIO_SLOWER);
    }
    print_message("found in %d of %d runs within %g s; %d were quiet\n", found, done, within_s,
                  quiet);
    /* A GPU must keep its promise; so must a CPU, in one of several tries, unless the machine was
     * busy in half of them. */
    if (cuda)
        assert_int_equal(found, done);
    else
        assert_true(found > 0 || 2 * quiet <= done);
    close_engine();
}

/* Every two frames contain both orders, and the order has no period. */
TEST(orders_are_mixed)
{
    enum { FRAMES = 4096 };
    static struct app_duel duel;
    bool first[FRAMES];
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    app_duel_start(&duel,
                   (struct app_duel_side[]){{KRN_BACKEND_CPU, mode}, {KRN_BACKEND_CPU, mode}}, 1.0);
    bool ignored;
    assert_int_equal(app_duel_begin(&duel, 0.0, &ignored), 1);
    for (int i = 0; i < FRAMES; i++)
        app_duel_begin(&duel, i, &first[i]);
    for (int i = 0; i < FRAMES; i += 2)
        assert_true(first[i] != first[i + 1]);
    for (int period = 2; period <= 64; period += 2) {
        int alike = 0;
        for (int i = 0; i + period < FRAMES; i += 2)
            alike += first[i] == first[i + period];
        const double share = 2.0 * alike / (FRAMES - period);
        if (share > 0.9)
            fail_msg("orders repeat after %d frames in %.0f %%", period, 100.0 * share);
    }
    /* Readings of abandoned frames, or of an earlier duel, are ignored. */
    app_duel_add_reading(&duel, 1, 0, 1.0);
    app_duel_add_reading(&duel, 1, 1, 1.0);
    assert_int_equal(duel.kept, 0);
    app_duel_add_reading(&duel, FRAMES + 1, 1, 2.0);
    app_duel_add_reading(&duel, FRAMES + 1, 0, 1.0);
    assert_int_equal(duel.kept, 1);
    double a, b;
    assert_int_equal(app_duel_pairs(&duel, 5, &a, &b), 1);
    assert_true(a == 1.0 && b == 2.0);
    app_duel_start(&duel,
                   (struct app_duel_side[]){{KRN_BACKEND_CPU, mode}, {KRN_BACKEND_CPU, mode}}, 1.0);
    assert_int_equal(app_duel_begin(&duel, 0.0, &ignored), FRAMES + 2);
}

TEST(a_frame_count_ends_a_duel)
{
    assert_int_equal(open_engine(20, 64, 64), 0);
    state.spec.duel.other = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8};
    const struct app_duel_result duel_result = run_duel(30, 0.0);
    assert_int_equal(duel_result.stop, KRN_STOP_FULL);
    assert_int_equal(duel_result.result.pairs, 30);
    assert_int_equal(duel_result.sides.modes[0].ms.n, 30);
    /* An A/A frame comes before every third one. */
    assert_true(duel_result.aa.valid);
    assert_int_equal(duel_result.aa.result.pairs, 10);
    /* The record's ratio is that of the medians beside it. */
    static const struct app_environment nowhere = {.version = ""};
    struct app_results results;
    app_results_begin(&results, &nowhere);
    app_report_add_duel(&results, &state, &duel_result, APP_REGIME_IDLE);
    const struct app_result *result = &results.results[0];
    const double a_ms = app_result_number(result, APP_M_A_MEDIAN_MS, NAN),
                 b_ms = app_result_number(result, APP_M_B_MEDIAN_MS, NAN);
    const struct app_estimate ratio = app_result_metric(result, APP_M_RATIO);
    assert_true(!duel_result.comparison.ratio.valid ||
                fabs(ratio.value / (b_ms / a_ms) - 1) < 1e-8);
    assert_true(!ratio.has_interval || (ratio.low <= ratio.value && ratio.value <= ratio.high));
    app_results_free(&results);
    close_engine();
}

/* Storages that are the same memory have no ratio, and no side that could be the faster one. */
TEST(storages_of_one_memory_are_not_compared)
{
    assert_int_equal(open_engine(20, 64, 64), 0);
    const bool distinct = krn_backend_get(backend)->can->distinct_storages;
    state.spec.duel.other.storage = KRN_STORAGE_SHARED;
    const struct app_duel_result duel_result = run_duel(30, 0.0);
    assert_int_equal(duel_result.result.pairs, 30);
    assert_int_equal(duel_result.sides.modes[1].ms.n, 30);
    assert_int_equal(duel_result.aa.valid, distinct);
    assert_int_equal(app_duel_verdict(&duel_result) == APP_VERDICT_SAME_CACHES, !distinct);
    assert_true(distinct || (duel_result.result.blocks == 0 && !duel_result.result.valid));
    close_engine();
}

int main(int argc, char *argv[])
{
    backend = argc > 1 && strcmp(argv[1], "cuda") == 0 ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU;
    const int opened = open_engine(20, 64, 64);
    close_engine();
    if (opened != 0)
        return opened;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return tests_run(NULL, NULL);
}
