/* app/io/prometheus.c - a record as metrics for Prometheus. */
#include "io/io.h"

#include "base/memory.h"
#include "base/value.h"

#include "krn/across.h"

#include <ctype.h>
#include <stdio.h>
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

/* What every series carries: files of several runs, hosts or GPUs may lie in one folder. */
struct writer {
    FILE *out;
    const struct app_results *results;
    const char *run;
};

/* Writes a label; its name gets letters, digits and underscores. */
static void write_label(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s%s", before, isdigit((unsigned char)name[0]) ? "_" : "");
    for (; *name != 0; name++)
        fputc(isalnum((unsigned char)*name) ? *name : '_', out);
    fputs("=\"", out);
    for (; *text != 0; text++) {
        if (*text == '\\' || *text == '"')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Begins a line with the labels of the run. gpu: of the processes' GPUs, or NULL for the device of
 * the record. */
static void begin(const struct writer *writer, const char *name,
                  const struct app_results_device *gpu)
{
    const struct app_results *results = writer->results;
    fputs(name, writer->out);
    write_label(writer->out, "{", "run", writer->run);
    write_label(writer->out, ",", "host", results->host);
    write_label(writer->out, ",", "device",
                gpu != NULL           ? gpu->name
                : results->has_device ? results->device.name
                                      : "");
}

static void end(const struct writer *writer, double value)
{
    char number[40];
    app_format(number, sizeof number, "%.9g", value);
    fprintf(writer->out, "} %s\n", number);
}

/* Writes one line: the labels of a result and, unless it is NULL, of a GPU, and a number. */
static void write_sample(const struct writer *writer, const char *name,
                         const struct app_result *result, const struct app_results_device *gpu,
                         double value)
{
    const struct app_pairs lists[] = {result->workload, result->parameters};
    const char *const texts[][2] = {{"benchmark", result->benchmark},
                                    {"variant", result->variant},
                                    {"backend", krn_backend_name(result->backend)},
                                    {"regime", result->regime}};
    char number[APP_PAIR_NUMBER];
    begin(writer, name, gpu);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        write_label(writer->out, ",", texts[i][0], texts[i][1]);
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (size_t i = 0; i < lists[list].count; i++)
            write_label(writer->out, ",", lists[list].pairs[i].key,
                        app_pair_text(&lists[list].pairs[i], number));
    if (gpu != NULL) {
        snprintf(number, sizeof number, "%d", gpu->ordinal);
        write_label(writer->out, ",", "gpu", number);
        write_label(writer->out, ",", "pci_id", gpu->pci_id);
    }
    end(writer, value);
}

static void write_head(const struct writer *writer, const char *name, const char *help)
{
    fprintf(writer->out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void write_family(const struct writer *writer, const struct family *family)
{
    bool begun = false;
    for (size_t i = 0; i < writer->results->count; i++) {
        const struct app_result *result = &writer->results->results[i];
        const struct app_pair *value = app_pairs_find(result->metrics, family->metric);
        if (value == NULL)
            continue;
        if (!begun)
            write_head(writer, family->name, family->help);
        begun = true;
        write_sample(writer, family->name, result, NULL, value->number * family->factor);
    }
}

/* Writes what is known of every result: reasons to doubt it, and whether it is right. */
static void write_doubts(const struct writer *writer)
{
    static const char doubts[] = "spherescope_doubts", wrong[] = "spherescope_wrong";
    const struct app_results *results = writer->results;
    const char *ids[APP_TRUST_COUNT];
    if (results->count == 0)
        return;
    write_head(writer, doubts, "Number of reasons to doubt a result.");
    for (size_t i = 0; i < results->count; i++) {
        const struct app_results_trust *trust = &results->results[i].trust;
        write_sample(writer, doubts, &results->results[i], NULL,
                     (double)(app_trust_ids(trust->reasons, ids) + trust->others.count));
    }
    write_head(writer, wrong, "1 if the verification found the result wrong, else 0.");
    for (size_t i = 0; i < results->count; i++)
        write_sample(writer, wrong, &results->results[i], NULL,
                     results->results[i].verified == APP_VERIFIED_FALSE);
}

/* Returns the first process on the GPU of process i. */
static size_t first_on_gpu(const struct app_results_run *run, size_t i)
{
    size_t first = 0;
    while (run->devices[first].ordinal != run->devices[i].ordinal ||
           strcmp(run->devices[first].pci_id, run->devices[i].pci_id) != 0)
        first++;
    return first;
}

/* Returns true when process `number` ran on the GPU whose first process is `gpu`. */
static bool ran_on(const struct app_results_run *run, size_t gpu, int number)
{
    for (size_t i = gpu; i < run->device_count; i++)
        if (run->devices[i].process == number && first_on_gpu(run, i) == gpu)
            return true;
    return false;
}

/* Returns the time of a result on a GPU in ms; 0: it was not measured there. */
static double gpu_ms(const struct app_result *result, const struct app_results_run *run, size_t gpu)
{
    double values[KRN_PROCESSES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_pair *ms = app_pairs_find(result->processes[i].metrics, "median_ms");
        if (ms != NULL && ran_on(run, gpu, result->processes[i].process))
            values[n++] = ms->number;
    }
    return krn_across(values, n, KRN_INTERVAL_LEVEL, 0).value;
}

/* Returns true when a result is wrong on a GPU: a process of that GPU says so, or no process says
 * which GPU it is. */
static bool gpu_is_wrong(const struct app_result *result, const struct app_results_run *run,
                         size_t gpu)
{
    bool here = false, anywhere = false;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const bool wrong = (process->trust.reasons & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)) != 0;
        anywhere = anywhere || wrong;
        here = here || (wrong && ran_on(run, gpu, process->process));
    }
    return here || (!anywhere && result->verified == APP_VERIFIED_FALSE);
}

/* Writes, of the results on every GPU where they were measured, the time in seconds, or whether
 * they are wrong there. */
static void write_of_gpus(const struct writer *writer, bool times)
{
    const struct app_results_run *run = &writer->results->run;
    const char *name = times ? "spherescope_gpu_time_seconds" : "spherescope_gpu_wrong";
    bool begun = false;
    for (size_t r = 0; r < writer->results->count; r++)
        for (size_t gpu = 0; gpu < run->device_count; gpu++) {
            const struct app_result *result = &writer->results->results[r];
            const double ms = first_on_gpu(run, gpu) == gpu ? gpu_ms(result, run, gpu) : 0.0;
            if (!(ms > 0.0))
                continue;
            if (!begun)
                write_head(writer, name,
                           times ? "Median time of a kernel on one GPU, geometric mean of the "
                                   "processes there."
                                 : "1 if the verification found the result wrong on this GPU, "
                                   "else 0.");
            begun = true;
            write_sample(writer, name, result, &run->devices[gpu],
                         times ? ms * 1e-3 : gpu_is_wrong(result, run, gpu));
        }
}

static void write_prometheus(FILE *out, const void *context)
{
    static const char info[] = "spherescope_info", complete[] = "spherescope_complete";
    struct writer writer = *(const struct writer *)context;
    const struct app_results *results = writer.results;
    size_t gpus = 0;
    writer.out = out;
    write_head(&writer, info, "Always 1; the labels tell the program, its host and its device.");
    begin(&writer, info, NULL);
    write_label(out, ",", "version", results->version);
    write_label(out, ",", "git", results->git);
    write_label(out, ",", "driver", results->has_device ? results->device.driver : "");
    end(&writer, 1);
    write_head(&writer, complete, "1 if no result that was asked for is missing, else 0.");
    begin(&writer, complete, NULL);
    end(&writer, results->complete);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        write_family(&writer, &families[i]);
    write_doubts(&writer);
    for (size_t i = 0; i < results->run.device_count; i++)
        gpus += first_on_gpu(&results->run, i) == i;
    if (gpus < 2)
        return;
    write_of_gpus(&writer, true);
    write_of_gpus(&writer, false);
}

char *app_results_prometheus(const struct app_results *results, const char *run)
{
    return app_printed(write_prometheus, &(struct writer){.results = results, .run = run});
}
