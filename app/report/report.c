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
    const struct krn_overheads overheads = krn_device_overheads(device);
    struct app_record_machine machine = {
        .environment = environment,
        .device = krn_device_describe(device),
        .overheads = &overheads,
        .telemetry = telemetry.valid ? &telemetry : NULL,
        .scene = state->scene == APP_SCENE_FILE ? app_engine_scene(engine) : NULL,
        .scene_note = app_engine_scene_note(engine),
    };
    struct krn_property properties[KRN_PROPERTIES_MAX];
    if (krn_properties_read(machine.device->backend, machine.device->ordinal, properties,
                            &machine.property_count, NULL) == KRN_OK)
        machine.properties = properties;
    memset(report, 0, sizeof *report);
    if (screen && screen->gl) {
        machine.gl_vendor = screen->gl->vendor;
        machine.gl_renderer = screen->gl->renderer;
        machine.gl_version = screen->gl->version;
        machine.gl_software = screen->gl->software;
        machine.gl_context = screen->context;
        machine.blit = screen->blit;
    }
    report->reasons = find_screen(machine.device, screen);
    report->record = app_record_new(&machine, state);
    if (machine.scene_note[0] != 0)
        app_report_note(report, machine.scene_note);
}

void app_report_add(struct app_report *report, const struct app_result *result, unsigned trust)
{
    const char *ids[APP_TRUST_COUNT];
    struct app_result judged = *result;
    report->reasons |= trust;
    if (judged.verified == APP_VERIFIED_TRUE)
        judged.verified_reason = NULL;
    judged.trust = ids;
    judged.trust_count = app_trust_ids(trust, ids);
    judged.complete = result->complete && !app_interrupted();
    app_record_add(report->record, &judged);
    report->results++;
}

void app_report_note(struct app_report *report, const char *sentence)
{
    app_record_note(report->record, sentence);
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
    app_report_note(report, note);
    if (few->none > 0)
        app_report_incomplete(report);
}

void app_report_incomplete(struct app_report *report)
{
    app_record_set_incomplete(report->record);
}

char *app_report_end(struct app_report *report)
{
    const char *ids[APP_TRUST_COUNT];
    app_record_set_trust(report->record, ids, app_trust_ids(report->reasons, ids));
    char *text = app_record_text(report->record);
    report->complete = app_record_is_complete(report->record);
    app_record_free(report->record);
    report->record = NULL;
    return text;
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
    uint64_t hash;
    struct krn_error error;
    if (app_picture_hash(engine, state, &hash, &error) == KRN_OK)
        app_record_set_picture(report->record, hash);
}
