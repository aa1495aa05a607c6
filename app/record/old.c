/* app/record/old.c - reads records of the schema "spherescope-results-1" as those of one process.
 */
#include "record/old.h"

#include "base/files.h"
#include "record/schema.h"
#include "record/state_json.h"
#include "record/sum_up.h"
#include "record/workload.h"

#include "krn/probe.h"

#include <math.h>
#include <string.h>

/* Parameters of old records that describe the workload; the state has the others. */
static const char *const workload_keys[] = {"width", "height", "spheres"};

/* What the whole record tells about each of its results. */
struct context {
    bool has_state, headless, has_bandwidth;
    struct app_state state;
    struct krn_scene scene; /* of the random scene with the latest number of spheres */
    char scene_text[APP_WORKLOAD_SCENE];
    size_t generated; /* spheres, in all random scenes */
};

/* Hashes of scenes are left out when they would take more spheres than this: a small file can name
 * many scenes. */
enum { GENERATED_MAX = 4 * KRN_SPHERES_MAX };

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static bool is_one_of(const char *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Moves the members with these keys from one object to another. */
static bool move(json_t *from, json_t *to, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(from, keys[i]);
        if (value != NULL &&
            (json_object_set(to, keys[i], value) != 0 || json_object_del(from, keys[i]) != 0))
            return false;
    }
    return true;
}

static bool put_pairs(json_t *object, const struct app_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!put(object, pairs[i].key,
                 pairs[i].text != NULL ? app_json_from_text(pairs[i].text)
                                       : app_json_from_number(pairs[i].number)))
            return false;
    return true;
}

/* Generates the random scene again to tell its hash; leaves it unknown where that fails. */
static void identify_scene(struct context *context, int spheres)
{
    struct krn_scene_recipe recipe = context->state.recipe;
    struct krn_error error;
    if (context->scene_text[0] != 0 && context->scene.count == spheres)
        return;
    krn_scene_free(&context->scene);
    context->scene_text[0] = 0;
    recipe.count = spheres;
    context->generated += (size_t)spheres;
    if (context->state.scene == APP_SCENE_RANDOM && context->generated <= GENERATED_MAX &&
        krn_scene_generate(&context->scene, &recipe, &error) == KRN_OK)
        app_workload_scene(&context->scene, context->scene_text);
}

static json_t *workload_of(struct context *context, json_t *parameters)
{
    json_t *workload = json_object();
    bool good =
        move(parameters, workload, workload_keys, sizeof workload_keys / sizeof *workload_keys);
    const json_t *spheres = json_object_get(workload, "spheres");
    const double count = json_number_value(spheres);
    if (good && context->has_state && json_is_number(spheres) && count >= KRN_SPHERES_MIN &&
        count <= KRN_SPHERES_MAX) {
        struct app_workload described;
        identify_scene(context, (int)count);
        app_workload_describe(&described, &context->state, KRN_VIEW_BOOK, context->scene_text,
                              (int)count);
        json_object_clear(workload);
        good = put_pairs(workload, described.pairs, described.count);
        if (good && context->state.scene == APP_SCENE_FILE)
            good = put(workload, "scene", app_json_from_text(context->state.scene_path));
    }
    if (!good) {
        json_decref(workload);
        return NULL;
    }
    return workload;
}

/* Renames a variant of SAXPY: its published kernel was called "seed". */
static bool rename_variant(json_t *result)
{
    const char *benchmark = json_string_value(json_object_get(result, "benchmark"));
    const char *variant = json_string_value(json_object_get(result, "variant"));
    const size_t old = strlen("seed");
    if (strcmp(benchmark, "saxpy") != 0 || strncmp(variant, "seed", old) != 0 ||
        (variant[old] != 0 && variant[old] != '/'))
        return true;
    return put(result, "variant", json_sprintf("published%s", variant + old));
}

static bool is_topic(const char *benchmark)
{
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        if (strcmp(benchmark, krn_topic_name((enum krn_topic)topic)) == 0)
            return true;
    return false;
}

/* Names the axis of a probe, which was the first of its parameters. */
static bool complete_probe(const struct context *context, json_t *parameters, const json_t *metrics)
{
    const char *axis = json_object_iter_key(json_object_iter(parameters));
    if (axis != NULL && !put(parameters, "axis", json_string(axis)))
        return false;
    const bool beside = context->has_bandwidth &&
                        json_object_get(metrics, "effective_gbps") != NULL &&
                        json_object_get(metrics, "of_theoretical_percent") == NULL;
    return !beside || put(parameters, "beside_memory", json_integer(1));
}

