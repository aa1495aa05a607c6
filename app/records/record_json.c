/* app/records/record_json.c - a record as JSON. Each list of fields below serves writing and
 * reading. */
#include "records/io.h"
#include "records/json.h"

#include "base/complain.h"
#include "base/files.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "spherescope-results-2"

/* Significant digits: 9 exceed the precision of any reading; 17 restore every bit of a double. */
enum { READING_DIGITS = 9, STATE_DIGITS = 17 };

static const struct app_json_bounds bounds = {
    .bytes = APP_RECORD_BYTES_MAX,
    .depth = 8,
    .values = 16u << 20,
};

/* --- fields --- */

enum kind {
    TEXT,    /* const char *; NULL: left out */
    CHARS,   /* char[room] */
    INTEGER, /* int; 0: not known, left out */
    COUNT,   /* int, written always */
    SIZE,    /* size_t; 0: not known */
    REAL,    /* double; 0: not known */
    FLAG,    /* bool */
    BACKEND, /* enum krn_backend_id */
    PAIRS,   /* struct app_pairs */
    METRICS, /* struct app_pairs, all numbers */
    VERDICT, /* enum app_verified: true, false or null */
    TRUST    /* struct app_results_trust */
};

/* A member of an object and the field of a structure that it is. */
struct field {
    const char *key;
    enum kind kind;
    size_t offset, room;
};

#define FIELD(type, key, kind, field)                                                              \
    {                                                                                              \
        key, kind, offsetof(struct type, field), 0                                                 \
    }
#define ROOM(type, key, field)                                                                     \
    {                                                                                              \
        key, CHARS, offsetof(struct type, field), sizeof((struct type *)NULL)->field               \
    }

static const struct field environment_fields[] = {
    FIELD(app_results, "version", TEXT, version),
    FIELD(app_results, "git", TEXT, git),
    FIELD(app_results, "host", TEXT, host),
    FIELD(app_results, "os", TEXT, os),
    FIELD(app_results, "system", TEXT, system),
    FIELD(app_results, "cpu", TEXT, cpu),
    FIELD(app_results, "cpu_threads", COUNT, cpu_threads),
    FIELD(app_results, "cpu_quota", REAL, cpu_quota),
    FIELD(app_results, "time_utc", TEXT, time_utc),
};

static const struct field info_fields[] = {
    FIELD(krn_device_info, "ordinal", COUNT, ordinal),
    ROOM(krn_device_info, "name", name),
    ROOM(krn_device_info, "driver", driver),
    ROOM(krn_device_info, "runtime", runtime),
    ROOM(krn_device_info, "pci_id", pci_id),
    ROOM(krn_device_info, "clock", clock),
    FIELD(krn_device_info, "processors", INTEGER, processors),
    FIELD(krn_device_info, "fma_lanes", INTEGER, fma_lanes),
    FIELD(krn_device_info, "dfma_lanes", INTEGER, dfma_lanes),
    FIELD(krn_device_info, "threads_per_processor", INTEGER, threads_per_processor),
    FIELD(krn_device_info, "memory_bytes", SIZE, memory_bytes),
    FIELD(krn_device_info, "l2_bytes", SIZE, l2_bytes),
    FIELD(krn_device_info, "cache1_bytes", SIZE, cache_bytes[0]),
    FIELD(krn_device_info, "cache2_bytes", SIZE, cache_bytes[1]),
    FIELD(krn_device_info, "cache3_bytes", SIZE, cache_bytes[2]),
    FIELD(krn_device_info, "memory_bus_bits", INTEGER, memory_bus_bits),
    FIELD(krn_device_info, "clock_max_mhz", REAL, clock_max_mhz),
    FIELD(krn_device_info, "memory_clock_max_mhz", REAL, memory_clock_mhz),
};

static const struct field overhead_fields[] = {
    FIELD(krn_overheads, "event_floor_ms", REAL, event_ms),
    FIELD(krn_overheads, "launch_floor_ms", REAL, empty_kernel_ms),
};

static const struct field telemetry_fields[] = {
    ROOM(krn_telemetry_reading, "driver_version", driver),
    FIELD(krn_telemetry_reading, "clock_max_mhz", REAL, clock_max_mhz),
    FIELD(krn_telemetry_reading, "memory_clock_max_mhz", REAL, memory_clock_max_mhz),
};

/* The telemetry that each process found, too. */
static const struct field moment_fields[] = {
    FIELD(krn_telemetry_reading, "clock_now_mhz", REAL, clock_mhz),
    FIELD(krn_telemetry_reading, "clock_low_mhz", REAL, clock_low_mhz),
    FIELD(krn_telemetry_reading, "memory_clock_now_mhz", REAL, memory_clock_mhz),
    FIELD(krn_telemetry_reading, "memory_clock_low_mhz", REAL, memory_clock_low_mhz),
    FIELD(krn_telemetry_reading, "power_w", REAL, power_w),
    FIELD(krn_telemetry_reading, "temperature_c", REAL, temperature_c),
};

