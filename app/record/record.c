#include "record/record.h"

#include "base/complain.h"
#include "base/json_read.h"
#include "base/memory.h"
#include "record/record_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct app_record {
    json_t *root; /* environment, run, state, trust, notes, results */
    bool complete;
};

static void put_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        json_object_set_new(object, key, app_json_from_text(text));
}

/* Adds a number, whole numbers as JSON integers. Leaves out a number that is not finite. */
static void put_number(json_t *object, const char *key, double number)
{
    if (isfinite(number))
        json_object_set_new(object, key, app_json_from_number(number));
}

/* Adds a number unless it is 0, which means "not known". */
static void put_known(json_t *object, const char *key, double number)
{
    if (number > 0)
        put_number(object, key, number);
}

/* Adds an object or array as a member and returns it; the parent owns it. */
static json_t *put_new(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
    return value;
}

static void put_device(json_t *object, const struct krn_device_info *info,
                       const struct krn_overheads *overheads)
{
    char compute[32];
    put_text(object, "backend", krn_backend_name(info->backend));
    put_number(object, "ordinal", info->ordinal);
    put_text(object, "name", info->name);
    put_text(object, "driver", info->driver);
    put_text(object, "runtime", info->runtime);
    put_text(object, "pci_id", info->pci_id);
    put_text(object, "clock", info->clock);
    snprintf(compute, sizeof compute, "%d.%d", info->compute_major, info->compute_minor);
    put_text(object, "compute", info->compute_major > 0 ? compute : NULL);
    const struct {
        const char *key;
        double number;
    } known[] = {
        {"processors", info->processors},
        {"fma_lanes", info->fma_lanes},
        {"dfma_lanes", info->dfma_lanes},
        {"threads_per_processor", info->threads_per_processor},
        {"memory_bytes", (double)info->memory_bytes},
        {"l2_bytes", (double)info->l2_bytes},
        {"cache1_bytes", (double)info->cache_bytes[0]},
        {"cache2_bytes", (double)info->cache_bytes[1]},
        {"cache3_bytes", (double)info->cache_bytes[2]},
        {"memory_bus_bits", info->memory_bus_bits},
        {"clock_max_mhz", info->clock_max_mhz},
        {"memory_clock_max_mhz", info->memory_clock_mhz},
        {"event_floor_ms", overheads != NULL ? overheads->event_ms : 0},
        {"launch_floor_ms", overheads != NULL ? overheads->empty_kernel_ms : 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        put_known(object, known[i].key, known[i].number);
}

static void put_telemetry(json_t *object, const struct krn_telemetry_reading *now)
{
    char throttle[128];
    const struct {
        const char *key;
        double number;
    } known[] = {
        {"clock_max_mhz", now->clock_max_mhz},
        {"clock_now_mhz", now->clock_mhz},
        {"clock_low_mhz", now->clock_low_mhz},
        {"memory_clock_max_mhz", now->memory_clock_max_mhz},
        {"memory_clock_now_mhz", now->memory_clock_mhz},
        {"memory_clock_low_mhz", now->memory_clock_low_mhz},
        {"power_w", now->power_w},
        {"temperature_c", now->temperature_c},
    };
    put_text(object, "driver_version", now->driver);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        put_known(object, known[i].key, known[i].number);
    krn_throttle_text(now->throttle_seen, throttle, sizeof throttle);
    put_text(object, "throttle", now->throttle_known ? throttle : NULL);
}

static void put_environment(json_t *object, const struct app_record_machine *machine)
{
    const struct app_environment *e = machine->environment;
    put_text(object, "version", e->version);
    put_text(object, "git", e->git);
    put_text(object, "host", e->host);
    put_text(object, "os", e->os);
    put_text(object, "system", e->system);
    put_text(object, "cpu", e->cpu);
    put_number(object, "cpu_threads", e->cpu_threads);
    put_text(object, "time_utc", e->time_utc);
    json_t *argv = put_new(object, "argv", json_array());
    for (int i = 0; i < e->argc; i++)
        json_array_append_new(argv, app_json_from_text(e->argv[i]));
    json_t *part = NULL;
    if (machine->device != NULL) {
        part = put_new(object, "device", json_object());
        put_device(part, machine->device, machine->overheads);
    }
    if (part != NULL && machine->telemetry != NULL)
        put_telemetry(part, machine->telemetry);
    if (part != NULL && machine->properties != NULL)
        json_object_set_new(part, "properties",
                            app_properties_to_json(machine->properties, machine->property_count));
    if (machine->gl_renderer != NULL) {
        part = put_new(object, "gl", json_object());
        put_text(part, "vendor", machine->gl_vendor);
        put_text(part, "renderer", machine->gl_renderer);
        put_text(part, "version", machine->gl_version);
        put_text(part, "context", machine->gl_context);
        json_object_set_new(part, "software", json_boolean(machine->gl_software));
    }
    if (machine->blit != NULL) {
        part = put_new(object, "blit", json_object());
        put_text(part, "asked", app_blit_name(machine->blit->asked));
        put_text(part, "used", app_blit_name(machine->blit->used));
        if (machine->blit->reason[0] != 0)
            put_text(part, "reason", machine->blit->reason);
    }
}

static json_t *part_of(const struct app_record *record, const char *key)
{
    return json_object_get(record->root, key);
}

struct app_record *app_record_new(const struct app_record_machine *machine,
                                  const struct app_state *state)
{
    struct app_record *record = app_alloc(1, sizeof *record);
    record->complete = true;
    record->root = json_object();
    json_t *environment = put_new(record->root, "environment", json_object());
    json_object_set_new(
        record->root, "run",
        json_pack("{s:i, s:i, s:[]}", "processes_asked", 1, "processes", 1, "failed"));
    json_object_set_new(record->root, "state", app_state_to_json(state));
    json_t *scene = json_object_get(part_of(record, "state"), "scene");
    if (machine->scene != NULL)
        app_scene_to_json(scene, machine->scene);
    if (machine->scene != NULL && machine->scene_note != NULL && machine->scene_note[0] != 0)
        put_text(scene, "note", machine->scene_note);
    json_object_set_new(record->root, "trust", json_array());
    json_object_set_new(record->root, "notes", json_array());
    json_object_set_new(record->root, "results", json_array());
    put_environment(environment, machine);
    return record;
}

enum krn_code app_record_resume(const char *text, size_t length, const char *source,
                                struct app_record **record, struct krn_error *error)
{
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    *record = app_alloc(1, sizeof **record);
    const enum krn_code code = app_record_load(&reader, &(*record)->root);
    (*record)->complete = !json_is_false(part_of(*record, "complete"));
    if (code != KRN_OK) {
        app_record_free(*record);
        *record = NULL;
    }
    return code;
}

bool app_record_is_complete(const struct app_record *record)
{
    return record->complete;
}

void app_record_free(struct app_record *record)
{
    if (record == NULL)
        return;
    json_decref(record->root);
    free(record);
}

static void put_pairs(json_t *object, const char *key, const struct app_pair *pairs, size_t count)
{
    json_t *part = put_new(object, key, json_object());
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].text != NULL)
            put_text(part, pairs[i].key, pairs[i].text);
        else
            put_number(part, pairs[i].key, pairs[i].number);
    }
}

