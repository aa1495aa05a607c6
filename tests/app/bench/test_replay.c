/* Replay: the spheres of a file scene survive a record bit by bit, wrong records are refused, and
 * the picture of a record has the same bytes in every mode until something in the record is
 * changed. */
#include "base/files.h"
#include "bench/program.h"
#include "measure/report.h"
#include "model/model.h"
#include "records/compare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "owned.h"
#include "records.h"

static uint32_t random_word(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Returns a float of any magnitude up to `most`, subnormal ones included. */
static float random_float(uint32_t *seed, float most)
{
    const float mantissa = (float)random_word(seed) / 16777216.0f;
    const float value = ldexpf(mantissa, -(int)(random_word(seed) % 150)) * most;
    return random_word(seed) % 2 ? value : -value;
}

static void make_scene(struct krn_scene *scene, int count)
{
    uint32_t seed = 5;
    TEST_OK(krn_scene_alloc(scene, count, &error));
    for (int i = 0; i < count; i++) {
        struct krn_sphere *s = &scene->spheres[i];
        *s = (struct krn_sphere){.r = fabsf(random_float(&seed, 1.0f)),
                                 .g = fabsf(random_float(&seed, 1.0f)),
                                 .b = fabsf(random_float(&seed, 1.0f)),
                                 .radius = 0.02f + fabsf(random_float(&seed, 900.0f)),
                                 .x = random_float(&seed, 400.0f),
                                 .y = random_float(&seed, 400.0f),
                                 .z = random_float(&seed, 400.0f)};
        if (i % 2)
            scene->mirrors[i] = (float)i / (float)count;
    }
    scene->spheres[0] = (struct krn_sphere){.r = FLT_TRUE_MIN,
                                            .g = nextafterf(1.0f, 0.0f),
                                            .b = 0.0f,
                                            .radius = KRN_RADIUS_MAX,
                                            .x = -KRN_COORDINATE_MAX,
                                            .y = nextafterf(KRN_COORDINATE_MAX, 0.0f),
                                            .z = -0.0f};
    if (count > 1)
        scene->spheres[1] = (struct krn_sphere){.r = FLT_MIN,
                                                .g = FLT_MIN / 2,
                                                .b = 0.1f,
                                                .radius = KRN_RADIUS_MIN,
                                                .x = -FLT_TRUE_MIN,
                                                .y = FLT_TRUE_MIN,
                                                .z = nextafterf(FLT_MIN, 0.0f)};
}

/* Returns the state of a small picture of a scene file that does not exist. */
static struct app_state file_state(int count)
{
    struct app_state state = app_state_default();
    state.spec.scene = APP_SCENE_FILE;
    state.spec.recipe.count = count;
    snprintf(state.spec.scene_path, sizeof state.spec.scene_path, "gone/scene.json");
    return state;
}

static const char scene_note[] = "7 atoms \xc3\xa9 are left out.";

static char *record_of(const struct app_state *state, const struct krn_scene *scene,
                       const uint64_t *hash)
{
    struct app_results results;
    app_results_begin(&results, test_environment());
    app_results_set_state(&results, state, scene, scene_note);
    results.picture.has_hash = hash != NULL;
    results.picture.hash = hash != NULL ? *hash : 0;
    return test_record_end(&results);
}

TEST(test_spheres_come_back)
{
    const int counts[] = {1, 2, 500, APP_RECORD_SPHERES_MAX, APP_RECORD_SPHERES_MAX + 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        TEST_SCENE scene;
        char hash[APP_WORKLOAD_SCENE];
        make_scene(&scene, counts[i]);
        const struct app_state state = file_state(counts[i]);
        TEST_FREED char *text = record_of(&state, &scene, NULL);
        TEST_OWNED(app_results_free) struct app_results results = test_record_of(text);
        const struct app_results_picture picture = results.picture;
        app_workload_scene(KRN_VIEW_BOOK, &scene, hash);
        assert_string_equal(picture.scene_hash[KRN_VIEW_BOOK], hash);
        app_workload_scene(KRN_VIEW_LIGHT, &scene, hash);
        assert_string_equal(picture.scene_hash[KRN_VIEW_LIGHT], hash);
        assert_false(picture.has_hash);
        assert_memory_equal(&picture.state, &state, sizeof state);
        assert_string_equal(picture.scene_note, scene_note);
        if (counts[i] > APP_RECORD_SPHERES_MAX) {
            assert_int_equal(picture.scene.count, 0);
        } else {
            assert_int_equal(picture.scene.count, counts[i]);
            assert_memory_equal(picture.scene.spheres, scene.spheres,
                                (size_t)counts[i] * sizeof *scene.spheres);
            assert_memory_equal(picture.scene.mirrors, scene.mirrors,
                                (size_t)counts[i] * sizeof *scene.mirrors);
        }
    }
}

/* Returns the text with the first occurrence of `from` replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("no %s in the record", from);
    char *changed = test_alloc(strlen(text) + strlen(to) + 1);
    memcpy(changed, text, (size_t)(at - text));
    strcpy(stpcpy(changed + (at - text), to), at + strlen(from));
    return changed;
}

static void refuse(const char *text, const char *words)
{
    struct app_replay replay;
    TEST_FAILS(app_replay_read(&replay, text, strlen(text), "shot.png", &error), KRN_REFUSED,
               words);
    assert_null(strchr(error.text, '\n'));
}

TEST(test_wrong_spheres_are_refused)
{
    TEST_SCENE scene = {.spheres = NULL};
    TEST_OK(krn_scene_alloc(&scene, 2, &error));
    for (int i = 0; i < 2; i++)
        scene.spheres[i] =
            (struct krn_sphere){.r = 0.5f, .radius = 7.0f, .x = 11.0f, .y = 12.0f, .z = 13.0f};
    const struct app_state state = file_state(2);
    const uint64_t hash = 0x0123456789abcdef;
    TEST_FREED char *text = record_of(&state, &scene, &hash);
    static const struct {
        const char *from, *to, *words;
    } wrong[] = {
        {"[11.0, 12.0, 13.0, ", "[11.0, 12.0, ", "spheres[0] must be an array of 7 or 8 numbers"},
        {"[11.0, 12.0, 13.0, ", "[11.0, 12.0, 13.0, 1, 1, ", "must be an array of 7 or 8 numbers"},
        {"[11.0, 12.0, 13.0, 7.0, 0.5, 0.0, 0.0]", "[11, 12, 13, 7, 0.5, 0, 0, 1.5]",
         "cannot be rendered"},
        {"[11.0, 12.0, 13.0, 7.0, 0.5, 0.0, 0.0]", "[11, 12, 13, 7, 0.5, 0, 0, -0.5]",
         "cannot be rendered"},
        {"[11.0, 12.0", "[\"11.0\", 12.0", "spheres[0] must have numbers"},
        {"[11.0, 12.0", "[[], 12.0", "spheres[0] must have numbers"},
        {"[11.0, 12.0", "[1000001, 12.0", "must have numbers of at most 1000000"},
        {"[11.0, 12.0", "[-1e300, 12.0", "must have numbers of at most 1000000"},
        {"[11.0, 12.0", "[1e999, 12.0", "line 6"},
        {"7.0, 0.5", "0.0, 0.5", "cannot be rendered"},
        {"7.0, 0.5", "-7.0, 0.5", "cannot be rendered"},
        {"7.0, 0.5", "7.0, 1.5", "cannot be rendered"},
        {"\"count\": 2", "\"count\": 3", "as many spheres as `count` says: 3"},
        {"\"spheres\": [[", "\"spheres\": [[1, 2, 3, 4, 0, 0, 0], [", "as many spheres"},
        {"\"spheres\": [", "\"spheres\": 5, \"hash\": [", "hash"},
        {"\"hash\": \"0123456789abcdef\"", "\"hash\": \"0123456789abcde\"", "16 hexadecimal"},
        {"\"hash\": \"0123456789abcdef\"", "\"hash\": \"0123456789ABCDEF\"", "16 hexadecimal"},
        {"\"hash\": \"0123456789abcdef\"", "\"hash\": 7", "16 hexadecimal"},
        {"\"light_hash\": \"", "\"light_hash\": \"X", "light_hash must be 16 hexadecimal"},
        {"\"picture\": {", "\"picture\": 5, \"x\": {", "picture must be an object"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TEST_FREED char *changed = replaced(text, wrong[i].from, wrong[i].to);
        refuse(changed, wrong[i].words);
    }
}

static struct app_engine *open_engine(struct app_state *state)
{
    struct app_engine *engine;
    char notice[APP_NOTICE_MAX];
    struct app_run run = app_run_default();
    run.backend = KRN_BACKEND_CPU;
    TEST_OK(app_engine_open(&engine, &run, state, notice, &error));
    return engine;
}

/* Returns the record of a picture that the CPU backend renders. */
static char *shot_of(struct app_state *state, const struct krn_scene *scene)
{
    uint64_t hash;
    struct app_engine *engine = open_engine(state);
    if (scene)
        TEST_OK(app_engine_set_file(engine, state->spec.scene_path, scene, scene_note, &error));
    TEST_OK(app_engine_adopt(engine, state, &error));
    TEST_OK(app_picture_hash(engine, state, &hash, &error));
    app_engine_close(engine);
    return record_of(state, scene, &hash);
}

/* Replays a record, with another file's scene unless that is NULL; `change` may alter the restored
 * state. */
static enum app_replay_verdict replay(const char *text, void (*change)(struct app_state *state),
                                      const struct krn_scene *scene, char words[APP_REPLAY_WORDS])
{
    struct app_replay read;
    enum app_replay_verdict verdict;
    TEST_OK(app_replay_read(&read, text, strlen(text), "a/shot.png", &error));
    struct app_state state = app_replay_state(&read);
    assert_false(state.spec.motion || state.spec.follow_pane);
    if (change)
        change(&state);
    if (scene)
        snprintf(state.spec.scene_path, sizeof state.spec.scene_path, "another.json");
    struct app_engine *engine = open_engine(&state);
    if (scene)
        TEST_OK(app_engine_set_file(engine, state.spec.scene_path, scene, "", &error));
    else
        TEST_OK(app_replay_lend_scene(&read, engine, false, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    if (state.spec.scene == APP_SCENE_FILE && !change && !scene)
        assert_string_equal(app_engine_scene_note(engine), scene_note);
    TEST_OK(app_replay_verify(&read, engine, &state, &verdict, words, &error));
    app_engine_close(engine);
    app_replay_free(&read);
    return verdict;
}

static enum app_replay_verdict replay_of(const char *text, void (*change)(struct app_state *state),
                                         char words[APP_REPLAY_WORDS])
{
    return replay(text, change, NULL, words);
}

static struct app_state small_state(void)
{
    struct app_state state = app_state_default();
    state.spec.width = 83;
    state.spec.height = 61;
    state.spec.motion_s = 3.25;
    state.spec.follow_pane = true;
    return state;
}

TEST(test_every_mode_gives_the_same_bytes)
{
    char words[APP_REPLAY_WORDS];
    for (int i = 0; i < KRN_MODES; i++) {
        struct app_state state = small_state();
        state.spec.mode = krn_mode_at(i);
        TEST_FREED char *text = shot_of(&state, NULL);
        assert_int_equal(replay_of(text, NULL, words), APP_REPLAY_SAME);
        assert_non_null(strstr(words, "the same bytes (hash "));
    }
}

TEST(test_a_lost_file_is_not_needed)
{
    char words[APP_REPLAY_WORDS];
    TEST_SCENE scene;
    make_scene(&scene, 40);
    struct app_state state = file_state(40);
    state.spec.width = 90;
    state.spec.height = 70;
    TEST_FREED char *text = shot_of(&state, &scene);
    assert_int_equal(replay_of(text, NULL, words), APP_REPLAY_SAME);
    const struct krn_sphere *last = &scene.spheres[39];
    char from[40], to[40];
    snprintf(from, sizeof from, "%.17g", (double)last->radius);
    snprintf(to, sizeof to, "%.17g", (double)last->radius + 100.0);
    TEST_FREED char *changed = replaced(text, from, to);
    assert_int_equal(replay_of(changed, NULL, words), APP_REPLAY_DIFFERS);
}

/* A picture of the light view comes back with its camera, wherever on its path, and its mirrors,
 * and is compared only with the same one. */
static void turn_camera(struct app_state *state)
{
    state->spec.light.camera.yaw += 1.0f;
}

static void stop_path(struct app_state *state)
{
    state->spec.camera_path = false;
}

static void bounce_less(struct app_state *state)
{
    state->spec.light.bounces = 0;
}

static void use_tree(struct app_state *state)
{
    state->spec.mode.kernel = KRN_KERNEL_TREE;
}

static void use_book(struct app_state *state)
{
    state->spec.mode.kernel = KRN_KERNEL_BOOK;
}

static void zoom_in(struct app_state *state)
{
    state->spec.zoom = 2.0; /* the book view's alone */
}

/* Makes rows of four spheres of ordinary sizes, so that the camera sees some. */
static void make_rows(struct krn_scene *scene, int count)
{
    make_scene(scene, count);
    for (int i = 0; i < count; i++) {
        scene->spheres[i].x = (float)(i % 4) * 200.0f - 300.0f;
        scene->spheres[i].y = (float)(i / 4 % 3) * 200.0f;
        scene->spheres[i].z = 10.0f * (float)(i % 12);
        scene->spheres[i].radius = 90.0f;
        scene->mirrors[i] = i % 2 ? 0.5f : 0.0f;
    }
}

TEST(test_light_pictures)
{
    char words[APP_REPLAY_WORDS];
    TEST_SCENE scene;
    make_rows(&scene, 12);
    struct app_state state = file_state(12);
    state.spec.width = 90;
    state.spec.height = 70;
    state.spec.motion_s = 7.0;
    state.spec.mode.kernel = KRN_KERNEL_BRUTE;
    state.spec.light.camera = (struct krn_camera){-33.25f, 21.5f, 2.75f};
    state.spec.light.samples = 4;
    state.spec.camera_path = true;
    TEST_FREED char *text = shot_of(&state, &scene);
    assert_int_equal(replay_of(text, NULL, words), APP_REPLAY_SAME);
    assert_int_equal(replay_of(text, use_tree, words), APP_REPLAY_SAME);
    assert_int_equal(replay_of(text, zoom_in, words), APP_REPLAY_SAME);
    assert_int_equal(replay_of(text, use_book, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "the view is not the recorded one"));
    void (*const changes[])(struct app_state *) = {turn_camera, stop_path, bounce_less};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_int_equal(replay_of(text, changes[i], words), APP_REPLAY_UNKNOWN);
        assert_non_null(strstr(words, "camera, bounces or samples"));
    }
    char *changed = replaced(text, ", 0.5]", ", 0.25]");
    assert_int_equal(replay_of(changed, NULL, words), APP_REPLAY_DIFFERS);
    free(changed);
    assert_int_equal(replay(text, NULL, &scene, words), APP_REPLAY_SAME);
    scene.mirrors[5] = 0.125f;
    assert_int_equal(replay(text, NULL, &scene, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "the mirrors differ from the recorded ones"));
    /* The mirrors count for the light view's workload alone. */
    char book[2][APP_WORKLOAD_SCENE], light[2][APP_WORKLOAD_SCENE];
    for (int i = 0; i < 2; i++) {
        app_workload_scene(KRN_VIEW_BOOK, &scene, book[i]);
        app_workload_scene(KRN_VIEW_LIGHT, &scene, light[i]);
        scene.mirrors[3] = 0.75f;
    }
    assert_string_equal(book[0], book[1]);
    assert_string_not_equal(light[0], light[1]);
}

/* A record of a scene that is too large to be in it tells spheres and mirrors by hashes. */
TEST(test_mirrors_of_large_scenes)
{
    enum { COUNT = APP_RECORD_SPHERES_MAX + 1 };
    char words[APP_REPLAY_WORDS], hash[APP_WORKLOAD_SCENE], member[64];
    TEST_SCENE scene;
    make_rows(&scene, COUNT);
    struct app_state state = file_state(COUNT), book = state;
    state.spec.width = book.spec.width = 60;
    state.spec.height = book.spec.height = 40;
    state.spec.mode.kernel = KRN_KERNEL_TREE;
    TEST_FREED char *text = shot_of(&state, &scene), *flat = shot_of(&book, &scene);
    app_workload_scene(KRN_VIEW_LIGHT, &scene, hash);
    snprintf(member, sizeof member, ", \"light_hash\": \"%s\"", hash);
    TEST_FREED char *older = replaced(text, member, "");
    assert_int_equal(replay(text, NULL, &scene, words), APP_REPLAY_SAME);
    scene.mirrors[COUNT - 1] = 0.125f;
    assert_int_equal(replay(text, NULL, &scene, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "the mirrors differ from the recorded ones"));
    assert_int_equal(replay(flat, NULL, &scene, words), APP_REPLAY_SAME); /* shows no mirrors */
    assert_int_equal(replay(older, NULL, &scene, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "the record does not tell its mirrors"));
    scene.spheres[COUNT - 1].radius = 91.0f;
    assert_int_equal(replay(text, NULL, &scene, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "the spheres are not the recorded ones"));
}

static void use_strip(struct app_state *state)
{
    state->spec.mode.kernel = KRN_KERNEL_STRIP;
    state->spec.mode.pixels_per_thread = 8;
    state->spec.mode.storage = KRN_STORAGE_CONSTANT;
}

static void move(struct app_state *state)
{
    state->spec.motion_s += 0.5;
}

static void enlarge(struct app_state *state)
{
    state->spec.width++;
}

static void reseed(struct app_state *state)
{
    state->spec.recipe.seed++;
}

TEST(test_changes_are_told)
{
    char words[APP_REPLAY_WORDS];
    struct app_state state = small_state();
    char *text = shot_of(&state, NULL);
    assert_int_equal(replay_of(text, use_strip, words), APP_REPLAY_SAME);
    assert_int_equal(replay_of(text, move, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "pose"));
    assert_int_equal(replay_of(text, enlarge, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "size"));
    assert_int_equal(replay_of(text, reseed, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "scene"));
    static const char *const tampered[][2] = {
        {"\"seed\": \"1\"", "\"seed\": \"2\""},
        {"\"time_s\": 3.25", "\"time_s\": 3.5"},
        {"\"radius_max\": 120.0", "\"radius_max\": 121.0"},
        {"\"width\": 83", "\"width\": 84"},
        {"\"zoom\": \"fit\"", "\"zoom\": 0.5"},
    };
    for (size_t i = 0; i < sizeof tampered / sizeof *tampered; i++) {
        TEST_FREED char *changed = replaced(text, tampered[i][0], tampered[i][1]);
        if (replay_of(changed, NULL, words) != APP_REPLAY_DIFFERS)
            fail_msg("%s is not noticed", tampered[i][1]);
        assert_non_null(strstr(words, "DIFFERS"));
    }
    free(text);
    state.spec.scene = APP_SCENE_RANDOM;
    text = record_of(&state, NULL, NULL);
    assert_int_equal(replay_of(text, NULL, words), APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "no hash"));
    free(text);
}

TEST(test_a_path_alone_opens_nothing)
{
    TEST_SCENE scene;
    struct app_replay replay;
    static const char path[] = TEST_BINARY_DIR "/test_replay_scene.json";
    char words[APP_REPLAY_WORDS];
    enum app_replay_verdict verdict;
    test_file_put_text(path, "{\"schema\": \"spherescope-scene-1\", \"spheres\": "
                             "[{\"center\": [1, 2, 3], \"radius\": 200, \"color\": [1, 0, 0.5]}]}");
    TEST_OK(krn_scene_alloc(&scene, 1, &error));
    *scene.spheres = (struct krn_sphere){1.0f, 0.5f, 0.0f, 200.0f, 1.0f, 2.0f, 3.0f};
    struct app_state state = file_state(1);
    snprintf(state.spec.scene_path, sizeof state.spec.scene_path, "%s", path);
    TEST_FREED char *whole = shot_of(&state, &scene);
    /* the record of a scene too large to be in it: the hash alone */
    char *from = strstr(whole, ", \"spheres\": [["), *to = strstr(from, "]]") + 2;
    memmove(from, to, strlen(to) + 1);
    TEST_OK(app_replay_read(&replay, whole, strlen(whole), "shot.png", &error));
    state = app_replay_state(&replay);
    struct app_engine *engine = open_engine(&state);
    TEST_FAILS(app_replay_lend_scene(&replay, engine, false, &error), KRN_REFUSED, "--scene");
    /* with --scene, the file is compared with the recorded hash */
    TEST_OK(app_replay_lend_scene(&replay, engine, true, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_replay_verify(&replay, engine, &state, &verdict, words, &error));
    assert_int_equal(verdict, APP_REPLAY_SAME);
    app_engine_close(engine);
    test_file_put_text(path, "{\"schema\": \"spherescope-scene-1\", \"spheres\": "
                             "[{\"center\": [1, 2, 3], \"radius\": 201, \"color\": [1, 0, 0.5]}]}");
    engine = open_engine(&state);
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_replay_verify(&replay, engine, &state, &verdict, words, &error));
    assert_int_equal(verdict, APP_REPLAY_UNKNOWN);
    assert_non_null(strstr(words, "spheres are not the recorded ones"));
    app_engine_close(engine);
    app_replay_free(&replay);
    unlink(path);
}

/* Prints the table of a record's replay. */
static char *table_of(const char *then, const char *now)
{
    struct app_replay replay;
    TEST_OWNED(app_results_free) struct app_results results;
    char *text = NULL;
    size_t size = 0;
    TEST_OK(app_replay_read(&replay, then, strlen(then), "shot.png", &error));
    TEST_OK(app_results_read(now, strlen(now), "now", &results, &error));
    FILE *out = open_memstream(&text, &size);
    app_compare_replay(&replay.then, replay.name, &results, 1.0, APP_STYLE_TEXT, out);
    fclose(out);
    app_replay_free(&replay);
    return text;
}

TEST(test_table)
{
    double then_ms[200], now_ms[200];
    for (int i = 0; i < 200; i++) {
        then_ms[i] = 2.0 + i % 5 * 1e-4;
        now_ms[i] = 1.0 + i % 5 * 1e-4;
    }
    const struct test_mode then[] = {{"book/global", then_ms, 200, APP_VERIFIED_TRUE, NULL, 0},
                                     {"book/constant", then_ms, 200, APP_VERIFIED_TRUE, NULL, 0}},
                           now[] = {{"book/global", now_ms, 200, APP_VERIFIED_TRUE, NULL, 0}},
                           same[] = {{"book/global", then_ms, 200, APP_VERIFIED_TRUE, NULL, 0}};
    struct app_state still = app_state_default(), moving = still;
    still.spec.motion = false;
    TEST_FREED char *a = test_record(&still, then, 2), *b = test_record(&still, now, 1),
                    *c = test_record(&still, same, 1), *d = test_record(&moving, then, 2);
    char *table = table_of(a, b);
    assert_non_null(strstr(table, "Replay of shot.png"));
    assert_non_null(strstr(table, "2.00"));
    assert_non_null(strstr(table, "CAN'T TELL")); /* one process each: never FASTER */
    assert_non_null(strstr(table, "not timed now"));
    assert_null(strstr(table, "– ms"));
    free(table);
    table = table_of(a, c);
    assert_non_null(strstr(table, "SAME"));
    free(table);
    table = table_of(d, c);
    char *row = strstr(table, "book/global (cuda)");
    assert_non_null(row);
    *strchr(row, '\n') = 0;
    assert_null(strstr(row, "SAME"));
    *strchr(row, 0) = '\n';
    assert_non_null(strstr(table, "the scene moved then"));
    free(table);
}

/* Returns a record with the times of a mode at two points, as a sweep writes it. */
static char *record_of_two(const struct app_state *a, const struct app_state *b,
                           const char *variant)
{
    const double ms[] = {1.0, 1.0};
    const struct test_mode mode = {variant, ms, 2, APP_VERIFIED_TRUE, NULL, 0};
    char *records[] = {test_record(a, &mode, 1), test_record(b, &mode, 1)};
    return test_joined(records, &(struct app_merge_run){.processes_asked = 2});
}

/* Fails unless two neighbouring cells of the table are `first` and begin with `second`: a blank
 * before the first, and blanks alone, one at least, between them. */
static void assert_cells(const char *table, const char *first, const char *second)
{
    const char *at = strstr(table, first);
    for (; at; at = strstr(at + 1, first)) {
        const char *end = at + strlen(first);
        const size_t blanks = strspn(end, " ");
        if (at > table && at[-1] == ' ' && blanks > 0 &&
            strncmp(end + blanks, second, strlen(second)) == 0)
            return;
    }
    fail_msg("\"%s\" with \"%s\" beside it is not in:\n%s", first, second, table);
}

/* A mode that was timed at several points has a row for each, which names what tells them apart. */
TEST(test_points_of_a_sweep)
{
    struct app_state few = app_state_default(), many = few;
    few.spec.motion = many.spec.motion =
        true; /* "moving": a row has a note of its own, which names it */
    many.spec.recipe.count = 50;
    char *record = record_of_two(&few, &many, "book/global"), *table = table_of(record, record);
    assert_cells(table, "mode", "spheres");
    assert_cells(table, "book/global (cuda)", "20 ");
    assert_cells(table, "book/global (cuda)", "50 ");
    assert_null(strstr(table, "bounces"));
    assert_non_null(strstr(table, "book/global at 20 spheres: the scene moved then"));
    assert_non_null(strstr(table, "book/global at 50 spheres: the scene moved then"));
    free(table);
    free(record);
    few.spec.mode = many.spec.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    few.spec.light.bounces = 0;
    many.spec.light.bounces = 1;
    record = record_of_two(&few, &many, "tree/global");
    table = table_of(record, record);
    assert_cells(table, "spheres", "bounces");
    assert_cells(table, "20", "0 ");
    assert_cells(table, "50", "1 ");
    assert_non_null(strstr(table, "tree/global at 20 spheres and 0 bounces: the scene"));
    assert_non_null(strstr(table, "tree/global at 50 spheres and 1 bounce: the scene"));
    free(table);
    free(record);
    /* One point needs no name. */
    record = record_of_two(&few, &few, "tree/global");
    table = table_of(record, record);
    assert_null(strstr(table, "spheres"));
    assert_null(strstr(table, "bounces"));
    free(table);
    free(record);
}

TEST(test_modes)
{
    const double ms[] = {1.0, 1.0};
    const struct test_mode modes[] = {{"book/global", ms, 2, APP_VERIFIED_TRUE, NULL, 0},
                                      {"strip/constant/8", ms, 2, APP_VERIFIED_TRUE, NULL, 0}};
    const struct app_state state = app_state_default();
    const struct krn_mode shared = {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1};
    char *text = test_record(&state, modes, 2), patterns[APP_MODES_MAX], little[20];
    struct app_replay replay;
    TEST_OK(app_replay_read(&replay, text, strlen(text), "shot.png", &error));
    app_replay_modes(&replay, shared, patterns, sizeof patterns);
    assert_string_equal(patterns, "book/shared,book/global,strip/constant/8");
    app_replay_modes(&replay, state.spec.mode, patterns, sizeof patterns);
    assert_string_equal(patterns, "book/global,strip/constant/8");
    app_replay_modes(&replay, state.spec.mode, little, sizeof little);
    assert_string_equal(little, "");
    app_replay_free(&replay);
    free(text);
}
