#include "record/reader.h"

#include "base/files.h"
#include "base/json_read.h"
#include "base/value.h"
#include "record/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct app_json_bounds bounds = {
    .bytes = 64u << 20,
    .depth = 8,
    .values = 8u << 20,
};

void app_read_record_free(struct app_read_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free(record->results[i].samples_ms);
    free(record->results);
    memset(record, 0, sizeof *record);
}

/* Copies a text, truncated; '?' replaces control characters, which a terminal would execute. */
static void copy_text(const json_t *object, const char *key, char *to, size_t size)
{
    const json_t *value = json_object_get(object, key);
    snprintf(to, size, "%s", json_is_string(value) ? json_string_value(value) : "n/a");
    for (char *c = to; *c != 0; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

/* Finds a member that the object must have, of the given type. */
static enum krn_code require(struct app_json_reader *reader, const json_t *object, const char *key,
                             json_type type, json_t **value)
{
    enum krn_code code = KRN_OK;
    *value = json_object_get(object, key);
    app_json_enter(reader, key, 0);
    if (*value == NULL)
        code = app_json_fail(reader, "is missing");
    else if (json_typeof(*value) != type)
        code = app_json_fail(reader, "must be %s",
                             type == JSON_STRING   ? "a string"
                             : type == JSON_ARRAY  ? "an array"
                             : type == JSON_OBJECT ? "an object"
                                                   : "true or false");
    app_json_leave(reader);
    return code;
}

static enum krn_code read_samples(struct app_json_reader *reader, const json_t *array,
                                  struct app_read_result *result)
{
    const size_t n = json_array_size(array);
    result->samples_ms = n > 0 ? malloc(n * sizeof *result->samples_ms) : NULL;
    if (n > 0 && result->samples_ms == NULL)
        return KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory for %zu samples.", n);
    app_json_enter(reader, "samples_ms", 0);
    for (size_t i = 0; i < n; i++) {
        const double ms = json_number_value(json_array_get(array, i));
        if (!json_is_number(json_array_get(array, i)) || !(ms >= 0) || !isfinite(ms)) {
            app_json_enter(reader, NULL, i);
            return app_json_fail(reader, "must be a number that is not negative");
        }
        result->samples_ms[result->n++] = ms;
    }
    app_json_leave(reader);
    return KRN_OK;
}

/* Renames a variant of old records, which called the published SAXPY kernel "seed". */
static void rename_variant(const char *benchmark, char *variant, size_t size)
{
    static const char old[] = "seed", renamed[] = "published";
    const char *rest = variant + sizeof old - 1;
    char text[72];
    if (strcmp(benchmark, "saxpy") != 0 || strncmp(variant, old, sizeof old - 1) != 0 ||
        (*rest != 0 && *rest != '/'))
        return;
    snprintf(text, sizeof text, "%s%.60s", renamed, rest);
    snprintf(variant, size, "%s", text);
}

/* Sets the result's name and key. Parameters are sorted by name, so that their order in the file
 * does not matter. */
static void make_key(const json_t *result, const json_t *parameters, struct app_read_result *to)
{
    char benchmark[48], variant[72], backend[16];
    copy_text(result, "benchmark", benchmark, sizeof benchmark);
    copy_text(result, "variant", variant, sizeof variant);
    copy_text(result, "backend", backend, sizeof backend);
    rename_variant(benchmark, variant, sizeof variant);
    snprintf(to->name, sizeof to->name, "%s %s", benchmark, variant);
    char *sorted = json_dumps(parameters, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(9));
    snprintf(to->key, sizeof to->key, "%s %s %.340s", to->name, backend, sorted ? sorted : "");
    free(sorted);
}

static enum krn_code read_result(struct app_json_reader *reader, const json_t *object,
                                 struct app_read_result *result)
{
    json_t *value, *parameters, *metrics, *samples;
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    static const char *const texts[] = {"benchmark", "variant", "backend"};
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == KRN_OK; i++)
        code = require(reader, object, texts[i], JSON_STRING, &value);
    if (code == KRN_OK)
        code = require(reader, object, "parameters", JSON_OBJECT, &parameters);
    if (code == KRN_OK)
        code = require(reader, object, "metrics", JSON_OBJECT, &metrics);
    if (code == KRN_OK)
        code = require(reader, object, "samples_ms", JSON_ARRAY, &samples);
    if (code == KRN_OK)
        code = read_samples(reader, samples, result);
    if (code != KRN_OK)
        return code;
    make_key(object, parameters, result);
    const json_t *median = json_object_get(metrics, "median_ms");
    const double ms = json_number_value(median);
    result->median_ms = json_is_number(median) && ms > 0 && isfinite(ms) ? ms : 0;
    result->wrong = json_is_false(json_object_get(object, "verified"));
    result->complete = !json_is_false(json_object_get(object, "complete"));
    return KRN_OK;
}

static enum krn_code read_record(struct app_json_reader *reader, const json_t *root,
                                 struct app_read_record *record)
{
    json_t *schema, *environment, *results;
    if (!json_is_object(root))
        return app_json_fail(reader, "must be a results record");
    enum krn_code code = require(reader, root, "schema", JSON_STRING, &schema);
    if (code != KRN_OK)
        return code;
    app_json_enter(reader, "schema", 0);
    if (strcmp(json_string_value(schema), APP_RECORD_SCHEMA) != 0)
        return app_json_fail(reader, "must be \"" APP_RECORD_SCHEMA "\"");
    app_json_leave(reader);
    code = require(reader, root, "environment", JSON_OBJECT, &environment);
    if (code == KRN_OK)
        code = require(reader, root, "results", JSON_ARRAY, &results);
    if (code != KRN_OK)
        return code;
    const json_t *device = json_object_get(environment, "device");
    copy_text(environment, "host", record->host, sizeof record->host);
    copy_text(environment, "time_utc", record->time_utc, sizeof record->time_utc);
    copy_text(device, "name", record->device, sizeof record->device);
    copy_text(device, json_object_get(device, "driver_version") ? "driver_version" : "driver",
              record->driver, sizeof record->driver);
    const size_t count = json_array_size(results);
    record->results = count > 0 ? calloc(count, sizeof *record->results) : NULL;
    if (count > 0 && record->results == NULL)
        return KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory for %zu results.", count);
    app_json_enter(reader, "results", 0);
    for (size_t i = 0; i < count && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        record->count = i + 1;
        code = read_result(reader, json_array_get(results, i), &record->results[i]);
        app_json_leave(reader);
    }
    return code;
}

enum krn_code app_record_read(const char *path, struct app_read_record *record,
                              struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    memset(record, 0, sizeof *record);
    enum krn_code code = app_read_file(path, bounds.bytes, &text, &length, error);
    if (code != KRN_OK)
        return code;
    struct app_json_reader reader = {
        .text = text, .length = length, .source = path, .error = error};
    json_t *root = NULL;
    code = app_json_load(&reader, &bounds, &root);
    if (code == KRN_OK) {
        code = read_record(&reader, root, record);
        json_decref(root);
    }
    free(text);
    if (code != KRN_OK)
        app_read_record_free(record);
    return code;
}