static const struct field gl_fields[] = {
    FIELD(app_results_screen, "vendor", TEXT, vendor),
    FIELD(app_results_screen, "renderer", TEXT, renderer),
    FIELD(app_results_screen, "version", TEXT, version),
    FIELD(app_results_screen, "context", TEXT, context),
    FIELD(app_results_screen, "software", FLAG, software),
};

static const struct field blit_fields[] = {
    FIELD(app_results_screen, "asked", TEXT, blit_asked),
    FIELD(app_results_screen, "used", TEXT, blit_used),
    FIELD(app_results_screen, "reason", TEXT, blit_reason),
};

static const struct field run_fields[] = {
    FIELD(app_results_run, "processes_asked", COUNT, processes_asked),
    FIELD(app_results_run, "processes", COUNT, processes),
    FIELD(app_results_run, "seconds", REAL, seconds),
};

static const struct field failure_fields[] = {
    FIELD(app_results_failure, "process", COUNT, process),
    FIELD(app_results_failure, "why", TEXT, why),
};

static const struct field each_fields[] = {
    FIELD(app_results_device, "process", COUNT, process),
    FIELD(app_results_device, "time_utc", TEXT, time_utc),
    FIELD(app_results_device, "ordinal", COUNT, ordinal),
    FIELD(app_results_device, "name", TEXT, name),
    FIELD(app_results_device, "pci_id", TEXT, pci_id),
};

/* But for the processes. */
static const struct field result_fields[] = {
    FIELD(app_result, "benchmark", TEXT, benchmark),
    FIELD(app_result, "variant", TEXT, variant),
    FIELD(app_result, "backend", BACKEND, backend),
    FIELD(app_result, "regime", TEXT, regime),
    FIELD(app_result, "workload", PAIRS, workload),
    FIELD(app_result, "parameters", PAIRS, parameters),
    FIELD(app_result, "outcome", PAIRS, outcome),
    FIELD(app_result, "metrics", METRICS, metrics),
    FIELD(app_result, "scope", TEXT, scope),
    FIELD(app_result, "verified", VERDICT, verified),
    FIELD(app_result, "verified_reason", TEXT, verified_reason),
    FIELD(app_result, "trust", TRUST, trust),
    FIELD(app_result, "complete", FLAG, complete),
    FIELD(app_result, "stop", TEXT, stop),
};

/* But for the samples. */
static const struct field process_fields[] = {
    FIELD(app_result_process, "process", COUNT, process),
    FIELD(app_result_process, "metrics", METRICS, metrics),
    FIELD(app_result_process, "outcome", PAIRS, outcome),
    FIELD(app_result_process, "trust", TRUST, trust),
    FIELD(app_result_process, "stop", TEXT, stop),
};

#define FIELDS(list) (list), sizeof(list) / sizeof *(list)

/* --- writing --- */

static json_t *texts_to_json(struct app_texts list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(array, app_json_from_text(list.texts[i]));
    return array;
}

static json_t *trust_to_json(const struct app_results_trust *trust)
{
    const char *ids[APP_TRUST_COUNT];
    json_t *array = texts_to_json((struct app_texts){ids, app_trust_ids(trust->reasons, ids)}),
           *others = texts_to_json(trust->others);
    json_array_extend(array, others);
    json_decref(others);
    return array;
}

static void put_fields(json_t *object, const struct field *fields, size_t count, const void *from)
{
    for (size_t i = 0; i < count; i++) {
        const struct field *field = &fields[i];
        const void *at = (const char *)from + field->offset;
        double number = 0;
        switch (field->kind) {
        case TEXT:
            app_json_put(object, field->key, *(const char *const *)at);
            continue;
        case CHARS:
            app_json_put(object, field->key, at);
            continue;
        case FLAG:
            json_object_set_new(object, field->key, json_boolean(*(const bool *)at));
            continue;
        case BACKEND:
            app_json_put(object, field->key, krn_backend_name(*(const enum krn_backend_id *)at));
            continue;
        case PAIRS:
        case METRICS:
            json_object_set_new(object, field->key,
                                app_json_from_pairs(*(const struct app_pairs *)at));
            continue;
        case VERDICT:
            json_object_set_new(
                object, field->key,
                *(const enum app_verified *)at == APP_VERIFIED_UNKNOWN
                    ? json_null()
                    : json_boolean(*(const enum app_verified *)at == APP_VERIFIED_TRUE));
            continue;
        case TRUST:
            json_object_set_new(object, field->key, trust_to_json(at));
            continue;
        case INTEGER:
        case COUNT:
            number = *(const int *)at;
            break;
        case SIZE:
            number = (double)*(const size_t *)at;
            break;
        case REAL:
            number = *(const double *)at;
            break;
        }
        if (number > 0 || field->kind == COUNT)
            json_object_set_new(object, field->key, app_json_from_number(number));
    }
}