static void put_ids(json_t *array, const char *const *ids, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, app_json_from_text(ids[i]));
}

void app_record_note(struct app_record *record, const char *sentence)
{
    json_t *notes = part_of(record, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (strcmp(json_string_value(json_array_get(notes, i)), sentence) == 0)
            return;
    json_array_append_new(notes, app_json_from_text(sentence));
}

void app_record_set_incomplete(struct app_record *record)
{
    record->complete = false;
}

void app_record_set_trust(struct app_record *record, const char *const *ids, size_t count)
{
    json_array_clear(part_of(record, "trust"));
    put_ids(part_of(record, "trust"), ids, count);
}

void app_record_set_picture(struct app_record *record, uint64_t hash)
{
    char digits[APP_WORKLOAD_SCENE];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    put_text(put_new(record->root, "picture", json_object()), "hash", digits);
}

void app_record_set_recorded(struct app_record *record, const struct krn_device_info *device,
                             const struct krn_overheads *overheads,
                             const struct krn_telemetry_reading *telemetry, const char *time_utc)
{
    json_t *recorded = put_new(record->root, "recorded", json_object());
    put_text(recorded, "time_utc", time_utc);
    json_t *part = put_new(recorded, "device", json_object());
    put_device(part, device, overheads);
    if (telemetry != NULL && telemetry->valid)
        put_telemetry(part, telemetry);
}

void app_record_set_telemetry(struct app_record *record,
                              const struct krn_telemetry_reading *reading)
{
    json_t *device = json_object_get(part_of(record, "environment"), "device");
    if (device != NULL && reading->valid)
        put_telemetry(device, reading);
}

static void put_samples(json_t *object, const char *key, const double *samples, size_t count)
{
    json_t *array = put_new(object, key, json_array());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(samples[i]));
}

