/* app/records/prometheus.c - a record as metrics for Prometheus. */
#include "records/compare.h"
#include "records/io.h"

#include "krn/memory.h"

#include <ctype.h>
#include <string.h>

/* The metrics that a collector gets, with the names of their series. Prometheus keeps each series
 * of each day, so not every metric is one. */
static const struct family {
    enum app_member metric;
    const char *name;
} families[] = {
    {APP_M_MEDIAN_MS, "spherescope_time_seconds"},
    {APP_M_LOW_MS, "spherescope_time_low_seconds"},
    {APP_M_HIGH_MS, "spherescope_time_high_seconds"},
    {APP_M_EFFECTIVE_GBPS, "spherescope_effective_bytes_per_second"},
    {APP_M_GFLOPS, "spherescope_operations_per_second"},
    {APP_M_RATIO, "spherescope_duel_ratio"},
};

/* Returns the factor from the unit of a metric to the base unit. */
static double base_unit(enum app_member metric)
{
    const char *unit = app_members[metric].unit;
    return strcmp(unit, "ms") == 0 ? 1e-3 : unit[0] == 'G' ? 1e9 : 1.0;
}

/* What every series carries: files of several runs, hosts or GPUs may lie in one folder. */
struct writer {
    FILE *out;
    const struct app_results *results;
    const char *run;
    const char *name; /* of the family that has begun; NULL: none has */
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

/* Begins a line with the labels of the run, and before the first one of a family its head. gpu: of
 * the processes' GPUs, or NULL for the device of the record. */
static void begin(struct writer *writer, const char *name, const char *help,
                  const struct app_results_device *gpu)
{
    const struct app_results *results = writer->results;
    if (writer->name != name)
        fprintf(writer->out, "# HELP %s %s.\n# TYPE %s gauge\n", name, help, name);
    writer->name = name;
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
static void write_sample(struct writer *writer, const char *name, const char *help,
                         const struct app_result *result, const struct app_results_device *gpu,
                         double value)
{
    const struct app_pairs lists[] = {result->workload, result->parameters};
    const char *const texts[][2] = {{"benchmark", result->benchmark},
                                    {"variant", result->variant},
                                    {"backend", krn_backend_name(result->backend)},
                                    {"regime", result->regime}};
    char number[APP_PAIR_NUMBER];
    begin(writer, name, help, gpu);
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

/* Writes, of the results on every GPU where they were measured, the time in seconds, or whether
 * they are wrong there. */
static void write_of_gpus(struct writer *writer, bool times)
{
    static const char name[] = "spherescope_gpu_time_seconds", wrong[] = "spherescope_gpu_wrong";
    const struct app_results_run *run = &writer->results->run;
    for (size_t r = 0; r < writer->results->count; r++)
        for (size_t gpu = 0; gpu < run->device_count; gpu++) {
            const struct app_result *result = &writer->results->results[r];
            const struct app_estimate time = app_device_time(run, gpu, result);
            if (app_device_first(run, gpu) != gpu || !(time.value > 0.0))
                continue;
            if (times)
                write_sample(writer, name,
                             "median time on one GPU, geometric mean of the processes there",
                             result, &run->devices[gpu], time.value * 1e-3);
            else
                write_sample(writer, wrong,
                             "1 if the verification found the result wrong on this GPU, else 0",
                             result, &run->devices[gpu],
                             (time.trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)) != 0);
        }
}

static void write_prometheus(FILE *out, const void *context)
{
    struct writer writer = *(const struct writer *)context;
    const struct app_results *results = writer.results;
    const char *ids[APP_TRUST_COUNT];
    size_t gpus = 0;
    writer.out = out;
    begin(&writer, "spherescope_info",
          "always 1; the labels tell the program, its host and its device", NULL);
    write_label(out, ",", "version", results->version);
    write_label(out, ",", "git", results->git);
    write_label(out, ",", "driver", results->has_device ? results->device.driver : "");
    end(&writer, 1);
    begin(&writer, "spherescope_complete", "1 if no result that was asked for is missing, else 0",
          NULL);
    end(&writer, results->complete);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < results->count; i++) {
            const struct app_pair *value =
                app_result_member(&results->results[i], families[f].metric);
            if (value != NULL)
                write_sample(&writer, families[f].name, app_members[families[f].metric].what,
                             &results->results[i], NULL,
                             value->number * base_unit(families[f].metric));
        }
    static const char doubts[] = "spherescope_doubts", wrong[] = "spherescope_wrong";
    for (size_t i = 0; i < results->count; i++) {
        const struct app_results_trust *trust = &results->results[i].trust;
        write_sample(&writer, doubts, "number of reasons to doubt a result", &results->results[i],
                     NULL, (double)(app_trust_ids(trust->reasons, ids) + trust->others.count));
    }
    for (size_t i = 0; i < results->count; i++)
        write_sample(&writer, wrong, "1 if the verification found the result wrong, else 0",
                     &results->results[i], NULL,
                     results->results[i].verified == APP_VERIFIED_FALSE);
    for (size_t i = 0; i < results->run.device_count; i++)
        gpus += app_device_first(&results->run, i) == i;
    for (int times = 1; times >= 0 && gpus > 1; times--)
        write_of_gpus(&writer, times == 1);
}

char *app_results_prometheus(const struct app_results *results, const char *run)
{
    return krn_printed(write_prometheus, &(struct writer){.results = results, .run = run});
}
