/* app/record/record.c - the results record, with one line of JSON per part and per result. */
#include "record/record.h"

#include "base/json_read.h"
#include "record/state_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Significant digits: 9 exceed the precision of any reading; 17 restore every bit of a double. */
enum { READING_DIGITS = 9, STATE_DIGITS = 17 };

struct app_record {
    json_t *environment, *state, *trust, *results;
    bool complete, failed;
};

/* Adds a member. A NULL value, which means that memory is full, makes the record fail. */
static void put(struct app_record *record, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        record->failed = true;
}

static void put_text(struct app_record *record, json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        put(record, object, key, app_json_from_text(text));
}

/* Adds a number, whole numbers as JSON integers. Leaves out a number that is not finite. */
static void put_number(struct app_record *record, json_t *object, const char *key, double number)
{
    if (!isfinite(number))
        return;
    const bool whole = fabs(number) < 1e15 && number == floor(number);
    put(record, object, key, whole ? json_integer((json_int_t)number) : json_real(number));
}

/* Adds a number unless it is 0, which means "not known". */
static void put_known(struct app_record *record, json_t *object, const char *key, double number)
{
    if (number > 0)
        put_number(record, object, key, number);
}

/* Adds an object or array as a member and returns it; the parent owns it. NULL on failure. */
static json_t *put_new(struct app_record *record, json_t *object, const char *key, json_t *value)
{
    put(record, object, key, value);
    return record->failed ? NULL : value;
}

