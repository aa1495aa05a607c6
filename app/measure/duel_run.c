/* app/measure/duel_run.c - a duel without a window. */
#include "measure/mode_run.h"

#include "base/process.h"

#include <math.h>
#include <string.h>

/* Frames of the warm-up, and its part of the time budget. */
enum { WARM_UP_LEAST = 3, WARM_UP_MOST = 2000 };
static const double warm_up_share = 0.15;

/* An A/A frame comes before every third frame of the duel: less than a third of the time. */
enum { AA_EVERY = 3 };

/* A duel as a source of one item: a run is a frame of both modes into one image. */
struct fight {
    struct app_engine *engine;
    const struct app_state *state;
    const struct krn_image *images[2]; /* one and the same on one backend */
    struct krn_stop_rule rule;
    bool narrow;      /* it may end with the interval of the ratio */
    int warm_up_most; /* frames of the warm-up */
    int frames;
    unsigned long drops; /* of both sides' devices, at the newest poll */
    int aa_side;         /* which side the A/A duel renders, 0: A, 1: B; < 0: no A/A duel */
};

static unsigned long drops_of(const struct fight *fight)
{
    unsigned long drops = 0;
    for (int side = 0; side <= app_state_crosses(fight->state); side++)
        drops += krn_device_gate_drops(
            app_engine_connected(fight->engine, app_state_side(fight->state, side).backend));
    return drops;
}

/* Renders one frame of the A/A duel. It leaves the device in the state in which its side leaves it,
 * and that side would find it so more often than the other side does. So after every other A/A
 * frame the other side renders once, untimed; with two backends, it does so before every turn. */
static enum krn_code render_aa(const struct fight *fight, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(fight->engine, fight->state);
    struct app_state other = *fight->state;
    if (fight->aa_side == 0)
        other.spec.mode = fight->state->spec.duel.other;
    enum krn_code code = app_engine_render_aa(fight->engine, fight->state, fight->aa_side,
                                              fight->images, app_clock_s(), error);
    KRN_THEN(code, krn_device_sync(device, error));
    if (code == KRN_OK && fight->frames / AA_EVERY % 2 == 1 && !app_state_crosses(fight->state))
        code = app_engine_extra(fight->engine, &other, 1, error);
    return code == KRN_OK ? krn_device_sync(device, error) : code;
}

static enum krn_code start_pair(void *self, int item, struct krn_error *error)
{
    struct fight *fight = self;
    (void)item;
    enum krn_code code = KRN_OK;
    if (fight->aa_side >= 0 && fight->frames % AA_EVERY == 0)
        code = render_aa(fight, error);
    fight->frames++;
    if (code != KRN_OK)
        return code;
    code = app_engine_render_duel(fight->engine, fight->state, fight->images, app_clock_s(), error);
    return code == KRN_OK ? krn_device_sync(app_engine_device(fight->engine, fight->state), error)
                          : code;
}

/* The engine matches the readings of both sides; the newest pair is the reading. */
static enum app_poll poll_pair(void *self, int item, struct app_reading *reading)
{
    struct fight *fight = self;
    const struct app_duel *duel = app_engine_duel(fight->engine);
    const size_t before = duel->kept;
    const unsigned long drops = fight->drops;
    (void)item;
    app_engine_poll(fight->engine);
    fight->drops = drops_of(fight);
    if (duel->kept == before)
        return fight->drops > drops ? APP_POLL_LATE : APP_POLL_LOST;
    app_duel_pairs(duel, 1, &reading->ms, &reading->second);
    reading->slice_ms = reading->ms + reading->second;
    return APP_POLL_TAKEN;
}

static bool both_settled(const struct app_duel *duel)
{
    double ms[2][KRN_SETTLED_SAMPLES];
    const size_t n = app_duel_pairs(duel, KRN_SETTLED_SAMPLES, ms[0], ms[1]);
    return krn_settled(ms[0], n) && krn_settled(ms[1], n);
}

