/* app/measure/mode_run.c - measures a scene's modes to the end; and the story plot, in slices. */
#include "measure/mode_run.h"

#include "base/process.h"
#include "krn/memory.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Frames of a mode's turn that count, and of its warm-up, which do not. */
enum { TURN = 20, WARM_UP = 3 };

/* A source whose items are the modes. */
struct modes {
    struct app_engine *engine;
    struct app_state *state;
    const struct krn_image *image;
    struct app_measurement *measurement;
    struct app_item items[KRN_MODES_MAX];
    unsigned long drops; /* of the device, when the newest frame was started */
    double binning_ms[KRN_MODES_MAX][APP_MEASURE_SAMPLES];
};

/* Renders one frame and waits for it: a nap would let the device idle between short frames. */
static enum krn_code start_frame(void *self, int item, struct krn_error *error)
{
    struct modes *modes = self;
    struct krn_device *device = app_engine_device(modes->engine, modes->state);
    modes->state->spec.mode = modes->measurement->modes[item].mode;
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
    while (app_engine_take(modes->engine, modes->state->spec.backend, &next)) {
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
    struct app_verify_status statuses[KRN_MODES_MAX];
    struct krn_mode modes[KRN_MODES_MAX];
    struct app_mode_time *times[KRN_MODES_MAX];
    struct app_state own = *state;
    enum krn_code code = KRN_OK;
    for (int id = 0; code == KRN_OK && id < KRN_BACKEND_COUNT; id++) {
        int count = 0;
        for (int m = 0; m < measurement->count; m++) {
            struct app_mode_time *time = &measurement->modes[m];
            if (time->missing[0] != 0 || (int)time->backend != id)
                continue;
            times[count] = time;
            modes[count++] = time->mode;
        }
        own.spec.backend = (enum krn_backend_id)id;
        if (count > 0)
            code = app_verify_now(engine, &own, modes, count, limits, statuses, error);
        for (int i = 0; code == KRN_OK && i < count; i++) {
            times[i]->verified = statuses[i].verified;
            memcpy(times[i]->verified_text, statuses[i].text, sizeof times[i]->verified_text);
        }
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
        struct app_mode_time *result = &measurement->modes[m];
        double ms[BATCHES];
        int n = 0;
        /* All pictures of a batch are the same one, and the user's kernel may have kept it. */
        if (!result->valid || app_must_stop() || result->mode.kernel == KRN_KERNEL_MINE ||
            !(result->ms.median < 2.0 * measurement->overheads.empty_kernel_ms))
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

void app_measurement_begin(struct app_measurement *measurement, const struct app_engine *engine,
                           const struct app_state *state)
{
    memset(measurement, 0, sizeof *measurement);
    measurement->overheads =
        krn_device_overheads(app_engine_connected(engine, state->spec.backend));
    measurement->spheres = app_engine_scene(engine)->count;
    measurement->mine = app_engine_mine(engine);
}

void app_measurement_describe(struct app_measurement *measurement, const struct app_engine *engine,
                              const struct app_state *state)
{
    const struct krn_view view = app_engine_view(state);
    const enum krn_view_kind kind = krn_mode_view(state->spec.mode);
    app_workload_scene(kind, app_engine_scene(engine), measurement->scene[kind]);
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_time *mode = &measurement->modes[m];
        struct krn_kernels kernels = {.count = 0};
        if (mode->valid)
            measurement->works[m] = app_work_count(engine, state, mode->mode, mode->ms.median);
        (void)krn_device_kernels(app_engine_connected(engine, state->spec.backend),
                                 measurement->modes[m].mode, &view, &kernels, NULL);
        if (kernels.count > 0)
            measurement->modes[m].kernel = *krn_kernels_main(&kernels);
    }
}

const struct app_mode_time *app_measurement_find(const struct app_measurement *measurement,
                                                 enum krn_backend_id backend, struct krn_mode mode)
{
    for (int m = 0; measurement != NULL && m < measurement->count; m++) {
        const struct app_mode_time *found = &measurement->modes[m];
        if (found->valid && found->backend == backend && krn_mode_equal(found->mode, mode))
            return found;
    }
    return NULL;
}

/* Lists the modes of the state's view that the patterns choose, and refuses those that cannot
 * render the scene that the engine has adopted. */
static void prepare(struct modes *modes, const char *chosen)
{
    struct app_measurement *measurement = modes->measurement;
    const struct app_state *state = modes->state;
    const struct krn_device *device = app_engine_device(modes->engine, state);
    app_measurement_begin(measurement, modes->engine, state);
    for (int m = 0; m < KRN_MODES_MAX; m++) {
        if (krn_mode_view(krn_mode_at(m)) != krn_mode_view(state->spec.mode) ||
            !krn_device_offers(device, krn_mode_at(m)) || !app_mode_chosen(chosen, krn_mode_at(m)))
            continue;
        const int at = measurement->count++;
        struct app_mode_time *result = &measurement->modes[at];
        struct app_item *item = &modes->items[at];
        struct krn_error why;
        result->backend = state->spec.backend;
        result->mode = krn_mode_at(m);
        item->ms = measurement->samples_ms[at];
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
    int order[KRN_MODES_MAX];
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
    return app_sampler_run(&sampler, app_engine_monitor(modes->engine, modes->state->spec.backend),
                           &measurement->telemetry, error);
}

/* Fills in what follows from a mode's samples. */
static void sum_up(struct modes *modes, int m)
{
    const struct app_item *item = &modes->items[m];
    struct app_mode_time *result = &modes->measurement->modes[m];
    app_mode_time_sum_up(result, item->ms, item->n, modes->measurement->overheads.tick_ms);
    result->stop = item->stop;
    result->binning_ms = krn_summarise(item->second, item->n).median;
    result->gate_drops = item->late;
    result->regime = app_regime_of(item->busy, item->readings);
    memcpy(result->missing, item->refused, sizeof result->missing);
}

/* Measures the overhead of a mode that has samples and, with the first one, the limit. */
static enum krn_code measure_overhead(const struct app_engine *engine,
                                      const struct app_state *state,
                                      struct app_measurement *measurement,
                                      struct app_mode_time *result, struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    struct krn_device *device = app_engine_device(engine, state);
    if (!result->valid || app_must_stop())
        return KRN_OK;
    struct krn_overhead overhead;
    enum krn_code code = krn_device_overhead(device, result->mode, &view, &overhead, error);
    result->overhead_ms = overhead.ms;
    result->net = app_estimate_net(result->median, overhead);
    if (code != KRN_LOST && !measurement->limit.interval.valid)
        code = krn_device_limit(device, &view, &measurement->limit, error);
    return code == KRN_LOST ? code : KRN_OK;
}

enum krn_code app_measure_overheads(const struct app_engine *engine, const struct app_state *state,
                                    struct app_measurement *measurement, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int m = 0; code == KRN_OK && m < measurement->count; m++)
        code = measure_overhead(engine, state, measurement, &measurement->modes[m], error);
    return code;
}

/* Finds the reasons to doubt a mode's samples. */
static void judge(const struct app_engine *engine, const struct app_conditions *conditions,
                  struct app_mode_time *result)
{
    struct app_trust_facts facts =
        app_evidence_of_mode(engine, result->backend, result->mode, conditions, result->verified);
    if (result->overhead_ms > 0.0)
        facts.overhead_ms = result->overhead_ms;
    app_trust_samples(&facts, result->samples_ms, result->ms.n);
    app_trust_dropped(&facts, result->gate_drops, result->ms.n);
    result->median.trust = result->valid ? app_trust_find(&facts) : 0;
}

void app_measure_judge(const struct app_engine *engine, const struct app_conditions *conditions,
                       struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++)
        judge(engine, conditions, &measurement->modes[m]);
}

/* Raises the clocks of a GPU that has only drawn so far: where OpenGL computes, pauses lie between
 * the short frames, and whole processes were measured at half the clock. */
static enum krn_code raise_clocks(struct app_engine *engine, const struct app_state *state,
                                  const struct krn_image *image, double seconds,
                                  struct krn_error *error)
{
    enum { BURST = 64 };
    const struct krn_view view = app_engine_view(state);
    const struct krn_mode mode = app_mode_first(krn_mode_view(state->spec.mode));
    struct krn_device *device = app_engine_device(engine, state);
    const double until_s = app_clock_s() + seconds;
    enum krn_code code = KRN_OK;
    if (state->spec.backend != KRN_BACKEND_GL || krn_device_describe(device)->can.host_processors)
        return code;
    while (code == KRN_OK && !app_must_stop() && app_clock_s() < until_s) {
        for (int i = 0; code == KRN_OK && i < BURST && app_clock_s() < until_s; i++)
            code = krn_device_render(device, mode, &view, image, KRN_UNTIMED, error);
        KRN_THEN(code, krn_device_sync(device, error));
    }
    return code;
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
    struct modes *modes = krn_alloc(1, sizeof *modes);
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_image image = {NULL, 0, 0, 0};
    *modes = (struct modes){.engine = engine, .state = state, .image = &image};
    modes->measurement = measurement;
    prepare(modes, plan->modes ? plan->modes : "");
    code = krn_device_alloc_image(device, state->spec.width, state->spec.height, &image, error);
    if (code == KRN_OK) {
        const struct krn_mode mode = state->spec.mode;
        const struct app_times times = app_plan_times(plan, start_s, APP_MEASURE_SECONDS);
        const struct app_verify_limits limits = {times.end_s, plan->repeats};
        rule.seconds = times.seconds;
        code = raise_clocks(engine, state, &image, fmin(0.5, 0.1 * times.seconds), error);
        KRN_THEN(code, sample(modes, &rule, plan, times.most_s, error));
        for (int m = 0; m < measurement->count; m++)
            sum_up(modes, m);
        KRN_THEN(code, app_measure_overheads(engine, state, measurement, error));
        KRN_THEN(code,
                 measure_batches(engine, state, &image, batches_until(&times), measurement, error));
        if (krn_mode_view(state->spec.mode) == KRN_VIEW_LIGHT)
            measurement->rays = app_rays_count(engine, state);
        app_progress_show(plan->progress, "comparing the pictures with a reference");
        KRN_THEN(code, app_measure_verify(engine, state, &limits, measurement, error));
        app_progress_clear(plan->progress);
        app_measurement_describe(measurement, engine, state);
        const struct app_conditions conditions = {
            .telemetry = &measurement->telemetry, .since = true, .on_battery = app_on_battery()};
        app_measure_judge(engine, &conditions, measurement);
        state->spec.mode = mode;
    }
    krn_device_free_image(device, &image);
    free(modes);
    return code == KRN_CANCELLED ? KRN_OK : code;
}

/* --- the order of the points, and their predicted times --- */

void app_story_order(int count, int order[APP_SWEEP_COUNTS])
{
    bool taken[APP_SWEEP_COUNTS] = {false};
    int n = 0;
    for (double step = count > 1 ? count - 1 : 1; n < count; step /= 2.0)
        for (double place = 0.0; place < count; place += step) {
            const int at = (int)place;
            if (!taken[at])
                order[n++] = at;
            taken[at] = true;
        }
}

double app_story_predict_ms(const int *counts, const double *ms, int count, int at)
{
    int below = -1, before = -1, above = -1;
    if (ms[at] > 0.0)
        return ms[at];
    for (int i = 0; i < at; i++)
        if (ms[i] > 0.0) {
            before = below;
            below = i;
        }
    for (int i = count - 1; i > at; i--)
        if (ms[i] > 0.0)
            above = i;
    if (below < 0)
        return above < 0 ? -1.0 : ms[above];
    /* Two noisy times may seem not to grow at all. */
    const double short_step = 3.0, least_slope = 0.5, step = (double)counts[at] / counts[below];
    double slope = 1.0;
    if (before >= 0 && step <= short_step)
        slope = log(ms[below] / ms[before]) / log((double)counts[below] / counts[before]);
    slope = fmin(fmax(slope, least_slope), 1.0);
    const double grown_ms = ms[below] * pow(step, slope);
    return above < 0 ? grown_ms : fmin(grown_ms, ms[above]);
}

/* --- at several numbers of spheres, between frames --- */

/* A turn of a mode at a point: this many samples, after a warm-up run. */
enum { SHORT_TURN = APP_STORY_FIRST, SHORT_WARM_UP = 1 };

/* A point is done early when its interval is narrower than this fraction of its median. */
static const double narrow = 0.01;

/* A warm-up run that takes this long counts: what is loaded meanwhile is negligible. */
static const double long_run_s = 0.03;

/* After so many runs in a row without a reading, a mode is given up at a point. */
enum { LOST_MAX = 20 };

/* All modes at one number of spheres. */
struct point {
    struct app_state state;
    struct modes modes;
    struct app_measurement measurement;
    struct app_sampler sampler;
    bool described;
    bool checked[KRN_MODES_MAX]; /* its picture was rendered for a verification */
};

/* What belongs to one backend. */
struct side {
    struct app_engine *engine; /* NULL: closed */
    struct krn_image image;
    struct app_verify *verify;
    int verified; /* the point that is being verified; -1: none */
    bool done;
    char why[APP_NOTICE_MAX];
    struct point *points; /* one per number of spheres */
};

/* A mode at a point; point < 0: none. */
struct item {
    int point, mode;
};

struct app_story {
    struct app_engine *engine; /* the picture's */
    struct app_sweep_values counts;
    int width, height;
    int order[APP_SWEEP_COUNTS];
    struct side *sides[KRN_BACKEND_COUNT]; /* NULL: nothing was measured */
    void (*settle)(void *who);             /* NULL: there is nothing to wait for */
    void *who;
    struct app_battery battery;
    bool ran, hidden;
    enum krn_backend_id shown; /* the backend that the view is of */
    bool fresh;                /* the view has the newest numbers of it */
    struct app_story_view view;
};

struct app_story *app_story_open(struct app_engine *engine, const struct app_sweep_values *counts,
                                 int width, int height, void (*settle)(void *who), void *who)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    struct app_story *story = krn_alloc(1, sizeof *story);
    story->engine = engine;
    story->settle = settle;
    story->who = who;
    story->width = width;
    story->height = height;
    story->counts.count = app_sweep_points(app_sweep_record_axes(), points);
    for (int i = 0; i < story->counts.count; i++)
        story->counts.at[i] = points[i].spheres;
    if (counts != NULL)
        story->counts = *counts;
    app_story_order(story->counts.count, story->order);
    return story;
}

