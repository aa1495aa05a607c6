/* Recorded runs: which modes they find, what they say of others, how records join, and where names
 * lead. */
#include "files.h"
#include "records.h"

#include "model/model.h"
#include "model/verdict.h"
#include "records/recorded.h"
#include "spec/state.h"
#include "topics/claims.h"

#include <math.h>

static const char runs[] = TEST_SOURCE_DIR "/assets/runs";
static const char all[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz";
static const char h100[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h100-all.json.gz";
static const char light[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-light.json.gz";
static const char large[] =
    TEST_SOURCE_DIR "/assets/runs/nvidia-h200-raytrace-2339-spheres-4k.json.gz";

static struct app_recorded *open_run(const char *names)
{
    struct app_recorded *recorded;
    TEST_OK(app_recorded_open(names, 1.0, &recorded, &error));
    assert_non_null(recorded);
    return recorded;
}

static struct krn_mode mode_of(enum krn_kernel kernel, enum krn_storage storage, int k)
{
    return (struct krn_mode){.kernel = kernel, .storage = storage, .pixels_per_thread = k};
}

static struct app_state state_of(int spheres)
{
    struct app_state state = app_state_default();
    state.spec.recipe.count = spheres;
    return state;
}

/* Returns true for a mode of the book view that the shipped runs of the H200 have. Later storages
 * and kernels are missing there until the runs are recorded anew (docs/recorded.md). */
static bool in_the_runs(struct krn_mode mode)
{
    return krn_mode_view(mode) == KRN_VIEW_BOOK && mode.storage <= KRN_STORAGE_TEXTURE &&
           mode.kernel != KRN_KERNEL_MINE;
}

static int modes_in_the_runs(void)
{
    int count = 0;
    for (int m = 0; m < KRN_MODES; m++)
        count += in_the_runs(krn_mode_at(m));
    return count;
}

/* A mode has the numbers of its record, for its scene, size and zoom alone. */
TEST(test_find)
{
    struct app_recorded *recorded = open_run(all);
    struct app_state state = state_of(20);
    size_t files;
    const struct app_results *records = app_recorded_records(recorded, &files);
    assert_int_equal(files, 1);
    int found = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct app_mode_time mode = app_recorded_find(recorded, &state, krn_mode_at(m));
        if (krn_mode_view(krn_mode_at(m)) == KRN_VIEW_LIGHT) {
            assert_false(mode.valid);
            assert_string_equal(mode.missing, "not recorded: the light view");
            continue;
        }
        if (!in_the_runs(krn_mode_at(m))) {
            assert_false(mode.valid);
            assert_non_null(strstr(mode.missing, " with 20 spheres"));
            continue;
        }
        assert_true(mode.valid);
        assert_int_equal(mode.missing[0], 0);
        const struct app_result *of = mode.result;
        assert_true(of >= records->results && of < records->results + records->count);
        assert_int_equal(mode.ms.n, (size_t)app_result_number(of, APP_M_N, 0.0));
        assert_true(mode.samples_ms[0] == of->processes[0].samples_ms[0]);
        assert_true(mode.median.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
        assert_int_equal(mode.median.processes, of->process_count);
        found++;
    }
    assert_int_equal(found, modes_in_the_runs());
    app_recorded_close(recorded);
}

/* Every number of a mode is that of a metric which shipped records have. */
TEST(test_metrics)
{
    static const enum app_member members[] = {
        APP_M_MIN_MS, APP_M_P5_MS,       APP_M_MEDIAN_MS, APP_M_P95_MS,
        APP_M_MAX_MS, APP_M_OVERHEAD_MS, APP_M_TICK_MS,   APP_M_LISTS_MEDIAN_MS};
    static const char *const files[] = {all, h100, light, large};
    enum { KEYS = sizeof members / sizeof *members };
    int found[KEYS] = {0}, rooflines = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct app_recorded *recorded = open_run(files[f]);
        size_t count;
        struct app_state state = app_recorded_records(recorded, &count)->picture.state;
        for (int i = 0; i < 2 * KRN_MODES; i++) {
            state.spec.recipe.count = i < KRN_MODES ? 20 : 5000;
            const struct app_mode_time mode =
                app_recorded_find(recorded, &state, krn_mode_at(i % KRN_MODES));
            const double numbers[] = {mode.ms.min,  mode.ms.p5,     mode.ms.median,
                                      mode.ms.p95,  mode.ms.max,    mode.overhead_ms,
                                      mode.tick_ms, mode.binning_ms};
            const struct app_result *of = mode.result;
            for (int k = 0; k < KEYS && mode.valid; k++) {
                const double recorded_ms = app_result_number(of, members[k], 0.0);
                if (!(fabs(numbers[k] - recorded_ms) <= 1e-6 * recorded_ms))
                    fail_msg("%s of %s in %s: %g, recorded %g", app_members[members[k]].key,
                             of->variant, files[f], numbers[k], recorded_ms);
                found[k] += recorded_ms > 0.0;
            }
        }
        rooflines += app_recorded_view(recorded)->panels.mode_count > 0;
        app_recorded_close(recorded);
    }
    assert_true(rooflines > 0); /* of modes with "flops" and "bytes" */
    for (int k = 0; k < KEYS; k++)
        assert_true(found[k] > 0);
}

/* Every verdict of the shipped records is a word of this program. */
TEST(test_verdicts)
{
    static const char *const files[] = {all, h100};
    static const enum app_member members[] = {APP_O_VERDICT, APP_O_SO_FAR, APP_O_AA_VERDICT};
    int found = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct app_recorded *recorded = open_run(files[f]);
        size_t count;
        const struct app_results *records = app_recorded_records(recorded, &count);
        for (size_t r = 0; r < records->count; r++)
            for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
                const char *word = app_result_text(&records->results[r], members[m]);
                if (word != NULL && app_verdict_of_word(word) == APP_VERDICT_NONE)
                    fail_msg("%s: \"%s\" is no verdict", files[f], word);
                found += word != NULL;
            }
        app_recorded_close(recorded);
    }
    assert_true(found >= 2 * (APP_CLAIM_COUNT - 1)); /* the H100's run has no study */
}