static void put_moment(json_t *object, const struct krn_telemetry_reading *now)
{
    char throttle[128];
    if (!now->valid)
        return;
    put_fields(object, FIELDS(moment_fields), now);
    krn_throttle_text(now->throttle_seen, throttle, sizeof throttle);
    app_json_put(object, "throttle", now->throttle_known ? throttle : NULL);
}

static json_t *device_to_json(const struct krn_device_info *info,
                              const struct krn_overheads *overheads,
                              const struct krn_telemetry_reading *telemetry)
{
    json_t *object = json_object();
    app_json_put(object, "backend", krn_backend_name(info->backend));
    put_fields(object, FIELDS(info_fields), info);
    if (info->compute_major > 0)
        app_json_put(object, "compute",
                     app_phrase("%d.%d", info->compute_major, info->compute_minor).text);
    put_fields(object, FIELDS(overhead_fields), overheads);
    if (telemetry->valid)
        put_fields(object, FIELDS(telemetry_fields), telemetry);
    put_moment(object, telemetry);
    return object;
}

static json_t *environment_to_json(const struct app_results *results)
{
    json_t *object = json_object();
    put_fields(object, FIELDS(environment_fields), results);
    json_object_set_new(object, "argv", texts_to_json(results->argv));
    if (results->has_device) {
        json_t *device = device_to_json(&results->device, &results->overheads, &results->telemetry);
        json_object_set_new(object, "device", device);
        if (results->properties != NULL)
            json_object_set_new(
                device, "properties",
                app_properties_to_json(results->properties, (int)results->property_count));
    }
    if (results->screen.renderer != NULL) {
        json_t *gl = json_object();
        json_object_set_new(object, "gl", gl);
        put_fields(gl, FIELDS(gl_fields), &results->screen);
    }
    if (results->screen.blit_asked != NULL) {
        json_t *blit = json_object();
        json_object_set_new(object, "blit", blit);
        put_fields(blit, FIELDS(blit_fields), &results->screen);
    }
    return object;
}

static json_t *run_to_json(const struct app_results_run *run)
{
    json_t *object = json_object(), *failed = json_array(), *each = json_array();
    put_fields(object, FIELDS(run_fields), run);
    json_object_set_new(object, "failed", failed);
    for (size_t i = 0; i < run->failed_count; i++) {
        json_t *entry = json_object();
        json_array_append_new(failed, entry);
        put_fields(entry, FIELDS(failure_fields), &run->failed[i]);
    }
    for (size_t i = 0; i < run->device_count; i++) {
        json_t *entry = json_object();
        json_array_append_new(each, entry);
        put_fields(entry, FIELDS(each_fields), &run->devices[i]);
        put_moment(entry, &run->devices[i].telemetry);
    }
    if (run->device_count > 0)
        json_object_set(object, "each", each);
    json_decref(each);
    if (run->has_seed)
        json_object_set_new(object, "seed", json_sprintf("%llu", (unsigned long long)run->seed));
    return object;
}

/* The members of a scene that hold its hash in each view. */
static const char *const hash_keys[KRN_VIEW_COUNT] = {
    [KRN_VIEW_BOOK] = "hash",
    [KRN_VIEW_LIGHT] = "light_hash",
};

static json_t *state_to_json(const struct app_results_picture *picture)
{
    json_t *object = app_state_to_json(&picture->state), *scene = json_object_get(object, "scene");
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        if (picture->scene_hash[view][0] != 0)
            app_json_put(scene, hash_keys[view], picture->scene_hash[view]);
    if (picture->scene.count > 0)
        app_scene_to_json(scene, &picture->scene);
    if (picture->scene_note[0] != 0)
        app_json_put(scene, "note", picture->scene_note);
    return object;
}

static json_t *origin_to_json(const struct app_results_origin *origin)
{
    json_t *object = json_object();
    app_json_put(object, "time_utc", origin->time_utc);
    json_object_set_new(object, "device",
                        device_to_json(&origin->device, &origin->overheads, &origin->telemetry));
    return object;
}

static void put_samples(json_t *object, const char *key, const double *samples, size_t count)
{
    json_t *array = json_array();
    json_object_set_new(object, key, array);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(samples[i]));
}

static json_t *process_to_json(const struct app_result_process *process, bool samples)
{
    json_t *object = json_object();
    put_fields(object, FIELDS(process_fields), process);
    put_samples(object, "samples_ms", process->samples_ms, samples ? process->n : 0);
    if (process->cycles != NULL && samples)
        put_samples(object, "cycles", process->cycles, process->n);
    return object;
}

static json_t *result_to_json(const struct app_result *result, bool samples)
{
    json_t *object = json_object(), *processes = json_array();
    put_fields(object, FIELDS(result_fields), result);
    json_object_set_new(object, "processes", processes);
    for (size_t i = 0; i < result->process_count; i++)
        json_array_append_new(processes, process_to_json(&result->processes[i], samples));
    return object;
}