static void close_device(struct side *side, enum krn_backend_id backend)
{
    if (side->engine == NULL)
        return;
    app_verify_close(side->verify);
    krn_device_free_image(app_engine_connected(side->engine, backend), &side->image);
    app_engine_close(side->engine);
    side->engine = NULL;
}

void app_story_again(struct app_story *story, enum krn_backend_id backend)
{
    struct side *side = story->sides[backend];
    story->fresh = false;
    if (side == NULL)
        return;
    close_device(side, backend);
    free(side->points);
    free(side);
    story->sides[backend] = NULL;
}

void app_story_close(struct app_story *story)
{
    if (story == NULL)
        return;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_story_again(story, (enum krn_backend_id)id);
    free(story->view.sweep);
    free(story);
}

bool app_story_ran(const struct app_story *story)
{
    return story->ran;
}

void app_story_pause(struct app_story *story, bool hidden)
{
    story->ran = false;
    story->hidden = hidden;
}

bool app_story_over(const struct app_story *story, enum krn_backend_id backend)
{
    const struct side *side = story->sides[backend];
    return side != NULL && (side->done || side->why[0] != 0);
}

/* Connects the device of a side and lists the modes at every number of spheres. */
static enum krn_code connect(const struct app_story *story, struct side *side,
                             enum krn_backend_id backend, struct krn_error *error)
{
    /* Storages that are no memories of their own have one curve. */
    const char *chosen = krn_backend_get(backend)->can->distinct_storages ? "" : "*/global/*";
    enum krn_code code = KRN_OK;
    side->engine = app_engine_beside(story->engine);
    side->verify = app_verify_open();
    side->verified = -1;
    side->points = krn_alloc((size_t)story->counts.count, sizeof *side->points);
    for (int i = 0; code == KRN_OK && i < story->counts.count; i++) {
        struct point *point = &side->points[i];
        point->state = app_state_default();
        point->state.spec.backend = backend;
        point->state.spec.recipe.count = story->counts.at[i];
        point->state.spec.width = story->width;
        point->state.spec.height = story->height;
        point->state.spec.motion = false;
        point->modes.engine = side->engine;
        point->modes.state = &point->state;
        point->modes.image = &side->image;
        point->modes.measurement = &point->measurement;
        point->sampler = (struct app_sampler){
            .source = &mode_source,
            .self = &point->modes,
            .items = point->modes.items,
            .turns = {.samples = SHORT_TURN, .warm_up = SHORT_WARM_UP, .long_s = long_run_s},
        };
        code = app_engine_adopt(side->engine, &point->state, error);
        if (code == KRN_OK)
            prepare(&point->modes, chosen);
        point->sampler.count = point->measurement.count;
    }
    KRN_THEN(code, krn_device_alloc_image(app_engine_connected(side->engine, backend), story->width,
                                          story->height, &side->image, error));
    return code;
}

