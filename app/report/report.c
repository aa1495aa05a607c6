#include "report/report.h"

#include "base/battery.h"
#include "base/interrupt.h"
#include "command/mode.h"
#include "judge/trust.h"
#include "measure/probe_run.h"
#include "report/report_probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What OpenGL adds to the reasons: nothing to a kernel's time, much to a frame's. */
static unsigned of_screen(const struct app_state *state, const struct app_screen *screen)
{
    struct app_trust_facts facts = {0};
    if (screen && screen->gl && screen->blit)
        app_trust_screen(&facts, state->backend, screen->gl, screen->blit);
    return app_trust_find(&facts);
}

void app_report_begin(struct app_report *report, struct app_environment *environment,
                      const struct app_engine *engine, const struct app_state *state,
                      const struct app_screen *screen)
{
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_telemetry_reading telemetry;
    app_environment_stamp(environment);
    app_engine_telemetry(engine, state->backend, &telemetry);
    if (krn_device_describe(device)->can.telemetry && telemetry.samples == 0) {
        krn_telemetry_wait(app_engine_monitor(engine, state->backend),
                           1.0); /* it has only just been asked */
        app_engine_telemetry(engine, state->backend, &telemetry);
    }
    const struct krn_overheads overheads = krn_device_overheads(device);
    struct app_record_machine machine = {
        .environment = environment,
        .device = krn_device_describe(device),
        .overheads = &overheads,
        .telemetry = telemetry.valid ? &telemetry : NULL,
    };
    memset(report, 0, sizeof *report);
    if (screen && screen->gl) {
        machine.gl_vendor = screen->gl->vendor;
        machine.gl_renderer = screen->gl->renderer;
        machine.gl_version = screen->gl->version;
        machine.gl_software = screen->gl->software;
        machine.gl_context = screen->context;
        machine.blit = screen->blit;
    }
    report->reasons = of_screen(state, screen);
    report->record = app_record_new(&machine, state);
    report->whole = report->record != NULL;
}

void app_report_add(struct app_report *report, const struct app_result *result,
                    const struct app_trust_facts *facts)
{
    const char *ids[APP_TRUST_COUNT];
    struct app_result judged = *result;
    const unsigned found = app_trust_find(facts);
    report->reasons |= found;
    judged.verified = facts->verified;
    if (judged.verified == APP_VERIFIED_TRUE)
        judged.verified_reason = NULL;
    judged.trust = ids;
    judged.trust_count = app_trust_ids(found, ids);
    judged.complete = result->complete && !app_interrupted();
    report->whole = report->whole && app_record_add(report->record, &judged);
    report->results++;
}

void app_report_incomplete(struct app_report *report)
{
    if (report->record)
        app_record_set_incomplete(report->record);
}

char *app_report_end(struct app_report *report)
{
    const char *ids[APP_TRUST_COUNT];
    const size_t n = app_trust_ids(report->reasons, ids);
    char *text = report->whole && app_record_set_trust(report->record, ids, n)
                     ? app_record_text(report->record)
                     : NULL;
    app_record_free(report->record);
    report->record = NULL;
    return text;
}

