#include "report.h"

#include <stdio.h>
#include <string.h>

static struct app_record *begin(struct app_environment *environment,
                                const struct app_engine *engine, const struct app_state *state,
                                const struct app_screen *screen, struct krn_floors *floors)
{
    struct krn_device *device = app_engine_device(engine, state);
    app_environment_stamp(environment);
    *floors = krn_device_floors(device);
    struct app_record_machine machine = {
        .environment = environment,
        .device = krn_device_describe(device),
        .floors = floors,
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
                const double *samples, size_t n, double lists_ms, const char *scope,
                enum app_verified verified, const char *verified_reason, double launch_floor_ms)
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
        {"lists_median_ms", lists_ms, NULL}, /* the last: left out where there is none */
    };
    const char *const near_floor[] = {"near-floor"};
    char variant[64];
    krn_mode_name(mode, variant, sizeof variant);
    const struct app_result result = {
        .benchmark = "raytrace",
        .variant = variant,
        .backend = backend,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .metrics = metrics,
        .metric_count = sizeof metrics / sizeof *metrics - (lists_ms > 0.0 ? 0 : 1),
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

static double lists_ms(const struct app_engine *engine, int backend, struct krn_mode mode)
{
    return mode.kernel == KRN_KERNEL_BINNED ? krn_series_summary(&engine->lists[backend]).median
                                            : 0.0;
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
        for (int m = 0; whole && m < KRN_MODES; m++) {
            const struct krn_mode mode = krn_mode_at(m);
            const struct krn_series *series =
                app_engine_series(engine, (enum krn_backend_id)id, mode);
            double samples[KRN_SERIES_CAPACITY];
            for (size_t i = 0; i < series->count; i++)
                samples[i] = krn_series_at(series, i);
            if (series->count > 0)
                whole =
                    add(record, engine, state, (enum krn_backend_id)id, mode, samples,
                        series->count, lists_ms(engine, id, mode), engine->scope[id][mode.kernel],
                        APP_VERIFIED_UNKNOWN, "a running session's pictures are not compared",
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
                        measured->n, measured->lists_ms, measured->scope, measured->verified,
                        measured->verified == APP_VERIFIED_TRUE ? NULL : measured->verified_text,
                        measurement->floors.launch_ms);
    }
    return finish(record, whole);
}