/* --- which point is next --- */

/* Predicts the time of a frame, ms; < 0: unknown. */
static double predict_ms(const struct app_story *story, const struct side *side, struct item item)
{
    double ms[APP_SWEEP_COUNTS];
    for (int i = 0; i < story->counts.count; i++)
        ms[i] = side->points[i].measurement.modes[item.mode].ms.median;
    return app_story_predict_ms(story->counts.at, ms, story->counts.count, item.point);
}

/* Returns true when a frame takes too long as far as is known. Nothing is known before the least
 * count was measured, which comes first. A single measured frame may have been disturbed, so its
 * mode is given up later. */
static bool is_too_long(const struct app_story *story, const struct side *side, struct item item)
{
    const double ms = predict_ms(story, side, item);
    const size_t n = side->points[item.point].modes.items[item.mode].n;
    return ms < 0.0 ? item.point > 0 : ms > (n > 0 ? 2.0 : 1.0) * APP_STORY_FRAME_MS;
}

/* Returns the next point that lacks samples: turn by turn, coarse counts first, all modes at each.
 */
static struct item next_item(const struct app_story *story, const struct side *side)
{
    for (size_t target = SHORT_TURN; target <= APP_STORY_SAMPLES; target += SHORT_TURN)
        for (int i = 0; i < story->counts.count; i++) {
            const struct point *point = &side->points[story->order[i]];
            for (int m = 0; m < point->measurement.count; m++) {
                const struct app_item *sampled = &point->modes.items[m];
                const struct item item = {story->order[i], m};
                if (sampled->refused[0] == 0 && sampled->stop == KRN_STOP_NOT &&
                    sampled->n < target && !is_too_long(story, side, item))
                    return item;
            }
        }
    return (struct item){-1, 0};
}

