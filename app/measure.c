#include "measure.h"

#include "krn/reference.h"

#include "numbers.h"
#include "value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 3, TURN = 20 };

/* Beyond this many covered pixels the reference takes minutes (measured: about 10 ns each). */
static const double reference_pixels_max = 1e9;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One frame, waited for; its sample is added when it ended at keep_from (now_s) or later, and there
 * is room for it. */
static enum krn_code one_frame(struct app_engine *engine, const struct app_state *state,
                               const struct krn_image *image, struct app_measured *measured,
                               double keep_from, struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = app_engine_render(engine, state, image, error);
    if (code == KRN_OK)
        code = krn_device_sync(device, error);
    if (code != KRN_OK || app_engine_poll(engine) == 0 || now_s() < keep_from ||
        measured->n >= APP_MEASURE_SAMPLES)
        return code;
    const struct krn_series *series = app_engine_series(engine, state->backend, state->mode);
    measured->samples_ms[measured->n++] = krn_series_at(series, series->count - 1);
    measured->scope = engine->scope[state->backend][state->mode.kernel];
    return KRN_OK;
}

static double covered_pixels(const struct app_engine *engine, const struct app_state *state)
{
    const double unit = (double)app_state_unit(state);
    const double all = (double)state->width * state->height;
    double covered = all;
    for (int i = 0; i < engine->scene.count; i++) {
        const double side = 2.0 * (double)engine->scene.spheres[i].radius / unit + 2.0;
        covered += side * side < all ? side * side : all;
    }
    return covered;
}

static void judge(struct app_measured *measured, const struct krn_reference *reference,
                  const uint8_t *pixels)
{
    const struct krn_verdict verdict = krn_reference_compare(reference, pixels);
    measured->verified = verdict.wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
    if (verdict.wrong == 0)
        app_format(measured->verified_text, sizeof measured->verified_text,
                   "%zu pixels agree with the double-precision reference, %zu undecidable in float",
                   verdict.compared, verdict.undecidable);
    else
        app_format(measured->verified_text, sizeof measured->verified_text,
                   "%zu of %zu pixels are wrong, first (%d, %d): expected %d %d %d, got %d %d %d",
                   verdict.wrong, verdict.compared, verdict.first_x, verdict.first_y,
                   verdict.expected[0], verdict.expected[1], verdict.expected[2], verdict.actual[0],
                   verdict.actual[1], verdict.actual[2]);
}

/* Renders each mode once more and compares the whole picture. */
static enum krn_code verify(struct app_engine *engine, struct app_state *state,
                            const struct krn_image *image, struct app_measurement *measurement,
                            struct krn_error *error)
{
    const double covered = covered_pixels(engine, state);
    if (covered > reference_pixels_max) {
        for (int m = 0; m < measurement->count; m++)
            app_format(measurement->modes[m].verified_text,
                       sizeof measurement->modes[m].verified_text,
                       "not verified: the reference would draw %.3g pixels", covered);
        return KRN_OK;
    }
    struct krn_reference reference;
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_view(state);
    enum krn_code code = krn_reference_render(&reference, &engine->scene,
                                              krn_pose_at(state->motion_s), &view, error);
    if (code != KRN_OK)
        return code;
    uint8_t *pixels = malloc(4 * (size_t)view.width * (size_t)view.height);
    if (!pixels)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.", view.width,
                        view.height);
    for (int m = 0; code == KRN_OK && m < measurement->count; m++) {
        struct app_measured *measured = &measurement->modes[m];
        if (measured->refused[0])
            continue;
        state->mode = measured->mode;
        code = one_frame(engine, state, image, measured, INFINITY, error);
        if (code == KRN_OK)
            code = krn_device_read(device, image, pixels, error);
        if (code == KRN_OK)
            judge(measured, &reference, pixels);
    }
    free(pixels);
    krn_reference_free(&reference);
    return code;
}

/* Up to TURN samples of one mode, fewer when `turn_end` comes first. The first launch loads the
 * kernel and a turn starts with others' caches, so the first frames do not count; but one that
 * takes a whole turn alone is a sample. */
static enum krn_code take_turn(struct app_engine *engine, struct app_state *state,
                               const struct krn_image *image, int frames, double turn_end,
                               struct app_measured *measured, struct krn_error *error)
{
    state->mode = measured->mode;
    for (int i = 0; i < TURN + WARM_UP && measured->n < (size_t)frames; i++) {
        const double late = measured->n == 0 ? turn_end : INFINITY;
        const enum krn_code code =
            one_frame(engine, state, image, measured, i < WARM_UP ? late : 0.0, error);
        if (code != KRN_OK)
            return code;
        if (now_s() >= turn_end && measured->n > 0)
            break;
    }
    return KRN_OK;
}

/* Every mode, in turns, until all have `frames` samples or the time is up. */
static enum krn_code sample(struct app_engine *engine, struct app_state *state,
                            const struct krn_image *image, int frames, double seconds,
                            FILE *progress, struct app_measurement *measurement,
                            struct krn_error *error)
{
    const double end = now_s() + seconds;
    bool all = false;
    for (int turn = 0; !all; turn++) {
        all = true;
        for (int m = 0; m < measurement->count; m++) {
            struct app_measured *measured = &measurement->modes[m];
            if (measured->refused[0])
                continue;
            /* A slow mode's turn is shorter, and the first is everybody's, however long slow modes
             * took before: all have a share of the time. */
            const double share = now_s() + seconds / measurement->count / 2.0;
            const enum krn_code code =
                take_turn(engine, state, image, frames, turn == 0 || share < end ? share : end,
                          measured, error);
            if (code != KRN_OK)
                return code;
            if (progress) {
                char name[48];
                krn_mode_name(measured->mode, name, sizeof name);
                fprintf(progress, "\r%-20s %3zu samples", name, measured->n);
                fflush(progress);
            }
        }
        for (int m = 0; m < measurement->count; m++)
            all = all &&
                  (measurement->modes[m].refused[0] || measurement->modes[m].n >= (size_t)frames);
        if (now_s() >= end)
            break;
    }
    return KRN_OK;
}

enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state, int frames,
                                double seconds, FILE *progress, struct app_measurement *measurement,
                                struct krn_error *error)
{
    memset(measurement, 0, sizeof *measurement);
    if (frames <= 0 || frames > APP_MEASURE_SAMPLES)
        frames = APP_MEASURE_SAMPLES;
    enum krn_code code = app_engine_adopt(engine, state, error);
    if (code != KRN_OK)
        return code;
    struct krn_device *device = app_engine_device(engine, state);
    measurement->floors = krn_device_floors(device);
    measurement->tests = (double)state->width * state->height * engine->scene.count;
    for (int m = 0; m < KRN_MODES; m++) {
        struct app_measured *measured = &measurement->modes[measurement->count++];
        measured->mode = krn_mode_at(m);
        struct krn_error why;
        if (krn_mode_check(measured->mode, engine->scene.count, &why) != KRN_OK)
            snprintf(measured->refused, sizeof measured->refused, "%s", why.text);
    }
    struct krn_image image = {NULL, 0, 0, 0};
    code = krn_device_alloc_image(device, state->width, state->height, &image, error);
    if (code != KRN_OK)
        return code;

    const struct krn_mode mode = state->mode;
    code = sample(engine, state, &image, frames, seconds, progress, measurement, error);
    if (progress)
        fprintf(progress, "\r%40s\r", "");
    if (code == KRN_OK)
        code = verify(engine, state, &image, measurement, error);
    state->mode = mode;
    krn_device_free_image(device, &image);
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].mode.kernel == KRN_KERNEL_BINNED)
            measurement->modes[m].lists_ms =
                krn_series_summary(&engine->lists[state->backend]).median;
    for (int m = 0; m < measurement->count; m++)
        measurement->modes[m].summary =
            krn_summarise(measurement->modes[m].samples_ms, measurement->modes[m].n);
    return code;
}

bool app_measure_all_right(const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].verified == APP_VERIFIED_FALSE)
            return false;
    return true;
}

static void print_row(const struct app_measurement *measurement, const struct app_measured *row,
                      FILE *out)
{
    static const char *const verdicts[] = {"-", "yes", "WRONG"};
    const struct app_measured *base = &measurement->modes[0];
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
                            rate = app_number_rate(measurement->tests / s->median * 1e3, "tests/s");
    char ratio[32] = "";
    if (base->n > 0 && row != base)
        app_format(ratio, sizeof ratio, "%.2f x", base->summary.median / s->median);
    /* µ is two bytes and one column. */
    const int pad = median.unit[0] == '\xc2' ? 1 : 0;
    char sorting[96] = "";
    if (row->lists_ms > 0.0) {
        const struct app_number lists = app_number_time(row->lists_ms);
        snprintf(sorting, sizeof sorting, "  %s %s of it to sort", lists.value, lists.unit);
    }
    fprintf(out, "  %-17s %7s %-*s %7s to %-7s %5zu  %8s %7s %-11s %s%s%s\n", name, median.value,
            2 + pad, median.unit, p5.value, p95.value, s->n, ratio, rate.value, rate.unit,
            verdicts[row->verified],
            s->median < 2.0 * measurement->floors.launch_ms ? "  near the launch floor" : "",
            sorting);
}

static void say_wrong(const struct app_measured *measured, FILE *out)
{
    char name[48];
    krn_mode_name(measured->mode, name, sizeof name);
    fprintf(out, "WRONG picture, %s: %s.\n", name, measured->verified_text);
}

void app_measure_print(const struct app_measurement *measurement, const struct app_engine *engine,
                       const struct app_state *state, FILE *out)
{
    const struct krn_device_info *device = krn_device_describe(app_engine_device(engine, state));
    const struct app_number event = app_number_time(measurement->floors.event_ms),
                            launch = app_number_time(measurement->floors.launch_ms);
    fprintf(out, "%s, %s (%s), times by %s\n", krn_backend_name(device->backend), device->name,
            device->runtime, device->clock);
    fprintf(out, "%d sphere%s, %dx%d pixels; event floor %s %s, launch floor %s %s\n",
            engine->scene.count, engine->scene.count == 1 ? "" : "s", state->width, state->height,
            event.value, event.unit, launch.value, launch.unit);
    fprintf(out, "  %-17s %10s %18s %5s  %8s %19s %s\n", "kernel/storage/K", "median", "p5 to p95",
            "n", "speed", "nominal rate", "verified");
    for (int m = 0; m < measurement->count; m++)
        print_row(measurement, &measurement->modes[m], out);
    if (state->backend == KRN_BACKEND_CPU)
        fprintf(out,
                "On the CPU all storages read the same caches: their differences are noise.\n");
    for (int m = 0; m < measurement->count; m++)
        if (measurement->modes[m].verified == APP_VERIFIED_FALSE)
            say_wrong(&measurement->modes[m], out);
}
