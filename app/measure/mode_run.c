#include "measure/mode_run.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "command/mode.h"
#include "engine/work.h"
#include "measure/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frames of a mode's turn that count, and of its warm-up, which do not. */
enum { TURN = 20, WARM_UP = 3 };

/* A source whose items are the modes. */
struct modes {
    struct app_engine *engine;
    struct app_state *state;
    const struct krn_image *image;
    struct app_measurement *measurement;
    struct app_item items[KRN_MODES];
    unsigned long drops; /* of the device, when the newest frame was started */
    double binning_ms[KRN_MODES][APP_MEASURE_SAMPLES];
};

/* Renders one frame and waits for it: a nap would let the device idle between short frames. */
static enum krn_code start_frame(void *self, int item, struct krn_error *error)
{
    struct modes *modes = self;
    struct krn_device *device = app_engine_device(modes->engine, modes->state);
    modes->state->mode = modes->measurement->modes[item].mode;
    modes->drops = krn_device_gate_drops(device);
    const enum krn_code code = app_engine_render(modes->engine, modes->state, modes->image, error);
    return code == KRN_OK ? krn_device_sync(device, error) : code;
}

static enum app_poll poll_frame(void *self, int item, struct app_reading *reading)
{
    const struct modes *modes = self;
    struct krn_reading next, frame = {.ms = 0.0};
    bool taken = false;
    /* Frames from before the measurement may have left readings: this frame's is the newest. */
    while (app_engine_take(modes->engine, modes->state->backend, &next)) {
        frame = next;
        taken = true;
    }
    const struct krn_device *device = app_engine_device(modes->engine, modes->state);
    if (!taken)
        return krn_device_gate_drops(device) > modes->drops ? APP_POLL_LATE : APP_POLL_LOST;
    *reading = (struct app_reading){frame.ms, frame.binning_ms, frame.ms, frame.busy};
    modes->measurement->modes[item].scope = frame.scope;
    return APP_POLL_TAKEN;
}

static void describe_mode(void *self, int item, size_t samples, char *text, size_t size)
{
    const struct modes *modes = self;
    char name[48];
    krn_mode_name(modes->measurement->modes[item].mode, name, sizeof name);
    snprintf(text, size, "%-20s %4zu samples", name, samples);
}

static const struct app_source mode_source = {
    .start = start_frame, .poll = poll_frame, .describe = describe_mode};

enum krn_code app_measure_verify(const struct app_engine *engine, const struct app_state *state,
                                 const struct app_verify_limits *limits,
                                 struct app_measurement *measurement, struct krn_error *error)
{
    struct app_verify_status statuses[KRN_MODES];
    struct krn_mode modes[KRN_MODES];
    int count = 0;
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].refused[0] == 0)
            modes[count++] = measurement->modes[m].mode;
    const enum krn_code code = app_verify_now(engine, state, modes, count, limits, statuses, error);
    for (int m = 0, i = 0; code == KRN_OK && m < measurement->count; m++) {
        struct app_mode_result *result = &measurement->modes[m];
        if (result->refused[0] != 0)
            continue;
        result->verified = statuses[i].verified;
        memcpy(result->verified_text, statuses[i].text, sizeof result->verified_text);
        i++;
    }
    return code;
}

/* Measures modes near the launch floor in batches: there, a pair of time stamps around each launch
 * says little. The time of one launch in a batch is the median of as many batches as there is time
 * for. */