static void put_device(struct app_record *record, json_t *object,
                       const struct krn_device_info *info, const struct app_record_machine *machine)
{
    char compute[32];
    put_text(record, object, "backend", krn_backend_name(info->backend));
    put_number(record, object, "ordinal", info->ordinal);
    put_text(record, object, "name", info->name);
    put_text(record, object, "driver", info->driver);
    put_text(record, object, "runtime", info->runtime);
    put_text(record, object, "pci_id", info->pci_id);
    put_text(record, object, "clock", info->clock);
    snprintf(compute, sizeof compute, "%d.%d", info->compute_major, info->compute_minor);
    put_text(record, object, "compute", info->compute_major > 0 ? compute : NULL);
    const struct {
        const char *key;
        double number;
    } known[] = {
        {"processors", info->processors},
        {"memory_bytes", (double)info->memory_bytes},
        {"l2_bytes", (double)info->l2_bytes},
        {"memory_bus_bits", info->memory_bus_bits},
        {"clock_max_mhz", info->clock_max_mhz},
        {"memory_clock_max_mhz", info->memory_clock_mhz},
        {"event_floor_ms", machine->overheads != NULL ? machine->overheads->event_ms : 0},
        {"launch_floor_ms", machine->overheads != NULL ? machine->overheads->empty_kernel_ms : 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        put_known(record, object, known[i].key, known[i].number);
}

static void put_telemetry(struct app_record *record, json_t *object,
                          const struct krn_telemetry_reading *now)
{
    char throttle[128];
    const struct {
        const char *key;
        double number;
    } known[] = {
        {"clock_max_mhz", now->clock_max_mhz},
        {"clock_now_mhz", now->clock_mhz},
        {"memory_clock_max_mhz", now->memory_clock_max_mhz},
        {"memory_clock_now_mhz", now->memory_clock_mhz},
        {"power_w", now->power_w},
        {"temperature_c", now->temperature_c},
    };
    put_text(record, object, "driver_version", now->driver);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        put_known(record, object, known[i].key, known[i].number);
    krn_throttle_text(now->throttle_seen, throttle, sizeof throttle);
    put_text(record, object, "throttle", now->throttle_known ? throttle : NULL);
}

static void put_environment(struct app_record *record, json_t *object,
                            const struct app_record_machine *machine)
{
    const struct app_environment *e = machine->environment;
    put_text(record, object, "version", e->version);
    put_text(record, object, "git", e->git);
    put_text(record, object, "host", e->host);
    put_text(record, object, "os", e->os);
    put_text(record, object, "system", e->system);
    put_text(record, object, "cpu", e->cpu);
    put_number(record, object, "cpu_threads", e->cpu_threads);
    put_text(record, object, "time_utc", e->time_utc);
    json_t *argv = put_new(record, object, "argv", json_array());
    for (int i = 0; i < e->argc && argv != NULL; i++)
        if (json_array_append_new(argv, app_json_from_text(e->argv[i])) != 0)
            record->failed = true;
    json_t *part = NULL;
    if (machine->device != NULL &&
        (part = put_new(record, object, "device", json_object())) != NULL)
        put_device(record, part, machine->device, machine);
    if (part != NULL && machine->telemetry != NULL)
        put_telemetry(record, part, machine->telemetry);
    if (machine->gl_renderer != NULL &&
        (part = put_new(record, object, "gl", json_object())) != NULL) {
        put_text(record, part, "vendor", machine->gl_vendor);
        put_text(record, part, "renderer", machine->gl_renderer);
        put_text(record, part, "version", machine->gl_version);
        put_text(record, part, "context", machine->gl_context);
        put(record, part, "software", json_boolean(machine->gl_software));
    }
    if (machine->blit != NULL && (part = put_new(record, object, "blit", json_object())) != NULL) {
        put_text(record, part, "asked", app_blit_name(machine->blit->asked));
        put_text(record, part, "used", app_blit_name(machine->blit->used));
        if (machine->blit->reason[0] != 0)
            put_text(record, part, "reason", machine->blit->reason);
    }
}

struct app_record *app_record_new(const struct app_record_machine *machine,
                                  const struct app_state *state)
{
    struct app_record *record = calloc(1, sizeof *record);
    if (record == NULL)
        return NULL;
    record->complete = true;
    record->environment = json_object();
    record->state = app_state_to_json(state);
    record->results = json_array();
    record->trust = json_array();
    put_environment(record, record->environment, machine);
    if (record->failed || record->state == NULL || record->results == NULL ||
        record->trust == NULL) {
        app_record_free(record);
        return NULL;
    }
    return record;
}

void app_record_free(struct app_record *record)
{
    if (record == NULL)
        return;
    json_decref(record->environment);
    json_decref(record->state);
    json_decref(record->results);
    json_decref(record->trust);
    free(record);
}

static void put_pairs(struct app_record *record, json_t *object, const char *key,
                      const struct app_pair *pairs, size_t count)
{
    json_t *part = put_new(record, object, key, json_object());
    for (size_t i = 0; i < count && part != NULL; i++) {
        if (pairs[i].text != NULL)
            put_text(record, part, pairs[i].key, pairs[i].text);
        else
            put_number(record, part, pairs[i].key, pairs[i].number);
    }
}

static void put_ids(struct app_record *record, json_t *array, const char *const *ids, size_t count)
{
    for (size_t i = 0; i < count && array != NULL; i++)
        if (json_array_append_new(array, app_json_from_text(ids[i])) != 0)
            record->failed = true;
}

void app_record_set_incomplete(struct app_record *record)
{
    record->complete = false;
}

bool app_record_set_trust(struct app_record *record, const char *const *ids, size_t count)
{
    json_array_clear(record->trust);
    put_ids(record, record->trust, ids, count);
    return !record->failed;
}

bool app_record_set_telemetry(struct app_record *record,
                              const struct krn_telemetry_reading *reading)
{
    json_t *device = json_object_get(record->environment, "device");
    if (device != NULL && reading->valid)
        put_telemetry(record, device, reading);
    return !record->failed;
}

bool app_record_add(struct app_record *record, const struct app_result *result)
{
    json_t *object = json_object();
    put_text(record, object, "benchmark", result->benchmark);
    put_text(record, object, "variant", result->variant);
    put_text(record, object, "backend", krn_backend_name(result->backend));
    put_pairs(record, object, "parameters", result->parameters, result->parameter_count);
    put_pairs(record, object, "metrics", result->metrics, result->metric_count);
    put_text(record, object, "scope", result->scope);
    json_t *samples = put_new(record, object, "samples_ms", json_array());
    for (size_t i = 0; i < result->sample_count && samples != NULL; i++)
        if (isfinite(result->samples_ms[i]) &&
            json_array_append_new(samples, json_real(result->samples_ms[i])) != 0)
            record->failed = true;
    put(record, object, "verified",
        result->verified == APP_VERIFIED_UNKNOWN
            ? json_null()
            : json_boolean(result->verified == APP_VERIFIED_TRUE));
    if (result->verified != APP_VERIFIED_TRUE)
        put_text(record, object, "verified_reason",
                 result->verified_reason != NULL && result->verified_reason[0] != 0
                     ? result->verified_reason
                     : "not checked");
    put_ids(record, put_new(record, object, "trust", json_array()), result->trust,
            result->trust_count);
    put_text(record, object, "stop", result->stop);
    put(record, object, "complete", json_boolean(result->complete));
    if (json_array_append_new(record->results, object) != 0)
        record->failed = true;
    record->complete = record->complete && result->complete;
    return !record->failed;
}

static void dump(struct app_record *record, FILE *out, const json_t *value, int digits)
{
    if (json_dumpf(value, out, (size_t)JSON_REAL_PRECISION(digits)) != 0)
        record->failed = true;
}

static void write_record(struct app_record *record, FILE *out)
{
    fprintf(out, "{\n\"schema\": \"%s\",\n\"complete\": %s,\n\"environment\": ", APP_RECORD_SCHEMA,
            record->complete ? "true" : "false");
    dump(record, out, record->environment, READING_DIGITS);
    fputs(",\n\"state\": ", out);
    dump(record, out, record->state, STATE_DIGITS);
    fputs(",\n\"trust\": ", out);
    dump(record, out, record->trust, READING_DIGITS);
    fputs(",\n\"results\": [", out);
    for (size_t i = 0; i < json_array_size(record->results); i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        dump(record, out, json_array_get(record->results, i), READING_DIGITS);
    }
    fputs("\n]\n}\n", out);
}

char *app_record_text(struct app_record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    write_record(record, out);
    const bool failed = ferror(out) != 0 || record->failed;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

enum krn_code app_record_read_state(const char *text, size_t length, const char *source,
                                    struct app_state *state, struct krn_error *error)
{
    static const struct app_json_bounds bounds = {
        .bytes = 64u << 20,
        .depth = 8,
        .values = 8u << 20,
    };
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    json_t *root = NULL;
    enum krn_code code = app_json_load(&reader, &bounds, &root);
    if (code != KRN_OK)
        return code;
    const json_t *schema = json_object_get(root, "schema");
    const bool ours =
        json_is_string(schema) && strcmp(json_string_value(schema), APP_RECORD_SCHEMA) == 0;
    app_json_enter(&reader, ours ? "state" : "schema", 0);
    code = ours ? app_state_from_json(&reader, json_object_get(root, "state"), state)
                : app_json_fail(&reader, "must be \"" APP_RECORD_SCHEMA "\"");
    json_decref(root);
    return code;
}