static void expect_missing(const struct app_recorded *recorded, const struct app_state *state,
                           const char *words)
{
    const struct app_mode_time mode = app_recorded_find(recorded, state, state->spec.mode);
    assert_false(mode.valid);
    assert_int_equal(mode.ms.n, 0);
    test_has(mode.missing, words);
}

/* What was not recorded has no number, also between two points of the sweep, and a sentence. */
TEST(test_missing)
{
    struct app_recorded *recorded = open_run(all);
    struct app_state state = state_of(40);
    expect_missing(recorded, &state,
                   "not recorded: 40 spheres; recorded are 10, 20, 50, 100, 200, 500, 1000, 2000, "
                   "5000");
    state = state_of(5000);
    assert_true(app_recorded_find(recorded, &state, state.spec.mode).valid);
    state.spec.mode.storage = KRN_STORAGE_CONSTANT; /* 5000 spheres exceed constant memory */
    expect_missing(recorded, &state, "not recorded: book/constant with 5000 spheres");
    state = state_of(20);
    state.spec.width = 1920;
    expect_missing(recorded, &state, "1920×1024; recorded is 1024×1024");
    state = state_of(20);
    state.spec.recipe.seed = 2;
    expect_missing(recorded, &state, "seed 2; recorded is seed 1");
    state = state_of(20);
    state.spec.zoom = 2.0;
    expect_missing(recorded, &state, "zoom");
    state = state_of(20);
    state.spec.recipe.radius_max = 50.0f;
    expect_missing(recorded, &state, "radii");
    state = state_of(20);
    state.spec.scene = APP_SCENE_FILE;
    expect_missing(recorded, &state, "files");
    app_recorded_close(recorded);
}

static bool has_topic(const struct app_recorded_view *view, enum krn_topic topic)
{
    for (int i = 0; i < view->panels.probes.count; i++)
        if (view->panels.probes.results[i].probe->topic == topic)
            return true;
    return false;
}