/* Ends the warm-up when both sides have settled, or enough time has gone into it. */
static enum krn_stop judge_warm_up(void *self, int item, double seconds)
{
    const struct fight *fight = self;
    (void)item;
    if (fight->frames >= fight->warm_up_most)
        return KRN_STOP_FULL;
    if (fight->frames < WARM_UP_LEAST)
        return KRN_STOP_NOT;
    return seconds >= warm_up_share * fight->rule.seconds ? KRN_STOP_TIME
           : both_settled(app_engine_duel(fight->engine)) ? KRN_STOP_NARROW
                                                          : KRN_STOP_NOT;
}

/* Every pair is a look: the interval of the ratio holds at all of them. */
static enum krn_stop judge_duel(void *self, int item, double seconds)
{
    const struct fight *fight = self;
    const struct krn_duel_result *result =
        krn_duel_result_of(&app_engine_duel(fight->engine)->statistic);
    const struct app_duel *aa = app_engine_aa(fight->engine);
    const bool aa_spoke = aa && krn_duel_result_of(&aa->statistic)->valid;
    const struct krn_interval interval = {
        .valid =
            fight->narrow && aa_spoke && result->valid && result->verdict != KRN_RATIO_CANNOT_TELL,
        .low = result->low,
        .high = result->high,
    };
    (void)item;
    return krn_stop_check(&fight->rule, result->pairs, result->ratio, interval, seconds);
}

static void describe_duel(void *self, int item, size_t samples, char *text, size_t size)
{
    const struct fight *fight = self;
    const struct app_duel *duel = app_engine_duel(fight->engine);
    (void)item;
    snprintf(text, size, "%zu pairs", samples);
    if (duel == NULL) /* before the first pair */
        return;
    const struct krn_duel_result *result = krn_duel_result_of(&duel->statistic);
    const struct app_comparison found = app_comparison_of_duel(
        result, krn_series_summary(&duel->ms[0]).median, krn_series_summary(&duel->ms[1]).median);
    const struct app_described said =
        app_describe(found.ratio, (struct app_form){.digits = APP_DIGITS_WIDTH});
    if (result->valid && !app_same_caches(duel->sides[0], duel->sides[1]))
        app_format(text, size, "r = %s %s, %s, %zu pairs", said.text, said.interval,
                   app_verdict_word(app_verdict_of_duel(result->verdict)), result->pairs);
    else
        snprintf(text, size, "%zu pairs", result->pairs);
}

static void describe_warm_up(void *self, int item, size_t samples, char *text, size_t size)
{
    const struct fight *fight = self;
    (void)item;
    (void)samples;
    snprintf(text, size, "warming up, %d frames", fight->frames);
}

static const struct app_source warm_up_source = {.start = start_pair,
                                                 .poll = poll_pair,
                                                 .judge = judge_warm_up,
                                                 .describe = describe_warm_up},
                               duel_source = {.start = start_pair,
                                              .poll = poll_pair,
                                              .judge = judge_duel,
                                              .describe = describe_duel};

/* Runs frames until the source's judge ends them. */
static enum krn_code run_frames(struct fight *fight, const struct app_source *source,
                                struct app_progress *progress, enum krn_stop *stop,
                                struct krn_telemetry_reading *telemetry, struct krn_error *error)
{
    struct app_item item = {.n = 0};
    struct app_sampler sampler = {.source = source,
                                  .self = fight,
                                  .items = &item,
                                  .count = 1,
                                  .turns = {.samples = 1},
                                  .progress = progress};
    const enum krn_code code = app_sampler_run(
        &sampler, app_engine_monitor(fight->engine, fight->state->spec.backend), telemetry, error);
    *stop = item.stop;
    return code;
}