/* Prints a value and releases it. */
static void print(FILE *out, const char *before, json_t *value, int digits)
{
    fputs(before, out);
    json_dumpf(value, out, (size_t)JSON_REAL_PRECISION(digits));
    json_decref(value);
}

/* A record, and how much of it is written. PICTURE: no samples, and the results that have room. */
struct written {
    const struct app_results *results;
    enum { WHOLE, NO_SAMPLES, PICTURE } part;
};

/* Writes the results that are probes, or those that are not, as long as a picture has room. */
static void write_results(FILE *out, const struct app_results *results, bool probes, bool *first)
{
    for (size_t i = 0; i < results->count; i++) {
        const long before = ftell(out);
        if ((results->results[i].probe != NULL) != probes)
            continue;
        print(out, *first ? "\n" : ",\n", result_to_json(&results->results[i], false),
              READING_DIGITS);
        if (ftell(out) > APP_PICTURE_TEXT_MAX - 16) {
            (void)fseek(out, before, SEEK_SET);
            return;
        }
        *first = false;
    }
}

static void write_record(FILE *out, const void *of)
{
    const struct written *written = of;
    const struct app_results *results = written->results;
    bool first = true;
    fprintf(out, "{\n\"schema\": \"%s\",\n\"complete\": %s", SCHEMA,
            results->complete ? "true" : "false");
    print(out, ",\n\"environment\": ", environment_to_json(results), READING_DIGITS);
    print(out, ",\n\"run\": ", run_to_json(&results->run), READING_DIGITS);
    if (results->picture.problem.code == KRN_OK)
        print(out, ",\n\"state\": ", state_to_json(&results->picture), STATE_DIGITS);
    if (results->picture.has_hash)
        fprintf(out, ",\n\"picture\": {\"hash\": \"%016llx\"}",
                (unsigned long long)results->picture.hash);
    if (results->origin.valid)
        print(out, ",\n\"recorded\": ", origin_to_json(&results->origin), READING_DIGITS);
    print(out, ",\n\"trust\": ", trust_to_json(&results->trust), READING_DIGITS);
    json_t *notes = texts_to_json(results->notes);
    if (written->part == PICTURE)
        json_array_append_new(notes, json_string("A picture has room for a part of its record "
                                                 "alone, without samples; --json writes all."));
    print(out, ",\n\"notes\": ", notes, READING_DIGITS);
    fputs(",\n\"results\": [", out);
    for (size_t i = 0; i < results->count && written->part != PICTURE; i++)
        print(out, i > 0 ? ",\n" : "\n",
              result_to_json(&results->results[i], written->part == WHOLE), READING_DIGITS);
    for (int probes = 0; probes < 2 && written->part == PICTURE; probes++)
        write_results(out, results, probes == 1, &first);
    fputs("\n]\n}\n", out);
}

char *app_results_text(const struct app_results *results)
{
    return krn_printed(write_record, &(struct written){results, WHOLE});
}

char *app_results_brief_text(const struct app_results *results)
{
    return krn_printed(write_record, &(struct written){results, NO_SAMPLES});
}

char *app_results_picture_text(const struct app_results *results)
{
    char *text = app_results_text(results);
    if (strlen(text) >= APP_PICTURE_TEXT_MAX) {
        free(text);
        text = krn_printed(write_record, &(struct written){results, PICTURE});
    }
    return text;
}

/* --- reading --- */

static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

/* Returns a number that is positive and below `most`; else 0. */
static double number_of(const json_t *object, const char *key, double most)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_number_value(value);
    return json_is_number(value) && number > 0 && number < most ? number : 0;
}

static struct app_texts read_texts(struct app_results *results, const json_t *array)
{
    const char **texts = app_results_take(results, json_array_size(array), sizeof *texts);
    struct app_texts list = {texts, 0};
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (text != NULL)
            texts[list.count++] = app_results_keep(results, text);
    }
    return list;
}

static struct app_results_trust read_trust(struct app_results *results, const json_t *array)
{
    const struct app_texts all = read_texts(results, array);
    const char **others = app_results_take(results, all.count, sizeof *others);
    struct app_results_trust trust = {.others = {others, 0}};
    for (size_t i = 0; i < all.count; i++) {
        const unsigned reason = app_trust_of_id(all.texts[i]);
        trust.reasons |= reason;
        if (reason == 0)
            others[trust.others.count++] = all.texts[i];
    }
    return trust;
}

static bool is_key(const char *key)
{
    size_t n = 0;
    for (; key[n] != 0; n++)
        if (!((key[n] >= 'a' && key[n] <= 'z') ||
              (n > 0 && (key[n] == '_' || (key[n] >= '0' && key[n] <= '9')))))
            return false;
    return n > 0 && n < 64;
}