/* The first record counts where two have the same mode; the story has every count once. */
TEST(test_join)
{
    char both[2 * APP_PATH_MAX];
    const struct app_state state = state_of(20);
    static struct app_story_view story;
    snprintf(both, sizeof both, "%s,%s", large, all);
    struct app_recorded *recorded = open_run(both), *first = open_run(all);
    const struct app_mode_time a = app_recorded_find(recorded, &state, state.spec.mode),
                               b = app_recorded_find(first, &state, state.spec.mode);
    assert_true(a.valid && b.valid && a.ms.median == b.ms.median && a.ms.n == b.ms.n);
    app_recorded_story(recorded, &state, 1.0, &story);
    assert_int_equal(story.sweep->points, 9);
    for (int i = 0; i < 9; i++) {
        assert_true(i == 0 || story.sweep->spheres.at[i] > story.sweep->spheres.at[i - 1]);
        assert_non_null(app_sweep_time(story.sweep, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, i));
    }
    free(story.sweep);
    assert_true(story.done && story.recorded == app_recorded_view(recorded));
    assert_true(story.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));

    /* The probes and the claims are those of the record that has them. */
    const struct app_recorded_view *view = app_recorded_view(recorded);
    assert_true(view->panels.probes.count > 400);
    assert_int_equal(view->panels.mode_count, modes_in_the_runs() - 1); /* splat counts no work */
    for (int i = 0; i < view->panels.probes.count; i++)
        assert_true(view->panels.probes.results[i].trust.reasons &
                    APP_TRUST_BIT(APP_TRUST_RECORDED));
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        assert_true(view->panels.claims[i].now.estimate.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
        /* The record may be older than a topic. */
        const enum krn_topic topic = app_claim_entry_of((enum app_claim_id)i)->topic;
        assert_int_equal(view->panels.claims[i].now.verdict != APP_VERDICT_NOT_MEASURED,
                         has_topic(view, topic));
    }
    /* They agree with the verdicts that the record has. */
    size_t files;
    const struct app_results *records = app_recorded_records(recorded, &files);
    assert_int_equal(files, 2);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim *claim = &view->panels.claims[i];
        const struct app_result *told = app_results_find(&records[1], 0, "claims", claim->of->id);
        if (told && claim->now.verdict != APP_VERDICT_NOT_MEASURED &&
            i != APP_CLAIM_CONSTANT_OTHERS)
            assert_string_equal(app_result_text(told, APP_O_VERDICT),
                                app_verdict_word(claim->now.verdict));
    }
    app_recorded_close(first);
    app_recorded_close(recorded);
}

TEST(test_too_many_files)
{
    char many[20 * 64] = "a.json";
    struct app_recorded *recorded = (struct app_recorded *)&many;
    for (int i = 0; i < APP_RECORDED_FILES_MAX; i++)
        strcat(many, ",a.json");
    TEST_FAILS(app_recorded_open(many, 1.0, &recorded, &error), KRN_REFUSED, "at most");
    assert_null(recorded);
}

/* A name stands for the shipped records of its device, the one with everything first. */
TEST(test_names)
{
    static struct app_recorded_names list;
    static const char *const same[] = {"h200", "H200", "nvidia-h200", "NVIDIA H200"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        TEST_OK(app_recorded_list(same[i], runs, &list, &error));
        assert_int_equal(list.count, 6);
        assert_string_equal(list.paths[0], all);
        for (int f = 0; f < list.count; f++)
            assert_non_null(strstr(list.paths[f], "nvidia-h200-"));
    }
    TEST_OK(app_recorded_list("x.json.gz,h100", runs, &list, &error));
    assert_int_equal(list.count, 5);
    assert_string_equal(list.paths[0], "x.json.gz");
    static const char *const none[] = {"h20", "200", "nvidia", "all", "h2000"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcmp(none[i], "nvidia") != 0)
            assert_int_equal(app_recorded_list(none[i], runs, &list, &error), KRN_UNAVAILABLE);
    assert_int_equal(app_recorded_list("h200", "", &list, &error), KRN_UNAVAILABLE);
    assert_int_equal(app_recorded_list("a.json,,b.json", runs, &list, &error), KRN_REFUSED);
    /* The name of a file may have a comma. */
    test_file_put_text(TEST_BINARY_DIR "/run 1,5.json", "{}");
    TEST_OK(app_recorded_list(TEST_BINARY_DIR "/run 1,5.json", runs, &list, &error));
    assert_int_equal(list.count, 1);
    /* The program finds its folder beside itself; so does a test in the build folder. */
    TEST_OK(app_recorded_list(APP_RECORDED_DEFAULT, runs, &list, &error));
}