void app_duel_sum_up(const struct app_engine *engine, const struct app_state *state, size_t most,
                     struct app_duel_result *duel_result)
{
    static const struct app_duel none; /* interrupted before the first frame */
    const struct app_duel *duel = app_engine_duel(engine) ? app_engine_duel(engine) : &none;
    const struct app_duel_side of[2] = {app_state_side(state, 0), app_state_side(state, 1)};
    const bool same = app_same_caches(of[0], of[1]);
    const struct krn_duel_result *result = krn_duel_result_of(&duel->statistic);
    /* A ratio of equal storages would be read as one of different ones. */
    duel_result->result = same ? (struct krn_duel_result){.pairs = result->pairs} : *result;
    duel_result->band_percent = app_engine_band_percent(engine);
    duel_result->claims = same ? 0 : duel->claims;
    duel_result->claimed_pairs = duel->claimed_pairs;
    duel_result->claimed_s = duel->claimed_s;
    duel_result->seconds = duel->statistic.last_s - duel->statistic.first_s;
    duel_result->wandering = duel_result->result.verdict == KRN_RATIO_WANDERING;
    struct app_measurement *sides = &duel_result->sides;
    const struct krn_telemetry_reading telemetry = sides->telemetry;
    app_measurement_begin(sides, engine, state);
    app_workload_scene(krn_mode_view(state->spec.mode), app_engine_scene(engine),
                       sides->scene[krn_mode_view(state->spec.mode)]);
    sides->telemetry = telemetry;
    sides->count = 2;
    const size_t n = app_duel_pairs(duel, most, sides->samples_ms[0], sides->samples_ms[1]);
    for (int side = 0; side < 2; side++) {
        const enum krn_backend_id backend = of[side].backend;
        struct app_mode_time *time = &sides->modes[side];
        time->backend = backend;
        time->mode = of[side].mode;
        app_mode_time_sum_up(time, sides->samples_ms[side], n,
                             krn_device_overheads(app_engine_connected(engine, backend)).tick_ms);
        time->regime = app_engine_regime(engine, backend, time->mode);
        time->scope = app_engine_scope(engine, backend, time->mode.kernel);
        if (app_state_crosses(state)) { /* the floor that the statistic leaves out */
            const struct krn_overhead floor = app_engine_overhead(engine, backend, time->mode);
            time->overhead_ms = floor.ms;
            time->net = app_estimate_net(time->median, floor);
        }
    }
    duel_result->comparison =
        app_comparison_of_duel(&duel_result->result, sides->modes[0].ms.median - duel->floor_ms[0],
                               sides->modes[1].ms.median - duel->floor_ms[1]);
}

unsigned app_duel_joined(const unsigned sides[2], bool wandering)
{
    const unsigned own = APP_TRUST_BIT(APP_TRUST_WANDERING);
    const unsigned cancels = own | APP_TRUST_BIT(APP_TRUST_NOT_SETTLED);
    return ((sides[0] | sides[1]) & ~cancels) | (wandering ? own : 0);
}

void app_duel_judge(const struct app_engine *engine, const struct app_conditions *conditions,
                    struct app_duel_result *duel_result)
{
    const struct app_mode_time *sides = duel_result->sides.modes;
    app_measure_judge(engine, conditions, &duel_result->sides);
    const unsigned trust[2] = {sides[0].median.trust, sides[1].median.trust};
    duel_result->trust = app_duel_joined(trust, duel_result->wandering);
}

enum app_verdict app_duel_verdict(const struct app_duel_result *duel_result)
{
    const enum app_verdict none = app_trust_no_verdict(duel_result->trust);
    const struct krn_duel_result *result = &duel_result->result;
    const struct app_mode_time *sides = duel_result->sides.modes;
    return none ? none
           : app_same_caches((struct app_duel_side){sides[0].backend, sides[0].mode},
                             (struct app_duel_side){sides[1].backend, sides[1].mode})
               ? APP_VERDICT_SAME_CACHES
           : duel_result->distrusted           ? APP_VERDICT_NOT_TRUSTED
           : result->verdict == result->so_far ? duel_result->comparison.verdict
                                               : app_verdict_of_duel(result->verdict);
}

static void sum_up_aa(const struct fight *fight, struct app_duel_result *duel_result)
{
    const struct app_duel *aa = app_engine_aa(fight->engine);
    if (!aa || app_duel_verdict(duel_result) == APP_VERDICT_SAME_CACHES)
        return;
    duel_result->aa = (struct app_duel_aa){.valid = true,
                                           .side = fight->aa_side,
                                           .result = *krn_duel_result_of(&aa->statistic),
                                           .claims = aa->claims};
    duel_result->distrusted = krn_ratio_claims(duel_result->aa.result.so_far);
}

