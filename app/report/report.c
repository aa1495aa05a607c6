#include "report/report.h"

#include "base/interrupt.h"
#include "judge/estimate.h"
#include "judge/trust.h"

#include <math.h>
#include <string.h>

/* Finds the reasons that OpenGL adds: none to a kernel's time, many to a frame's. */
static unsigned find_screen(const struct krn_device_info *device, const struct app_screen *screen)
{
    struct app_trust_facts facts = {0};
    if (screen && screen->gl && screen->blit)
        app_trust_screen(&facts, &device->can, screen->gl, screen->blit);
    return app_trust_find(&facts);
}

static void keep_screen(struct app_results *results, const struct app_screen *from)
{
    struct app_results_screen *screen = &results->screen;
    screen->vendor = app_results_keep(results, from->gl->vendor);
    screen->renderer = app_results_keep(results, from->gl->renderer);
    screen->version = app_results_keep(results, from->gl->version);
    screen->context = app_results_keep(results, from->context);
    screen->software = from->gl->software;
    if (from->blit == NULL)
        return;
    screen->blit_asked = app_blit_name(from->blit->asked);
    screen->blit_used = app_blit_name(from->blit->used);
    if (from->blit->reason[0] != 0)
        screen->blit_reason = app_results_keep(results, from->blit->reason);
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
        /* The first query has only just been sent. */
        krn_telemetry_wait(app_engine_monitor(engine, state->backend), 1.0);
        app_engine_telemetry(engine, state->backend, &telemetry);
    }
    struct app_results *results = &report->results;
    app_results_begin(results, environment);
    results->has_device = true;
    results->device = *krn_device_describe(device);
    results->overheads = krn_device_overheads(device);
    results->ceilings = krn_ceilings_of(&results->device);
    results->telemetry = telemetry;
    struct krn_property *properties =
        app_results_take(results, KRN_PROPERTIES_MAX, sizeof *properties);
    int count;
    if (krn_properties_read(results->device.backend, results->device.ordinal, properties, &count,
                            NULL) == KRN_OK) {
        results->properties = properties;
        results->property_count = (size_t)count;
    }
    if (screen && screen->gl)
        keep_screen(results, screen);
    app_results_set_state(results, state, app_engine_scene(engine), app_engine_scene_note(engine));
    if (app_engine_scene_note(engine)[0] != 0)
        app_results_note(results, app_engine_scene_note(engine));
    report->reasons = find_screen(&results->device, screen);
}

void app_report_add(struct app_report *report, const struct app_result *result, unsigned trust)
{
    struct app_result judged = *result;
    report->reasons |= trust;
    judged.trust.reasons = trust;
    judged.complete = result->complete && !app_interrupted();
    app_results_add(&report->results, &judged);
}

void app_report_count(struct app_report_few *few, size_t n, enum krn_stop stop, const char *name)
{
    few->all++;
    /* A run's time that is up within the very first frame leaves no rule. */
    const bool cut = n == 0 && app_must_stop() && !app_interrupted();
    if ((stop != KRN_STOP_TIME && !cut) || n >= APP_FIRST_SAMPLES)
        return;
    few->none += n == 0;
    if (few->few++ == 0)
        snprintf(few->first, sizeof few->first, "%s", name);
}

void app_report_note_few(struct app_report *report, const char *benchmark,
                         const struct app_report_few *few)
{
    char note[256];
    if (few->few == 0)
        return;
    snprintf(note, sizeof note,
             "%s: %d of %d have fewer than %d samples because the time was up, %s among them; "
             "--seconds gives more.",
             benchmark, few->few, few->all, APP_FIRST_SAMPLES, few->first);
    app_results_note(&report->results, note);
    if (few->none > 0)
        report->results.complete = false;
}

struct app_results app_report_end(struct app_report *report)
{
    report->results.trust.reasons = report->reasons;
    app_results_sort(&report->results);
    return report->results;
}

size_t app_report_times(struct app_pair pairs[APP_REPORT_TIMES], const struct krn_summary *ms,
                        struct krn_interval interval)
{
    const struct app_pair times[APP_REPORT_TIMES] = {
        {"median_ms", ms->median, NULL},
        {"low_ms", interval.valid ? interval.low : NAN, NULL},
        {"high_ms", interval.valid ? interval.high : NAN, NULL},
        {"p5_ms", ms->p5, NULL},
        {"p95_ms", ms->p95, NULL},
        {"min_ms", ms->min, NULL},
        {"max_ms", ms->max, NULL},
        {"n", (double)ms->n, NULL},
    };
    memcpy(pairs, times, sizeof times);
    return APP_REPORT_TIMES;
}

/* Returns a positive number, else NaN, which records leave out. */
static double known(double number)
{
    return number > 0.0 ? number : NAN;
}

size_t app_report_floor(struct app_pair pairs[APP_REPORT_FLOOR], double median_ms,
                        double overhead_ms, double tick_ms, unsigned long gate_drops)
{
    const struct app_pair floor[APP_REPORT_FLOOR] = {
        {"overhead_ms", known(overhead_ms), NULL},
        {"net_ms", known(app_net_ms(median_ms, overhead_ms)), NULL},
        {"tick_ms", known(tick_ms), NULL},
        {"gate_drops", (double)gate_drops, NULL},
    };
    memcpy(pairs, floor, sizeof floor);
    return APP_REPORT_FLOOR;
}

const char *app_report_stop(enum krn_stop stop)
{
    return stop == KRN_STOP_NOT ? NULL : krn_stop_name(stop);
}

enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_view(state);
    struct krn_image image;
    enum krn_code code = krn_device_alloc_image(device, view.width, view.height, &image, error);
    if (code != KRN_OK)
        return code;
    code = krn_device_set_pose(device, krn_pose_at(state->motion_s), error);
    if (code == KRN_OK)
        code = krn_device_render(device, state->mode, &view, &image, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_hash(device, &image, hash, error);
    krn_device_free_image(device, &image);
    return code;
}

void app_report_picture(struct app_report *report, const struct app_engine *engine,
                        const struct app_state *state)
{
    struct app_results_picture *picture = &report->results.picture;
    struct krn_error error;
    picture->has_hash = app_picture_hash(engine, state, &picture->hash, &error) == KRN_OK;
}