static enum krn_code measure_batches(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *image, double until_s,
                                     struct app_measurement *measurement, struct krn_error *error)
{
    enum { BATCHES = 15 };
    const struct krn_view view = app_engine_view(state);
    enum krn_code code = KRN_OK;
    for (int m = 0; code == KRN_OK && m < measurement->count; m++) {
        struct app_mode_result *result = &measurement->modes[m];
        double ms[BATCHES];
        int n = 0;
        if (result->n == 0 || app_must_stop() ||
            !(result->summary.median < 2.0 * measurement->overheads.empty_kernel_ms))
            continue;
        for (int i = 0; code == KRN_OK && i < BATCHES && app_clock_s() < until_s; i++) {
            code = krn_device_render_batch(app_engine_device(engine, state), result->mode, &view,
                                           image, APP_MEASURE_BATCH, &ms[n], error);
            n += code == KRN_OK && ms[n] > 0.0;
        }
        if (code == KRN_OK && n > 0)
            result->batched_ms = krn_summarise(ms, (size_t)n).median;
    }
    return code;
}

/* Lists the chosen modes of the state's view and refuses those that cannot render the scene. */
static void prepare(struct modes *modes, const char *chosen)
{
    struct app_measurement *measurement = modes->measurement;
    const struct krn_device *device = app_engine_device(modes->engine, modes->state);
    const enum krn_view_kind view = krn_mode_view(modes->state->mode);
    for (int m = 0; m < KRN_MODES; m++) {
        if (krn_mode_view(krn_mode_at(m)) != view || !app_mode_chosen(chosen, krn_mode_at(m)))
            continue;
        const int at = measurement->count++;
        struct app_mode_result *result = &measurement->modes[at];
        struct app_item *item = &modes->items[at];
        struct krn_error why;
        result->mode = krn_mode_at(m);
        item->ms = result->samples_ms;
        item->second = modes->binning_ms[at];
        item->room = APP_MEASURE_SAMPLES;
        if (krn_device_check_mode(device, result->mode, &why) != KRN_OK)
            snprintf(item->refused, sizeof item->refused, "%s", why.text);
    }
}

/* Returns when the batches end: they may take as long as the samples, and half of what is left. */
static double batches_until(const struct app_times *times)
{
    const double now_s = app_clock_s();
    return now_s + fmin(times->seconds, 0.5 * fmax(times->end_s - now_s, 0.0));
}

/* Samples every mode within the rule. */
static enum krn_code sample(struct modes *modes, const struct krn_stop_rule *rule,
                            const struct app_plan *plan, double most_s, struct krn_error *error)
{
    int order[KRN_MODES];
    app_plan_order(plan->seed, order, modes->measurement->count);
    struct app_measurement *measurement = modes->measurement;
    /* Every mode has a share of the time, so that the turn of a slow mode is shorter, and every
     * mode has its first turn however long the slow ones before it took. */
    const double share = rule->seconds / measurement->count / 2.0;
    struct app_sampler sampler = {
        .source = &mode_source,
        .self = modes,
        .items = modes->items,
        .count = measurement->count,
        .turns = {.first =
                      rule->at_most < APP_FIRST_SAMPLES ? (int)rule->at_most : APP_FIRST_SAMPLES,
                  .samples = TURN,
                  .warm_up = WARM_UP,
                  .limit_s = share,
                  .long_s = share / 4.0,
                  .settle_every = 1},
        .rule = *rule,
        .most_s = most_s,
        .order = order,
        .progress = plan->progress,
    };
    return app_sampler_run(&sampler, app_engine_monitor(modes->engine, modes->state->backend),
                           &measurement->telemetry, error);
}

/* Fills in what follows from the samples. */
static void sum_up(struct modes *modes)
{
    for (int m = 0; m < modes->measurement->count; m++) {
        const struct app_item *item = &modes->items[m];
        struct app_mode_result *result = &modes->measurement->modes[m];
        result->n = item->n;
        result->settled = item->settled;
        result->stop = item->stop;
        result->summary = krn_summarise(item->ms, item->n);
        result->interval = krn_interval_widen(krn_interval_of(item->ms, item->n),
                                              modes->measurement->overheads.tick_ms);
        result->binning_ms = krn_summarise(item->second, item->n).median;
        result->gate_drops = item->late;
        result->regime = app_regime_of(item->busy, item->readings);
        memcpy(result->refused, item->refused, sizeof result->refused);
    }
}