/* Reads an object of numbers and, if allowed, texts. A missing one is an empty list. */
static enum krn_code read_pairs(struct app_json_reader *reader, struct app_results *results,
                                const json_t *parent, const char *name, bool texts,
                                struct app_pairs *list)
{
    const json_t *object = json_object_get(parent, name);
    const char *key;
    json_t *value;
    if (object == NULL)
        return KRN_OK;
    app_json_enter(reader, name, 0);
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    if (json_object_size(object) > APP_PAIRS_MAX)
        return app_json_fail(reader, "has more than %d members", APP_PAIRS_MAX);
    struct app_pair *pairs = app_results_take(results, json_object_size(object), sizeof *pairs);
    list->pairs = pairs;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!is_key(key))
            return app_json_fail(reader, "has a member whose name is not of a-z, 0-9 and _");
        app_json_enter(reader, key, 0);
        if (!json_is_number(value) && !(texts && json_is_string(value)))
            return app_json_fail(reader, texts ? "must be a number or a text" : "must be a number");
        if (!app_results_beyond(json_number_value(value)))
            pairs[list->count++] = (struct app_pair){
                app_results_key(results, key), json_number_value(value),
                json_is_string(value) ? app_results_keep(results, json_string_value(value)) : NULL};
        app_json_leave(reader);
    }
    app_json_leave(reader);
    return KRN_OK;
}

/* Finds a backend by its name; returns false, and leaves *backend, when none has it. */
static bool find_backend(const char *name, enum krn_backend_id *backend)
{
    int id = 0;
    while (id < KRN_BACKEND_COUNT && strcmp(name, krn_backend_name((enum krn_backend_id)id)) != 0)
        id++;
    if (id < KRN_BACKEND_COUNT)
        *backend = (enum krn_backend_id)id;
    return id < KRN_BACKEND_COUNT;
}

/* Reads an object's members. Texts, numbers and truths that are missing or of another type are not
 * known; `otherwise` is the text that stands for such a one. */
static enum krn_code read_fields(struct app_json_reader *reader, struct app_results *results,
                                 const json_t *object, const struct field *fields, size_t count,
                                 const char *otherwise, void *to)
{
    const double int_most = 1e9, size_most = 1e18, real_most = HUGE_VAL;
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < count && code == KRN_OK; i++) {
        const struct field *field = &fields[i];
        void *at = (char *)to + field->offset;
        const json_t *value = json_object_get(object, field->key);
        const char *text = json_string_value(value);
        switch (field->kind) {
        case TEXT:
            *(const char **)at = text != NULL ? app_results_keep(results, text) : otherwise;
            break;
        case CHARS:
            snprintf(at, field->room, "%s", text != NULL ? text : "n/a");
            app_make_printable(at);
            break;
        case FLAG:
            *(bool *)at = json_is_true(value);
            break;
        case INTEGER:
        case COUNT:
            *(int *)at = (int)number_of(object, field->key, int_most);
            break;
        case SIZE:
            *(size_t *)at = (size_t)number_of(object, field->key, size_most);
            break;
        case REAL:
            *(double *)at = number_of(object, field->key, real_most);
            break;
        case BACKEND:
            if (find_backend(text != NULL ? text : "", at))
                break;
            app_json_enter(reader, field->key, 0);
            return app_json_fail(reader, "must be \"cuda\", \"cpu\" or \"gl\"");
        case PAIRS:
        case METRICS:
            code = read_pairs(reader, results, object, field->key, field->kind == PAIRS, at);
            break;
        case VERDICT:
            *(enum app_verified *)at = json_is_true(value)    ? APP_VERIFIED_TRUE
                                       : json_is_false(value) ? APP_VERIFIED_FALSE
                                                              : APP_VERIFIED_UNKNOWN;
            break;
        case TRUST:
            *(struct app_results_trust *)at = read_trust(results, value);
            break;
        }
    }
    return code;
}

static enum krn_code read_numbers(struct app_json_reader *reader, struct app_results *results,
                                  const json_t *parent, const char *name, const double **numbers,
                                  size_t *count)
{
    const json_t *array = json_object_get(parent, name);
    const size_t n = json_array_size(array);
    app_json_enter(reader, name, 0);
    if (!json_is_array(array))
        return app_json_fail(reader, array == NULL ? "is missing" : "must be an array");
    double *copy = app_results_take(results, n, sizeof *copy);
    bool beyond = false;
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(array, i);
        copy[i] = json_number_value(value);
        beyond = beyond || app_results_beyond(copy[i]);
        if (!json_is_number(value) || !(copy[i] >= 0)) {
            app_json_enter(reader, NULL, i);
            return app_json_fail(reader, "must be a number that is not negative");
        }
    }
    app_json_leave(reader);
    *numbers = copy;
    *count = beyond ? 0 : n;
    return KRN_OK;
}

static enum krn_code read_process(struct app_json_reader *reader, struct app_results *results,
                                  const json_t *object, struct app_result_process *process)
{
    json_t *number;
    size_t counted = 0;
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    enum krn_code code = app_json_require(reader, object, "process", JSON_INTEGER, &number);
    if (code != KRN_OK)
        return code;
    code = read_fields(reader, results, object, FIELDS(process_fields), NULL, process);
    KRN_THEN(code, read_numbers(reader, results, object, "samples_ms", &process->samples_ms,
                                &process->n));
    if (code == KRN_OK && json_object_get(object, "cycles") != NULL)
        code = read_numbers(reader, results, object, "cycles", &process->cycles, &counted);
    if (code != KRN_OK)
        return code;
    if (process->cycles != NULL && counted != process->n)
        return app_json_fail(reader, "has more or fewer cycles than samples_ms");
    return KRN_OK;
}

