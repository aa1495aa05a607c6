#include "report.h"

#include "interrupt.h"
#include "mode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
                const double *samples, size_t n, struct krn_interval interval, double batched_ms,
                const char *stop, const char *scope, enum app_verified verified,
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
        {"low_ms", interval.there ? interval.low : NAN, NULL},
        {"high_ms", interval.there ? interval.high : NAN, NULL},
        {"p5_ms", s.p5, NULL},
        {"p95_ms", s.p95, NULL},
        {"min_ms", s.min, NULL},
        {"max_ms", s.max, NULL},
        {"n", (double)s.n, NULL},
        {"batched_ms", batched_ms > 0.0 ? batched_ms : NAN, NULL},
        {"nominal_tests_per_s", s.median > 0.0 ? tests / s.median * 1e3 : 0.0, NULL},
    };
    const char *trust[2];
    size_t trust_count = 0;
    if (s.median < 2.0 * launch_floor_ms)
        trust[trust_count++] = "near-floor";
    if (n >= KRN_SETTLED_SAMPLES && !krn_settled(samples, n))
        trust[trust_count++] = "not-settled";
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
        .trust = trust,
        .trust_count = trust_count,
        .stop = stop,
        .complete = !app_interrupted(),
    };
    return app_record_add(record, &result);
}

/* As the record has it; NULL: it was interrupted. */
static const char *stop_of(enum krn_stop stop)
{
    return stop == KRN_STOP_NOT ? NULL : krn_stop_name(stop);
}

/* Whole frames, from the beginning of one to the beginning of the next. */
static bool add_frames(struct app_record *record, const struct app_state *state,
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
        {"low_ms", interval.there ? interval.low : NAN, NULL},
        {"high_ms", interval.there ? interval.high : NAN, NULL},
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
        .verified = APP_VERIFIED_UNKNOWN,
        .verified_reason = "a time has no picture to compare",
        .complete = !app_interrupted(),
    };
    return app_record_add(record, &result);
}

/* Worse of two pictures. */
static const struct app_measured *worse(const struct app_measured *a, const struct app_measured *b)
{
    if (a->verified == APP_VERIFIED_FALSE || b->verified == APP_VERIFIED_TRUE)
        return a;
    return b;
}

static bool add_duel(struct app_record *record, const struct app_engine *engine,
                     const struct app_state *state, const struct app_dueled *dueled)
{
    const struct krn_duel_result *r = &dueled->result;
    const struct app_measured *a = &dueled->sides.modes[0], *b = &dueled->sides.modes[1];
    const struct app_measured *seen = worse(a, b);
    char mode_a[APP_MODE_TEXT_MAX], mode_b[APP_MODE_TEXT_MAX], variant[2 * APP_MODE_TEXT_MAX];
    app_mode_text(a->mode, mode_a, sizeof mode_a);
    app_mode_text(b->mode, mode_b, sizeof mode_b);
    snprintf(variant, sizeof variant, "%s,%s", mode_a, mode_b);
    const struct app_pair parameters[] = {
        {"a", 0, mode_a},
        {"b", 0, mode_b},
        {"verdict", 0, krn_duel_verdict_name(r->verdict)},
        {"band_percent", dueled->band_percent, NULL},
        {"width", state->width, NULL},
        {"height", state->height, NULL},
        {"spheres", engine->scene.count, NULL},
    };
    const struct app_pair metrics[] = {
        {"ratio", r->blocks > 0 ? r->ratio : NAN, NULL},
        {"ratio_low", r->there ? r->low : NAN, NULL},
        {"ratio_high", r->there ? r->high : NAN, NULL},
        {"n", (double)r->pairs, NULL},
        {"blocks", (double)r->blocks, NULL},
        {"block_pairs", (double)r->block_pairs, NULL},
        {"a_median_ms", a->n ? a->summary.median : NAN, NULL},
        {"a_median_ms_low", a->interval.there ? a->interval.low : NAN, NULL},
        {"a_median_ms_high", a->interval.there ? a->interval.high : NAN, NULL},
        {"b_median_ms", b->n ? b->summary.median : NAN, NULL},
        {"b_median_ms_low", b->interval.there ? b->interval.low : NAN, NULL},
        {"b_median_ms_high", b->interval.there ? b->interval.high : NAN, NULL},
        {"seconds", dueled->seconds, NULL},
        {"claims", (double)dueled->claims, NULL},
        {"first_claim_s", dueled->claims > 0 ? dueled->claimed_s : NAN, NULL},
        {"first_claim_n", dueled->claims > 0 ? (double)dueled->claimed_pairs : NAN, NULL},
    };
    double samples[2 * APP_MEASURE_SAMPLES];
    for (size_t i = 0; i < a->n; i++) {
        samples[2 * i] = a->samples_ms[i];
        samples[2 * i + 1] = b->samples_ms[i];
    }
    const char *trust[2];
    size_t trust_count = 0;
    const double near_ms = 2.0 * dueled->sides.floors.launch_ms;
    if (a->n > 0 && (a->summary.median < near_ms || b->summary.median < near_ms))
        trust[trust_count++] = "near-floor";
    if (a->n >= KRN_SETTLED_SAMPLES && !(a->settled && b->settled))
        trust[trust_count++] = "not-settled";
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
        .verified = seen->verified,
        .verified_reason = seen->verified == APP_VERIFIED_TRUE ? NULL : seen->verified_text,
        .trust = trust,
        .trust_count = trust_count,
        .stop = stop_of(dueled->stop),
        .complete = !app_interrupted(),
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
                         const struct app_state *state, const struct app_screen *screen,
                         const struct krn_series *frames)
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
                                series->count, krn_series_interval(series), 0.0, NULL,
                                engine->scope[id], APP_VERIFIED_UNKNOWN,
                                "a running session's pictures are not compared",
                                krn_device_floors(engine->devices[id]).launch_ms);
            }
    if (whole && app_engine_duel(engine) && engine->duel.kept > 0) {
        struct app_dueled *dueled = calloc(1, sizeof *dueled);
        if (dueled)
            app_duel_sum_up(engine, state, dueled);
        whole = dueled && add_duel(record, engine, state, dueled);
        free(dueled);
    }
    if (whole && frames->count > 0)
        whole = add_frames(record, state, screen, frames);
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
                        measured->n, measured->interval, measured->batched_ms,
                        stop_of(measured->stop), measured->scope, measured->verified,
                        measured->verified == APP_VERIFIED_TRUE ? NULL : measured->verified_text,
                        measurement->floors.launch_ms);
    }
    return finish(record, whole);
}

char *app_report_duel(struct app_environment *environment, const struct app_engine *engine,
                      const struct app_state *state, const struct app_dueled *dueled)
{
    struct krn_floors floors;
    struct app_record *record = begin(environment, engine, state, NULL, &floors);
    return finish(record, record && add_duel(record, engine, state, dueled));
}