/* --- one side --- */

/* Makes a point's scene and modes those on the side's device. */
static enum krn_code adopt(struct side *side, struct point *point, struct krn_error *error)
{
    const enum krn_code code = app_engine_adopt(side->engine, &point->state, error);
    if (code == KRN_OK && !point->described)
        app_measurement_describe(&point->measurement, side->engine, &point->state);
    point->described = point->described || code == KRN_OK;
    return code;
}

/* Sums up and judges a mode after its newest sample or verdict. Throttling and a battery count for
 * all samples after them. */
static void sum_up_item(struct side *side, struct item item, const struct app_conditions *now)
{
    const unsigned lasting =
        APP_TRUST_BIT(APP_TRUST_THROTTLED) | APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    struct point *point = &side->points[item.point];
    struct app_item *sampled = &point->modes.items[item.mode];
    struct app_mode_time *result = &point->measurement.modes[item.mode];
    const unsigned before = result->median.trust & lasting;
    sum_up(&point->modes, item.mode);
    const bool ends = sampled->n >= 2 * SHORT_TURN && sampled->n % SHORT_TURN == 0 &&
                      result->median.has_interval &&
                      result->median.high - result->median.low < narrow * result->ms.median;
    sampled->stop = sampled->n >= APP_STORY_SAMPLES ? KRN_STOP_FULL
                    : ends                          ? KRN_STOP_NARROW
                                                    : KRN_STOP_NOT;
    result->stop = sampled->stop;
    judge(side->engine, now, result);
    result->median.trust |= before;
}