static bool make_process(json_t *result)
{
    static const char *const members[] = {"samples_ms", "metrics"};
    json_t *process = json_object(), *processes = json_array();
    const json_t *trust = json_object_get(result, "trust"), *stop = json_object_get(result, "stop");
    bool good = put(process, "process", json_integer(1)) &&
                move(result, process, members, sizeof members / sizeof *members) &&
                put(process, "outcome", json_deep_copy(json_object_get(result, "outcome"))) &&
                put(process, "trust", trust ? json_deep_copy(trust) : json_array()) &&
                (stop == NULL || put(process, "stop", json_deep_copy(stop)));
    good = json_array_append_new(processes, process) == 0 && good;
    good = put(result, "processes", processes) && good;
    return good && app_record_sum_up(result);
}

static bool upgrade_result(struct context *context, json_t *result)
{
    static const char *const verdict[] = {"verdict"};
    static const char *const claims[] = {"claim", "text_device", "text_number", "number",
                                         "verdict"};
    static const char *const rendered[] = {"raytrace", "duel"};
    if (!rename_variant(result))
        return false;
    const char *benchmark = json_string_value(json_object_get(result, "benchmark"));
    json_t *parameters = json_object_get(result, "parameters"), *outcome = json_object();
    const bool renders = is_one_of(benchmark, rendered, sizeof rendered / sizeof *rendered);
    const bool topic = is_topic(benchmark);
    bool good = put(result, "outcome", outcome);
    if (strcmp(benchmark, "claims") == 0)
        good = good && move(parameters, outcome, claims, sizeof claims / sizeof *claims);
    else if (strcmp(benchmark, "duel") == 0)
        good = good && move(parameters, outcome, verdict, 1);
    good =
        good && put(result, "workload", renders ? workload_of(context, parameters) : json_object());
    if (topic)
        good = good && complete_probe(context, parameters, json_object_get(result, "metrics"));
    const char *regime = !renders && !topic ? "n/a" : context->headless ? "idle" : "busy";
    return good && put(result, "regime", json_string(regime)) && make_process(result);
}

static enum krn_code check_samples(struct app_json_reader *reader, const json_t *samples)
{
    app_json_enter(reader, "samples_ms", 0);
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const json_t *value = json_array_get(samples, i);
        if (!json_is_number(value) || !(json_number_value(value) >= 0)) {
            app_json_enter(reader, NULL, i);
            return app_json_fail(reader, "must be a number that is not negative");
        }
    }
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code check_result(struct app_json_reader *reader, const json_t *result)
{
    static const struct {
        const char *key;
        json_type type;
    } members[] = {{"benchmark", JSON_STRING}, {"variant", JSON_STRING},
                   {"backend", JSON_STRING},   {"parameters", JSON_OBJECT},
                   {"metrics", JSON_OBJECT},   {"samples_ms", JSON_ARRAY}};
    json_t *value = NULL;
    if (!json_is_object(result))
        return app_json_fail(reader, "must be an object");
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < sizeof members / sizeof *members && code == KRN_OK; i++)
        code = app_json_require(reader, result, members[i].key, members[i].type, &value);
    return code == KRN_OK ? check_samples(reader, value) : code;
}

/* Reads what the record tells about all of its results. */
static void read_context(struct app_json_reader *reader, const json_t *root,
                         struct context *context)
{
    struct krn_error ignored;
    struct app_json_reader quiet = *reader;
    const json_t *environment = json_object_get(root, "environment");
    quiet.error = &ignored;
    memset(context, 0, sizeof *context);
    context->has_state =
        app_state_from_json(&quiet, json_object_get(root, "state"), &context->state) == KRN_OK;
    context->headless = json_object_get(environment, "gl") == NULL &&
                        (!context->has_state || context->state.panels == APP_PANELS_OFF);
    context->has_bandwidth =
        json_object_get(json_object_get(environment, "device"), "memory_bus_bits") != NULL;
}

enum krn_code app_record_upgrade(struct app_json_reader *reader, json_t *root)
{
    struct context context;
    json_t *results = NULL;
    enum krn_code code = app_json_require(reader, root, "results", JSON_ARRAY, &results);
    if (code != KRN_OK)
        return code;
    read_context(reader, root, &context);
    bool good = true;
    app_json_enter(reader, "results", 0);
    for (size_t i = 0; i < json_array_size(results) && code == KRN_OK && good; i++) {
        json_t *result = json_array_get(results, i);
        app_json_enter(reader, NULL, i);
        code = check_result(reader, result);
        if (code == KRN_OK) {
            app_json_leave(reader);
            good = upgrade_result(&context, result);
        }
    }
    krn_scene_free(&context.scene);
    if (code != KRN_OK)
        return code;
    app_json_leave(reader);
    good = good && put(root, "schema", json_string(APP_RECORD_SCHEMA)) &&
           put(root, "run",
               json_pack("{s:i, s:i, s:[]}", "processes_asked", 1, "processes", 1, "failed"));
    return good ? KRN_OK
                : KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory to read %s.",
                           app_shorten(reader->source).text);
}
