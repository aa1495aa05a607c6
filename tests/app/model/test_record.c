/* The state in a record: every field survives a round trip, and what is wrong is refused. */
#include "records.h"

#include "base/files.h"
#include "command/command.h"

#include <jansson.h>

static struct app_environment environment(void)
{
    static char *const argv[] = {(char *)"spherescope", (char *)"--scene", (char *)"\xff\xc3.json"};
    struct app_environment e;
    app_environment_collect(&e, 3, argv);
    return e;
}

/* Returns the record of a state, without results. */
static char *record_of(const struct app_state *state)
{
    static const struct krn_scene none; /* of a file scene */
    const struct app_environment e = environment();
    struct app_results results;
    app_results_begin(&results, &e);
    app_results_set_state(&results, state, &none, "");
    return test_record_end(&results);
}

static enum krn_code read_state(const char *text, struct app_state *state)
{
    struct app_results results;
    memset(&error, 0, sizeof error);
    enum krn_code code = app_results_read(text, strlen(text), "a record", &results, &error);
    if (code != KRN_OK)
        return code;
    error = results.picture.problem;
    if (error.code == KRN_OK)
        *state = results.picture.state;
    app_results_free(&results);
    return error.code;
}

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*seed * n) >> 32);
}

/* Returns a random value of the kind and in its range. */
static struct app_given random_value(const struct app_value *value, uint32_t *seed)
{
    static const char *const paths[] = {"a.json", "dir \"1\"/\\ \t\xc3\xa9.json"};
    const double share = random_below(seed, 1000) / 999.0;
    struct app_given given = {.on = random_below(seed, 2) == 1};
    given.word = value->kind == APP_VALUE_REAL && value->word != NULL && given.on;
    given.choice = (int)random_below(seed, (uint32_t)app_value_choices(value));
    given.real = given.word ? 0.0 : value->low + share * (value->high - value->low);
    given.integer = (int)(value->low + share * (value->high - value->low));
    given.seed = (uint64_t)random_below(seed, UINT32_MAX) << 32 | random_below(seed, UINT32_MAX);
    given.text = paths[given.seed % 2];
    return given;
}

/* Returns a valid state with random values in all fields that records keep. */
static struct app_state random_state(uint32_t *seed)
{
    struct app_state s = app_state_default();
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const struct app_given given = random_value(&entries[i].value, seed);
        if (entries[i].json != NULL)
            assert_true(app_command_put(&entries[i], &given, &s));
    }
    /* What fits together: radii, path, modes and their spheres. */
    if (s.spec.recipe.radius_max < s.spec.recipe.radius_min)
        s.spec.recipe.radius_max = s.spec.recipe.radius_min;
    if (s.spec.scene == APP_SCENE_RANDOM)
        memset(s.spec.scene_path, 0, sizeof s.spec.scene_path);
    s.spec.mode = krn_mode_at((int)random_below(seed, KRN_MODES));
    s.spec.recipe.count = 1 + s.spec.recipe.count % 600;
    s.spec.duel.other =
        s.spec.duel.on ? s.spec.mode : krn_mode_at((int)random_below(seed, KRN_MODES));
    TEST_OK(app_state_check(&s, &error));
    return s;
}

TEST(test_every_axis_comes_back)
{
    uint32_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        const struct app_state before = random_state(&seed);
        struct app_state given = before, after;
        given.requests = APP_REQUEST_QUIT;
        given.pending.command = 4;
        TEST_FREED char *text = record_of(&given);
        TEST_OK(read_state(text, &after));
        assert_memory_equal(&before, &after, sizeof before);
    }
}

/* Every number at the ends of its range, and the longest path. */
TEST(test_extremes)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (int high = 0; high < 2; high++) {
        struct app_state s = app_state_default(), after;
        for (size_t i = 0; i < count; i++) {
            const struct app_value *value = &entries[i].value;
            const double end = high ? value->high : value->low;
            const struct app_given given = {
                .integer = (int)end, .real = end, .seed = high ? UINT64_MAX : 0};
            if (entries[i].json != NULL &&
                (value->kind == APP_VALUE_INTEGER || value->kind == APP_VALUE_REAL ||
                 value->kind == APP_VALUE_SINGLE || value->kind == APP_VALUE_SEED))
                assert_true(app_command_put(&entries[i], &given, &s));
        }
        s.spec.scene = APP_SCENE_FILE;
        memset(s.spec.scene_path, 'p', sizeof s.spec.scene_path - 1);
        s.spec.duel.other = krn_mode_at(high ? KRN_MODES - 1 : 0);
        TEST_FREED char *text = record_of(&s);
        TEST_OK(read_state(text, &after));
        assert_memory_equal(&s, &after, sizeof s);
    }
}