/* Copies the samples that are finite, with their cycles. */
static void put_finite_samples(json_t *object, const struct app_result *result)
{
    double *ms = app_alloc(result->sample_count, sizeof *ms),
           *cycles = app_alloc(result->sample_count, sizeof *cycles);
    size_t n = 0;
    for (size_t i = 0; i < result->sample_count; i++) {
        const double counted = result->cycles != NULL ? result->cycles[i] : 0;
        if (!isfinite(result->samples_ms[i]) || !isfinite(counted))
            continue;
        ms[n] = result->samples_ms[i];
        cycles[n++] = counted;
    }
    put_samples(object, "samples_ms", ms, n);
    if (result->cycles != NULL)
        put_samples(object, "cycles", cycles, n);
    free(ms);
    free(cycles);
}

static void put_process(json_t *processes, const struct app_result *result)
{
    json_t *process = json_object();
    json_array_append_new(processes, process);
    put_number(process, "process", 1);
    put_finite_samples(process, result);
    put_pairs(process, "metrics", result->metrics, result->metric_count);
    put_pairs(process, "outcome", result->outcome, result->outcome_count);
    put_ids(put_new(process, "trust", json_array()), result->trust, result->trust_count);
    put_text(process, "stop", result->stop);
}

void app_record_add(struct app_record *record, const struct app_result *result)
{
    json_t *object = json_object();
    json_array_append_new(part_of(record, "results"), object);
    put_text(object, "benchmark", result->benchmark);
    put_text(object, "variant", result->variant);
    put_text(object, "backend", krn_backend_name(result->backend));
    put_text(object, "regime", result->regime != NULL ? result->regime : "n/a");
    put_pairs(object, "workload", result->workload, result->workload_count);
    put_pairs(object, "parameters", result->parameters, result->parameter_count);
    put_pairs(object, "outcome", result->outcome, result->outcome_count);
    json_object_set_new(object, "metrics", json_object());
    put_text(object, "scope", result->scope);
    json_object_set_new(object, "verified",
                        result->verified == APP_VERIFIED_UNKNOWN
                            ? json_null()
                            : json_boolean(result->verified == APP_VERIFIED_TRUE));
    if (result->verified != APP_VERIFIED_TRUE)
        put_text(object, "verified_reason",
                 result->verified_reason != NULL && result->verified_reason[0] != 0
                     ? result->verified_reason
                     : "not checked");
    json_object_set_new(object, "trust", json_array());
    json_object_set_new(object, "complete", json_boolean(result->complete));
    put_process(put_new(object, "processes", json_array()), result);
    app_record_sum_up(object);
    record->complete = record->complete && result->complete;
}

