#include "measure/mode_run.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "base/value.h"
#include "engine/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 3, TURN = 20 };

/* Beyond this many covered pixels the reference takes minutes (measured: about 10 ns each). */
static const double reference_pixels_max = 1e9;

/* One frame, waited for; its sample is added when it ended at keep_from (app_clock_s) or later, and
 * there is room for it. */
static enum krn_code one_frame(struct app_engine *engine, const struct app_state *state,
                               const struct krn_image *image, struct app_mode_result *measured,
                               double keep_from, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = app_engine_render(engine, state, image, error);
    if (code == KRN_OK)
        code = krn_device_sync(device, error);
    if (code != KRN_OK || app_engine_poll(engine) == 0 || app_clock_s() < keep_from ||
        measured->n >= APP_MEASURE_SAMPLES)
        return code;
    const struct krn_series *series = app_engine_series(engine, state->backend, state->mode);
    measured->samples_ms[measured->n++] = krn_series_at(series, series->count - 1);
    measured->scope = app_engine_scope(engine, state->backend, state->mode.kernel);
    return KRN_OK;
}

static void judge(struct app_mode_result *measured, const struct krn_reference *reference,
                  const uint8_t *pixels)
{
    const struct krn_verdict verdict = krn_reference_compare(reference, pixels);
    measured->verified = verdict.wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
    app_verdict_text(&verdict, measured->verified_text, sizeof measured->verified_text);
}

enum krn_code app_measure_verify(struct app_engine *engine, struct app_state *state,
                                 const struct krn_image *image, struct app_measurement *measurement,
                                 struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    const double covered = app_verify_pixels(app_engine_scene(engine), &view);
    if (covered > reference_pixels_max) {
        for (int m = 0; m < measurement->count; m++)
            app_format(measurement->modes[m].verified_text,
                       sizeof measurement->modes[m].verified_text,
                       "not verified: the reference would draw %.3g pixels", covered);
        return KRN_OK;
    }
    struct krn_reference reference;
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = krn_reference_render(&reference, app_engine_scene(engine),
                                              krn_pose_at(state->motion_s), &view, error);
    if (code != KRN_OK)
        return code;
    uint8_t *pixels = malloc(4 * (size_t)view.width * (size_t)view.height);
    if (!pixels)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.", view.width,
                        view.height);
    const struct app_mode_result *right = NULL;
    uint64_t hash = 0, right_hash = 0;
    for (int m = 0; code == KRN_OK && m < measurement->count; m++) {
        struct app_mode_result *measured = &measurement->modes[m];
        if (measured->refused[0])
            continue;
        state->mode = measured->mode;
        code = one_frame(engine, state, image, measured, INFINITY, error);
        if (code == KRN_OK)
            code = krn_device_read(device, image, pixels, error);
        if (code == KRN_OK)
            code = krn_device_hash(device, image, &hash, error);
        if (code != KRN_OK)
            break;
        judge(measured, &reference, pixels);
        if (measured->verified == APP_VERIFIED_TRUE && right == NULL) {
            right = measured;
            right_hash = hash;
        } else if (measured->verified == APP_VERIFIED_TRUE && hash != right_hash) {
            measured->verified = APP_VERIFIED_FALSE;
            char name[48];
            krn_mode_name(right->mode, name, sizeof name);
            snprintf(measured->verified_text, sizeof measured->verified_text,
                     "its bytes differ from those of %s", name);
        }
    }
    free(pixels);
    krn_reference_free(&reference);
    return code;
}

/* After each sample: what came before the samples settled is dropped, and the mode may be done. */
static void look_at(struct app_mode_result *measured, const struct krn_stop_rule *rule, bool drop,
                    double seconds)
{
    const bool was_settled = measured->settled;
    if (!was_settled)
        measured->settled = krn_settled(measured->samples_ms, measured->n);
    if (drop && measured->settled && !was_settled) {
        const size_t early = measured->n - KRN_SETTLED_SAMPLES;
        measured->n = KRN_SETTLED_SAMPLES;
        memmove(measured->samples_ms, measured->samples_ms + early,
                measured->n * sizeof *measured->samples_ms);
    }
    /* Looks at growing counts only: each is a chance to be narrow by luck. */
    const bool look = measured->settled && measured->n % TURN == 0;
    const double median = look ? krn_summarise(measured->samples_ms, measured->n).median : 0.0;
    const struct krn_interval none = {false, 0.0, 0.0};
    measured->stop =
        krn_stop_check(rule, measured->n, median,
                       look ? krn_interval_of(measured->samples_ms, measured->n) : none, seconds);
}

static void show_progress(FILE *progress, const struct app_mode_result *measured)
{
    if (!progress)
        return;
    char name[48];
    krn_mode_name(measured->mode, name, sizeof name);
    fprintf(progress, "\r%-20s %4zu samples", name, measured->n);
    fflush(progress);
}