static enum krn_code read_processes(struct app_json_reader *reader, struct app_results *results,
                                    const json_t *object, struct app_result *result)
{
    json_t *array = NULL;
    enum krn_code code = app_json_require(reader, object, "processes", JSON_ARRAY, &array);
    if (code != KRN_OK)
        return code;
    const size_t n = json_array_size(array);
    app_json_enter(reader, "processes", 0);
    if (n < 1 || n > KRN_PROCESSES_MAX)
        return app_json_fail(reader, "must have 1 to %d elements", KRN_PROCESSES_MAX);
    struct app_result_process *processes = app_results_take(results, n, sizeof *processes);
    result->processes = processes;
    for (; result->process_count < n && code == KRN_OK; result->process_count++) {
        const size_t i = result->process_count;
        app_json_enter(reader, NULL, i);
        code = read_process(reader, results, json_array_get(array, i), &processes[i]);
        app_json_leave(reader);
    }
    app_json_leave(reader);
    return code;
}

static enum krn_code read_result(struct app_json_reader *reader, struct app_results *results,
                                 const json_t *object, struct app_result *result)
{
    static const struct {
        const char *key;
        json_type type;
    } needed[] = {{"benchmark", JSON_STRING},
                  {"variant", JSON_STRING},
                  {"backend", JSON_STRING},
                  {"parameters", JSON_OBJECT},
                  {"metrics", JSON_OBJECT}};
    struct krn_mode mode;
    json_t *value;
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < sizeof needed / sizeof *needed && code == KRN_OK; i++)
        code = app_json_require(reader, object, needed[i].key, needed[i].type, &value);
    KRN_THEN(code, read_fields(reader, results, object, FIELDS(result_fields), NULL, result));
    KRN_THEN(code, read_processes(reader, results, object, result));
    if (code != KRN_OK)
        return code;
    if (strcmp(result->benchmark, "raytrace") == 0 && !app_result_mode(result, &mode)) {
        app_json_enter(reader, "variant", 0);
        return app_json_fail(reader, "is \"%.40s\", which is no mode of this version",
                             result->variant);
    }
    result->regime = result->regime != NULL ? result->regime : app_regime_name(APP_REGIME_UNKNOWN);
    result->scope = result->scope != NULL ? result->scope : "";
    result->complete = !json_is_false(json_object_get(object, "complete"));
    app_result_finish(results, result);
    return KRN_OK;
}

static enum krn_code read_results(struct app_json_reader *reader, const json_t *root,
                                  struct app_results *results)
{
    json_t *array = NULL;
    enum krn_code code = app_json_require(reader, root, "results", JSON_ARRAY, &array);
    if (code != KRN_OK)
        return code;
    app_json_enter(reader, "results", 0);
    if (json_array_size(array) > APP_RESULTS_MAX)
        return app_json_fail(reader, "has more than %d elements", APP_RESULTS_MAX);
    for (size_t i = 0; i < json_array_size(array) && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        code = read_result(reader, results, json_array_get(array, i), app_results_append(results));
        app_json_leave(reader);
    }
    app_json_leave(reader);
    if (code == KRN_OK)
        app_results_sort(results);
    return code;
}

static unsigned throttle_bits(const char *words)
{
    unsigned bits = 0;
    for (int i = 0; i < KRN_THROTTLE_COUNT; i++) {
        char word[128];
        krn_throttle_text(1u << i, word, sizeof word);
        bits |= strstr(words, word) != NULL ? 1u << i : 0;
    }
    return bits;
}

static void read_moment(struct app_results *results, const json_t *object,
                        struct krn_telemetry_reading *telemetry)
{
    const char *throttle = text_of(object, "throttle", NULL);
    (void)read_fields(NULL, results, object, FIELDS(moment_fields), NULL, telemetry);
    telemetry->throttle_known = throttle != NULL;
    telemetry->throttle = telemetry->throttle_seen = throttle != NULL ? throttle_bits(throttle) : 0;
    telemetry->valid = throttle != NULL || telemetry->clock_mhz > 0;
}

