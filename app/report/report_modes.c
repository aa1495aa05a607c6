#include "report/report_modes.h"

#include "engine/work.h"
#include "record/hardware.h"

#include <math.h>
#include <stdio.h>

enum { WORK_METRICS = 4, RATE_METRICS = 3 };

void app_report_workload(struct app_workload *workload, const struct app_engine *engine,
                         const struct app_state *state, enum krn_view_kind view)
{
    const struct krn_scene *scene = app_engine_scene(engine);
    char text[APP_WORKLOAD_SCENE];
    app_workload_scene_in(view, scene, text);
    app_workload_describe(workload, state, view, text, scene->count);
}

/* Writes the work of a frame, its intensity and the rate; leaves them out where it is unknown. */
static size_t work_of(struct app_pair pairs[WORK_METRICS], struct krn_work work, double median_ms)
{
    const bool known = work.flops > 0.0 && work.bytes > 0.0 && median_ms > 0.0;
    pairs[0] = (struct app_pair){"flops", known ? work.flops : NAN, NULL};
    pairs[1] = (struct app_pair){"bytes", known ? work.bytes : NAN, NULL};
    pairs[2] = (struct app_pair){"intensity", known ? work.flops / work.bytes : NAN, NULL};
    pairs[3] = (struct app_pair){"gflops", known ? work.flops / median_ms / 1e6 : NAN, NULL};
    return WORK_METRICS;
}

/* Writes the rate of a mode's view: nominal tests, or rays and their rate. */
static size_t rates_of(struct app_pair pairs[RATE_METRICS], struct krn_mode mode, double tests,
                       double rays, double median_ms)
{
    const bool book = krn_mode_view(mode) == KRN_VIEW_BOOK, counted = !book && rays > 0.0;
    const double per_s = app_rays_per_s(rays, median_ms);
    pairs[0] = (struct app_pair){"nominal_tests_per_s",
                                 !book             ? NAN
                                 : median_ms > 0.0 ? tests / median_ms * 1e3
                                                   : 0.0,
                                 NULL};
    pairs[1] = (struct app_pair){"rays", counted ? rays : NAN, NULL};
    pairs[2] = (struct app_pair){"rays_per_s", counted && per_s > 0.0 ? per_s : NAN, NULL};
    return RATE_METRICS;
}

void app_report_add_mode(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_mode_samples *samples)
{
    const size_t n = samples->count;
    const struct krn_summary s = krn_summarise(samples->samples_ms, n);
    const int spheres = app_engine_scene(engine)->count;
    const double tests = (double)state->width * state->height * spheres;
    const struct app_pair parameters[] = {
        {"pixels_per_thread", samples->mode.pixels_per_thread, NULL},
    };
    struct app_pair metrics[APP_REPORT_TIMES + APP_REPORT_FLOOR + 2 + RATE_METRICS + WORK_METRICS];
    size_t count = app_report_times(metrics, &s, samples->interval);
    count += app_report_floor(metrics + count, s.median, samples->overhead_ms, samples->tick_ms,
                              samples->gate_drops);
    metrics[count++] = (struct app_pair){
        "batched_ms", samples->batched_ms > 0.0 ? samples->batched_ms : NAN, NULL};
    count += rates_of(metrics + count, samples->mode, tests, samples->rays, s.median);
    metrics[count++] = (struct app_pair){
        APP_METRIC_BINNING, samples->binning_ms > 0.0 ? samples->binning_ms : NAN, NULL};
    count += work_of(metrics + count, samples->work, s.median);
    const struct krn_view view = app_engine_view(state);
    struct krn_device *device = app_engine_connected(engine, samples->backend);
    struct krn_kernels kernels = {.count = 0};
    struct app_pair outcome[APP_KERNEL_PAIRS];
    if (device != NULL)
        (void)krn_device_kernels(device, samples->mode, &view, &kernels, NULL);
    char variant[64];
    krn_mode_name(samples->mode, variant, sizeof variant);
    const struct app_result result = {
        .benchmark = "raytrace",
        .variant = variant,
        .backend = samples->backend,
        .regime = app_regime_name(samples->regime),
        .workload = samples->workload->pairs,
        .workload_count = samples->workload->count,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .outcome = outcome,
        .outcome_count = app_kernel_pairs(krn_kernels_main(&kernels), outcome),
        .metrics = metrics,
        .metric_count = count,
        .scope = samples->scope,
        .samples_ms = samples->samples_ms,
        .sample_count = n,
        .verified = samples->verified,
        .verified_reason = samples->verified_reason,
        .stop = samples->stop,
        .complete = true,
    };
    app_report_add(report, &result, samples->trust);
}

void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement)
{
    struct app_workload workloads[KRN_VIEW_COUNT];
    struct krn_works works;
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        app_report_workload(&workloads[view], engine, state, (enum krn_view_kind)view);
    app_work_count(engine, state, state->backend, &works);
    app_record_set_telemetry(report->record, &measurement->telemetry);
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        if (result->n == 0)
            continue;
        const struct app_mode_samples samples = {
            .backend = state->backend,
            .mode = result->mode,
            .workload = &workloads[krn_mode_view(result->mode)],
            .regime = result->regime,
            .samples_ms = result->samples_ms,
            .count = result->n,
            .interval = result->interval,
            .tick_ms = measurement->overheads.tick_ms,
            .overhead_ms = result->overhead_ms,
            .gate_drops = result->gate_drops,
            .batched_ms = result->batched_ms,
            .binning_ms = result->binning_ms,
            .work = works.modes[krn_mode_index(result->mode)],
            .rays = measurement->rays,
            .stop = app_report_stop(result->stop),
            .scope = result->scope,
            .verified = result->verified,
            .verified_reason = result->verified_text,
            .trust = result->trust,
        };
        app_report_add_mode(report, engine, state, &samples);
    }
}

void app_report_count_modes(struct app_report_few *few, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        char name[64];
        krn_mode_name(result->mode, name, sizeof name);
        if (result->refused[0] == 0)
            app_report_count(few, result->n, result->stop, name);
    }
}

void app_report_note_chosen(struct app_report *report, const char *modes)
{
    char note[APP_MODES_MAX + 64];
    if (modes == NULL || modes[0] == 0)
        return;
    snprintf(note, sizeof note, "Only the modes %s were measured.", modes);
    app_report_note(report, note);
}

void app_report_note_refused(struct app_report *report, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        char note[APP_NOTICE_MAX + 32];
        if (measurement->modes[m].refused[0] == 0)
            continue;
        snprintf(note, sizeof note, "Not measured: %s", measurement->modes[m].refused);
        app_report_note(report, note);
    }
}