/* Up to TURN samples of one mode, fewer when `share` seconds are over. The first launch loads the
 * kernel and a turn starts with others' caches, so the first frames do not count, unless they take
 * a quarter of the share: beside such a time all that is nothing. */
static enum krn_code take_turn(struct app_engine *engine, struct app_state *state,
                               const struct krn_image *image, const struct krn_stop_rule *rule,
                               double start, double share, struct app_mode_result *measured,
                               struct krn_error *error)
{
    const double begin = app_clock_s();
    state->mode = measured->mode;
    for (int i = 0; i < TURN + WARM_UP && measured->stop == KRN_STOP_NOT; i++) {
        if (app_interrupted())
            return KRN_OK;
        const enum krn_code code = one_frame(engine, state, image, measured,
                                             i < WARM_UP ? begin + share / 4.0 : 0.0, error);
        if (code != KRN_OK)
            return code;
        if (measured->n > 0)
            look_at(measured, rule, rule->width > 0.0, app_clock_s() - start);
        if (app_clock_s() >= begin + share && measured->n > 0)
            break;
    }
    return KRN_OK;
}

/* Every mode, in turns, until all are done or the time is up. */
static enum krn_code sample(struct app_engine *engine, struct app_state *state,
                            const struct krn_image *image, const struct krn_stop_rule *rule,
                            FILE *progress, struct app_measurement *measurement,
                            struct krn_error *error)
{
    const double start = app_clock_s();
    for (bool more = true; more;) {
        more = false;
        for (int m = 0; m < measurement->count; m++) {
            struct app_mode_result *measured = &measurement->modes[m];
            if (measured->refused[0] || measured->stop != KRN_STOP_NOT)
                continue;
            /* A slow mode's turn is shorter, and the first is everybody's, however long slow modes
             * took before: all have a share of the time. */
            const double share = rule->seconds / measurement->count / 2.0;
            const enum krn_code code =
                take_turn(engine, state, image, rule, start, share, measured, error);
            if (code != KRN_OK || app_interrupted())
                return code;
            more = more || measured->stop == KRN_STOP_NOT;
            show_progress(progress, measured);
        }
    }
    return KRN_OK;
}

/* Near the launch floor a pair around each launch says little: the time of one launch among many
 * goes beside it, the median of as many batches as there is time for. */
static enum krn_code measure_batches(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *image, double until_s,
                                     struct app_measurement *measurement, struct krn_error *error)
{
    enum { BATCHES = 15 };
    const struct krn_view view = app_engine_view(state);
    enum krn_code code = KRN_OK;
    for (int m = 0; code == KRN_OK && m < measurement->count; m++) {
        struct app_mode_result *measured = &measurement->modes[m];
        double ms[BATCHES];
        int n = 0;
        if (measured->n == 0 || app_interrupted() ||
            !(measured->summary.median < 2.0 * measurement->overheads.empty_kernel_ms))
            continue;
        for (; code == KRN_OK && n < BATCHES && app_clock_s() < until_s; n++)
            code = krn_device_render_batch(app_engine_device(engine, state), measured->mode, &view,
                                           image, APP_MEASURE_BATCH, &ms[n], error);
        if (code == KRN_OK && n > 0)
            measured->batched_ms = krn_summarise(ms, (size_t)n).median;
    }
    return code;
}

enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state, int frames,
                                double seconds, FILE *progress, struct app_measurement *measurement,
                                struct krn_error *error)
{
    memset(measurement, 0, sizeof *measurement);
    const bool count = frames > 0 && frames < APP_MEASURE_SAMPLES;
    const struct krn_stop_rule rule = {
        .width = count ? 0.0 : APP_MEASURE_WIDTH,
        .seconds = seconds,
        .at_least = KRN_SETTLED_SAMPLES,
        .at_most = count ? (size_t)frames : APP_MEASURE_SAMPLES,
    };
    enum krn_code code = app_engine_adopt(engine, state, error);
    if (code != KRN_OK)
        return code;
    struct krn_device *device = app_engine_device(engine, state);
    measurement->overheads = krn_device_overheads(device);
    measurement->tests = (double)state->width * state->height * app_engine_scene(engine)->count;
    for (int m = 0; m < KRN_MODES; m++) {
        struct app_mode_result *measured = &measurement->modes[measurement->count++];
        measured->mode = krn_mode_at(m);
        struct krn_error why;
        if (krn_mode_check(measured->mode, app_engine_scene(engine)->count, &why) != KRN_OK)
            snprintf(measured->refused, sizeof measured->refused, "%s", why.text);
    }
    struct krn_image image = {NULL, 0, 0, 0};
    code = krn_device_alloc_image(device, state->width, state->height, &image, error);
    if (code != KRN_OK)
        return code;

