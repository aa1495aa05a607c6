#include "report.h"

#include <stdio.h>
#include <string.h>

static struct app_record *begin(struct app_environment *environment,
                                const struct app_engine *engine, const struct app_state *state,
                                const struct app_screen *screen, struct krn_floors *floors)
{
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_telemetry_reading telemetry;
    app_environment_stamp(environment);
    app_engine_telemetry(engine, state->backend, &telemetry);
    *floors = krn_device_floors(device);
    struct app_record_machine machine = {
        .environment = environment,
        .device = krn_device_describe(device),
        .floors = floors,
        .telemetry = telemetry.there ? &telemetry : NULL,
    };
    if (screen && screen->gl) {
        machine.gl_vendor = screen->gl->vendor;
        machine.gl_renderer = screen->gl->renderer;
        machine.gl_version = screen->gl->version;
        machine.gl_software = screen->gl->software;
        machine.gl_context = screen->context;
        machine.blit = screen->blit;
    }
    return app_record_new(&machine, state);
}

/* One mode's samples as a result. */
static bool add(struct app_record *record, const struct app_engine *engine,
                const struct app_state *state, enum krn_backend_id backend, struct krn_mode mode,
                const double *samples, size_t n, const char *scope, enum app_verified verified,
                const char *verified_reason, double launch_floor_ms)
{
    const struct krn_summary s = krn_summarise(samples, n);
    const double tests = (double)state->width * state->height * engine->scene.count;
    const struct app_pair parameters[] = {
        {"width", state->width, NULL},
        {"height", state->height, NULL},
        {"spheres", engine->scene.count, NULL},
        {"pixels_per_thread", mode.pixels_per_thread, NULL},
    };
    const struct app_pair metrics[] = {
        {"median_ms", s.median, NULL},
        {"p5_ms", s.p5, NULL},
        {"p95_ms", s.p95, NULL},
        {"min_ms", s.min, NULL},
        {"max_ms", s.max, NULL},
        {"n", (double)s.n, NULL},
        {"nominal_tests_per_s", s.median > 0.0 ? tests / s.median * 1e3 : 0.0, NULL},
    };
    const char *const near_floor[] = {"near-floor"};
    char variant[64];
    snprintf(variant, sizeof variant, "%s/%s", krn_kernel_name(mode.kernel),
             krn_storage_name(mode.storage));
    const struct app_result result = {
        .benchmark = "raytrace",
        .variant = variant,
        .backend = backend,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .metrics = metrics,
        .metric_count = sizeof metrics / sizeof *metrics,
        .scope = scope,
        .samples_ms = samples,
        .sample_count = n,
        .verified = verified,
        .verified_reason = verified_reason,
        .trust = near_floor,
        .trust_count = s.median < 2.0 * launch_floor_ms ? 1 : 0,
        .complete = true,
    };
    return app_record_add(record, &result);
}

static char *finish(struct app_record *record, bool whole)
{
    char *text = record && whole ? app_record_text(record) : NULL;
    app_record_free(record);
    return text;
}

char *app_report_session(struct app_environment *environment, const struct app_engine *engine,
                         const struct app_state *state, const struct app_screen *screen)
{
    struct krn_floors floors;
    struct app_record *record = begin(environment, engine, state, screen, &floors);
    bool whole = record != NULL;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++)
            for (int storage = 0; whole && storage < KRN_STORAGE_COUNT; storage++) {
                const struct krn_series *series = &engine->series[id][kernel][storage];
                const struct krn_mode mode = {(enum krn_kernel)kernel, (enum krn_storage)storage,
                                              1};
                double samples[KRN_SERIES_CAPACITY];
                for (size_t i = 0; i < series->count; i++)
                    samples[i] = krn_series_at(series, i);
                if (series->count > 0)
                    whole = add(record, engine, state, (enum krn_backend_id)id, mode, samples,
                                series->count, engine->scope[id], APP_VERIFIED_UNKNOWN,
                                "a running session's pictures are not compared",
                                krn_device_floors(engine->devices[id]).launch_ms);
            }
    return finish(record, whole);
}

char *app_report_measurement(struct app_environment *environment, const struct app_engine *engine,
                             const struct app_state *state, const struct app_screen *screen,
                             const struct app_measurement *measurement)
{
    struct krn_floors floors;
    struct app_record *record = begin(environment, engine, state, screen, &floors);
    bool whole = record != NULL;
    for (int m = 0; whole && m < measurement->count; m++) {
        const struct app_measured *measured = &measurement->modes[m];
        if (measured->n > 0)
            whole = add(record, engine, state, state->backend, measured->mode, measured->samples_ms,
                        measured->n, measured->scope, measured->verified,
                        measured->verified == APP_VERIFIED_TRUE ? NULL : measured->verified_text,
                        measurement->floors.launch_ms);
    }
    return finish(record, whole);
}
