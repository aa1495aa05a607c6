/* app/measure/background_frames.c - renders the book's kernel from both memories between frames,
 * when its predicted time fits. */
#include "measure/panel_probes.h"

#include <math.h>
#include <string.h>

/* The longest frame of a round, the time after which a reading is lost, and the frames of each kind
 * that a round takes. */
static const double asked_ms = 50.0, lost_after_s = 1.0;
enum { ASKED_RUNS = 20 };

/* The host and the launch take that long, so no frame takes less. */
static const double least_ms = 0.1;

/* Learns the rates from what was measured with this scene, in the background or as a frame. */
static void learn(struct app_background_frames *background, const struct app_engine *engine,
                  enum krn_backend_id backend)
{
    for (int i = 0; i < APP_BACKGROUND_COUNT; i++) {
        const struct krn_series *series =
            app_engine_background(engine, backend, (enum app_background)i);
        if (series->count == 0)
            series =
                app_engine_series(engine, backend, app_background_mode((enum app_background)i));
        if (series->count > 0)
            background->rate[backend][i] =
                app_engine_tests(engine) / fmax(krn_series_summary(series).median, 1e-6);
    }
}

/* --- the frames as a source: an item is an enum app_background --- */

static enum krn_code start(void *self, int item, struct krn_error *error)
{
    struct app_background_frames *background = self;
    const enum app_background which = (enum app_background)item;
    const enum krn_code code =
        app_engine_render_background(background->engine, background->state, which, error);
    if (code == KRN_LOST)
        return code;
    /* Most likely there is no room for one more picture, which the other panels do not need. */
    if (code != KRN_OK) {
        snprintf(background->why[background->state->spec.backend], sizeof background->why[0], "%s",
                 error->text);
        return KRN_REFUSED;
    }
    background->started_s = background->now_s;
    background->asked[which]++;
    background->next =
        which == APP_BACKGROUND_GLOBAL ? APP_BACKGROUND_CONSTANT : APP_BACKGROUND_GLOBAL;
    return KRN_OK;
}

static enum app_poll poll(void *self, int item, struct app_reading *reading)
{
    const struct app_background_frames *background = self;
    struct app_engine *engine = background->engine;
    (void)item;
    if (app_engine_background_busy(engine))
        app_engine_poll(engine);
    if (app_engine_background_busy(engine)) {
        if (background->now_s - background->started_s <= lost_after_s)
            return APP_POLL_BUSY;
        app_engine_give_up_background(engine); /* its reading is lost */
    }
    const double ms = app_engine_background_ms(engine);
    if (ms < 0.0)
        return APP_POLL_LOST;
    *reading = (struct app_reading){.ms = ms, .slice_ms = ms};
    return APP_POLL_TAKEN;
}

static void take(void *self, int item, const struct app_reading *reading, bool counts)
{
    struct app_background_frames *background = self;
    (void)item;
    (void)reading;
    (void)counts;
    learn(background, background->engine, background->state->spec.backend);
}

static const struct app_source background_source = {.start = start, .poll = poll, .take = take};

void app_background_frames_follow(struct app_background_frames *background,
                                  struct app_engine *engine, const struct app_state *state,
                                  double now_s)
{
    background->engine = engine;
    background->state = state;
    background->now_s = now_s;
    background->sampler.source = &background_source;
    background->sampler.self = background;
    background->sampler.items = background->items;
    background->sampler.count = APP_BACKGROUND_COUNT;
    if (background->epoch != app_engine_epoch(engine)) {
        memset(background->why, 0, sizeof background->why);
        background->epoch = app_engine_epoch(engine);
    }
    learn(background, engine, state->spec.backend);
}

/* Predicts the time of the slower kind, ms: by its own rate, else by less than the other kind's,
 * which it may not reach, else by a slow device's. *known_ms: the prediction by measured rates
 * alone; 0: none was measured. */
static double predict_ms(const struct app_background_frames *background,
                         const struct app_engine *engine, enum krn_backend_id backend,
                         double *known_ms)
{
    const double *rates = background->rate[backend], tests = app_engine_tests(engine);
    double expected_ms = least_ms;
    *known_ms = 0.0;
    for (int i = 0; i < APP_BACKGROUND_COUNT; i++) {
        const double other = rates[1 - i] / 1.5;
        const double rate = rates[i] > 0.0 ? rates[i]
                            : other > 0.0  ? other
                                           : krn_backend_get(backend)->can->tests_per_ms;
        expected_ms = fmax(expected_ms, tests / rate);
        if (rates[i] > 0.0)
            *known_ms = fmax(*known_ms, tests / rate);
    }
    return expected_ms;
}

double app_background_frames_ms(const struct app_background_frames *background,
                                const struct app_engine *engine, const struct app_state *state,
                                bool again, const char **why)
{
    struct krn_error none;
    double known_ms;
    *why = NULL;
    if (!krn_device_describe(app_engine_device(engine, state))->can.warps)
        *why = state->spec.backend == KRN_BACKEND_GL ? "not applicable to OpenGL"
                                                     : "not applicable to a CPU";
    else if (state->spec.duel.on)
        *why = "not during a duel";
    else if (krn_device_check_mode(app_engine_device(engine, state),
                                   app_background_mode(APP_BACKGROUND_CONSTANT), &none) != KRN_OK)
        *why = "too many for constant memory";
    else if (background->why[state->spec.backend][0] != 0)
        *why = background->why[state->spec.backend];
    if (*why != NULL)
        return -1.0;
    const double expected_ms = predict_ms(background, engine, state->spec.backend, &known_ms);
    if (expected_ms > asked_ms)
        *why = known_ms > asked_ms ? "over 50 ms per frame: --bench" : "may be over 50 ms: --bench";
    else if (!again && expected_ms > APP_SLICE_MS)
        *why = known_ms > APP_SLICE_MS ? "press {measure} (takes over 2 ms)"
                                       : "press {measure} (may take over 2 ms)";
    if (*why != NULL || (again && background->asked[background->next] >= ASKED_RUNS))
        return -1.0;
    return expected_ms;
}

void app_background_frames_forget(struct app_background_frames *background,
                                  struct app_engine *engine, enum krn_backend_id backend)
{
    app_engine_forget_background(engine, backend);
    memset(background->asked, 0, sizeof background->asked);
    background->why[backend][0] = 0;
}