enum krn_code app_measure_overheads(const struct app_engine *engine, const struct app_state *state,
                                    struct app_measurement *measurement, struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    struct krn_device *device = app_engine_device(engine, state);
    for (int m = 0; m < measurement->count; m++) {
        struct app_mode_result *result = &measurement->modes[m];
        if (result->n == 0 || app_must_stop())
            continue;
        const enum krn_code code =
            krn_device_overhead(device, result->mode, &view, &result->overhead_ms, error);
        if (code == KRN_LOST)
            return code;
        result->net_ms = app_net_ms(result->summary.median, result->overhead_ms);
    }
    return KRN_OK;
}

void app_measure_judge(const struct app_engine *engine, const struct app_state *state,
                       const struct app_conditions *conditions, struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        struct app_mode_result *result = &measurement->modes[m];
        struct app_trust_facts facts = app_evidence_of_mode(engine, state->backend, result->mode,
                                                            conditions, result->verified);
        if (result->overhead_ms > 0.0)
            facts.overhead_ms = result->overhead_ms;
        app_trust_samples(&facts, result->samples_ms, result->n);
        app_trust_dropped(&facts, result->gate_drops, result->n);
        result->trust = result->n > 0 ? app_trust_find(&facts) : 0;
    }
}

enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state,
                                const struct app_plan *plan, struct app_measurement *measurement,
                                struct krn_error *error)
{
    memset(measurement, 0, sizeof *measurement);
    const double start_s = app_clock_s();
    const bool count = plan->frames > 0 && plan->frames < APP_MEASURE_SAMPLES;
    struct krn_stop_rule rule = {
        .width = count ? 0.0 : APP_MEASURE_WIDTH,
        .at_least = KRN_SETTLED_SAMPLES,
        .at_most = count ? (size_t)plan->frames : APP_MEASURE_SAMPLES,
    };
    enum krn_code code = app_engine_adopt(engine, state, error);
    if (code != KRN_OK)
        return code == KRN_CANCELLED ? KRN_OK : code;
    struct modes *modes = app_alloc(1, sizeof *modes);
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_image image = {NULL, 0, 0, 0};
    *modes = (struct modes){.engine = engine, .state = state, .image = &image};
    modes->measurement = measurement;
    measurement->overheads = krn_device_overheads(device);
    measurement->tests = (double)state->width * state->height * app_engine_scene(engine)->count;
    prepare(modes, plan->modes ? plan->modes : "");
    code = krn_device_alloc_image(device, state->width, state->height, &image, error);
    if (code == KRN_OK) {
        const struct krn_mode mode = state->mode;
        const struct app_times times = app_plan_times(plan, start_s, APP_MEASURE_SECONDS);
        const struct app_verify_limits limits = {times.end_s, plan->repeats};
        rule.seconds = times.seconds;
        code = sample(modes, &rule, plan, times.most_s, error);
        sum_up(modes);
        if (code == KRN_OK)
            code = app_measure_overheads(engine, state, measurement, error);
        if (code == KRN_OK)
            code =
                measure_batches(engine, state, &image, batches_until(&times), measurement, error);
        if (krn_mode_view(state->mode) == KRN_VIEW_LIGHT)
            measurement->rays = app_rays_count(engine, state);
        app_progress_show(plan->progress, "comparing the pictures with a reference");
        if (code == KRN_OK)
            code = app_measure_verify(engine, state, &limits, measurement, error);
        app_progress_clear(plan->progress);
        const struct app_conditions conditions = {
            .telemetry = &measurement->telemetry, .since = true, .on_battery = app_on_battery()};
        app_measure_judge(engine, state, &conditions, measurement);
        state->mode = mode;
    }
    krn_device_free_image(device, &image);
    free(modes);
    return code == KRN_CANCELLED ? KRN_OK : code;
}