/* One mode's samples as a result. */
static void add(struct app_report *report, const struct app_engine *engine,
                const struct app_state *state, enum krn_backend_id backend, struct krn_mode mode,
                const double *samples, size_t n, struct krn_interval interval, double batched_ms,
                double binning_ms, const char *stop, const char *scope, const char *verified_reason,
                struct app_trust_facts *facts)
{
    const struct krn_summary s = facts->samples = krn_summarise(samples, n);
    facts->not_settled = n >= KRN_SETTLED_SAMPLES && !krn_settled(samples, n);
    const double tests = (double)state->width * state->height * app_engine_scene(engine)->count;
    const struct app_pair parameters[] = {
        {"width", state->width, NULL},
        {"height", state->height, NULL},
        {"spheres", app_engine_scene(engine)->count, NULL},
        {"pixels_per_thread", mode.pixels_per_thread, NULL},
    };
    const struct app_pair metrics[] = {
        {"median_ms", s.median, NULL},
        {"low_ms", interval.valid ? interval.low : NAN, NULL},
        {"high_ms", interval.valid ? interval.high : NAN, NULL},
        {"p5_ms", s.p5, NULL},
        {"p95_ms", s.p95, NULL},
        {"min_ms", s.min, NULL},
        {"max_ms", s.max, NULL},
        {"n", (double)s.n, NULL},
        {"batched_ms", batched_ms > 0.0 ? batched_ms : NAN, NULL},
        {"nominal_tests_per_s", s.median > 0.0 ? tests / s.median * 1e3 : 0.0, NULL},
        {"lists_median_ms", binning_ms > 0.0 ? binning_ms : NAN, NULL},
    };
    char variant[64];
    krn_mode_name(mode, variant, sizeof variant);
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
        .verified_reason = verified_reason,
        .stop = stop,
        .complete = true,
    };
    app_report_add(report, &result, facts);
}

/* As the record has it; NULL: it was interrupted. */
static const char *stop_of(enum krn_stop stop)
{
    return stop == KRN_STOP_NOT ? NULL : krn_stop_name(stop);
}

/* Whole frames, from the beginning of one to the beginning of the next. */
static void add_frames(struct app_report *report, const struct app_state *state,
                       const struct app_screen *screen, const struct krn_series *frames)
{
    const struct krn_summary s = krn_series_summary(frames);
    double samples[KRN_SERIES_CAPACITY];
    for (size_t i = 0; i < frames->count; i++)
        samples[i] = krn_series_at(frames, i);
    const struct app_pair parameters[] = {{"hud", state->hud, NULL}, {"vsync", state->vsync, NULL}};
    const struct krn_interval interval = krn_series_interval(frames);
    const struct app_pair metrics[] = {
        {"median_ms", s.median, NULL},
        {"low_ms", interval.valid ? interval.low : NAN, NULL},
        {"high_ms", interval.valid ? interval.high : NAN, NULL},
        {"p5_ms", s.p5, NULL},
        {"p95_ms", s.p95, NULL},
        {"min_ms", s.min, NULL},
        {"max_ms", s.max, NULL},
        {"n", (double)s.n, NULL},
    };
    const struct app_result result = {
        .benchmark = "frame",
        .variant = app_blit_name(screen->blit->used),
        .backend = state->backend,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .metrics = metrics,
        .metric_count = sizeof metrics / sizeof *metrics,
        .scope = "a whole frame, from its beginning to the next one's, by the monotonic clock: "
                 "kernel, blit, picture, HUD and, in a window, the swap",
        .samples_ms = samples,
        .sample_count = s.n,
        .verified_reason = "a time has no picture to compare",
        .complete = true,
    };
    struct app_trust_facts facts = {.samples = s};
    app_trust_screen(&facts, state->backend, screen->gl, screen->blit);
    app_report_add(report, &result, &facts);
}

/* Worse of two pictures. */
static const struct app_mode_result *worse(const struct app_mode_result *a,
                                           const struct app_mode_result *b)
{
    if (a->verified == APP_VERIFIED_FALSE || b->verified == APP_VERIFIED_TRUE)
        return a;
    return b;
}