/* Begins to verify all modes with samples at a point with one that was not verified yet, unless its
 * modes have their turns now. They promise the same bytes, so all of them are compared. */
static enum krn_code begin_verification(const struct app_story *story, struct side *side,
                                        struct item next, struct krn_error *error)
{
    for (int i = 0; i < story->counts.count; i++) {
        struct point *point = &side->points[i];
        struct krn_mode modes[KRN_MODES_MAX];
        bool lacks = false;
        int count = 0;
        for (int m = 0; m < point->measurement.count; m++)
            if (point->modes.items[m].n > 0) {
                lacks = lacks || !point->checked[m];
                modes[count++] = point->measurement.modes[m].mode;
            }
        if (!lacks || i == next.point)
            continue;
        const enum krn_code code = adopt(side, point, error);
        if (code != KRN_OK)
            return code;
        for (int m = 0; m < point->measurement.count; m++)
            point->checked[m] = point->modes.items[m].n > 0;
        app_verify_begin(side->verify, side->engine, &point->state, modes, count);
        side->verified = i;
        return KRN_OK;
    }
    return KRN_OK;
}

/* Takes a step of the verification, and takes over its verdicts. */
static enum krn_code verify_point(struct side *side, const struct app_conditions *now,
                                  struct krn_error *error)
{
    struct point *point = &side->points[side->verified];
    const enum krn_code code = adopt(side, point, error);
    if (code != KRN_OK || app_verify_step(side->verify, side->engine, &point->state))
        return code;
    for (int m = 0; m < point->measurement.count; m++) {
        struct app_mode_time *result = &point->measurement.modes[m];
        struct app_verify_status status;
        if (!point->checked[m])
            continue;
        app_verify_status(side->verify, point->state.spec.backend, result->mode, 0.0, &status);
        result->verified = status.verified;
        memcpy(result->verified_text, status.text, sizeof result->verified_text);
        sum_up_item(side, (struct item){side->verified, m}, now);
    }
    side->verified = -1;
    return KRN_OK;
}