/* Returns the text with the value of `key`, up to the next comma, brace or bracket, replaced. */
static char *with_value(const char *text, const char *key, const char *value)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *state = strstr(text, "\"state\""), *at = strstr(state, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    const char *end = at;
    if (*at == '{')
        end = strchr(at, '}') + 1;
    else
        end += strcspn(at, ",}");
    char *changed = test_alloc(strlen(text) + strlen(value) + 1);
    memcpy(changed, text, (size_t)(at - text));
    strcpy(stpcpy(changed + (at - text), value), end);
    return changed;
}

static void refuse_state(const char *text, const char *words)
{
    struct app_state state, before;
    memset(&state, 0x55, sizeof state);
    before = state;
    if (read_state(text, &state) != KRN_REFUSED)
        fail_msg("%s was not refused", words);
    assert_memory_equal(&state, &before, sizeof state);
    test_has(error.text, words);
    assert_null(strchr(error.text, '\n'));
}

/* Names that are gone are the start state's. */
static const char *const gone[][2] = {{"page", "\"tutorial\""},
                                      {"anatomy", "\"on\""},
                                      {"heatmap", "\"none\""},
                                      {"help_page", "\"none\""}};
enum { GONE = sizeof gone / sizeof *gone };

static bool takes_names(const char *key)
{
    bool takes = false;
    for (int i = 0; i < GONE; i++)
        takes = takes || strcmp(gone[i][0], key) == 0;
    return takes;
}

/* Members that this program no longer has are passed over. */
TEST(test_older_states)
{
    const struct app_state start = app_state_default();
    struct app_state other = start, after;
    other.look.page = APP_SUBJECT_STORY;
    other.look.anatomy = APP_ANATOMY_RECORD;
    other.look.heat = KRN_HEAT_TESTS;
    other.look.help_page = APP_HELP_WORDS;
    char *text = record_of(&other);
    for (int i = -1; i < GONE; i++) {
        char *changed = i < 0 ? with_value(text, "hud",
                                           "true, \"story\": true, \"part\": 3, \"spotlight\": "
                                           "\"whole\", \"subject\": \"plot\", \"subject_part\": "
                                           "2, \"device_card\": true")
                              : with_value(text, gone[i][0], gone[i][1]);
        free(text);
        text = changed;
    }
    TEST_OK(read_state(text, &after));
    assert_memory_equal(&start, &after, sizeof start);
    free(text);
}

/* Every member with wrong values, and under another name. */
TEST(test_wrong_states_are_refused)
{
    static const char *const objects[] = {"scene", "pose", "duel", "light"};
    static const char *const values[] = {"[]", "null", "{}", "-1", "1e300", "\"none\"", "1e999"};
    const struct app_state start = app_state_default();
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    TEST_FREED char *text = record_of(&start);
    for (size_t i = 0; i < count + 4; i++) {
        const char *path = i < count ? entries[i].json : objects[i - count];
        if (path == NULL || strncmp(path, "duel.", 5) == 0) /* names that the mode has, too */
            continue;
        const char *key = strchr(path, '.') != NULL ? strchr(path, '.') + 1 : path;
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            if (((strcmp(key, "path") == 0 || takes_names(key)) && values[v][0] == '"') ||
                (strcmp(key, "yaw") == 0 && strcmp(values[v], "-1") == 0))
                continue;
            char *changed = with_value(text, key, values[v]);
            refuse_state(changed, strcmp(values[v], "1e999") == 0 ? "line 6" : path);
            free(changed);
        }
        char other[64], renamed[64];
        snprintf(other, sizeof other, "\"%s\": ", key);
        snprintf(renamed, sizeof renamed, "\"%.40s?\": ", key);
        TEST_FREED char *missing = test_alloc(strlen(text) + 2);
        const char *at = strstr(strstr(text, "\"state\""), other);
        memcpy(missing, text, (size_t)(at - text));
        strcpy(stpcpy(missing + (at - text), renamed), at + strlen(other));
        refuse_state(missing, "unknown member");
    }
    static const struct {
        const char *key, *value, *words;
    } more[] = {
        {"seed", "1", "state.scene.seed"},
        {"seed", "\"18446744073709551616\"", "state.scene.seed"},
        {"seed", "\"-1\"", "state.scene.seed"},
        {"count", "10000001", "state.scene.count must be an integer from 1 to 10000000"},
        {"count", "20.5", "state.scene.count"},
        {"radius_min", "121", "largest radius"},
        {"kind", "\"file\"", "path"},
        {"path", "\"a.json\"", "path"},
        {"width", "16385", "state.width"},
        {"storage", "\"surface\"", "global, readonly, constant, shared or texture"},
        {"pixels_per_thread", "2", "state"},
        {"yaw", "180.1", "state.light.yaw must be a number from -180 to 180"},
        {"pitch", "0.5", "state.light.pitch"},
        {"distance", "8.5", "state.light.distance"},
        {"samples", "2", "state.light.samples must be 1, 4 or 16"},
        {"bounces", "9", "state.light.bounces must be an integer from 0 to 8"},
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char *changed = with_value(text, more[i].key, more[i].value);
        refuse_state(changed, more[i].words);
        free(changed);
    }
}

