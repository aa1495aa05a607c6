/* app/bench/bench_probes.c - measures the panels' topics without a window, prints each as a table,
 * and judges the claims board. */
#include "bench/entries.h"

#include "base/numbers.h"
#include "base/value.h"
#include "command/keys.h"
#include "report/report_probes.h"
#include "topics/claims.h"
#include "topics/topics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 24 };

static void print_number(FILE *table, double value, const char *unit)
{
    const struct app_number n = app_number_plain(value, unit);
    fprintf(table, " %s%s%s", n.value, unit[0] != 0 ? " " : "", n.unit);
}

/* --- one line per probe --- */

static void print_probe(const struct app_probes_view *view, const struct app_probe_result *result,
                        const struct app_probe_samples *samples, FILE *table)
{
    static const char *const verdicts[] = {"-", "yes", "WRONG"};
    static const struct {
        enum app_metric metric;
        const char *unit;
    } columns[] = {{APP_METRIC_GBPS, "GB/s"},
                   {APP_METRIC_MOVED_GBPS, "GB/s moved"},
                   {APP_METRIC_OF_THEORETICAL, "% of theoretical"},
                   {APP_METRIC_GFLOPS, "GFLOP/s"},
                   {APP_METRIC_GOPS, "Gop/s"},
                   {APP_METRIC_CYCLES, "cycles"}};
    const struct krn_probe *probe = result->probe;
    char name[64];
    app_format(name, sizeof name, "%s, %s %.0f", probe->series, probe->axis, probe->x);
    if (result->n == 0) {
        fprintf(table, "  %-30s not measured\n", name);
        return;
    }
    const struct app_number median = app_number_time(result->ms.median),
                            low = app_number_time_as(result->ms_interval.low, result->ms.median),
                            high = app_number_time_as(result->ms_interval.high, result->ms.median);
    char interval[64] = "";
    if (result->ms_interval.valid)
        snprintf(interval, sizeof interval, "[%s, %s]", low.value, high.value);
    const int pad = median.unit[0] == '\xc2' ? 1 : 0; /* µ is two bytes and one column */
    fprintf(table, "  %-30s %7s %-*s %-16s %4zu %-6s %-5s", name, median.value, 2 + pad,
            median.unit, interval, result->n, krn_stop_name(samples->stop),
            verdicts[result->verified]);
    bool first = true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const struct app_estimate e = app_metric_of(view, result, columns[i].metric);
        /* The bytes moved are printed only where they differ from the useful ones. */
        if (!e.valid || (columns[i].metric == APP_METRIC_MOVED_GBPS &&
                         probe->moved_bytes == probe->useful_bytes))
            continue;
        fputs(first ? "" : ",", table);
        print_number(table, e.value, columns[i].unit);
        first = false;
    }
    if (probe->sectors > 0.0)
        app_format(interval, sizeof interval, ", %.1f %s per request", probe->sectors,
                   view->device->can.warps ? "sectors" : "lines");
    fprintf(table, "%s\n", probe->sectors > 0.0 ? interval : "");
}

/* --- a table with a column for each series --- */

static void print_matrix(const struct app_probe_run *run, enum app_metric metric, const char *axis,
                         FILE *table)
{
    const struct app_probes_view *view = &run->view;
    const char *series[SERIES_MAX];
    size_t count = 0;
    for (int i = 0; i < view->count; i++) {
        const struct krn_probe *probe = &run->probes[i];
        bool known = strcmp(probe->axis, axis) != 0;
        for (size_t s = 0; s < count; s++)
            known = known || strcmp(series[s], probe->series) == 0;
        if (!known && count < SERIES_MAX)
            series[count++] = probe->series;
    }
    fprintf(table, "  %12s", axis);
    for (size_t s = 0; s < count; s++)
        fprintf(table, "  %14s", series[s]);
    fputc('\n', table);
    double last = -INFINITY;
    for (;;) {
        double next = INFINITY;
        for (int i = 0; i < view->count; i++) {
            const struct krn_probe *probe = &run->probes[i];
            if (strcmp(probe->axis, axis) == 0 && probe->x > last)
                next = fmin(next, probe->x);
        }
        if (!isfinite(next))
            return;
        last = next;
        char x[32];
        app_format(x, sizeof x, next == floor(next) ? "%.0f" : "%.2f", next);
        fprintf(table, "  %12s", x);
        for (size_t s = 0; s < count; s++) {
            const struct app_probe_result *result =
                app_probe_result_find(view, run->topic, series[s], next);
            const struct app_estimate e = app_metric_of(view, result, metric);
            fprintf(table, "  %14s",
                    result == NULL ? "" : app_number_plain(e.valid ? e.value : -1.0, "").value);
        }
        fputc('\n', table);
    }
}

/* Returns the wanted metric, or the first of the others that the axis' probes have. */
static enum app_metric metric_for(const struct app_probe_run *run, enum app_metric wanted,
                                  const char *axis)
{
    static const enum app_metric others[] = {APP_METRIC_CYCLES_PER_STEP, APP_METRIC_NS_PER_STEP,
                                             APP_METRIC_GFLOPS, APP_METRIC_GOPS, APP_METRIC_GBPS};
    for (int i = 0; i < run->view.count; i++) {
        const struct app_probe_result *result = &run->results[i];
        if (strcmp(result->probe->axis, axis) != 0 || result->n == 0)
            continue;
        if (app_metric_of(&run->view, result, wanted).valid)
            return wanted;
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            if (app_metric_of(&run->view, result, others[o]).valid)
                return others[o];
    }
    return wanted;
}