    const struct krn_mode mode = state->mode;
    krn_telemetry_mark(app_engine_monitor(engine, state->backend));
    code = sample(engine, state, &image, &rule, progress, measurement, error);
    if (progress)
        fprintf(progress, "\r%40s\r", "");
    /* Clocks as they were a moment ago, before the device cools down. */
    krn_telemetry_wait(app_engine_monitor(engine, state->backend), 0.5);
    app_engine_telemetry(engine, state->backend, &measurement->telemetry);
    for (int m = 0; m < measurement->count; m++) {
        struct app_mode_result *measured = &measurement->modes[m];
        measured->summary = krn_summarise(measured->samples_ms, measured->n);
        measured->interval = krn_interval_of(measured->samples_ms, measured->n);
        if (measured->mode.kernel == KRN_KERNEL_BINNED)
            measured->binning_ms =
                krn_series_summary(app_engine_binning(engine, state->backend)).median;
    }
    if (code == KRN_OK)
        code = measure_batches(engine, state, &image, app_clock_s() + seconds, measurement, error);
    if (code == KRN_OK)
        code = app_measure_verify(engine, state, &image, measurement, error);
    state->mode = mode;
    krn_device_free_image(device, &image);
    return code;
}

bool app_measure_all_right(const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].verified == APP_VERIFIED_FALSE)
            return false;
    return true;
}

static void print_row(const struct app_measurement *measurement, const struct app_mode_result *row,
                      FILE *out)
{
    static const char *const verdicts[] = {"-", "yes", "WRONG"};
    const struct app_mode_result *base = &measurement->modes[0];
    char name[48];
    krn_mode_name(row->mode, name, sizeof name);
    if (row->refused[0] || row->n == 0) {
        fprintf(out, "  %-17s %s\n", name, row->refused[0] ? row->refused : "not measured");
        return;
    }
    const struct krn_summary *s = &row->summary;
    const struct app_number median = app_number_time(s->median),
                            p5 = app_number_time_as(s->p5, s->median),
                            p95 = app_number_time_as(s->p95, s->median),
                            low = app_number_time_as(row->interval.low, s->median),
                            high = app_number_time_as(row->interval.high, s->median),
                            rate = app_number_rate(measurement->tests / s->median * 1e3, "tests/s");
    char ratio[32] = "", interval[64] = "", batched[128] = "";
    if (base->n > 0 && row != base)
        app_format(ratio, sizeof ratio, "%.2f x", base->summary.median / s->median);
    if (row->interval.valid)
        snprintf(interval, sizeof interval, "[%s, %s]", low.value, high.value);
    const struct app_number of_many = app_number_time(row->batched_ms);
    if (row->batched_ms > 0.0)
        snprintf(batched, sizeof batched, "  near the launch floor: %s %s each in batches of %d",
                 of_many.value, of_many.unit, APP_MEASURE_BATCH);
    char sorting[96] = "";
    const struct app_number bins = app_number_time(row->binning_ms);
    if (row->binning_ms > 0.0)
        snprintf(sorting, sizeof sorting, "  %s %s of it to sort", bins.value, bins.unit);
    /* µ is two bytes and one column. */
    const int pad = median.unit[0] == '\xc2' ? 1 : 0;
    fprintf(out, "  %-17s %7s %-*s %-16s %6s to %-6s %5zu %-6s %7s %5s %-11s %s%s%s%s\n", name,
            median.value, 2 + pad, median.unit, interval, p5.value, p95.value, s->n,
            krn_stop_name(row->stop), ratio, rate.value, rate.unit, verdicts[row->verified],
            sorting, batched, row->settled || s->n < KRN_SETTLED_SAMPLES ? "" : "  not settled");
}

static void say_wrong(const struct app_mode_result *measured, FILE *out)
{
    char name[48];
    krn_mode_name(measured->mode, name, sizeof name);
    fprintf(out, "WRONG picture, %s: %s.\n", name, measured->verified_text);
}

void app_measure_print(const struct app_measurement *measurement, const struct app_engine *engine,
                       const struct app_state *state, FILE *out)
{
    const struct krn_device_info *device = krn_device_describe(app_engine_device(engine, state));
    const struct app_number event = app_number_time(measurement->overheads.event_ms),
                            launch = app_number_time(measurement->overheads.empty_kernel_ms);
    fprintf(out, "%s, %s (%s), times by %s\n", krn_backend_name(device->backend), device->name,
            device->runtime, device->clock);
    fprintf(out, "%d sphere%s, %dx%d pixels; event floor %s %s, launch floor %s %s\n",
            app_engine_scene(engine)->count, app_engine_scene(engine)->count == 1 ? "" : "s",
            state->width, state->height, event.value, event.unit, launch.value, launch.unit);
    fprintf(out, "  %-17s %10s %-16s %16s %5s %-6s %7s %17s %s\n", "kernel/storage/K", "median",
            "95 % interval", "p5 to p95", "n", "until", "speed", "nominal rate", "verified");
    for (int m = 0; m < measurement->count; m++)
        print_row(measurement, &measurement->modes[m], out);
    if (!device->can.distinct_storages)
        fprintf(out,
                "On the CPU all storages read the same caches: their differences are noise.\n");
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].verified == APP_VERIFIED_FALSE)
            say_wrong(&measurement->modes[m], out);
}