/* Returns the side whose median is smaller so far: 0 for A, 1 for B. */
static int faster_side(const struct app_duel *duel)
{
    return duel &&
           krn_series_summary(&duel->ms[1]).median < krn_series_summary(&duel->ms[0]).median;
}

/* Warms up within the rule's time, chooses the side of the A/A duel, and drops what the warm-up
 * measured. */
static enum krn_code warm_up(struct fight *fight, struct app_progress *progress,
                             struct krn_error *error)
{
    struct fight first = *fight;
    enum krn_stop stop;
    first.aa_side = -1;
    if (!isfinite(first.rule.seconds))
        first.rule.seconds = APP_DUEL_SECONDS;
    struct krn_telemetry_reading unread;
    const enum krn_code code = run_frames(&first, &warm_up_source, progress, &stop, &unread, error);
    fight->aa_side = faster_side(app_engine_duel(fight->engine));
    app_engine_stop_duel(fight->engine);
    return code;
}

enum krn_code app_duel_run(struct app_engine *engine, struct app_state *state,
                           const struct app_plan *plan, struct app_duel_result *duel_result,
                           struct krn_error *error)
{
    memset(duel_result, 0, sizeof *duel_result);
    const int frames = plan->frames;
    /* The warm-up and the verification have the rest. */
    const double start_s = app_clock_s(), seconds = 0.75 * plan->seconds;
    const struct app_verify_limits limits = {
        plan->seconds > 0.0 ? start_s + plan->seconds : HUGE_VAL, plan->repeats};
    const bool limited = frames > 0 || seconds > 0.0;
    enum krn_code code = app_engine_adopt(engine, state, error);
    if (code != KRN_OK)
        return code == KRN_CANCELLED ? KRN_OK : code;
    const bool crosses = app_state_crosses(state);
    struct krn_image images[2] = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
    struct krn_device *devices[2];
    for (int side = 0; side < 2; side++)
        devices[side] = app_engine_connected(engine, app_state_side(state, side).backend);
    for (int side = 0; code == KRN_OK && side <= crosses; side++)
        code = krn_device_alloc_image(devices[side], state->spec.width, state->spec.height,
                                      &images[side], error);
    struct fight fight = {
        .engine = engine,
        .state = state,
        .images = {&images[0], &images[crosses]},
        .rule = {.width = limited ? 0.0 : 0.5 * app_engine_band_percent(engine) / 100.0,
                 .seconds = seconds > 0.0 ? seconds
                            : frames > 0  ? HUGE_VAL
                                          : APP_DUEL_SECONDS,
                 .at_least = 2 * KRN_SETTLED_SAMPLES,
                 .at_most = frames > 0 ? (size_t)frames : SIZE_MAX},
        .narrow = !limited,
        .warm_up_most = frames > 0 ? WARM_UP_LEAST : WARM_UP_MOST,
    };
    const unsigned long first_drops = fight.drops = drops_of(&fight);
    KRN_THEN(code, warm_up(&fight, plan->progress, error));
    KRN_THEN(code, run_frames(&fight, &duel_source, plan->progress, &duel_result->stop,
                              &duel_result->sides.telemetry, error));
    if (code == KRN_OK) {
        app_duel_sum_up(engine, state, APP_MEASURE_SAMPLES, duel_result);
        for (int side = 0; side < 2; side++)
            duel_result->sides.modes[side].gate_drops = fight.drops - first_drops;
        sum_up_aa(&fight, duel_result);
        if (krn_mode_view(state->spec.mode) == KRN_VIEW_LIGHT)
            duel_result->sides.rays = app_rays_count(engine, state);
        if (!crosses)
            code = app_measure_overheads(engine, state, &duel_result->sides, error);
    }
    if (code == KRN_OK) {
        code = app_measure_verify(engine, state, &limits, &duel_result->sides, error);
        const struct app_conditions conditions = {.telemetry = &duel_result->sides.telemetry,
                                                  .since = true,
                                                  .on_battery = app_on_battery()};
        app_duel_judge(engine, &conditions, duel_result);
    }
    for (int side = 0; side <= crosses; side++)
        krn_device_free_image(devices[side], &images[side]);
    return code == KRN_CANCELLED ? KRN_OK : code;
}
