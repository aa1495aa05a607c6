#include "results/tables.h"

#include "base/value.h"
#include "judge/trust.h"

#include "krn/across.h"

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

/* Writes what tells a GPU from the others of its machine; gpu: an entry of `each`, or NULL. */
static void write_gpu(FILE *out, const json_t *gpu, bool *first)
{
    char number[24];
    if (gpu == NULL)
        return;
    app_format(number, sizeof number, "%.0f", json_number_value(json_object_get(gpu, "ordinal")));
    write_label(out, "gpu", number, first);
    write_label(out, "device", app_record_text_of(gpu, "name"), first);
    write_label(out, "pci_id", app_record_text_of(gpu, "pci_id"), first);
}

/* Writes one line: the labels of a result and, unless it is NULL, of a GPU, and a number. */
static void write_sample(FILE *out, const char *name, const json_t *result, const json_t *gpu,
                         double value)
{
    static const char *const names[] = {"benchmark", "variant", "backend", "regime"};
    char number[40];
    bool first = true;
    fprintf(out, "%s{", name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_label(out, names[i], app_record_text_of(result, names[i]), &first);
    write_members(out, json_object_get(result, "workload"), &first);
    write_members(out, json_object_get(result, "parameters"), &first);
    write_gpu(out, gpu, &first);
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
        write_sample(out, family->name, result, NULL, json_number_value(value) * family->factor);
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
        write_sample(out, doubts, result, NULL,
                     (double)json_array_size(json_object_get(result, "trust")));
    }
    if (n > 0)
        write_head(out, wrong, "1 if the verification found the result wrong, else 0.");
    for (size_t i = 0; i < n; i++) {
        const json_t *result = json_array_get(results, i);
        write_sample(out, wrong, result, NULL, json_is_false(json_object_get(result, "verified")));
    }
}

/* The processes of a run that name their GPU. */
struct processes {
    size_t count;
    const json_t *each[KRN_PROCESSES_MAX];
    json_int_t number[KRN_PROCESSES_MAX];
    size_t gpu[KRN_PROCESSES_MAX]; /* the first process on the same GPU */
};

static bool same_gpu(const json_t *a, const json_t *b)
{
    return json_integer_value(json_object_get(a, "ordinal")) ==
               json_integer_value(json_object_get(b, "ordinal")) &&
           strcmp(app_record_text_of(a, "pci_id"), app_record_text_of(b, "pci_id")) == 0;
}

static struct processes processes_of(const json_t *each)
{
    struct processes run = {.count = 0};
    for (size_t i = 0; i < json_array_size(each) && i < KRN_PROCESSES_MAX; i++) {
        run.each[i] = json_array_get(each, i);
        run.number[i] = json_integer_value(json_object_get(run.each[i], "process"));
        while (run.gpu[i] < i && !same_gpu(run.each[run.gpu[i]], run.each[i]))
            run.gpu[i]++;
        run.count++;
    }
    return run;
}

/* Returns true when a process ran on the GPU whose first process is `gpu`. */
static bool ran_on(const json_t *process, const struct processes *run, size_t gpu)
{
    const json_int_t number = json_integer_value(json_object_get(process, "process"));
    for (size_t i = gpu; i < run->count; i++)
        if (run->gpu[i] == gpu && run->number[i] == number)
            return true;
    return false;
}

/* Returns the time of a result on a GPU in ms; 0: it was not measured there. */
static double gpu_ms(const json_t *result, const struct processes *run, size_t gpu)
{
    const json_t *processes = json_object_get(result, "processes");
    double values[KRN_PROCESSES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(processes) && n < KRN_PROCESSES_MAX; i++) {
        const json_t *process = json_array_get(processes, i),
                     *ms = json_object_get(json_object_get(process, "metrics"), "median_ms");
        if (json_is_number(ms) && ran_on(process, run, gpu))
            values[n++] = json_number_value(ms);
    }
    return krn_across(values, n, KRN_INTERVAL_LEVEL, 0).value;
}

/* Returns true when a process found its result wrong. */
static bool is_wrong(const json_t *process)
{
    const json_t *trust = json_object_get(process, "trust");
    bool wrong = false;
    for (size_t i = 0; i < json_array_size(trust); i++) {
        const char *id = json_string_value(json_array_get(trust, i));
        wrong =
            wrong || (id != NULL && app_trust_of_id(id) == APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
    }
    return wrong;
}

/* Returns true when a result is wrong on a GPU: a process of that GPU says so, or no process says
 * which GPU it is. */
static bool gpu_is_wrong(const json_t *result, const struct processes *run, size_t gpu)
{
    const json_t *processes = json_object_get(result, "processes");
    bool here = false, anywhere = false;
    for (size_t i = 0; i < json_array_size(processes); i++) {
        const json_t *process = json_array_get(processes, i);
        anywhere = anywhere || is_wrong(process);
        here = here || (is_wrong(process) && ran_on(process, run, gpu));
    }
    return here || (!anywhere && json_is_false(json_object_get(result, "verified")));
}

/* Writes the time of every result on every GPU where it was measured, in seconds, or whether it is
 * wrong there. */
static void write_of_gpus(FILE *out, const json_t *results, const struct processes *run, bool times)
{
    const char *name = times ? "spherescope_gpu_time_seconds" : "spherescope_gpu_wrong";
    bool begun = false;
    for (size_t r = 0; r < json_array_size(results); r++)
        for (size_t gpu = 0; gpu < run->count; gpu++) {
            const json_t *result = json_array_get(results, r);
            const double ms = run->gpu[gpu] == gpu ? gpu_ms(result, run, gpu) : 0.0;
            if (!(ms > 0.0))
                continue;
            if (!begun)
                write_head(out, name,
                           times ? "Median time of a kernel on one GPU, geometric mean of the "
                                   "processes there."
                                 : "1 if the verification found the result wrong on this GPU, "
                                   "else 0.");
            begun = true;
            write_sample(out, name, result, run->each[gpu],
                         times ? ms * 1e-3 : gpu_is_wrong(result, run, gpu));
        }
}

/* Writes the results of every GPU, where the processes ran on several. */
static void write_gpus(FILE *out, const json_t *results, const json_t *each)
{
    const struct processes run = processes_of(each);
    size_t gpus = 0;
    for (size_t i = 0; i < run.count; i++)
        gpus += run.gpu[i] == i;
    if (gpus < 2)
        return;
    write_of_gpus(out, results, &run, true);
    write_of_gpus(out, results, &run, false);
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
    write_gpus(out, results, json_object_get(json_object_get(root, "run"), "each"));
}

char *app_prometheus_text(const char *record)
{
    return app_record_collect(record, write_prometheus);
}
