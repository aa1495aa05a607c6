#include "results/prometheus.h"

#include "base/value.h"
#include "results/collect.h"

#include <ctype.h>
#include <string.h>

/* The metrics of a result, in base units. */
static const struct family {
    const char *metric; /* in the record */
    const char *name;
    double factor; /* from the record's unit to the base unit */
    const char *help;
} families[] = {
    {"median_ms", "spherescope_time_seconds", 1e-3,
     "Median time of a kernel, geometric mean of the processes."},
    {"low_ms", "spherescope_time_low_seconds", 1e-3,
     "Lower end of the time's 95 percent interval."},
    {"high_ms", "spherescope_time_high_seconds", 1e-3,
     "Upper end of the time's 95 percent interval."},
    {"effective_gbps", "spherescope_effective_bytes_per_second", 1e9,
     "Useful bytes read and written per second."},
    {"gflops", "spherescope_operations_per_second", 1e9, "Floating-point operations per second."},
    {"ratio", "spherescope_duel_ratio", 1.0,
     "Time of a duel's first mode over that of its second."},
};

/* Writes a name as the name of a label: letters, digits and underscores. */
static void write_label_name(FILE *out, const char *name)
{
    if (isdigit((unsigned char)name[0]))
        fputc('_', out);
    for (; *name != 0; name++)
        fputc(isalnum((unsigned char)*name) ? *name : '_', out);
}

static void write_label_text(FILE *out, const char *text)
{
    for (; *text != 0; text++)
        switch (*text) {
        case '\\':
            fputs("\\\\", out);
            break;
        case '"':
            fputs("\\\"", out);
            break;
        case '\n':
            fputs("\\n", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void write_label(FILE *out, const char *name, const char *text, bool *first)
{
    fputs(*first ? "" : ",", out);
    *first = false;
    write_label_name(out, name);
    fputs("=\"", out);
    write_label_text(out, text);
    fputc('"', out);
}

/* Writes the texts, numbers and truths of an object as labels. */
static void write_members(FILE *out, const json_t *object, bool *first)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        char number[40];
        if (json_is_number(value)) {
            app_format(number, sizeof number, "%.9g", json_number_value(value));
            write_label(out, key, number, first);
        } else if (json_is_string(value) || json_is_boolean(value)) {
            write_label(out, key,
                        json_is_string(value) ? json_string_value(value)
                        : json_is_true(value) ? "true"
                                              : "false",
                        first);
        }
    }
}

/* Writes one line: a result's labels and a number. */
static void write_sample(FILE *out, const char *name, const json_t *result, double value)
{
    static const char *const names[] = {"benchmark", "variant", "backend", "regime"};
    char number[40];
    bool first = true;
    fprintf(out, "%s{", name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_label(out, names[i], app_record_text_of(result, names[i]), &first);
    write_members(out, json_object_get(result, "workload"), &first);
    write_members(out, json_object_get(result, "parameters"), &first);
    app_format(number, sizeof number, "%.9g", value);
    fprintf(out, "} %s\n", number);
}

static void write_head(FILE *out, const char *name, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void write_family(FILE *out, const struct family *family, const json_t *results)
{
    bool begun = false;
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const json_t *value = json_object_get(json_object_get(result, "metrics"), family->metric);
        if (!json_is_number(value))
            continue;
        if (!begun)
            write_head(out, family->name, family->help);
        begun = true;
        write_sample(out, family->name, result, json_number_value(value) * family->factor);
    }
}

/* Writes what is known of every result: reasons to doubt it, and whether it is right. */
static void write_doubts(FILE *out, const json_t *results)
{
    static const char doubts[] = "spherescope_doubts", wrong[] = "spherescope_wrong";
    const size_t n = json_array_size(results);
    if (n > 0)
        write_head(out, doubts, "Number of reasons to doubt a result.");
    for (size_t i = 0; i < n; i++) {
        const json_t *result = json_array_get(results, i);
        write_sample(out, doubts, result,
                     (double)json_array_size(json_object_get(result, "trust")));
    }
    if (n > 0)
        write_head(out, wrong, "1 if the verification found the result wrong, else 0.");
    for (size_t i = 0; i < n; i++) {
        const json_t *result = json_array_get(results, i);
        write_sample(out, wrong, result, json_is_false(json_object_get(result, "verified")));
    }
}

static void write_prometheus(const json_t *root, FILE *out)
{
    static const char info[] = "spherescope_info";
    const json_t *environment = json_object_get(root, "environment"),
                 *device = json_object_get(environment, "device"),
                 *results = json_object_get(root, "results");
    bool first = true;
    write_head(out, info, "Always 1; the labels tell the program, its host and its device.");
    fprintf(out, "%s{", info);
    write_label(out, "version", app_record_text_of(environment, "version"), &first);
    write_label(out, "git", app_record_text_of(environment, "git"), &first);
    write_label(out, "host", app_record_text_of(environment, "host"), &first);
    write_label(out, "device", app_record_text_of(device, "name"), &first);
    write_label(out, "driver", app_record_text_of(device, "driver"), &first);
    fputs("} 1\n", out);
    write_head(out, "spherescope_complete",
               "1 if no result that was asked for is missing, else 0.");
    fprintf(out, "spherescope_complete %d\n", !json_is_false(json_object_get(root, "complete")));
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        write_family(out, &families[i], results);
    write_doubts(out, results);
}

char *app_prometheus_text(const char *record)
{
    return app_record_collect(record, write_prometheus);
}