void app_report_add_duel(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_duel_result *duel_result)
{
    const struct krn_duel_result *r = &duel_result->result;
    const struct app_mode_result *a = &duel_result->sides.modes[0],
                                 *b = &duel_result->sides.modes[1];
    const struct app_mode_result *seen = worse(a, b);
    char mode_a[APP_MODE_TEXT_MAX], mode_b[APP_MODE_TEXT_MAX], variant[2 * APP_MODE_TEXT_MAX];
    app_mode_text(a->mode, mode_a, sizeof mode_a);
    app_mode_text(b->mode, mode_b, sizeof mode_b);
    snprintf(variant, sizeof variant, "%s,%s", mode_a, mode_b);
    const struct app_pair parameters[] = {
        {"a", 0, mode_a},
        {"b", 0, mode_b},
        {"verdict", 0, krn_duel_verdict_name(r->verdict)},
        {"band_percent", duel_result->band_percent, NULL},
        {"width", state->width, NULL},
        {"height", state->height, NULL},
        {"spheres", app_engine_scene(engine)->count, NULL},
    };
    const struct app_pair metrics[] = {
        {"ratio", r->blocks > 0 ? r->ratio : NAN, NULL},
        {"ratio_low", r->valid ? r->low : NAN, NULL},
        {"ratio_high", r->valid ? r->high : NAN, NULL},
        {"n", (double)r->pairs, NULL},
        {"blocks", (double)r->blocks, NULL},
        {"block_pairs", (double)r->block_pairs, NULL},
        {"a_median_ms", a->n ? a->summary.median : NAN, NULL},
        {"a_median_ms_low", a->interval.valid ? a->interval.low : NAN, NULL},
        {"a_median_ms_high", a->interval.valid ? a->interval.high : NAN, NULL},
        {"b_median_ms", b->n ? b->summary.median : NAN, NULL},
        {"b_median_ms_low", b->interval.valid ? b->interval.low : NAN, NULL},
        {"b_median_ms_high", b->interval.valid ? b->interval.high : NAN, NULL},
        {"seconds", duel_result->seconds, NULL},
        {"claims", (double)duel_result->claims, NULL},
        {"first_claim_s", duel_result->claims > 0 ? duel_result->claimed_s : NAN, NULL},
        {"first_claim_n", duel_result->claims > 0 ? (double)duel_result->claimed_pairs : NAN, NULL},
    };
    double samples[2 * APP_MEASURE_SAMPLES];
    for (size_t i = 0; i < a->n; i++) {
        samples[2 * i] = a->samples_ms[i];
        samples[2 * i + 1] = b->samples_ms[i];
    }
    /* The lighter side is the one that a floor can spoil. */
    const bool b_lighter = b->summary.median < a->summary.median;
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->backend, &telemetry);
    struct app_trust_facts facts = {
        .core_share = app_engine_core_share(engine, state->backend),
        .on_battery = app_on_battery(),
        .samples = b_lighter ? b->summary : a->summary,
        .not_settled = a->n >= KRN_SETTLED_SAMPLES && !(a->settled && b->settled),
        .empty_kernel_ms = duel_result->sides.overheads.empty_kernel_ms,
        .has_picture = true,
        .verified = seen->verified,
    };
    app_trust_telemetry(&facts, &telemetry, false);
    const struct app_result result = {
        .benchmark = "duel",
        .variant = variant,
        .backend = state->backend,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .metrics = metrics,
        .metric_count = sizeof metrics / sizeof *metrics,
        .scope = a->scope ? a->scope : "nothing was timed",
        .samples_ms = samples,
        .sample_count = 2 * a->n,
        .verified_reason = seen->verified_text,
        .stop = stop_of(duel_result->stop),
        .complete = true,
    };
    app_report_add(report, &result, &facts);
}

/* What the side panels show, as far as it is measured, and the claims board. */
static void add_panels(struct app_report *report, const struct app_engine *engine,
                       const struct app_state *state, const struct app_screen *screen, bool battery)
{
    const struct app_panels_view *view =
        app_panels_current(screen->panels, engine, state, screen->now_s);
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->backend, &telemetry);
    for (int i = 0; i < view->probes.count; i++) {
        const struct krn_series *series = app_panels_series(screen->panels, state->backend, i);
        double samples[KRN_SERIES_CAPACITY];
        for (size_t s = 0; s < series->count; s++)
            samples[s] = krn_series_at(series, s);
        char text[160];
        app_check_text(&view->probes.probed[i].check, text, sizeof text);
        const struct app_probe_origin origin = {
            .samples_ms = samples,
            .verified_text = text,
            .not_settled = series->count >= KRN_SETTLED_SAMPLES && !krn_series_settled(series),
            .empty_kernel_ms =
                krn_device_overheads(app_engine_device(engine, state)).empty_kernel_ms,
            .telemetry = &telemetry,
            .on_battery = battery,
        };
        app_report_add_probe_result(report, &view->probes, &view->probes.probed[i], &origin);
    }
    app_report_add_claims(report, state->backend, view->claims);
}