static void read_device(struct app_results *results, const json_t *object,
                        struct krn_device_info *info, struct krn_overheads *overheads,
                        struct krn_telemetry_reading *telemetry)
{
    info->backend = KRN_BACKEND_CPU;
    (void)find_backend(text_of(object, "backend", ""), &info->backend);
    info->can = *krn_backend_get(info->backend)->can;
    (void)read_fields(NULL, results, object, FIELDS(info_fields), NULL, info);
    /* NOLINTNEXTLINE(cert-err34-c): four digits fit an int. */
    if (sscanf(text_of(object, "compute", ""), "%4d.%4d", &info->compute_major,
               &info->compute_minor) != 2)
        info->compute_major = info->compute_minor = 0;
    (void)read_fields(NULL, results, object, FIELDS(overhead_fields), NULL, overheads);
    (void)read_fields(NULL, results, object, FIELDS(telemetry_fields), NULL, telemetry);
    read_moment(results, object, telemetry);
    telemetry->valid = json_object_get(object, "driver_version") != NULL;
}

/* Reads the properties, to be written again: what kind of number each is, is not known. */
static void read_properties(struct app_results *results, const json_t *object)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object) || json_object_size(object) > KRN_PROPERTIES_MAX)
        return;
    struct krn_property *list = app_results_take(results, json_object_size(object), sizeof *list);
    results->properties = list;
    json_object_foreach((json_t *)object, key, value)
    {
        struct krn_property *property = &list[results->property_count++];
        property->key = app_results_keep(results, key);
        property->known = !json_is_null(value);
        property->kind = json_is_boolean(value)  ? KRN_PROPERTY_FLAG
                         : json_is_string(value) ? KRN_PROPERTY_TEXT
                                                 : KRN_PROPERTY_COUNT;
        property->values[0] = json_is_true(value) ? 1 : (int64_t)json_integer_value(value);
        property->count = 1;
        if (json_is_string(value))
            snprintf(property->text, sizeof property->text, "%s", json_string_value(value));
        for (size_t i = 0; i < json_array_size(value) && i < KRN_PROPERTY_VALUES; i++) {
            property->values[i] = (int64_t)json_integer_value(json_array_get(value, i));
            property->count = (int)i + 1;
        }
    }
}

static void read_environment(struct app_results *results, const json_t *object)
{
    const json_t *device = json_object_get(object, "device"), *gl = json_object_get(object, "gl"),
                 *blit = json_object_get(object, "blit");
    (void)read_fields(NULL, results, object, FIELDS(environment_fields), "n/a", results);
    results->argv = read_texts(results, json_object_get(object, "argv"));
    results->has_device = json_is_object(device);
    if (results->has_device) {
        read_device(results, device, &results->device, &results->overheads, &results->telemetry);
        results->ceilings = krn_ceilings_of(&results->device);
        read_properties(results, json_object_get(device, "properties"));
    }
    (void)read_fields(NULL, results, gl, FIELDS(gl_fields), NULL, &results->screen);
    (void)read_fields(NULL, results, blit, FIELDS(blit_fields), NULL, &results->screen);
}