static void print_matrices(const struct app_probe_run *run, FILE *table)
{
    const char *done[SERIES_MAX];
    size_t count = 0;
    for (int i = 0; i < run->view.count; i++) {
        const char *axis = run->probes[i].axis;
        bool known = false;
        for (size_t d = 0; d < count; d++)
            known = known || strcmp(done[d], axis) == 0;
        if (known || count == SERIES_MAX)
            continue;
        done[count++] = axis;
        const enum app_metric metric =
            metric_for(run, app_topic_of(run->topic)->metric[run->device.backend], axis);
        fprintf(table, "  medians, %s:\n", app_metric_words(metric));
        print_matrix(run, metric, axis, table);
    }
}

/* --- a topic --- */

static void print_topic(const struct app_probe_run *run, FILE *table)
{
    const struct app_topic *topic = app_topic_of(run->topic);
    struct app_analysis analysis;
    fprintf(table, "%s, %s, medians by %s\n", topic->title, run->device.name, run->device.clock);
    if (topic->matrix)
        print_matrices(run, table);
    else
        for (int i = 0; i < run->view.count; i++)
            print_probe(&run->view, &run->results[i], &run->samples[i], table);
    app_topic_analyse(run->topic, &run->view, &analysis);
    for (int i = 0; i < analysis.count; i++)
        if (analysis.findings[i].line[0] != 0)
            fprintf(table, "  %s\n", analysis.findings[i].line);
    if (run->left_out[0] != 0)
        fprintf(table, "  Some series are left out: %s\n", run->left_out);
    for (int i = 0; i < run->view.count; i++)
        if (run->results[i].verified == APP_VERIFIED_FALSE)
            fprintf(table, "WRONG result, %s %s: %s.\n", krn_topic_name(run->topic),
                    run->probes[i].series, run->samples[i].verified_text);
}

static void add_topic(struct app_report *report, const struct app_probe_run *run)
{
    for (int i = 0; i < run->view.count; i++) {
        const struct app_probe_samples *samples = &run->samples[i];
        const struct app_probe_origin origin = {
            .samples_ms = samples->ms,
            .cycles = samples->cycles,
            .regime = samples->regime,
            .gate_drops = samples->gate_drops,
            .verified_text = samples->verified_text,
            .stop = samples->stop == KRN_STOP_NOT ? NULL : krn_stop_name(samples->stop),
        };
        app_report_add_probe_result(report, &run->view, &run->results[i], &origin);
    }
}

enum krn_code app_bench_topic(enum krn_topic which, struct app_program *program, FILE *table,
                              struct app_report *report, bool *right, struct krn_error *error)
{
    struct app_probe_run *run = &program->probe_runs[which];
    const struct app_plan plan = app_program_plan(program);
    app_probe_run_free(run);
    const enum krn_code code = app_probe_run_topic(
        app_engine_device(program->engine, &program->state),
        app_engine_monitor(program->engine, program->state.backend), which, &plan, run, error);
    if (code != KRN_OK)
        return code;
    if (table)
        print_topic(run, table);
    add_topic(report, run);
    *right = *right && app_probe_run_right(run);
    return KRN_OK;
}

/* --- the claims board --- */

/* Returns the book kernel's time from global memory over its time from constant memory. */
static struct app_estimate scene_ratio(const struct app_measurement *measurement)
{
    struct app_estimate sides[2] = {{.valid = false}, {.valid = false}};
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        const int side = result->mode.storage == KRN_STORAGE_CONSTANT ? 1 : 0;
        if (result->mode.kernel != KRN_KERNEL_BOOK || result->n == 0 ||
            (side == 0 && result->mode.storage != KRN_STORAGE_GLOBAL))
            continue;
        sides[side] = app_estimate_of_run(result->summary.median, result->interval, 0.0);
    }
    return app_estimate_ratio(sides[0], sides[1]);
}

static void print_claims(const struct app_claim claims[APP_CLAIM_COUNT], FILE *table)
{
    fprintf(table, "\nPublished claims, judged on this device\n  %-58s %-20s %-10s %-16s %s\n",
            "claim", "then", "now", "95 % interval", "verdict");
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        char then[64];
        const struct app_claim *c = &claims[i];
        snprintf(then, sizeof then, "%s, %s", c->then, c->device);
        /* printf counts bytes: widen the columns by the bytes that continue a character. */
        int wide_then = 20, wide_now = 10;
        for (const char *s = then; *s != 0; s++)
            wide_then += ((unsigned char)*s & 0xc0) == 0x80;
        for (const char *s = c->now; *s != 0; s++)
            wide_now += ((unsigned char)*s & 0xc0) == 0x80;
        char note[sizeof c->note];
        app_key_hints(c->note, note, sizeof note);
        fprintf(table, "  %-58s %-*s %-*s %-16s %s%s%s\n", c->claim, wide_then, then, wide_now,
                c->now, c->interval, app_claim_verdict_name(c->verdict), note[0] != 0 ? "; " : "",
                note);
    }
}

void app_bench_claims(const struct app_program *program, FILE *table, struct app_report *report)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_probes_view view = app_probe_runs_view(program->probe_runs, KRN_TOPIC_COUNT);
    char scene[64];
    app_claim_scene(app_state_is_book(&program->state), app_engine_scene(program->engine)->count,
                    program->state.width, program->state.height, scene, sizeof scene);
    const struct app_claim_facts facts = {
        .scene = scene,
        .probes = view.count > 0 ? &view : NULL,
        .kernel_ratio = program->kernel_ratio,
        .scene_ratio = scene_ratio(&program->measurement),
        .window_ratio = program->window_ratio,
        .load_ms = program->load_ms,
        .band_percent = program->run.band_percent,
    };
    app_claims_judge(&facts, claims);
    free((void *)view.results);
    if (table)
        print_claims(claims, table);
    app_report_add_claims(report, program->state.backend, claims);
}