char *app_record_text(struct app_record *record)
{
    json_object_set_new(record->root, "complete", json_boolean(record->complete));
    return app_record_print(record->root);
}

enum krn_code app_record_read_state(const char *text, size_t length, const char *source,
                                    struct app_state *state, struct krn_error *error)
{
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    json_t *root = NULL;
    enum krn_code code = app_record_parse(&reader, &root);
    if (code != KRN_OK)
        return code;
    app_json_enter(&reader, "state", 0);
    code = app_state_from_json(&reader, json_object_get(root, "state"), state);
    json_decref(root);
    return code;
}

/* Parses 16 hexadecimal digits. */
static bool parse_hash(const char *text, uint64_t *hash)
{
    enum { DIGITS = 16 };
    if (text == NULL || strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return false;
    *hash = strtoull(text, NULL, DIGITS);
    return true;
}

/* Reads the hash of the scene as a view draws it, where the record has it. */
static enum krn_code read_scene_hash(struct app_json_reader *reader, const json_t *scene,
                                     enum krn_view_kind view, struct app_record_picture *picture)
{
    static const char *const keys[KRN_VIEW_COUNT] = {
        [KRN_VIEW_BOOK] = "hash",
        [KRN_VIEW_LIGHT] = "light_hash",
    };
    const json_t *hash = json_object_get(scene, keys[view]);
    uint64_t unused;
    if (hash == NULL)
        return KRN_OK;
    if (!parse_hash(json_string_value(hash), &unused)) {
        app_json_enter(reader, "state", 0);
        app_json_enter(reader, "scene", 0);
        app_json_enter(reader, keys[view], 0);
        return app_json_fail(reader, "must be 16 hexadecimal digits");
    }
    snprintf(picture->scene_hash[view], sizeof picture->scene_hash[view], "%s",
             json_string_value(hash));
    return KRN_OK;
}

static enum krn_code read_hashes(struct app_json_reader *reader, const json_t *root,
                                 const json_t *scene, struct app_record_picture *picture)
{
    const json_t *drawn = json_object_get(root, "picture");
    for (int view = 0; view < KRN_VIEW_COUNT; view++) {
        const enum krn_code code =
            read_scene_hash(reader, scene, (enum krn_view_kind)view, picture);
        if (code != KRN_OK)
            return code;
    }
    picture->has_hash =
        parse_hash(json_string_value(json_object_get(drawn, "hash")), &picture->hash);
    if (drawn == NULL || picture->has_hash)
        return KRN_OK;
    app_json_enter(reader, "picture", 0);
    return app_json_fail(reader, "must be an object with a hash of 16 hexadecimal digits");
}

static enum krn_code read_picture(struct app_json_reader *reader, const json_t *root,
                                  struct app_record_picture *picture)
{
    const json_t *state = json_object_get(root, "state"), *scene = json_object_get(state, "scene");
    enum krn_code code = read_hashes(reader, root, scene, picture);
    if (code != KRN_OK)
        return code;
    app_json_enter(reader, "state", 0);
    code = app_state_from_json(reader, state, &picture->state);
    if (code != KRN_OK || picture->state.scene != APP_SCENE_FILE)
        return code;
    app_json_enter(reader, "scene", 0);
    const char *note = json_string_value(json_object_get(scene, "note"));
    snprintf(picture->scene_note, sizeof picture->scene_note, "%s", note != NULL ? note : "");
    app_make_printable(picture->scene_note);
    return app_scene_from_json(reader, scene, picture->state.recipe.count, &picture->scene);
}

enum krn_code app_record_read_picture(const char *text, size_t length, const char *source,
                                      struct app_record_picture *picture, struct krn_error *error)
{
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    json_t *root = NULL;
    memset(picture, 0, sizeof *picture);
    enum krn_code code = app_record_parse(&reader, &root);
    if (code != KRN_OK)
        return code;
    code = read_picture(&reader, root, picture);
    json_decref(root);
    return code;
}
