#include "record/record_json.h"

#include "base/complain.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "spherescope-results-2"

/* Significant digits: 9 exceed the precision of any reading; 17 restore every bit of a double. */
enum { READING_DIGITS = 9, STATE_DIGITS = 17 };

const struct app_json_bounds app_record_bounds = {
    .bytes = 128u << 20,
    .depth = 8,
    .values = 16u << 20,
};

/* Makes every text below `value` printable. */
static void clean(json_t *value)
{
    const char *key, *text = json_string_value(value);
    json_t *member;
    if (json_is_object(value)) {
        json_object_foreach(value, key, member)
        {
            clean(member);
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        clean(json_array_get(value, i));
    if (text == NULL || app_is_printable(text, false))
        return;
    char *copy = app_copy(text);
    app_make_printable(copy);
    json_string_set(value, copy);
    free(copy);
}

enum krn_code app_record_parse(struct app_json_reader *reader, json_t **root)
{
    json_t *schema = NULL;
    enum krn_code code = app_json_load(reader, &app_record_bounds, root);
    if (code != KRN_OK)
        return code;
    code = json_is_object(*root) ? app_json_require(reader, *root, "schema", JSON_STRING, &schema)
                                 : app_json_fail(reader, "must be a results record");
    if (code == KRN_OK && strcmp(json_string_value(schema), SCHEMA) != 0) {
        app_json_enter(reader, "schema", 0);
        code = app_json_fail(reader, "is \"%.40s\", but this version reads \"" SCHEMA "\"",
                             json_string_value(schema));
        app_json_leave(reader);
    }
    if (code != KRN_OK) {
        json_decref(*root);
        *root = NULL;
    }
    return code;
}

enum krn_code app_record_load(struct app_json_reader *reader, json_t **root)
{
    json_t *environment;
    enum krn_code code = app_record_parse(reader, root);
    if (code != KRN_OK)
        return code;
    code = app_json_require(reader, *root, "environment", JSON_OBJECT, &environment);
    if (code == KRN_OK) {
        clean(*root);
    } else {
        json_decref(*root);
        *root = NULL;
    }
    return code;
}

static const char *text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "n/a";
}

char *app_record_key(const json_t *result)
{
    json_t *key =
        json_pack("[s?s?s?s?O?O?]", text_of(result, "benchmark"), text_of(result, "variant"),
                  text_of(result, "backend"), text_of(result, "regime"),
                  json_object_get(result, "workload"), json_object_get(result, "parameters"));
    char *text = json_dumps(key, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(key);
    return text;
}

static void write_record(FILE *out, const void *root)
{
    static const struct {
        const char *key;
        int digits;
    } parts[] = {{"environment", READING_DIGITS}, {"run", READING_DIGITS},
                 {"state", STATE_DIGITS},         {"picture", READING_DIGITS},
                 {"recorded", READING_DIGITS},    {"trust", READING_DIGITS},
                 {"notes", READING_DIGITS}};
    const json_t *results = json_object_get(root, "results");
    fprintf(out, "{\n\"schema\": \"%s\",\n\"complete\": %s", SCHEMA,
            json_is_false(json_object_get(root, "complete")) ? "false" : "true");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const json_t *part = json_object_get(root, parts[i].key);
        if (part == NULL)
            continue;
        fprintf(out, ",\n\"%s\": ", parts[i].key);
        json_dumpf(part, out, (size_t)JSON_REAL_PRECISION(parts[i].digits));
    }
    fputs(",\n\"results\": [", out);
    for (size_t i = 0; i < json_array_size(results); i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        json_dumpf(json_array_get(results, i), out, (size_t)JSON_REAL_PRECISION(READING_DIGITS));
    }
    fputs("\n]\n}\n", out);
}

char *app_record_print(const json_t *root)
{
    return app_printed(write_record, root);
}