/* corpus_record and fuzz_record have texts that are cut or changed. */
TEST(test_a_state_is_needed)
{
#define HEAD "{\"schema\": \"spherescope-results-2\", \"environment\": {}, \"results\": []"
    refuse_state(HEAD "}", "state is missing");
    refuse_state(HEAD ", \"state\": 1}", "state must be");
}

TEST(test_environment_is_told)
{
    const struct app_environment e = environment();
    const char *const texts[] = {e.version, e.git, e.host, e.os, e.system, e.cpu};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(texts[i][0] != 0 && strchr(texts[i], '\n') == NULL);
    assert_true(e.cpu_threads >= 1);
    assert_int_equal(strlen(e.time_utc), 20);
    assert_true(e.time_utc[10] == 'T' && e.time_utc[19] == 'Z');
    assert_non_null(strstr(app_version_text(), e.version));
}

/* Finds the enums of all members whose names end in `end`, and compares them with the names that
 * `name` returns for 0..count-1. Returns how many there are. */
static int compare_enums(const char *key, const json_t *node, const char *end,
                         const char *(*name)(int), size_t count)
{
    const size_t length = strlen(key), tail = strlen(end);
    const json_t *names = json_object_get(node, "enum");
    const char *inner;
    const json_t *value;
    size_t at;
    int found = 0;
    if (names && length >= tail && strcmp(key + length - tail, end) == 0) {
        for (size_t i = 0; i < count; i++)
            if (i >= json_array_size(names) ||
                strcmp(json_string_value(json_array_get(names, i)), name((int)i)) != 0)
                fail_msg("results.schema.json: the names of \"%s\" lack %s at place %zu", key,
                         name((int)i), i + 1);
        assert_int_equal(json_array_size(names), count);
        found++;
    }
    json_object_foreach((json_t *)node, inner, value)
    {
        found += compare_enums(inner, value, end, name, count);
    }
    json_array_foreach(node, at, value)
    {
        found += compare_enums("", value, end, name, count);
    }
    return found;
}

static const char *kernel_name(int kernel)
{
    return krn_kernel_name((enum krn_kernel)kernel);
}

static const char *storage_name(int storage)
{
    return krn_storage_name((enum krn_storage)storage);
}

/* The records that are checked against the schema need not have every kernel and storage. */
TEST(test_schema_has_all_modes)
{
    json_t *schema = json_load_file(TEST_SOURCE_DIR "/assets/results.schema.json", 0, NULL);
    assert_non_null(schema);
    assert_int_equal(compare_enums("", schema, "kernel", kernel_name, KRN_KERNEL_COUNT), 3);
    assert_int_equal(compare_enums("", schema, "storage", storage_name, KRN_STORAGE_COUNT), 2);
    json_decref(schema);
}

/* A workload of the light view names all that its picture depends on; that of the book's view has a
 * zoom in its place. */
TEST(test_workloads_of_both_views)
{
    static const char *const keys[KRN_VIEW_COUNT][16] = {
        {"scene", "spheres", "seed", "radius_min", "radius_max", "width", "height", "zoom",
         "pose_s"},
        {"scene", "spheres", "seed", "radius_min", "radius_max", "width", "height", "view",
         "camera", "camera_path", "bounces", "samples", "pose_s"}};
    struct app_state s = app_state_default();
    struct app_results results = test_record_begin(&s);
    s.spec.light.camera = (struct krn_camera){-12.25f, 30.0f, 1.5f};
    s.spec.light.samples = 16;
    s.spec.camera_path = true;
    for (int view = 0; view < KRN_VIEW_COUNT; view++) {
        struct app_draft draft;
        app_draft_begin(&draft, &results, "raytrace", "book/global", KRN_BACKEND_CPU);
        app_put_workload(&draft, &s, (enum krn_view_kind)view, "0123456789abcdef", 20);
        const struct app_pairs workload = draft.result.workload;
        for (size_t i = 0; i < workload.count; i++)
            assert_string_equal(workload.pairs[i].key, keys[view][i]);
        assert_null(keys[view][workload.count]);
    }
    app_results_free(&results);
}

int main(void)
{
    return tests_run(NULL, NULL);
}
