#include "results/tables.h"

#include "base/memory.h"
#include "base/value.h"
#include "record/record_json.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct job {
    void (*write)(const json_t *root, FILE *out);
    json_t *root;
};

static void do_job(FILE *out, const void *context)
{
    const struct job *job = context;
    job->write(job->root, out);
}

char *app_record_collect(const char *record, void (*write)(const json_t *root, FILE *out))
{
    struct job job = {.write = write};
    struct krn_error ignored;
    struct app_json_reader reader = {
        .text = record, .length = strlen(record), .source = "a record", .error = &ignored};
    if (app_record_load(&reader, &job.root) != KRN_OK)
        return NULL;
    char *text = app_printed(do_job, &job);
    json_decref(job.root);
    return text;
}

const char *app_record_text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

static void csv_cell(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != 0; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Writes a number, a text, true, false or a list of ids; nothing for a missing value. */
static void csv_value(FILE *out, const json_t *value)
{
    char number[40];
    if (json_is_string(value)) {
        csv_cell(out, json_string_value(value));
    } else if (json_is_integer(value)) {
        fprintf(out, "%lld", (long long)json_integer_value(value));
    } else if (json_is_number(value)) {
        app_format(number, sizeof number, "%.9g", json_number_value(value));
        fputs(number, out);
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "true" : "false", out);
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", json_string_value(json_array_get(value, i)));
    }
}

/* Returns the names of all members under `part` of any result, in order of first appearance. */
static json_t *columns_of(const json_t *results, const char *part)
{
    json_t *columns = json_object();
    for (size_t i = 0; i < json_array_size(results); i++) {
        const char *key;
        json_t *value, *members = json_object_get(json_array_get(results, i), part);
        json_object_foreach(members, key, value)
        {
            if (json_object_get(columns, key) == NULL)
                json_object_set_new(columns, key, json_true());
        }
    }
    return columns;
}

static void csv_columns(FILE *out, const json_t *columns, const json_t *members)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)columns, key, value)
    {
        fputc(',', out);
        if (members != NULL)
            csv_value(out, json_object_get(members, key));
        else
            csv_cell(out, key);
    }
}

static void write_csv(const json_t *root, FILE *out)
{
    static const char *const names[] = {"benchmark", "variant", "backend", "regime"};
    static const char *const ends[] = {"scope", "verified", "verified_reason", "trust", "complete"};
    const json_t *environment = json_object_get(root, "environment"),
                 *device = json_object_get(environment, "device"),
                 *results = json_object_get(root, "results");
    static const char *const parts[] = {"workload", "parameters", "outcome", "metrics"};
    enum { PARTS = sizeof parts / sizeof *parts };
    json_t *columns[PARTS];
    fputs("benchmark,variant,backend,regime", out);
    for (size_t i = 0; i < PARTS; i++) {
        columns[i] = columns_of(results, parts[i]);
        csv_columns(out, columns[i], NULL);
    }
    fputs(",processes", out);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        fprintf(out, ",%s", ends[i]);
    fputs(",device,host,time_utc,version,git\r\n", out);
    for (size_t r = 0; r < json_array_size(results); r++) {
        const json_t *result = json_array_get(results, r);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            fputs(i > 0 ? "," : "", out);
            csv_cell(out, app_record_text_of(result, names[i]));
        }
        for (size_t i = 0; i < PARTS; i++)
            csv_columns(out, columns[i], json_object_get(result, parts[i]));
        fprintf(out, ",%zu", json_array_size(json_object_get(result, "processes")));
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            fputc(',', out);
            csv_value(out, json_object_get(result, ends[i]));
        }
        fputc(',', out);
        csv_cell(out, app_record_text_of(device, "name"));
        static const char *const machine[] = {"host", "time_utc", "version", "git"};
        for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
            fputc(',', out);
            csv_cell(out, app_record_text_of(environment, machine[i]));
        }
        fputs("\r\n", out);
    }
    for (size_t i = 0; i < PARTS; i++)
        json_decref(columns[i]);
}

char *app_table_csv(const char *record)
{
    return app_record_collect(record, write_csv);
}