/* Runs a mode at a point once. After the first turn its overhead is measured. */
static enum krn_code run_item(struct side *side, struct item item, const struct app_conditions *now,
                              struct krn_error *error)
{
    struct point *point = &side->points[item.point];
    struct app_item *sampled = &point->modes.items[item.mode];
    struct app_reading reading;
    enum krn_code code = adopt(side, point, error);
    KRN_THEN(code, app_sampler_start(&point->sampler, item.mode, error));
    /* Only this mode cannot run, as a texture that is too large for the device. */
    if (code == KRN_REFUSED) {
        snprintf(sampled->refused, sizeof sampled->refused, "%s", error->text);
        return KRN_OK;
    }
    if (code != KRN_OK || !app_sampler_busy(&point->sampler))
        return code;
    if (app_sampler_poll(&point->sampler, &reading) == APP_POLL_TAKEN)
        sampled->lost = 0;
    else if (++sampled->lost >= LOST_MAX)
        snprintf(sampled->refused, sizeof sampled->refused, "no run gave a reading");
    if (sampled->n > 0)
        sum_up_item(side, item, now);
    return sampled->n == SHORT_TURN
               ? measure_overhead(side->engine, &point->state, &point->measurement,
                                  &point->measurement.modes[item.mode], error)
               : KRN_OK;
}