char *app_report_session(struct app_environment *environment, const struct app_engine *engine,
                         const struct app_state *state, const struct app_screen *screen,
                         const struct krn_series *frames)
{
    struct app_report report;
    app_report_begin(&report, environment, engine, state, screen);
    const bool battery = app_on_battery();
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        for (int m = 0; m < KRN_MODES; m++) {
            const struct krn_mode mode = krn_mode_at(m);
            const struct krn_series *series =
                app_engine_series(engine, (enum krn_backend_id)id, mode);
            const double binning_ms =
                mode.kernel == KRN_KERNEL_BINNED
                    ? krn_series_summary(app_engine_binning(engine, (enum krn_backend_id)id)).median
                    : 0.0;
            double samples[KRN_SERIES_CAPACITY];
            for (size_t i = 0; i < series->count; i++)
                samples[i] = krn_series_at(series, i);
            if (series->count == 0)
                continue;
            struct app_verify_status verified;
            struct krn_telemetry_reading telemetry;
            const enum krn_backend_id backend = (enum krn_backend_id)id;
            app_verify_status(screen ? screen->verify : NULL, backend, mode, 0, &verified);
            app_engine_telemetry(engine, backend, &telemetry);
            struct app_trust_facts facts = {
                .core_share = app_engine_core_share(engine, backend),
                .on_battery = battery,
                .display_waits = screen && screen->display_waits && backend == state->backend,
                .empty_kernel_ms =
                    krn_device_overheads(app_engine_connected(engine, backend)).empty_kernel_ms,
                .has_picture = true,
                .verified = verified.verified,
            };
            app_trust_telemetry(&facts, &telemetry, false);
            add(&report, engine, state, backend, mode, samples, series->count,
                krn_series_interval(series), 0.0, binning_ms, NULL,
                app_engine_scope(engine, backend, mode.kernel), verified.text, &facts);
        }
    if (app_engine_duel(engine) && app_engine_duel(engine)->kept > 0) {
        struct app_duel_result *duel_result = calloc(1, sizeof *duel_result);
        if (duel_result) {
            app_duel_sum_up(engine, state, duel_result);
            app_report_add_duel(&report, engine, state, duel_result);
        }
        report.whole = report.whole && duel_result;
        free(duel_result);
    }
    if (screen && screen->panels)
        add_panels(&report, engine, state, screen, battery);
    if (frames->count > 0)
        add_frames(&report, state, screen, frames);
    return app_report_end(&report);
}

void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement)
{
    const bool battery = app_on_battery();
    report->whole =
        report->whole && app_record_set_telemetry(report->record, &measurement->telemetry);
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *measured = &measurement->modes[m];
        if (measured->n == 0)
            continue;
        struct app_trust_facts facts = {
            .core_share = app_engine_core_share(engine, state->backend),
            .on_battery = battery,
            .empty_kernel_ms = measurement->overheads.empty_kernel_ms,
            .has_picture = true,
            .verified = measured->verified,
        };
        app_trust_telemetry(&facts, &measurement->telemetry, true);
        add(report, engine, state, state->backend, measured->mode, measured->samples_ms,
            measured->n, measured->interval, measured->batched_ms, measured->binning_ms,
            stop_of(measured->stop), measured->scope, measured->verified_text, &facts);
    }
}