static int probes_of(const struct app_recorded *recorded, enum krn_topic topic)
{
    const struct app_probes_view *view = &app_recorded_view(recorded)->panels.probes;
    int count = 0;
    for (int i = 0; i < view->count; i++) {
        assert_true(i == 0 || view->results[i].probe != view->results[i - 1].probe);
        count += view->results[i].probe->topic == topic;
    }
    return count;
}

/* A topic that the first record lacks comes from a later one; no topic comes from two. */
TEST(test_topics_of_several_records)
{
    char later[2 * sizeof large + 2 * sizeof light], twice[2 * sizeof all + 2 * sizeof light];
    snprintf(later, sizeof later, "%s,%s", large, light);
    snprintf(twice, sizeof twice, "%s,%s", light, all);
    struct app_recorded *none = open_run(large), *few = open_run(later), *whole = open_run(all),
                        *joined = open_run(twice);
    assert_int_equal(probes_of(none, KRN_TOPIC_BOUNCES), 0);
    assert_int_equal(probes_of(few, KRN_TOPIC_BOUNCES), 36);
    assert_int_equal(probes_of(few, KRN_TOPIC_SAXPY), 0);
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        const enum krn_topic topic = (enum krn_topic)t;
        assert_true(probes_of(whole, topic) > 0 || topic == KRN_TOPIC_WHERE); /* newer than it */
        assert_int_equal(probes_of(joined, topic), probes_of(whole, topic));
    }
    const struct app_claim *claims = app_recorded_view(joined)->panels.claims;
    assert_int_equal(claims[APP_CLAIM_DIVERGENT].now.verdict, APP_VERDICT_HOLDS);
    assert_true(claims[APP_CLAIM_SAXPY].now.estimate.valid);
    app_recorded_close(none);
    app_recorded_close(few);
    app_recorded_close(whole);
    app_recorded_close(joined);
}

/* A thread reads the run; a run that cannot be read is none. */
TEST(test_loader)
{
    struct app_recorded_loader *loader = app_recorded_loader_start(all, 1.0);
    assert_non_null(loader);
    const struct app_recorded *recorded = app_recorded_loader_wait(loader);
    assert_non_null(recorded);
    assert_ptr_equal(app_recorded_loader_poll(loader), recorded);
    assert_string_equal(app_recorded_view(recorded)->name, "NVIDIA H200");
    app_recorded_loader_close(loader);
    loader = app_recorded_loader_start("/nowhere.json", 1.0);
    assert_non_null(loader);
    assert_null(app_recorded_loader_wait(loader));
    app_recorded_loader_close(loader);
    assert_null(app_recorded_loader_poll(NULL));
}

/* Records of one process have numbers, too, and none of a scene whose recipe is unknown. */
TEST(test_one_process)
{
    char path[] = "/tmp/test_recorded_XXXXXX", file[64];
    double samples[30];
    for (int i = 0; i < 30; i++)
        samples[i] = 1.0 + 0.001 * i;
    struct app_state state = state_of(7);
    const struct test_mode mode = {
        .variant = "book/shared", .samples_ms = samples, .n = 30, .verified = APP_VERIFIED_TRUE};
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/own.json", path);
    TEST_FREED char *text = test_record(&state, &mode, 1);
    test_file_put_text(file, text);
    struct app_recorded *recorded = open_run(file);
    const struct app_mode_time found =
        app_recorded_find(recorded, &state, mode_of(KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1));
    assert_true(found.valid && fabs(found.ms.median - 1.0145) < 1e-9 && found.ms.n == 30);
    assert_true(found.median.has_interval && found.median.processes == 1);
    assert_string_equal(app_recorded_view(recorded)->brief, "A GPU");
    app_recorded_close(recorded);
    unlink(file);
    rmdir(path);
}