/* Returns the time of the longest frame of a point, ms. */
static double longest_ms(const struct point *point)
{
    double ms = 0.0;
    for (int m = 0; m < point->measurement.count; m++)
        ms = fmax(ms, point->measurement.modes[m].ms.median);
    return ms;
}

/* Runs points, and renders their pictures for the verification, until the burst is over. On a
 * backend that computes on the host's processors, the reference has them to itself, after the first
 * turns of all points. */
static enum krn_code burst(const struct app_story *story, struct side *side,
                           const struct app_conditions *now, bool host_processors,
                           struct krn_error *error)
{
    const struct timespec moment = {0, 1000000};
    const double begin_ms = app_clock_ms();
    struct item last = {-1, 0};
    enum krn_code code = KRN_OK;
    for (bool first = true; code == KRN_OK && !app_must_stop(); first = false) {
        const struct item item = next_item(story, side);
        const bool fills =
            item.point >= 0 && side->points[item.point].modes.items[item.mode].n < SHORT_TURN;
        if (side->verified < 0 && !(fills && host_processors))
            code = begin_verification(story, side, item, error);
        side->done = code == KRN_OK && item.point < 0 && side->verified < 0;
        const bool computes = app_verify_computes(side->verify);
        const bool verifies = side->verified >= 0 && !computes;
        const double passed_ms = app_clock_ms() - begin_ms;
        if (code != KRN_OK || side->done || passed_ms >= APP_STORY_BURST_MS)
            break;
        if (!verifies && (item.point < 0 || (computes && host_processors))) {
            nanosleep(&moment, NULL); /* there is nothing to do but to wait for the reference */
            break;
        }
        const double next_ms =
            verifies ? longest_ms(&side->points[side->verified]) : predict_ms(story, side, item);
        if (!first && passed_ms + next_ms > APP_STORY_FRAME_MS)
            break;
        if (verifies) {
            code = verify_point(side, now, error);
            continue;
        }
        if (item.point != last.point || item.mode != last.mode)
            app_sampler_begin_turn(&side->points[item.point].sampler, item.mode);
        last = item;
        code = run_item(side, item, now, error);
    }
    return code;
}

enum krn_code app_story_frame(struct app_story *story, const struct app_state *state,
                              struct krn_error *error)
{
    const enum krn_backend_id backend = state->spec.backend;
    const struct krn_capabilities *can = krn_backend_get(backend)->can;
    struct side *side = story->sides[backend];
    story->ran = false;
    if (state->look.hold || app_must_stop() || app_story_over(story, backend))
        return KRN_OK;
    if (side == NULL)
        side = story->sides[backend] = krn_alloc(1, sizeof *side);
    story->ran = true;
    story->fresh = false;
    /* The frame before may still be running, and its picture may still be drawn. */
    if (story->settle)
        story->settle(story->who);
    enum krn_code code = krn_device_sync(app_engine_device(story->engine, state), error);
    if (code == KRN_OK && side->engine == NULL)
        code = connect(story, side, backend, error);
    if (code == KRN_OK) {
        struct krn_telemetry_reading telemetry;
        app_engine_telemetry(story->engine, backend, &telemetry);
        const struct app_conditions now = {
            .telemetry = &telemetry, .on_battery = app_battery_at(&story->battery, app_clock_s())};
        if (can->distinct_storages) /* the frame before has written the constant banks */
            app_engine_forget_upload(side->engine, backend);
        code = burst(story, side, &now, can->host_processors, error);
    }
    if (can->distinct_storages)
        app_engine_forget_upload(story->engine, backend);
    /* A side that cannot go on keeps its numbers. */
    if (code != KRN_OK || side->done)
        close_device(side, backend);
    if (code != KRN_OK && code != KRN_CANCELLED)
        snprintf(side->why, sizeof side->why, "%s", error->text);
    return code == KRN_LOST ? code : KRN_OK;
}