static void read_run(struct app_results *results, const json_t *object)
{
    struct app_results_run *run = &results->run;
    const json_t *failed = json_object_get(object, "failed"),
                 *each = json_object_get(object, "each");
    const size_t n = json_array_size(failed);
    struct app_results_failure *failures = app_results_take(results, n, sizeof *failures);
    struct app_results_device *devices =
        app_results_take(results, json_array_size(each), sizeof *devices);
    (void)read_fields(NULL, results, object, FIELDS(run_fields), NULL, run);
    run->has_seed = app_parse_uint64(text_of(object, "seed", ""), &run->seed);
    run->failed = failures;
    run->failed_count = n;
    for (size_t i = 0; i < n; i++)
        (void)read_fields(NULL, results, json_array_get(failed, i), FIELDS(failure_fields), "n/a",
                          &failures[i]);
    run->devices = devices;
    for (size_t i = 0; i < json_array_size(each); i++) {
        const json_t *entry = json_array_get(each, i);
        if (!json_is_integer(json_object_get(entry, "ordinal")))
            continue;
        struct app_results_device *device = &devices[run->device_count++];
        (void)read_fields(NULL, results, entry, FIELDS(each_fields), "n/a", device);
        read_moment(results, entry, &device->telemetry);
    }
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

/* Reads the state, a file scene's hashes and spheres, and the picture's hash. */
static enum krn_code read_picture(struct app_json_reader *reader, const json_t *root,
                                  struct app_results_picture *picture)
{
    const json_t *state = json_object_get(root, "state"), *scene = json_object_get(state, "scene"),
                 *drawn = json_object_get(root, "picture");
    uint64_t unused;
    picture->has_hash =
        parse_hash(json_string_value(json_object_get(drawn, "hash")), &picture->hash);
    app_json_enter(reader, "picture", 0);
    if (drawn != NULL && !picture->has_hash)
        return app_json_fail(reader, "must be an object with a hash of 16 hexadecimal digits");
    app_json_leave(reader);
    app_json_enter(reader, "state", 0);
    enum krn_code code = app_state_from_json(reader, state, &picture->state);
    if (code != KRN_OK)
        return code;
    app_json_enter(reader, "scene", 0);
    for (int view = 0; view < KRN_VIEW_COUNT; view++) {
        const json_t *hash = json_object_get(scene, hash_keys[view]);
        app_json_enter(reader, hash_keys[view], 0);
        if (hash != NULL && !parse_hash(json_string_value(hash), &unused))
            return app_json_fail(reader, "must be 16 hexadecimal digits");
        app_json_leave(reader);
        snprintf(picture->scene_hash[view], sizeof picture->scene_hash[view], "%s",
                 hash != NULL ? json_string_value(hash) : "");
    }
    const char *note = text_of(scene, "note", "");
    snprintf(picture->scene_note, sizeof picture->scene_note, "%s", note);
    app_make_printable(picture->scene_note);
    return picture->state.spec.scene == APP_SCENE_FILE
               ? app_scene_from_json(reader, scene, picture->state.spec.recipe.count,
                                     &picture->scene)
               : KRN_OK;
}

static enum krn_code read_record(struct app_json_reader *reader, const json_t *root,
                                 struct app_results *results)
{
    json_t *value = NULL;
    if (!json_is_object(root))
        return app_json_fail(reader, "must be a results record");
    enum krn_code code = app_json_require(reader, root, "schema", JSON_STRING, &value);
    if (code != KRN_OK)
        return code;
    if (strcmp(json_string_value(value), SCHEMA) != 0) {
        app_json_enter(reader, "schema", 0);
        return app_json_fail(reader, "is \"%.40s\", but this version reads \"" SCHEMA "\"",
                             json_string_value(value));
    }
    code = app_json_require(reader, root, "environment", JSON_OBJECT, &value);
    if (code != KRN_OK)
        return code;
    read_environment(results, value);
    read_run(results, json_object_get(root, "run"));
    results->notes = read_texts(results, json_object_get(root, "notes"));
    results->trust = read_trust(results, json_object_get(root, "trust"));
    const json_t *recorded = json_object_get(root, "recorded");
    struct app_results_origin *origin = &results->origin;
    origin->valid = json_is_object(json_object_get(recorded, "device"));
    origin->time_utc = app_results_keep(results, text_of(recorded, "time_utc", "n/a"));
    if (origin->valid)
        read_device(results, json_object_get(recorded, "device"), &origin->device,
                    &origin->overheads, &origin->telemetry);
    results->complete = !json_is_false(json_object_get(root, "complete"));
    struct app_json_reader quiet = *reader;
    quiet.error = &results->picture.problem;
    results->picture.problem.code = read_picture(&quiet, root, &results->picture);
    if (results->picture.problem.code == KRN_NO_MEMORY) {
        *reader->error = results->picture.problem;
        return KRN_NO_MEMORY;
    }
    return read_results(reader, root, results);
}

/* Refuses a picture, which people give for the record in it. */
static enum krn_code refuse_picture(const struct app_json_reader *reader)
{
    static const struct {
        size_t at;
        const char *bytes, *format;
    } formats[] = {
        {0, "\x89PNG", "PNG"}, {0, "\xff\xd8\xff", "JPEG"}, {4, "JXL ", "JPEG XL"},
        {8, "WEBP", "WebP"},   {0, "GIF8", "GIF"},          {4, "ftypavi", "AVIF"},
        {4, "ftyphe", "HEIC"}, {4, "ftypmif1", "HEIC"},     {4, "ftyp", "MP4"},
        {0, "II*", "TIFF"},    {0, "MM", "TIFF"},           {0, "BM", "BMP"},
        {0, "%PDF", "PDF"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t at = formats[i].at, length = strlen(formats[i].bytes);
        if (reader->length < at + length ||
            memcmp(reader->text + at, formats[i].bytes, length) != 0)
            continue;
        if (i == 0)
            return KRN_FAIL(reader->error, KRN_REFUSED,
                            "%s is a PNG file, whose record --replay alone reads; give the file of "
                            "--json.",
                            app_shorten(reader->source).text);
        return KRN_FAIL(reader->error, KRN_REFUSED,
                        "%s has the format %s and holds no results: chat programs and editors "
                        "re-encode pictures and drop them; use the PNG file that Spherescope "
                        "wrote.",
                        app_shorten(reader->source).text, formats[i].format);
    }
    return KRN_OK;
}

enum krn_code app_results_read(const char *text, size_t length, const char *source,
                               struct app_results *results, struct krn_error *error)
{
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    json_t *root = NULL;
    app_results_begin(results, &(struct app_environment){.argc = 0});
    enum krn_code code = refuse_picture(&reader);
    KRN_THEN(code, app_json_load(&reader, &bounds, &root));
    KRN_THEN(code, read_record(&reader, root, results));
    /* The tree of a record takes several times the memory of what is read from it. */
    json_decref(root);
    if (code != KRN_OK)
        app_results_free(results);
    return code;
}

enum krn_code app_results_read_file(const char *path, struct app_results *results,
                                    struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    memset(results, 0, sizeof *results);
    enum krn_code code = app_read_file(path, APP_RECORD_BYTES_MAX, &text, &length, error);
    KRN_THEN(code, app_results_read(text, length, path, results, error));
    free(text);
    return code;
}