/* --- what the screen shows, and what records contain --- */

/* Names the kernels with points that are left out, and the least such count of each. */
static void describe_left_out(const struct app_story *story, const struct side *side,
                              struct app_story_view *view)
{
    char *text = view->left_out;
    const size_t size = sizeof view->left_out;
    size_t used = 0;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++) {
        int least = 0;
        for (int at = story->counts.count - 1; at >= 0; at--)
            for (int m = 0; m < side->points[at].measurement.count; m++)
                if ((int)side->points[at].measurement.modes[m].mode.kernel == kernel &&
                    side->points[at].modes.items[m].refused[0] == 0 &&
                    side->points[at].modes.items[m].n == 0)
                    least = story->counts.at[at];
        if (least > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s from %d",
                                     used > 0 ? ", " : "Left out, over 100 ms per frame: ",
                                     krn_kernel_name((enum krn_kernel)kernel), least);
    }
    if (used > 0 && used < size)
        snprintf(text + used, size - used, " spheres.");
}

/* Shows the times, and the finished part of all points that are not left out. */
static void collect_points(const struct app_story *story, const struct side *side,
                           struct app_story_view *view)
{
    double wanted = 0.0, have = 0.0;
    for (int at = 0; at < story->counts.count; at++)
        for (int m = 0; m < side->points[at].measurement.count; m++) {
            const struct app_item *sampled = &side->points[at].modes.items[m];
            const struct app_mode_time *result = &side->points[at].measurement.modes[m];
            const struct item item = {at, m};
            if (sampled->refused[0] == 0 &&
                (predict_ms(story, side, item) < 0.0 || !is_too_long(story, side, item))) {
                wanted += 1.0;
                have += sampled->stop != KRN_STOP_NOT
                            ? 1.0
                            : fmin((double)sampled->n / APP_STORY_SAMPLES, 1.0);
            }
            if (sampled->n == 0)
                continue;
            app_sweep_put(view->sweep, krn_mode_index(result->mode), at, &result->median, NULL);
            view->sweep->limit_ms[at] = side->points[at].measurement.limit.raw_ms;
            view->trust |= result->median.trust;
            if (view->least == 0 || sampled->n < view->least)
                view->least = sampled->n;
        }
    view->progress = side->done ? 1.0 : wanted > 0.0 ? have / wanted : 0.0;
}

const struct app_story_view *app_story_current(struct app_story *story, enum krn_backend_id backend)
{
    const struct side *side = story->sides[backend];
    struct app_story_view *view = &story->view;
    if (!story->fresh || story->shown != backend) {
        free(view->sweep);
        memset(view, 0, sizeof *view);
        view->width = story->width;
        view->height = story->height;
        view->sweep = app_sweep_new(KRN_VIEW_BOOK, &story->counts, NULL);
        view->sweep->one_storage = !krn_backend_get(backend)->can->distinct_storages;
        if (side != NULL && side->points != NULL)
            collect_points(story, side, view);
        if (side != NULL && side->done)
            describe_left_out(story, side, view);
        app_story_headline_of(view->sweep, app_engine_band_percent(story->engine), &view->headline);
        story->fresh = true;
        story->shown = backend;
    }
    view->begun = side != NULL;
    view->done = side != NULL && side->done;
    view->paused = side != NULL && story->hidden && !side->done;
    snprintf(view->why, sizeof view->why, "%s", side != NULL ? side->why : "");
    return view;
}

const struct app_measurement *app_story_point(const struct app_story *story,
                                              enum krn_backend_id backend, int at,
                                              struct app_state *state)
{
    const struct side *side = story->sides[backend];
    if (side == NULL || side->points == NULL || at >= story->counts.count)
        return NULL;
    *state = side->points[at].state;
    return &side->points[at].measurement;
}
